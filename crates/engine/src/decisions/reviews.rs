//! Reviews: periodic ones of decided records, and those by reviewers of open ones.

use document::{Record, Reviewer};
use jiff::civil::Date;
use jiff::{Span, ToSpan as _};
use store::{RecordFilter, RecordRow};

use super::listing::RecordSummary;
use crate::{Clock, Desk, Error, Result};

/// Where the periodic review of a record stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewState {
    /// `YYYY-MM-DD`: stated, or last review (else the record's date) plus the interval.
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
    /// Approvals needed: stated, else one of each reviewer.
    pub required: usize,
    /// Reviewers that have not approved, while approvals are missing.
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
    /// A negative number of days, or more than a century.
    pub fn new(within: Option<i64>, all: bool) -> Result<Self> {
        let within_days = within.unwrap_or(30);
        if !(0..=36_525).contains(&within_days) {
            return Err(
                Error::bad_input(format!("within is {within_days}, but must be from 0 to 36525 days.")).hint("Overdue reviews are always listed.")
            );
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

/// The review state of a record, where one is scheduled.
#[must_use]
pub fn review_state(row: &RecordRow, clock: Clock) -> Option<ReviewState> {
    let review = row.record.review.as_ref()?;
    let stated = review.due.as_deref().and_then(full_date);
    let last = review.reviewed.as_deref().and_then(full_date).or_else(|| row.date.as_deref().and_then(full_date));
    let due = stated.or_else(|| last?.checked_add(interval(review.every.as_deref()?)?).ok());
    let days_left = due.and_then(|due| clock.today().until(due).ok()).map(|span| i64::from(span.get_days()));
    Some(ReviewState { due: due.map(|due| due.to_string()), reviewed: review.reviewed.clone(), every: review.every.clone(), days_left })
}

/// A date that names a day; month and year alone do not.
fn full_date(text: &str) -> Option<Date> {
    text.get(..10)?.parse().ok()
}

/// Reads `6 months`, `1y`, `90 days`, `2 weeks`, `P6M`, `quarterly`, `yearly` and the like.
fn interval(text: &str) -> Option<Span> {
    let text = text.trim().to_lowercase();
    match text.as_str() {
        "weekly" => return Some(1.week()),
        "monthly" => return Some(1.month()),
        "quarterly" => return Some(3.months()),
        "half-yearly" | "biannually" => return Some(6.months()),
        "yearly" | "annually" | "year" => return Some(1.year()),
        _ => {}
    }
    let text = text.strip_prefix('p').unwrap_or(&text).trim_start_matches("every ").trim();
    let digits_end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits_end);
    let count: i64 = if digits.is_empty() { 1 } else { digits.parse().ok().filter(|count| *count <= 10_000)? };
    match unit.trim().trim_end_matches('s') {
        "d" | "day" => Some(count.days()),
        "w" | "week" => Some(count.weeks()),
        "m" | "mo" | "month" => Some(count.months()),
        "q" | "quarter" => Some((count * 3).months()),
        "y" | "yr" | "year" => Some(count.years()),
        _ => None,
    }
}

/// The standing of a review by reviewers; `None` where a record has none.
#[must_use]
pub fn rfc_review(record: &Record) -> Option<RfcReview> {
    if record.reviewers.is_empty() {
        return None;
    }
    let approved = record.reviewers.iter().filter(|reviewer| reviewer.state == "approved").count();
    let required = record.approvals_required.map_or(record.reviewers.len(), |required| required as usize);
    let wants_changes = record.reviewers.iter().any(|reviewer| reviewer.state == "requested-changes");
    let status = if wants_changes {
        "changes requested"
    } else if approved >= required {
        "approved"
    } else {
        "waiting"
    };
    let waiting_on = if approved >= required && !wants_changes {
        Vec::new()
    } else {
        record.reviewers.iter().filter(|reviewer| reviewer.state != "approved").map(|reviewer| reviewer.name.clone()).collect()
    };
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
            let review = review_state(&row, desk.library.clock())?;
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
    let open = page.records.into_iter().filter(|row| library.statuses(row.collection_id).is_open(&row.status)).filter_map(|row| {
        let review = rfc_review(&row.record)?;
        let is_wanted = wanted.as_ref().is_none_or(|wanted| review.waiting_on.iter().any(|name| name.to_lowercase() == *wanted));
        is_wanted.then(|| OpenReview { id: row.id.clone(), title: row.title.clone(), reviewers: row.record.reviewers.clone(), review })
    });
    Ok(open.collect())
}
