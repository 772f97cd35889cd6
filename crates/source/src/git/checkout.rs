//! A cached clone of somebody's repository with a work tree: fetched when asked, switched when asked, whole whatever is killed in between.
//!
//! In its folder lie `tree` (the files), `clone.git` (the repository), two lock files, and marks: `fetched`, whose time is that of the last
//! fetch, `switching` while the tree is between two commits, `suspect` when the clone is to be made anew.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, UNIX_EPOCH};

use super::address::Address;

use super::error::GitError;
use super::ids::CommitId;
use super::locks;
use super::reference::Reference;
use super::repository::{Repository, is_other_format};

/// How long a switch waits for one of another process.
const SWITCH_PATIENCE: Duration = Duration::from_secs(60);

/// A cached clone with a work tree. Cheap to make; nothing is opened before it is used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    folder: PathBuf,
    address: Address,
    reference: Reference,
}

impl Checkout {
    /// The checkout that is kept in the folder `cache`: one folder for one address and reference. Nothing is made yet.
    ///
    /// # Errors
    /// [`GitError::BadReference`]; [`GitError::Files`] when `cache` is no path.
    pub fn at(cache: &Path, address: Address, reference: Reference) -> Result<Self, GitError> {
        reference.check()?;
        let folder = std::path::absolute(cache).map_err(|error| GitError::files(cache, &error))?;
        Ok(Self { folder, address, reference })
    }

    /// Where it comes from.
    #[must_use]
    pub const fn address(&self) -> &Address {
        &self.address
    }

    /// What of it is followed.
    #[must_use]
    pub const fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The work tree. It exists, perhaps empty, after [`Checkout::prepare`].
    #[must_use]
    pub fn tree(&self) -> PathBuf {
        self.folder.join("tree")
    }

    /// Makes the folders. Does not go to the network.
    ///
    /// # Errors
    /// [`GitError::Files`].
    pub fn prepare(&self) -> Result<(), GitError> {
        let tree = self.tree();
        std::fs::create_dir_all(&tree).map_err(|error| GitError::files(&tree, &error))?;
        // So that `git`, and `History`, find from within the tree where its repository is, also after both were moved.
        let link = tree.join(".git");
        let wanted = "gitdir: ../clone.git\n";
        if std::fs::read_to_string(&link).is_ok_and(|found| found == wanted) {
            return Ok(());
        }
        std::fs::write(&link, wanted).map_err(|error| GitError::files(&link, &error))
    }

    /// The commit that the tree is at. `None` before the first [`Checkout::switch`], when one broke off, and when the clone is unreadable or new:
    /// the tree may hold files then, and a switch brings it to a commit whatever it holds.
    ///
    /// # Errors
    /// [`GitError::NoGit`] and what else keeps git from running.
    pub fn current(&self) -> Result<Option<CommitId>, GitError> {
        if self.mark("switching").exists() { Ok(None) } else { self.repository().head() }
    }

    /// The commit that was fetched last, by any process; `None` before the first fetch.
    ///
    /// # Errors
    /// As [`Checkout::current`].
    pub fn fetched(&self) -> Result<Option<CommitId>, GitError> {
        self.repository().fetched()
    }

    /// When a fetch last succeeded, in milliseconds since 1970, by any process; `None` before the first.
    #[must_use]
    pub fn fetched_ms(&self) -> Option<i64> {
        let modified = std::fs::metadata(self.mark("fetched")).and_then(|metadata| metadata.modified()).ok()?;
        modified.duration_since(UNIX_EPOCH).ok().and_then(|since| i64::try_from(since.as_millis()).ok())
    }

    /// Goes to the network and returns the commit that is wanted now, with all of its history. The tree is not touched. A rewritten branch is
    /// taken as it is. Where it fails, what was fetched before stays. A clone that is damaged is made anew beside the old one, and replaced.
    ///
    /// Processes fetch one after the other; waiting counts towards `deadline`. `cancelled` is asked about every 20 ms.
    ///
    /// # Errors
    /// [`GitError::Unreachable`], [`GitError::Vanished`] (branch, tag or repository), [`GitError::TimedOut`], [`GitError::Cancelled`],
    /// [`GitError::Busy`], [`GitError::Untrusted`], [`GitError::Failed`], [`GitError::Files`], [`GitError::NoGit`].
    pub fn fetch(&self, deadline: Duration, cancelled: &dyn Fn() -> bool) -> Result<CommitId, GitError> {
        self.prepare()?;
        let started = Instant::now();
        let left = || deadline.saturating_sub(started.elapsed());
        let lock = locks::take(&self.mark("fetch.lock"), deadline, cancelled)?;
        let clone = self.repository();
        locks::clear(clone.folder(), &["refs/ibid/fetched.lock", "packed-refs.lock", "shallow.lock", "config.lock", "gc.pid"])?;
        locks::clear_packs(clone.folder());

        let wanted = (&self.address, &self.reference);
        let commit = if self.mark("suspect").exists() || clone.fetched()?.is_none() {
            self.remake(&lock, &left, cancelled)?
        } else {
            match clone.fetch(wanted, &lock, left(), cancelled) {
                Err(error @ GitError::Failed { .. }) if is_other_format(&error) || !clone.is_sound(left(), cancelled)? => {
                    self.remake(&lock, &left, cancelled)?
                }
                result => result?,
            }
        };
        self.note_fetched(&commit)?;
        clone.pack(&lock, left(), cancelled);
        Ok(commit)
    }

