//! Relations in both directions, over two collections, and what is found inconsistent between records.

use std::path::Path;
use std::sync::Arc;

use document::RelationKind;
use engine::config::{Sources, load};
use engine::decisions::{RecordAnswer, StatedBy, check, get};
use engine::{Desk, Library, OpenOptions, StateFolder};

/// Two collections beside each other: `shop/docs/adr` and `platform/docs/adr`.
struct World {
    folder: tempfile::TempDir,
    library: Option<Arc<Library>>,
}

impl World {
    fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { folder: tempfile::tempdir().unwrap(), library: None };
        for collection in ["shop", "platform"] {
            std::fs::create_dir_all(world.folder.path().join(collection).join("docs/adr")).unwrap();
        }
        for (path, text) in files {
            world.write(path, text);
        }
        world
    }

    fn path(&self, path: &str) -> std::path::PathBuf {
        self.folder.path().join(path)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    async fn desk(&mut self) -> Desk {
        if self.library.is_none() {
            self.library = Some(open(&[self.path("shop"), self.path("platform")], &self.path("state")).await);
        }
        self.library.as_ref().unwrap().owner_desk().await.unwrap()
    }

    async fn get(&mut self, id: &str) -> RecordAnswer {
        get(&self.desk().await, id).await.unwrap()
    }

    /// `collection/path:line code`, in order.
    async fn findings(&mut self) -> Vec<String> {
        let findings = check(&self.desk().await, None).await.unwrap();
        let place = |finding: engine::decisions::Finding| {
            let line = finding.problem.line_number.map(|line| format!(":{line}")).unwrap_or_default();
            format!("{}/{}{line} {}", finding.collection, finding.problem.path, finding.problem.code)
        };
        findings.into_iter().map(place).collect()
    }
}

async fn open(folders: &[std::path::PathBuf], state: &Path) -> Arc<Library> {
    let config = load(&Sources { paths: folders.to_vec(), ..Sources::default() }).unwrap();
    Library::open(OpenOptions::new(config, StateFolder::at(state).unwrap())).await.unwrap()
}

fn adr(title: &str, status: &str) -> String {
    format!("# {title}\n\n## Status\n\n{status}\n\n## Context\n\nThere was a need.\n")
}

/// Relations of a kind: id, and who states it.
fn related(answer: &RecordAnswer, kind: RelationKind) -> Vec<(String, StatedBy)> {
    answer.related(kind).map(|related| (related.id.clone(), related.stated_by)).collect()
}

