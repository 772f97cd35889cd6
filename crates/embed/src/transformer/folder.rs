//! The door to a model's folder: whole regular files of a bounded size, and errors that name the folder, the reason and the way on.
//!
//! Links are followed, because the hub's own cache consists of them; what they lead to must be a regular file.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::EmbedError;

/// The largest of the small files, in bytes. Real ones have less than ten thousand.
const MAX_SMALL: u64 = 1 << 20;

/// A model's folder.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// # Errors
    /// [`EmbedError::Unusable`] where it is no folder.
    pub(super) fn open(path: &Path) -> Result<Self, EmbedError> {
        let folder = Self { path: path.to_path_buf() };
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Ok(folder),
            Ok(_) => Err(folder.unusable("it is not a folder; name the folder that holds config.json, tokenizer.json and model.safetensors")),
            Err(error) => Err(folder.unusable(format!("the folder cannot be read ({error})"))),
        }
    }

    /// The name that its owner gave the model: the folder's, or in the hub's cache that of the repository.
    pub(super) fn name(&self) -> String {
        let real = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
        let name = |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        if name(real.parent()).as_deref() == Some("snapshots") {
            let repository = name(real.parent().and_then(Path::parent)).unwrap_or_default();
            return repository.trim_start_matches("models--").rsplit("--").next().unwrap_or_default().to_owned();
        }
        name(Some(&real)).unwrap_or_default()
    }

    pub(super) fn unusable(&self, reason: impl Into<String>) -> EmbedError {
        EmbedError::Unusable { model: self.path.display().to_string(), reason: reason.into() }
    }

    pub(super) fn has(&self, file: &str) -> bool {
        self.path.join(file).symlink_metadata().is_ok()
    }

    /// Opens a file; gives its length in bytes too. `None` where there is none.
    pub(super) fn file(&self, name: &str, limit_bytes: u64) -> Result<Option<(File, u64)>, EmbedError> {
        let path = self.path.join(name);
        // Asked before it is opened: opening a pipe waits for its writer.
        let found = match std::fs::metadata(&path) {
            Ok(found) => found,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !self.has(name) => return Ok(None),
            Err(error) => return Err(self.unusable(format!("{name} cannot be read ({error}); copy the file itself into the folder"))),
        };
        if !found.is_file() {
            return Err(self.unusable(format!("{name} is not a regular file; copy the file itself into the folder")));
        }
        if found.len() > limit_bytes {
            return Err(self.unusable(format!("{name} has {} bytes, and {limit_bytes} are the limit; is it the right file?", found.len())));
        }
        let file = File::open(&path).map_err(|error| self.unusable(format!("{name} cannot be read ({error})")))?;
        Ok(Some((file, found.len())))
    }

    /// All bytes of a file; `None` where there is none.
    pub(super) fn bytes(&self, name: &str, limit_bytes: u64) -> Result<Option<Vec<u8>>, EmbedError> {
        let Some((file, _)) = self.file(name, limit_bytes)? else { return Ok(None) };
        let mut bytes = Vec::new();
        // It may grow while it is read.
        let read = file.take(limit_bytes + 1).read_to_end(&mut bytes).map_err(|error| self.unusable(format!("{name} cannot be read ({error})")))?;
        if read as u64 > limit_bytes {
            return Err(self.unusable(format!("{name} has more than {limit_bytes} bytes, which is the limit; is it the right file?")));
        }
        Ok(Some(bytes))
    }

    /// A small file of JSON; `None` where there is none.
    pub(super) fn json<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, EmbedError> {
        let Some(bytes) = self.bytes(name, MAX_SMALL)? else { return Ok(None) };
        serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|error| self.unusable(format!("{name} is not what it should be: {}", shortened(&error.to_string()))))
    }

    /// What is wrong when a file that must be there is not.
    pub(super) fn missing(&self, name: &str) -> EmbedError {
        self.unusable(format!("{name} is missing; download all files of the model again, or check that this is its folder"))
    }
}

/// The start of a text that a file or library brought, without control characters.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).take(200).collect();
    if text.chars().nth(200).is_some() {
        short.push('…');
    }
    short.trim().to_owned()
}
