//! The inotify instance, the thread that keeps its queue short, and the cookie.

use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::event::{EventfdFlags, PollFd, PollFlags, Timespec, eventfd, poll};
use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
use rustix::io::Errno;

use super::tree::Tree;
use super::{Settled, Trust, Unwatched, WatchError, outermost};

/// How long the thread places watches before it lets a caller in.
const SLICE: Duration = Duration::from_millis(20);

/// Tells the cookies of several watchers in one process apart.
static WATCHERS: AtomicU64 = AtomicU64::new(0);

#[derive(Debug)]
pub(super) struct Backend {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug)]
pub(super) struct Shared {
    /// `None` when the system has no instance left.
    instance: Result<OwnedFd, String>,
    stop: OwnedFd,
    slot: Mutex<Slot>,
    changed: Condvar,
}

/// The state, when nobody works on it. Taken out rather than locked, so that waiting for it can end at a deadline.
#[derive(Debug, Default)]
struct Slot {
    state: Option<Box<State>>,
    /// Callers who wait for the state; the thread lets them go first.
    waiting_callers: usize,
    has_news: bool,
}

#[derive(Debug)]
pub(super) struct State {
    pub(super) tree: Tree,
    cookie: Cookie,
    buffer: Box<[MaybeUninit<u8>]>,
}

/// A file of our own. Opening it is the event: nothing is written to the disk.
#[derive(Debug)]
struct Cookie {
    dir: PathBuf,
    name: String,
    watch: Option<i32>,
    is_seen: bool,
}

impl Backend {
    pub(super) fn start(roots: &[PathBuf], private_dir: &Path) -> Result<Self, WatchError> {
        let private = |error| WatchError::Private { path: private_dir.to_path_buf(), error };
        let number = WATCHERS.fetch_add(1, Ordering::Relaxed);
        let cookie = Cookie { dir: private_dir.to_path_buf(), name: format!("cookie-{}-{number}", std::process::id()), watch: None, is_seen: false };
        std::fs::create_dir_all(private_dir).map_err(private)?;
        remove_left_cookies(private_dir);
        cookie.bake().map_err(private)?;
        let instance = inotify::init(CreateFlags::CLOEXEC | CreateFlags::NONBLOCK).map_err(|error| match error {
            Errno::MFILE => "the system's limit of inotify instances is reached (fs.inotify.max_user_instances)".to_owned(),
            error => format!("the system offers no inotify: {error}"),
        });
        let stop = eventfd(0, EventfdFlags::CLOEXEC).map_err(|error| WatchError::Thread(error.into()))?;
        let state = State { tree: Tree::new(roots), cookie, buffer: Box::new_uninit_slice(64 * 1024) };
        let slot = Mutex::new(Slot { state: Some(Box::new(state)), ..Slot::default() });
        let shared = Arc::new(Shared { instance, stop, slot, changed: Condvar::new() });
        let thread = if shared.instance.is_ok() {
            let shared = Arc::clone(&shared);
            let run = move || shared.keep_queue_short();
            Some(std::thread::Builder::new().name("ibid-watch".to_owned()).spawn(run).map_err(WatchError::Thread)?)
        } else {
            None
        };
        Ok(Self { shared, thread })
    }

    pub(super) fn settle(&self, until: Instant) -> Settled {
        let shared = &self.shared;
        let Some(mut held) = shared.hold(until) else { return self.late() };
        let state = held.state();
        let instance = match &shared.instance {
            Ok(instance) => instance,
            Err(reason) => return state.answer(Some(reason.clone())),
        };
        let reason = state.round(instance, until).err();
        state.answer(reason)
    }

    /// The answer when the time is over. What is pending stays pending.
    pub(super) fn late(&self) -> Settled {
        let reason = "the watcher was still at work when the time was over".to_owned();
        Settled { changed: Vec::new(), overflowed: false, trusted: Trust::No(reason), unwatched: Vec::new() }
    }

