//! Records as they stand in listings.

use document::{Scheme, Uri};
use engine::decisions::RecordSummary;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Answer, Standing, fields_json};

/// A record in a listing.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Full id.
    pub id: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// Title.
    pub title: String,
    /// Status word; `unknown` where none can be read.
    pub status: String,
    /// Whether that status is in force.
    pub current: bool,
    /// Date, as exact as the source is.
    pub date: Option<String>,
    /// Project.
    pub project: String,
    /// Type such as `adr`.
    #[serde(rename = "type")]
    pub record_type: String,
    /// Tags.
    pub tags: Vec<String>,
    /// A sentence about it.
    pub description: String,
    /// Custom metadata.
    pub fields: Map<String, Value>,
    /// Web path for people.
    pub permalink: String,
}

impl Summary {
    /// The summary of a record.
    pub fn of(summary: RecordSummary) -> Self {
        Self {
            current: summary.is_current,
            permalink: Uri::new(Scheme::Decision, summary.id.as_str()).permalink(),
            fields: fields_json(&summary.fields),
            id: summary.id,
            reference: summary.reference,
            title: summary.title,
            status: summary.status,
            date: summary.date,
            project: summary.project,
            record_type: summary.record_type,
            tags: summary.tags,
            description: summary.description,
        }
    }

    pub(super) fn slim(&mut self) {
        super::clip(&mut self.title, 300);
        super::clip(&mut self.status, 80);
        super::clip(&mut self.description, 500);
        self.tags.truncate(20);
        self.tags.iter_mut().for_each(|tag| super::clip(tag, 60));
        super::clip_fields(&mut self.fields, 20, 100);
    }
}

/// A page of records.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Records {
    /// How many records match in all.
    pub total: i64,
    /// First of this page, from 0.
    pub offset: i64,
    /// Most that this page may hold.
    pub limit: i64,
    /// The records.
    pub records: Vec<Summary>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl Records {
    /// A page; `note` says why it is empty.
    pub fn page(page: engine::decisions::RecordPage, note: Option<String>) -> Self {
        let records = page.records.into_iter().map(Summary::of).collect();
        Self { total: page.total, offset: page.offset, limit: page.limit, records, standing: Standing { note, ..Standing::default() } }
    }
}

impl Answer for Records {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.records.len()
    }

    fn cut(&mut self, units: usize) {
        self.records.truncate(units);
        self.standing.go_on("offset", self.offset.saturating_add(i64::try_from(units).unwrap_or(i64::MAX)));
    }

    fn slim(&mut self) {
        self.records.iter_mut().for_each(Summary::slim);
        self.standing.shortened("Call get_record for a record with all its metadata.");
    }
}
