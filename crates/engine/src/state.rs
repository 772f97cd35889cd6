//! The state folder: where ibid keeps what is its own (store, index, watch cookies, tokens), never inside a user's library.

use std::path::{Path, PathBuf};

use document::Stamp;

use crate::{Error, ErrorKind, Result};

/// A folder of ibid's own, `$IBID_STATE_DIR`, else `$XDG_STATE_HOME/ibid`, else `~/.local/state/ibid`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateFolder {
    root: PathBuf,
}

impl StateFolder {
    /// The state folder at `root`, created with owner-only permissions.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn at(root: &Path) -> Result<Self> {
        create_private(root)?;
        Ok(Self { root: root.to_path_buf() })
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of the library that `key` names (the configuration file's path, or the list of served paths), created.
    ///
    /// # Errors
    /// The folder cannot be created.
    pub fn library(&self, key: &str) -> Result<PathBuf> {
        let digest = Stamp::of(key.as_bytes());
        let folder = self.root.join("libraries").join(&digest.as_str()["sha256:".len()..][..16]);
        create_private(&folder)?;
        Ok(folder)
    }
}

/// Creates a folder that only its owner can enter.
pub(crate) fn create_private(folder: &Path) -> Result<()> {
    let fail = |error: std::io::Error| {
        Error::new(ErrorKind::Unreachable, format!("The folder {} cannot be created: {error}.", folder.display()))
            .hint("Set IBID_STATE_DIR to a folder that you may write.")
    };
    std::fs::create_dir_all(folder).map_err(fail)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).map_err(fail)?;
    }
    Ok(())
}

/// Writes a file that only its owner can read, in one step.
pub(crate) fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.set_permissions(std::fs::Permissions::from_mode(0o600))?;
    }
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Puts bytes in the place of a file of ibid's own, whole or not at all, and on the disk before it returns.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let temporary = path.with_extension("new");
    let written =
        std::fs::write(&temporary, bytes).and_then(|()| std::fs::File::open(&temporary)?.sync_all()).and_then(|()| std::fs::rename(&temporary, path));
    written.map_err(|error| unwritable(path, &error))
}

/// The bytes of a file of ibid's own; `None` where there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::new(ErrorKind::Unreachable, format!("{} cannot be read: {error}.", path.display()))),
    }
}

/// Removes a file of ibid's own, if it is there.
pub(crate) fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(unwritable(path, &error)),
        _ => Ok(()),
    }
}

/// Makes a folder of ibid's own with all above it.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|error| unwritable(path, &error))
}

/// Fills a folder of ibid's own, and gives it its name when it is whole. One that is there already is left as it is.
pub(crate) fn fill_folder(path: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let unfinished = path.with_extension("unfinished");
    if unfinished.exists() {
        std::fs::remove_dir_all(&unfinished).map_err(|error| unwritable(&unfinished, &error))?;
    }
    make_folder(&unfinished)?;
    fill(&unfinished)?;
    std::fs::rename(&unfinished, path).map_err(|error| unwritable(path, &error))
}

/// Of the folders beside `current` that hold a file `mark`, keeps the `kept` whose mark is newest; `current` stays in any case.
pub(crate) fn clear_away(current: &Path, mark: &str, kept: usize) {
    let Some(all) = current.parent().and_then(|all| std::fs::read_dir(all).ok()) else { return };
    let mut marked: Vec<(std::time::SystemTime, PathBuf)> = all
        .flatten()
        .filter_map(|entry| Some((std::fs::metadata(entry.path().join(mark)).ok()?.modified().ok()?, entry.path())))
        .filter(|(_, path)| path != current)
        .collect();
    marked.sort();
    for (_, path) in marked.iter().rev().skip(kept.saturating_sub(1)) {
        if let Err(error) = std::fs::remove_dir_all(path) {
            tracing::warn!(path = %path.display(), %error, "a folder that is not needed any more cannot be removed");
        }
    }
}

/// A lock between processes, released when it is dropped, and by the kernel when its process dies. Blocks the thread.
pub(crate) struct Lock(#[expect(dead_code, reason = "held, not read")] std::fs::File);

impl Lock {
    /// Waits for the lock at `path`.
    pub(crate) fn take(path: &Path) -> Result<Self> {
        let file = std::fs::File::options().create(true).truncate(false).write(true).open(path);
        let taken = file.and_then(|file| fs4::FileExt::lock(&file).map(|()| file));
        taken.map(Self).map_err(|error| Error::new(ErrorKind::Unreachable, format!("The lock {} cannot be taken: {error}.", path.display())))
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Unreachable, format!("{} cannot be written: {error}.", path.display()))
}
