//! A round that breaks off in the middle loses nothing: the answer says that it is stale, and the next one is right.

use std::path::Path;
use std::sync::Arc;

use engine::config::{Sources, load};
use engine::decisions::{RecordQuery, search_records};
use engine::{Library, OpenOptions, StateFolder};

async fn open(folder: &Path) -> Arc<Library> {
    let config = load(&Sources { paths: vec![folder.join("records")], ..Sources::default() }).unwrap();
    Library::open(OpenOptions::new(config, StateFolder::at(&folder.join("state")).unwrap())).await.unwrap()
}

async fn titles(library: &Arc<Library>) -> Vec<String> {
    let desk = library.owner_desk().await.unwrap();
    assert!(!desk.freshness.is_stale(), "{:?}", desk.freshness);
    let page = search_records(&desk, &RecordQuery::default()).await.unwrap();
    page.records.into_iter().map(|record| record.title).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_failed_round_saw_is_seen_again() {
    let folder = tempfile::tempdir().unwrap();
    let adr = folder.path().join("records/adr");
    std::fs::create_dir_all(&adr).unwrap();
    std::fs::write(adr.join("0001-old.md"), "# Old\n").unwrap();
    std::fs::write(adr.join("0002-kept.md"), "# Kept\n").unwrap();
    let library = open(folder.path()).await;
    assert_eq!(titles(&library).await, ["Old", "Kept"]);
    // A file goes, one changes and one comes while the lock cannot be taken.
    let lock = library.folder().join("sync.lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    std::fs::remove_file(adr.join("0001-old.md")).unwrap();
    std::fs::write(adr.join("0002-kept.md"), "# Changed\n").unwrap();
    std::fs::write(adr.join("0003-new.md"), "# New\n").unwrap();
    for _ in 0..2 {
        let freshness = library.freshen().await;
        assert!(freshness.stale_reason.as_deref().is_some_and(|reason| reason.contains("sync.lock")), "{freshness:?}");
    }
    std::fs::remove_dir(&lock).unwrap();
    assert_eq!(titles(&library).await, ["Changed", "New"]);
}
