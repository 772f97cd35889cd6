//! Real record folders of public projects, served by the real binary over stdio and HTTP. Needs `../shared/data` beside the workspace.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::agent::{Agent, World};

fn sources() -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    let Ok(entries) = std::fs::read_dir(&root) else {
        eprintln!("skipped: {} is not there", root.display());
        return None;
    };
    let mut sources: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    sources.sort();
    Some(sources)
}

#[test]
fn every_record_of_every_source_is_listed_and_readable() {
    let Some(sources) = sources() else { return };
    let mut expected = BTreeSet::new();
    for folder in &sources {
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let listing = source::folder::Folder::open(folder, source::folder::WalkRules::default()).expect("the folder opens").list();
        let paths: Vec<&str> = listing.files.iter().map(|entry| entry.path.as_str()).collect();
        for record in source::formats::decisions::record_files(&name, &paths) {
            expected.insert(format!("{}/{}/{}", record.identity.project, record.identity.record_type, record.identity.slug));
        }
    }
    assert!(expected.len() > 1_000, "{}", expected.len());
    let world = World::new();
    let mut agent = Agent::start(world.ibid(), &sources);
    agent.wait_for_first_reading();
    let mut listed = BTreeSet::new();
    loop {
        let page = agent.call("search_records", json!({"limit": 200, "offset": listed.len()}));
        let records = page["records"].as_array().expect("records");
        assert!(!records.is_empty(), "the listing ends early at {}", listed.len());
        listed.extend(records.iter().map(|record| record["id"].as_str().expect("an id").to_owned()));
        if page["total"] == listed.len() as u64 {
            break;
        }
    }
    assert_eq!(listed, expected);
    // Each is readable by its id, and by its uri as a resource list gives it.
    for id in &listed {
        let record = agent.call("get_record", json!({"id": id}));
        assert_eq!(record["id"], id.as_str());
        assert!(!record["title"].as_str().unwrap_or_default().is_empty(), "{id}");
    }
    let mut cursor = serde_json::Value::Null;
    let mut uris = 0;
    loop {
        let params = if cursor.is_null() { json!({}) } else { json!({"cursor": cursor}) };
        let page = agent.request("resources/list", params)["result"].clone();
        uris += page["resources"]
            .as_array()
            .expect("resources")
            .iter()
            .filter(|resource| resource["uri"].as_str().is_some_and(|uri| uri.starts_with("decision://")))
            .count();
        cursor = page["nextCursor"].clone();
        if cursor.is_null() {
            break;
        }
    }
    assert_eq!(uris, expected.len());
}

#[test]
fn every_citation_is_exact() {
    let Some(sources) = sources() else { return };
    let world = World::new();
    let mut agent = Agent::start(world.ibid(), &sources);
    agent.wait_for_first_reading();
    let mut checked = 0;
    for query in [
        "kafka",
        "database migration",
        "authentication token",
        "versioning",
        "rollback",
        "\"trade-offs\"",
        "Übersetzung",
        "test*",
        "performance of the cache",
        "logging",
        "encryption keys",
        "deprecate",
        "release",
        "API design",
        "consensus",
    ] {
        let answer = agent.call("search", json!({"query": query, "limit": 20}));
        for hit in answer["results"].as_array().expect("results") {
            let id = hit["id"].as_str().expect("an id");
            let record = agent.call("get_record", json!({"id": id}));
            let folder = sources
                .iter()
                .find(|folder| hit["collection"] == folder.file_name().expect("a name").to_string_lossy().as_ref())
                .expect("a collection");
            let bytes = std::fs::read(folder.join(record["path"].as_str().expect("a path"))).expect("the file is there");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let (start, end) = (hit["char_start"].as_u64().expect("a start") as usize, hit["char_end"].as_u64().expect("an end") as usize);
            let cited: String = text.chars().skip(start).take(end - start).collect();
            assert_eq!(cited, hit["text"].as_str().expect("a quote"), "{id}");
            let line = text.chars().take(start).filter(|character| *character == '\n').count() as u64 + 1;
            assert_eq!(hit["line_start"], line, "{id}");
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} citations");
}
