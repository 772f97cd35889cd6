//! The only door to a user's folder: what is in it, the bytes of a file, and a write that happens whole or not at all.
//!
//! Everything is opened relative to the root's handle (`cap-std`: `openat2` with `RESOLVE_BENEATH` where the system has it), so a link that
//! is swapped in between a walk and an open cannot lead out. Paths in and out are relative to the root, with `/`, in NFC; the name on disk is
//! found again for each access.
//!
//! **What is listed.** Files, hidden ones too, except: what `.gitignore`, `.ignore` and `.ibidignore` of the folder and its sub-folders exclude
//! (also outside a git repository; files above the root are not read), what the configuration excludes, and the folders of `skipped.rs`.
//! A link inside the folder adds nothing to the list, because each real file is listed once, under its own path; it stands in
//! [`Listing::links`]. Links that lead out, in a circle or nowhere are problems.

mod crew;
mod error;
mod ignored;
pub(crate) mod names;
mod remove;
pub(crate) mod skipped;
#[cfg(test)]
mod tests;
mod walk;
mod write;

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, OpenOptions};
use document::{Problem, Severity};
use ignore::gitignore::Gitignore;

use crate::{FileEntry, RawFile};

pub use error::FolderError;

/// What a walk leaves out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkRules {
    /// Files above this many bytes are listed with a problem and not read.
    pub max_file_bytes: u64,
    /// Patterns in gitignore syntax, relative to the root. They win over ignore files.
    pub extra_ignores: Vec<String>,
    /// Whether files and folders whose names begin with a dot are walked.
    pub include_hidden: bool,
    /// Only files with one of these extensions, without the dot, in any case; `None` for all.
    pub extensions: Option<Vec<String>>,
}

impl Default for WalkRules {
    fn default() -> Self {
        Self { max_file_bytes: 4 * 1024 * 1024, extra_ignores: Vec::new(), include_hidden: true, extensions: None }
    }
}

impl WalkRules {
    fn admits_file(&self, name: &str) -> bool {
        let Some(extensions) = &self.extensions else { return true };
        Path::new(name)
            .extension()
            .and_then(std::ffi::OsStr::to_str)
            .is_some_and(|found| extensions.iter().any(|wanted| wanted.trim_start_matches('.').eq_ignore_ascii_case(found)))
    }
}

/// A link inside the folder that leads to a file or folder inside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderLink {
    /// Path of the link.
    pub path: String,
    /// Path that it leads to. What is there is listed under this path, unless it is ignored.
    pub target: String,
    /// Whether it leads to a folder.
    pub is_folder: bool,
}

/// What a walk found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Files, sorted by path.
    pub files: Vec<FileEntry>,
    /// Links inside the folder, sorted by path.
    pub links: Vec<FolderLink>,
    /// What is wrong, with paths.
    pub problems: Vec<Problem>,
}

/// An open folder of the user. Cheap to share between threads.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    rules: WalkRules,
    configured: Gitignore,
    /// The handle, and which folder it is. Replaced when another folder stands at `root`, as after a delete and a fresh clone.
    handle: RwLock<(Arc<Dir>, Identity)>,
}

/// Device and inode, zeros where the system has none.
type Identity = (u64, u64);

impl Folder {
    /// Opens the folder at `root`. `root()` is its absolute path with links resolved.
    ///
    /// # Errors
    /// [`FolderError::Missing`], [`FolderError::NotAFolder`], [`FolderError::Unreadable`], [`FolderError::BadIgnore`].
    pub fn open(root: &Path, rules: WalkRules) -> Result<Self, FolderError> {
        let shown = root.display().to_string();
        let root = root.canonicalize().map_err(|error| root_error(&shown, &error))?;
        let handle = open_root(&root)?;
        let configured = ignored::configured(&rules.extra_ignores)?;
        Ok(Self { root, rules, configured, handle: RwLock::new(handle) })
    }

    /// The absolute path of the root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The rules it was opened with.
    #[must_use]
    pub const fn rules(&self) -> &WalkRules {
        &self.rules
    }

    /// Everything in the folder. Cannot fail: what cannot be walked is a problem; a root that is gone is the problem `folder-missing`.
    #[must_use]
    pub fn list(&self) -> Listing {
        match self.dir() {
            Ok(dir) => walk::Walk::new(self).whole(&dir),
            Err(error) => Listing { problems: vec![error.problem("")], ..Listing::default() },
        }
    }

