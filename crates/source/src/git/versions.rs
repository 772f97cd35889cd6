//! Who changed a file, when and why, back through its earlier names.

use std::collections::HashSet;

use super::error::GitError;
use super::history::{History, MAX_LIST_BYTES};
use super::ids::{CommitId, ObjectId};
use super::{objects, reason};

/// More versions than this are not listed.
const MAX_VERSIONS: usize = 1000;

/// How `git log` tells of a commit: fields without a NUL, each ended by one.
const FORMAT: &str = "--format=tformat:%H%x00%P%x00%ct%x00%an%x00%s";

/// A file as a commit left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileVersion {
    /// The commit.
    pub commit: CommitId,
    /// Name of the author, as the commit has it.
    pub author: String,
    /// When it was committed, in milliseconds since 1970, as [`History::commit_at`] counts.
    pub time_ms: i64,
    /// The first line of its message.
    pub subject: String,
    /// The path that the file had. Below the folder; where it lay elsewhere in the repository, from its top and with `/` before it.
    pub path: String,
    /// Name of the content.
    pub object_id: ObjectId,
}

impl History {
    /// The versions of a file, newest first, through renamings; empty for a path that never was. Commits that deleted it are left out, and merges
    /// that brought nothing of their own. At most a thousand.
    ///
    /// # Errors
    /// [`GitError::Files`] for a path that cannot name a file below the folder; otherwise as [`History::head`].
    pub fn versions(&self, path: &str) -> Result<Vec<FileVersion>, GitError> {
        let stored = self.stored(path)?;
        let Some(head) = self.head()? else { return Ok(Vec::new()) };
        let run = |follow: &[&str]| {
            self.run()
                .arguments(["log", "-z", "--raw", "--no-abbrev", "--no-relative", "--encoding=UTF-8", "--no-color", "--no-mailmap"])
                .arguments(["--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-decorate", "--no-notes", "--diff-merges=first-parent"])
                .argument(format!("--max-count={MAX_VERSIONS}"))
                .arguments(follow)
                .arguments([FORMAT, head.as_str(), "--"])
                .argument(&stored)
                .limit_bytes(MAX_LIST_BYTES)
                .output()
        };
        // Where contents are missing, as in a clone that has them fetched one by one, renamings cannot be told and the rest can.
        let output = run(&["--follow"]).or_else(|_| run(&[]))?;
        Ok(without_idle_merges(self.changes(&output)))
    }

    /// Reads commits and, after each, lines of changes: `:<modes> <ids> <letter>` NUL path NUL, with two paths for a renaming.
    fn changes(&self, output: &[u8]) -> Vec<(FileVersion, bool)> {
        let mut fields = output.split(|byte| *byte == 0).peekable();
        let mut versions = Vec::new();
        while let Some(commit) = fields.next().and_then(super::history::commit_in) {
            let mut text = || fields.next().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
            let (parents, time, author, subject) = (text(), text(), text(), text());
            let is_merge = parents.split(' ').count() > 1;
            while let Some(change) = fields.next_if(|field| is_change(field)) {
                let change = String::from_utf8_lossy(change);
                let mut words = change.trim().split(' ');
                let (mode, id, letter) = (words.nth(1).unwrap_or_default(), words.nth(1).unwrap_or_default(), words.next().unwrap_or_default());
                let mut path = fields.next().unwrap_or_default();
                if letter.starts_with(['R', 'C']) {
                    path = fields.next().unwrap_or_default();
                }
                let Some(object_id) = ObjectId::parse(id).filter(|_| mode.starts_with("100")) else { continue };
                let version = FileVersion {
                    commit: commit.clone(),
                    author: reason::clean(&author),
                    time_ms: time.parse::<i64>().unwrap_or(0).saturating_mul(1000),
                    subject: reason::clean(&subject),
                    path: self.shown_below(path),
                    object_id,
                };
                versions.push((version, is_merge));
            }
        }
        versions
    }

    /// A path from the top of the work tree as one below the folder, where it is.
    fn shown_below(&self, path: &[u8]) -> String {
        match path.strip_prefix(self.prefix()) {
            Some(below) => objects::shown(below),
            None => format!("/{}", objects::shown(path)),
        }
    }
}

fn is_change(field: &[u8]) -> bool {
    field.strip_prefix(b"\n").unwrap_or(field).starts_with(b":")
}

/// Drops merges whose content another commit made.
fn without_idle_merges(versions: Vec<(FileVersion, bool)>) -> Vec<FileVersion> {
    let made: HashSet<ObjectId> = versions.iter().filter(|(_, is_merge)| !is_merge).map(|(version, _)| version.object_id.clone()).collect();
    let kept = versions.into_iter().filter(|(version, is_merge)| !is_merge || !made.contains(&version.object_id));
    kept.map(|(version, _)| version).collect()
}
