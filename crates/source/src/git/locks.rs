//! Locks between processes on a cached clone, and the removal of git's own lock files when nobody can hold them any more.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

use super::error::GitError;

/// Takes the lock file at `path`, which is made if need be. It is free again when the handle, and every copy that a program got, is closed:
/// also when a process dies.
///
/// # Errors
/// [`GitError::Busy`] after `patience`, [`GitError::Cancelled`].
pub(super) fn take(path: &Path, patience: Duration, cancelled: &dyn Fn() -> bool) -> Result<File, GitError> {
    let file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).map_err(|error| GitError::files(path, &error))?;
    let started = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(GitError::files(path, &error)),
            Err(TryLockError::WouldBlock) if cancelled() => return Err(GitError::Cancelled { action: "Waiting for another process".to_owned() }),
            Err(TryLockError::WouldBlock) if started.elapsed() < patience => std::thread::sleep(Duration::from_millis(20)),
            Err(TryLockError::WouldBlock) => {
                return Err(GitError::Busy { folder: path.parent().unwrap_or(path).display().to_string() });
            }
        }
    }
}

/// Removes the named files of git in `folder`. Who calls it holds the lock under which git makes them, so their makers are dead.
pub(super) fn clear(folder: &Path, names: &[&str]) -> Result<(), GitError> {
    for name in names {
        let path = folder.join(name);
        match std::fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {}
            Err(error) => return Err(GitError::files(&path, &error)),
        }
    }
    Ok(())
}

/// Removes packs that a fetch began and did not finish, and the marks by which it kept finished ones until their names were written.
pub(super) fn clear_packs(clone: &Path) {
    let Ok(entries) = std::fs::read_dir(clone.join("objects/pack")) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with("tmp_") || name.ends_with(".keep") {
            // What cannot be removed wastes space and does no other harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
