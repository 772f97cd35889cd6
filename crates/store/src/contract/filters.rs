//! Filters of records by date, relation, problem and field value.

use document::{Relation, RelationKind, Severity, Target, Value};

use super::on_both_engines;
use super::records::{filter, some};
use super::world::{World, dated, draft, pointing, problem, record, tagged, unit, with};

on_both_engines! {
    /// A record of `2024` may be of any day of that year, as in the index.
    async fn a_range_of_dates_takes_in_what_may_lie_there(world: &World) {
        let collection = world.decisions().await;
        let dates = [("1-day", "2024-05-01"), ("2-month", "2024-05"), ("3-year", "2024"), ("4-next", "2025-01-31"), ("5-old", "1999-12-31")];
        assert_eq!(world.store.record_dates().await.unwrap(), None);
        world.put(&collection, dates.map(|(slug, date)| dated(record("sre", slug), date)).into_iter().chain([record("sre", "6-none")])).await;
        let found = async |from: Option<&str>, to: Option<&str>| {
            let ids = world.found(&filter(|filter| (filter.date_from, filter.date_to) = (from.map(str::to_owned), to.map(str::to_owned)))).await;
            let mut numbers: Vec<&str> = ids.iter().map(|id| &id["sre/adr/".len()..][..1]).collect();
            numbers.sort_unstable();
            numbers.concat()
        };
        assert_eq!(found(Some("2024-05-01"), None).await, "1234");
        assert_eq!(found(Some("2024-05-02"), None).await, "234");
        assert_eq!(found(Some("2024-06"), None).await, "34");
        assert_eq!(found(Some("2025"), None).await, "4");
        assert_eq!(found(None, Some("2024-05")).await, "1235");
        assert_eq!(found(None, Some("2024-04-30")).await, "35");
        assert_eq!(found(None, Some("1999")).await, "5");
        assert_eq!(found(Some("2024-05-01"), Some("2024-05-01")).await, "123");
        assert_eq!(found(Some("2024"), Some("2024")).await, "123");
        assert_eq!(found(Some("2000"), Some("2023")).await, "");
        assert_eq!(world.store.record_dates().await.unwrap(), Some(("1999-12-31".to_owned(), "2025-01-31".to_owned())));
    }

    async fn records_are_found_by_the_relations_that_they_state(world: &World) {
        let collection = world.decisions().await;
        let partly = with(record("sre", "0002-b"), |record| {
            let relation = |kind| Relation { kind, is_partial: true, target: Target::Number("1".to_owned()), raw: String::new(), line_number: 1 };
            record.relations = vec![relation(RelationKind::Amends), relation(RelationKind::Amends), relation(RelationKind::RelatesTo)];
        });
        world.put(&collection, [
            pointing(record("sre", "0001-a"), Target::Number("9".to_owned())),
            partly,
            draft(pointing(record("sre", "0003-c"), Target::Number("9".to_owned()))),
            tagged(record("sre", "0004-supersedes"), &["supersedes", "amends"]),
        ]).await;
        let stating = async |kind| world.found(&filter(|filter| filter.relation = Some(kind))).await;
        assert_eq!(stating(RelationKind::Supersedes).await, ["sre/adr/0001-a"]);
        assert_eq!(stating(RelationKind::Amends).await, ["sre/adr/0002-b"]);
        assert_eq!(stating(RelationKind::RelatesTo).await, ["sre/adr/0002-b"]);
        assert_eq!(stating(RelationKind::SupersededBy).await, Vec::<String>::new());
        let both = filter(|filter| (filter.project, filter.relation) = (some("SRE"), Some(RelationKind::Supersedes)));
        assert_eq!(world.found(&both).await, ["sre/adr/0001-a"]);
    }

    async fn records_are_found_by_the_problems_of_their_files(world: &World) {
        let collection = world.decisions().await;
        let other = world.store.put_collection("other", document::Kind::Decisions, "/other").await.unwrap();
        world.put(&other, [record("sre", "0001-a")]).await;
        let bad = |slug: &str, problems: Vec<document::Problem>| {
            let document = record("sre", slug);
            crate::Unit { problems, ..unit(&document.path.clone(), vec![document]) }
        };
        let error = document::Problem { severity: Severity::Error, ..problem("sre/adr/0002-b.yaml", "broken-sidecar") };
        let change = crate::Change {
            replaced: vec![
                bad("0001-a", vec![problem("sre/adr/0001-a.md", "odd-date")]),
                bad("0002-b", vec![error]),
                bad("0003-c", Vec::new()),
            ],
            collection_problems: Some(vec![problem("sre/adr/0003-c.md", "duplicate-number"), problem("sre/_project.yml", "odd-date")]),
            ..crate::Change::default()
        };
        world.store.apply(collection.id, &change, 0).await.unwrap();
        let with_code = async |code: &str| world.found(&filter(|filter| filter.problem_code = some(code))).await;
        assert_eq!(with_code("odd-date").await, ["sre/adr/0001-a"]);
        assert_eq!(with_code("broken-sidecar").await, ["sre/adr/0002-b"]);
        assert_eq!(with_code("duplicate-number").await, ["sre/adr/0003-c"]);
        assert_eq!(with_code("none").await, Vec::<String>::new());
        let so_bad = async |severity| world.found(&filter(|filter| filter.problem_severity = Some(severity))).await;
        assert_eq!(so_bad(Severity::Error).await, ["sre/adr/0002-b"]);
        assert_eq!(so_bad(Severity::Warning).await, ["sre/adr/0001-a", "sre/adr/0003-c"]);
        assert_eq!(so_bad(Severity::Note).await, Vec::<String>::new());
        assert_eq!(world.store.problem_codes().await.unwrap(), ["broken-sidecar", "duplicate-number", "odd-date"]);
    }

    async fn values_of_a_field_are_counted(world: &World) {
        let collection = world.decisions().await;
        let risky = |slug: &str, risk: &str| with(record("sre", slug), |record| record.metadata = vec![("Risk".to_owned(), Value::Text(risk.to_owned()))]);
        world.put(&collection, [risky("0001-a", "3"), risky("0002-b", "3.0"), risky("0003-c", "3.0"), draft(risky("0004-d", "4"))]).await;
        assert_eq!(world.store.field_values("RISK", 9).await.unwrap(), [("3.0".to_owned(), 2), ("3".to_owned(), 1)]);
        assert_eq!(world.store.field_values("none", 9).await.unwrap(), []);
        let either = filter(|filter| filter.field = Some(("risk".to_owned(), vec!["3".to_owned(), "3.0".to_owned()])));
        assert_eq!(world.found(&either).await.len(), 3);
    }
}
