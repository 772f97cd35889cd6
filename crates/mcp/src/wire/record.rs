//! One record whole: metadata, standing, reviews, relations, and its body or a stretch of it.

use document::RelationKind;
use engine::decisions::{RecordAnswer, StatedBy};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};

use super::citation::{cut_at_line, of_beginning};
use super::related::{Related, Relation, relations};
use super::{Answer, AsOf, History, Review, Reviewer, RfcReview, Standing, fields_json};
use crate::tools::Site;

/// Something wrong in the record's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// Stable name of the fault.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// Line, from 1.
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
    /// The way on.
    pub hint: Option<String>,
}

/// A section of the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OutlineEntry {
    /// Positional path; `<id>#<section>` reads it alone.
    pub section: String,
    /// Its heading.
    pub heading: String,
}

/// Where the body stands in the record's file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RecordPart {
    /// Section that was asked for; null for the whole body.
    pub section: Option<String>,
    /// First character of the body, from 0.
    pub char_start: usize,
    /// One past its last character.
    pub char_end: usize,
    /// First line, from 1.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
}

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Record {
    /// Full id.
    pub id: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    #[serde(rename = "ref")]
    pub reference: Option<String>,
    /// Title.
    pub title: String,
    /// A sentence about it.
    pub description: String,
    /// Status word; `unknown` where none can be read.
    pub status: String,
    /// The status as written, where that says more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_raw: Option<String>,
    /// What the file says behind the status word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_note: Option<String>,
    /// Whether its status is in force.
    pub current: bool,
    /// Date, as exact as the source is.
    pub date: Option<String>,
    /// The date as written, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_raw: Option<String>,
    /// Project.
    pub project: String,
    /// Type such as `adr`.
    #[serde(rename = "type")]
    pub record_type: String,
    /// Tags.
    pub tags: Vec<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who decided.
    pub deciders: Vec<String>,
    /// Who was asked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub consulted: Vec<String>,
    /// Who was told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub informed: Vec<String>,
    /// Custom metadata.
    pub fields: Map<String, Value>,
    /// Periodic review, where one is scheduled.
    pub review: Option<Review>,
    /// What each reviewer said.
    pub reviewers: Vec<Reviewer>,
    /// Standing of its review by reviewers, where it has some.
    #[serde(rename = "rfcReview")]
    pub rfc_review: Option<RfcReview>,
    /// Records whose place it takes.
    pub supersedes: Vec<Related>,
    /// Records that take its place.
    #[serde(rename = "supersededBy")]
    pub superseded_by: Vec<Related>,
    /// End of the chain of successors; null when the record is current itself or the chain leads nowhere.
    #[serde(rename = "currentRecord")]
    pub current_record: Option<Related>,
    /// Further ends where the chain branches.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_current_records: Vec<Related>,
    /// Ids of related records, by the word of either.
    pub related: Vec<String>,
    /// Those of them that only the other record names as related.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related_by_other: Vec<String>,
    /// Relations of other kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub relations: Vec<Relation>,
    /// What is worth knowing about its standing, such as a record that says it supersedes this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What is wrong in its file and with its relations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// The past that the record is of, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub as_of: Option<AsOf>,
    /// Which commits changed its status, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
    /// Outline of the body.
    pub sections: Vec<OutlineEntry>,
    /// Path of its file in the collection.
    pub path: String,
    /// Stable name.
    pub uri: String,
    /// Web path for people.
    pub permalink: String,
    /// Address for people.
    pub url: String,
    /// Hash of the file's bytes.
    pub stamp: String,
    /// Where the body stands in the file.
    pub part: RecordPart,
    /// Markdown without front matter.
    pub body: String,
    #[serde(flatten)]
    pub(crate) standing: Standing,
    /// The YAML block of the text form, without its closing fence.
    #[serde(skip)]
    header: String,
    /// The citation of the whole stretch, for a cut.
    #[serde(skip)]
    whole: document::Citation,
}

impl Record {
    /// A record with the stretch of its body from `from_char` on, a character of the whole file as citations count them.
    ///
    /// # Errors
    /// A place outside of the body.
    pub fn of(answer: &RecordAnswer, from_char: Option<i64>, site: &Site) -> engine::Result<Self> {
        let query = engine::search::FetchQuery { id: answer.row.id.clone(), from_char, budget_chars: usize::MAX };
        let (span, _) = engine::search::stretch(&answer.document, answer.body.span, &query)?;
        let whole = engine::cite(&answer.document, span);
        let uri = match &answer.body.section {
            Some(section) => answer.document.uri.clone().with_section(section.as_str()),
            None => answer.document.uri.clone(),
        };
        let (record, row) = (&answer.row.record, &answer.row);
        let list = |kind| answer.related(kind).map(Related::of).collect();
        Ok(Self {
            id: row.id.clone(),
            reference: row.reference.clone(),
            title: row.title.clone(),
            description: row.description.clone(),
            status: row.status.clone(),
            status_raw: record.status.raw.clone().filter(|raw| *raw != row.status),
            status_note: record.status.note.clone(),
            current: answer.is_current,
            date: row.date.clone(),
            date_raw: record.date.as_ref().filter(|date| date.iso.as_deref() != Some(date.raw.as_str())).map(|date| date.raw.clone()),
            project: row.project.clone(),
            record_type: row.record_type.clone(),
            tags: row.tags.clone(),
            authors: record.people.authors.clone(),
            deciders: record.people.deciders.clone(),
            consulted: record.people.consulted.clone(),
            informed: record.people.informed.clone(),
            fields: fields_json(&answer.fields),
            review: answer.review.clone().map(Review::from),
            reviewers: answer.reviewers.iter().cloned().map(Reviewer::from).collect(),
            rfc_review: answer.rfc_review.clone().map(RfcReview::from),
            supersedes: list(RelationKind::Supersedes),
            superseded_by: list(RelationKind::SupersededBy),
            current_record: answer.current_record.as_ref().map(Related::of),
            other_current_records: answer.other_ends.iter().map(Related::of).collect(),
            related: answer.related(RelationKind::RelatesTo).map(|related| related.id.clone()).collect(),
            related_by_other: answer
                .related(RelationKind::RelatesTo)
                .filter(|related| related.stated_by == StatedBy::Other)
                .map(|related| related.id.clone())
                .collect(),
            relations: relations(answer),
            notes: answer.notes.clone(),
            problems: answer.problems.iter().map(problem).collect(),
            as_of: None,
            history: None,
            sections: outline(&answer.document),
            path: row.path.clone(),
            permalink: uri.permalink(),
            url: site.url(&uri.permalink()),
            uri: uri.to_string(),
            stamp: answer.document.stamp.as_str().to_owned(),
            part: part(answer.body.section.clone(), &whole),
            body: span.of(&answer.document.text).to_owned(),
            standing: Standing::default(),
            header: open_header(answer),
            whole,
        })
    }
}

