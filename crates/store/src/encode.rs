//! A document as the rows that hold it, made before the transaction begins.

use std::collections::HashSet;

use document::{Document, Problem, Record, Relation, Severity, Stamp, Target};
use serde_json::{Value as Json, json};

use crate::codec;
use crate::fold::{key, number_key, reference_key, shield};

/// Longest uri, path or id that both engines can put into an index, in bytes.
const NAME_BYTES: usize = 1_800;

/// What is written for a document. Texts in rows are shielded.
pub(crate) struct Encoded<'a> {
    pub(crate) document: &'a Document,
    pub(crate) unit: &'a str,
    pub(crate) uri: String,
    pub(crate) sections: String,
    pub(crate) links: String,
    tags: String,
    /// All that a record says.
    pub(crate) facts: Option<String>,
    /// Equal fingerprints, equal rows.
    pub(crate) fingerprint: String,
}

/// What totals are kept for: a served record's collection is known, the rest is here.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct CountKey {
    pub(crate) project: String,
    pub(crate) record_type: String,
    pub(crate) status: String,
}

/// Why a document cannot be stored, as a problem of its file; such names exist in hostile archives only.
pub(crate) fn refusal(document: &Document, uri: &str) -> Option<Problem> {
    let longest = uri.len().max(document.path.len()).max(document.record().map_or(0, |record| record.id().len()));
    let path: String = document.path.chars().take(200).collect();
    let message = format!("The document \"{path}\" has a name of {longest} bytes and is left out.");
    (longest > NAME_BYTES)
        .then(|| Problem::new("name-too-long", Severity::Error, &path, message).hint(format!("Shorten its path to less than {NAME_BYTES} bytes.")))
}

/// A row of `labels`, ordered by its key.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LabelRow {
    label: &'static str,
    name: String,
    key: String,
    document_id: i64,
    shown: String,
    is_first: bool,
}

impl LabelRow {
    pub(crate) fn json(self) -> Json {
        let Self { label, name, key, document_id, shown, is_first } = self;
        json!([document_id, label, shield(&name), shield(&key), shield(&shown), i64::from(is_first)])
    }
}

impl<'a> Encoded<'a> {
    pub(crate) fn of(document: &'a Document, unit: &'a str, uri: String) -> Self {
        let sections = codec::sections_text(&document.sections);
        let links = codec::links_text(&document.links);
        let tags = codec::tags_text(&document.tags);
        let facts = document.record().map(codec::record_text);
        let spans = format!("{}-{}", document.body.start, document.body.end);
        let parts = [
            unit,
            document.kind.as_str(),
            &uri,
            &document.path,
            &document.title,
            &document.description,
            &tags,
            document.date.as_deref().unwrap_or("\0"),
            &spans,
            document.stamp.as_str(),
            &sections,
            &links,
            facts.as_deref().unwrap_or("\0"),
            &document.text,
        ];
        let fingerprint = fingerprint(&parts);
        Self { document, unit, uri, sections, links, tags, facts, fingerprint }
    }

    pub(crate) fn is_draft(&self) -> bool {
        self.document.record().is_some_and(|record| record.is_draft)
    }

    /// Row of `documents`.
    pub(crate) fn document_row(&self, id: i64) -> Json {
        let Document { kind, path, title, description, text, body, date, stamp, .. } = self.document;
        json!([
            id,
            shield(self.unit),
            kind.as_str(),
            self.uri,
            shield(path),
            shield(title),
            shield(description),
            shield(&self.tags),
            date.as_deref().map(shield),
            text.len(),
            body.start,
            body.end,
            stamp.as_str(),
            i64::from(self.is_draft()),
            self.fingerprint
        ])
    }

