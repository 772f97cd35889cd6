//! Decision records: filters, order, names, labels and relations.

use document::{Kind, People, Review, Reviewer, Status, Target, Value};

use super::on_both_engines;
use super::world::{World, dated, draft, pointing, record, tagged, with};
use crate::{Label, RecordFilter, RecordName, RecordNames};

pub(super) fn filter(change: impl FnOnce(&mut RecordFilter)) -> RecordFilter {
    let mut filter = RecordFilter::default();
    change(&mut filter);
    filter
}

pub(super) fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

on_both_engines! {
    async fn the_newest_come_first_and_undated_ones_last(world: &World) {
        let collection = world.decisions().await;
        let documents = [
            record("sre", "0001-undated"),
            dated(record("sre", "0003-same"), "2024-05-01"),
            dated(record("sre", "0002-same"), "2024-05-01"),
            dated(record("sre", "0004-new"), "2025-01-31"),
            dated(record("sre", "0005-year"), "2024"),
            record("Sre", "0006-undated"),
        ];
        world.put(&collection, documents).await;
        let all = world.found(&RecordFilter::default()).await;
        let expected = ["sre/adr/0004-new", "sre/adr/0002-same", "sre/adr/0003-same", "sre/adr/0005-year", "Sre/adr/0006-undated", "sre/adr/0001-undated"];
        assert_eq!(all, expected);
        let page = world.store.records(&RecordFilter::default(), 2, 3).await.unwrap();
        assert_eq!(page.total, 6);
        assert_eq!(page.records.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), expected[3..5]);
        assert_eq!(page.records[0].date.as_deref(), Some("2024"));
        assert_eq!(page.records[1].date, None);
        assert_eq!(world.store.records(&RecordFilter::default(), 2, 99).await.unwrap().total, 6);
    }

    async fn filters_do_not_see_case_in_any_script(world: &World) {
        let collection = world.decisions().await;
        let first = tagged(record("Größe", "0001-a"), &["ÄRGER", "Δοκιμή"]);
        let first = with(first, |record| {
            record.status = Status { word: "Überholt".to_owned(), raw: None, note: None, place: None };
            record.people = People { authors: vec!["ÉMILE Zola".to_owned(), "émile zola".to_owned()], deciders: vec!["Ольга".to_owned()], ..People::default() };
            record.metadata = vec![
                ("Équipe".to_owned(), Value::List(vec![Value::Text("Straße".to_owned()), Value::Text("Ärzte".to_owned())])),
                ("cost".to_owned(), Value::Map(vec![("Low".to_owned(), Value::Empty)])),
            ];
        });
        world.put(&collection, [first, record("sre", "0002-b")]).await;
        let first = ["Größe/adr/0001-a"];
        let filters = [
            filter(|filter| filter.project = some("GRÖSSE".replace("SS", "ß").as_str())),
            filter(|filter| filter.record_type = some("ADR")),
            filter(|filter| filter.status = some("ÜBERHOLT")),
            filter(|filter| filter.statuses = Some(vec!["accepted?".to_owned(), "überHOLT".to_owned()])),
            filter(|filter| filter.tag = some("ärger")),
            filter(|filter| filter.tag = some("a\u{308}rger")),
            filter(|filter| filter.tag = some("ΔΟΚΙΜΉ")),
            filter(|filter| filter.author = some("émile ZOLA")),
            filter(|filter| filter.decider = some("ОЛЬГА")),
            filter(|filter| filter.field = Some(("ÉQUIPE".to_owned(), vec!["ÄRZTE".to_owned()]))),
            filter(|filter| filter.field = Some(("Cost".to_owned(), vec!["low".to_owned()]))),
        ];
        for (number, filter) in filters.iter().enumerate() {
            let expected = if number == 1 { 2 } else { 1 };
            let found = world.found(filter).await;
            assert_eq!((found.len(), found.contains(&first[0].to_owned())), (expected, true), "{filter:?}");
        }
        let nothing = [
            filter(|filter| filter.project = some("Gr")),
            filter(|filter| filter.tag = some("%")),
            filter(|filter| filter.author = some("Ольга")),
            filter(|filter| filter.field = Some(("cost".to_owned(), vec!["Ärzte".to_owned()]))),
            filter(|filter| filter.statuses = Some(vec![])),
            filter(|filter| filter.document_ids = Some(vec![])),
        ];
        for filter in &nothing {
            assert_eq!(world.found(filter).await, Vec::<String>::new(), "{filter:?}");
        }
    }

    async fn a_status_may_count_in_one_collection_only(world: &World) {
        let here = world.decisions().await;
        let there = world.store.put_collection("elsewhere", Kind::Decisions, "/elsewhere").await.unwrap();
        let live = |project: &str| with(record(project, "0001-a"), |record| record.status.word = "live".to_owned());
        world.put(&here, [live("sre"), record("sre", "0002-b")]).await;
        world.put(&there, [live("pay")]).await;
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let statuses_of = |groups: Vec<(Vec<i64>, Vec<String>)>| filter(|filter| filter.statuses_of = Some(groups));
        assert_eq!(world.found(&statuses_of(vec![(vec![there.id], words(&["LIVE"])), (vec![here.id], words(&["gone"]))])).await, ["pay/adr/0001-a"]);
        assert_eq!(world.found(&statuses_of(vec![(vec![here.id, there.id], words(&["live"]))])).await, ["pay/adr/0001-a", "sre/adr/0001-a"]);
        assert_eq!(world.found(&statuses_of(Vec::new())).await, Vec::<String>::new());
    }

    async fn filters_hold_together(world: &World) {
        let collection = world.decisions().await;
        let reviewed = with(record("sre", "0001-a"), |record| record.review = Some(Review { every: some("1y"), reviewed: None, due: None }));
        let open = with(record("sre", "0002-b"), |record| record.reviewers = vec![Reviewer { name: "ann".to_owned(), state: "pending".to_owned() }]);
        let open = with(tagged(dated(open, "2024-01-01"), &["db"]), |record| {
            record.status.word = "proposed".to_owned();
            record.people.authors = vec!["Ann".to_owned()];
            record.metadata = vec![("team".to_owned(), Value::Text("core".to_owned()))];
        });
        world.put(&collection, [reviewed, open, record("web", "0001-c")]).await;
        assert_eq!(world.found(&filter(|filter| filter.has_review = true)).await, ["sre/adr/0001-a"]);
        assert_eq!(world.found(&filter(|filter| filter.has_reviewers = true)).await, ["sre/adr/0002-b"]);
        assert_eq!(world.found(&filter(|filter| filter.document_ids = Some(vec![3, 1, 77]))).await, ["sre/adr/0001-a", "web/adr/0001-c"]);
        let all = filter(|filter| {
            filter.project = some("sre");
            filter.record_type = some("adr");
            filter.status = some("proposed");
            filter.tag = some("db");
            filter.author = some("ann");
            filter.field = Some(("team".to_owned(), vec!["core".to_owned()]));
            filter.statuses = Some(vec!["proposed".to_owned(), "draft".to_owned()]);
            filter.document_ids = Some((1..5_000).collect());
            filter.date_from = some("2023");
            filter.date_to = some("2024");
            filter.has_reviewers = true;
        });
        assert_eq!(world.found(&all).await, ["sre/adr/0002-b"]);
        assert_eq!(world.found(&RecordFilter { decider: some("ann"), ..all }).await, Vec::<String>::new());
        assert_eq!(world.found(&filter(|filter| (filter.project, filter.status) = (some("sre"), some("accepted")))).await, ["sre/adr/0001-a"]);
    }

    async fn drafts_are_stored_but_never_served(world: &World) {
        let collection = world.decisions().await;
        let hidden = with(tagged(draft(record("secret", "0001-a")), &["hidden"]), |record| {
            record.people.authors = vec!["Ann".to_owned()];
            record.metadata = vec![("field".to_owned(), Value::Text("x".to_owned()))];
        });
        world.put(&collection, [hidden.clone(), record("sre", "0002-b")]).await;
        assert_eq!(world.found(&RecordFilter::default()).await, ["sre/adr/0002-b"]);
        assert_eq!(world.store.labels(Label::Tag, None, None).await.unwrap(), []);
        assert_eq!(world.store.labels(Label::Author, None, None).await.unwrap(), []);
        assert_eq!(world.store.fields(None).await.unwrap(), []);
        assert_eq!(world.store.projects().await.unwrap().len(), 1);
        assert_eq!(world.store.record_rows(&[1]).await.unwrap(), []);
        assert_eq!(world.store.records_named(&RecordName::Id("secret/adr/0001-a".to_owned())).await.unwrap(), []);
        assert_eq!(world.store.document_page(None, None, 9, true).await.unwrap().len(), 1);
        assert_eq!(world.store.document_page(None, None, 9, false).await.unwrap().len(), 2);
        assert_eq!(world.store.count_documents(collection.id).await.unwrap(), 1);
        // What stops being a draft appears everywhere, and the other way round.
        let shown = with(hidden.clone(), |record| record.is_draft = false);
        world.put(&collection, [shown]).await;
        assert_eq!(world.found(&filter(|filter| filter.tag = some("HIDDEN"))).await, ["secret/adr/0001-a"]);
        assert_eq!(world.store.projects().await.unwrap().len(), 2);
        world.put(&collection, [hidden]).await;
        assert_eq!(world.found(&RecordFilter::default()).await, ["sre/adr/0002-b"]);
        assert_eq!(world.store.projects().await.unwrap().len(), 1);
    }

    async fn a_row_says_what_the_record_says(world: &World) {
        let collection = world.decisions().await;
        let document = tagged(dated(record("sre", "0012-define-slos"), "2024-03-01"), &["SLO", "ops"]);
        world.put(&collection, [document.clone()]).await;
        let row = world.store.record_rows(&[1, 2]).await.unwrap().remove(0);
        assert_eq!(row.record, *document.record().unwrap());
        assert_eq!((row.document_id, row.collection_id, row.uri), (1, collection.id, document.uri.to_string()));
        assert_eq!((row.id.as_str(), row.reference.as_deref()), ("sre/adr/0012-define-slos", Some("SRE-ADR-0012")));
        assert_eq!((row.project.as_str(), row.record_type.as_str(), row.slug.as_str(), row.number.as_deref()), ("sre", "adr", "0012-define-slos", Some("0012")));
        assert_eq!((row.title, row.description, row.path, row.stamp), (document.title.clone(), String::new(), document.path.clone(), document.stamp.to_string()));
        assert_eq!((row.status.as_str(), row.date.as_deref(), row.tags), ("accepted", Some("2024-03-01"), document.tags));
    }

    async fn names_mean_all_records_that_they_fit(world: &World) {
        let collection = world.decisions().await;
        let other = world.store.put_collection("other", document::Kind::Decisions, "/other").await.unwrap();
        world.put(&collection, [record("sre", "0012-slos"), record("web", "12-css"), record("sre", "sub/0012-slos"), record("sre", "0120-x")]).await;
        world.put(&other, [record("ops", "0012-y")]).await;
        let named = async |name: RecordName| world.store.records_named(&name).await.unwrap().into_iter().map(|row| row.id).collect::<Vec<_>>();
        let numbered = |project: Option<&str>, number: &str, collection_id| RecordName::Numbered {
            project: project.map(str::to_owned),
            record_type: some("ADR"),
            number: number.to_owned(),
            collection_id,
        };
        assert_eq!(named(RecordName::Id("SRE/ADR/0012-SLOs".to_owned())).await, ["sre/adr/0012-slos"]);
        assert_eq!(named(RecordName::Id("0012-slos".to_owned())).await, Vec::<String>::new());
        assert_eq!(named(RecordName::SlugEnd("0012-SLOS".to_owned())).await, ["sre/adr/0012-slos", "sre/adr/sub/0012-slos"]);
        assert_eq!(named(RecordName::SlugEnd("sub/0012-slos".to_owned())).await, ["sre/adr/sub/0012-slos"]);
        assert_eq!(named(RecordName::SlugEnd("ub/0012-slos".to_owned())).await, Vec::<String>::new());
        assert_eq!(named(RecordName::SlugEnd("slos".to_owned())).await, Vec::<String>::new());
        assert_eq!(named(RecordName::SlugEnd(String::new())).await, Vec::<String>::new());
        assert_eq!(named(RecordName::Reference("web-adr-0012".to_owned())).await, ["web/adr/12-css"]);
        assert_eq!(named(RecordName::Reference("OPS-ADR-12".to_owned())).await, ["ops/adr/0012-y"]);
        assert_eq!(named(numbered(None, "12", Some(collection.id))).await, ["sre/adr/0012-slos", "web/adr/12-css"]);
        assert_eq!(named(numbered(Some("Web"), "00012", None)).await, ["web/adr/12-css"]);
        assert_eq!(named(numbered(None, "012", None)).await, ["ops/adr/0012-y", "sre/adr/0012-slos", "web/adr/12-css"]);
        let path = |collection_id| RecordName::Path { collection_id, path: "ops/adr/0012-y.md".to_owned() };
        assert_eq!(named(path(other.id)).await, ["ops/adr/0012-y"]);
        assert_eq!(named(path(collection.id)).await, Vec::<String>::new());
    }

    async fn labels_are_counted_once_a_document_and_by_their_folded_form(world: &World) {
        let collection = world.decisions().await;
        world.put(&collection, [
            tagged(record("sre", "0001-a"), &["Zebra", "db", "DB"]),
            tagged(record("sre", "0002-b"), &["Db"]),
            tagged(record("web", "0003-c"), &["ants"]),
        ]).await;
        let tags = async |project, limit| world.store.labels(Label::Tag, project, limit).await.unwrap();
        let words = |counts: Vec<(String, i64)>| counts.into_iter().map(|(word, count)| (word.to_lowercase(), count)).collect::<Vec<_>>();
        let expected = |counts: &[(&str, i64)]| counts.iter().map(|(word, count)| ((*word).to_owned(), *count)).collect::<Vec<_>>();
        assert_eq!(words(tags(None, None).await), expected(&[("db", 2), ("ants", 1), ("zebra", 1)]));
        assert_eq!(words(tags(None, Some(1)).await), expected(&[("db", 2)]));
        assert_eq!(words(tags(Some("WEB"), None).await), expected(&[("ants", 1)]));
        assert_eq!(tags(Some("nothing"), None).await, []);
        let fielded = with(record("sre", "0001-a"), |record| {
            record.people.deciders = vec!["Ann".to_owned()];
            record.metadata = vec![("Team".to_owned(), Value::List(vec![Value::Text("x".to_owned()), Value::Text("y".to_owned())]))];
        });
        world.put(&collection, [fielded]).await;
        assert_eq!(world.store.fields(Some("SRE")).await.unwrap(), [("Team".to_owned(), 1)]);
        assert_eq!(world.store.labels(Label::Decider, Some("sre"), None).await.unwrap(), [("Ann".to_owned(), 1)]);
        assert_eq!(words(tags(None, None).await), expected(&[("ants", 1), ("db", 1)]));
    }

    async fn projects_count_their_records(world: &World) {
        let collection = world.decisions().await;
        world.put(&collection, [record("sre", "0001-a"), record("sre", "0002-b"), record("Web", "0003-c"), draft(record("x", "0001-a"))]).await;
        let projects = async || world.store.projects().await.unwrap().into_iter().map(|row| (row.project, row.records)).collect::<Vec<_>>();
        assert_eq!(projects().await, [("sre".to_owned(), 2), ("Web".to_owned(), 1)]);
        world.put(&collection, [with(record("sre", "0001-a"), |record| record.status.word = "rejected".to_owned())]).await;
        assert_eq!(projects().await, [("sre".to_owned(), 2), ("Web".to_owned(), 1)]);
        assert_eq!(world.found(&filter(|filter| filter.status = some("rejected"))).await, ["sre/adr/0001-a"]);
        let gone = crate::Change { removed: vec!["Web/adr/0003-c.md".to_owned()], ..crate::Change::default() };
        world.store.apply(collection.id, &gone, 0).await.unwrap();
        assert_eq!(projects().await, [("sre".to_owned(), 2)]);
    }

    async fn relations_are_found_from_what_they_may_point_at(world: &World) {
        let collection = world.decisions().await;
        let other = world.store.put_collection("other", document::Kind::Decisions, "/other").await.unwrap();
        let web = "https://git.example.org/acme/x/blob/main/docs/sre/adr/0001-a.md#context";
        world.put(&collection, [
            record("sre", "0001-a"),
            pointing(record("sre", "0002-path"), Target::Path("sre/adr/0001-a.md".to_owned())),
            pointing(record("sre", "0003-number"), Target::Number("1".to_owned())),
            pointing(record("web", "0004-number"), Target::Number("1".to_owned())),
            pointing(record("web", "0005-id"), Target::Id("SRE/adr/0001-a".to_owned())),
            pointing(record("web", "0006-reference"), Target::Id("SRE-ADR-1".to_owned())),
            pointing(record("web", "0007-slug"), Target::Id("0001-a".to_owned())),
            draft(pointing(record("web", "0008-draft"), Target::Id("0001-a".to_owned()))),
            pointing(record("web", "0009-web"), Target::Web(web.to_owned())),
            pointing(record("web", "0010-none"), Target::Id("0001-ab".to_owned())),
        ]).await;
        world.put(&other, [
            pointing(record("ops", "0011-far"), Target::Path("../decisions/sre/adr/0001-a.md".to_owned())),
            pointing(record("sre", "0012-number"), Target::Number("1".to_owned())),
        ]).await;
        let found = world.store.pointing_to(1, 100).await.unwrap();
        let ids: Vec<&str> = found.iter().map(|row| row.record.id.as_str()).collect();
        assert_eq!(ids, [
            "ops/adr/0011-far",
            "sre/adr/0002-path",
            "sre/adr/0003-number",
            "web/adr/0005-id",
            "web/adr/0006-reference",
            "web/adr/0007-slug",
            "web/adr/0009-web",
        ]);
        assert_eq!(found[1].positions, [0]);
        assert_eq!(found[1].record.record.relations[0].target, Target::Path("sre/adr/0001-a.md".to_owned()));
        let few = world.store.pointing_to(1, 2).await.unwrap();
        assert_eq!(few.iter().map(|row| row.record.id.as_str()).collect::<Vec<_>>(), ["ops/adr/0011-far", "sre/adr/0002-path"]);
        assert_eq!(world.store.pointing_to(2, 100).await.unwrap(), []);
        assert_eq!(world.store.pointing_to(99, 100).await.unwrap(), []);
    }

    async fn names_with_letters_in_front_are_found_by_them(world: &World) {
        let collection = world.decisions().await;
        let area = with(record("apps", "ARCH-014-a-b"), |record| record.number = Some("014".to_owned()));
        world.put(&collection, [
            area,
            pointing(record("apps", "0002-code"), Target::Id("ARCH-14".to_owned())),
            pointing(record("apps", "0003-type"), Target::Id("ADR-0014".to_owned())),
            pointing(record("apps", "0004-other"), Target::Id("GEN-014".to_owned())),
        ]).await;
        let found = world.store.pointing_to(1, 100).await.unwrap();
        assert_eq!(found.iter().map(|row| row.record.id.as_str()).collect::<Vec<_>>(), ["apps/adr/0002-code", "apps/adr/0003-type"]);
    }

    async fn many_names_are_one_question(world: &World) {
        let collection = world.decisions().await;
        let other = world.store.put_collection("other", document::Kind::Decisions, "/other").await.unwrap();
        world.put(&collection, [record("sre", "0001-a"), record("sre", "0002-b"), record("web", "0001-c"), draft(record("web", "0003-d"))]).await;
        world.put(&other, [record("ops", "0001-a")]).await;
        let called = async |names: RecordNames| {
            world.store.records_called(&names).await.unwrap().into_iter().map(|row| row.id).collect::<Vec<_>>()
        };
        let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(called(RecordNames::default()).await, Vec::<String>::new());
        assert_eq!(called(RecordNames { ends: texts(&["0001-A", "0003-d"]), ..RecordNames::default() }).await, ["ops/adr/0001-a", "sre/adr/0001-a"]);
        let path = (collection.id, "sre/adr/0002-b.md".to_owned());
        let number = (collection.id, "WEB".to_owned(), "01".to_owned());
        let names = RecordNames {
            ids: texts(&["sre/ADR/0001-a", "no/adr/1"]),
            references: texts(&["ops-adr-1"]),
            paths: vec![path, (other.id, "sre/adr/0002-b.md".to_owned())],
            numbers: vec![number],
            ..RecordNames::default()
        };
        assert_eq!(called(names).await, ["ops/adr/0001-a", "sre/adr/0001-a", "sre/adr/0002-b", "web/adr/0001-c"]);
    }

    async fn all_records_are_read_in_steps(world: &World) {
        let collection = world.decisions().await;
        world.put(&collection, [record("b", "0001-a"), record("a", "0002-b"), draft(record("a", "0003-c")), record("a", "0004-d")]).await;
        let step = async |after| world.store.records_after(after, 2).await.unwrap().into_iter().map(|row| (row.document_id, row.id)).collect::<Vec<_>>();
        assert_eq!(step(0).await, [(1, "b/adr/0001-a".to_owned()), (2, "a/adr/0002-b".to_owned())]);
        assert_eq!(step(2).await, [(4, "a/adr/0004-d".to_owned())]);
        assert_eq!(step(4).await, []);
    }
}
