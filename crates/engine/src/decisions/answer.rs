//! `get_record`: one record whole, with its standing, reviews and relations resolved.

use document::{Document, People, Problem, RecordDate, RelationKind, Reviewer, Span, Value};
use store::RecordRow;

use super::metadata_rules::MetadataRules;
use super::reviews::{ReviewState, RfcReview, project_approvals, review_state, rfc_review};
use super::{fields, ids, successors};
use crate::{Desk, Error, Result};

/// A record that another one points at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Its id; what the text says where the library has no such record.
    pub id: String,
    /// Reference, title and status; `None` where the library has no such record.
    pub known: Option<Known>,
    /// How it relates.
    pub kind: RelationKind,
    /// Only a part is concerned.
    pub is_partial: bool,
}

/// What is known of a related record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    pub reference: Option<String>,
    /// Its title.
    pub title: String,
    /// Its status word.
    pub status: String,
}

impl Related {
    pub(super) fn of(row: &RecordRow) -> Self {
        let known = Known { reference: row.reference.clone(), title: row.title.clone(), status: row.status.clone() };
        Self { id: row.id.clone(), known: Some(known), kind: RelationKind::SupersededBy, is_partial: false }
    }
}

/// Everything about one record.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordAnswer {
    /// The row of the listing.
    pub row: RecordRow,
    /// The document, text included.
    pub document: Document,
    /// Whether its status is in force.
    pub is_current: bool,
    /// Custom metadata.
    pub fields: Vec<(String, Value)>,
    /// Its periodic review.
    pub review: Option<ReviewState>,
    /// Reviewers with what each said.
    pub reviewers: Vec<Reviewer>,
    /// Standing of its review by reviewers.
    pub rfc_review: Option<RfcReview>,
    /// What it relates to, in the order of the file.
    pub relations: Vec<Related>,
    /// End of the chain of successors: the first that the chain leads to.
    pub current_record: Option<Related>,
    /// Further ends where the chain branches.
    pub other_ends: Vec<Related>,
    /// What is wrong with its file.
    pub problems: Vec<Problem>,
    /// The part that was asked for.
    pub body: Body,
}

impl RecordAnswer {
    /// Relations of one kind.
    pub fn related(&self, kind: RelationKind) -> impl Iterator<Item = &Related> {
        self.relations.iter().filter(move |related| related.kind == kind)
    }

    /// Its people.
    #[must_use]
    pub fn people(&self) -> &People {
        &self.row.record.people
    }

    /// Its date with what was written.
    #[must_use]
    pub fn date(&self) -> Option<&RecordDate> {
        self.row.record.date.as_ref()
    }
}

/// A stretch of a record's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Body {
    /// Where it stands in the document's text.
    pub span: Span,
    /// Section that was asked for, as a positional path.
    pub section: Option<String>,
}

/// One record. `id` may carry a section behind `#`: then the body is that section with all below it.
///
/// # Errors
/// Nothing or more than one thing of that name, no such section, or a store that cannot be read.
pub async fn get(desk: &Desk, id: &str) -> Result<RecordAnswer> {
    let (row, section) = ids::resolve(desk, id).await?;
    let stored = desk.library.store().documents(&[row.document_id]).await?.pop();
    let Some(document) = stored.map(|stored| stored.document) else {
        return Err(Error::no_record(id));
    };
    let body = body_of(&document, section.as_deref())?;
    let mut relations = Vec::new();
    for relation in &row.record.relations {
        let found = successors::target(desk, &row, relation).await?;
        let mut related = found.map_or_else(
            || Related { id: successors::said(relation), known: None, kind: relation.kind, is_partial: false },
            |found| Related::of(&found),
        );
        related.kind = relation.kind;
        related.is_partial = relation.is_partial;
        if !relations.contains(&related) {
            relations.push(related);
        }
    }
    let is_current = desk.library.config().statuses.is_in_force(&row.record);
    let mut ends = if is_current { Vec::new() } else { successors::chain_ends(desk, &row).await? };
    let current_record = (!ends.is_empty()).then(|| ends.remove(0));
    let problems = desk.library.store().problems(Some(row.collection_id)).await?;
    let mut problems: Vec<Problem> = problems.into_iter().map(|row| row.problem).filter(|problem| problem.path == row.path).collect();
    problems.extend(MetadataRules::of(&desk.library).problems(&row, &document.text));
    Ok(RecordAnswer {
        is_current,
        fields: fields::custom_fields(&row.record),
        review: review_state(&row, desk.library.clock()),
        reviewers: row.record.reviewers.clone(),
        rfc_review: rfc_review(&row.record, project_approvals(&desk.library, &row.project)),
        relations,
        current_record,
        other_ends: ends,
        problems,
        body,
        document,
        row,
    })
}