    pub(super) fn wait(&self, until: Instant) -> bool {
        let mut slot = self.shared.lock();
        while !slot.has_news {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            slot = self.shared.changed.wait_timeout(slot, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }

    #[cfg(test)]
    pub(super) fn hold(&self) -> Held<'_> {
        self.shared.hold_after_callers()
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        let _ = rustix::io::write(&self.shared.stop, &1_u64.to_ne_bytes());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let mut held = self.shared.hold_after_callers();
        let cookie = &held.state().cookie;
        let _ = std::fs::remove_file(cookie.dir.join(&cookie.name));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the state for a caller, waiting for it until `until`.
    fn hold(&self, until: Instant) -> Option<Held<'_>> {
        let mut slot = self.lock();
        slot.waiting_callers += 1;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let state = slot.state.take();
            if state.is_some() || left.is_zero() {
                slot.waiting_callers -= 1;
                return state.map(|state| Held { shared: self, state: Some(state) });
            }
            slot = self.changed.wait_timeout(slot, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes the state when no caller wants it.
    fn hold_after_callers(&self) -> Held<'_> {
        let mut slot = self.lock();
        loop {
            if slot.waiting_callers == 0
                && let Some(state) = slot.state.take()
            {
                return Held { shared: self, state: Some(state) };
            }
            slot = self.changed.wait(slot).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The thread: places watches and drains the queue, so that it does not overflow while nobody asks.
    fn keep_queue_short(&self) {
        let Ok(instance) = &self.instance else { return };
        let mut is_done = false;
        loop {
            // Watches that are still to be placed are looked after between two events.
            let timeout = if is_done { None } else { Some(Timespec { tv_sec: 0, tv_nsec: 0 }) };
            let mut ready = [PollFd::new(instance, PollFlags::IN), PollFd::new(&self.stop, PollFlags::IN)];
            match poll(&mut ready, timeout.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return,
            }
            if !ready[1].revents().is_empty() {
                return;
            }
            let mut held = self.hold_after_callers();
            let state = held.state();
            if !is_done {
                state.tree.check_roots(instance);
            }
            state.cookie.is_seen = false;
            state.drain(instance);
            is_done = state.tree.place(instance, Instant::now() + SLICE);
        }
    }
}

/// The state in somebody's hands; goes back on drop.
pub(super) struct Held<'a> {
    shared: &'a Shared,
    state: Option<Box<State>>,
}

impl Held<'_> {
    pub(super) fn state(&mut self) -> &mut State {
        // Taken out only by `drop`.
        self.state.as_mut().expect("held until dropped")
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        let mut slot = self.shared.lock();
        slot.has_news = self.state.as_ref().is_some_and(|state| state.tree.has_news());
        slot.state = self.state.take();
        drop(slot);
        self.shared.changed.notify_all();
    }
}

impl State {
    /// Sees everything that happened before now. `Err` says why that is not known.
    fn round(&mut self, instance: &OwnedFd, until: Instant) -> Result<(), String> {
        if !self.see_cookie(instance, until, true) {
            // Somebody may have removed our folder; the second cookie is baked in a fresh one.
            self.cookie.watch = None;
            if !self.see_cookie(instance, until, false) {
                return Err("the system did not return the watcher's own event in time".to_owned());
            }
        }
        self.tree.check_roots(instance);
        if self.tree.place(instance, until) { Ok(()) } else { Err("watches are still being placed".to_owned()) }
    }

    fn see_cookie(&mut self, instance: &OwnedFd, until: Instant, is_first: bool) -> bool {
        self.cookie.is_seen = false;
        if self.cookie.offer(instance).is_err() {
            return false;
        }
        loop {
            self.drain(instance);
            if self.cookie.is_seen {
                return true;
            }
            // Its watch is gone, or the full queue had no room for it: there is nothing to wait for.
            if is_first && (self.cookie.watch.is_none() || self.tree.has_lost_events()) {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            let Ok(left) = Timespec::try_from(left) else { return false };
            let mut ready = [PollFd::from_borrowed_fd(instance.as_fd(), PollFlags::IN)];
            match poll(&mut ready, Some(&left)) {
                Ok(0) => return false,
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }

    /// Reads the queue until it is empty, or up to our cookie: under a flood of events it may never be empty.
    fn drain(&mut self, instance: &OwnedFd) {
        let Self { tree, cookie, buffer } = self;
        let mut reader = inotify::Reader::new(instance, buffer);
        // What was read must be handled before the reader goes.
        while !(cookie.is_seen && reader.is_buffer_empty()) {
            match reader.next() {
                Ok(event) if cookie.watch == Some(event.wd()) => cookie.event(&event),
                Ok(event) => tree.event(instance, event.wd(), event.events(), event.file_name()),
                Err(Errno::INTR) => {}
                Err(_) => return,
            }
        }
    }

    /// Hands over what is pending. `reason` is why none of it is the whole truth.
    fn answer(&mut self, reason: Option<String>) -> Settled {
        let tree = &mut self.tree;
        tree.put_off();
        let overflowed = std::mem::take(&mut tree.overflowed);
        let for_all = reason.or_else(|| overflowed.then(|| "more changed at once than the system's queue of events holds".to_owned()));
        let unwatched: Vec<Unwatched> = tree
            .roots
            .iter()
            .filter_map(|root| root.trouble.as_ref().or(for_all.as_ref()).map(|reason| Unwatched { root: root.path.clone(), reason: reason.clone() }))
            .collect();
        let trusted = for_all.or_else(|| unwatched.first().map(|root| root.reason.clone())).map_or(Trust::Yes, Trust::No);
        Settled { changed: outermost(std::mem::take(&mut tree.pending)), overflowed, trusted, unwatched }
    }
}

impl Cookie {
    /// Makes the file.
    fn bake(&self) -> std::io::Result<()> {
        std::fs::create_dir_all(&self.dir)?;
        std::fs::File::create(self.dir.join(&self.name)).map(|_| ())
    }

    /// Opens the file, which puts an event behind all that happened before.
    fn offer(&mut self, instance: &OwnedFd) -> std::io::Result<()> {
        if self.watch.is_none() {
            self.bake()?;
            let flags = WatchFlags::OPEN | WatchFlags::DELETE_SELF | WatchFlags::MOVE_SELF | WatchFlags::ONLYDIR | WatchFlags::MASK_ADD;
            self.watch = Some(inotify::add_watch(instance, &self.dir, flags)?);
        }
        let path = self.dir.join(&self.name);
        match std::fs::File::open(&path) {
            Ok(_) => Ok(()),
            Err(_) => {
                self.bake()?;
                std::fs::File::open(&path).map(|_| ())
            }
        }
    }

    fn event(&mut self, event: &inotify::Event<'_>) {
        if event.events().intersects(ReadFlags::IGNORED | ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF) {
            self.watch = None;
        } else if event.file_name().is_some_and(|name| name.to_bytes() == self.name.as_bytes()) {
            self.is_seen = true;
        }
    }
}

/// Removes the cookies of processes that were killed.
fn remove_left_cookies(dir: &Path) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let process = name.to_str().and_then(|name| name.strip_prefix("cookie-")).and_then(|rest| rest.split('-').next());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
