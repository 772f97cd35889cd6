//! `/`: what the library holds, how fresh and how sound it is, what is new in it, and how to connect a client.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use engine::decisions::{self, RecordQuery, RecordSummary, Statuses};
use engine::{CollectionStatus, LibraryStatus};

use super::record_row::RecordRow;
use super::{Page, page};
use crate::address::with_query;
use crate::chrome::Chrome;
use crate::shown;
use crate::site::Site;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    chrome: Chrome,
    name: String,
    collections: Vec<CollectionRow>,
    /// How changes of files are seen.
    watching: String,
    index: String,
    recent: Vec<RecordRow>,
    total_records: String,
    client_lines: Vec<(String, String)>,
    notices: Vec<String>,
}

/// A line of the table of collections.
struct CollectionRow {
    name: String,
    kind: &'static str,
    documents: String,
    problems: Vec<ProblemCount>,
    is_fresh: bool,
}

/// How many problems of one severity a collection has.
#[derive(Debug, PartialEq, Eq)]
struct ProblemCount {
    severity: &'static str,
    sentence: String,
    address: String,
}

impl CollectionRow {
    fn of(collection: &CollectionStatus, is_fresh: bool) -> Self {
        let counts = [("error", collection.errors), ("warning", collection.warnings), ("note", collection.notes)];
        let problems = counts.into_iter().filter(|(_, count)| *count > 0).map(|(severity, count)| ProblemCount {
            severity,
            sentence: shown::counted(count, severity),
            address: with_query("/problems", [("collection", collection.name.as_str()), ("severity", severity)]),
        });
        Self {
            name: shown::plain(&collection.name),
            kind: collection.kind.as_str(),
            documents: shown::grouped(collection.documents),
            problems: problems.collect(),
            is_fresh,
        }
    }
}

impl HomePage {
    fn of(
        chrome: Chrome,
        status: &LibraryStatus,
        recent: &[RecordSummary],
        total: i64,
        statuses: &Statuses,
        client_lines: &[(String, String)],
    ) -> Self {
        let is_fresh = chrome.stale_reason.is_none();
        let watching = match &status.watching {
            Ok(()) => "Files are watched: a change is seen at once.".to_owned(),
            Err(reason) => format!("Folders are scanned before each answer: {}", shown::plain(reason)),
        };
        Self {
            name: shown::plain(&status.name),
            collections: status.collections.iter().map(|collection| CollectionRow::of(collection, is_fresh)).collect(),
            watching,
            index: format!("{} in the index.", shown::counted(i64::try_from(status.passages).unwrap_or(i64::MAX), "passage")),
            recent: recent.iter().map(|record| RecordRow::of(record, statuses)).collect(),
            total_records: shown::counted(total, "record"),
            client_lines: client_lines.to_vec(),
            notices: status.notices.iter().map(|notice| shown::plain(notice)).collect(),
            chrome,
        }
    }
}

pub(crate) async fn show(State(site): State<Arc<Site>>, visit: Visit) -> Page {
    let desk = &visit.desk;
    let status = desk.library.status().await?;
    let recent = decisions::search_records(desk, &RecordQuery { limit: Some(10), ..RecordQuery::default() }).await?;
    let statuses = &desk.library.config().statuses;
    page(&HomePage::of(visit.chrome.at("/"), &status, &recent.records, recent.total, statuses, &site.options.client_lines))
}

#[cfg(test)]
mod tests {
    use document::Kind;
    use engine::CollectionStatus;

    use super::CollectionRow;

    #[test]
    fn only_problems_that_exist_are_counted_and_each_leads_to_its_list() {
        let status = CollectionStatus {
            name: "sre & co".into(),
            kind: Kind::Decisions,
            origin: engine::config::Origin::Folder("x".into()),
            remote: None,
            documents: 1_234,
            errors: 1,
            warnings: 0,
            notes: 3,
        };
        let row = CollectionRow::of(&status, true);
        assert_eq!(row.documents, "1,234");
        let shown: Vec<(&str, &str)> = row.problems.iter().map(|count| (count.sentence.as_str(), count.address.as_str())).collect();
        assert_eq!(
            shown,
            [("1 error", "/problems?collection=sre%20%26%20co&severity=error"), ("3 notes", "/problems?collection=sre%20%26%20co&severity=note")]
        );
    }
}
