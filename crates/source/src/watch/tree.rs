//! The watches of one inotify instance: which folder each stands for, and what an event means for the folders.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{CStr, OsStr};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rustix::fs::inotify::{self, ReadFlags, WatchFlags};
use rustix::io::Errno;

use super::file_system::FileSystem;
use crate::folder::skipped::{BUILD_FILES, IGNORE_FILES, MARKERS, is_rule_file, is_skipped_file, is_skipped_folder};

/// More changed paths than this are told as "scan everything".
const MAX_PENDING: usize = 50_000;

/// Events asked for. `ATTRIB` because a file that becomes readable has changed for us; `EXCL_UNLINK` because a deleted file that somebody still
/// writes to is nobody's document. `MASK_ADD` because the folder of the cookie may lie below a root, and must keep its own events.
const EVENTS: WatchFlags = WatchFlags::ATTRIB
    .union(WatchFlags::CLOSE_WRITE)
    .union(WatchFlags::CREATE)
    .union(WatchFlags::DELETE)
    .union(WatchFlags::DELETE_SELF)
    .union(WatchFlags::MODIFY)
    .union(WatchFlags::MOVE_SELF)
    .union(WatchFlags::MOVED_FROM)
    .union(WatchFlags::MOVED_TO)
    .union(WatchFlags::EXCL_UNLINK)
    .union(WatchFlags::MASK_ADD);

const COMES: ReadFlags = ReadFlags::CREATE.union(ReadFlags::MOVED_TO);
/// What concerns the watched folder, or the watched file, itself.
const NAMELESS: ReadFlags = ReadFlags::ATTRIB.union(ReadFlags::CLOSE_WRITE).union(ReadFlags::MODIFY).union(ReadFlags::UNMOUNT);
const GOES: ReadFlags = ReadFlags::DELETE.union(ReadFlags::MOVED_FROM);

/// Which folder stands at a root, or which state of a file: what must differ when it is another one.
type Identity = (u64, u64, u64, i64, i64, i64, i64);

#[derive(Debug)]
pub(super) struct Root {
    pub path: PathBuf,
    identity: Option<Identity>,
    /// Why its events are not the whole truth.
    pub trouble: Option<String>,
}

/// A folder whose watch is still to be placed, and the folders below it.
#[derive(Debug)]
struct Unplaced {
    path: PathBuf,
    root_index: usize,
    /// Whether it was put off: then changes up to now passed unseen, and it is reported once its watch stands.
    is_late: bool,
}

#[derive(Debug)]
pub(super) struct Tree {
    pub roots: Vec<Root>,
    /// Usually one path; more when two roots reach one folder by different paths.
    by_watch: HashMap<i32, Vec<PathBuf>>,
    by_path: BTreeMap<PathBuf, i32>,
    unplaced: Vec<Unplaced>,
    pub pending: BTreeSet<PathBuf>,
    pub overflowed: bool,
    /// Events were lost, so watches may be missing.
    must_replace: bool,
}

impl Tree {
    pub(super) fn new(roots: &[PathBuf]) -> Self {
        let roots: Vec<Root> = roots.iter().map(|path| Root { path: path.clone(), identity: None, trouble: None }).collect();
        Self {
            roots,
            by_watch: HashMap::new(),
            by_path: BTreeMap::new(),
            unplaced: Vec::new(),
            pending: BTreeSet::new(),
            overflowed: false,
            must_replace: false,
        }
    }

    pub(super) fn has_news(&self) -> bool {
        self.overflowed || !self.pending.is_empty()
    }

    /// Whether events were lost and the watches not yet placed anew.
    pub(super) fn has_lost_events(&self) -> bool {
        self.must_replace
    }

    fn report(&mut self, path: PathBuf) {
        self.pending.insert(path);
        if self.pending.len() > MAX_PENDING {
            self.pending.clear();
            self.overflowed = true;
        }
    }

    /// Looks whether what stands at each root is still what is watched; one system call for each. A root that went, came or was exchanged is
    /// reported, and its watches are placed anew.
    pub(super) fn check_roots(&mut self, instance: &OwnedFd) {
        for root_index in 0..self.roots.len() {
            let path = self.roots[root_index].path.clone();
            let metadata = std::fs::metadata(&path).ok();
            let identity = metadata.map(|found| identity_of(&found));
            let is_same = identity == self.roots[root_index].identity;
            let is_known = identity.is_none() || self.by_path.contains_key(&path) || self.unplaced.iter().any(|folder| folder.path == path);
            if is_same && (is_known || self.roots[root_index].trouble.is_some()) {
                continue;
            }
            self.forget_below(instance, &path);
            let root = &mut self.roots[root_index];
            root.identity = identity;
            root.trouble = identity.and_then(|_| FileSystem::of(&path).reason_against);
            if identity.is_some() && root.trouble.is_none() {
                self.unplaced.push(Unplaced { path: path.clone(), root_index, is_late: true });
            }
            self.report(path);
        }
    }

