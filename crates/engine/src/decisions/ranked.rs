//! Records by words: how many match, and a page of them, best first, each with the place where it matches.

use document::Kind;
use index::{Filter, Page, Query};
use store::RecordFilter;

use super::RecordSummary;
use crate::search::{self, Snippet};
use crate::{Desk, Result};

/// Where a record was found by words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// Uri of its document.
    pub uri: String,
    /// Stamp of its file's bytes.
    pub stamp: String,
    /// The words around the match. `None` where only its title, description, tags or people have them.
    pub snippet: Option<Snippet>,
}

/// How the words of one page were found.
enum Found {
    /// By the index: its best passage of each record.
    Words(Vec<index::Hit>),
    /// As a piece of the text.
    Piece(Vec<i64>),
}

/// The number of all records that words and filter mean, and those of one page, best first.
///
/// # Errors
/// A query that cannot be understood, or an index or store that cannot be read.
pub(super) async fn page(desk: &Desk, words: &str, filter: &RecordFilter, limit: usize, offset: usize) -> Result<(usize, Vec<RecordSummary>)> {
    let (total, found) = find(desk, words, filter, limit, offset).await?;
    let ids: Vec<i64> = match &found {
        Found::Words(hits) => hits.iter().map(|hit| hit.document_id).collect(),
        Found::Piece(ids) => ids.clone(),
    };
    let store = desk.library.store();
    let (rows, documents) = (store.record_rows(&ids).await?, store.documents(&ids).await?);
    let mut records = Vec::new();
    for (number, id) in ids.iter().enumerate() {
        let Some(row) = rows.iter().find(|row| row.document_id == *id) else { continue };
        let document = documents.iter().find(|stored| stored.id == *id).map(|stored| &stored.document);
        let snippet = document.and_then(|document| match &found {
            Found::Words(hits) => hits.get(number).and_then(|hit| search::by_terms(document, hit.span, &hit.terms)),
            Found::Piece(_) => search::by_piece(document, words),
        });
        let matched = Match { uri: row.uri.clone(), stamp: row.stamp.clone(), snippet };
        records.push(RecordSummary { matched: Some(matched), ..RecordSummary::of(row.clone(), &desk.library) });
    }
    Ok((total, records))
}

async fn find(desk: &Desk, words: &str, filter: &RecordFilter, limit: usize, offset: usize) -> Result<(usize, Found)> {
    let query = Query::parse(words).map_err(search::bad_query)?;
    let (index, store) = (desk.library.index(), desk.library.store());
    let index_filter = Filter {
        kinds: vec![Kind::Decisions],
        project: filter.project.clone(),
        record_type: filter.record_type.clone(),
        status: filter.status.clone(),
        tag: filter.tag.clone(),
        statuses: filter.statuses.clone(),
        document_ids: filter.document_ids.clone(),
        ..Filter::default()
    };
    let matching: Vec<i64> =
        if query.is_empty() { Vec::new() } else { index.matching_documents(&query, &index_filter)?.into_iter().map(|(id, _)| id).collect() };
    // People, dates, fields, problems and relations are the store's business; it also drops drafts.
    let allowed = if matching.is_empty() {
        Vec::new()
    } else {
        store.record_ids(&RecordFilter { document_ids: Some(matching.clone()), ..filter.clone() }).await?
    };
    if allowed.is_empty() {
        // The seed's search is by substring: a part of a word, or signs that no word has, must not find nothing where the text holds them.
        let containing = store.records_containing(filter, words).await?;
        return Ok((containing.len(), Found::Piece(containing.into_iter().skip(offset).take(limit).collect())));
    }
    let total = allowed.len();
    let narrowed = if total == matching.len() { index_filter } else { Filter { document_ids: Some(allowed), ..index_filter } };
    let hits = index.search(&query, &narrowed, Page { limit, offset, per_document: 1 })?.hits;
    Ok((total, Found::Words(hits)))
}
