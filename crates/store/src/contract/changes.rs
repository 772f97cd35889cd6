//! Changes and their log: whole or not at all, in order, without noise.

use document::Kind;

use super::on_both_engines;
use super::world::{World, draft, file, note, problem, record, tagged, unit, with};
use crate::{Change, ChangeRow, RecordFilter, Unit};

fn removal(mains: &[&str]) -> Change {
    Change { removed: mains.iter().map(|main| (*main).to_owned()).collect(), ..Change::default() }
}

on_both_engines! {
    async fn an_empty_store_has_no_changes(world: &World) {
        assert_eq!(world.store.last_sequence().await.unwrap(), 0);
        assert_eq!(world.store.changes_after(0, 10).await.unwrap(), []);
        assert_eq!(world.store.collections().await.unwrap(), []);
    }

    async fn each_changed_document_gets_the_next_number(world: &World) {
        let collection = world.decisions().await;
        let first = world.put(&collection, [record("sre", "0001-a"), record("sre", "0002-b")]).await;
        assert_eq!((first.sequence, first.changed, first.removed), (2, 2, 0));
        let second = world.put(&collection, [tagged(record("sre", "0001-a"), &["new"])]).await;
        assert_eq!((second.sequence, second.changed, second.removed), (3, 1, 0));
        assert_eq!(world.store.last_sequence().await.unwrap(), 3);
        let changes = world.store.changes_after(0, 10).await.unwrap();
        let expected = [(2, 2), (3, 1)].map(|(sequence, document_id)| ChangeRow { sequence, document_id, is_removed: false });
        assert_eq!(changes, expected, "the newest change of each document, ascending");
        assert_eq!(world.store.changes_after(2, 10).await.unwrap(), expected[1..]);
        assert_eq!(world.store.changes_after(0, 1).await.unwrap(), expected[..1]);
    }

    async fn applying_the_same_again_changes_nothing_but_the_file_rows(world: &World) {
        let collection = world.decisions().await;
        let mut document = tagged(record("sre", "0001-a"), &["x"]);
        document.title = "nul \0 and sub \u{1a}".to_owned();
        world.put(&collection, [document.clone()]).await;
        let mut again = unit(&document.path.clone(), vec![document]);
        again.files[0].modified_ns += 5;
        let applied = world.store.apply(collection.id, &Change { replaced: vec![again.clone()], ..Change::default() }, 0).await.unwrap();
        assert_eq!((applied.sequence, applied.changed, applied.removed), (1, 0, 0));
        assert_eq!(world.store.files(collection.id).await.unwrap(), again.files);
    }

    async fn every_part_of_a_document_counts_as_a_change(world: &World) {
        let collection = world.store.put_collection("notes", Kind::Notes, "/notes").await.unwrap();
        let mut document = note("a.md");
        let mut sequence = world.put(&collection, [document.clone()]).await.sequence;
        let changes: [fn(&mut document::Document); 7] = [
            |document| document.title.push('x'),
            |document| document.description.push('x'),
            |document| document.text.push('x'),
            |document| document.body.start = 1,
            |document| document.sections.clear(),
            |document| document.links.clear(),
            |document| document.date = Some("2024".to_owned()),
        ];
        for change in changes {
            change(&mut document);
            let applied = world.put(&collection, [document.clone()]).await;
            assert_eq!(applied.sequence, sequence + 1);
            sequence = applied.sequence;
            let id = world.store.changes_after(sequence - 1, 1).await.unwrap()[0].document_id;
            assert_eq!(world.store.documents(&[id]).await.unwrap()[0].document, document);
        }
    }

    async fn what_a_unit_no_longer_holds_is_removed(world: &World) {
        let collection = world.store.put_collection("notes", Kind::Notes, "/notes").await.unwrap();
        let whole = unit("archive", vec![note("a"), note("b"), note("c")]);
        world.store.apply(collection.id, &Change { replaced: vec![whole], ..Change::default() }, 0).await.unwrap();
        let less = unit("archive", vec![note("a"), note("c")]);
        let applied = world.store.apply(collection.id, &Change { replaced: vec![less], ..Change::default() }, 0).await.unwrap();
        assert_eq!((applied.sequence, applied.changed, applied.removed), (4, 0, 1));
        assert_eq!(world.store.changes_after(3, 9).await.unwrap(), [ChangeRow { sequence: 4, document_id: 2, is_removed: true }]);
        assert_eq!(world.store.count_documents(collection.id).await.unwrap(), 2);
        let applied = world.store.apply(collection.id, &removal(&["archive"]), 0).await.unwrap();
        assert_eq!((applied.sequence, applied.removed), (6, 2));
        assert_eq!(world.store.count_documents(collection.id).await.unwrap(), 0);
        assert_eq!(world.store.files(collection.id).await.unwrap(), []);
        assert_eq!(world.store.documents(&[1, 2, 3]).await.unwrap(), []);
    }

    async fn ids_are_never_given_out_twice(world: &World) {
        let collection = world.decisions().await;
        world.put(&collection, [record("sre", "0001-a")]).await;
        world.store.apply(collection.id, &removal(&["sre/adr/0001-a.md"]), 0).await.unwrap();
        world.put(&collection, [record("sre", "0001-a")]).await;
        let rows = world.store.document_page(None, None, 9, true).await.unwrap();
        assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [2]);
        let changes: Vec<_> = world.store.changes_after(0, 9).await.unwrap().iter().map(|change| (change.document_id, change.is_removed)).collect();
        assert_eq!(changes, [(1, true), (2, false)]);
    }

    async fn a_document_whose_file_moved_keeps_its_id(world: &World) {
        let collection = world.store.put_collection("notes", Kind::Notes, "/notes").await.unwrap();
        let mut document = note("a");
        world.put(&collection, [document.clone()]).await;
        document.path = "moved/a".to_owned();
        let change = Change { replaced: vec![unit("moved/a", vec![document])], removed: vec!["a".to_owned()], collection_problems: None };
        let applied = world.store.apply(collection.id, &change, 0).await.unwrap();
        assert_eq!((applied.changed, applied.removed), (1, 0));
        assert_eq!(world.store.changes_after(1, 9).await.unwrap(), [ChangeRow { sequence: 2, document_id: 1, is_removed: false }]);
    }

    async fn a_file_belongs_to_the_last_unit_that_names_it(world: &World) {
        let collection = world.decisions().await;
        let with_sidecar = |main: &str| Unit { files: vec![file(main, main), file("shared.yml", main)], ..unit(main, vec![]) };
        let change = |main: &str| Change { replaced: vec![with_sidecar(main)], ..Change::default() };
        world.store.apply(collection.id, &change("a.md"), 0).await.unwrap();
        world.store.apply(collection.id, &change("b.md"), 0).await.unwrap();
        let files: Vec<_> = world.store.files(collection.id).await.unwrap().into_iter().map(|file| (file.path, file.unit)).collect();
        let expected = [("a.md", "a.md"), ("b.md", "b.md"), ("shared.yml", "b.md")].map(|(path, unit)| (path.to_owned(), unit.to_owned()));
        assert_eq!(files, expected);
    }

    async fn a_change_that_fails_leaves_nothing_behind(world: &World) {
        let collection = world.decisions().await;
        let change = Change { replaced: vec![unit("a.md", vec![record("sre", "0001-a")])], ..Change::default() };
        let error = world.store.apply(collection.id + 1, &change, 0).await.unwrap_err().to_string();
        assert!(error.contains(&format!("no collection with the id {}", collection.id + 1)), "{error}");
        assert_eq!(world.store.last_sequence().await.unwrap(), 0);
        // A change that is given up half way: the future is dropped after a few of its steps.
        for steps in 1..14 {
            let mut apply = Box::pin(world.store.apply(collection.id, &change, 0));
            let mut polls = 0;
            let done = std::future::poll_fn(|context| {
                polls += 1;
                match std::future::Future::poll(apply.as_mut(), context) {
                    std::task::Poll::Ready(applied) => std::task::Poll::Ready(Some(applied)),
                    std::task::Poll::Pending if polls > steps => std::task::Poll::Ready(None),
                    std::task::Poll::Pending => std::task::Poll::Pending,
                }
            })
            .await;
            if done.is_some() {
                break;
            }
            drop(apply);
            // What was given up may still be on its way to being committed. An empty change waits for its writer lock, so the three readings
            // that follow see one state.
            world.store.apply(collection.id, &Change::default(), 0).await.unwrap();
            let (sequence, documents) = (world.store.last_sequence().await.unwrap(), world.store.count_documents(collection.id).await.unwrap());
            let changes = world.store.changes_after(0, 9).await.unwrap().len();
            assert_eq!((sequence, documents), (i64::try_from(changes).unwrap(), i64::try_from(changes).unwrap()), "after {steps} steps");
        }
        world.store.apply(collection.id, &change, 0).await.unwrap();
        assert_eq!(world.store.last_sequence().await.unwrap(), 1);
    }

    async fn two_processes_write_at_once_and_a_reader_misses_nothing(world: &World) {
        let collection = world.decisions().await;
        let writers: Vec<_> = ["left", "right"].into_iter().map(|project| (project, world.url.clone())).collect();
        let tasks: Vec<_> = writers.into_iter().map(|(project, url)| {
            let id = collection.id;
            tokio::spawn(async move {
                let store = crate::Store::open(&url).await.unwrap();
                for number in 0..15 {
                    let document = record(project, &format!("{number:04}-a"));
                    let change = Change { replaced: vec![unit(&document.path.clone(), vec![document])], ..Change::default() };
                    store.apply(id, &change, 0).await.unwrap();
                }
            })
        }).collect();
        let reader = world.second().await;
        let mut seen = Vec::new();
        while seen.len() < 30 {
            let changes = reader.changes_after(seen.last().map_or(0, |change: &ChangeRow| change.sequence), 4).await.unwrap();
            let ids: Vec<i64> = changes.iter().map(|change| change.document_id).collect();
            assert_eq!(reader.documents(&ids).await.unwrap().len(), ids.len(), "a logged document is there");
            seen.extend(changes);
        }
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(seen.iter().map(|change| change.sequence).collect::<Vec<_>>(), (1..=30).collect::<Vec<_>>());
        assert_eq!(reader.last_sequence().await.unwrap(), 30);
        assert_eq!(reader.records(&RecordFilter::default(), 1, 0).await.unwrap().total, 30);
    }

    async fn a_removed_collection_leaves_removals_only(world: &World) {
        let collection = world.decisions().await;
        let other = world.store.put_collection("notes", Kind::Notes, "/notes").await.unwrap();
        world.put(&collection, [record("sre", "0001-a"), draft(record("sre", "0002-b"))]).await;
        world.put(&other, [note("a.md")]).await;
        world.store.remove_collection(collection.id).await.unwrap();
        let changes: Vec<_> = world.store.changes_after(0, 9).await.unwrap().iter().map(|row| (row.sequence, row.document_id, row.is_removed)).collect();
        assert_eq!(changes, [(3, 3, false), (4, 1, true), (5, 2, true)]);
        assert_eq!(world.store.last_sequence().await.unwrap(), 5);
        assert_eq!(world.store.collections().await.unwrap(), [other]);
        assert_eq!(world.store.records(&RecordFilter::default(), 9, 0).await.unwrap().total, 0);
        assert_eq!(world.store.projects().await.unwrap(), []);
        world.store.remove_collection(collection.id).await.unwrap();
        assert_eq!(world.store.last_sequence().await.unwrap(), 5);
    }

    async fn a_collection_that_moves_is_read_anew(world: &World) {
        let collection = world.decisions().await;
        world.put(&collection, [record("sre", "0001-a")]).await;
        assert_eq!(world.decisions().await, collection);
        assert_ne!(world.store.files(collection.id).await.unwrap()[0].modified_ns, -1);
        let moved = world.store.put_collection("decisions", Kind::Decisions, "/elsewhere").await.unwrap();
        assert_eq!((moved.id, moved.root.as_str()), (collection.id, "/elsewhere"));
        assert_eq!(world.store.files(collection.id).await.unwrap()[0].modified_ns, -1);
        assert_eq!(world.store.collections().await.unwrap(), [moved]);
    }

    async fn problems_follow_their_units(world: &World) {
        let collection = world.decisions().await;
        let unit_with = |main: &str, code: &str| Unit { problems: vec![problem(main, code)], ..unit(main, vec![]) };
        let change = Change {
            replaced: vec![unit_with("b.md", "odd"), unit_with("a.md", "old")],
            removed: vec![],
            collection_problems: Some(vec![problem("z", "two-of-one-id")]),
        };
        world.store.apply(collection.id, &change, 0).await.unwrap();
        let codes = async || world.store.problems(None).await.unwrap().into_iter().map(|row| row.problem.code).collect::<Vec<_>>();
        assert_eq!(codes().await, ["old", "odd", "two-of-one-id"]);
        assert_eq!(world.store.problems(Some(collection.id)).await.unwrap()[0].problem, problem("a.md", "old"));
        assert_eq!(world.store.problems(Some(collection.id + 1)).await.unwrap(), []);
        assert_eq!(world.store.count_problems().await.unwrap(), [(collection.id, document::Severity::Warning, 3)]);
        let change = Change { replaced: vec![unit("a.md", vec![])], removed: vec!["b.md".to_owned()], collection_problems: None };
        world.store.apply(collection.id, &change, 0).await.unwrap();
        assert_eq!(codes().await, ["two-of-one-id"]);
        world.store.apply(collection.id, &Change { collection_problems: Some(vec![]), ..Change::default() }, 0).await.unwrap();
        assert_eq!(codes().await, Vec::<String>::new());
    }

    async fn a_name_that_no_index_can_hold_is_a_problem_of_its_file_alone(world: &World) {
        let collection = world.decisions().await;
        let endless = record("sre", &"x".repeat(3_000));
        let mut good = record("sre", "0001-a");
        good.tags = vec!["t".repeat(9_000)];
        let good = with(good, |record| record.metadata.push(("k".repeat(9_000), document::Value::Text("v".repeat(9_000)))));
        let change = Change { replaced: vec![unit("long.md", vec![endless]), unit("good.md", vec![good.clone()])], ..Change::default() };
        assert_eq!(world.store.apply(collection.id, &change, 0).await.unwrap().changed, 1);
        let problems = world.store.problems(None).await.unwrap();
        assert_eq!(problems.iter().map(|row| row.problem.code.as_str()).collect::<Vec<_>>(), ["name-too-long"]);
        assert_eq!(world.found(&RecordFilter { tag: Some("T".repeat(9_000)), ..RecordFilter::default() }).await, ["sre/adr/0001-a"]);
        assert_eq!(world.store.documents_by_uri(&good.uri).await.unwrap()[0].document, good);
    }
}
