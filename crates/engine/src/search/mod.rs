//! Search over all kinds, and reading one document by its name: the pair `search` and `fetch`.

mod cursor;
mod fetch;
mod quote;
mod snippet;

use document::{Citation, Document, Kind};
use index::{Filter, Found, Index, Page, Query, QueryError};
use store::RecordFilter;

pub use fetch::{FetchQuery, Fetched, fetch, stretch};
pub use quote::centred;
pub use snippet::Snippet;
pub(crate) use snippet::{by_piece, by_terms};

use crate::{Desk, Error, Result, cite};

/// What to search for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchQuery {
    /// Words; quotes, `-not`, `prefix*`, `OR` and `field:value` are understood.
    pub query: String,
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only this collection.
    pub collection: Option<String>,
    /// Only this project.
    pub project: Option<String>,
    /// Only this record type.
    pub record_type: Option<String>,
    /// Only this status.
    pub status: Option<String>,
    /// Only with this tag.
    pub tag: Option<String>,
    /// Only records in force.
    pub current_only: bool,
    /// 1 to 50, 10 by default.
    pub limit: Option<i64>,
    /// Where an earlier answer said to go on.
    pub cursor: Option<String>,
}

/// A ranked passage.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Where the quote stands.
    pub citation: Citation,
    /// Verbatim text at exactly that place.
    pub quote: String,
    /// Its collection.
    pub collection: String,
    /// Its kind.
    pub kind: Kind,
    /// Status word, for records.
    pub status: Option<String>,
    /// Whether it is in force, for records.
    pub is_current: Option<bool>,
    /// Higher is better; comparable within one answer only.
    pub score: f32,
}

/// Ranked passages, and how they were found.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// Best first.
    pub hits: Vec<Hit>,
    /// Where to go on, when there is more.
    pub next_cursor: Option<String>,
    /// Why nothing could be looked for, when the query holds nothing searchable; or what was given up of it.
    pub note: Option<String>,
    /// Why the ranking rests on words alone.
    pub no_meaning_reason: &'static str,
}

/// The most hits that a page may hold.
const MOST: i64 = 50;

/// At most this many passages of one document in a page, so that one long document does not fill it.
const PER_DOCUMENT: usize = 2;

/// What is said when a quoted sentence was given up.
const NO_SUCH_SENTENCE: &str = "No text has the quoted words one after the other as written; these are found by the words alone.";

/// A query that cannot be understood, as an error that names the part.
pub(crate) fn bad_query(error: QueryError) -> Error {
    Error::bad_input(error.to_string()).hint("Put quotes around text that is to be taken literally.")
}

