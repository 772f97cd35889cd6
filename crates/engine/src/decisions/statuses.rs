//! Status words: which are in force and which are still open. The seed's defaults, grown by the words of real archives.

use std::sync::Arc;

use document::Record;

/// A status word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The word, compared without case.
    pub name: String,
    /// Records of this status are in force.
    pub is_current: bool,
    /// Records of this status are still to be decided.
    pub is_open: bool,
}

/// The status words of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statuses {
    list: Arc<[Status]>,
}

/// In force: `accepted` and `implemented` by seed 000; the rest are what other processes call the same (reference, 3.3).
/// Partly superseded or amended records stay in force: a part of them never takes the whole out.
const CURRENT: [&str; 37] = [
    "accepted",
    "implemented",
    "approved",
    "adopted",
    "active",
    "final",
    "living",
    "published",
    "publish",
    "decided",
    "agreed",
    "demonstrated",
    "partially implemented",
    "partly superseded",
    "partially superseded",
    "amended",
    "amended in part",
    "amended-in-part",
    "stable",
    "complete",
    "parts superseded",
    "superseded in part",
    "superseded partly",
    "superseded partially",
    "replaced in part",
    "partially replaced",
    "amended partly",
    "amended partially",
    "partly implemented",
    "partly accepted",
    "partially accepted",
    "partially approved",
    "ratified",
    "in force",
    "in use",
    "effective",
    "current",
];

/// Still to be decided.
const OPEN: [&str; 24] = [
    "proposed",
    "draft",
    "predraft",
    "pending",
    "in review",
    "review",
    "under review",
    "last call",
    "provisional",
    "implementable",
    "in discussion",
    "discussion",
    "proposal",
    "placeholder",
    "rfc",
    "in progress",
    "under discussion",
    "up for discussion",
    "under consideration",
    "ready for review",
    "tentative",
    "wip",
    "work in progress",
    "open",
];

impl Default for Statuses {
    fn default() -> Self {
        let current = CURRENT.iter().map(|name| Status { name: (*name).to_owned(), is_current: true, is_open: false });
        let open = OPEN.iter().map(|name| Status { name: (*name).to_owned(), is_current: false, is_open: true });
        Self { list: current.chain(open).collect() }
    }
}

impl Statuses {
    /// The words of a configuration, which take the place of the built-in ones.
    #[must_use]
    pub fn new(list: Vec<Status>) -> Self {
        Self { list: list.into() }
    }

    /// Whether records of this status are in force. Unknown words are not.
    #[must_use]
    pub fn is_current(&self, word: &str) -> bool {
        self.find(word).is_some_and(|status| status.is_current)
    }

    /// Whether a record is in force: its status is, and it does not say that another one takes its place as a whole
    /// (`Implemented. Superseded by [ADR-013](…)` is common).
    #[must_use]
    pub fn is_in_force(&self, record: &Record) -> bool {
        self.is_current(&record.status.word) && !record.is_superseded()
    }

    /// Whether records of this status are still to be decided.
    #[must_use]
    pub fn is_open(&self, word: &str) -> bool {
        self.find(word).is_some_and(|status| status.is_open)
    }

    /// The word as the list writes it, for one that it has.
    #[must_use]
    pub fn named(&self, word: &str) -> Option<String> {
        self.find(word).map(|status| status.name.clone())
    }

    /// All words, in the order of the configuration.
    #[must_use]
    pub fn list(&self) -> &[Status] {
        &self.list
    }

    /// All words that are in force.
    #[must_use]
    pub fn current(&self) -> Vec<String> {
        self.list.iter().filter(|status| status.is_current).map(|status| status.name.to_lowercase()).collect()
    }

    fn find(&self, word: &str) -> Option<&Status> {
        let word = word.to_lowercase();
        self.list.iter().find(|status| status.name.to_lowercase() == word)
    }
}