    /// Everything below the folder `path` (`""` for the root): what [`Folder::list`] would say of it, without walking the rest.
    #[must_use]
    pub fn list_below(&self, path: &str) -> Listing {
        if path.is_empty() {
            return self.list();
        }
        match self.dir() {
            Ok(dir) => walk::Walk::new(self).below(&dir, path),
            Err(error) => Listing { problems: vec![error.problem("")], ..Listing::default() },
        }
    }

    /// One file by the same rules: `None` where [`Folder::list`] would not have it.
    #[must_use]
    pub fn stat(&self, path: &str) -> Option<FileEntry> {
        let dir = self.dir().ok()?;
        walk::Walk::new(self).one(&dir, path)
    }

    /// Whether something lies at a path, be it ignored, a folder, or no text: for links that lead to it.
    #[must_use]
    pub fn holds(&self, path: &str) -> bool {
        let is_there = |dir: Arc<Dir>| stored_path(&dir, path).is_ok_and(|stored| dir.metadata(stored).is_ok());
        self.dir().is_ok_and(is_there)
    }

    /// The bytes of a file. Ignore rules do not apply (settings of a note app are read this way); containment and the size limit do.
    ///
    /// # Errors
    /// [`FolderError`], naming `path`. A pipe or device is never waited for.
    pub fn read(&self, path: &str) -> Result<RawFile, FolderError> {
        let dir = self.dir()?;
        let stored = stored_path(&dir, path)?;
        let file = self.open_followed(&dir, stored, path)?;
        let metadata = file.metadata().map_err(|error| read_error(path, &error))?;
        if let Some(what) = special(&metadata) {
            return Err(FolderError::NotAFile { path: path.to_owned(), what });
        }
        let limit_bytes = self.rules.max_file_bytes;
        let too_large = |size_bytes| FolderError::TooLarge { path: path.to_owned(), size_bytes, limit_bytes };
        if metadata.len() > limit_bytes {
            return Err(too_large(metadata.len()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or(0));
        // A file may grow while it is read; one byte past the limit shows it.
        file.take(limit_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|error| read_error(path, &error))?;
        if bytes.len() as u64 > limit_bytes {
            return Err(too_large(bytes.len() as u64));
        }
        Ok(RawFile { path: path.to_owned(), bytes })
    }

    /// The path below the root, as [`FileEntry::path`] has it, of an absolute path such as a watcher reports; `""` for the root itself.
    #[must_use]
    pub fn path_of(&self, absolute: &Path) -> Option<String> {
        let relative = absolute.strip_prefix(&self.root).ok()?;
        Some(relative.iter().map(names::visible).collect::<Vec<_>>().join("/"))
    }

    /// The root's handle, opened anew when another folder stands there now.
    fn dir(&self) -> Result<Arc<Dir>, FolderError> {
        let shown = || self.root.display().to_string();
        let now = std::fs::metadata(&self.root).map_err(|error| root_error(&shown(), &error))?;
        {
            let held = self.handle.read().unwrap_or_else(PoisonError::into_inner);
            if held.1 == identity_of(&now) && now.is_dir() {
                return Ok(Arc::clone(&held.0));
            }
        }
        let fresh = open_root(&self.root)?;
        let dir = Arc::clone(&fresh.0);
        *self.handle.write().unwrap_or_else(PoisonError::into_inner) = fresh;
        Ok(dir)
    }

    /// Opens a file for reading. An absolute link that leads back into the folder is followed too: `cap-std` by itself refuses all of them.
    fn open_followed(&self, dir: &Dir, mut stored: PathBuf, path: &str) -> Result<File, FolderError> {
        for _ in 0..8 {
            match open_file(dir, &stored) {
                Ok(file) => return Ok(file),
                Err(error) => match self.inner_target(dir, &stored) {
                    Some(target) if target != stored => stored = target,
                    _ => return Err(read_error(path, &error)),
                },
            }
        }
        Err(FolderError::LinkLoop { path: path.to_owned() })
    }

    /// Where the absolute link at `stored` leads, when that is below the root.
    fn inner_target(&self, dir: &Dir, stored: &Path) -> Option<PathBuf> {
        let target = dir.read_link_contents(stored).ok()?;
        let relative = target.strip_prefix(&self.root).ok()?;
        (target.is_absolute() && !relative.as_os_str().is_empty()).then(|| relative.to_path_buf())
    }
}

/// Opens for reading without ever waiting for a writer at the other end of a pipe.
fn open_file(dir: &Dir, path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt as _;
        options.custom_flags(i32::try_from((rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY).bits()).unwrap_or(0));
    }
    dir.open_with(path, &options)
}

fn open_root(root: &Path) -> Result<(Arc<Dir>, Identity), FolderError> {
    let shown = root.display().to_string();
    let metadata = std::fs::metadata(root).map_err(|error| root_error(&shown, &error))?;
    if !metadata.is_dir() {
        return Err(FolderError::NotAFolder { path: shown });
    }
    let dir = Dir::open_ambient_dir(root, ambient_authority()).map_err(|error| root_error(&shown, &error))?;
    // Searching is not reading: a folder may be entered and still not be listed.
    dir.entries().map_err(|error| root_error(&shown, &error))?;
    Ok((Arc::new(dir), identity_of(&metadata)))
}

#[cfg(unix)]
fn identity_of(metadata: &std::fs::Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity_of(_: &std::fs::Metadata) -> Identity {
    (0, 0)
}

fn root_error(path: &str, error: &std::io::Error) -> FolderError {
    match error.kind() {
        std::io::ErrorKind::NotFound => FolderError::Missing { path: path.to_owned() },
        std::io::ErrorKind::NotADirectory => FolderError::NotAFolder { path: path.to_owned() },
        _ => FolderError::Unreadable { path: path.to_owned(), reason: reason(error) },
    }
}

/// The path on disk of a path as ibid shows it, part by part.
fn stored_path(dir: &Dir, path: &str) -> Result<PathBuf, FolderError> {
    let parts = names::parts(path)?;
    // The common case costs one system call: the path is on disk as it is shown.
    if dir.symlink_metadata(path).is_ok() {
        return Ok(PathBuf::from(path));
    }
    let mut stored = PathBuf::new();
    for part in parts {
        let name = match dir.open_dir(if stored.as_os_str().is_empty() { Path::new(".") } else { &stored }) {
            Ok(parent) => names::stored(&parent, part),
            Err(_) => part.into(),
        };
        stored.push(name);
    }
    Ok(stored)
}

/// What something is, when it is no regular file.
fn special(metadata: &Metadata) -> Option<&'static str> {
    if metadata.is_file() {
        return None;
    }
    Some(special_name(metadata.file_type()))
}

#[cfg(unix)]
fn special_name(kind: cap_std::fs::FileType) -> &'static str {
    use cap_std::fs::FileTypeExt as _;
    match kind {
        kind if kind.is_dir() => "a folder",
        kind if kind.is_fifo() => "a pipe",
        kind if kind.is_socket() => "a socket",
        kind if kind.is_block_device() || kind.is_char_device() => "a device",
        _ => "something else",
    }
}