fn body_of(document: &Document, section: Option<&str>) -> Result<Body> {
    let Some(wanted) = section else {
        return Ok(Body { span: document.body, section: None });
    };
    let found = document.sections.iter().find(|section| section.path == wanted || (!section.slug.is_empty() && section.slug == wanted));
    match found {
        Some(section) => Ok(Body { span: Span::new(section.span.start, section.subtree_end), section: Some(section.path.clone()) }),
        None => {
            let paths: Vec<String> =
                document.sections.iter().skip(1).take(12).map(|section| format!("{} {}", section.path, section.heading)).collect();
            let error = Error::new(crate::ErrorKind::NotFound, format!("{} has no section \"{wanted}\".", document.uri));
            Err(if paths.is_empty() { error.hint("It has no headings.") } else { error.hint(format!("Its sections: {}.", paths.join("; "))) })
        }
    }
}

/// The YAML block that stands before the body in `get_record`'s text and in the resource: what the record says of itself, then what ibid adds.
#[must_use]
pub fn header_text(answer: &RecordAnswer) -> String {
    let record = &answer.row.record;
    let mut yaml = Yaml::default();
    yaml.text("id", &answer.row.id);
    yaml.optional("ref", answer.row.reference.as_deref());
    yaml.text("title", &answer.row.title);
    if !answer.row.description.is_empty() {
        yaml.text("description", &answer.row.description);
    }
    yaml.text("status", &answer.row.status);
    yaml.optional("status_note", record.status.note.as_deref());
    yaml.plain("current", if answer.is_current { "true" } else { "false" });
    yaml.optional("date", answer.row.date.as_deref());
    yaml.text("project", &answer.row.project);
    yaml.text("type", &answer.row.record_type);
    yaml.list("tags", &answer.row.tags);
    yaml.list("authors", &record.people.authors);
    yaml.list("deciders", &record.people.deciders);
    for (kind, key) in [
        (RelationKind::Supersedes, "supersedes"),
        (RelationKind::SupersededBy, "superseded_by"),
        (RelationKind::Amends, "amends"),
        (RelationKind::AmendedBy, "amended_by"),
    ] {
        let ids: Vec<String> =
            answer.related(kind).map(|related| if related.is_partial { format!("{} (in part)", related.id) } else { related.id.clone() }).collect();
        yaml.list(key, &ids);
    }
    yaml.optional("current_record", answer.current_record.as_ref().map(|related| related.id.as_str()));
    yaml.optional("review_due", answer.review.as_ref().and_then(|review| review.due.as_deref()));
    for (name, value) in &answer.fields {
        let texts: Vec<String> = value.texts().into_iter().map(str::to_owned).collect();
        match texts.as_slice() {
            [one] if matches!(value, Value::Text(_)) => yaml.text(name, one),
            _ => yaml.list(name, &texts),
        }
    }
    yaml.text("uri", &answer.document.uri.to_string());
    yaml.text("stamp", answer.document.stamp.as_str());
    format!("---\n{}---\n", yaml.out)
}

/// Writes the few YAML forms that the header needs. Scalars are double-quoted wherever a YAML reader could take them for anything but text.
#[derive(Default)]
struct Yaml {
    out: String,
}

impl Yaml {
    fn plain(&mut self, key: &str, value: &str) {
        self.out.push_str(&format!("{}: {value}\n", scalar(key)));
    }

    fn text(&mut self, key: &str, value: &str) {
        self.plain(key, &scalar(value));
    }

    fn optional(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(key, value);
        }
    }

    fn list(&mut self, key: &str, values: &[String]) {
        if !values.is_empty() {
            let items: Vec<String> = values.iter().map(|value| scalar(value)).collect();
            self.plain(key, &format!("[{}]", items.join(", ")));
        }
    }
}

fn scalar(text: &str) -> String {
    let is_plain = text.chars().next().is_some_and(|first| first.is_ascii_alphabetic())
        && text.chars().all(|character| character.is_alphanumeric() || "/_-. ".contains(character))
        && !text.ends_with([' ', '.'])
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&text.to_ascii_lowercase().as_str());
    if is_plain { text.to_owned() } else { serde_json::Value::from(text).to_string() }
}
