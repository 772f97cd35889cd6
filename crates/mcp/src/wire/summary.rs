//! Records as they stand in listings; of those found by words, where the words stand.

use document::{Scheme, Uri};
use engine::decisions::{Match, RecordSummary};
use engine::search::Snippet;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{Answer, AsOf, Standing, fields_json};

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
    /// Web path for people; opens the snippet where there is one.
    pub permalink: String,
    /// With a query: the words around the match, verbatim, `…` where they are cut. Absent where only title, description, tags or people match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippet: Option<String>,
    /// With a snippet: positional path of its section; `0` stands before the first heading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// That section's heading; absent before the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub section_heading: Option<String>,
    /// With a query: stable name, with the snippet's section behind `#`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// With a snippet: its first character in the file's text, from 0, without the `…`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub char_start: Option<usize>,
    /// One past its last character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub char_end: Option<usize>,
    /// Its first line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_start: Option<u32>,
    /// Its last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_end: Option<u32>,
    /// With a query: hash of the file's bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stamp: Option<String>,
    /// What the snippet was made from, to make it shorter.
    #[serde(skip)]
    found: Option<Snippet>,
}

impl Summary {
    /// The summary of a record.
    pub fn of(summary: RecordSummary) -> Self {
        let matched = summary.matched;
        let mut out = Self {
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
            snippet: None,
            section: None,
            section_heading: None,
            uri: None,
            char_start: None,
            char_end: None,
            line_start: None,
            line_end: None,
            stamp: None,
            found: None,
        };
        if let Some(Match { uri, stamp, snippet }) = matched {
            (out.uri, out.stamp) = (Some(uri), Some(stamp));
            out.show(snippet);
        }
        out
    }

    /// Shows a snippet with its coordinates.
    fn show(&mut self, snippet: Option<Snippet>) {
        if let Some(snippet) = &snippet {
            let citation = &snippet.citation;
            self.snippet = Some(snippet.text());
            self.section = Some(citation.section.clone());
            self.section_heading = citation.headings.last().cloned();
            self.uri = Some(citation.uri.to_string());
            self.permalink = citation.permalink();
            (self.char_start, self.char_end) = (Some(citation.char_start), Some(citation.char_end));
            (self.line_start, self.line_end) = (Some(citation.line_start), Some(citation.line_end));
        }
        self.found = snippet;
    }

    pub(super) fn slim(&mut self) {
        super::clip(&mut self.title, 300);
        super::clip(&mut self.status, 80);
        super::clip(&mut self.description, 500);
        self.tags.truncate(20);
        self.tags.iter_mut().for_each(|tag| super::clip(tag, 60));
        super::clip_fields(&mut self.fields, 20, 100);
        if let Some(heading) = &mut self.section_heading {
            super::clip(heading, 200);
        }
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
    /// The past that they are of, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
    /// How often the snippets were made shorter.
    #[serde(skip)]
    tightened: usize,
}

/// Characters of snippets that are longer than the answer has room for, step by step: shorter words of all records rather than long ones of a few.
const SNIPPET_STEPS: [usize; 3] = [180, 130, 90];

impl Records {
    /// A page; `note` says why it is empty.
    pub fn page(page: engine::decisions::RecordPage, note: Option<String>, past: Option<&engine::decisions::Past>) -> Self {
        let records = page.records.into_iter().map(Summary::of).collect();
        Self {
            total: page.total,
            offset: page.offset,
            limit: page.limit,
            records,
            as_of: past.map(AsOf::of),
            standing: Standing { note, ..Standing::default() },
            tightened: 0,
        }
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

    fn tighten(&mut self) -> bool {
        let Some(most_chars) = SNIPPET_STEPS.get(self.tightened) else { return false };
        self.tightened += 1;
        for record in &mut self.records {
            let shorter = record.found.as_ref().map(|snippet| snippet.shortened(*most_chars));
            record.show(shorter);
        }
        true
    }

    fn slim(&mut self) {
        self.records.iter_mut().for_each(Summary::slim);
        self.standing.shortened("Call get_record for a record with all its metadata.");
    }
}
