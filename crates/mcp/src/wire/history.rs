//! What git knows: the state of the collections at a date, and who changed a record's status.

use engine::decisions::{Past, StatusHistory};
use schemars::JsonSchema;
use serde::Serialize;

/// A collection at a date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CollectionAsOf {
    /// Its name.
    pub collection: String,
    /// The commit that was its newest one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Why it has no part in the answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_out: Option<String>,
}

/// The past that an answer is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AsOf {
    /// The day, at whose end (UTC) things stood so.
    pub date: String,
    /// The collections.
    pub collections: Vec<CollectionAsOf>,
}

impl AsOf {
    /// The past of a desk.
    pub fn of(past: &Past) -> Self {
        let collections = past.collections.iter().map(|collection| CollectionAsOf {
            collection: collection.name.clone(),
            commit: collection.commit.as_ref().ok().cloned(),
            left_out: collection.commit.as_ref().err().cloned(),
        });
        Self { date: past.date.clone(), collections: collections.collect() }
    }
}

/// A commit after which a record had another status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct StatusChange {
    /// The status from then on.
    pub status: String,
    /// When it was committed, RFC 3339.
    pub time: String,
    /// Who wrote the change.
    pub author: String,
    /// The commit.
    pub commit: String,
    /// First line of its message.
    pub subject: String,
}

/// The statuses that a record had.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct History {
    /// Oldest first.
    pub changes: Vec<StatusChange>,
    /// True where its files differ from the last commit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub uncommitted: bool,
    /// Why nothing or not all is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl History {
    /// The newest changes of a history, as many as an answer has room for.
    pub fn of(history: StatusHistory) -> Self {
        const MOST: usize = 20;
        let skipped = history.changes.len().saturating_sub(MOST);
        let changes = history.changes.into_iter().skip(skipped).map(|change| {
            let mut subject = change.subject;
            super::clip(&mut subject, 120);
            StatusChange { status: change.status, time: engine::rfc3339(change.time_ms), author: change.author, commit: change.commit, subject }
        });
        let cut = (skipped > 0).then(|| format!("Its {skipped} oldest changes are left out."));
        Self { changes: changes.collect(), uncommitted: history.is_uncommitted, note: history.note.or(cut) }
    }
}
