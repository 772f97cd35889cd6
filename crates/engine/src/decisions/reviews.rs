//! Reviews: periodic ones of decided records, and those by reviewers of open ones.

use std::collections::HashMap;

use document::{Record, Reviewer};
use jiff::Span;
use jiff::civil::Date;
use source::formats::decisions::Interval;
use store::{RecordFilter, RecordRow};

use super::listing::RecordSummary;
use crate::{Clock, Desk, Error, Library, Result};

/// Where the periodic review of a record stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewState {
    /// `YYYY-MM-DD`: stated, or last review (else the record's date) plus the interval; `None` where it cannot be told.
    pub due: Option<String>,
    /// Last review, `YYYY-MM-DD`.
    pub reviewed: Option<String>,
    /// Interval as written.
    pub every: Option<String>,
    /// Days until it is due on the day of the answer, negative when overdue.
    pub days_left: Option<i64>,
}

/// Where the review of an open record by its reviewers stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RfcReview {
    /// `approved`, `changes requested` or `waiting`.
    pub status: String,
    /// Approvals so far.
    pub approved: usize,
    /// Approvals needed: stated by the record, else by its project, else one of each reviewer who has not abstained.
    pub required: usize,
    /// Reviewers that have neither approved nor abstained, while approvals are missing or changes are wanted.
    pub waiting_on: Vec<String>,
}

/// Which reviews to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReviewWindow {
    within_days: i64,
    is_all: bool,
}

impl ReviewWindow {
    /// A window of `within` days from today, 30 by default; `all` lists every scheduled record.
    ///
    /// # Errors
    /// A negative number of days.
    pub fn new(within: Option<i64>, all: bool) -> Result<Self> {
        let within_days = within.unwrap_or(30);
        if within_days < 0 {
            return Err(Error::bad_input(format!("within is {within_days}, but must be 0 or more days.")).hint("Overdue reviews are always listed."));
        }
        Ok(Self { within_days, is_all: all })
    }
}

/// A record whose review is due.
#[derive(Debug, Clone, PartialEq)]
pub struct DueReview {
    /// The record.
    pub summary: RecordSummary,
    /// Its review.
    pub review: ReviewState,
}

/// An open record with reviewers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenReview {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What each reviewer said.
    pub reviewers: Vec<Reviewer>,
    /// Where it stands.
    pub review: RfcReview,
}

/// The review state of a record, where it says something of one.
///
/// Due is the day that is stated, unless the last review was on it or later; else the last review, or the record's date where there was none, plus the
/// interval. Unknown where nothing of that can be read.
#[must_use]
pub fn review_state(row: &RecordRow, clock: Clock) -> Option<ReviewState> {
    let review = row.record.review.as_ref()?;
    let last = review.reviewed.as_deref().and_then(first_day);
    let stated = review.due.as_deref().and_then(first_day).filter(|due| last.is_none_or(|last| last < *due));
    let from = last.or_else(|| row.date.as_deref().and_then(first_day));
    let due = stated.or_else(|| after(from?, Interval::parse(review.every.as_deref()?)?));
    let days_left = due.and_then(|due| clock.today().until(due).ok()).map(|span| i64::from(span.get_days()));
    Some(ReviewState { due: due.map(|due| due.to_string()), reviewed: review.reviewed.clone(), every: review.every.clone(), days_left })
}

/// The first day of what a date names: a review of a record of `2025-06` is better early than never.
fn first_day(iso: &str) -> Option<Date> {
    match iso.len() {
        4 => format!("{iso}-01-01").parse().ok(),
        7 => format!("{iso}-01").parse().ok(),
        _ => iso.get(..10)?.parse().ok(),
    }
}

/// The day an interval after another; the 31st of a month is followed by the last day of a shorter one.
fn after(day: Date, interval: Interval) -> Option<Date> {
    day.checked_add(Span::new().try_months(interval.months).ok()?).ok()?.checked_add(Span::new().try_days(interval.days).ok()?).ok()
}

