//! Listings: records by filter and by words, projects, tags and authors.

use document::Value;
use index::{Filter, Query};
use store::{Label, RecordFilter, RecordRow};

use super::Statuses;
use super::fields::custom_fields;
use crate::{Desk, Error, Result, search};

/// What to search for. All of it is optional.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordQuery {
    /// Only records of this project.
    pub project: Option<String>,
    /// Only records of this type.
    pub record_type: Option<String>,
    /// Only records of this status.
    pub status: Option<String>,
    /// Only records with this tag.
    pub tag: Option<String>,
    /// Only records by this author.
    pub author: Option<String>,
    /// `name=value` over custom metadata.
    pub field: Option<String>,
    /// Words, ranked; newest first where there are none.
    pub query: Option<String>,
    /// Only records that are in force.
    pub current_only: bool,
    /// 1 to 200, 20 by default.
    pub limit: Option<i64>,
    /// From 0.
    pub offset: Option<i64>,
}

/// A record in a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordSummary {
    /// Full id.
    pub id: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    pub reference: Option<String>,
    /// Title.
    pub title: String,
    /// Status word, `unknown` where none can be read.
    pub status: String,
    /// Whether it is in force.
    pub is_current: bool,
    /// Date as exact as the source is.
    pub date: Option<String>,
    /// Project.
    pub project: String,
    /// Type.
    pub record_type: String,
    /// Tags.
    pub tags: Vec<String>,
    /// A sentence about it, empty where it has none.
    pub description: String,
    /// Custom metadata.
    pub fields: Vec<(String, Value)>,
}

impl RecordSummary {
    pub(super) fn of(row: RecordRow, statuses: &Statuses) -> Self {
        Self {
            is_current: statuses.is_in_force(&row.record),
            fields: custom_fields(&row.record),
            id: row.id,
            reference: row.reference,
            title: row.title,
            status: row.status,
            date: row.date,
            project: row.project,
            record_type: row.record_type,
            tags: row.tags,
            description: row.description,
        }
    }
}

/// A page of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordPage {
    /// How many records match in all.
    pub total: i64,
    /// First of this page, from 0.
    pub offset: i64,
    /// Most that this page may hold.
    pub limit: i64,
    /// The records.
    pub records: Vec<RecordSummary>,
}

/// A project of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its id: the first part of its records' ids.
    pub id: String,
    /// Its name; the id where no `_project.yml` names it.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// Who owns it.
    pub owners: Vec<String>,
    /// How many records it has.
    pub records: i64,
}

/// A name and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count {
    /// The name as first written.
    pub name: String,
    /// In how many documents.
    pub count: i64,
}

/// An author and how many records are theirs.
pub type Author = Count;

/// The most records that a page may hold.
const MOST: i64 = 200;

/// Records that match, newest first; ranked where words are given.
///
/// # Errors
/// A limit, offset, field or query that cannot be used, or a store that cannot be read.
pub async fn search_records(desk: &Desk, query: &RecordQuery) -> Result<RecordPage> {
    let limit = query.limit.unwrap_or(20);
    if !(1..=MOST).contains(&limit) {
        return Err(Error::bad_input(format!("limit is {limit}, but must be from 1 to {MOST}.")).hint("Use offset to page on."));
    }
    let offset = query.offset.unwrap_or(0);
    if offset < 0 {
        return Err(Error::bad_input(format!("offset is {offset}, but must be 0 or more.")));
    }
    let statuses = &desk.library.config().statuses;
    let filter = RecordFilter {
        project: query.project.clone(),
        record_type: query.record_type.clone(),
        status: query.status.clone(),
        tag: query.tag.clone(),
        author: query.author.clone(),
        field: query.field.as_deref().map(field).transpose()?,
        statuses: query.current_only.then(|| statuses.current()),
        is_superseded: query.current_only.then_some(false),
        ..RecordFilter::default()
    };
    let words = query.query.as_deref().map(str::trim).filter(|words| !words.is_empty());
    let Some(words) = words else {
        let page = desk.library.store().records(&filter, limit, offset).await?;
        return Ok(RecordPage {
            total: page.total,
            offset,
            limit,
            records: page.records.into_iter().map(|row| RecordSummary::of(row, statuses)).collect(),
        });
    };
    let ranked = ranked(desk, words, &filter).await?;
    let total = i64::try_from(ranked.len()).unwrap_or(i64::MAX);
    let page: Vec<i64> =
        ranked.into_iter().skip(usize::try_from(offset).unwrap_or(usize::MAX)).take(usize::try_from(limit).unwrap_or_default()).collect();
    let rows = desk.library.store().record_rows(&page).await?;
    let records =
        page.iter().filter_map(|id| rows.iter().find(|row| row.document_id == *id)).cloned().map(|row| RecordSummary::of(row, statuses)).collect();
    Ok(RecordPage { total, offset, limit, records })
}

