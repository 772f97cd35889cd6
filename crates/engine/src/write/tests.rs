//! What a write keeps: all files or none, nobody else's change, and a line in the log.

use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::apply::write_one;
use super::journal::Journal;
use super::{Draft, FileDraft, Permission, apply};
use crate::config::{Sources, load};
use crate::{Caller, Desk, ErrorKind, Library, OpenOptions, StateFolder};

const OLD: &str = "# Old\n\n## Status\n\nAccepted\n";
const OLD_THEN: &str = "# Old\n\n## Status\n\nSuperseded\n";
const NEW: &str = "# New\r\n\r\n## Status\r\n\r\nProposed\r\n";
const NEW_THEN: &str = "# New\r\n\r\n## Status\r\n\r\nAccepted\r\n";

struct Place {
    folder: TempDir,
    library: Arc<Library>,
}

async fn open(folder: &Path) -> Arc<Library> {
    let config = load(&Sources { paths: vec![folder.join("adr")], ..Sources::default() }).unwrap();
    Library::open(OpenOptions::new(config, StateFolder::at(&folder.join("state")).unwrap())).await.unwrap()
}

impl Place {
    async fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let adr = folder.path().join("adr");
        std::fs::create_dir_all(&adr).unwrap();
        std::fs::write(adr.join("0001-old.md"), OLD).unwrap();
        std::fs::write(adr.join("0002-new.md"), NEW).unwrap();
        let library = open(folder.path()).await;
        Self { folder, library }
    }

    async fn desk(&self) -> Desk {
        self.library.owner_desk().await.unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.folder.path().join("adr").join(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join("adr").join(name), text).unwrap();
    }

    async fn log(&self) -> Vec<(String, String)> {
        let lines = self.library.store().operations(9).await.unwrap();
        lines.into_iter().map(|line| (line.outcome, line.detail.unwrap_or_default())).collect()
    }

    fn draft(&self) -> Draft {
        let file = |path: &str, before: Option<&str>, after: &str| FileDraft {
            collection_id: self.library.collections()[0].id,
            collection: "adr".into(),
            path: path.into(),
            before: before.map(|text| text.as_bytes().to_vec()),
            after: after.as_bytes().to_vec(),
        };
        let files = vec![file("0003-made.md", None, "# Made\n"), file("0002-new.md", Some(NEW), NEW_THEN), file("0001-old.md", Some(OLD), OLD_THEN)];
        Draft { action: "supersede_record", target: "decision://adr/adr/0002-new".into(), summary: "x".into(), files, notes: Vec::new() }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_files_are_written_and_the_next_answer_has_them() {
    let place = Place::new().await;
    let applied = apply(&place.desk().await, &place.draft(), Permission::Asked).await.unwrap();
    assert_eq!(applied.files.len(), 3);
    assert_eq!((place.read("0001-old.md").as_str(), place.read("0002-new.md").as_str()), (OLD_THEN, NEW_THEN));
    let rows = place.library.store().records(&store::RecordFilter::default(), 9, 0).await.unwrap().records;
    let statuses: Vec<_> = rows.iter().map(|row| (row.title.as_str(), row.status.as_str())).collect();
    assert_eq!(statuses, [("Old", "superseded"), ("New", "accepted"), ("Made", "unknown")]);
    let log = place.log().await;
    assert_eq!(log[0].0, "done");
    assert!(log[0].1.starts_with("consent: a person was asked; adr/0003-made.md sha256:"), "{log:?}");
    assert!(!place.library.folder().join("unfinished-write").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_changed_meanwhile_stays_and_nothing_else_is_written() {
    let place = Place::new().await;
    let desk = place.desk().await;
    place.write("0001-old.md", "# Old, edited\n");
    let error = apply(&desk, &place.draft(), Permission::Asked).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Conflict);
    assert!(error.message.starts_with("0001-old.md changed since it was read: it now has sha256:"), "{error}");
    assert_eq!((place.read("0001-old.md").as_str(), place.read("0002-new.md").as_str()), ("# Old, edited\n", NEW));
    assert!(!place.folder.path().join("adr/0003-made.md").exists());
    assert_eq!(place.log().await[0].0, "failed");
    // A name that was free and is not any more.
    place.write("0001-old.md", OLD);
    place.write("0003-made.md", "# Somebody else's\n");
    assert_eq!(apply(&desk, &place.draft(), Permission::Asked).await.unwrap_err().kind, ErrorKind::Conflict);
    assert_eq!(place.read("0003-made.md"), "# Somebody else's\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn when_the_last_file_cannot_be_written_the_first_get_back_what_they_were() {
    let place = Place::new().await;
    let desk = place.desk().await;
    let old = place.folder.path().join("adr/0001-old.md");
    let mut permissions = std::fs::metadata(&old).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&old, permissions).unwrap();
    let error = apply(&desk, &place.draft(), Permission::Asked).await.unwrap_err();
    assert!(error.message.contains("0001-old.md"), "{error}");
    assert_eq!((place.read("0001-old.md").as_str(), place.read("0002-new.md").as_str()), (OLD, NEW));
    assert!(!place.folder.path().join("adr/0003-made.md").exists());
    assert!(!place.library.folder().join("unfinished-write").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_that_was_cut_off_is_finished_at_the_next_start_but_not_over_an_edit() {
    let place = Place::new().await;
    let draft = place.draft();
    drop(Journal::begin(&place.library, &draft.files).unwrap());
    write_one(&place.library, &draft.files[0]).unwrap();
    place.write("0001-old.md", "# Old, edited after the crash\n");
    let Place { folder, library } = place;
    drop(library);
    let place = Place { library: open(folder.path()).await, folder };
    assert_eq!(place.read("0002-new.md"), NEW_THEN);
    assert_eq!(place.read("0001-old.md"), "# Old, edited after the crash\n");
    assert!(!place.library.folder().join("unfinished-write").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_may_read_only() {
    let place = Place::new().await;
    let desk = place.library.desk(Caller::token("ci"), CancellationToken::new()).await.unwrap();
    let error = apply(&desk, &place.draft(), Permission::Standing).await.unwrap_err();
    assert_eq!((error.kind, error.message.as_str()), (ErrorKind::Refused, "The token \"ci\" may read, but not write."));
    assert_eq!(place.log().await, [("refused".to_owned(), error.message)]);
    assert_eq!(place.read("0002-new.md"), NEW);
}