/// How many approvals a project's open records need where they do not say so themselves.
#[must_use]
pub(super) fn project_approvals(library: &Library, project: &str) -> Option<u32> {
    library.project_files().into_iter().find(|(known, _)| known.to_lowercase() == project.to_lowercase())?.1.approvals_required
}

/// The standing of a review by reviewers; `None` where a record has none.
///
/// Needed are as many approvals as the record says, else as its project says, else one of each reviewer who has not abstained. Whoever abstained is
/// not waited for.
#[must_use]
pub fn rfc_review(record: &Record, project_approvals: Option<u32>) -> Option<RfcReview> {
    if record.reviewers.is_empty() {
        return None;
    }
    let count = |state: &str| record.reviewers.iter().filter(|reviewer| reviewer.state == state).count();
    let approved = count("approved");
    let stated = record.approvals_required.or(project_approvals).map(|required| required as usize);
    let required = stated.unwrap_or_else(|| (record.reviewers.len() - count("abstained")).max(1));
    let wants_changes = count("requested-changes") > 0;
    let is_approved = approved >= required && !wants_changes;
    let status = match (wants_changes, is_approved) {
        (true, _) => "changes requested",
        (false, true) => "approved",
        (false, false) => "waiting",
    };
    let is_waited_for = |reviewer: &&Reviewer| !is_approved && !matches!(reviewer.state.as_str(), "approved" | "abstained");
    let waiting_on = record.reviewers.iter().filter(is_waited_for).map(|reviewer| reviewer.name.clone()).collect();
    Some(RfcReview { status: status.to_owned(), approved, required, waiting_on })
}

/// Decided records whose review is overdue or comes due in the window, soonest first.
///
/// # Errors
/// A store that cannot be read.
pub async fn due_reviews(desk: &Desk, project: Option<&str>, window: ReviewWindow) -> Result<Vec<DueReview>> {
    let in_force = desk.library.in_force();
    let filter = RecordFilter {
        project: project.map(str::to_owned),
        has_review: true,
        statuses: Some(in_force.words),
        statuses_of: in_force.by_collection,
        is_superseded: Some(false),
        ..RecordFilter::default()
    };
    let page = desk.library.store().records(&filter, i64::MAX, 0).await?;
    let mut due: Vec<DueReview> = page
        .records
        .into_iter()
        .filter_map(|row| {
            // A last review alone schedules nothing.
            let is_scheduled = row.record.review.as_ref().is_some_and(|review| review.every.is_some() || review.due.is_some());
            let review = review_state(&row, desk.library.clock()).filter(|_| is_scheduled)?;
            let is_due = window.is_all || review.days_left.is_some_and(|days_left| days_left <= window.within_days);
            is_due.then(|| DueReview { summary: RecordSummary::of(row, &desk.library), review })
        })
        .collect();
    // Those whose day cannot be told stand last.
    due.sort_by(|left, right| {
        (left.review.due.is_none(), &left.review.due, &left.summary.id).cmp(&(right.review.due.is_none(), &right.review.due, &right.summary.id))
    });
    Ok(due)
}

/// Open records that have reviewers; with `reviewer`, only those that wait on that handle.
///
/// # Errors
/// A store that cannot be read.
pub async fn rfc_reviews(desk: &Desk, reviewer: Option<&str>) -> Result<Vec<OpenReview>> {
    let filter = RecordFilter { has_reviewers: true, ..RecordFilter::default() };
    let page = desk.library.store().records(&filter, i64::MAX, 0).await?;
    let wanted = reviewer.map(|reviewer| reviewer.trim().trim_start_matches('@').to_lowercase());
    let library = &desk.library;
    let files = desk.library.project_files().into_iter();
    let projects: HashMap<String, u32> = files.filter_map(|(project, file)| Some((project.to_lowercase(), file.approvals_required?))).collect();
    let open = page.records.into_iter().filter(|row| library.statuses(row.collection_id).is_open(&row.status)).filter_map(|row| {
        let own = projects.get(&row.project.to_lowercase()).copied();
        let review = rfc_review(&row.record, own)?;
        let is_wanted = wanted.as_ref().is_none_or(|wanted| review.waiting_on.iter().any(|name| name.to_lowercase() == *wanted));
        is_wanted.then(|| OpenReview { id: row.id.clone(), title: row.title.clone(), reviewers: row.record.reviewers.clone(), review })
    });
    Ok(open.collect())
}

