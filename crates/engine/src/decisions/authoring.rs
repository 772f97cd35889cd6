//! Writing decision records: drafts of a new record, another status, a succession. Each keeps every byte that it need not change; none writes.

mod create;
mod identity;
mod place;

pub use create::{NewRecord, create};

use std::sync::Arc;

use document::RelationKind;
use source::formats::decisions;
use source::formats::decisions::{Edit, EditError, Pointer, edit};
use store::RecordRow;

use super::ids;
use super::relations::Network;
use crate::library::Collection;
use crate::write::{Draft, FileDraft, writable};
use crate::{Desk, Error, ErrorKind, Library, Result};

/// Relations of others to one record that are looked at when a circle is looked for.
const MOST_ABOUT: i64 = 200;

/// A draft of another status for a record.
///
/// # Errors
/// No or more than one record of that name, a word that is no status, a form in which the status cannot be changed safely, or the status that it has.
pub async fn set_status(desk: &Desk, id: &str, status: &str) -> Result<Draft> {
    let row = record(desk, id).await?;
    writable(desk, row.collection_id)?;
    let word = status_word(desk, row.collection_id, status)?;
    let mut notes = Vec::new();
    if row.record.is_superseded() && desk.library.statuses(row.collection_id).is_current(&word) {
        notes.push("The record still says that another one takes its place, so it stays out of force.".to_owned());
    }
    let library = Arc::clone(&desk.library);
    off_thread(move || {
        let files = edited(&library, &row, &[Edit::Status { word: word.clone(), date: None }])?;
        let summary = format!("Set the status of {} \"{}\" from {} to {word}.", row.id, row.title, row.status);
        Ok(Draft { action: "set_record_status", target: row.uri, summary, files, notes })
    })
    .await
}

/// A draft that lets `new` take the place of `old`: both records say so afterwards, and `old` is superseded. With `is_partial` only a part is
/// superseded, and the status of `old` stays.
///
/// # Errors
/// No or more than one record of a name, one record twice, a succession that would run in a circle, a form in which it cannot be stated safely, or
/// both records saying so already.
pub async fn supersede(desk: &Desk, old: &str, new: &str, is_partial: bool) -> Result<Draft> {
    let (old, new) = (record(desk, old).await?, record(desk, new).await?);
    if old.document_id == new.document_id {
        return Err(Error::bad_input(format!("{} cannot take its own place.", old.id)).hint("Name two records."));
    }
    for row in [&old, &new] {
        writable(desk, row.collection_id)?;
    }
    if !is_partial && leads_to(desk, &new, &old).await? {
        let message = format!("{} already takes the place of {}: the succession would run in a circle.", old.id, new.id);
        return Err(Error::new(ErrorKind::Conflict, message).hint("Is it the other way round?"));
    }
    let library = Arc::clone(&desk.library);
    off_thread(move || {
        let new_place = absolute(&library, &new)?;
        let old_place = absolute(&library, &old)?;
        let supersedes = Edit::Relation { kind: RelationKind::Supersedes, is_partial, target: pointer(&old, &relative(&new_place, &old_place)) };
        let mut files = or_already(edited(&library, &new, &[supersedes]))?;
        let new_pointer = pointer(&new, "");
        files.extend(or_already(superseded(&library, &old, &new_pointer, &new_place, is_partial))?);
        if files.is_empty() {
            return Err(Error::new(ErrorKind::Conflict, format!("Both records already say that {} takes the place of {}.", new.id, old.id)));
        }
        let part = if is_partial { "a part of " } else { "" };
        let summary = format!("{} \"{}\" takes the place of {part}{} \"{}\".", new.id, new.title, old.id, old.title);
        Ok(Draft { action: "supersede_record", target: new.uri, summary, files, notes: Vec::new() })
    })
    .await
}

/// Whether the successors of `from` end at `to`.
async fn leads_to(desk: &Desk, from: &RecordRow, to: &RecordRow) -> Result<bool> {
    let mut network = Network::empty(desk, MOST_ABOUT);
    let at = network.look_at(desk, from.clone()).await?;
    let chain = network.chain(desk, at).await?;
    Ok(chain.ends.iter().any(|end| network.catalogue.card(*end).id == to.id))
}

/// A record that is there, without a section.
async fn record(desk: &Desk, id: &str) -> Result<RecordRow> {
    let (row, section) = ids::resolve(desk, id).await?;
    match section {
        None => Ok(row),
        Some(section) => {
            Err(Error::bad_input(format!("\"{id}\" names the section {section}, but a whole record is meant.")).hint(format!("Say {}.", row.id)))
        }
    }
}

