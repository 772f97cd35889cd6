//! The note of a write to several files: whoever finds one that was left behind finishes the write, so that no pair of records stays half done.

use std::path::PathBuf;

use document::Stamp;
use source::folder::FolderError;

use super::apply::{folder, write_one};
use super::draft::FileDraft;
use crate::state::{self, Lock};
use crate::{Library, Result};

/// A note that is in force.
pub(super) struct Journal {
    path: PathBuf,
}

/// The lock of all writes to a library's files.
pub(super) fn lock(library: &Library) -> Result<Lock> {
    Lock::take(&library.folder().join("write.lock"))
}

fn place(library: &Library) -> PathBuf {
    library.folder().join("unfinished-write")
}

impl Journal {
    /// Writes down what is about to be written. The lock is held.
    pub(super) fn begin(library: &Library, files: &[FileDraft]) -> Result<Self> {
        let path = place(library);
        state::replace(&path, &encode(files))?;
        Ok(Self { path })
    }

    /// The write is whole.
    pub(super) fn end(self) -> Result<()> {
        state::remove(&self.path)
    }
}

/// Finishes a write that a process left half done when it was killed. Consent was given for the whole of it. A file that somebody has changed since
/// is left alone, and so is what cannot be written now.
///
/// # Errors
/// The lock or the note cannot be taken.
pub(crate) fn finish(library: &Library) -> Result<()> {
    let path = place(library);
    if !path.exists() {
        return Ok(());
    }
    let _lock = lock(library)?;
    // Its writer may have finished while this one waited.
    let Some(bytes) = state::read(&path)? else { return Ok(()) };
    for file in decode(&bytes) {
        let Ok(folder) = folder(library, &file) else { continue };
        let now = match folder.read(&file.path) {
            Ok(raw) => Some(Stamp::of(&raw.bytes)),
            Err(FolderError::NotFound { .. }) => None,
            Err(_) => continue,
        };
        if now == Some(file.new_version()) {
            continue;
        }
        match write_one(library, &file) {
            Ok(()) => tracing::info!(path = file.path, "a write that was cut off is finished"),
            Err(error) => tracing::warn!(path = file.path, %error, "a write that was cut off cannot be finished"),
        }
    }
    Journal { path }.end()
}

/// Fields behind their lengths; a note that was not written to its end is empty.
fn encode(files: &[FileDraft]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut put = |part: &[u8]| {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    };
    for file in files {
        put(&file.collection_id.to_be_bytes());
        put(file.collection.as_bytes());
        put(file.path.as_bytes());
        put(&[u8::from(file.before.is_some())]);
        put(file.before.as_deref().unwrap_or_default());
        put(&file.after);
    }
    bytes
}

fn decode(mut bytes: &[u8]) -> Vec<FileDraft> {
    let mut files = Vec::new();
    while !bytes.is_empty() {
        let Some(file) = decode_one(&mut bytes) else { return Vec::new() };
        files.push(file);
    }
    files
}

fn decode_one(bytes: &mut &[u8]) -> Option<FileDraft> {
    let mut take = || -> Option<Vec<u8>> {
        let (length, rest) = bytes.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_be_bytes(*length)).ok()?;
        let (part, rest) = rest.split_at_checked(length)?;
        *bytes = rest;
        Some(part.to_vec())
    };
    let collection_id = i64::from_be_bytes(take()?.try_into().ok()?);
    let (collection, path) = (String::from_utf8(take()?).ok()?, String::from_utf8(take()?).ok()?);
    let was_there = take()? == [1];
    let (before, after) = (take()?, take()?);
    Some(FileDraft { collection_id, collection, path, before: was_there.then_some(before), after })
}

#[cfg(test)]
mod tests {
    use super::{FileDraft, decode, encode};

    #[test]
    fn a_note_reads_back_as_it_was_and_a_torn_one_is_nothing() {
        let file = |before: Option<&[u8]>| FileDraft {
            collection_id: 7,
            collection: "adr".into(),
            path: "a/ü.md".into(),
            before: before.map(<[u8]>::to_vec),
            after: vec![0, 255],
        };
        let files = vec![file(None), file(Some(b"")), file(Some(b"x\r\n"))];
        let bytes = encode(&files);
        assert_eq!(decode(&bytes), files);
        assert!((1..bytes.len()).filter(|end| decode(&bytes[..*end]).len() == files.len()).count() == 0);
    }
}
