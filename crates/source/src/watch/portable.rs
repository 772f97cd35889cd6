//! Systems without inotify: `notify`'s watcher gives hints, and the caller always scans.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

use super::{Settled, Trust, Unwatched, WatchError, outermost};

/// Why the caller scans.
const REASON: &str = "this system does not tell in which order its file events stand to a question";

#[derive(Debug)]
pub(super) struct Backend {
    roots: Vec<PathBuf>,
    shared: Arc<Shared>,
    /// Watches until it is dropped.
    _watcher: Option<RecommendedWatcher>,
}

#[derive(Debug, Default)]
struct Shared {
    pending: Mutex<BTreeSet<PathBuf>>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<PathBuf>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend {
    pub(super) fn start(roots: &[PathBuf], private_dir: &Path) -> Result<Self, WatchError> {
        std::fs::create_dir_all(private_dir).map_err(|error| WatchError::Private { path: private_dir.to_path_buf(), error })?;
        let shared = Arc::new(Shared::default());
        shared.lock().extend(roots.iter().cloned());
        let receiver = Arc::clone(&shared);
        let told = move |event: notify::Result<notify::Event>| {
            let Ok(event) = event else { return };
            if !matches!(event.kind, notify::EventKind::Access(_)) {
                receiver.lock().extend(event.paths);
                receiver.changed.notify_all();
            }
        };
        // Without a watcher there are no hints; the answers are right all the same.
        let mut watcher = notify::recommended_watcher(told).ok();
        for root in roots {
            let _ = watcher.as_mut().map(|watcher| watcher.watch(root, RecursiveMode::Recursive));
        }
        Ok(Self { roots: roots.to_vec(), shared, _watcher: watcher })
    }

    pub(super) fn settle(&self, _until: Instant) -> Settled {
        Settled { changed: outermost(std::mem::take(&mut *self.shared.lock())), ..self.late() }
    }

    pub(super) fn late(&self) -> Settled {
        let unwatched = self.roots.iter().map(|root| Unwatched { root: root.clone(), reason: REASON.to_owned() }).collect();
        Settled { changed: Vec::new(), overflowed: false, trusted: Trust::No(REASON.to_owned()), unwatched }
    }

    pub(super) fn wait(&self, until: Instant) -> bool {
        let mut pending = self.shared.lock();
        while pending.is_empty() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            pending = self.shared.changed.wait_timeout(pending, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}
