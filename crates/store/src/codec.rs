//! Parts of documents as JSON text and back. Written by hand, so that the document crate knows nothing of it and stored forms change only on purpose.

use document::{
    DateSource, Link, LinkForm, People, Record, RecordDate, Relation, RelationKind, Review, Reviewer, Section, Span, Status, Target, Value,
};
use serde_json::{Map, Value as Json, json};

use crate::StoreError;

/// Nesting of metadata that is kept as it is; deeper values become the list of their texts. The JSON reader stops at 128 levels, a mapping takes three.
const METADATA_DEPTH: usize = 30;

fn corrupt(part: &str) -> StoreError {
    StoreError::Corrupt { what: format!("the {part} of a document") }
}

fn parse(text: &str, part: &str) -> Result<Json, StoreError> {
    serde_json::from_str(text).map_err(|error| StoreError::Corrupt { what: format!("the {part} of a document ({error})") })
}

fn parse_array(text: &str, part: &str) -> Result<Vec<Json>, StoreError> {
    match parse(text, part)? {
        Json::Array(items) => Ok(items),
        _ => Err(corrupt(part)),
    }
}

fn size(json: Option<&Json>) -> Option<usize> {
    json?.as_u64().and_then(|number| usize::try_from(number).ok())
}

fn string(json: Option<&Json>) -> Option<String> {
    json?.as_str().map(str::to_owned)
}

/// Tags: an array of texts.
pub(crate) fn tags_text(tags: &[String]) -> String {
    if tags.is_empty() { "[]".to_owned() } else { Json::from(tags).to_string() }
}

pub(crate) fn tags(text: &str) -> Result<Vec<String>, StoreError> {
    if text == "[]" {
        return Ok(Vec::new());
    }
    parse_array(text, "tags")?.into_iter().map(|tag| string(Some(&tag)).ok_or_else(|| corrupt("tags"))).collect()
}

/// Sections: arrays of path, heading, slug, level, start, end and end of subtree.
pub(crate) fn sections_text(sections: &[Section]) -> String {
    let array = |section: &Section| {
        let Section { path, heading, slug, level, span, subtree_end } = section;
        json!([path, heading, slug, level, span.start, span.end, subtree_end])
    };
    sections.iter().map(array).collect::<Json>().to_string()
}

pub(crate) fn sections(text: &str) -> Result<Vec<Section>, StoreError> {
    let section = |json: &Json| {
        Some(Section {
            path: string(json.get(0))?,
            heading: string(json.get(1))?,
            slug: string(json.get(2))?,
            level: u8::try_from(size(json.get(3))?).ok()?,
            span: Span::new(size(json.get(4))?, size(json.get(5))?),
            subtree_end: size(json.get(6))?,
        })
    };
    parse_array(text, "sections")?.iter().map(|json| section(json).ok_or_else(|| corrupt("sections"))).collect()
}

const fn form_word(form: LinkForm) -> &'static str {
    match form {
        LinkForm::Markdown => "markdown",
        LinkForm::Wikilink => "wikilink",
        LinkForm::Metadata => "metadata",
    }
}

/// Links: arrays of target, text, form, start and end.
pub(crate) fn links_text(links: &[Link]) -> String {
    if links.is_empty() {
        return "[]".to_owned();
    }
    links.iter().map(|Link { target, text, form, span }| json!([target, text, form_word(*form), span.start, span.end])).collect::<Json>().to_string()
}

pub(crate) fn links(text: &str) -> Result<Vec<Link>, StoreError> {
    let form = |word: &str| [LinkForm::Markdown, LinkForm::Wikilink, LinkForm::Metadata].into_iter().find(|form| form_word(*form) == word);
    let link = |json: &Json| {
        Some(Link {
            target: string(json.get(0))?,
            text: string(json.get(1))?,
            form: form(json.get(2)?.as_str()?)?,
            span: Span::new(size(json.get(3))?, size(json.get(4))?),
        })
    };
    parse_array(text, "links")?.iter().map(|json| link(json).ok_or_else(|| corrupt("links"))).collect()
}

fn value_json(value: &Value, depth: usize) -> Json {
    match value {
        Value::Empty => Json::Null,
        Value::Text(text) => Json::from(text.as_str()),
        Value::List(_) | Value::Map(_) if depth == 0 => value.texts().into_iter().collect(),
        Value::List(items) => items.iter().map(|item| value_json(item, depth - 1)).collect(),
        // Pairs, because a mapping of a file keeps its order and may say a key twice.
        Value::Map(entries) => json!({ "map": entries.iter().map(|(key, value)| json!([key, value_json(value, depth - 1)])).collect::<Json>() }),
    }
}

fn value(json: &Json) -> Option<Value> {
    Some(match json {
        Json::Null => Value::Empty,
        Json::String(text) => Value::Text(text.clone()),
        Json::Array(items) => Value::List(items.iter().map(value).collect::<Option<_>>()?),
        Json::Object(_) => Value::Map(entries(json.get("map"))?),
        Json::Bool(_) | Json::Number(_) => return None,
    })
}