/// The YAML block up to, not including, its closing fence.
fn open_header(answer: &RecordAnswer) -> String {
    let header = engine::decisions::header_text(answer);
    header.strip_suffix("---\n").unwrap_or(&header).to_owned()
}

fn part(section: Option<String>, citation: &document::Citation) -> RecordPart {
    let document::Citation { char_start, char_end, line_start, line_end, .. } = citation;
    RecordPart { section, char_start: *char_start, char_end: *char_end, line_start: *line_start, line_end: *line_end }
}

fn problem(problem: &document::Problem) -> Problem {
    Problem {
        code: problem.code.clone(),
        severity: problem.severity.as_str().to_owned(),
        line: problem.line_number,
        message: problem.message.clone(),
        hint: problem.hint.clone(),
    }
}

fn outline(document: &document::Document) -> Vec<OutlineEntry> {
    let headed = document.sections.iter().filter(|section| section.level > 0);
    headed.map(|section| OutlineEntry { section: section.path.clone(), heading: section.heading.clone() }).collect()
}

impl Answer for Record {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.body.chars().count()
    }

    fn least(&self) -> usize {
        self.units().min(1_500)
    }

    fn cut(&mut self, units: usize) {
        cut_at_line(&mut self.body, units);
        let cited = of_beginning(&self.whole, &self.body);
        self.standing.go_on("from_char", cited.char_end);
        self.part = part(self.part.section.take(), &cited);
    }

    fn slim(&mut self) {
        for text in [&mut self.title, &mut self.description] {
            super::clip(text, 300);
        }
        super::clip(&mut self.status, 80);
        for text in [&mut self.status_raw, &mut self.status_note, &mut self.date_raw].into_iter().flatten() {
            super::clip(text, 200);
        }
        for list in [
            &mut self.tags,
            &mut self.authors,
            &mut self.deciders,
            &mut self.consulted,
            &mut self.informed,
            &mut self.related,
            &mut self.related_by_other,
        ] {
            list.truncate(12);
            list.iter_mut().for_each(|text| super::clip(text, 80));
        }
        super::clip_fields(&mut self.fields, 12, 80);
        self.reviewers.truncate(12);
        if let Some(review) = &mut self.rfc_review {
            review.waiting_on.truncate(12);
        }
        for list in [&mut self.supersedes, &mut self.superseded_by, &mut self.other_current_records] {
            list.truncate(3);
        }
        self.relations.truncate(3);
        self.notes.truncate(2);
        self.problems.truncate(2);
        self.sections.truncate(12);
        self.sections.iter_mut().for_each(|entry| super::clip(&mut entry.heading, 60));
        let kept = self.header.char_indices().nth(1_500).map_or(self.header.len(), |(at, _)| self.header[..at].rfind('\n').map_or(0, |end| end + 1));
        self.header.truncate(kept);
        self.standing.shortened("Some metadata was shortened; the resource of the same uri has all of it.");
    }

    /// A YAML block and the body (seed 000).
    fn text(&self, json: &Value) -> String {
        let mut header = self.header.clone();
        for name in ["as_of", "history"] {
            if let Some(value) = json.get(name) {
                // JSON is YAML.
                header.push_str(&format!("{name}: {value}\n"));
            }
        }
        joined(&header, &self.standing, &self.body)
    }
}

/// What an answer says of itself stands in the YAML block, never in the record's own text: library text is data.
fn joined(header: &str, standing: &Standing, body: &str) -> String {
    let mut text = header.to_owned();
    for (name, is_so) in [("truncated", standing.truncated), ("stale", standing.stale)] {
        if is_so {
            text.push_str(&format!("{name}: true\n"));
        }
    }
    for (name, value) in [("next", &standing.next), ("stale_reason", &standing.stale_reason)] {
        if let Some(value) = value {
            // A JSON string is a YAML scalar.
            text.push_str(&format!("{name}: {}\n", Value::from(value.as_str())));
        }
    }
    text.push_str("---\n");
    text.push_str(body);
    text
}

/// The same text without a budget, for the resource; `stale_reason` where it may be older than the file.
pub fn whole_text(answer: &RecordAnswer, stale_reason: Option<&str>) -> String {
    let mut standing = Standing::default();
    if let Some(reason) = stale_reason {
        standing.stale(reason);
    }
    joined(&open_header(answer), &standing, answer.body.span.of(&answer.document.text))
}
