//! Laws over real archives: whatever people wrote, listings are whole, reading on gives every character once, and quotes stand where they are said to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use engine::config::{self, Sources};
use engine::{Caller, Library, OpenOptions, StateFolder};
use mcp::Product;
use serde_json::{Value, json};

/// Archives of different forms; the one with the longest record is among them.
const ARCHIVES: [&str; 5] =
    ["opendatahub-io__architecture-decision-records", "cometbft__cometbft", "dapr__dapr", "eclipse-edc__Connector", "JabRef__jabref"];

fn archives() -> Option<Vec<PathBuf>> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    if !data.is_dir() {
        eprintln!("skipped: there are no archives beside this workspace");
        return None;
    }
    Some(ARCHIVES.iter().map(|name| data.join(name)).filter(|path| path.is_dir()).collect())
}

async fn call(product: &Product, tool: &str, arguments: Value) -> Value {
    let answer = product.call(tool, arguments.as_object().cloned().unwrap(), Caller::owner()).await.unwrap();
    let value = answer.structured.unwrap();
    assert!(!answer.is_error, "{tool} {arguments}: {value}");
    assert!(value.to_string().chars().count() <= 8_000, "{tool} {arguments} is too long");
    value
}

/// All items of a listing, by following what it says.
async fn all_records(product: &Product) -> Vec<Value> {
    let mut records: Vec<Value> = Vec::new();
    loop {
        let page = call(product, "search_records", json!({ "limit": 200, "offset": records.len() })).await;
        records.extend(page["records"].as_array().unwrap().iter().cloned());
        if records.len() as u64 >= page["total"].as_u64().unwrap() {
            return records;
        }
        assert!(!page["records"].as_array().unwrap().is_empty(), "paging stands still at {}", records.len());
    }
}

/// The whole text by reading on, with where it ends.
async fn read_on(product: &Product, tool: &str, member: &str, id: &str) -> String {
    let mut text = String::new();
    let mut arguments = json!({ "id": id });
    loop {
        let part = call(product, tool, arguments.clone()).await;
        text.push_str(part[member].as_str().unwrap());
        let place = if tool == "get_record" { &part["part"] } else { &part["citation"] };
        match part["next"].as_str() {
            Some(next) if next.contains("from_char") => arguments["from_char"] = place["char_end"].clone(),
            _ => return text,
        }
    }
}

#[tokio::test]
async fn real_archives_are_read_whole_and_cited_exactly() {
    let Some(archives) = archives() else { return };
    for folder in archives {
        let state = tempfile::TempDir::new().unwrap();
        let config = config::load(&Sources { paths: vec![folder.clone()], ..Sources::default() }).unwrap();
        let product = Product::new(Library::open(OpenOptions::new(config, StateFolder::at(state.path()).unwrap())).await.unwrap(), None);
        let records = all_records(&product).await;
        let ids: BTreeSet<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
        assert!(ids.len() == records.len() && records.len() > 10, "{}: {} records", folder.display(), records.len());
        // A long archive is sampled: its last records are no different from its first.
        for id in ids.iter().step_by(1 + ids.len() / 25) {
            let record = call(&product, "get_record", json!({ "id": id })).await;
            assert_eq!(record["id"], **id);
            let file = std::fs::read_to_string(folder.join(record["path"].as_str().unwrap())).unwrap();
            let whole = read_on(&product, "get_record", "body", id).await;
            assert!(file.ends_with(&whole), "{id}: the body is not the end of the file");
            assert_eq!(read_on(&product, "fetch", "text", id).await, whole, "{id}");
        }
        exact_quotes(&product, &folder).await;
    }
}

/// Every quote stands in the file at exactly its characters and lines.
async fn exact_quotes(product: &Product, folder: &Path) {
    for query in ["decision", "the", "data plane", "\"status\"", "test*"] {
        let mut arguments = json!({ "query": query, "limit": 50 });
        for _ in 0..2 {
            let found = call(product, "search", arguments.clone()).await;
            for hit in found["results"].as_array().unwrap() {
                let record = call(product, "get_record", json!({ "id": hit["id"] })).await;
                let file = std::fs::read_to_string(folder.join(record["path"].as_str().unwrap())).unwrap();
                let (start, end) = (hit["char_start"].as_u64().unwrap() as usize, hit["char_end"].as_u64().unwrap() as usize);
                let quote: String = file.chars().skip(start).take(end - start).collect();
                assert_eq!(hit["text"], quote.as_str(), "{}", hit["uri"]);
                let first_line = 1 + file.chars().take(start).filter(|character| *character == '\n').count();
                assert_eq!(hit["line_start"], first_line, "{}", hit["uri"]);
                assert_eq!(hit["stamp"], record["stamp"]);
            }
            match found["next_cursor"].as_str() {
                Some(cursor) => arguments["cursor"] = json!(cursor),
                None => break,
            }
        }
    }
}
