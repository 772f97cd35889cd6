//! `/problems`: what is wrong in the files, where, and how to mend it.

use askama::Template;
use document::{Problem, Severity};
use engine::{Error, decisions};
use serde::Deserialize;

use super::paging::Paging;
use super::{Page, page};
use crate::chrome::Chrome;
use crate::input::{Asked, page_number, said};
use crate::shown;
use crate::visit::Visit;

const PER_PAGE: i64 = 100;

/// Which problems to list.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    collection: Option<String>,
    severity: Option<String>,
    page: Option<String>,
}

#[derive(Template)]
#[template(path = "problems.html")]
struct ProblemsPage {
    chrome: Chrome,
    /// The collection asked for; empty for all.
    collection: String,
    /// The severity asked for; empty for all.
    severity: &'static str,
    collections: Vec<String>,
    severities: [&'static str; 3],
    problems: Vec<ProblemRow>,
    paging: Paging,
}

/// A problem as it is shown.
pub(crate) struct ProblemRow {
    pub(crate) collection: String,
    pub(crate) severity: &'static str,
    /// `path:line`, as editors and terminals understand it.
    pub(crate) place: String,
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
}

impl ProblemRow {
    pub(crate) fn of(collection: &str, problem: &Problem) -> Self {
        let place = problem.line_number.map_or_else(|| problem.path.clone(), |line_number| format!("{}:{line_number}", problem.path));
        Self {
            collection: shown::plain(collection),
            severity: problem.severity.as_str(),
            place: shown::plain(&place),
            code: problem.code.clone(),
            message: shown::plain(&problem.message),
            hint: problem.hint.as_deref().map(shown::plain),
        }
    }
}

fn severity_of(word: &str) -> Result<Severity, Error> {
    Severity::parse(word).ok_or_else(|| Error::bad_input(format!("severity is \"{word}\", but must be error, warning or note.")))
}

pub(crate) async fn show(visit: Visit, Asked(question): Asked<Question>) -> Page {
    let number = page_number(question.page.as_deref())?;
    let collection = said(question.collection);
    let severity = said(question.severity).map(|word| severity_of(&word)).transpose()?;
    let library = &visit.desk.library;
    let mut findings = decisions::check(&visit.desk, collection.as_deref()).await?;
    findings.retain(|finding| severity.is_none_or(|severity| finding.problem.severity == severity));
    // Worst first; the order by collection, path and line stays among equals.
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.problem.severity));
    let total = i64::try_from(findings.len()).unwrap_or(i64::MAX);
    let skipped = usize::try_from((number - 1) * PER_PAGE).unwrap_or(usize::MAX);
    let shown_now = findings.iter().skip(skipped).take(PER_PAGE.unsigned_abs() as usize);
    let (collection, severity) = (collection.unwrap_or_default(), severity.map_or("", Severity::as_str));
    let pairs = [("collection", collection.as_str()), ("severity", severity)];
    page(&ProblemsPage {
        problems: shown_now.map(|finding| ProblemRow::of(&finding.collection, &finding.problem)).collect(),
        paging: Paging::new("/problems", &pairs, "problem", total, number, PER_PAGE),
        collections: library.config().collections.iter().map(|collection| collection.name.clone()).collect(),
        severities: ["error", "warning", "note"],
        severity,
        chrome: visit.chrome.at("/problems"),
        collection,
    })
}