/// Document ids of all records that match words and filter, best first.
async fn ranked(desk: &Desk, words: &str, filter: &RecordFilter) -> Result<Vec<i64>> {
    let query = Query::parse(words).map_err(search::bad_query)?;
    let index_filter = Filter {
        kinds: vec![document::Kind::Decisions],
        project: filter.project.clone(),
        record_type: filter.record_type.clone(),
        status: filter.status.clone(),
        tag: filter.tag.clone(),
        statuses: filter.statuses.clone(),
        ..Filter::default()
    };
    let mut matching: Vec<i64> = if query.is_empty() {
        Vec::new()
    } else {
        desk.library.index().matching_documents(&query, &index_filter)?.into_iter().map(|(id, _)| id).collect()
    };
    // Author and custom fields are the store's business: it also drops drafts.
    if !matching.is_empty() {
        let within = RecordFilter { document_ids: Some(matching.clone()), ..filter.clone() };
        let allowed: std::collections::HashSet<i64> = desk.library.store().record_ids(&within).await?.into_iter().collect();
        matching.retain(|id| allowed.contains(id));
    }
    if matching.is_empty() {
        // The seed's search is by substring: a part of a word, or signs that no word has, must not find nothing where the text holds them.
        matching = desk.library.store().records_containing(filter, words).await?;
    }
    Ok(matching)
}

fn field(text: &str) -> Result<(String, String)> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.trim().to_owned())),
        _ => Err(Error::bad_input(format!("field is \"{text}\", but must be name=value."))
            .hint("For example: field: \"risk=high\". list_fields shows the declared fields.")),
    }
}

/// All projects, in the order of their `_project.yml`, the others after them by id.
///
/// # Errors
/// A store that cannot be read.
pub async fn list_projects(desk: &Desk) -> Result<Vec<Project>> {
    let files = desk.library.project_files();
    let counts = desk.library.store().projects().await?;
    let mut projects: Vec<(i64, Project)> = Vec::new();
    for count in counts {
        if let Some((_, known)) = projects.iter_mut().find(|(_, project)| project.id == count.project) {
            known.records += count.records;
            continue;
        }
        let file = files.iter().find(|(project, _)| *project == count.project).map(|(_, file)| file.clone()).unwrap_or_default();
        let project = Project {
            name: file.name.unwrap_or_else(|| count.project.clone()),
            description: file.description.unwrap_or_default(),
            owners: file.owners,
            records: count.records,
            id: count.project,
        };
        projects.push((file.order.unwrap_or(i64::MAX), project));
    }
    projects.sort_by(|left, right| (left.0, &left.1.id).cmp(&(right.0, &right.1.id)));
    Ok(projects.into_iter().map(|(_, project)| project).collect())
}

/// Tags with counts, most used first.
///
/// # Errors
/// A store that cannot be read.
pub async fn list_tags(desk: &Desk, project: Option<&str>) -> Result<Vec<Count>> {
    labels(desk, Label::Tag, project).await
}

/// Authors with counts, most records first. Deciders do not count.
///
/// # Errors
/// A store that cannot be read.
pub async fn list_authors(desk: &Desk, project: Option<&str>) -> Result<Vec<Author>> {
    labels(desk, Label::Author, project).await
}

async fn labels(desk: &Desk, label: Label, project: Option<&str>) -> Result<Vec<Count>> {
    let rows = desk.library.store().labels(label, project, None).await?;
    Ok(rows.into_iter().map(|(name, count)| Count { name, count }).collect())
}
