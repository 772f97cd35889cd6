//! `get_record`: one record whole, with its standing, reviews and relations resolved.

use document::{Document, People, Problem, RecordDate, RelationKind, Reviewer, Span, Value};
use store::RecordRow;

use super::metadata_rules::MetadataRules;
use super::relations::{Chain, MOST_ABOUT, Network, Related, StatedBy};
use super::reviews::{ReviewState, RfcReview, project_approvals, review_state, rfc_review};
use super::{Statuses, consistency, fields, ids};
use crate::{Desk, Error, Result};

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
    /// What it relates to: what it states itself, in the order of its file, then what only other records state about it.
    pub relations: Vec<Related>,
    /// End of the chain of successors: the first that the chain leads to.
    pub current_record: Option<Related>,
    /// Further ends where the chain branches.
    pub other_ends: Vec<Related>,
    /// What is worth knowing about its standing and does not follow from its own words.
    pub notes: Vec<String>,
    /// What is wrong with its file, and with its relations.
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
    let statuses = &desk.library.statuses(row.collection_id);
    let is_current = statuses.is_in_force(&row.record);
    let mut network = Network::empty(desk, MOST_ABOUT);
    let at = network.look_at(desk, row.clone()).await?;
    let relations = network.related(at);
    let chain = if is_current { Chain::default() } else { network.chain(desk, at).await? };
    let mut ends: Vec<Related> = chain.ends.iter().map(|end| Related::end(network.catalogue.card(*end))).collect();
    let current_record = (!ends.is_empty()).then(|| ends.remove(0));
    let mut notes = if is_current { claims(&row.status, &relations, statuses) } else { Vec::new() };
    if let Some(first) = chain.circle.first() {
        let ids: Vec<&str> = chain.circle.iter().chain([first]).map(|at| network.catalogue.card(*at).id.as_str()).collect();
        notes.push(format!("Supersession runs in a circle: {}.", ids.join(" → ")));
    }
    let stored = desk.library.store().problems(Some(row.collection_id)).await?;
    let mut problems: Vec<Problem> = stored.into_iter().map(|row| row.problem).filter(|problem| problem.path == row.path).collect();
    problems.extend(consistency::of_record(desk, network, at, &document.text).await?);
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
        notes,
        problems,
        body,
        document,
        row,
    })
}

/// What others say against a record that is in force by its own words. Its own status is what counts; whoever reads it should know.
fn claims(status: &str, relations: &[Related], statuses: &Statuses) -> Vec<String> {
    let claim = |related: &Related| {
        let known = related.known.as_ref()?;
        let is_claim = related.kind == RelationKind::SupersededBy && !related.is_partial && related.stated_by == StatedBy::Other;
        let standing = if statuses.is_current(&known.status) { String::new() } else { format!(", whose status is \"{}\",", known.status) };
        is_claim.then(|| format!("{}{standing} says that it supersedes this record; its own status is still \"{status}\".", related.id))
    };
    relations.iter().filter_map(claim).collect()
}

/// The relations of many records, in their order.
///
/// # Errors
/// A store that cannot be read.
pub(super) async fn relations_of(desk: &Desk, rows: &[RecordRow]) -> Result<Vec<Vec<Related>>> {
    let network = consistency::network(desk).await?;
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let at = network.catalogue.place_of(row.document_id);
        all.push(at.map(|at| network.related(at)).unwrap_or_default());
    }
    Ok(all)
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
        yaml.list(key, &answer.related(kind).map(named).collect::<Vec<_>>());
    }
    yaml.list("notes", &answer.notes);
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

/// A related record with what must be known of the relation.
fn named(related: &Related) -> String {
    let remarks: Vec<&str> = [(related.is_partial, "in part"), (related.stated_by == StatedBy::Other, "stated there")]
        .into_iter()
        .filter_map(|(is_so, remark)| is_so.then_some(remark))
        .collect();
    if remarks.is_empty() { related.id.clone() } else { format!("{} ({})", related.id, remarks.join(", ")) }
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
