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
