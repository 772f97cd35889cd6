//! One entry of `records` as a record.

use document::{RelationKind, Reviewer, UNKNOWN};
use serde_json::{Map, Value as Json};

use super::members::{Members, metadata_value, scalar};
use super::problems::{Problems, shown};
use super::{PublishedRecord, PublishedRelations, PublishedReview, PublishedRfcReview, PublishedSidecar, PublishedTarget};
use crate::formats::decisions::{name, reviewers};

/// Members that follow from others, or hold the text: no metadata of the record.
const DERIVED: &[&str] = &["current", "current-record", "other-current-records", "uri", "permalink", "problems", "sections", "body", "content"];

const RELATIONS: [(&str, RelationKind); 7] = [
    ("supersedes", RelationKind::Supersedes),
    ("superseded-by", RelationKind::SupersededBy),
    ("amends", RelationKind::Amends),
    ("amended-by", RelationKind::AmendedBy),
    ("clarifies", RelationKind::Clarifies),
    ("clarified-by", RelationKind::ClarifiedBy),
    ("depends-on", RelationKind::DependsOn),
];

/// Reads one entry; `None`, with a problem, where it has no id.
pub(super) fn read(place: usize, map: Map<String, Json>, problems: &mut Problems) -> Option<PublishedRecord> {
    let mut members = Members::new(format!("record {place}"), map, problems);
    let Some(id) = members.text("id").filter(|id| !id.trim().is_empty()) else {
        members.problem("published-record", "the id is missing, so it was left out");
        return None;
    };
    members.rename(format!("the record \"{}\"", shown(&id)));
    let mut parts = id.split('/');
    let (first, second, last) = (parts.next().unwrap_or_default(), parts.next(), id.rsplit('/').next().unwrap_or_default());
    Some(PublishedRecord {
        reference: members.text("ref"),
        title: members.text("title").unwrap_or_else(|| name::title(last)),
        description: members.text("description").unwrap_or_default(),
        status: members.text("status").unwrap_or_else(|| UNKNOWN.to_owned()),
        date: members.text("date"),
        project: members.text("project").unwrap_or_else(|| first.to_owned()),
        record_type: members.text("type").unwrap_or_else(|| second.unwrap_or_default().to_owned()),
        authors: members.texts("authors"),
        deciders: members.texts("deciders"),
        consulted: members.texts("consulted"),
        informed: members.texts("informed"),
        tags: members.texts("tags"),
        review: review(&mut members),
        reviewers: reviewers(&mut members),
        rfc_review: rfc_review(&mut members),
        relations: relations(&mut members),
        related: members.texts("related"),
        url: members.text("url"),
        markdown: members.text("markdown"),
        path: members.text("path"),
        collection: members.text("collection"),
        number: members.text("number"),
        stamp: members.text("stamp"),
        sidecars: sidecars(&mut members),
        // Last: it takes all that is left.
        fields: members.metadata("fields", DERIVED),
        id,
    })
}

/// `{ due, reviewed, every }`, or the interval alone.
fn review(members: &mut Members<'_>) -> Option<PublishedReview> {
    let value = members.take("review")?;
    if let Some(every) = scalar(&value) {
        return Some(PublishedReview { every: Some(every), ..PublishedReview::default() });
    }
    let Json::Object(map) = value else {
        members.problem("published-member", "\"review\" is no object and was left out");
        return None;
    };
    let mut inner = members.inner("review", map);
    Some(PublishedReview { due: inner.text("due"), reviewed: inner.text("reviewed"), every: inner.text("every") })
}

/// `{ name, state }` each; what is written otherwise is read as in a file.
fn reviewers(members: &mut Members<'_>) -> Vec<Reviewer> {
    let mut reviewers: Vec<Reviewer> = Vec::new();
    for item in members.list("reviewers") {
        if let (Some(Json::String(name)), Some(Json::String(state))) = (item.get("name"), item.get("state")) {
            reviewers.push(Reviewer { name: name.clone(), state: state.clone() });
        } else {
            reviewers.extend(metadata_value(item, 0).map(|value| reviewers::named(&value)).unwrap_or_default());
        }
    }
    reviewers
}

fn rfc_review(members: &mut Members<'_>) -> Option<PublishedRfcReview> {
    let mut inner = members.object("rfc-review")?;
    Some(PublishedRfcReview {
        status: inner.text("status").unwrap_or_default(),
        approved: inner.number("approved").unwrap_or_default(),
        required: inner.number("required").unwrap_or_default(),
        waiting_on: inner.texts("waiting-on"),
    })
}

fn relations(members: &mut Members<'_>) -> PublishedRelations {
    let mut relations = PublishedRelations::default();
    for (name, kind) in RELATIONS {
        let items = match members.take(name) {
            None => continue,
            Some(Json::Array(items)) => items,
            Some(one) => vec![one],
        };
        let mut targets = Vec::new();
        for item in items {
            let target = match item {
                Json::Object(map) => {
                    let mut inner = members.inner(name, map);
                    inner.text("id").map(|id| PublishedTarget {
                        id,
                        reference: inner.text("ref"),
                        title: inner.text("title"),
                        status: inner.text("status"),
                        is_partial: inner.flag("partial"),
                        is_missing: inner.flag("missing"),
                    })
                }
                other => scalar(&other).map(|id| PublishedTarget { id, ..PublishedTarget::default() }),
            };
            match target {
                Some(target) => targets.push(target),
                None => members.problem("published-member", &format!("an entry of \"{name}\" names no record and was left out")),
            }
        }
        if let Some(list) = relations.of_mut(kind) {
            *list = targets;
        }
    }
    relations
}

fn sidecars(members: &mut Members<'_>) -> Vec<PublishedSidecar> {
    let mut sidecars = Vec::new();
    for item in members.list("sidecars") {
        if let (Some(Json::String(path)), Some(Json::String(text))) = (item.get("path"), item.get("text")) {
            sidecars.push(PublishedSidecar { path: path.clone(), text: text.clone() });
        } else {
            members.problem("published-member", "an entry of \"sidecars\" has no path or no text and was left out");
        }
    }
    sidecars
}