    /// Row of `records`.
    pub(crate) fn record_row(&self, id: i64) -> Option<Json> {
        let record = self.document.record()?;
        let record_id = record.id();
        let reference = record.reference();
        let date = self.document.date.as_deref().or_else(|| record.date.as_ref().and_then(|date| date.iso.as_deref()));
        let last = record_id.rsplit('/').next().unwrap_or_default();
        Some(json!([
            id,
            i64::from(record.is_draft),
            shield(&record_id),
            reference.as_deref().map(shield),
            shield(&record.status.word),
            // An index that ends in nothing sorts last when the newest come first.
            shield(date.unwrap_or_default()),
            shield(&key(&record.project)),
            shield(&key(&record.record_type)),
            shield(&key(&record.status.word)),
            shield(&key(&record_id)),
            shield(&key(last)),
            record.number.as_deref().map(|number| shield(&number_key(number)).into_owned()),
            reference.as_deref().map(|reference| shield(&reference_key(reference)).into_owned()),
            i64::from(record.review.is_some()),
            i64::from(!record.reviewers.is_empty()),
            shield(&short(&record.project)),
            i64::from(record.is_superseded())
        ]))
    }

    /// Rows of `labels`: each word of a document once. Drafts have none, so that no count and no filter can show them.
    pub(crate) fn label_rows(&self, id: i64) -> Vec<LabelRow> {
        if self.is_draft() {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        let mut seen_names = HashSet::new();
        let mut rows = Vec::new();
        let mut put = |label: &'static str, name: String, value: &str, shown: &str| {
            let value = key(value);
            if !value.is_empty() && seen.insert((label, name.clone(), value.clone())) {
                let is_first = seen_names.insert((label, name.clone()));
                rows.push(LabelRow { label, name, key: value, document_id: id, shown: shown.to_owned(), is_first });
            }
        };
        for tag in &self.document.tags {
            put("tag", String::new(), tag, tag);
        }
        if let Some(record) = self.document.record() {
            for author in &record.people.authors {
                put("author", String::new(), author, author);
            }
            for decider in &record.people.deciders {
                put("decider", String::new(), decider, decider);
            }
            for relation in &record.relations {
                put("relation", String::new(), relation.kind.as_str(), relation.kind.as_str());
            }
            for (field, value) in &record.metadata {
                for text in value.texts() {
                    put("field", key(field), text, field);
                }
            }
        }
        rows
    }

    /// Rows of `relations`.
    pub(crate) fn relation_rows(&self, id: i64) -> Vec<Json> {
        let relations = self.document.record().map_or(&[][..], |record| &record.relations);
        relations
            .iter()
            .enumerate()
            .map(|(position, relation)| {
                let (form, target) = target_key(relation);
                json!([id, position, form, shield(&target)])
            })
            .collect()
    }

    /// Where the record counts, if it is one that is served.
    pub(crate) fn count_key(&self) -> Option<CountKey> {
        let served = |record: &&Record| !record.is_draft;
        self.document.record().filter(served).map(|record| CountKey {
            project: short(&record.project),
            record_type: key(&record.record_type),
            status: key(&record.status.word),
        })
    }
}

/// A project's name as written, cut where an index could not hold it.
fn short(name: &str) -> String {
    name.char_indices().take_while(|(at, _)| *at < 240).map(|(_, character)| character).collect()
}

/// What a relation points at, as a key that [`crate::Store::pointing_to`] can look for: a number, or the last name of anything else.
pub(crate) fn target_key(relation: &Relation) -> (&'static str, String) {
    match &relation.target {
        Target::Number(number) => ("number", number_key(number)),
        other => ("name", reference_key(&other.last_name())),
    }
}

/// A hash in which no two lists of parts look alike: each part is led by its length.
fn fingerprint(parts: &[&str]) -> String {
    let mut whole = Vec::with_capacity(parts.iter().map(|part| part.len() + 8).sum());
    for part in parts {
        whole.extend_from_slice(&(part.len() as u64).to_le_bytes());
        whole.extend_from_slice(part.as_bytes());
    }
    Stamp::of(&whole).as_str()["sha256:".len()..].to_owned()
}
