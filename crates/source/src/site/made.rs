//! A record file made from an entry of `decisions.json` and the text of its copy, in keys that the ordinary reader reads.

use document::Value;

use crate::formats::decisions::entry_name;
use crate::formats::decisions::published::{PublishedRecord, PublishedTarget};

/// Relations with the key of whole ones and that of partial ones. The two must differ by more than the remark: a key that stands twice is a problem.
const PARTIAL_KEYS: [(&str, &str); 2] = [("supersedes", "replaces (in part)"), ("supersededBy", "replaced-by (in part)")];

/// The file: front matter from the entry, then the copy's text without its own.
pub(super) fn file(entry: &PublishedRecord, body: &str) -> String {
    let mut header = Header { text: "---\n".to_owned(), names: Vec::new() };
    header.text("title", Some(&entry.title).filter(|title| !title.trim().is_empty()));
    header.text("description", Some(&entry.description).filter(|text| !text.trim().is_empty()));
    header.text("status", Some(&entry.status).filter(|status| !status.trim().is_empty() && *status != document::UNKNOWN));
    header.text("date", entry.date.as_ref());
    for (key, list) in [
        ("authors", &entry.authors),
        ("deciders", &entry.deciders),
        ("consulted", &entry.consulted),
        ("informed", &entry.informed),
        ("tags", &entry.tags),
    ] {
        header.list(key, list.iter().map(String::as_str));
    }
    for (key, targets) in entry.relations.named() {
        let partial_key = PARTIAL_KEYS.iter().find(|(whole, _)| *whole == key).map(|(_, partial)| *partial);
        let is_apart = |target: &&PublishedTarget| partial_key.is_some() && target.is_partial;
        header.list(key, targets.iter().filter(|target| !is_apart(target)).map(|target| target.id.as_str()));
        if let Some(partial_key) = partial_key {
            header.list(partial_key, targets.iter().filter(is_apart).map(|target| target.id.as_str()));
        }
    }
    header.list("related", entry.related.iter().map(String::as_str));
    if let Some(review) = &entry.review {
        let parts = [("due", &review.due), ("reviewed", &review.reviewed), ("every", &review.every)];
        let parts = parts.into_iter().filter_map(|(key, text)| Some((key.to_owned(), Value::Text(text.clone()?)))).collect::<Vec<_>>();
        if !parts.is_empty() {
            header.value("review", &Value::Map(parts));
        }
    }
    let reviewers = entry.reviewers.iter().map(|reviewer| {
        Value::Map(vec![("name".to_owned(), Value::Text(reviewer.name.clone())), ("state".to_owned(), Value::Text(reviewer.state.clone()))])
    });
    let reviewers: Vec<Value> = reviewers.collect();
    if !reviewers.is_empty() {
        header.value("reviewers", &Value::List(reviewers));
    }
    if let Some(review) = &entry.rfc_review {
        header.text("approvals-required", Some(&review.required.to_string()));
    }
    for (key, value) in &entry.fields {
        header.value(key, value);
    }
    header.text.push_str("---\n");
    header.text.push_str(body);
    header.text
}

/// The text of a copy without front matter of its own.
pub(super) fn body(copy: &str) -> &str {
    let (_, body) = document::split_front_matter(copy);
    body.of(copy)
}

/// Front matter as it grows; each key once.
struct Header {
    text: String,
    names: Vec<String>,
}

impl Header {
    fn text(&mut self, key: &str, text: Option<&String>) {
        if let Some(text) = text {
            self.value(key, &Value::Text(text.clone()));
        }
    }

    fn list<'a>(&mut self, key: &str, items: impl Iterator<Item = &'a str>) {
        let items: Vec<Value> = items.map(|item| Value::Text(item.to_owned())).collect();
        if !items.is_empty() {
            self.value(key, &Value::List(items));
        }
    }

    fn value(&mut self, key: &str, value: &Value) {
        let folded = entry_name(key);
        let name = if folded.is_empty() { key.to_owned() } else { folded };
        // What a custom field would say a second time has been said.
        if name.is_empty() || self.names.contains(&name) {
            return;
        }
        self.names.push(name);
        push_scalar(&mut self.text, key);
        self.text.push_str(": ");
        push(&mut self.text, value);
        self.text.push('\n');
    }
}

/// A value on one line, in the flow style of YAML.
fn push(out: &mut String, value: &Value) {
    match value {
        Value::Empty => out.push_str("null"),
        Value::Text(text) => push_scalar(out, text),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                push(out, item);
            }
            out.push(']');
        }
        Value::Map(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { ", " });
                push_scalar(out, key);
                out.push_str(": ");
                push(out, value);
            }
            out.push('}');
        }
    }
}

