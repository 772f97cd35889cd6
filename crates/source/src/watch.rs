//! The watcher: what changed in the users' folders before a question was asked, so that no answer is stale.
//!
//! On Linux one inotify instance watches every folder of every root and a folder of ibid's own. The kernel puts an event into the queue before
//! the system call that caused it returns, and keeps the order within one instance; so [`Watcher::settle`] touches a cookie file of its own and
//! reads the queue up to the cookie's event: every earlier change has then been seen. Where that cannot be known (network file systems, the
//! system's limit of watches, other systems) the answer says so and the caller scans.
//!
//! Not seen by any watcher: bytes written through a shared memory map before the file is closed, and through a second hard link that lies
//! outside of the roots.

#[cfg(target_os = "linux")]
mod file_system;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(not(target_os = "linux"), test))]
mod portable;
mod rounds;
#[cfg(all(test, target_os = "linux"))]
mod tests;
#[cfg(target_os = "linux")]
mod tree;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use linux::Backend;
#[cfg(not(target_os = "linux"))]
use portable::Backend;

/// Whether an answer of the watcher is complete.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trust {
    /// Every change made before the call is in the answer.
    Yes,
    /// It may not be, for this reason, which is fit to be shown; the caller scans.
    No(String),
}

/// A root whose changes cannot be known from events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unwatched {
    /// The root as it was given.
    pub root: PathBuf,
    /// Why, fit to be shown.
    pub reason: String,
}

/// What [`Watcher::settle`] found out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Absolute paths that changed, sorted, each once. Of a folder: scan below it, whatever it is now. A path may be gone. The paths are as they
    /// are on disk; `Folder::path_of` gives the path that a listing has.
    pub changed: Vec<PathBuf>,
    /// Events were lost; scan all roots.
    pub overflowed: bool,
    /// Whether `changed` is complete.
    pub trusted: Trust,
    /// The roots that `trusted` is `No` for, when it is. A caller may scan only these.
    pub unwatched: Vec<Unwatched>,
}

/// Why a watcher could not be started. A root that is missing is no reason: it is watched once it is there.
#[derive(Debug, thiserror::Error)]
pub enum WatchError {
    /// The folder for the cookie cannot be made or written.
    #[error("The folder `{path}` of ibid's own cannot be used: {error}.")]
    Private {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// A root is no absolute path, so changes in it could not be named.
    #[error("The folder `{path}` to watch is not an absolute path.")]
    Relative {
        /// The root as it was given.
        path: PathBuf,
    },
    /// The watching thread cannot be started.
    #[error("The thread that watches cannot be started: {0}.")]
    Thread(std::io::Error),
}

/// Watches a set of roots until it is dropped. `Send + Sync`; share it by reference.
#[derive(Debug)]
pub struct Watcher {
    backend: Backend,
    rounds: rounds::Rounds,
}

impl Watcher {
    /// Starts to watch `roots` (absolute; folders or single files) and returns at once: watches are placed in the background. Each root is
    /// reported as changed when its watches stand, so what was there before needs no scan of its own. `private_dir` is made where it is missing
    /// and holds nothing but cookies.
    ///
    /// # Errors
    /// [`WatchError`]. A system that has no more watches to give is not an error but `Trust::No`.
    pub fn start(roots: &[PathBuf], private_dir: &Path) -> Result<Self, WatchError> {
        if let Some(path) = roots.iter().find(|root| !root.is_absolute()) {
            return Err(WatchError::Relative { path: path.clone() });
        }
        Ok(Self { backend: Backend::start(roots, private_dir)?, rounds: rounds::Rounds::default() })
    }

    /// Everything that changed before this call and was not reported yet. Waits at most `deadline`. Callers that ask at the same time get the
    /// same answer; apart from that each change is reported once, so who answers from an index must apply one answer before the next is asked
    /// for (settle and apply under one lock).
    #[must_use]
    pub fn settle(&self, deadline: Duration) -> Settled {
        let until = Instant::now() + deadline;
        self.rounds.share(until, || self.backend.settle(until), || self.backend.late())
    }

    /// Waits until something changed that [`Watcher::settle`] has not reported yet; false after `timeout`. A hint for pushing notices: only
    /// `settle` says what changed, and completely.
    #[must_use]
    pub fn wait(&self, timeout: Duration) -> bool {
        self.backend.wait(Instant::now() + timeout)
    }
}

/// Drops paths that lie below another one of the (sorted) list: who scans a folder sees what is in it.
fn outermost(sorted: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::new();
    for path in sorted {
        if !kept.last().is_some_and(|last| path.starts_with(last)) {
            kept.push(path);
        }
    }
    kept
}
