//! What a site publishes reads back as it was, and what others publish costs no more than what is wrong in it.

use document::{Reviewer, Value};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

use super::*;

const FOREIGN: &str = r#"{
  "site": "https://decisions.example.org/",
  "records": [
    { "id": "sre/adr/0001-define-slos", "ref": "SRE-ADR-0001", "title": "Define service objectives", "status": "accepted",
      "date": "2026-03-02", "authors": ["mira", { "name": "Jon" }], "tags": "slo", "risk": "high", "cost": 12,
      "review": { "due": "2027-03-02", "reviewed": null, "every": "1y" }, "supersededBy": "sre/adr/0002-better-slos",
      "reviewers": [{ "handle": "@ann", "status": "lgtm" }, "bo"], "current": true, "md": "http://localhost:3000/sre/adr/0001-define-slos.md" },
    { "id": "sre/adr/0002-better-slos", "title": ["a", "list"], "tags": ["slo", ["x"]], "reviewers": "nobody" },
    "not a record",
    { "title": "No id" },
    { "id": "SRE/adr/0002-Better-SLOs", "title": "The same id again" },
    { "id": "ai/rfc/0001-mcp", "fields": { "risk": null }, "supersedes": [{ "id": "ai/rfc/0000", "missing": true }] }
  ]
}"#;

fn site(text: &str) -> (PublishedSite, Vec<Problem>) {
    read(text.as_bytes()).expect("it has records")
}

fn record(id: &str) -> PublishedRecord {
    let project = id.split('/').next().unwrap_or_default().to_owned();
    PublishedRecord { id: id.to_owned(), project, ..PublishedRecord::default() }
}

#[test]
fn one_bad_record_hides_no_other_and_one_bad_member_no_record() {
    let (site, problems) = site(FOREIGN);
    let ids: Vec<&str> = site.records.iter().map(|record| record.id.as_str()).collect();
    assert_eq!(ids, ["sre/adr/0001-define-slos", "sre/adr/0002-better-slos", "ai/rfc/0001-mcp"]);
    let first = &site.records[0];
    assert_eq!(first.authors, ["mira", "Jon"]);
    assert_eq!(first.tags, ["slo"]);
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(first.fields[..2], [("risk".to_owned(), text("high")), ("cost".to_owned(), text("12"))]);
    assert_eq!(first.review.as_ref().and_then(|review| review.every.as_deref()), Some("1y"));
    assert_eq!(first.relations.superseded_by[0].id, "sre/adr/0002-better-slos");
    let reviewers: Vec<(&str, &str)> = first.reviewers.iter().map(|reviewer| (reviewer.name.as_str(), reviewer.state.as_str())).collect();
    assert_eq!(reviewers, [("ann", "approved"), ("bo", "pending")]);
    let second = &site.records[1];
    assert_eq!(second.title, "Better slos", "a title that is no text is made from the id");
    assert_eq!(second.status, "unknown");
    assert_eq!(second.tags, ["slo"]);
    let third = &site.records[2];
    assert_eq!((third.project.as_str(), third.record_type.as_str()), ("ai", "rfc"), "read from the id");
    assert!(third.relations.supersedes[0].is_missing);
    let messages: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    for said in ["\"title\" is no text", "\"reviewers\" is no list", "Record 3 is no object", "record 4, the id is missing", "stands twice"] {
        assert!(messages.iter().any(|message| message.contains(said)), "{said}: {messages:#?}");
    }
}

