//! Records of other repositories answer like local ones; what cannot be reached is said, and what was there stays.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use engine::config::{Sources, load};
use engine::decisions::{RecordQuery, as_of, get, history, search_records};
use engine::{ErrorKind, Library, OpenOptions, StateFolder};
use tempfile::TempDir;

struct World {
    folder: TempDir,
}

impl World {
    fn new() -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap() };
        std::fs::create_dir_all(world.upstream().join("docs/adr")).unwrap();
        std::fs::create_dir_all(world.folder.path().join("config")).unwrap();
        world.git(&["init", "--quiet", "--initial-branch", "main"]);
        world.write("docs/adr/0001-use-queues.md", "# 1. Use queues\n\n## Status\n\nAccepted\n");
        world.write("src/main.md", "# No record\n");
        world.commit("Use queues");
        world
    }

    fn upstream(&self) -> PathBuf {
        self.folder.path().join("upstream")
    }

    fn git(&self, arguments: &[&str]) {
        let output = Command::new("git")
            .args(["-c", "user.name=Mira", "-c", "user.email=mira@example.org", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.upstream())
            .output()
            .expect("git runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.upstream().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&self, subject: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "-m", subject]);
    }

    /// The library of a configuration whose only collection is the repository.
    async fn library(&self, more: &str) -> Arc<Library> {
        let config = self.folder.path().join("config");
        let address = format!("file://{}", self.upstream().display());
        std::fs::write(
            config.join("ibid.toml"),
            format!("[[collections]]\nname = \"queues\"\nrepository = \"{address}\"\nfolder = \"docs/adr\"\n{more}"),
        )
        .unwrap();
        let sources = Sources { user_folder: Some(config.clone()), start: config, ..Sources::default() };
        let state = StateFolder::at(&self.folder.path().join("state")).unwrap();
        Library::open(OpenOptions::new(load(&sources).unwrap(), state)).await.unwrap()
    }
}

async fn titles(library: &Arc<Library>) -> Vec<String> {
    let desk = library.owner_desk().await.unwrap();
    let page = search_records(&desk, &RecordQuery::default()).await.unwrap();
    let mut titles: Vec<String> = page.records.into_iter().map(|record| record.title).collect();
    titles.sort();
    titles
}

async fn failure(library: &Arc<Library>) -> Option<String> {
    library.status().await.unwrap().collections[0].remote.as_ref().unwrap().failure.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repository_is_fetched_at_the_first_question_and_again_when_asked() {
    let world = World::new();
    let library = world.library("").await;
    assert_eq!(titles(&library).await, ["Use queues"]);
    let desk = library.owner_desk().await.unwrap();
    assert!(!desk.freshness.is_stale(), "{:?}", desk.freshness);
    assert_eq!(get(&desk, "queues/adr/1").await.unwrap().row.path, "0001-use-queues.md");

    world.write("docs/adr/0002-name-queues.md", "# 2. Name queues\n\n## Status\n\nProposed\n");
    world.commit("Name queues");
    // The copy is young enough: nothing is fetched for a question.
    assert_eq!(titles(&library).await, ["Use queues"]);
    library.sync_remotes().await;
    assert_eq!(titles(&library).await, ["Name queues", "Use queues"]);
    let commit = library.status().await.unwrap().collections[0].remote.clone().unwrap().commit.unwrap();
    assert_eq!(commit.len(), 40);

    // The history came with it.
    let desk = library.owner_desk().await.unwrap();
    let row = get(&desk, "queues/adr/2").await.unwrap().row;
    assert_eq!(history(&desk, &row).await.unwrap().changes[0].subject, "Name queues");
    let past = as_of(&desk, &engine::rfc3339(library.clock().now_ms())[..10]).await.unwrap();
    assert_eq!(search_records(&past.desk, &RecordQuery::default()).await.unwrap().total, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_process_sees_what_the_first_fetched_and_needs_no_network() {
    let world = World::new();
    let first = world.library("").await;
    assert_eq!(titles(&first).await, ["Use queues"]);
    let second = world.library("").await;
    world.write("docs/adr/0001-use-queues.md", "# 1. Use many queues\n");
    world.commit("More");
    first.sync_remotes().await;
    assert_eq!(titles(&second).await, ["Use many queues"]);
    // The repository vanishes: what was fetched still answers, and is only called old once somebody tried.
    std::fs::rename(world.upstream(), world.folder.path().join("elsewhere")).unwrap();
    let third = world.library("").await;
    assert_eq!(titles(&third).await, ["Use many queues"]);
    assert_eq!(failure(&third).await, None);
    third.sync_remotes().await;
    let desk = third.owner_desk().await.unwrap();
    let reason = desk.freshness.stale_reason.clone().unwrap();
    assert!(reason.contains("upstream"), "{reason}");
    assert_eq!(titles(&third).await, ["Use many queues"]);
    assert_eq!(failure(&third).await.as_deref(), Some(reason.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_force_push_and_a_branch_that_goes_are_survived() {
    let world = World::new();
    world.git(&["checkout", "--quiet", "-b", "next"]);
    world.write("docs/adr/0002-on-the-branch.md", "# 2. On the branch\n");
    world.commit("Branch");
    let library = world.library("branch = \"next\"\n").await;
    assert_eq!(titles(&library).await, ["On the branch", "Use queues"]);
    world.git(&["reset", "--quiet", "--hard", "main"]);
    world.write("docs/adr/0003-instead.md", "# 3. Instead\n");
    world.commit("Rewritten");
    library.sync_remotes().await;
    assert_eq!(titles(&library).await, ["Instead", "Use queues"]);
    assert_eq!(failure(&library).await, None);
    world.git(&["checkout", "--quiet", "main"]);
    world.git(&["branch", "--quiet", "-D", "next"]);
    library.sync_remotes().await;
    assert!(failure(&library).await.unwrap().contains("next"));
    assert_eq!(titles(&library).await, ["Instead", "Use queues"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_never_reached_is_an_error_and_no_empty_answer() {
    let world = World::new();
    std::fs::remove_dir_all(world.upstream()).unwrap();
    let library = world.library("").await;
    let error = library.owner_desk().await.err().unwrap();
    assert_eq!(error.kind, ErrorKind::Unreachable);
    assert!(error.message.contains("upstream"), "{error}");
    // It is there after all.
    std::fs::create_dir_all(world.upstream().join("docs/adr")).unwrap();
    world.git(&["init", "--quiet", "--initial-branch", "main"]);
    world.write("docs/adr/0001-late.md", "# 1. Late\n");
    world.commit("Late");
    library.sync_remotes().await;
    assert_eq!(titles(&library).await, ["Late"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_is_never_written_to() {
    let world = World::new();
    let library = world.library("").await;
    let desk = library.owner_desk().await.unwrap();
    let error = engine::decisions::set_status(&desk, "queues/adr/1", "deprecated").await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Refused);
    assert!(error.message.starts_with("The collection \"queues\" is a copy of file://"), "{error}");
}

#[test]
fn addresses_that_could_run_something_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for address in ["ext::sh -c touch% x", "--upload-pack=touch x", "http://example.org/x.git", "fd::7"] {
        std::fs::write(folder.path().join("ibid.toml"), format!("[[collections]]\nrepository = {address:?}\n")).unwrap();
        let sources = Sources { user_folder: Some(folder.path().to_path_buf()), start: folder.path().to_path_buf(), ..Sources::default() };
        let state = StateFolder::at(&folder.path().join("state")).unwrap();
        let config = load(&sources).unwrap();
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let error = runtime.block_on(Library::open(OpenOptions::new(config, state))).err().unwrap();
        assert_eq!(error.kind, ErrorKind::BadConfig, "{error}");
    }
    assert!(!Path::new("x").exists());
}
