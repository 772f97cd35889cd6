//! Several threads walk one folder: whoever comes upon a sub-folder hands it to somebody who has nothing to do.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use cap_std::fs::Dir;

use super::ignored::Ignored;
use super::walk::Walk;
use super::{Folder, Listing};

/// More threads than this wait for the file system more than they help.
const MAX_THREADS: usize = 4;

/// A folder that is still to be walked, with all that is known on the way to it.
pub(super) struct Branch<'a> {
    pub dir: Dir,
    pub path: String,
    pub own_name: Option<OsString>,
    pub depth: usize,
    pub ignored: Ignored<'a>,
}

/// The threads of one walk.
pub(super) struct Crew<'a> {
    queue: Mutex<Queue<'a>>,
    given: Condvar,
    idle: AtomicUsize,
}

struct Queue<'a> {
    branches: VecDeque<Branch<'a>>,
    /// Branches that are queued or being walked; at zero everybody goes home.
    unfinished: usize,
}

impl<'a> Crew<'a> {
    /// Walks `first` and all below it.
    pub(super) fn walk(folder: &'a Folder, first: Branch<'a>) -> Listing {
        let crew =
            Crew { queue: Mutex::new(Queue { branches: VecDeque::from([first]), unfinished: 1 }), given: Condvar::new(), idle: AtomicUsize::new(0) };
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(MAX_THREADS);
        let listings: Vec<Listing> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| crew.work(folder))).collect();
            let own = crew.work(folder);
            // A thread that panicked has lost its part; its panic is ours.
            let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            std::iter::once(own).chain(others).collect()
        });
        let mut whole = Listing::default();
        for mut listing in listings {
            whole.files.append(&mut listing.files);
            whole.links.append(&mut listing.links);
            whole.problems.append(&mut listing.problems);
        }
        // Each part is in order, which a merging sort makes use of.
        whole.files.sort_by(|left, right| left.path.cmp(&right.path));
        whole.links.sort_by(|left, right| left.path.cmp(&right.path));
        whole
    }

    /// Whether somebody has nothing to do.
    pub(super) fn is_hungry(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    pub(super) fn give(&self, branch: Branch<'a>) {
        let mut queue = self.lock();
        queue.branches.push_back(branch);
        queue.unfinished += 1;
        drop(queue);
        self.given.notify_one();
    }

    fn work(&self, folder: &'a Folder) -> Listing {
        let mut listing = Listing::default();
        while let Some(branch) = self.take() {
            let _finished = Finished(self);
            listing = Walk::of_crew(folder, self, branch.ignored.clone(), listing).branch(branch);
        }
        listing
    }

    fn take(&self) -> Option<Branch<'a>> {
        let mut queue = self.lock();
        loop {
            if let Some(branch) = queue.branches.pop_front() {
                return Some(branch);
            }
            if queue.unfinished == 0 {
                return None;
            }
            self.idle.fetch_add(1, Ordering::Relaxed);
            queue = self.given.wait(queue).unwrap_or_else(PoisonError::into_inner);
            self.idle.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue<'a>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a branch as walked, also when its walk panics: nobody must wait for it without end.
struct Finished<'a, 'b>(&'b Crew<'a>);

impl Drop for Finished<'_, '_> {
    fn drop(&mut self) {
        let mut queue = self.0.lock();
        queue.unfinished -= 1;
        let is_last = queue.unfinished == 0;
        drop(queue);
        if is_last {
            self.0.given.notify_all();
        }
    }
}
