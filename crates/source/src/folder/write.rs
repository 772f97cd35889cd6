//! A write that happens whole or not at all: a temporary file beside the target, flushed to disk, then renamed over it.

use std::ffi::OsStr;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use cap_std::fs::{Dir, Metadata, OpenOptions};
use document::Stamp;

use super::skipped::TEMPORARY_PREFIX;
use super::{Folder, FolderError, read_error, reason, special, stored_path};

/// How long a write waits for another ibid that writes to the same folder.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);

/// Tells the temporary files of one process apart.
static WRITES: AtomicU64 = AtomicU64::new(0);

impl Folder {
    /// Writes `bytes` to `path`, creating the folders on the way, and returns their stamp. With `if_version`, only while the file still has that
    /// stamp: it is compared under a lock that every ibid takes, as the last thing before the rename. Permissions and owner are kept. What a link
    /// inside the folder leads to is written, not the link replaced.
    ///
    /// # Errors
    /// [`FolderError::Conflict`] when the stamp differs or the file is gone; otherwise [`FolderError`] naming `path`. Nothing was changed then.
    pub fn write_atomic(&self, path: &str, bytes: &[u8], if_version: Option<&Stamp>) -> Result<Stamp, FolderError> {
        self.write(path, bytes, Mode::Replace(if_version))
    }

    /// Writes a file that must not be there yet.
    ///
    /// # Errors
    /// [`FolderError::Exists`] when it is; otherwise as [`Folder::write_atomic`].
    pub fn create(&self, path: &str, bytes: &[u8]) -> Result<Stamp, FolderError> {
        self.write(path, bytes, Mode::Create)
    }

    fn write(&self, path: &str, bytes: &[u8], mode: Mode<'_>) -> Result<Stamp, FolderError> {
        if bytes.len() as u64 > self.rules.max_file_bytes {
            // What is written must be readable afterwards.
            return Err(FolderError::TooLarge { path: path.to_owned(), size_bytes: bytes.len() as u64, limit_bytes: self.rules.max_file_bytes });
        }
        let root = self.dir()?;
        let target = self.real_target(&root, path)?;
        let name = target.file_name().ok_or_else(|| FolderError::Refused { path: path.to_owned(), reason: "it names no file" })?;
        let parent = parent_of(&root, &target, path, &mode)?;
        let before = current_metadata(&parent, name, path)?;
        let unwritable = |error: &std::io::Error| FolderError::Unwritable { path: path.to_owned(), reason: reason(error) };

        let temporary = Temporary::write(&parent, bytes, before.as_ref()).map_err(|error| unwritable(&error))?;
        let _lock = lock(&parent, path)?;
        match mode {
            Mode::Create if before.is_some() => return Err(FolderError::Exists { path: path.to_owned() }),
            // A link fails when the name is taken, where a rename would replace; not every file system has links.
            Mode::Create => match parent.hard_link(&temporary.name, &parent, name) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(FolderError::Exists { path: path.to_owned() }),
                Err(_) if current_metadata(&parent, name, path)?.is_some() => return Err(FolderError::Exists { path: path.to_owned() }),
                Err(_) => temporary.rename(name).map_err(|error| unwritable(&error))?,
            },
            Mode::Replace(expected) => {
                if let Some(expected) = expected {
                    self.compare(path, expected)?;
                }
                temporary.rename(name).map_err(|error| unwritable(&error))?;
            }
        }
        sync_folder(&parent);
        Ok(Stamp::of(bytes))
    }

    pub(super) fn compare(&self, path: &str, expected: &Stamp) -> Result<(), FolderError> {
        let found = match self.read(path) {
            Ok(file) => Some(Stamp::of(&file.bytes)),
            Err(FolderError::NotFound { .. }) => None,
            Err(error) => return Err(error),
        };
        if found.as_ref() == Some(expected) { Ok(()) } else { Err(FolderError::Conflict { path: path.to_owned(), found }) }
    }

    /// Where the bytes go: the path on disk, or what a link there leads to inside the folder.
    fn real_target(&self, root: &Dir, path: &str) -> Result<PathBuf, FolderError> {
        let mut stored = stored_path(root, path)?;
        for _ in 0..8 {
            if !root.symlink_metadata(&stored).is_ok_and(|metadata| metadata.is_symlink()) {
                return Ok(stored);
            }
            stored = match root.canonicalize(&stored) {
                Ok(target) => target,
                Err(error) => self.inner_target(root, &stored).ok_or_else(|| read_error(path, &error))?,
            };
        }
        Err(FolderError::LinkLoop { path: path.to_owned() })
    }
}

enum Mode<'a> {
    Create,
    Replace(Option<&'a Stamp>),
}