#[test]
fn a_bare_list_of_records_is_read_too() {
    let (site, problems) = site(r#"[{ "id": "a/adr/1" }, { "id": "a/adr/2" }]"#);
    assert_eq!(site.records.len(), 2);
    assert_eq!(problems, []);
}

#[test]
fn what_is_no_list_of_records_is_an_error_that_says_so() {
    for text in ["{}", r#"{"records": {}}"#, r#"{"records": null}"#, "3", "\"records\"", "null"] {
        assert_eq!(read(text.as_bytes()), Err(PublishedError::NoRecords), "{text}");
    }
    for text in ["", "<html>", "{\"records\": [", "[{}", "{\"records\": []} x"] {
        assert!(matches!(read(text.as_bytes()), Err(PublishedError::NotJson { .. })), "{text}");
    }
    assert!(matches!(read(b"\xff\xfe[]"), Err(PublishedError::NotJson { .. })));
}

#[test]
fn a_record_that_is_nested_too_deeply_costs_itself_alone() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let text = format!(r#"{{"records": [{{"id": "a/adr/1", "x": {deep}}}, {{"id": "a/adr/2"}}], "more": {deep}}}"#);
    let (site, problems) = site(&text);
    assert_eq!(site.records.len(), 1);
    assert_eq!(site.records[0].id, "a/adr/2");
    assert_eq!(problems.len(), 1, "{problems:?}");
}

#[test]
fn problems_are_counted_not_listed_without_end() {
    let (site, problems) = site(&format!("[{}1]", "1,".repeat(5_000)));
    assert_eq!(site.records, []);
    assert_eq!(problems.len(), 1_001);
    assert!(problems[1_000].message.contains("4001 more"), "{}", problems[1_000].message);
}

#[test]
fn more_records_than_a_site_may_have_are_refused_as_a_whole() {
    let text = format!("[{}1]", "1,".repeat(MAX_RECORDS));
    assert_eq!(read(text.as_bytes()), Err(PublishedError::TooManyRecords { limit: MAX_RECORDS }));
}

#[test]
fn sections_of_llms_txt_name_the_project_that_their_links_lead_to() {
    let text = "# Acme decisions\n\n> All of them.\n\n## Site reliability\n\n> Targets,\n> and how we keep them.\n\n\
                - [Define SLOs](https://x.example/base/sre/adr/0001-define-slos.md): accepted\n\n\
                ## AI\n\n### RFCs\n\n- [MCP](http://localhost/ai/rfc/0001-mcp.md)\n\n\
                ## Latest\n\n- [Define SLOs](sre/adr/0001-define-slos.md)\n- [MCP](ai/rfc/0001-mcp.md)\n";
    let records = [record("sre/adr/0001-define-slos"), record("ai/rfc/0001-mcp")];
    let described = |id: &str, name: &str, description: Option<&str>| NamedProject {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.map(str::to_owned),
    };
    let expected = [described("ai", "AI", None), described("sre", "Site reliability", Some("Targets, and how we keep them."))];
    assert_eq!(read_projects(text, &records), expected);
}

#[test]
fn a_list_of_llms_txt_whose_links_lead_to_projects_names_them() {
    let text = "# Decisions\n\n## Projects\n\n- [Site reliability](https://x.example/sre/): What keeps us up.\n- [Other](https://x.example/other/)\n";
    let named = read_projects(text, &[record("sre/adr/0001-define-slos")]);
    assert_eq!(named.len(), 1);
    assert_eq!(
        (named[0].id.as_str(), named[0].name.as_str(), named[0].description.as_deref()),
        ("sre", "Site reliability", Some("What keeps us up."))
    );
}

#[test]
fn two_sections_with_one_projects_records_name_it_only_by_its_id() {
    let text = "## Decided\n- [a](sre/adr/1.md)\n## Open\n- [b](sre/adr/2.md)\n";
    let records = [record("sre/adr/1"), record("sre/adr/2")];
    assert_eq!(read_projects(text, &records), []);
    let named = read_projects(&format!("{text}## SRE\nOurs.\n- [a](sre/adr/1.md)\n"), &records);
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].description.as_deref(), Some("Ours."));
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z0-9 /:#-]{0,12}", any::<String>()]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Empty), text().prop_map(Value::Text)];
    leaf.prop_recursive(3, 12, 4, |inner| prop_oneof![vec(inner.clone(), 0..4).prop_map(Value::List), entries_of(inner).prop_map(Value::Map)])
}