fn one(id: &str, stated_by: StatedBy) -> Vec<(String, StatedBy)> {
    vec![(id.to_owned(), stated_by)]
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_state_is_seen_from_the_record_that_they_mean() {
    let mut world = World::new(&[
        ("shop/docs/adr/0001-carts-in-redis.md", &adr("1. Carts in Redis", "Accepted")),
        ("shop/docs/adr/0002-carts-in-postgres.md", &adr("2. Carts in PostgreSQL", "Accepted\n\nSupersedes [carts](0001-carts-in-redis.md)")),
        ("shop/docs/adr/0003-prices.md", &adr("3. Prices", "Accepted\n\nAmends ADR-2")),
        (
            "shop/docs/adr/0004-tax.md",
            "---\ntitle: Tax\nstatus: accepted\ndepends_on: [shop/adr/0003-prices]\nrelated: [shop/adr/0002-carts-in-postgres]\n---\n",
        ),
        ("shop/docs/adr/0005-draft.md", "---\ntitle: Draft\ndraft: true\nsupersedes: [shop/adr/0003-prices]\n---\n"),
        (
            "platform/docs/adr/0001-one-database.md",
            &adr("1. One database", "Accepted\n\nClarifies [carts](../../../shop/docs/adr/0002-carts-in-postgres.md)"),
        ),
    ]);
    let carts = world.get("shop/adr/2").await;
    assert_eq!(related(&carts, RelationKind::Supersedes), one("shop/adr/0001-carts-in-redis", StatedBy::This));
    assert_eq!(related(&carts, RelationKind::AmendedBy), one("shop/adr/0003-prices", StatedBy::Other));
    assert_eq!(related(&carts, RelationKind::ClarifiedBy), one("platform/adr/0001-one-database", StatedBy::Other));
    assert_eq!(related(&carts, RelationKind::RelatesTo), one("shop/adr/0004-tax", StatedBy::Other));
    let prices = world.get("shop/adr/3").await;
    assert_eq!(related(&prices, RelationKind::RequiredBy), one("shop/adr/0004-tax", StatedBy::Other));
    assert_eq!(related(&prices, RelationKind::SupersededBy), [], "drafts state nothing");
    // Its own status counts; the claim is told.
    let redis = world.get("shop/adr/1").await;
    assert!(redis.is_current);
    assert_eq!(redis.current_record, None);
    assert_eq!(related(&redis, RelationKind::SupersededBy), one("shop/adr/0002-carts-in-postgres", StatedBy::Other));
    assert_eq!(redis.notes, ["shop/adr/0002-carts-in-postgres says that it supersedes this record; its own status is still \"accepted\"."]);
    assert_eq!(redis.problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["missing-superseded-by"]);
    // Both say it once it is written down.
    world.write("shop/docs/adr/0001-carts-in-redis.md", &adr("1. Carts in Redis", "Superseded by [carts](0002-carts-in-postgres.md)"));
    let redis = world.get("shop/adr/1").await;
    assert!(!redis.is_current);
    assert_eq!(related(&redis, RelationKind::SupersededBy), one("shop/adr/0002-carts-in-postgres", StatedBy::Both));
    assert_eq!(redis.current_record.unwrap().id, "shop/adr/0002-carts-in-postgres");
    assert_eq!((redis.notes.len(), redis.problems.len()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn every_way_to_name_a_record_of_another_collection_leads_to_it() {
    let target = "platform/docs/adr/0003-event-bus.md";
    let uri = "decision://platform/adr/0003-event-bus";
    for said in [
        "[bus](../../../platform/docs/adr/0003-event-bus.md)",
        "[bus](../../../platform/docs/adr/0003-event-bus)",
        "platform/adr/0003-event-bus",
        "PLATFORM-ADR-0003",
        "platform/adr/3",
        "0003-event-bus",
        uri,
        &format!("[bus]({uri})"),
        "http://127.0.0.1:7777/d/platform/adr/0003-event-bus?lines=3-4#1",
        "[bus](https://github.com/acme/platform/blob/main/docs/adr/0003-event-bus.md)",
        "[bus](https://gitlab.com/acme/sub/platform/-/blob/main/docs/adr/0003-event-bus.md#context)",
        "[bus](https://git.example.org/acme/platform/src/branch/main/docs/adr/0003-event-bus.md)",
    ] {
        let mut world = World::new(&[
            (target, &adr("3. Event bus", "Accepted")),
            ("shop/docs/adr/0009-queues.md", &adr("9. Queues", &format!("Superseded by {said}"))),
        ]);
        let queues = world.get("shop/adr/9").await;
        assert_eq!(related(&queues, RelationKind::SupersededBy), one("platform/adr/0003-event-bus", StatedBy::This), "{said}");
        assert_eq!(queues.current_record.map(|end| end.id).as_deref(), Some("platform/adr/0003-event-bus"), "{said}");
        let bus = world.get("platform/adr/3").await;
        assert_eq!(related(&bus, RelationKind::Supersedes), one("shop/adr/0009-queues", StatedBy::Other), "{said}");
        assert_eq!(world.findings().await, [format!("{target} missing-supersedes")], "{said}");
    }
    // The same file of another repository is another record.
    let mut world = World::new(&[
        (target, &adr("3. Event bus", "Accepted")),
        (
            "shop/docs/adr/0009-queues.md",
            &adr("9. Queues", "Superseded by [bus](https://github.com/acme/other/blob/main/docs/adr/0003-event-bus.md)"),
        ),
    ]);
    assert!(world.get("shop/adr/9").await.relations[0].known.is_none());
    assert_eq!(world.findings().await, Vec::<String>::new(), "a link to the web is never dangling");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_chain_uses_both_directions_and_ends_in_circles_and_branches() {
    let mut world = World::new(&[
        ("shop/docs/adr/0001-a.md", &adr("1. A", "Superseded by ADR-2")),
        ("shop/docs/adr/0002-b.md", &adr("2. B", "Accepted")),
        ("shop/docs/adr/0003-c.md", &adr("3. C", "Accepted\n\nSupersedes ADR-2")),
        ("shop/docs/adr/0004-d.md", &adr("4. D", "Proposed\n\nSupersedes ADR-3")),
        ("platform/docs/adr/0001-x.md", &adr("1. X", "Superseded by ADR-2")),
        ("platform/docs/adr/0002-y.md", &adr("2. Y", "Superseded by ADR-3")),
        ("platform/docs/adr/0003-z.md", &adr("3. Z", "Superseded by ADR-1")),
        ("platform/docs/adr/0004-whole.md", &adr("4. Whole", "Superseded by ADR-5 and ADR-6")),
        ("platform/docs/adr/0005-left.md", &adr("5. Left", "Accepted\n\nSupersedes ADR-4")),
        ("platform/docs/adr/0006-right.md", &adr("6. Right", "Accepted\n\nSupersedes ADR-4")),
        ("platform/docs/adr/0007-self.md", &adr("7. Self", "Superseded by [7](0007-self.md)")),
        ("platform/docs/adr/0008-part.md", &adr("8. Part", "Accepted")),
        ("platform/docs/adr/0009-part.md", &adr("9. Part", "Accepted\n\nSupersedes in part ADR-8")),
    ]);
    let end = async |world: &mut World, id: &str| world.get(id).await.current_record.map(|end| end.id);
    // C alone says that it supersedes B; D is only proposed.
    assert_eq!(end(&mut world, "shop/adr/1").await.as_deref(), Some("shop/adr/0003-c"));
    let circle = world.get("platform/adr/1").await;
    assert_eq!((circle.current_record, circle.other_ends.len()), (None, 0));
    assert_eq!(
        circle.notes,
        ["Supersession runs in a circle: platform/adr/0001-x → platform/adr/0002-y → platform/adr/0003-z → platform/adr/0001-x."]
    );
    let whole = world.get("platform/adr/4").await;
    assert_eq!(whole.current_record.unwrap().id, "platform/adr/0005-left");
    assert_eq!(whole.other_ends.iter().map(|end| end.id.as_str()).collect::<Vec<_>>(), ["platform/adr/0006-right"]);
    let part = world.get("platform/adr/8").await;
    assert!(part.is_current && part.notes.is_empty());
    assert_eq!(part.related(RelationKind::SupersededBy).map(|related| related.is_partial).collect::<Vec<_>>(), [true]);
    assert_eq!(
        world.findings().await,
        [
            "platform/docs/adr/0001-x.md missing-supersedes",
            "platform/docs/adr/0001-x.md:5 supersession-cycle",
            "platform/docs/adr/0002-y.md missing-supersedes",
            "platform/docs/adr/0003-z.md missing-supersedes",
            "platform/docs/adr/0004-whole.md:5 several-successors",
            "platform/docs/adr/0007-self.md:5 self-reference",
            "platform/docs/adr/0008-part.md missing-superseded-by",
            "shop/docs/adr/0002-b.md missing-superseded-by",
            "shop/docs/adr/0002-b.md missing-supersedes",
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn targets_that_are_not_there_or_not_clear_are_told_and_others_are_not() {
    let mut world = World::new(&[
        ("shop/docs/adr/0001-a.md", &adr("1. A", "Superseded by [b](0002-gone.md)")),
        ("shop/docs/adr/0002-b.md", &adr("2. B", "Accepted\n\nAmends ADR-77")),
        ("shop/docs/adr/0003-c.md", "---\ntitle: C\nstatus: accepted\nsupersedes: [shop/adr/0099-none]\n---\n"),
        ("shop/docs/adr/0004-d.md", &adr("4. D", "Accepted\n\nAmends 0001-same")),
        ("shop/docs/adr/0005-e.md", &adr("5. E", "Superseded by [the guide](../guide.md), see [site](/adr/9-x), [far](../../../../far/0001-x.md)")),
        ("shop/docs/guide.md", "# A guide\n"),
        ("shop/docs/adr/0006-f.md", &adr("6. F", "Accepted\n\nAmends [draft](0007-draft.md)")),
        ("shop/docs/adr/0007-draft.md", "---\ntitle: Draft\ndraft: true\n---\n"),
        ("shop/docs/adr/0008-g.md", &adr("8. G", "Superseded")),
        ("shop/docs/adr/0008-h.md", &adr("9. H", "Accepted")),
        ("platform/docs/adr/0001-same.md", &adr("1. Same", "Accepted")),
        ("platform/docs/adr/sub/0001-same.md", &adr("1. Same", "Accepted")),
    ]);
    let findings = world.findings().await;
    assert_eq!(
        findings,
        [
            "shop/docs/adr/0001-a.md:5 dangling-relation",
            "shop/docs/adr/0002-b.md:7 dangling-relation",
            "shop/docs/adr/0003-c.md:4 dangling-relation",
            "shop/docs/adr/0004-d.md:7 ambiguous-target",
            "shop/docs/adr/0008-g.md superseded-without-target",
            "shop/docs/adr/0008-h.md duplicate-number",
            "shop/docs/adr/0008-h.md:1 number-disagrees",
        ]
    );
    let hint = check(&world.desk().await, Some("shop")).await.unwrap()[0].problem.hint.clone();
    assert_eq!(hint.as_deref(), Some("Number 0002 is docs/adr/0002-b.md."));
    // The same findings, seen from their record.
    for (id, code) in [("shop/adr/2", "dangling-relation"), ("shop/adr/4", "ambiguous-target"), ("shop/adr/0008-h", "duplicate-number")] {
        assert!(world.get(id).await.problems.iter().any(|problem| problem.code == code), "{id}");
    }
    assert_eq!(check(&world.desk().await, Some("platform")).await.unwrap(), []);
    assert!(check(&world.desk().await, Some("nowhere")).await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_line_that_a_finding_shows_mends_it() {
    let new = "---\ntitle: New\nstatus: accepted\ndate: 2026-03-02\nsupersedes: [shop/adr/0001-old]\namends: [shop/adr/0003-kept]\n---\n";
    let forms = [
        "---\ntitle: Old\nstatus: STATUS\nLINE\n---\n",
        "# Old\n\n## Status\n\nSTATUS\n\nLINE\n\n## Context\n",
        "# Old\n\n- Status: STATUS\nLINE\n\n## Context\n",
        "# Old\n\n**Status:** STATUS\n\nLINE\n\n## Context\n",
        "# Old\n\n| Metadata | Value |\n| --- | --- |\n| Status | STATUS |\nLINE\n\n## Context\n",
    ];
    for form in forms {
        for (file, status) in [("0001-old", "superseded"), ("0003-kept", "accepted")] {
            let path = format!("shop/docs/adr/{file}.md");
            let text = |line: &str| form.replace("STATUS", status).replace("LINE", line);
            let other = if file == "0001-old" { "0003-kept" } else { "0001-old" };
            let mended = "---\ntitle: Mended\nstatus: accepted\nsuperseded_by: shop/adr/0002-new\n---\n";
            let mut world = World::new(&[
                ("shop/docs/adr/0002-new.md", new),
                (&path, &text("")),
                (&format!("shop/docs/adr/{other}.md"), &mended.replace("accepted", "superseded")),
            ]);
            let findings = check(&world.desk().await, None).await.unwrap();
            let [finding] = findings.as_slice() else { panic!("{form}: {findings:?}") };
            assert!(finding.problem.code.starts_with("missing-"), "{finding:?}");
            let hint = finding.problem.hint.clone().unwrap();
            let line = hint.split('`').nth(1).unwrap();
            world.write(&path, &text(line));
            assert_eq!(world.findings().await, Vec::<String>::new(), "{form}\n{hint}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_or_date_that_does_not_fit_the_relations_is_told() {
    let mut world = World::new(&[
        ("shop/docs/adr/0001-a.md", "---\ntitle: A\nstatus: accepted\ndate: 2026-01-01\nsuperseded_by: shop/adr/0002-b\n---\n"),
        ("shop/docs/adr/0002-b.md", "---\ntitle: B\nstatus: accepted\ndate: 2025-06-01\nsupersedes: shop/adr/0001-a\n---\n"),
        ("shop/docs/adr/0003-c.md", &adr("3. C", "Implemented. Superseded by [b](0002-b.md)")),
        ("shop/docs/adr/0004-d.md", "---\ntitle: D\nstatus: accepted\ndate: 2022-27-09\n---\n"),
        ("shop/docs/adr/0005-e.md", "---\ntitle: E\nstatus: \"{proposed | accepted}\"\n---\n"),
    ]);
    assert_eq!(
        world.findings().await,
        [
            "shop/docs/adr/0001-a.md:5 superseded-but-current",
            "shop/docs/adr/0002-b.md missing-supersedes",
            "shop/docs/adr/0002-b.md:5 supersedes-newer",
            "shop/docs/adr/0004-d.md:4 impossible-date",
            "shop/docs/adr/0005-e.md:3 template-status",
        ]
    );
}
