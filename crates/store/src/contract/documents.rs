//! Documents come back as they were put, and listings are in byte order.

use document::{Facts, Kind, Scheme, Uri};
use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;

use super::on_both_engines;
use super::world::{World, draft, note, record, unit};
use crate::Change;

on_both_engines! {
    async fn documents_come_back_as_they_were(world: &World) {
        let collection = world.decisions().await;
        let mut runner = TestRunner::deterministic();
        let strategy = crate::codec::tests::any_record();
        let documents: Vec<_> = (0..130).map(|number| {
            let mut document = record("sre", &format!("{number:04}-ü #?%"));
            document.text = "grüße \0 \u{1a} 😀\r\n".repeat(number % 7);
            document.tags = vec!["a\u{1a}0".to_owned(), "Ünï".to_owned()];
            document.description = "quote ' \" \\ $1 @rows(x)".to_owned();
            document.facts = Facts::Record(Box::new(strategy.new_tree(&mut runner).unwrap().current()));
            document
        }).collect();
        world.put(&collection, documents.clone()).await;
        let ids: Vec<i64> = (1..=131).rev().collect();
        let mut stored = world.store.documents(&ids).await.unwrap();
        stored.sort_by_key(|stored| stored.id);
        assert_eq!(stored.len(), documents.len());
        for (stored, document) in stored.iter().zip(&documents) {
            assert_eq!(&stored.document, document);
            assert_eq!(stored.collection_id, collection.id);
        }
        assert_eq!(world.store.documents(&[]).await.unwrap(), []);
        let again = world.put(&collection, documents).await;
        assert_eq!(again.changed, 0);
    }

    async fn one_uri_may_stand_in_several_collections(world: &World) {
        let first = world.decisions().await;
        let second = world.store.put_collection("more", Kind::Decisions, "/more").await.unwrap();
        world.put(&first, [record("sre", "0001-a")]).await;
        world.put(&second, [record("sre", "0001-a")]).await;
        let uri = Uri::new(Scheme::Decision, "sre/adr/0001-a").with_section("1.2");
        let found = world.store.documents_by_uri(&uri).await.unwrap();
        assert_eq!(found.iter().map(|stored| stored.collection_id).collect::<Vec<_>>(), [first.id, second.id]);
        assert_eq!(world.store.documents_by_uri(&Uri::new(Scheme::Decision, "sre/adr")).await.unwrap(), []);
    }

    async fn pages_go_on_strictly_behind_the_last_uri_in_byte_order(world: &World) {
        let notes = world.store.put_collection("notes", Kind::Notes, "/notes").await.unwrap();
        let decisions = world.decisions().await;
        world.put(&notes, ["b", "B", "a-b", "a_b", "ab", "ä", "A"].map(note)).await;
        world.put(&decisions, [draft(record("sre", "0001-a")), record("sre", "0002-b")]).await;
        let mut uris = Vec::new();
        loop {
            let page = world.store.document_page(None, uris.last().map(String::as_str), 2, true).await.unwrap();
            if page.is_empty() {
                break;
            }
            uris.extend(page.into_iter().map(|row| row.uri));
        }
        let mut expected: Vec<String> = ["b", "B", "a-b", "a_b", "ab", "ä", "A"].map(|path| note(path).uri.to_string()).to_vec();
        expected.push(record("sre", "0002-b").uri.to_string());
        expected.sort();
        assert_eq!(uris, expected);
        let kinds = world.store.document_page(Some(Kind::Decisions), None, 9, false).await.unwrap();
        assert_eq!(kinds.iter().map(|row| row.reference.as_deref()).collect::<Vec<_>>(), [Some("SRE-ADR-0001"), Some("SRE-ADR-0002")]);
        assert_eq!(kinds[0].status.as_deref(), Some("accepted"));
        let row = &world.store.document_page(Some(Kind::Notes), None, 1, true).await.unwrap()[0];
        // Escapes come first: `%` stands before all letters.
        assert_eq!((row.title.as_str(), row.status.as_deref(), row.size_bytes), ("ä", None, i64::try_from(note("ä").text.len()).unwrap()));
        assert_eq!(world.store.document_rows(&[row.id, 99]).await.unwrap(), std::slice::from_ref(row));
    }

    async fn a_large_batch_is_one_change(world: &World) {
        let collection = world.store.put_collection("notes", Kind::Notes, "/notes").await.unwrap();
        let replaced = (0..1_500).map(|number| unit(&format!("n{number}"), vec![note(&format!("n{number}"))])).collect();
        let applied = world.store.apply(collection.id, &Change { replaced, ..Change::default() }, 0).await.unwrap();
        assert_eq!((applied.sequence, applied.changed), (1_500, 1_500));
        let ids: Vec<i64> = (1..=1_500).collect();
        assert_eq!(world.store.documents(&ids).await.unwrap().len(), 1_500);
        assert_eq!(world.store.files(collection.id).await.unwrap().len(), 1_500);
        let removed = (0..1_500).map(|number| format!("n{number}")).collect();
        let applied = world.store.apply(collection.id, &Change { removed, ..Change::default() }, 0).await.unwrap();
        assert_eq!((applied.sequence, applied.removed), (3_000, 1_500));
    }
}