fn entries_of(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<(String, Value)>> {
    vec((text(), value), 0..4).prop_map(|mut entries| {
        let mut seen = std::collections::HashSet::new();
        entries.retain(|(key, _)| seen.insert(key.clone()));
        entries
    })
}

fn target() -> impl Strategy<Value = PublishedTarget> {
    (text(), of(text()), of(text()), of(text()), any::<bool>(), any::<bool>())
        .prop_map(|(id, reference, title, status, is_partial, is_missing)| PublishedTarget { id, reference, title, status, is_partial, is_missing })
}

fn field() -> impl Strategy<Value = FieldDeclaration> {
    (text(), of(text()), text(), vec(text(), 0..3), of(text()), of(text()))
        .prop_map(|(name, label, field_type, values, unit, description)| FieldDeclaration { name, label, field_type, values, unit, description })
}

fn any_record() -> impl Strategy<Value = PublishedRecord> {
    let words = (text(), text(), text(), text(), text(), of(text()), of(text()));
    let people = (vec(text(), 0..3), vec(text(), 0..3), vec(text(), 0..3), vec(text(), 0..3), vec(text(), 0..3), vec(text(), 0..3));
    let review = of((of(text()), of(text()), of(text())).prop_map(|(due, reviewed, every)| PublishedReview { due, reviewed, every }));
    let reviewers = vec((text(), text()).prop_map(|(name, state)| Reviewer { name, state }), 0..3);
    let rfc = of((text(), any::<u64>(), any::<u64>(), vec(text(), 0..3)).prop_map(|(status, approved, required, waiting_on)| PublishedRfcReview {
        status,
        approved,
        required,
        waiting_on,
    }));
    let relations = (vec(target(), 0..3), vec(target(), 0..2), vec(target(), 0..2), vec(target(), 0..2)).prop_map(
        |(supersedes, superseded_by, amends, depends_on)| PublishedRelations { supersedes, superseded_by, amends, depends_on, ..Default::default() },
    );
    let own = (of(text()), of(text()), of(text()), of(text()), of(text()), of(text()));
    let sidecars = vec((text(), text()).prop_map(|(path, text)| PublishedSidecar { path, text }), 0..2);
    (words, people, entries_of(value()), review, reviewers, rfc, relations, own, sidecars).prop_map(
        |(words, people, fields, review, reviewers, rfc_review, relations, own, sidecars)| PublishedRecord {
            title: words.0,
            description: words.1,
            status: words.2,
            project: words.3,
            record_type: words.4,
            date: words.5,
            reference: words.6,
            authors: people.0,
            deciders: people.1,
            consulted: people.2,
            informed: people.3,
            tags: people.4,
            related: people.5,
            url: own.0,
            markdown: own.1,
            path: own.2,
            collection: own.3,
            number: own.4,
            stamp: own.5,
            fields,
            review,
            reviewers,
            rfc_review,
            relations,
            sidecars,
            ..PublishedRecord::default()
        },
    )
}

fn any_site() -> impl Strategy<Value = PublishedSite> {
    let statuses =
        vec((text(), any::<bool>(), any::<bool>()).prop_map(|(name, is_current, is_open)| PublishedStatus { name, is_current, is_open }), 0..3);
    let projects = vec((of(text()), of(text()), vec(text(), 0..3), of(any::<i64>()), of(any::<u32>()), vec(field(), 0..2)), 0..3);
    (of(text()), text(), statuses, vec(field(), 0..3), projects, vec(any_record(), 0..4)).prop_map(
        |(generator, name, statuses, fields, projects, mut records)| {
            let project = |(index, (name, description, owners, order, approvals_required, fields))| {
                PublishedProject::of(format!("p{index}"), ProjectFile { name, description, owners, order, approvals_required, fields })
            };
            for (index, record) in records.iter_mut().enumerate() {
                record.id = format!("p/adr/{index}-é \"x\"");
            }
            PublishedSite { generator, name, statuses, fields, projects: projects.into_iter().enumerate().map(project).collect(), records }
        },
    )
}

/// Names that mean something, in the ways in which people write them, and others.
fn any_name() -> impl Strategy<Value = String> {
    let known = proptest::sample::select(vec![
        "title",
        "Title",
        "status",
        "date",
        "authors",
        "tags",
        "fields",
        "review",
        "reviewers",
        "rfcReview",
        "supersedes",
        "superseded_by",
        "dependsOn",
        "related",
        "sidecars",
        "stamp",
        "number",
        "name",
        "statuses",
        "projects",
        "generator",
        "current",
        "risk",
        "order",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => text()]
}

fn any_json() -> impl Strategy<Value = serde_json::Value> {
    use serde_json::{Value as Json, json};
    let leaf = prop_oneof![Just(Json::Null), any::<bool>().prop_map(Json::from), any::<i64>().prop_map(Json::from), text().prop_map(Json::from)];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Json::from),
            vec((any_name(), inner.clone()), 0..4).prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
            (text(), inner)
                .prop_map(|(id, other)| json!([{ "id": id, "name": id, "state": other, "status": other, "values": other, "fields": [other] }])),
        ]
    })
}

proptest! {
    #[test]
    fn what_was_written_reads_back_as_it_was(site in any_site()) {
        let (found, problems) = read(write(&site).as_bytes()).expect("what was written is read");
        prop_assert_eq!(problems, vec![]);
        prop_assert_eq!(found, site);
    }

    #[test]
    fn what_others_wrote_is_the_same_once_it_is_written_by_us(members in vec((any_name(), any_json()), 0..12), site in vec((any_name(), any_json()), 0..6)) {
        let mut record: serde_json::Map<String, serde_json::Value> = members.into_iter().collect();
        record.insert("id".to_owned(), serde_json::Value::from("a/adr/1"));
        let mut top: serde_json::Map<String, serde_json::Value> = site.into_iter().collect();
        top.insert("records".to_owned(), serde_json::json!([record]));
        let (site, _) = read(serde_json::Value::Object(top).to_string().as_bytes()).expect("it has records");
        let (again, problems) = read(write(&site).as_bytes()).expect("what was written is read");
        prop_assert_eq!(problems, vec![]);
        prop_assert_eq!(again, site);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200), text in "[\\[\\]{}\",:a-z0-9 ]{0,80}") {
        let _ = read(&bytes);
        let _ = read(text.as_bytes());
        let _ = read_projects(&text, &[record("a/adr/1")]);
    }
}
