//! Records under git: who changed a status and when, and what the archive said at a date.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use engine::config::{Sources, load};
use engine::decisions::{RecordQuery, as_of, get, history, search_records};
use engine::{Clock, Library, OpenOptions, StateFolder, rfc3339};
use tempfile::TempDir;

struct Place {
    folder: TempDir,
}

impl Place {
    /// A repository with a folder of records in it, `docs/adr`.
    fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.git("2024-01-01T00:00:00Z", &["init", "--quiet", "--initial-branch", "main"]);
        place
    }

    fn git(&self, date: &str, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=Mira", "-c", "user.email=mira@example.org", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.repository())
            .env("GIT_AUTHOR_DATE", date)
            .env("GIT_COMMITTER_DATE", date)
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn repository(&self) -> std::path::PathBuf {
        let path = self.folder.path().join("repository");
        std::fs::create_dir_all(path.join("docs/adr")).unwrap();
        path
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.repository().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, date: &str, subject: &str) {
        self.git(date, &["add", "--all"]);
        self.git(date, &["commit", "--quiet", "-m", subject]);
    }

    async fn library(&self, paths: &[&Path]) -> Arc<Library> {
        let config = load(&Sources { paths: paths.iter().map(|path| path.to_path_buf()).collect(), ..Sources::default() }).unwrap();
        let options = OpenOptions::new(config, StateFolder::at(&self.folder.path().join("state")).unwrap());
        // The first of June 2025.
        Library::open(OpenOptions { clock: Clock::Fixed(1_748_736_000_000), ..options }).await.unwrap()
    }
}

fn record(title: &str, status: &str) -> String {
    format!("# {title}\n\n## Status\n\n{status}\n\n## Context\n\nAbout queues.\n")
}

/// Three states: one record; a second one; the first superseded and renamed.
fn archive() -> Place {
    let place = Place::new();
    place.write("docs/adr/0001-use-queues.md", &record("1. Use queues", "Proposed"));
    place.write("README.md", "# Not a record\n");
    place.commit("2024-02-01T10:00:00Z", "Propose queues");
    place.write("docs/adr/0001-use-queues.md", &record("1. Use queues", "Accepted"));
    place.write("docs/adr/0002-name-queues.md", &record("2. Name queues", "Accepted"));
    place.commit("2024-03-10T23:59:59Z", "Accept queues");
    place.git("2024-05-01T00:00:00Z", &["mv", "docs/adr/0001-use-queues.md", "docs/adr/0001-use-message-queues.md"]);
    place.write("docs/adr/0001-use-message-queues.md", &record("1. Use queues", "Superseded by [2](0002-name-queues.md)"));
    place.commit("2024-05-01T00:00:00Z", "Names come first");
    place
}

#[tokio::test(flavor = "multi_thread")]
async fn each_change_of_a_status_has_its_commit_across_a_rename() {
    let place = archive();
    let library = place.library(&[&place.repository().join("docs/adr")]).await;
    let desk = library.owner_desk().await.unwrap();
    let row = get(&desk, "0001-use-message-queues").await.unwrap().row;
    let found = history(&desk, &row).await.unwrap();
    let changes: Vec<_> = found.changes.iter().map(|change| (change.status.as_str(), rfc3339(change.time_ms), change.subject.as_str())).collect();
    assert_eq!(
        changes,
        [
            ("proposed", "2024-02-01T10:00:00Z".to_owned(), "Propose queues"),
            ("accepted", "2024-03-10T23:59:59Z".to_owned(), "Accept queues"),
            ("superseded", "2024-05-01T00:00:00Z".to_owned(), "Names come first")
        ]
    );
    assert!(found.changes.iter().all(|change| change.author == "Mira" && change.commit.len() == 40));
    assert_eq!((found.is_uncommitted, found.note), (false, None));
    // What is only on disk is said.
    place.write("docs/adr/0001-use-message-queues.md", &record("1. Use queues", "Deprecated"));
    place.write("docs/adr/0003-new.md", &record("3. New", "Proposed"));
    let desk = library.owner_desk().await.unwrap();
    assert!(history(&desk, &get(&desk, "0001-use-message-queues").await.unwrap().row).await.unwrap().is_uncommitted);
    let new = history(&desk, &get(&desk, "0003-new").await.unwrap().row).await.unwrap();
    assert_eq!((new.changes.len(), new.note.as_deref()), (0, Some("It was never committed.")));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_archive_is_searched_as_it_stood_at_the_end_of_a_day() {
    let place = archive();
    let library = place.library(&[&place.repository().join("docs/adr")]).await;
    for (date, expected) in [
        ("2024-02-29", vec![("adr/adr/0001-use-queues", "proposed")]),
        ("2024-03-09", vec![("adr/adr/0001-use-queues", "proposed")]),
        ("2024-03-10", vec![("adr/adr/0001-use-queues", "accepted"), ("adr/adr/0002-name-queues", "accepted")]),
        ("2024-04", vec![("adr/adr/0001-use-queues", "accepted"), ("adr/adr/0002-name-queues", "accepted")]),
        ("2024", vec![("adr/adr/0001-use-message-queues", "superseded"), ("adr/adr/0002-name-queues", "accepted")]),
    ] {
        let desk = library.owner_desk().await.unwrap();
        let past = as_of(&desk, date).await.unwrap();
        let query = RecordQuery { query: Some("queues".to_owned()), ..RecordQuery::default() };
        let page = search_records(&past.desk, &query).await.unwrap();
        let mut found: Vec<_> = page.records.iter().map(|record| (record.id.as_str(), record.status.as_str())).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{date}");
        assert_eq!(past.collections[0].commit.as_ref().map(String::len), Ok(40));
    }
    let desk = library.owner_desk().await.unwrap();
    for (date, part) in [("2023-12-31", "Its history begins later."), ("2025-06-02", "lies ahead"), ("2022-27-09", "is no date")] {
        let error = as_of(&desk, date).await.err().unwrap();
        assert!(error.message.contains(part), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_under_git_is_left_out_and_said_to_be() {
    let place = archive();
    let loose = place.folder.path().join("loose");
    std::fs::create_dir_all(&loose).unwrap();
    std::fs::write(loose.join("0001-loose.md"), record("1. Loose", "Accepted")).unwrap();
    let library = place.library(&[&place.repository().join("docs/adr"), &loose]).await;
    let desk = library.owner_desk().await.unwrap();
    let past = as_of(&desk, "2024-03-10").await.unwrap();
    let page = search_records(&past.desk, &RecordQuery::default()).await.unwrap();
    assert_eq!(page.total, 2);
    assert_eq!(past.collections[1].commit, Err("It is not under git.".to_owned()));
    let loose = history(&desk, &get(&desk, "0001-loose").await.unwrap().row).await.unwrap();
    assert_eq!(loose.note.as_deref(), Some("The collection is not under git."));
}
