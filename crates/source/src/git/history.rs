//! The history of the files below a folder that lies in a work tree. It reads objects, never the network, and runs nothing that is configured there.

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::error::GitError;
use super::ids::{CommitId, ObjectId};
use super::objects::{self, Entry};
use super::program::{Reach, Run};
use super::{discovery, reason};
use crate::folder::names;

/// The longest list of files that is read, in bytes.
pub(super) const MAX_LIST_BYTES: usize = 64 * 1024 * 1024;

/// Larger files are not compared: they count as changed.
const MAX_COMPARED_BYTES: u64 = 64 * 1024 * 1024;

/// History of the files below one folder. Paths that it takes and gives are relative to that folder, with `/`, in NFC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    folder: PathBuf,
    /// From the top of the work tree to the folder; empty, or ended by a slash.
    prefix: Vec<u8>,
}

/// A file as it stands in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// Path below the folder.
    pub path: String,
    /// Name of its content.
    pub object_id: ObjectId,
    /// Size of its content in bytes.
    pub size_bytes: u64,
}

impl History {
    /// Finds the work tree that `folder` lies in; `None` where there is none.
    ///
    /// # Errors
    /// [`GitError::NoGit`], [`GitError::Untrusted`] for a repository of another user, [`GitError::Files`] when the folder is not there.
    pub fn of(folder: &Path) -> Result<Option<Self>, GitError> {
        let folder = folder.canonicalize().map_err(|error| GitError::files(folder, &error))?;
        Ok(discovery::prefix(&folder)?.map(|prefix| Self { folder, prefix }))
    }

