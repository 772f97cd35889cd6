//! Ranked passages, each with its citation, in the shape that connector clients expect.

use engine::search::{Hit, SearchAnswer};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Citation, Standing};
use crate::tools::Site;

/// A ranked passage.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchHit {
    /// What fetch takes for the whole document.
    pub id: String,
    /// Title of the document.
    pub title: String,
    /// Address that opens this place.
    pub url: String,
    /// Verbatim quote from exactly that place.
    pub text: String,
    /// Stable name, with the section behind `#`.
    pub uri: String,
    /// Positional path of the section; `0` stands before the first heading.
    pub section: String,
    /// Headings from the outermost down.
    pub headings: Vec<String>,
    /// First character of the quote in the file's text, from 0.
    pub char_start: usize,
    /// One past its last character.
    pub char_end: usize,
    /// First line, from 1.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// Hash of the bytes that were quoted.
    pub stamp: String,
    /// The document's own date.
    pub time: Option<String>,
    /// Web path that opens this place.
    pub permalink: String,
    /// Its collection.
    pub collection: String,
    /// Status word of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Whether that status is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<bool>,
    /// Higher is better, within one answer.
    pub score: f64,
}

/// How an answer was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Retrieval {
    /// Whether words were looked for.
    pub words: bool,
    /// Whether meaning was.
    pub meaning: bool,
    /// Why one of them was not.
    pub reason: String,
}

/// Ranked passages.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SearchResults {
    /// Best first.
    pub results: Vec<SearchHit>,
    /// How they were found.
    pub retrieval: Retrieval,
    /// Goes on after this answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
    /// The cursor behind each hit, for a cut.
    #[serde(skip)]
    cursors: Vec<String>,
}

impl SearchResults {
    /// The answer to a search; `cursors` lead on behind each of its hits.
    pub fn of(answer: SearchAnswer, cursors: Vec<String>, site: &Site) -> Self {
        let reason = answer.no_meaning_reason.to_owned();
        Self {
            results: answer.hits.into_iter().map(|hit| hit_of(hit, site)).collect(),
            retrieval: Retrieval { words: true, meaning: false, reason },
            next_cursor: answer.next_cursor,
            standing: Standing { note: answer.note, ..Standing::default() },
            cursors,
        }
    }
}

fn hit_of(hit: Hit, site: &Site) -> SearchHit {
    let citation = Citation::from(&hit.citation);
    SearchHit {
        id: super::fetched::id_of(&hit.citation.uri),
        title: citation.title,
        url: site.url(&citation.permalink),
        text: hit.quote,
        uri: citation.uri,
        section: citation.section,
        headings: citation.headings,
        char_start: citation.char_start,
        char_end: citation.char_end,
        line_start: citation.line_start,
        line_end: citation.line_end,
        stamp: citation.stamp,
        time: citation.time,
        permalink: citation.permalink,
        collection: hit.collection,
        current: hit.is_current,
        status: hit.status,
        // Three decimals tell hits apart; more are noise.
        score: (f64::from(hit.score) * 1_000.0).round() / 1_000.0,
    }
}

impl Answer for SearchResults {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.results.len()
    }

    fn cut(&mut self, units: usize) {
        self.results.truncate(units);
        if let Some(cursor) = units.checked_sub(1).and_then(|last| self.cursors.get(last)).cloned() {
            self.standing.go_on("cursor", format_args!("\"{cursor}\""));
            self.next_cursor = Some(cursor);
        }
    }

    fn slim(&mut self) {
        for hit in &mut self.results {
            super::clip(&mut hit.title, 300);
            hit.headings.iter_mut().for_each(|heading| super::clip(heading, 200));
            hit.headings.truncate(6);
            super::clip(hit.status.get_or_insert_default(), 80);
            hit.status.take_if(|status| status.is_empty());
        }
    }
}
