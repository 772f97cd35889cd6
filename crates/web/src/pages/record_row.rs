//! A record as one line of a listing, as home and records show it.

use engine::decisions::{RecordSummary, Statuses};
use engine::search::Snippet;

use crate::{address, shown};

/// A status as a badge: the word, and what it means for whoever wants to follow the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Badge {
    /// The status word.
    pub(crate) word: String,
    /// `current`, `open`, `past` or `unknown`: picks the colour.
    pub(crate) class: &'static str,
    /// What it means, in words: colour alone tells nothing to many.
    pub(crate) meaning: &'static str,
}

impl Badge {
    pub(crate) fn of(word: &str, is_current: bool, statuses: &Statuses) -> Self {
        let (class, meaning) = if word == document::UNKNOWN {
            ("unknown", "its file states no status that can be read")
        } else if is_current {
            ("current", "in force")
        } else if statuses.is_open(word) {
            ("open", "not decided yet")
        } else {
            ("past", "not in force")
        };
        Self { word: shown::plain(word), class, meaning }
    }
}

/// A record in a listing.
pub(crate) struct RecordRow {
    pub(crate) address: String,
    pub(crate) title: String,
    /// Reference where it has one, else its id.
    pub(crate) name: String,
    pub(crate) badge: Badge,
    /// Its date; empty where it states none.
    pub(crate) date: String,
    pub(crate) project: String,
    pub(crate) record_type: String,
    pub(crate) description: String,
    /// Tags, each with the listing of its records.
    pub(crate) tags: Vec<(String, String)>,
    /// Where searched words stand in it.
    pub(crate) passage: Option<PassageView>,
}

/// A quoted place of a record.
pub(crate) struct PassageView {
    /// The words around the match.
    pub(crate) text: String,
    /// Heading above them; empty before the first one.
    pub(crate) heading: String,
    /// Opens the place.
    pub(crate) address: String,
}

impl PassageView {
    fn of(snippet: &Snippet) -> Self {
        let permalink = snippet.citation.permalink();
        let path = permalink.split('#').next().unwrap_or(&permalink);
        Self {
            text: shown::plain(&snippet.text()),
            heading: snippet.citation.headings.last().map(|heading| shown::plain(heading)).unwrap_or_default(),
            // For the eye the marked block is the place, not the start of its section.
            address: format!("{path}#cited"),
        }
    }
}

impl RecordRow {
    pub(crate) fn of(record: &RecordSummary, statuses: &Statuses) -> Self {
        Self {
            address: address::of_record(&record.id),
            title: shown::plain(&record.title),
            name: shown::plain(record.reference.as_deref().unwrap_or(&record.id)),
            badge: Badge::of(&record.status, record.is_current, statuses),
            date: record.date.clone().unwrap_or_default(),
            project: shown::plain(&record.project),
            record_type: shown::plain(&record.record_type),
            description: shown::plain(&record.description),
            passage: record.matched.as_ref().and_then(|matched| matched.snippet.as_ref()).map(PassageView::of),
            tags: record.tags.iter().map(|tag| (shown::plain(tag), address::with_query("/records", [("tag", tag.as_str())]))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use engine::decisions::Statuses;

    use super::Badge;

    #[test]
    fn unknown_is_said_as_unknown_and_unheard_words_are_not_in_force() {
        let statuses = Statuses::default();
        let class = |word| Badge::of(word, statuses.is_current(word), &statuses).class;
        assert_eq!(
            ["accepted", "proposed", "rejected", "superseded", "made up", "unknown"].map(class),
            ["current", "open", "past", "past", "past", "unknown"]
        );
    }
}