    /// Brings the tree to a commit that was fetched: its files, byte for byte, and no others. Links become files that hold their target. The
    /// caller sees to it that nobody reads the tree meanwhile; should this process die, [`Checkout::current`] is `None` until it is done again.
    ///
    /// # Errors
    /// [`GitError::Failed`] when the commit is not there or cannot be written, [`GitError::Busy`], [`GitError::Files`], [`GitError::NoGit`].
    pub fn switch(&self, commit: &CommitId) -> Result<(), GitError> {
        self.prepare()?;
        let never = || false;
        let lock = locks::take(&self.mark("switch.lock"), SWITCH_PATIENCE, &never)?;
        let clone = self.repository();
        let switched = if clone.has(commit)? {
            locks::clear(clone.folder(), &["index.lock", "HEAD.lock"])?;
            self.set_mark("switching", commit.as_str())?;
            clone.check_out(commit, &lock)
        } else {
            Err(GitError::failed(&format!("Switching to commit {commit}"), "it is not in the clone; fetch first"))
        };
        match switched {
            Ok(()) => locks::clear(&self.folder, &["switching"]),
            Err(error) => {
                if clone.folder().is_dir() && !clone.is_sound(SWITCH_PATIENCE, &never)? {
                    self.set_mark("suspect", "")?;
                }
                Err(error)
            }
        }
    }

    /// Makes the clone anew beside the old one, and puts it in its place when it is whole.
    fn remake(&self, lock: &std::fs::File, left: &dyn Fn() -> Duration, cancelled: &dyn Fn() -> bool) -> Result<CommitId, GitError> {
        let fresh = Repository::at(self.folder.join("clone.new.git"), self.tree());
        let (old, current) = (self.folder.join("clone.old.git"), self.folder.join("clone.git"));
        let fill = |object_format| {
            remove(fresh.folder())?;
            fresh.init(object_format)?;
            fresh.fetch((&self.address, &self.reference), lock, left(), cancelled)
        };
        let filled = match fill("sha1") {
            Err(error) if is_other_format(&error) => fill("sha256"),
            result => result,
        };
        if filled.is_err() {
            // What cannot be removed now is removed by the next try.
            let _ = remove(fresh.folder());
        }
        let commit = filled?;
        let _switch_lock = locks::take(&self.mark("switch.lock"), left().max(Duration::from_secs(1)), cancelled)?;
        remove(&old)?;
        if current.exists() {
            std::fs::rename(&current, &old).map_err(|error| GitError::files(&current, &error))?;
        }
        std::fs::rename(fresh.folder(), &current).map_err(|error| GitError::files(&current, &error))?;
        locks::clear(&self.folder, &["suspect"])?;
        remove(&old)?;
        Ok(commit)
    }

    fn note_fetched(&self, commit: &CommitId) -> Result<(), GitError> {
        // Written beside and renamed, so that the file's time is always that of a fetch that succeeded.
        self.set_mark("fetched.new", commit.as_str())?;
        let target = self.mark("fetched");
        std::fs::rename(self.mark("fetched.new"), &target).map_err(|error| GitError::files(&target, &error))
    }

    fn repository(&self) -> Repository {
        Repository::at(self.folder.join("clone.git"), self.tree())
    }

    fn mark(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn set_mark(&self, name: &str, text: &str) -> Result<(), GitError> {
        let path = self.mark(name);
        std::fs::write(&path, text).map_err(|error| GitError::files(&path, &error))
    }
}

/// Removes a folder with all that is in it; one that is not there is removed already.
fn remove(folder: &Path) -> Result<(), GitError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(GitError::files(folder, &error)),
        _ => Ok(()),
    }
}
