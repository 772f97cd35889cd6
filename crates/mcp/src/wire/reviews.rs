//! Reviews: periodic ones of decided records, and those by reviewers of open ones.

use document::{Scheme, Uri};
use engine::decisions::{DueReview, ReviewState};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Standing, Summary};

/// A periodic review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Review {
    /// `YYYY-MM-DD`; null where it cannot be told.
    pub due: Option<String>,
    /// Last review.
    pub reviewed: Option<String>,
    /// Interval as written.
    pub every: Option<String>,
    /// Days until it is due; negative when overdue.
    pub days_left: Option<i64>,
}

impl From<ReviewState> for Review {
    fn from(review: ReviewState) -> Self {
        Self { due: review.due, reviewed: review.reviewed, every: review.every, days_left: review.days_left }
    }
}

/// A record whose review is scheduled.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ScheduledReview {
    #[serde(flatten)]
    summary: Summary,
    /// Its review.
    pub review: Review,
    /// Whether the day on which it was due has passed.
    pub overdue: bool,
}

/// Scheduled reviews, soonest first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Reviews {
    /// How many there are.
    pub total: usize,
    /// First of this answer, from 0.
    pub offset: usize,
    /// The records with their reviews.
    pub records: Vec<ScheduledReview>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl Reviews {
    /// The reviews from `offset` on.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(reviews: Vec<DueReview>, offset: Option<i64>, note: Option<String>) -> engine::Result<Self> {
        let (total, offset, reviews) = super::paged(reviews, offset)?;
        let records = reviews.into_iter().map(|due| ScheduledReview {
            summary: Summary::of(due.summary),
            overdue: due.review.days_left.is_some_and(|days_left| days_left < 0),
            review: due.review.into(),
        });
        Ok(Self { total, offset, records: records.collect(), standing: Standing { note, ..Standing::default() } })
    }
}

impl Answer for Reviews {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.records.len()
    }

    fn cut(&mut self, units: usize) {
        self.records.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }

    fn slim(&mut self) {
        self.records.iter_mut().for_each(|record| record.summary.slim());
        self.standing.shortened("Call get_record for a record with all its metadata.");
    }
}

/// A reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Reviewer {
    /// Handle or name, without `@`.
    pub name: String,
    /// `approved`, `requested-changes`, `commented`, `abstained` or `pending`.
    pub state: String,
}

impl From<document::Reviewer> for Reviewer {
    fn from(reviewer: document::Reviewer) -> Self {
        Self { name: reviewer.name, state: reviewer.state }
    }
}

/// Standing of a review by reviewers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RfcReview {
    /// `approved`, `changes requested` or `waiting`.
    pub status: String,
    /// Approvals so far.
    pub approved: usize,
    /// Approvals needed: as the record says, else its project, else one of each reviewer who has not abstained.
    pub required: usize,
    /// Who has neither approved nor abstained, while approvals are missing or changes are wanted.
    pub waiting_on: Vec<String>,
}

impl From<engine::decisions::RfcReview> for RfcReview {
    fn from(review: engine::decisions::RfcReview) -> Self {
        Self { status: review.status, approved: review.approved, required: review.required, waiting_on: review.waiting_on }
    }
}

/// An open record with reviewers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenReview {
    /// Full id.
    pub id: String,
    /// Title.
    pub title: String,
    /// What each reviewer said.
    pub reviewers: Vec<Reviewer>,
    /// Where the review stands.
    #[serde(rename = "rfcReview")]
    pub review: RfcReview,
    /// Web path for people.
    pub permalink: String,
}

/// Open records with reviewers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OpenReviews {
    /// How many there are.
    pub total: usize,
    /// First of this answer, from 0.
    pub offset: usize,
    /// The records.
    pub records: Vec<OpenReview>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl OpenReviews {
    /// The reviews from `offset` on.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(reviews: Vec<engine::decisions::OpenReview>, offset: Option<i64>) -> engine::Result<Self> {
        let (total, offset, reviews) = super::paged(reviews, offset)?;
        let records = reviews.into_iter().map(|open| OpenReview {
            permalink: Uri::new(Scheme::Decision, open.id.as_str()).permalink(),
            id: open.id,
            title: open.title,
            reviewers: open.reviewers.into_iter().map(Reviewer::from).collect(),
            review: open.review.into(),
        });
        Ok(Self { total, offset, records: records.collect(), standing: Standing::default() })
    }
}

impl Answer for OpenReviews {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.records.len()
    }

    fn cut(&mut self, units: usize) {
        self.records.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }

    fn slim(&mut self) {
        for record in &mut self.records {
            super::clip(&mut record.title, 300);
            record.reviewers.truncate(40);
            record.review.waiting_on.truncate(40);
            record.reviewers.iter_mut().flat_map(|reviewer| [&mut reviewer.name, &mut reviewer.state]).for_each(|text| super::clip(text, 60));
            record.review.waiting_on.iter_mut().for_each(|name| super::clip(name, 60));
        }
        self.standing.shortened("Call get_record for a record with all its reviewers.");
    }
}