#[cfg(test)]
mod tests {
    use document::{Record, Reviewer};
    use source::formats::decisions::Interval;

    use super::{after, first_day, rfc_review};

    #[test]
    fn intervals_end_on_a_day_that_exists() {
        for (day, every, due) in [
            ("2026-01-31", "1 month", "2026-02-28"),
            ("2028-01-31", "1 month", "2028-02-29"),
            ("2028-02-29", "1 year", "2029-02-28"),
            ("2026-08-31", "6 months", "2027-02-28"),
            ("2026-10-31", "quarterly", "2027-01-31"),
            ("2026-12-31", "P1D", "2027-01-01"),
            ("2026-01-31", "1 month 1 day", "2026-03-01"),
            ("2025-06", "1 year", "2026-06-01"),
            ("2025", "90 days", "2025-04-01"),
        ] {
            let found = after(first_day(day).unwrap(), Interval::parse(every).unwrap());
            assert_eq!(found.map(|day| day.to_string()).as_deref(), Some(due), "{day} {every}");
        }
        assert_eq!(after(first_day("9999-12-31").unwrap(), Interval::parse("1 day").unwrap()), None);
    }

    fn standing(states: &[(&str, &str)], required: Option<u32>, project: Option<u32>) -> (String, usize, usize, Vec<String>) {
        let record = Record {
            project: "sre".to_owned(),
            record_type: "rfc".to_owned(),
            slug: "0001-a".to_owned(),
            number: None,
            status: document::Status::unknown(),
            date: None,
            is_draft: false,
            people: document::People::default(),
            relations: Vec::new(),
            reviewers: states.iter().map(|(name, state)| Reviewer { name: (*name).to_owned(), state: (*state).to_owned() }).collect(),
            approvals_required: required,
            review: None,
            metadata: Vec::new(),
        };
        let review = rfc_review(&record, project).unwrap();
        (review.status, review.approved, review.required, review.waiting_on)
    }

    #[test]
    fn the_record_outweighs_its_project_and_the_project_the_default() {
        let said = [("ann", "approved"), ("bob", "pending"), ("cy", "commented")];
        assert_eq!(standing(&said, None, None), ("waiting".to_owned(), 1, 3, vec!["bob".to_owned(), "cy".to_owned()]));
        assert_eq!(standing(&said, None, Some(1)), ("approved".to_owned(), 1, 1, vec![]));
        assert_eq!(standing(&said, Some(2), Some(1)), ("waiting".to_owned(), 1, 2, vec!["bob".to_owned(), "cy".to_owned()]));
        assert_eq!(standing(&said, Some(0), None), ("approved".to_owned(), 1, 0, vec![]));
    }

    #[test]
    fn changes_that_are_wanted_outweigh_approvals_and_abstentions_are_not_waited_for() {
        let said = [("ann", "approved"), ("bob", "requested-changes")];
        assert_eq!(standing(&said, Some(1), None), ("changes requested".to_owned(), 1, 1, vec!["bob".to_owned()]));
        let said = [("ann", "approved"), ("bob", "abstained")];
        assert_eq!(standing(&said, None, None), ("approved".to_owned(), 1, 1, vec![]));
        assert_eq!(standing(&said, Some(2), None), ("waiting".to_owned(), 1, 2, vec![]));
        assert_eq!(standing(&[("ann", "abstained")], None, None), ("waiting".to_owned(), 0, 1, vec![]));
    }
}