/// Ranked passages that fit.
///
/// # Errors
/// A limit, cursor, collection or filter that cannot be used, or an index that cannot be read.
pub async fn search(desk: &Desk, said: &SearchQuery) -> Result<SearchAnswer> {
    let limit = said.limit.unwrap_or(10);
    if !(1..=MOST).contains(&limit) {
        return Err(Error::bad_input(format!("limit is {limit}, but must be from 1 to {MOST}.")).hint("Use cursor to page on."));
    }
    if said.query.trim().is_empty() {
        return Err(Error::bad_input("query is empty.").hint("Write some words. search_records without a query lists records, newest first."));
    }
    let fingerprint = fingerprint(said);
    let offset = offset(said, &fingerprint)?;
    let library = &desk.library;
    let query = Query::parse(&said.query).map_err(bad_query)?;
    let embed::Availability::Unavailable { reason: no_meaning_reason } = embed::availability();
    if let Some(reason) = query.empty_reason() {
        let note = format!("\"{}\" finds nothing: {reason}.", said.query.trim());
        return Ok(SearchAnswer { hits: Vec::new(), next_cursor: None, note: Some(note), no_meaning_reason });
    }
    let filter = Filter {
        kinds: said.kind.into_iter().collect(),
        collection_ids: collection_ids(desk, said.collection.as_deref(), &query)?,
        project: said.project.clone(),
        record_type: said.record_type.clone(),
        status: said.status.clone(),
        tag: said.tag.clone(),
        statuses: said.current_only.then(|| library.in_force().words),
        excluded_document_ids: if said.current_only { out_of_force(desk).await? } else { Vec::new() },
        ..Filter::default()
    };
    let page = Page { limit: usize::try_from(limit).unwrap_or_default(), offset, per_document: PER_DOCUMENT };
    let (found, note) = ranked(library.index(), &query, &filter, page)?;
    let mut ids: Vec<i64> = found.hits.iter().map(|hit| hit.document_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let documents = library.store().documents(&ids).await?;
    let hits: Vec<Hit> = found
        .hits
        .iter()
        .filter_map(|hit| {
            let stored = documents.iter().find(|stored| stored.id == hit.document_id)?;
            Some(hit_of(desk, &stored.document, stored.collection_id, hit))
        })
        .collect();
    let next_cursor = found.has_more.then(|| cursor::write(offset + found.hits.len(), &fingerprint));
    Ok(SearchAnswer { hits, next_cursor, note, no_meaning_reason })
}

/// What the index finds; where no text has the quoted sentences of the query word for word, what their words find, and a note that says so. Whether it is so
/// does not depend on the page.
///
/// # Errors
/// A date of the filter is none, or an index that cannot be read.
pub fn ranked(index: &Index, query: &Query, filter: &Filter, page: Page) -> Result<(Found, Option<String>)> {
    let found = index.search(query, filter, page)?;
    let Some(loosened) = query.with_sentences_as_words().filter(|_| found.hits.is_empty()) else { return Ok((found, None)) };
    if page.offset > 0 && !index.search(query, filter, Page { limit: 1, offset: 0, ..page })?.hits.is_empty() {
        return Ok((found, None));
    }
    let found = index.search(&loosened, filter, page)?;
    let note = (!found.hits.is_empty()).then(|| NO_SUCH_SENTENCE.to_owned());
    Ok((found, note))
}

/// Cursors that go on behind the first, second… hit of the page that `said` asks for: for faces that show fewer hits than they asked for.
///
/// # Errors
/// `said` holds a cursor that cannot be used.
pub fn cursors(said: &SearchQuery, count: usize) -> Result<Vec<String>> {
    let fingerprint = fingerprint(said);
    let offset = offset(said, &fingerprint)?;
    Ok((1..=count).map(|further| cursor::write(offset + further, &fingerprint)).collect())
}

/// What makes two questions the same one. The limit does not: a page may be read on with another size.
fn fingerprint(said: &SearchQuery) -> String {
    format!("{:?}", SearchQuery { cursor: None, limit: None, ..said.clone() })
}

fn offset(said: &SearchQuery, fingerprint: &str) -> Result<usize> {
    Ok(said.cursor.as_deref().map(|cursor| cursor::read(cursor, fingerprint)).transpose()?.unwrap_or(0))
}

/// Documents that are out of force although the index takes their status for one that is in force: another record takes their place, or the status
/// counts in other collections only. Few.
async fn out_of_force(desk: &Desk) -> Result<Vec<i64>> {
    let store = desk.library.store();
    let in_force = desk.library.in_force();
    let filter = RecordFilter { statuses: Some(in_force.words), is_superseded: Some(true), ..RecordFilter::default() };
    let mut ids = store.record_ids(&filter).await?;
    if let Some(groups) = in_force.by_collection {
        let seeming = store.record_ids(&RecordFilter { is_superseded: Some(false), ..filter.clone() }).await?;
        let real = store.record_ids(&RecordFilter { is_superseded: Some(false), statuses_of: Some(groups), ..filter }).await?;
        let real: std::collections::HashSet<i64> = real.into_iter().collect();
        ids.extend(seeming.into_iter().filter(|id| !real.contains(id)));
    }
    Ok(ids)
}

/// The collections that argument and query confine the search to; empty means all.
fn collection_ids(desk: &Desk, argument: Option<&str>, query: &Query) -> Result<Vec<i64>> {
    let library = &desk.library;
    let named = |names: &[String]| names.iter().map(|name| library.collection_id(name)).collect::<Result<Vec<i64>>>();
    let (wanted, excluded) = (named(query.collections())?, named(query.excluded_collections())?);
    let argument = argument.map(|name| library.collection_id(name)).transpose()?;
    if wanted.is_empty() && excluded.is_empty() && argument.is_none() {
        return Ok(Vec::new());
    }
    let all = library.collections().iter().map(|collection| collection.id);
    let ids: Vec<i64> = all
        .filter(|id| (wanted.is_empty() || wanted.contains(id)) && !excluded.contains(id) && argument.is_none_or(|argument| argument == *id))
        .collect();
    if ids.is_empty() { Err(Error::bad_input("The collection filters leave no collection to search.")) } else { Ok(ids) }
}

fn hit_of(desk: &Desk, document: &Document, collection_id: i64, hit: &index::Hit) -> Hit {
    let span = centred(&document.text, hit.span, &hit.terms);
    Hit {
        citation: cite(document, span),
        quote: span.of(&document.text).to_owned(),
        collection: desk.library.collection_name(collection_id).to_owned(),
        kind: document.kind,
        status: document.record().map(|record| record.status.word.clone()),
        is_current: document.record().map(|record| desk.library.statuses(collection_id).is_in_force(record)),
        score: hit.score,
    }
}