fn entries(json: Option<&Json>) -> Option<Vec<(String, Value)>> {
    json?.as_array()?.iter().map(|pair| Some((string(pair.get(0))?, value(pair.get(1)?)?))).collect()
}

fn target_json(target: &Target) -> (&'static str, &str) {
    match target {
        Target::Path(text) => ("path", text),
        Target::Number(text) => ("number", text),
        Target::Id(text) => ("id", text),
        Target::Web(text) => ("web", text),
    }
}

fn relation_json(relation: &Relation) -> Json {
    let (form, target) = target_json(&relation.target);
    json!([relation.kind.as_str(), relation.is_partial, form, target, relation.raw, relation.line_number])
}

fn relation(json: &Json) -> Option<Relation> {
    let target = string(json.get(3))?;
    Some(Relation {
        kind: RelationKind::parse(json.get(0)?.as_str()?)?,
        is_partial: json.get(1)?.as_bool()?,
        target: match json.get(2)?.as_str()? {
            "path" => Target::Path(target),
            "number" => Target::Number(target),
            "id" => Target::Id(target),
            "web" => Target::Web(target),
            _ => return None,
        },
        raw: string(json.get(4))?,
        line_number: u32::try_from(size(json.get(5))?).ok()?,
    })
}

/// An object that leaves out what is not stated.
#[derive(Default)]
struct Sparse(Map<String, Json>);

impl Sparse {
    fn put(&mut self, key: &str, value: impl Into<Json>) {
        let value = value.into();
        let is_nothing = match &value {
            Json::Null => true,
            Json::Array(items) => items.is_empty(),
            _ => false,
        };
        if !is_nothing {
            self.0.insert(key.to_owned(), value);
        }
    }
}

/// A record's facts.
pub(crate) fn record_text(record: &Record) -> String {
    let Record { project, record_type, slug, number, status, date, is_draft, people, relations, reviewers, approvals_required, review, metadata } =
        record;
    let mut out = Sparse::default();
    out.put("project", project.as_str());
    out.put("type", record_type.as_str());
    out.put("slug", slug.as_str());
    out.put("number", number.as_deref());
    out.put("status", json!([status.word, status.raw, status.note, status.place]));
    out.put("date", date.as_ref().map_or(Json::Null, |date| json!([date.iso, date.raw, date.source.as_str()])));
    out.put("draft", is_draft.then_some(true));
    out.put("authors", people.authors.as_slice());
    out.put("deciders", people.deciders.as_slice());
    out.put("consulted", people.consulted.as_slice());
    out.put("informed", people.informed.as_slice());
    out.put("relations", relations.iter().map(relation_json).collect::<Json>());
    out.put("reviewers", reviewers.iter().map(|Reviewer { name, state }| json!([name, state])).collect::<Json>());
    out.put("approvals_required", *approvals_required);
    out.put("review", review.as_ref().map_or(Json::Null, |Review { every, reviewed, due }| json!([every, reviewed, due])));
    out.put("metadata", metadata.iter().map(|(key, value)| json!([key, value_json(value, METADATA_DEPTH)])).collect::<Json>());
    Json::Object(out.0).to_string()
}

pub(crate) fn record(text: &str) -> Result<Record, StoreError> {
    decode_record(&parse(text, "record")?).ok_or_else(|| corrupt("record"))
}

/// What a stored array says, or nothing where it was left out; `None` where an element cannot be read.
fn each<T>(json: Option<&Json>, read: impl Fn(&Json) -> Option<T>) -> Option<Vec<T>> {
    json.map_or_else(|| Some(Vec::new()), |items| items.as_array()?.iter().map(read).collect())
}

fn decode_record(json: &Json) -> Option<Record> {
    let names = |key: &str| each(json.get(key), |name| string(Some(name)));
    let status = json.get("status")?;
    let date =
        |date: &Json| Some(RecordDate { iso: string(date.get(0)), raw: string(date.get(1))?, source: DateSource::parse(date.get(2)?.as_str()?)? });
    let review = |review: &Json| Review { every: string(review.get(0)), reviewed: string(review.get(1)), due: string(review.get(2)) };
    Some(Record {
        project: string(json.get("project"))?,
        record_type: string(json.get("type"))?,
        slug: string(json.get("slug"))?,
        number: string(json.get("number")),
        status: Status { word: string(status.get(0))?, raw: string(status.get(1)), note: string(status.get(2)), place: string(status.get(3)) },
        date: json.get("date").map(|found| date(found).ok_or(())).transpose().ok()?,
        is_draft: json.get("draft").is_some(),
        people: People { authors: names("authors")?, deciders: names("deciders")?, consulted: names("consulted")?, informed: names("informed")? },
        relations: each(json.get("relations"), relation)?,
        reviewers: each(json.get("reviewers"), |pair| Some(Reviewer { name: string(pair.get(0))?, state: string(pair.get(1))? }))?,
        approvals_required: json.get("approvals_required").and_then(Json::as_u64).and_then(|number| u32::try_from(number).ok()),
        review: json.get("review").map(review),
        metadata: each(json.get("metadata"), |pair| Some((string(pair.get(0))?, value(pair.get(1)?)?)))?,
    })
}

#[cfg(test)]
pub(crate) mod tests;