#[cfg(not(unix))]
fn special_name(kind: cap_std::fs::FileType) -> &'static str {
    if kind.is_dir() { "a folder" } else { "something else" }
}

fn read_error(path: &str, error: &std::io::Error) -> FolderError {
    let path = path.to_owned();
    if leads_out(error) {
        return FolderError::LinkOut { path };
    }
    if is_loop(error) {
        return FolderError::LinkLoop { path };
    }
    match error.kind() {
        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => FolderError::NotFound { path },
        _ if is_special(error) => FolderError::NotAFile { path, what: "a socket or device without its other end" },
        _ => FolderError::Unreadable { path, reason: reason(error) },
    }
}

/// Whether `cap-std` refused a path because it leaves the folder. It has no kind of its own for that, and the refusal of the system
/// (`EXDEV`) is turned into the same error by it; an error of the system carries a number, this one does not.
fn leads_out(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

#[cfg(unix)]
fn is_loop(error: &std::io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

#[cfg(not(unix))]
fn is_loop(_: &std::io::Error) -> bool {
    false
}

#[cfg(unix)]
fn is_special(error: &std::io::Error) -> bool {
    [rustix::io::Errno::NXIO, rustix::io::Errno::NODEV].iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

#[cfg(not(unix))]
fn is_special(_: &std::io::Error) -> bool {
    false
}

/// What the system said, in words and without its number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

fn warning(code: &str, path: &str, message: String) -> Problem {
    Problem::new(code, Severity::Warning, path, message)
}