/// The folder that holds the target. One that is missing is made, except for a replacement whose file must be there already.
fn parent_of(root: &Dir, target: &Path, path: &str, mode: &Mode<'_>) -> Result<Dir, FolderError> {
    let Some(parent) = target.parent().filter(|parent| !parent.as_os_str().is_empty()) else {
        return root.try_clone().map_err(|error| read_error(path, &error));
    };
    match root.open_dir(parent) {
        Ok(dir) => Ok(dir),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && matches!(mode, Mode::Replace(Some(_))) => {
            Err(FolderError::Conflict { path: path.to_owned(), found: None })
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => root
            .create_dir_all(parent)
            .and_then(|()| root.open_dir(parent))
            .map_err(|error| FolderError::Unwritable { path: path.to_owned(), reason: reason(&error) }),
        Err(error) => Err(read_error(path, &error)),
    }
}

/// What is at the target now. Something that is no file, or that its owner made read-only, is not written over.
fn current_metadata(parent: &Dir, name: &OsStr, path: &str) -> Result<Option<Metadata>, FolderError> {
    match parent.symlink_metadata(name) {
        Ok(metadata) => match special(&metadata) {
            Some(what) => Err(FolderError::NotAFile { path: path.to_owned(), what }),
            None if metadata.permissions().readonly() => Err(FolderError::ReadOnly { path: path.to_owned() }),
            None => Ok(Some(metadata)),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(read_error(path, &error)),
    }
}

/// A temporary file, removed unless it became the target.
struct Temporary<'a> {
    dir: &'a Dir,
    name: String,
    is_renamed: std::cell::Cell<bool>,
}

impl<'a> Temporary<'a> {
    fn write(dir: &'a Dir, bytes: &[u8], like: Option<&Metadata>) -> std::io::Result<Self> {
        let number = WRITES.fetch_add(1, Ordering::Relaxed);
        let mut name = format!("{TEMPORARY_PREFIX}{}-{number}", std::process::id());
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let mut attempt = 0;
        let mut file = loop {
            match dir.open_with(&name, &options) {
                Ok(file) => break file,
                // Left behind by a process of the same number that was killed.
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists && attempt < 100 => {
                    attempt += 1;
                    name = format!("{TEMPORARY_PREFIX}{}-{number}-{attempt}", std::process::id());
                }
                Err(error) => return Err(error),
            }
        };
        let temporary = Self { dir, name, is_renamed: std::cell::Cell::new(false) };
        file.write_all(bytes)?;
        if let Some(like) = like {
            keep_owner(&file, like);
            file.set_permissions(like.permissions())?;
        }
        file.sync_all()?;
        Ok(temporary)
    }

    fn rename(&self, name: &OsStr) -> std::io::Result<()> {
        self.dir.rename(&self.name, self.dir, name)?;
        self.is_renamed.set(true);
        Ok(())
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        if !self.is_renamed.get() {
            let _ = self.dir.remove_file(&self.name);
        }
    }
}

/// Only the superuser may give a file away; for everybody else the owner is the same anyway.
#[cfg(unix)]
fn keep_owner(file: &cap_std::fs::File, like: &Metadata) {
    use cap_std::fs::MetadataExt as _;
    let _ = rustix::fs::fchown(file, Some(rustix::fs::Uid::from_raw(like.uid())), Some(rustix::fs::Gid::from_raw(like.gid())));
}

#[cfg(not(unix))]
fn keep_owner(_: &cap_std::fs::File, _: &Metadata) {}

/// A lock on the folder between all processes that take it, released with the handle. Systems that lock no folders go without.
#[cfg(unix)]
pub(super) fn lock(parent: &Dir, path: &str) -> Result<Option<std::fs::File>, FolderError> {
    let Ok(handle) = parent.open(".").map(cap_std::fs::File::into_std) else { return Ok(None) };
    let deadline = Instant::now() + LOCK_PATIENCE;
    loop {
        match handle.try_lock() {
            Ok(()) => return Ok(Some(handle)),
            Err(std::fs::TryLockError::Error(_)) => return Ok(None),
            Err(std::fs::TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(FolderError::Unwritable { path: path.to_owned(), reason: "another program holds a lock on its folder".to_owned() });
            }
        }
    }
}

#[cfg(not(unix))]
pub(super) fn lock(_: &Dir, _: &str) -> Result<Option<std::fs::File>, FolderError> {
    let _ = (LOCK_PATIENCE, Instant::now);
    Ok(None)
}

/// The rename itself must survive a power cut. A file system that cannot flush a folder has done what it can.
fn sync_folder(parent: &Dir) {
    if let Ok(folder) = parent.open(".") {
        let _ = folder.sync_all();
    }
}