    /// The commit that is checked out; `None` before the first.
    ///
    /// # Errors
    /// [`GitError`] when git cannot read the repository.
    pub fn head(&self) -> Result<Option<CommitId>, GitError> {
        let answer = self.run().arguments(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]).answer()?;
        Ok(answer.is_success.then(|| commit_in(&answer.output)).flatten())
    }

    /// The last commit on the first-parent line of `HEAD` that was committed at or before `time_ms` (milliseconds since 1970), the nearest to
    /// `HEAD` where clocks went wrong. `None` when the line begins later.
    ///
    /// # Errors
    /// As [`History::head`].
    pub fn commit_at(&self, time_ms: i64) -> Result<Option<CommitId>, GitError> {
        let seconds = time_ms.div_euclid(1000);
        let Some(head) = self.head()?.filter(|_| seconds >= 0) else { return Ok(None) };
        let run = self.run().arguments(["rev-list", "--first-parent", "--max-count=1"]).argument(format!("--min-age={seconds}"));
        Ok(commit_in(&run.arguments([head.as_str(), "--"]).output()?))
    }

    /// The ordinary files below the folder in a commit, in git's order. Links and submodules are none.
    ///
    /// # Errors
    /// [`GitError::Failed`] when the commit is not there, or the list is longer than 64 MiB.
    pub fn files(&self, commit: &CommitId) -> Result<Vec<TreeFile>, GitError> {
        Ok(self.list(commit, "-rl")?.filter(|entry| entry.is_file).filter_map(tree_file).collect())
    }

    /// The contents of files by their names, in the same order. `None` for what is missing, is no content of a file, or is larger than
    /// `limit_bytes`. All of them are held in memory.
    ///
    /// # Errors
    /// As [`History::head`].
    pub fn read(&self, object_ids: &[ObjectId], limit_bytes: u64) -> Result<Vec<Option<Vec<u8>>>, GitError> {
        let sizes = self.sizes(object_ids)?;
        let wanted: Vec<(&ObjectId, u64)> =
            object_ids.iter().zip(&sizes).filter_map(|(id, size)| size.map(|size| (id, size))).filter(|(_, size)| *size <= limit_bytes).collect();
        let mut contents = if wanted.is_empty() {
            Vec::new()
        } else {
            // A header is the name, the type and the size.
            let expected = wanted.iter().fold(0, |sum: u64, (_, size)| sum.saturating_add(*size).saturating_add(128));
            let run = self.run().arguments(["cat-file", "--batch"]).input(questions(wanted.iter().map(|(id, _)| *id)));
            objects::contents(&run.limit_bytes(usize::try_from(expected).unwrap_or(usize::MAX)).output()?, &self.action())?
        }
        .into_iter();
        Ok(sizes.into_iter().map(|size| if size.is_some_and(|size| size <= limit_bytes) { contents.next() } else { None }).collect())
    }

    /// Whether the file on disk is that of `HEAD`; a difference of line ends alone does not count, since git may be set to make it. `false` when
    /// the file is missing on either side. No filter runs, so a file that is kept in another form (Git LFS) counts as changed.
    ///
    /// # Errors
    /// [`GitError::Files`] for a path that cannot name a file below the folder, or a file that cannot be read.
    pub fn is_clean(&self, path: &str) -> Result<bool, GitError> {
        let stored = self.stored(path)?;
        let Some(head) = self.head()? else { return Ok(false) };
        let output = self.run().arguments(["ls-tree", "-z", head.as_str(), "--"]).argument(&stored).output()?;
        let Some(entry) = objects::entries(&output).find(|entry| entry.is_file && objects::os(&entry.path) == stored) else { return Ok(false) };
        let Some(committed) = self.read(&[entry.id], MAX_COMPARED_BYTES)?.pop().flatten() else { return Ok(false) };
        let Some(found) = self.on_disk(&stored, path)? else { return Ok(false) };
        Ok(found == committed || without_returns(&found) == without_returns(&committed))
    }

    fn on_disk(&self, stored: &std::ffi::OsStr, path: &str) -> Result<Option<Vec<u8>>, GitError> {
        let failed = |error: &std::io::Error| GitError::files(Path::new(path), error);
        let folder = Dir::open_ambient_dir(&self.folder, ambient_authority()).map_err(|error| failed(&error))?;
        match folder.symlink_metadata(stored) {
            Ok(metadata) if metadata.is_file() && metadata.len() <= MAX_COMPARED_BYTES => {}
            Ok(_) => return Ok(None),
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(failed(&error)),
        }
        let mut bytes = Vec::new();
        folder.open(stored).and_then(|file| file.take(MAX_COMPARED_BYTES).read_to_end(&mut bytes)).map_err(|error| failed(&error))?;
        Ok(Some(bytes))
    }

    /// The path of git for a path as ibid shows it. Only where they may differ is the list of files asked.
    pub(super) fn stored(&self, path: &str) -> Result<OsString, GitError> {
        let parts = names::parts(path).map_err(|error| GitError::Files { path: reason::clean(path), reason: error.to_string() })?;
        if parts.iter().all(|part| part.is_ascii()) {
            return Ok(path.into());
        }
        let Some(head) = self.head()? else { return Ok(path.into()) };
        let found = self.list(&head, "-r")?.find(|entry| entry.shown_path() == path).map(|entry| objects::os(&entry.path));
        Ok(found.unwrap_or_else(|| path.into()))
    }

    /// Everything below the folder in a commit.
    fn list(&self, commit: &CommitId, how: &str) -> Result<std::vec::IntoIter<Entry>, GitError> {
        let output = self.run().arguments(["ls-tree", "-z", how, commit.as_str()]).limit_bytes(MAX_LIST_BYTES).output()?;
        Ok(objects::entries(&output).collect::<Vec<_>>().into_iter())
    }

    fn sizes(&self, object_ids: &[ObjectId]) -> Result<Vec<Option<u64>>, GitError> {
        if object_ids.is_empty() {
            return Ok(Vec::new());
        }
        let run = self.run().arguments(["cat-file", "--batch-check"]).input(questions(object_ids)).limit_bytes(object_ids.len().saturating_mul(160));
        let sizes = objects::sizes(&run.output()?);
        if sizes.len() == object_ids.len() { Ok(sizes) } else { Err(GitError::failed(&self.action(), "git left questions without answers")) }
    }

    /// From the top of the work tree to the folder.
    pub(super) fn prefix(&self) -> &[u8] {
        &self.prefix
    }

    pub(super) fn action(&self) -> String {
        format!("Reading the history of `{}`", reason::clean(&self.folder.display().to_string()))
    }

    pub(super) fn run<'a>(&self) -> Run<'a> {
        Run::new(self.action(), Reach::Offline).in_folder(&self.folder)
    }
}

fn tree_file(entry: Entry) -> Option<TreeFile> {
    Some(TreeFile { path: entry.shown_path(), size_bytes: entry.size_bytes?, object_id: entry.id })
}

pub(super) fn commit_in(output: &[u8]) -> Option<CommitId> {
    std::str::from_utf8(output).ok().and_then(|text| CommitId::parse(text.trim()))
}

/// One name per line, as `cat-file` reads them.
pub(super) fn questions<'a>(object_ids: impl IntoIterator<Item = &'a ObjectId>) -> Vec<u8> {
    object_ids.into_iter().flat_map(|id| [id.as_str(), "\n"]).collect::<String>().into_bytes()
}

fn without_returns(bytes: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if !(*byte == b'\r' && bytes.get(at + 1) == Some(&b'\n')) {
            kept.push(*byte);
        }
    }
    kept
}
