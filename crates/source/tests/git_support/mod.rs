//! Repositories as people make them, with times of the test's choice.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use source::git::{Address, Checkout, CommitId, GitError, History, Reference};
use tempfile::TempDir;

/// More than anything here takes.
pub const LONG: Duration = Duration::from_secs(120);

/// The time of the first commit, in seconds since 1970.
pub const START: i64 = 1_700_000_000;

/// A repository with a work tree in a temporary folder.
pub struct Origin {
    folder: TempDir,
}

impl Origin {
    pub fn new() -> Self {
        let origin = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        origin.git(&["init", "--quiet", "--initial-branch=main"]);
        origin
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs git in it, and returns what it printed.
    pub fn git(&self, arguments: &[&str]) -> String {
        self.git_with(arguments, b"", START)
    }

    pub fn git_with(&self, arguments: &[&str], input: &[u8], seconds: i64) -> String {
        use std::io::Write as _;
        let time = format!("@{seconds} +0000");
        let mut child = Command::new("git")
            .arg("-C")
            .arg(self.path())
            .args(arguments)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .envs([("GIT_AUTHOR_NAME", "Anna Größe"), ("GIT_AUTHOR_EMAIL", "anna@example.org")])
            .envs([("GIT_COMMITTER_NAME", "Ben"), ("GIT_COMMITTER_EMAIL", "ben@example.org")])
            .envs([("GIT_AUTHOR_DATE", &time), ("GIT_COMMITTER_DATE", &time)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("git is installed: these tests are about it");
        child.stdin.take().expect("its input").write_all(input).expect("it reads");
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        std::fs::write(path, text).expect("a file");
    }

    /// Commits all that has changed, `seconds` after the start.
    pub fn commit(&self, message: &str, seconds: i64) -> CommitId {
        self.git(&["add", "--all"]);
        self.git_with(&["commit", "--quiet", "--allow-empty", "--message", message], b"", START + seconds);
        CommitId::parse(&self.git(&["rev-parse", "HEAD"])).expect("a commit")
    }

    pub fn history(&self) -> History {
        History::of(self.path()).expect("git runs").expect("it is a repository")
    }

    pub fn address(&self) -> Address {
        address(self.path().to_str().expect("a path"))
    }
}

pub fn address(text: &str) -> Address {
    Address::parse(text, Path::new("/")).expect("a good address")
}

/// A checkout in a folder of its own, with the folder.
pub fn checkout(address: Address, reference: Reference) -> (Checkout, TempDir) {
    let cache = tempfile::tempdir().expect("a temporary folder");
    (Checkout::at(cache.path(), address, reference).expect("a good reference"), cache)
}

/// Fetches, and brings the tree to what came.
pub fn follow(checkout: &Checkout) -> Result<CommitId, GitError> {
    let commit = checkout.fetch(LONG, &|| false)?;
    checkout.switch(&commit)?;
    Ok(commit)
}

/// The files of a tree and what they hold, sorted.
pub fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    collect(folder, PathBuf::new(), &mut found);
    found.sort();
    found
}

fn collect(root: &Path, below: PathBuf, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(root.join(&below)).expect("a folder").map(|entry| entry.expect("an entry")) {
        let path = below.join(entry.file_name());
        let kind = entry.file_type().expect("a kind");
        if entry.file_name() == ".git" {
            continue;
        }
        if kind.is_dir() {
            collect(root, path, found);
        } else {
            let text = if kind.is_symlink() { "<link>".to_owned() } else { std::fs::read_to_string(root.join(&path)).expect("text") };
            found.push((path.to_string_lossy().into_owned(), text));
        }
    }
}

/// Files as [`files`] tells them.
pub fn as_files(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}
