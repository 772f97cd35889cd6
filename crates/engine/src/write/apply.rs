//! Applying a draft: the stamps once more, every file or none, a line in the operations log, and the library brought up to date.

use std::sync::Arc;

use document::Stamp;
use source::folder::FolderError;
use store::Operation;

use super::draft::{Draft, FileDraft, writable};
use super::journal::Journal;
use crate::{Desk, Error, ErrorKind, Library, Result};

/// Who said yes. Made only by those who asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The configuration: `consent.<tool> = "always"`.
    Standing,
    /// A person, asked through the client.
    Asked,
    /// The caller said `confirm: true` for a client that cannot ask.
    Confirmed,
    /// A person at the keyboard.
    Shell,
}

impl Permission {
    const fn word(self) -> &'static str {
        match self {
            Self::Standing => "consent: standing",
            Self::Asked => "consent: a person was asked",
            Self::Confirmed => "consent: confirm",
            Self::Shell => "consent: shell",
        }
    }
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Collection, path and new stamp of each file.
    pub files: Vec<(String, String, Stamp)>,
}

/// Writes all files of a draft, or none. A file that changed since it was read is a conflict, and the others stay or get back what they were.
///
/// # Errors
/// A caller who may not write, a copy of what lies elsewhere, a file that changed, or one that cannot be written.
pub async fn apply(desk: &Desk, draft: &Draft, permission: Permission) -> Result<Applied> {
    may_write(desk, draft).await?;
    for file in &draft.files {
        writable(desk, file.collection_id)?;
    }
    let (library, files) = (Arc::clone(&desk.library), draft.files.clone());
    let written = tokio::task::spawn_blocking(move || write_all(&library, &files)).await;
    let written = written.map_err(|error| Error::new(ErrorKind::Unreachable, format!("The write broke off: {error}.")))?;
    let detail: Vec<String> = draft.files.iter().map(|file| format!("{}/{} {}", file.collection, file.path, file.new_version())).collect();
    let (outcome, detail) = match &written {
        Ok(()) => ("done", format!("{}; {}", permission.word(), detail.join(", "))),
        Err(error) => ("failed", error.to_string()),
    };
    log(desk, draft, outcome, detail).await?;
    written?;
    // The next answer has it in any case; this one's caller sees problems of the new text at once.
    desk.library.freshen().await;
    Ok(Applied { files: draft.files.iter().map(|file| (file.collection.clone(), file.path.clone(), file.new_version())).collect() })
}

/// Writes down that a draft was not applied, and gives the error that says so.
///
/// # Errors
/// The store cannot be written.
pub async fn refuse(desk: &Desk, draft: &Draft, reason: &str) -> Result<Error> {
    log(desk, draft, "refused", reason.to_owned()).await?;
    Ok(Error::new(ErrorKind::Refused, reason.to_owned()))
}

async fn may_write(desk: &Desk, draft: &Draft) -> Result<()> {
    if desk.caller.is_owner {
        return Ok(());
    }
    let reason = format!("The token \"{}\" may read, but not write.", desk.caller.name);
    Err(refuse(desk, draft, &reason).await?.hint("The owner may: over stdio, from the shell, or with the owner's token."))
}

async fn log(desk: &Desk, draft: &Draft, outcome: &str, detail: String) -> Result<()> {
    let operation = Operation {
        time_ms: desk.library.clock().now_ms(),
        principal: desk.caller.name.clone(),
        action: draft.action.to_owned(),
        target: draft.target.clone(),
        outcome: outcome.to_owned(),
        detail: Some(detail),
    };
    Ok(desk.library.store().log_operation(&operation).await?)
}

/// Under a lock that every ibid of this library takes: first all stamps, then a note of what is about to happen, then the files one by one.
fn write_all(library: &Library, files: &[FileDraft]) -> Result<()> {
    let _lock = super::journal::lock(library)?;
    for file in files {
        let folder = folder(library, file)?;
        let now = match folder.read(&file.path) {
            Ok(raw) => Some(Stamp::of(&raw.bytes)),
            Err(FolderError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        if now != file.version() {
            return Err(conflict(file, now.as_ref()));
        }
    }
    let journal = if files.len() > 1 { Some(Journal::begin(library, files)?) } else { None };
    for (number, file) in files.iter().enumerate() {
        if let Err(error) = write_one(library, file) {
            undo(library, files.get(..number).unwrap_or_default());
            if let Some(journal) = journal {
                journal.end()?;
            }
            return Err(error);
        }
    }
    journal.map_or(Ok(()), Journal::end)
}

pub(super) fn write_one(library: &Library, file: &FileDraft) -> Result<()> {
    let folder = folder(library, file)?;
    let written = match file.version() {
        Some(version) => folder.write_atomic(&file.path, &file.after, Some(&version)),
        None => folder.create(&file.path, &file.after),
    };
    match written {
        Ok(_) => Ok(()),
        Err(FolderError::Conflict { found, .. }) => Err(conflict(file, found.as_ref())),
        Err(FolderError::Exists { .. }) => {
            let message = format!("{} is there already.", file.path);
            Err(Error::new(ErrorKind::Conflict, message).hint("Ask for the preview again: it takes the next free name."))
        }
        Err(error) => Err(error.into()),
    }
}

/// Gives files back what they were, as long as nobody else has touched them meanwhile.
fn undo(library: &Library, files: &[FileDraft]) {
    for file in files.iter().rev() {
        let Ok(folder) = folder(library, file) else { continue };
        let undone = match &file.before {
            Some(before) => folder.write_atomic(&file.path, before, Some(&file.new_version())).map(|_| ()),
            None => folder.remove(&file.path, Some(&file.new_version())),
        };
        if let Err(error) = undone {
            tracing::warn!(path = file.path, %error, "a file keeps a change that was to be taken back");
        }
    }
}

pub(super) fn folder<'a>(library: &'a Library, file: &FileDraft) -> Result<&'a source::folder::Folder> {
    let collection = library.collections().iter().find(|collection| collection.id == file.collection_id);
    collection.map(|collection| &collection.folder).ok_or_else(|| Error::new(ErrorKind::NotFound, "The collection is gone."))
}

fn conflict(file: &FileDraft, found: Option<&Stamp>) -> Error {
    let now = found.map_or_else(|| "is gone".to_owned(), |stamp| format!("now has {stamp}"));
    Error::new(ErrorKind::Conflict, format!("{} changed since it was read: it {now}. Nothing was written.", file.path))
        .hint("Ask for the preview again and look at it.")
}
