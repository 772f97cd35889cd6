//! Opening: fresh, older, newer, altered and unreachable databases.

use super::on_both_engines;
use super::world::{World, record};
use crate::database::{Database, Sql};
use crate::migrate::{MIGRATIONS, Migration, migrate};
use crate::{Store, StoreError};

const SECOND: Migration = Migration { number: 101, name: "0101_more.sql", text: "CREATE TABLE more (id @key, name TEXT @bytewise NOT NULL)" };

const BROKEN: Migration = Migration { number: 102, name: "0102_broken.sql", text: "CREATE TABLE half (id @key); CREATE TABLE half (id @key)" };

fn more() -> Vec<Migration> {
    MIGRATIONS.iter().copied().chain([SECOND]).collect()
}

on_both_engines! {
    async fn an_older_database_is_migrated_and_keeps_what_it_holds(world: &World) {
        let collection = world.decisions().await;
        world.put(&collection, [record("sre", "0001-a")]).await;
        let database = Database::open(&world.url).await.unwrap();
        migrate(&database, &more()).await.unwrap();
        migrate(&database, &more()).await.unwrap();
        assert_eq!(database.rows(Sql::new("SELECT id FROM more")).await.unwrap().len(), 0);
        assert_eq!(world.store.count_documents(collection.id).await.unwrap(), 1);
    }

    async fn a_database_of_a_newer_ibid_is_refused(world: &World) {
        let database = Database::open(&world.url).await.unwrap();
        migrate(&database, &more()).await.unwrap();
        let error = Store::open(&world.url).await.unwrap_err();
        let known = MIGRATIONS.last().unwrap().number;
        assert!(matches!(&error, StoreError::NewerSchema { found: 101, known: same, .. } if *same == known), "{error:?}");
        assert!(error.to_string().contains("Update ibid"), "{error}");
        assert!(error.to_string().contains(database.place()), "{error}");
    }

    async fn a_database_with_another_form_of_a_migration_is_refused(world: &World) {
        let mut altered = MIGRATIONS.to_vec();
        altered[0].text = "SELECT 1";
        let database = Database::open(&world.url).await.unwrap();
        let error = migrate(&database, &altered).await.unwrap_err();
        assert!(matches!(&error, StoreError::ChangedMigration { number: 1, .. }), "{error:?}");
        assert!(error.to_string().contains("0001_library.sql"), "{error}");
    }

    async fn a_migration_that_fails_leaves_nothing_of_itself(world: &World) {
        let database = Database::open(&world.url).await.unwrap();
        let steps: Vec<Migration> = more().into_iter().chain([BROKEN]).collect();
        assert!(matches!(migrate(&database, &steps).await.unwrap_err(), StoreError::Query { .. }));
        assert!(database.rows(Sql::new("SELECT id FROM half")).await.is_err());
        assert!(database.rows(Sql::new("SELECT id FROM more")).await.is_err());
        Store::open(&world.url).await.unwrap();
    }

    async fn several_processes_may_migrate_at_once(world: &World) {
        let tasks: Vec<_> = (0..6).map(|_| {
            let url = world.url.clone();
            tokio::spawn(async move { migrate(&Database::open(&url).await.unwrap(), &more()).await })
        }).collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_may_create_one_file_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("store.db").display());
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { Store::open(&url).await.map(drop) })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_processes_may_create_one_schema_at_once() {
    let url = tokio::task::spawn_blocking(|| testkit::postgres::Server::shared().fresh_database()).await.unwrap();
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let url = url.clone();
            tokio::spawn(async move { Store::open(&url).await.map(drop) })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
}

#[tokio::test]
async fn no_message_holds_a_password() {
    let urls = [
        "postgres://owner:hunter2@127.0.0.1:1/library",
        "postgres://owner:hunter2@127.0.0.1:99999/library",
        "postgres://owner:hunter2@[broken/library",
        "postgres://127.0.0.1:1/library?user=owner&password=hunter2",
        "mysql://owner:hunter2@localhost/library",
    ];
    for url in urls {
        let error = Store::open(url).await.unwrap_err();
        assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
        assert!(!format!("{error} {error:?}").contains("hunter2"), "{error:?}");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_a_store_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing").join("store.db");
    let error = Store::open(&format!("sqlite:{}", missing.display())).await.unwrap_err();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
    assert!(error.to_string().contains(&missing.display().to_string()), "{error}");
    let text = folder.path().join("notes.txt");
    std::fs::write(&text, "no database at all, ".repeat(500)).unwrap();
    let error = Store::open(&format!("sqlite:{}", text.display())).await.unwrap_err();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error:?}");
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert!(Store::open("sqlite::memory:").await.is_err());
}

#[cfg(unix)]
#[tokio::test]
async fn a_new_file_is_readable_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let _store = Store::open(&format!("sqlite:{}", path.display())).await.unwrap();
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
}