    /// Places watches that are due, until done or `until`. Returns whether all stand.
    ///
    /// A watch is placed before its folder is listed: what comes before the listing is found by it, what comes after causes an event.
    pub(super) fn place(&mut self, instance: &OwnedFd, until: Instant) -> bool {
        if std::mem::take(&mut self.must_replace) {
            self.replace_all(instance);
        }
        let mut steps = 0_u32;
        while let Some(folder) = self.unplaced.pop() {
            self.place_one(instance, &folder);
            steps += 1;
            if steps.is_multiple_of(32) && Instant::now() >= until {
                self.put_off();
                break;
            }
        }
        self.unplaced.is_empty()
    }

    fn place_one(&mut self, instance: &OwnedFd, folder: &Unplaced) {
        let path = &folder.path;
        let is_root = self.roots.get(folder.root_index).is_some_and(|root| root.path == *path);
        // A root may be a single file, or a link that its owner chose.
        let flags = if is_root { EVENTS } else { EVENTS | WatchFlags::ONLYDIR | WatchFlags::DONT_FOLLOW };
        let watch = match inotify::add_watch(instance, path, flags) {
            Ok(watch) => watch,
            Err(Errno::NOSPC | Errno::NOMEM) => return self.give_up(path, limit_reason()),
            Err(Errno::ACCESS | Errno::PERM) if is_root => return self.give_up(path, format!("`{}` may not be watched", path.display())),
            // Gone again, or not for us: the folder above tells when that changes.
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP | Errno::ACCESS | Errno::PERM) => {
                if folder.is_late {
                    self.report(path.clone());
                }
                return;
            }
            Err(error) => return self.give_up(path, format!("`{}` cannot be watched: {error}", path.display())),
        };
        self.remember(watch, path);
        if folder.is_late {
            self.report(path.clone());
        }
        let file_system = FileSystem::of(path);
        if !is_root && let Some(reason) = file_system.reason_against {
            return self.give_up(path, reason);
        }
        // Most folders have no folders in them, and reading their entries would be most of the work.
        let is_leaf = file_system.counts_folders && std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.nlink() == 2);
        if !is_leaf {
            self.queue_below(path, folder.root_index);
        }
    }

    /// Queues the folders in `path`, unless the walk would not enter them.
    fn queue_below(&mut self, path: &Path, root_index: usize) {
        let Ok(entries) = std::fs::read_dir(path) else { return };
        let is_root = self.roots.get(root_index).is_some_and(|root| root.path == *path);
        let (mut folders, mut is_made_again, mut beside_build_file) = (Vec::new(), false, false);
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                folders.push(name);
            } else if let Some(text) = name.to_str().filter(|_| kind.is_file()) {
                is_made_again |= MARKERS.contains(&text);
                beside_build_file |= BUILD_FILES.contains(&text);
            }
        }
        if is_made_again && !is_root {
            return;
        }
        let own_name = if is_root { None } else { path.file_name() };
        for name in folders {
            if !is_skipped_folder(&name, own_name, beside_build_file) {
                self.unplaced.push(Unplaced { path: path.join(name), root_index, is_late: false });
            }
        }
    }

    fn remember(&mut self, watch: i32, path: &Path) {
        let paths = self.by_watch.entry(watch).or_default();
        if !paths.iter().any(|known| known == path) {
            paths.push(path.to_path_buf());
        }
        self.by_path.insert(path.to_path_buf(), watch);
    }

    /// From now on the roots that hold `path` are scanned. Their watches stay: they still give hints.
    fn give_up(&mut self, path: &Path, reason: String) {
        for root in self.roots.iter_mut().filter(|root| path.starts_with(&root.path)) {
            root.trouble.get_or_insert_with(|| reason.clone());
        }
        let roots = &self.roots;
        self.unplaced.retain(|folder| roots.get(folder.root_index).is_some_and(|root| root.trouble.is_none()));
    }

    /// What is not watched yet will be reported once it is: an answer has been given without it.
    pub(super) fn put_off(&mut self) {
        for folder in &mut self.unplaced {
            folder.is_late = true;
        }
    }

    /// Forgets the watches of a folder and of all below it.
    fn forget_below(&mut self, instance: &OwnedFd, path: &Path) {
        self.unplaced.retain(|folder| !folder.path.starts_with(path));
        let below: Vec<PathBuf> =
            self.by_path.range(path.to_path_buf()..).map(|(known, _)| known).take_while(|known| known.starts_with(path)).cloned().collect();
        for known in below {
            let Some(watch) = self.by_path.remove(&known) else { continue };
            if let Some(paths) = self.by_watch.get_mut(&watch) {
                paths.retain(|other| *other != known);
                if paths.is_empty() {
                    self.by_watch.remove(&watch);
                    let _ = inotify::remove_watch(instance, watch);
                }
            }
        }
    }

    /// After lost events: walks everything again, and drops the watches of folders that are not there any more.
    fn replace_all(&mut self, instance: &OwnedFd) {
        let before = std::mem::take(&mut self.by_watch);
        self.by_path.clear();
        self.unplaced = (0..self.roots.len())
            .filter(|root_index| self.roots[*root_index].trouble.is_none() && self.roots[*root_index].path.exists())
            .map(|root_index| Unplaced { path: self.roots[root_index].path.clone(), root_index, is_late: true })
            .collect();
        // Without a limit in time: these watches were placed once, so this is short, and half of it would be wrong.
        while let Some(folder) = self.unplaced.pop() {
            self.place_one(instance, &folder);
        }
        for watch in before.into_keys().filter(|watch| !self.by_watch.contains_key(watch)) {
            let _ = inotify::remove_watch(instance, watch);
        }
    }

    pub(super) fn event(&mut self, instance: &OwnedFd, watch: i32, events: ReadFlags, name: Option<&CStr>) {
        if events.contains(ReadFlags::QUEUE_OVERFLOW) {
            self.overflowed = true;
            self.must_replace = true;
            return;
        }
        if events.contains(ReadFlags::IGNORED) {
            for path in self.by_watch.remove(&watch).unwrap_or_default() {
                if self.by_path.get(&path) == Some(&watch) {
                    self.by_path.remove(&path);
                }
            }
            return;
        }
        let Some(folders) = self.by_watch.get(&watch).cloned() else { return };
        for folder in folders {
            match name {
                Some(name) => self.named_event(instance, &folder, OsStr::from_bytes(name.to_bytes()), events),
                None if events.intersects(NAMELESS) => self.report(folder),
                // The folder above, or the look at the root, tells of a folder that went.
                None => {}
            }
        }
    }

    fn named_event(&mut self, instance: &OwnedFd, folder: &Path, name: &OsStr, events: ReadFlags) {
        let path = folder.join(name);
        let root_index = self.roots.iter().position(|root| folder.starts_with(&root.path)).unwrap_or(usize::MAX);
        if events.contains(ReadFlags::ISDIR) {
            let own_name = if self.roots.iter().any(|root| root.path == *folder) { None } else { folder.file_name() };
            let beside_build_file =
                name == "target" && BUILD_FILES.iter().any(|build| folder.join(build).symlink_metadata().is_ok_and(|found| found.is_file()));
            if is_skipped_folder(name, own_name, beside_build_file) && !self.by_path.contains_key(&path) {
                return;
            }
            if events.contains(ReadFlags::MOVED_FROM) {
                self.forget_below(instance, &path);
            }
            if events.intersects(COMES | ReadFlags::ATTRIB) {
                self.unplaced.push(Unplaced { path: path.clone(), root_index, is_late: false });
            }
            return self.report(path);
        }
        if is_rule_file(name) {
            let is_ignore_file = name.to_str().is_some_and(|text| IGNORE_FILES.contains(&text));
            let comes_or_goes = events.intersects(COMES | GOES);
            if comes_or_goes && !is_ignore_file {
                self.unplaced.push(Unplaced { path: folder.to_path_buf(), root_index, is_late: false });
            }
            if comes_or_goes || is_ignore_file {
                return self.report(folder.to_path_buf());
            }
        }
        if !is_skipped_file(name) {
            self.report(path);
        }
    }

    #[cfg(test)]
    pub(super) fn watched(&self) -> Vec<PathBuf> {
        self.by_path.keys().cloned().collect()
    }
}

fn identity_of(metadata: &std::fs::Metadata) -> Identity {
    if metadata.is_dir() {
        return (metadata.dev(), metadata.ino(), 0, 0, 0, 0, 0);
    }
    let (size, changed) = (metadata.size(), (metadata.ctime(), metadata.ctime_nsec()));
    (metadata.dev(), metadata.ino(), size, metadata.mtime(), metadata.mtime_nsec(), changed.0, changed.1)
}

fn limit_reason() -> String {
    let limit = std::fs::read_to_string("/proc/sys/fs/inotify/max_user_watches").unwrap_or_default();
    format!("the system's limit of watches is reached (fs.inotify.max_user_watches = {})", limit.trim())
}
