//! The repository behind a checkout: how it is made, filled from the other side, judged and brought onto the disk.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::address::Address;
use super::error::GitError;
use super::ids::CommitId;
use super::program::{Reach, Run};
use super::reason;
use super::reference::Reference;

/// Where the wanted commit is kept, whatever its name on the other side.
const FETCHED: &str = "refs/ibid/fetched";

/// Files come out byte for byte: no filter of anybody's set-up runs, no line end and no keyword changes. This file wins over every
/// `.gitattributes`.
const ATTRIBUTES: &str = "* -filter -text -eol -crlf -ident -working-tree-encoding\n";

/// How long bringing a commit onto the disk may take.
const SWITCH_DEADLINE: Duration = Duration::from_secs(600);

/// A repository of ours with a work tree somewhere else.
pub(super) struct Repository {
    folder: PathBuf,
    tree: PathBuf,
}

impl Repository {
    pub(super) const fn at(folder: PathBuf, tree: PathBuf) -> Self {
        Self { folder, tree }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes an empty repository whose objects are named by `object_format`: no hooks, no template, nothing that a user's own defaults would add.
    pub(super) fn init(&self, object_format: &str) -> Result<(), GitError> {
        let action = format!("Making a repository in `{}`", self.folder.display());
        Run::new(&action, Reach::Offline)
            .arguments(["-c", "init.defaultBranch=main", "-c", "init.defaultRefFormat=files"])
            .arguments(["init", "--quiet", "--bare", "--template="])
            .argument(format!("--object-format={object_format}"))
            .argument("--")
            .argument(&self.folder)
            .output()?;
        // With a work tree beside it, it is not bare; said here so that `git` in the tree works for people too.
        for (key, value) in [("core.bare", "false"), ("core.symlinks", "false"), ("core.autocrlf", "false")] {
            self.run(&action, Reach::Offline).arguments(["config", key, value]).output()?;
        }
        let info = self.folder.join("info");
        let attributes = info.join("attributes");
        std::fs::create_dir_all(&info).and_then(|()| std::fs::write(&attributes, ATTRIBUTES)).map_err(|error| GitError::files(&attributes, &error))
    }

    /// Brings what is wanted from the other side, also when it was rewritten there.
    pub(super) fn fetch(
        &self,
        (address, reference): (&Address, &Reference),
        lock: &File,
        deadline: Duration,
        cancelled: &dyn Fn() -> bool,
    ) -> Result<CommitId, GitError> {
        let action = format!("Fetching `{}`", address.shown());
        let answer = self
            .run(&action, Reach::Network)
            .arguments([
                "fetch",
                "--quiet",
                "--force",
                "--no-tags",
                "--no-prune",
                "--no-recurse-submodules",
                "--no-write-fetch-head",
                "--update-shallow",
                "--",
            ])
            .argument(address.location())
            .argument(format!("+{}:{FETCHED}", reference.whole_name()))
            .holding(lock)
            .within(deadline, cancelled)
            .answer()?;
        if !answer.is_success {
            return Err(failure(&action, address, reference, &answer.errors));
        }
        self.fetched()?.ok_or_else(|| GitError::failed(&action, format!("`{}` is no commit", reference.whole_name())))
    }

    /// The commit that was fetched last; `None` before the first, and where the repository cannot be read.
    pub(super) fn fetched(&self) -> Result<Option<CommitId>, GitError> {
        self.commit(FETCHED)
    }

    /// The commit that is checked out, as far as the repository knows.
    pub(super) fn head(&self) -> Result<Option<CommitId>, GitError> {
        self.commit("HEAD")
    }

    pub(super) fn has(&self, commit: &CommitId) -> Result<bool, GitError> {
        Ok(self.commit(commit.as_str())?.is_some())
    }

    fn commit(&self, name: &str) -> Result<Option<CommitId>, GitError> {
        if !self.folder.is_dir() {
            return Ok(None);
        }
        let run = self.run("Reading a cached clone", Reach::Offline);
        let answer = run.arguments(["rev-parse", "--verify", "--quiet"]).argument(format!("{name}^{{commit}}")).answer()?;
        let text = String::from_utf8_lossy(&answer.output);
        Ok(answer.is_success.then(|| CommitId::parse(text.trim())).flatten())
    }

    /// Whether all that its names lead to is there and can be read.
    pub(super) fn is_sound(&self, deadline: Duration, cancelled: &dyn Fn() -> bool) -> Result<bool, GitError> {
        let run = self.run("Checking a cached clone", Reach::Offline).within(deadline, cancelled);
        match run.arguments(["fsck", "--connectivity-only", "--no-dangling", "--no-progress", "--no-reflogs"]).answer() {
            Ok(answer) => Ok(answer.is_success),
            Err(GitError::Failed { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes the files of `commit` into the tree and removes all others.
    pub(super) fn check_out(&self, commit: &CommitId, lock: &File) -> Result<(), GitError> {
        let action = format!("Bringing `{}` to commit {commit}", self.tree.display());
        let run = || self.run(&action, Reach::Offline).holding(lock).within(SWITCH_DEADLINE, &|| false);
        let check_out = || run().arguments(["checkout", "--quiet", "--force", "--detach", "--no-recurse-submodules", commit.as_str(), "--"]).output();
        if check_out().is_err() {
            // A damaged list of files is made anew; without it, all files are written again.
            super::locks::clear(&self.folder, &["index", "index.lock"])?;
            check_out()?;
        }
        run().arguments(["clean", "-ffdx", "--quiet"]).output().map(drop)
    }

    /// Packs what many fetches left in small pieces, when git finds that it is time. Not doing so is no fault.
    pub(super) fn pack(&self, lock: &File, deadline: Duration, cancelled: &dyn Fn() -> bool) {
        let run = Run::new("Packing a cached clone", Reach::Offline).arguments(["-c", "gc.auto=6700", "-c", "gc.autoDetach=false"]);
        let _ = self.place(run).arguments(["gc", "--auto", "--quiet"]).holding(lock).within(deadline, cancelled).answer();
    }

    fn run<'a>(&self, action: &str, reach: Reach) -> Run<'a> {
        self.place(Run::new(action, reach))
    }

    fn place<'a>(&self, run: Run<'a>) -> Run<'a> {
        // The work tree as the place too: some commands go by where they stand.
        run.in_folder(&self.tree).argument("--git-dir").argument(&self.folder).argument("--work-tree").argument(&self.tree)
    }
}

/// Whether a fetch failed because the other side names its objects in another way. Both ways cannot be in one repository.
pub(super) fn is_other_format(error: &GitError) -> bool {
    matches!(error, GitError::Failed { reason, .. } if reason.contains("mismatched algorithms"))
}

/// Marks of a repository that is not there.
const GONE: [&str; 4] = ["does not appear to be a git repository", "epository not found", "' not found", "does not exist"];

/// Marks of another side that did not answer or refused.
const SILENT: [&str; 16] = [
    "Could not read from remote repository",
    "unable to access",
    "Could not resolve",
    "onnection refused",
    "onnection timed out",
    "onnection reset",
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "Permission denied",
    "Host key verification failed",
    "hung up unexpectedly",
    "RPC failed",
    "unable to fork",
    "cannot run",
    "not allowed",
];

fn failure(action: &str, address: &Address, reference: &Reference, errors: &str) -> GitError {
    let says = |marks: &[&str]| marks.iter().any(|mark| errors.contains(mark));
    let shown = address.shown();
    if says(&["couldn't find remote ref"]) {
        return GitError::Vanished { address: shown, missing: reference.missing() };
    }
    if says(&["dubious ownership"]) {
        return GitError::Untrusted { folder: shown };
    }
    if says(&GONE) {
        return GitError::Vanished { address: shown, missing: format!("git says: {}", reason::short(errors)) };
    }
    if says(&SILENT) {
        return GitError::Unreachable { address: shown, reason: reason::short(errors) };
    }
    GitError::failed(action, reason::short(errors))
}
