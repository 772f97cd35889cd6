//! Removing a file, with the folders that become empty by it.

use std::path::Path;

use document::Stamp;

use super::{Folder, FolderError, read_error, reason, stored_path, write};

impl Folder {
    /// Removes the file at `path`, and the folders above it, below the root, that are empty then. A link is removed, not what it leads to. With
    /// `if_version`, only while the file still has that stamp: it is compared under the lock of [`Folder::write_atomic`].
    ///
    /// # Errors
    /// [`FolderError::NotFound`] when there is none; [`FolderError::Conflict`] when the stamp differs; otherwise [`FolderError`] naming `path`.
    pub fn remove(&self, path: &str, if_version: Option<&Stamp>) -> Result<(), FolderError> {
        let dir = self.dir()?;
        let stored = stored_path(&dir, path)?;
        let _lock = match if_version {
            Some(expected) => {
                let parent = stored.parent().filter(|parent| *parent != Path::new("")).unwrap_or(Path::new("."));
                let lock = write::lock(&dir.open_dir(parent).map_err(|error| read_error(path, &error))?, path)?;
                self.compare(path, expected)?;
                lock
            }
            None => None,
        };
        dir.remove_file(&stored).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory => read_error(path, &error),
            _ => FolderError::Unwritable { path: path.to_owned(), reason: reason(&error) },
        })?;
        let mut above = stored.parent();
        while let Some(folder) = above.filter(|folder| *folder != Path::new("")) {
            // One that is not empty ends it.
            if dir.remove_dir(folder).is_err() {
                break;
            }
            above = folder.parent();
        }
        Ok(())
    }
}
