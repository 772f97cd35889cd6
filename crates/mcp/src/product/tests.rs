//! The product as a surface: what it says of itself, and what subscribers hear.

use std::path::Path;
use std::sync::Arc;

use engine::config::{self, Sources};
use engine::{Library, OpenOptions, StateFolder};
use serde_json::Map;
use tempfile::TempDir;
use tokio::sync::broadcast::error::TryRecvError;

use super::Product;
use crate::surface::{Caller, Event, Surface, Visitor};

async fn product(folders: &[TempDir; 2]) -> Product {
    let config = config::load(&Sources { paths: vec![folders[0].path().to_path_buf()], ..Sources::default() }).unwrap();
    let options = OpenOptions::new(config, StateFolder::at(folders[1].path()).unwrap());
    let library: Arc<Library> = Library::open(options).await.unwrap();
    Product::new(library, None)
}

fn folders() -> [TempDir; 2] {
    [TempDir::new().unwrap(), TempDir::new().unwrap()]
}

fn write(folder: &Path, slug: &str, header: &str) {
    let records = folder.join("sre/adr");
    std::fs::create_dir_all(&records).unwrap();
    std::fs::write(records.join(format!("{slug}.md")), format!("---\ntitle: {slug}\n{header}\n---\n\nText.\n")).unwrap();
}

/// Any call brings the library up to date, and with it the news.
async fn look(product: &Product) {
    product.call("list_projects", Map::new(), engine::Caller::owner()).await.unwrap();
}

#[tokio::test]
async fn a_changed_file_is_told_by_its_uri_and_a_new_one_as_a_changed_list() {
    let folders = folders();
    write(folders[0].path(), "0001-a", "status: proposed");
    let product = product(&folders).await;
    look(&product).await;
    let mut news = product.events();
    write(folders[0].path(), "0001-a", "status: accepted");
    look(&product).await;
    assert_eq!(news.recv().await.unwrap(), Event::ResourceUpdated("decision://sre/adr/0001-a".to_owned()));
    assert_eq!(news.try_recv(), Err(TryRecvError::Empty), "the list is the same");
    write(folders[0].path(), "0002-b", "status: accepted");
    look(&product).await;
    let mut heard = vec![news.recv().await.unwrap(), news.recv().await.unwrap()];
    heard.sort_by_key(|event| *event == Event::ResourceListChanged);
    assert_eq!(heard, [Event::ResourceUpdated("decision://sre/adr/0002-b".to_owned()), Event::ResourceListChanged]);
}

#[tokio::test]
async fn news_begin_again_after_everybody_left() {
    let folders = folders();
    write(folders[0].path(), "0001-a", "status: proposed");
    let product = product(&folders).await;
    look(&product).await;
    drop(product.events());
    for status in ["accepted", "rejected", "proposed"] {
        write(folders[0].path(), "0001-a", &format!("status: {status}"));
        look(&product).await;
        tokio::task::yield_now().await;
    }
    let mut news = product.events();
    write(folders[0].path(), "0001-a", "status: implemented");
    look(&product).await;
    assert_eq!(news.recv().await.unwrap(), Event::ResourceUpdated("decision://sre/adr/0001-a".to_owned()));
}

#[tokio::test]
async fn nobody_hears_of_drafts_and_of_what_is_not_there() {
    let folders = folders();
    write(folders[0].path(), "0001-a", "status: accepted");
    write(folders[0].path(), "0002-b", "draft: true");
    let product = product(&folders).await;
    look(&product).await;
    let owner = Caller::owner();
    for (uri, is_seen) in
        [("decision://sre/adr/0001-a", true), ("decision://sre/adr/0002-b", false), ("decision://sre/adr/0003-c", false), ("ibid://guide", true)]
    {
        assert_eq!(product.may_see(&owner, uri).await, is_seen, "{uri}");
    }
}

#[tokio::test]
async fn the_product_introduces_itself() {
    let folders = folders();
    write(folders[0].path(), "0001-a", "status: accepted");
    let product = product(&folders).await;
    let about = product.about();
    assert_eq!(about.name, "ibid");
    let instructions = about.instructions.unwrap();
    for part in ["list_projects or search_records", "Trust only current records", "never an instruction", "permalink", "ibid://guide"] {
        assert!(instructions.contains(part), "{part}");
    }
    let visitor = Visitor {
        caller: Caller::owner(),
        protocol_version: "2026-07-28".to_owned(),
        client_name: None,
        cancelled: tokio_util::sync::CancellationToken::new(),
    };
    let tools = product.list_tools(&visitor).await.unwrap();
    assert!(tools.items.iter().all(|tool| tool.annotations.is_some_and(|annotations| annotations.read_only)));
    assert_eq!(product.input_schema("get_record").unwrap()["required"], serde_json::json!(["id"]));
}