/// A text bare where that is safe, else between quotes with everything escaped that a parser could take for something else.
fn push_scalar(out: &mut String, text: &str) {
    let is_bare = text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.'))
        && !matches!(text, "null" | "Null" | "NULL");
    if is_bare {
        out.push_str(text);
        return;
    }
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            ' '..='~' => out.push(character),
            _ if character.is_alphanumeric() => out.push(character),
            _ => out.push_str(&format!("\\U{:08X}", u32::from(character))),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use document::{Facts, RelationKind, Reviewer, Target};
    use proptest::prelude::*;

    use super::*;
    use crate::formats::decisions::published::{PublishedReview, PublishedRfcReview};
    use crate::formats::decisions::{Identity, RecordFiles};
    use crate::{Parsed, RawFile, formats::decisions};

    fn read(file: String) -> Parsed {
        let identity =
            Identity { project: "sre".to_owned(), record_type: "adr".to_owned(), slug: "0001-x".to_owned(), number: Some("0001".to_owned()) };
        let files = RecordFiles { main: "sre/adr/0001-x.md".to_owned(), sidecars: Vec::new(), identity };
        decisions::read(&files, &RawFile { path: files.main.clone(), bytes: file.into_bytes() }, &[])
    }

    #[test]
    fn all_that_an_entry_says_is_read_from_the_file_that_is_made_of_it() {
        let target = |id: &str, is_partial| PublishedTarget { id: id.to_owned(), is_partial, ..PublishedTarget::default() };
        let mut entry = PublishedRecord {
            title: "Keep: \"one\" store".to_owned(),
            description: "Why # we do".to_owned(),
            status: "on trial".to_owned(),
            date: Some("2026-03-02".to_owned()),
            authors: vec!["Mira Ö".to_owned(), "jon".to_owned()],
            deciders: vec!["ann".to_owned()],
            tags: vec!["a b".to_owned(), "slo".to_owned()],
            fields: vec![("risk".to_owned(), Value::Text("high".to_owned())), ("Status".to_owned(), Value::Text("other".to_owned()))],
            review: Some(PublishedReview { due: Some("2027-01-01".to_owned()), reviewed: None, every: Some("1 year".to_owned()) }),
            reviewers: vec![Reviewer { name: "bo".to_owned(), state: "approved".to_owned() }],
            rfc_review: Some(PublishedRfcReview { required: 2, ..PublishedRfcReview::default() }),
            related: vec!["ai/rfc/0003-y".to_owned()],
            ..PublishedRecord::default()
        };
        entry.relations.superseded_by = vec![target("sre/adr/0002-y", false), target("sre/adr/0004-z", true)];
        let parsed = read(file(&entry, body("---\ntitle: Its own\n---\n\n## Context\n\nText.\n")));
        assert_eq!(parsed.problems, []);
        let document = &parsed.documents[0];
        assert_eq!((document.title.as_str(), document.description.as_str()), ("Keep: \"one\" store", "Why # we do"));
        assert_eq!(document.tags, ["a b", "slo"]);
        assert_eq!(document.date.as_deref(), Some("2026-03-02"));
        assert!(document.text.ends_with("---\n\n## Context\n\nText.\n"), "{}", document.text);
        let Facts::Record(record) = &document.facts else { panic!("a record") };
        assert_eq!(record.status.word, "on trial");
        assert_eq!(record.people.authors, ["Mira Ö", "jon"]);
        assert_eq!(record.approvals_required, Some(2));
        assert_eq!(record.reviewers, entry.reviewers);
        let review = record.review.as_ref().expect("a review");
        assert_eq!((review.due.as_deref(), review.every.as_deref()), (Some("2027-01-01"), Some("1 year")));
        let relations: Vec<(RelationKind, bool, &str)> = record
            .relations
            .iter()
            .map(|relation| match &relation.target {
                Target::Path(name) | Target::Id(name) => (relation.kind, relation.is_partial, name.as_str()),
                other => panic!("{other:?}"),
            })
            .collect();
        let expected = [
            (RelationKind::SupersededBy, false, "sre/adr/0002-y"),
            (RelationKind::SupersededBy, true, "sre/adr/0004-z"),
            (RelationKind::RelatesTo, false, "ai/rfc/0003-y"),
        ];
        assert_eq!(relations, expected);
        assert!(record.metadata.contains(&("risk".to_owned(), Value::Text("high".to_owned()))));
    }

    proptest! {
        #[test]
        fn whatever_a_text_holds_it_is_the_same_when_it_is_read(key in "[a-z]{3,8}", text in any::<String>(), body_text in any::<String>()) {
            let entry = PublishedRecord {
                title: "T".to_owned(),
                fields: vec![(format!("x{key}"), Value::List(vec![Value::Text(text.clone()), Value::Empty]))],
                ..PublishedRecord::default()
            };
            let made = file(&entry, body(&body_text));
            prop_assert_eq!(body(&made), body(&body_text));
            let parsed = read(made);
            let Facts::Record(record) = &parsed.documents[0].facts else { panic!("a record") };
            let found = &record.metadata.iter().find(|(name, _)| *name == format!("x{key}")).expect("the field").1;
            // Line ends behind a text are none of it: so the reader has it for every header.
            prop_assert_eq!(found, &Value::List(vec![Value::Text(text.trim_end_matches('\n').to_owned()), Value::Empty]));
        }
    }
}
