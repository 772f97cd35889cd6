//! `/records`: the list of records, newest first or ranked by words, with filters as a plain form.

use askama::Template;
use engine::decisions::{self, Count, RecordPage, RecordQuery, Statuses};
use serde::Deserialize;

use super::paging::Paging;
use super::record_row::RecordRow;
use super::{Page, page};
use crate::chrome::Chrome;
use crate::error::PageError;
use crate::input::{Asked, is_ticked, page_number, said};
use crate::shown;
use crate::visit::Visit;

const PER_PAGE: i64 = 50;

/// How many tags and authors are proposed in the form; any other can be typed.
const PROPOSED: usize = 200;

/// Which records to list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    project: Option<String>,
    r#type: Option<String>,
    status: Option<String>,
    tag: Option<String>,
    author: Option<String>,
    decider: Option<String>,
    field: Option<String>,
    date_from: Option<String>,
    date_to: Option<String>,
    problem: Option<String>,
    relation: Option<String>,
    query: Option<String>,
    current: Option<String>,
    page: Option<String>,
}

#[derive(Template)]
#[template(path = "records.html")]
struct RecordsPage {
    chrome: Chrome,
    form: Form,
    projects: Vec<(String, String)>,
    tags: Vec<String>,
    authors: Vec<String>,
    records: Vec<RecordRow>,
    paging: Paging,
    /// Whether any filter is set.
    is_filtered: bool,
}

/// What the form holds.
struct Form {
    project: String,
    record_type: String,
    status: String,
    tag: String,
    author: String,
    decider: String,
    field: String,
    date_from: String,
    date_to: String,
    problem: String,
    relation: String,
    query: String,
    is_current: bool,
}

impl Form {
    fn of(query: &RecordQuery) -> Self {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            project: text(&query.project),
            record_type: text(&query.record_type),
            status: text(&query.status),
            tag: text(&query.tag),
            author: text(&query.author),
            decider: text(&query.decider),
            field: text(&query.field),
            date_from: text(&query.date_from),
            date_to: text(&query.date_to),
            problem: text(&query.problem),
            relation: text(&query.relation),
            query: text(&query.query),
            is_current: query.current_only,
        }
    }

    /// The query that makes this listing.
    fn pairs(&self) -> [(&'static str, &str); 13] {
        [
            ("query", &self.query),
            ("project", &self.project),
            ("type", &self.record_type),
            ("status", &self.status),
            ("tag", &self.tag),
            ("author", &self.author),
            ("decider", &self.decider),
            ("field", &self.field),
            ("date_from", &self.date_from),
            ("date_to", &self.date_to),
            ("problem", &self.problem),
            ("relation", &self.relation),
            ("current", if self.is_current { "1" } else { "" }),
        ]
    }
}

impl Question {
    fn meaning(self) -> Result<(RecordQuery, i64), engine::Error> {
        let number = page_number(self.page.as_deref())?;
        let query = RecordQuery {
            project: said(self.project),
            record_type: said(self.r#type),
            status: said(self.status),
            tag: said(self.tag),
            author: said(self.author),
            decider: said(self.decider),
            field: said(self.field),
            date_from: said(self.date_from),
            date_to: said(self.date_to),
            problem: said(self.problem),
            relation: said(self.relation),
            query: said(self.query),
            current_only: is_ticked("current", self.current.as_deref())?,
            limit: Some(PER_PAGE),
            offset: Some((number - 1) * PER_PAGE),
        };
        Ok((query, number))
    }
}

impl RecordsPage {
    fn of(chrome: Chrome, query: &RecordQuery, number: i64, found: &RecordPage, statuses: &Statuses) -> Self {
        let form = Form::of(query);
        let pairs = form.pairs();
        Self {
            paging: Paging::new("/records", &pairs, "record", found.total, number, PER_PAGE),
            is_filtered: pairs.iter().any(|(_, value)| !value.is_empty()),
            records: found.records.iter().map(|record| RecordRow::of(record, statuses)).collect(),
            projects: Vec::new(),
            tags: Vec::new(),
            authors: Vec::new(),
            chrome,
            form,
        }
    }
}

/// Proposals are filled in as they stand, so names that deceive the eye are not among them.
fn names(counts: Vec<Count>) -> Vec<String> {
    counts.into_iter().map(|count| count.name).filter(|name| shown::plain(name) == *name).take(PROPOSED).collect()
}

pub(crate) async fn show(visit: Visit, Asked(question): Asked<Question>) -> Page {
    let (query, number) = question.meaning()?;
    let desk = &visit.desk;
    let found = decisions::search_records(desk, &query).await.map_err(|error| PageError::from(error).link("All records", "/records"))?;
    let projects = decisions::list_projects(desk).await?;
    let project = query.project.as_deref();
    let (tags, authors) = (decisions::list_tags(desk, project).await?, decisions::list_authors(desk, project).await?);
    let mut view = RecordsPage::of(visit.chrome.at("/records"), &query, number, &found, &desk.library.config().statuses);
    view.projects = projects.into_iter().map(|project| (project.id, shown::plain(&project.name))).collect();
    // A project that is asked for but not there stays in the form, so that the form says what was asked.
    if !view.form.project.is_empty() && !view.projects.iter().any(|(id, _)| *id == view.form.project) {
        view.projects.insert(0, (view.form.project.clone(), shown::plain(&view.form.project)));
    }
    view.tags = names(tags);
    view.authors = names(authors);
    page(&view)
}
