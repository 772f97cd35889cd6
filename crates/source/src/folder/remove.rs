//! Removing a file, with the folders that become empty by it.

use std::path::Path;

use super::{Folder, FolderError, read_error, reason, stored_path};

impl Folder {
    /// Removes the file at `path`, and the folders above it, below the root, that are empty then. A link is removed, not what it leads to.
    ///
    /// # Errors
    /// [`FolderError::NotFound`] when there is none; otherwise [`FolderError`] naming `path`.
    pub fn remove(&self, path: &str) -> Result<(), FolderError> {
        let dir = self.dir()?;
        let stored = stored_path(&dir, path)?;
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
