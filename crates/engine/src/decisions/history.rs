//! Who changed a record's status, and when, by the git history of its files.

use std::collections::HashMap;
use std::sync::Arc;

use document::Document;
use source::RawFile;
use source::formats::decisions::{self, RecordFiles};
use source::git::{FileVersion, History};
use store::RecordRow;

use crate::library::Collection;
use crate::{Desk, Error, ErrorKind, Result};

/// Versions of a record that are looked at, newest first.
const VERSIONS: usize = 500;

/// The largest version of a file that is read, in bytes.
const VERSION_BYTES: u64 = 4 * 1024 * 1024;

/// The statuses that a record had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusHistory {
    /// Oldest first; the first is how the record began.
    pub changes: Vec<StatusChange>,
    /// Whether its files now differ from the last commit.
    pub is_uncommitted: bool,
    /// Why nothing or not all is known.
    pub note: Option<String>,
}

/// A commit after which a record had another status.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusChange {
    /// The status word from then on.
    pub status: String,
    /// When it was committed, in milliseconds since 1970.
    pub time_ms: i64,
    /// Who wrote the change.
    pub author: String,
    /// The commit.
    pub commit: String,
    /// First line of its message.
    pub subject: String,
    /// The record's file as it was called then.
    pub path: String,
}

/// The status history of a record. A record that is not under git has none, and the note says so.
///
/// # Errors
/// A history that cannot be read.
pub async fn history(desk: &Desk, row: &RecordRow) -> Result<StatusHistory> {
    let (library, row) = (Arc::clone(&desk.library), row.clone());
    let work = tokio::task::spawn_blocking(move || {
        let collection = library.collections().iter().find(|collection| collection.id == row.collection_id);
        collection.map_or_else(|| Ok(unknown("Its collection is gone.")), |collection| of_record(collection, &row))
    });
    work.await.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Reading the history broke off: {error}.")))?
}

fn unknown(reason: &str) -> StatusHistory {
    StatusHistory { changes: Vec::new(), is_uncommitted: false, note: Some(reason.to_owned()) }
}

fn of_record(collection: &Collection, row: &RecordRow) -> Result<StatusHistory> {
    if collection.remote.as_ref().is_some_and(|remote| remote.is_site()) {
        return Ok(unknown("A published site has no history."));
    }
    let Some(history) = History::of(&collection.root)? else {
        return Ok(unknown("The collection is not under git."));
    };
    let listing = collection.folder.list();
    let paths: Vec<&str> = listing.files.iter().map(|entry| entry.path.as_str()).collect();
    let records = decisions::record_files(&collection.config.name, &paths);
    let Some(files) = records.into_iter().find(|files| files.main == row.path) else {
        return Ok(unknown("Its file is gone."));
    };
    let mut versions = Vec::new();
    for path in std::iter::once(&files.main).chain(&files.sidecars) {
        versions.push(history.versions(path)?);
    }
    if versions.iter().all(Vec::is_empty) {
        return Ok(StatusHistory { is_uncommitted: true, ..unknown("It was never committed.") });
    }
    let mut is_uncommitted = false;
    for path in std::iter::once(&files.main).chain(&files.sidecars) {
        is_uncommitted |= !history.is_clean(path)?;
    }
    let is_cut = versions.iter().any(|versions| versions.len() > VERSIONS);
    versions.iter_mut().for_each(|versions| versions.truncate(VERSIONS));
    let changes = changes(&history, &files, &versions)?;
    let note = is_cut.then(|| format!("Only its newest {VERSIONS} versions were looked at."));
    Ok(StatusHistory { changes, is_uncommitted, note })
}

/// Reads the record as each commit left it, oldest first, and keeps the commits after which its status was another.
fn changes(history: &History, files: &RecordFiles, versions: &[Vec<FileVersion>]) -> Result<Vec<StatusChange>> {
    let ids: Vec<_> = versions.iter().flatten().map(|version| version.object_id.clone()).collect();
    let texts = history.read(&ids, VERSION_BYTES)?;
    let mut texts: HashMap<_, _> = ids.into_iter().zip(texts).collect();
    // Commits of several files may be one; the order of time is that of the first-parent line.
    let mut steps: Vec<(usize, &FileVersion)> = Vec::new();
    for (file, versions) in versions.iter().enumerate() {
        steps.extend(versions.iter().rev().map(|version| (file, version)));
    }
    steps.sort_by_key(|(_, version)| version.time_ms);
    let mut now: Vec<Option<RawFile>> = vec![None; versions.len()];
    let mut changes: Vec<StatusChange> = Vec::new();
    for (index, (file, version)) in steps.iter().enumerate() {
        let bytes = texts.remove(&version.object_id).flatten();
        let path = if *file == 0 { &files.main } else { files.sidecars.get(*file - 1).unwrap_or(&files.main) };
        if let Some(slot) = now.get_mut(*file) {
            // The same text may come twice, when a change was taken back; it was moved out of the map then.
            let bytes = match bytes {
                Some(bytes) => bytes,
                None => history.read(std::slice::from_ref(&version.object_id), VERSION_BYTES)?.pop().flatten().unwrap_or_default(),
            };
            *slot = Some(RawFile { path: path.clone(), bytes });
        }
        let is_last_of_commit = steps.get(index + 1).is_none_or(|(_, next)| next.commit != version.commit);
        let Some(Some(main)) = now.first().filter(|_| is_last_of_commit) else { continue };
        let sidecars: Vec<RawFile> = now.iter().skip(1).flatten().cloned().collect();
        let parsed = decisions::read(files, main, &sidecars);
        let Some(status) = parsed.documents.first().and_then(status_word) else { continue };
        if changes.last().is_none_or(|last| last.status != status) {
            changes.push(StatusChange {
                status,
                time_ms: version.time_ms,
                author: version.author.clone(),
                commit: version.commit.to_string(),
                subject: version.subject.clone(),
                path: version.path.clone(),
            });
        }
    }
    Ok(changes)
}

fn status_word(document: &Document) -> Option<String> {
    document.record().map(|record| record.status.word.clone())
}
