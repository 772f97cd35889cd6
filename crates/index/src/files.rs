//! The index's directory: its lock, its version, and what to do with damage.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tantivy::directory::{Directory, MmapDirectory};

use crate::IndexError;
use crate::schema::{FIELDS, VERSION, tokenizers};
use crate::unsynced::UnsyncedDirectory;

/// How often a lock that another process holds is tried again.
const LOCK_PAUSE: Duration = Duration::from_millis(2);
/// How long making an empty index waits for a process that is writing.
const REPAIR_WAIT: Duration = Duration::from_secs(10);

/// The lock of the one process that may write. The kernel releases it when the file is closed, and so when the process dies.
pub struct WriterLock {
    _file: File,
}

/// Paths in the index's directory.
pub struct Files {
    root: PathBuf,
    folder: PathBuf,
    meta: PathBuf,
    /// Names the running of the machine in which the index was last known to be whole.
    boot: PathBuf,
    /// Of the running machine; `None` where the system does not tell.
    boot_id: Option<String>,
}

impl Files {
    /// Creates the directory. Each version of ibid's index has a folder of its own in it, so that two versions that run at the same time do not
    /// delete each other's work in turn; folders of other versions are deleted when an index is opened.
    pub fn new(root: &Path) -> Result<Self, IndexError> {
        let name = format!("words-{VERSION}");
        let folder = root.join(&name);
        if folder.is_file() {
            fs::remove_file(&folder).map_err(IndexError::files(root))?;
        }
        fs::create_dir_all(&folder).map_err(IndexError::files(root))?;
        for entry in fs::read_dir(root).map_err(IndexError::files(root))?.flatten() {
            if entry.file_name() != name.as_str() && entry.file_name().to_string_lossy().starts_with("words-") {
                tracing::info!(folder = %entry.path().display(), "deleting the search index of another version");
                // It is only space: whoever still uses it keeps its open files.
                let _ = fs::remove_dir_all(entry.path());
            }
        }
        let meta = folder.join("meta.json");
        let boot = folder.join("boot-id");
        let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").ok().filter(|id| !id.trim().is_empty());
        Ok(Self { root: root.to_owned(), folder, meta, boot, boot_id })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file that names the newest commit.
    pub fn meta(&self) -> &Path {
        &self.meta
    }

    /// Takes the writer lock; `None` when another holds it for longer than `wait`.
    pub fn lock(&self, wait: Duration) -> Result<Option<WriterLock>, IndexError> {
        let path = self.root.join("writer.lock");
        let file = File::options().create(true).truncate(false).write(true).open(path).map_err(IndexError::files(&self.root))?;
        let deadline = Instant::now() + wait;
        loop {
            match fs4::FileExt::try_lock(&file) {
                Ok(()) => return Ok(Some(WriterLock { _file: file })),
                Err(fs4::TryLockError::WouldBlock) => {}
                Err(fs4::TryLockError::Error(error)) => return Err(IndexError::files(&self.root)(error)),
            }
            if Instant::now() >= deadline {
                return Ok(None);
            }
            std::thread::sleep(LOCK_PAUSE);
        }
    }

    /// Opens the index as it is; an error means that it is missing or damaged.
    pub fn open(&self) -> tantivy::Result<tantivy::Index> {
        let mut index = tantivy::Index::open(self.directory()?)?;
        if index.schema() != FIELDS.schema {
            return Err(tantivy::TantivyError::SchemaError("the fields are others".to_owned()));
        }
        index.set_tokenizers(tokenizers());
        Ok(index)
    }

    /// Where the system tells one boot from another, commits need not wait for the disk: see [`Files::check_after_boot`].
    fn directory(&self) -> tantivy::Result<Box<dyn Directory>> {
        Ok(if self.boot_id.is_some() { Box::new(UnsyncedDirectory::open(&self.folder)?) } else { Box::new(MmapDirectory::open(&self.folder)?) })
    }

    /// Reads the whole index once after the machine was started, because a crash of the machine may have torn files; an error means that it did.
    pub fn check_after_boot(&self, index: &tantivy::Index) -> tantivy::Result<()> {
        if self.boot_id.is_none() || fs::read_to_string(&self.boot).ok() == self.boot_id {
            return Ok(());
        }
        check_whole(index)?;
        self.note_boot();
        Ok(())
    }

    fn note_boot(&self) {
        if let Some(id) = &self.boot_id {
            // Where it cannot be written, the index is checked again.
            let _ = fs::write(&self.boot, id);
        }
    }

    /// Makes an empty index where `is_sound` fails, unless another process has mended it in the meantime.
    pub fn repair(&self, is_sound: &dyn Fn(&Self) -> bool) -> Result<(), IndexError> {
        let Some(_lock) = self.lock(REPAIR_WAIT)? else {
            return Err(IndexError::Busy { directory: self.root.clone() });
        };
        if is_sound(self) { Ok(()) } else { self.make_empty(&_lock) }
    }

    /// Deletes everything but lock files, which others may hold, and creates an empty index.
    pub fn make_empty(&self, _lock: &WriterLock) -> Result<(), IndexError> {
        if !self.folder.is_dir() {
            let _ = fs::remove_file(&self.folder);
        }
        fs::create_dir_all(&self.folder).map_err(IndexError::files(&self.root))?;
        for entry in fs::read_dir(&self.folder).map_err(IndexError::files(&self.root))?.flatten() {
            let path = entry.path();
            if path.is_dir() {
                fs::remove_dir_all(&path).map_err(IndexError::files(&self.root))?;
            } else if path.extension().is_none_or(|extension| extension != "lock") {
                fs::remove_file(&path).map_err(IndexError::files(&self.root))?;
            }
        }
        let directory = self.directory().map_err(IndexError::engine(&self.root))?;
        tantivy::Index::create(directory, FIELDS.schema.clone(), tantivy::IndexSettings::default()).map_err(IndexError::engine(&self.root))?;
        self.note_boot();
        Ok(())
    }

    /// Bytes of all files.
    pub fn size_bytes(&self) -> u64 {
        fs::read_dir(&self.folder)
            .map_or(0, |entries| entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|metadata| metadata.len()).sum())
    }
}

/// Reads all files of the newest commit; an error means that one is not as it was written.
pub fn check_whole(index: &tantivy::Index) -> tantivy::Result<()> {
    match index.validate_checksum()?.into_iter().next() {
        None => Ok(()),
        Some(path) => Err(tantivy::TantivyError::InternalError(format!("the file \"{}\" is torn", path.display()))),
    }
}

/// The sequence number of a commit; 0 for an index without any.
pub fn checkpoint(index: &tantivy::Index) -> tantivy::Result<u64> {
    match index.load_metas()?.payload {
        None => Ok(0),
        Some(payload) => payload.parse().map_err(|_| tantivy::TantivyError::InternalError(format!("the commit's sequence number is \"{payload}\""))),
    }
}
