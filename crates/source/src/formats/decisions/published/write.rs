//! A site as the text of `decisions.json`.

use document::Value;
use serde_json::{Map, Value as Json, json};

use super::{PublishedProject, PublishedRecord, PublishedSite, PublishedTarget};
use crate::formats::decisions::FieldDeclaration;

/// See [`super::write()`].
pub(super) fn write(site: &PublishedSite) -> String {
    let mut top = Map::new();
    put_some(&mut top, "generator", site.generator.as_deref());
    top.insert("name".to_owned(), Json::from(site.name.as_str()));
    if !site.statuses.is_empty() {
        let statuses = site.statuses.iter().map(|status| json!({ "name": status.name, "current": status.is_current, "open": status.is_open }));
        top.insert("statuses".to_owned(), statuses.collect());
    }
    top.insert("fields".to_owned(), site.fields.iter().map(field).collect());
    top.insert("projects".to_owned(), site.projects.iter().map(project).collect());
    top.insert("records".to_owned(), site.records.iter().map(record).collect());
    // With its alternate form, a JSON value shows itself indented; a map with text keys cannot fail to.
    format!("{:#}\n", Json::Object(top))
}

fn put_some(map: &mut Map<String, Json>, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        map.insert(name.to_owned(), Json::from(text));
    }
}

fn field(field: &FieldDeclaration) -> Json {
    json!({
        "name": field.name,
        "label": field.label,
        "type": field.field_type,
        "values": field.values,
        "unit": field.unit,
        "description": field.description,
    })
}

fn project(project: &PublishedProject) -> Json {
    json!({
        "id": project.id,
        "name": project.name,
        "description": project.description,
        "owners": project.owners,
        "order": project.order,
        "approvalsRequired": project.approvals_required,
        "fields": project.fields.iter().map(field).collect::<Vec<_>>(),
    })
}

fn record(record: &PublishedRecord) -> Json {
    let mut map = Map::new();
    let mut put = |name: &str, value: Json| map.insert(name.to_owned(), value);
    put("id", json!(record.id));
    put("ref", json!(record.reference));
    put("title", json!(record.title));
    put("description", json!(record.description));
    put("status", json!(record.status));
    put("date", json!(record.date));
    put("project", json!(record.project));
    put("type", json!(record.record_type));
    put("authors", json!(record.authors));
    put("deciders", json!(record.deciders));
    for (name, people) in [("consulted", &record.consulted), ("informed", &record.informed)] {
        if !people.is_empty() {
            put(name, json!(people));
        }
    }
    put("tags", json!(record.tags));
    put("fields", Json::Object(values(&record.fields)));
    put(
        "review",
        record.review.as_ref().map_or(Json::Null, |review| json!({ "due": review.due, "reviewed": review.reviewed, "every": review.every })),
    );
    put("reviewers", record.reviewers.iter().map(|reviewer| json!({ "name": reviewer.name, "state": reviewer.state })).collect());
    let rfc_review = record.rfc_review.as_ref().map_or(
        Json::Null,
        |review| json!({ "status": review.status, "approved": review.approved, "required": review.required, "waitingOn": review.waiting_on }),
    );
    put("rfcReview", rfc_review);
    for (name, targets) in record.relations.named() {
        // The seed names these two; the others are there where there is something to say.
        if !targets.is_empty() || name.starts_with("supersede") {
            put(name, targets.iter().map(target).collect());
        }
    }
    put("related", json!(record.related));
    for (name, text) in [
        ("url", &record.url),
        ("markdown", &record.markdown),
        ("path", &record.path),
        ("collection", &record.collection),
        ("number", &record.number),
        ("stamp", &record.stamp),
    ] {
        if let Some(text) = text {
            put(name, json!(text));
        }
    }
    if !record.sidecars.is_empty() {
        put("sidecars", record.sidecars.iter().map(|sidecar| json!({ "path": sidecar.path, "text": sidecar.text })).collect());
    }
    Json::Object(map)
}

fn target(target: &PublishedTarget) -> Json {
    let mut map = Map::new();
    map.insert("id".to_owned(), json!(target.id));
    for (name, text) in [("ref", &target.reference), ("title", &target.title), ("status", &target.status)] {
        if text.is_some() || !target.is_missing {
            map.insert(name.to_owned(), json!(text));
        }
    }
    for (name, is_so) in [("missing", target.is_missing), ("partial", target.is_partial)] {
        if is_so {
            map.insert(name.to_owned(), Json::Bool(true));
        }
    }
    Json::Object(map)
}

/// Metadata as JSON: texts as written, the first of two entries of one name.
fn values(entries: &[(String, Value)]) -> Map<String, Json> {
    let mut map = Map::new();
    for (name, value) in entries {
        map.entry(name.clone()).or_insert_with(|| json(value));
    }
    map
}

fn json(value: &Value) -> Json {
    match value {
        Value::Empty => Json::Null,
        Value::Text(text) => Json::from(text.as_str()),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => Json::Object(values(entries)),
    }
}
