//! Listings: records by filter and by words, projects, tags and authors.

use document::Value;
use store::{Label, RecordRow};

use super::fields::custom_fields;
use super::{Match, filters, ranked};
use crate::{Desk, Error, Library, Result};

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
    /// Only records that this person decided.
    pub decider: Option<String>,
    /// `name=value` over custom metadata.
    pub field: Option<String>,
    /// Only records of this day, month or year (`YYYY-MM-DD`, `YYYY-MM`, `YYYY`) or later. One that states less than a day matches if it may lie there.
    pub date_from: Option<String>,
    /// Only records of this day, month or year or earlier.
    pub date_to: Option<String>,
    /// Only records whose file has a problem of this code, or of this severity.
    pub problem: Option<String>,
    /// Only records that state a relation of this kind; with `kind:id`, those that have it to that record, whichever of the two says so.
    pub relation: Option<String>,
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
    /// Where it was found, when words were looked for.
    pub matched: Option<Match>,
}

impl RecordSummary {
    pub(super) fn of(row: RecordRow, library: &Library) -> Self {
        Self {
            is_current: library.statuses(row.collection_id).is_in_force(&row.record),
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
            matched: None,
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
/// A limit, offset, filter or query that cannot be used, or a store that cannot be read.
pub async fn search_records(desk: &Desk, query: &RecordQuery) -> Result<RecordPage> {
    let limit = query.limit.unwrap_or(20);
    if !(1..=MOST).contains(&limit) {
        return Err(Error::bad_input(format!("limit is {limit}, but must be from 1 to {MOST}.")).hint("Use offset to page on."));
    }
    let offset = query.offset.unwrap_or(0);
    if offset < 0 {
        return Err(Error::bad_input(format!("offset is {offset}, but must be 0 or more.")));
    }
    let filter = filters::meaning(desk, query).await?.filter;
    let words = query.query.as_deref().map(str::trim).filter(|words| !words.is_empty());
    let Some(words) = words else {
        let page = desk.library.store().records(&filter, limit, offset).await?;
        let records = page.records.into_iter().map(|row| RecordSummary::of(row, &desk.library)).collect();
        return Ok(RecordPage { total: page.total, offset, limit, records });
    };
    let number = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let (total, records) = ranked::page(desk, words, &filter, number(limit), number(offset)).await?;
    Ok(RecordPage { total: i64::try_from(total).unwrap_or(i64::MAX), offset, limit, records })
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