/// A status word that the library knows; anything else would make the record's status unknown to everybody.
fn status_word(desk: &Desk, collection_id: i64, said: &str) -> Result<String> {
    let word = said.trim();
    let statuses = desk.library.statuses(collection_id);
    if let Some(known) = statuses.named(word) {
        return Ok(known);
    }
    if decisions::is_known_status(&word.to_lowercase()) && !word.contains(['\n', '\r']) {
        return Ok(word.to_lowercase());
    }
    let shown: String = word.chars().take(60).collect();
    Err(Error::bad_input(format!("\"{shown}\" is no status word."))
        .hint("Words are, for example: proposed, accepted, rejected, deprecated, superseded. Others can be declared as [[statuses]] in ibid.toml."))
}

/// The old side of a succession.
fn superseded(library: &Library, old: &RecordRow, new: &Pointer, new_place: &std::path::Path, is_partial: bool) -> Result<Vec<FileDraft>> {
    let target = Pointer { relative_path: relative(&absolute(library, old)?, new_place), ..new.clone() };
    let mut edits = vec![Edit::Relation { kind: RelationKind::SupersededBy, is_partial, target }];
    if !is_partial {
        edits.push(Edit::Status { word: "superseded".to_owned(), date: None });
    }
    edited(library, old, &edits)
}

/// The files of a record as edits would leave them.
fn edited(library: &Library, row: &RecordRow, edits: &[Edit]) -> Result<Vec<FileDraft>> {
    let collection = collection(library, row.collection_id)?;
    let files = identity::of(collection, &row.path)
        .ok_or_else(|| Error::new(ErrorKind::Conflict, format!("{} is no record any more.", row.path)).hint("Ask again."))?;
    let read = |path: &String| collection.folder.read(path).map_err(Error::from);
    let main = read(&files.main)?;
    let sidecars = files.sidecars.iter().map(read).collect::<Result<Vec<_>>>()?;
    let changed = edit(&files, &main, &sidecars, edits).map_err(|error| cannot_edit(&row.path, &error))?;
    let before = |path: &str| std::iter::once(&main).chain(&sidecars).find(|raw| raw.path == path).map(|raw| raw.bytes.clone());
    Ok(changed
        .into_iter()
        .map(|raw| FileDraft {
            collection_id: collection.id,
            collection: collection.config.name.clone(),
            before: before(&raw.path),
            path: raw.path,
            after: raw.bytes,
        })
        .collect())
}

/// That one side says so already is no failure while the other does not.
fn or_already(files: Result<Vec<FileDraft>>) -> Result<Vec<FileDraft>> {
    match files {
        Err(error) if error.message.ends_with(ALREADY) => Ok(Vec::new()),
        other => other,
    }
}

/// How the sentence about an edit that changes nothing ends.
const ALREADY: &str = "already says so.";

fn cannot_edit(path: &str, error: &EditError) -> Error {
    match error {
        EditError::AlreadySo { .. } => Error::new(ErrorKind::Conflict, format!("{path} {ALREADY}")),
        other => Error::new(ErrorKind::Conflict, other.to_string()),
    }
}

fn pointer(row: &RecordRow, relative_path: &str) -> Pointer {
    Pointer {
        id: row.id.clone(),
        reference: row.reference.clone(),
        number: row.number.clone(),
        title: row.title.clone(),
        relative_path: relative_path.to_owned(),
    }
}

fn collection(library: &Library, id: i64) -> Result<&Collection> {
    library.collections().iter().find(|collection| collection.id == id).ok_or_else(|| Error::new(ErrorKind::NotFound, "The collection is gone."))
}

fn absolute(library: &Library, row: &RecordRow) -> Result<std::path::PathBuf> {
    Ok(collection(library, row.collection_id)?.root.join(&row.path))
}

/// The way from one file to another, as a Markdown link writes it.
fn relative(from: &std::path::Path, to: &std::path::Path) -> String {
    let from: Vec<_> = from.parent().map(|folder| folder.components().collect()).unwrap_or_default();
    let to: Vec<_> = to.components().collect();
    let shared = from.iter().zip(&to).take_while(|(left, right)| left == right).count();
    let up = from.len() - shared;
    let down = to.get(shared..).unwrap_or_default().iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    std::iter::repeat_n("..".to_owned(), up).chain(down).collect::<Vec<_>>().join("/")
}

async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let failed = |error: tokio::task::JoinError| Error::new(ErrorKind::Unreachable, format!("Reading the files broke off: {error}."));
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}
