//! Records as resources: pages of them in the order of their uris, ids that begin with what was typed, and whether a uri is served.

use document::{Kind, Scheme, Uri};
use store::DocumentRow;

use super::ids;
use crate::{Desk, Result};

/// A record in a listing of resources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceEntry {
    /// Its uri, encoded.
    pub uri: String,
    /// Reference, or id where it has no number.
    pub name: String,
    /// Its title.
    pub title: String,
    /// `<status>: <description>`; the status alone where it has no description.
    pub description: String,
    /// Size of its file's text in bytes.
    pub size_bytes: u64,
}

/// Ids that begin with what was typed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct IdCompletion {
    /// In the order of their uris.
    pub ids: Vec<String>,
    /// How many there are in all; `None` where they were too many to count.
    pub total: Option<usize>,
}

/// Ids that one completion looks at before it stops counting.
const COUNTED: usize = 2_000;

/// At most `limit` records strictly behind the uri `after`, each uri once, and whether there are more. Drafts are hidden.
///
/// # Errors
/// A store that cannot be read.
pub async fn resource_page(desk: &Desk, after: Option<&str>, limit: usize) -> Result<(Vec<ResourceEntry>, bool)> {
    let mut entries: Vec<ResourceEntry> = Vec::new();
    let mut after = after.map(str::to_owned);
    loop {
        let wanted = i64::try_from(limit - entries.len().min(limit) + 1).unwrap_or(i64::MAX);
        let rows = desk.library.store().document_page(Some(Kind::Decisions), after.as_deref(), wanted, true).await?;
        let Some(last) = rows.last() else { return Ok((entries, false)) };
        after = Some(last.uri.clone());
        for row in rows {
            // Two collections may hold one uri: it is one resource, and reading it says that it is ambiguous.
            if entries.last().is_some_and(|entry| entry.uri == row.uri) {
                continue;
            }
            if entries.len() == limit {
                return Ok((entries, true));
            }
            entries.push(entry(row));
        }
    }
}

fn entry(row: DocumentRow) -> ResourceEntry {
    let status = row.status.unwrap_or_else(|| document::UNKNOWN.to_owned());
    let description = if row.description.is_empty() { status } else { format!("{status}: {}", row.description) };
    ResourceEntry {
        name: row.reference.unwrap_or_else(|| id_of(&row.uri)),
        title: row.title,
        description,
        size_bytes: u64::try_from(row.size_bytes).unwrap_or_default(),
        uri: row.uri,
    }
}

fn id_of(uri: &str) -> String {
    Uri::parse(uri).map_or_else(|_| uri.to_owned(), |uri| uri.path().to_owned())
}

/// At most `limit` ids of records that begin with `typed`, and how many there are. Drafts are hidden.
///
/// # Errors
/// A store that cannot be read.
pub async fn complete_id(desk: &Desk, typed: &str, limit: usize) -> Result<IdCompletion> {
    let prefix = Uri::new(Scheme::Decision, typed.trim()).to_string();
    let mut found: Vec<String> = Vec::new();
    let exact = desk.library.store().documents_by_uri(&Uri::new(Scheme::Decision, typed.trim())).await?;
    if exact.iter().any(|stored| stored.document.record().is_some_and(|record| !record.is_draft)) {
        found.push(prefix.clone());
    }
    let mut after = prefix.clone();
    loop {
        let rows = desk.library.store().document_page(Some(Kind::Decisions), Some(&after), 500, true).await?;
        let is_last = rows.len() < 500 || rows.last().is_none_or(|row| !row.uri.starts_with(&prefix));
        after = rows.last().map_or(after, |row| row.uri.clone());
        found.extend(rows.into_iter().map(|row| row.uri).filter(|uri| uri.starts_with(&prefix)));
        found.dedup();
        if is_last || found.len() >= COUNTED {
            let total = is_last.then_some(found.len());
            return Ok(IdCompletion { ids: found.iter().take(limit).map(|uri| id_of(uri)).collect(), total });
        }
    }
}

/// Whether a uri names a record that is served.
pub async fn is_served(desk: &Desk, uri: &str) -> bool {
    ids::resolve(desk, uri).await.is_ok()
}
