//! The decision-record reader on real records of 26 repositories, where they lie beside this workspace: every record is found, what was labelled
//! by eye is read so, and `docs/reference/decision-sources.md` says what is found where (`UPDATE=1` rewrites its table).

mod decisions_support;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use decisions_support::{accuracy, labels, paths, real_records, records};
use document::{Document, UNKNOWN};

/// Where the real records lie, `None` where they are absent.
fn data() -> Option<PathBuf> {
    let found = real_records();
    if found.is_none() {
        eprintln!("skipped: no real records beside this workspace");
    }
    found
}

/// How many records each source has, counted by hand in its listing: every Markdown, reST and AsciiDoc file of its record folders without
/// index pages, templates and files in asset folders.
const COUNTS: &[(&str, usize)] = &[
    ("JabRef__jabref", 70),
    ("NHSDigital__nhs-notify", 8),
    ("Sylius__Sylius", 25),
    ("TritonDataCenter__rfd", 32),
    ("adr__madr", 19),
    ("alphagov__govuk-aws", 38),
    ("alphagov__govuk-design-system-architecture", 10),
    ("arachne-framework__architecture", 17),
    ("archgate__cli", 35),
    ("celestiaorg__celestia-app", 27),
    ("cometbft__cometbft", 128),
    ("cosmos__ibc-go", 15),
    ("dapr__dapr", 23),
    ("eclipse-edc__Connector", 108),
    ("eclipse__winery", 34),
    ("ethereum__EIPs", 44),
    ("kubernetes__enhancements", 21),
    ("microsoft__semantic-kernel", 77),
    ("mozilla__application-services", 10),
    ("nats-io__nats-architecture-and-design", 52),
    ("opendatahub-io__architecture-decision-records", 45),
    ("python__peps", 60),
    ("rust-lang__rfcs", 150),
    ("shopware__shopware", 123),
    ("stump-wtf__msgbrowse", 27),
    ("wmde__wikibase-release-pipeline", 18),
];

#[test]
fn every_record_of_every_source_is_found() {
    let Some(data) = data() else { return };
    for (source, count) in COUNTS {
        assert_eq!(records(&data.join(source), source).len(), *count, "{source}");
    }
}

#[test]
fn ids_are_unique_and_titles_are_never_empty() {
    let Some(data) = data() else { return };
    for (source, _) in COUNTS {
        let mut seen = HashMap::new();
        for (path, document, _) in records(&data.join(source), source) {
            let id = document.record().unwrap().id().to_lowercase();
            assert!(!document.title.trim().is_empty(), "{path}");
            if let Some(other) = seen.insert(id.clone(), path.clone()) {
                panic!("{source}: {id} names both {other} and {path}");
            }
            let mut at = document.body.start;
            for section in &document.sections {
                assert_eq!(section.span.start, at, "{path}");
                at = section.span.end;
            }
            assert_eq!(at, document.body.end, "{path}");
        }
    }
}

#[test]
fn labelled_records_are_read_as_the_page_says() {
    let Some(data) = data() else { return };
    let labelled = labels::read(&std::fs::read_to_string(labels::path()).unwrap());
    assert!(labelled.len() >= 380, "{} records are labelled", labelled.len());
    let accuracy = accuracy::measure(&data, &labelled);
    let page = std::fs::read_to_string(accuracy::page()).unwrap();
    let (_, old) = page.split_once(accuracy::BEGIN).expect("the page has its mark");
    assert_eq!(accuracy::fallen(&accuracy, &page), Vec::<String>::new(), "{:#?}", accuracy.misses);
    assert_eq!(old.trim(), accuracy::tables(&accuracy).trim(), "`cargo xtask eval decisions --write` rewrites the table");
}

#[test]
fn a_share_below_the_pages_is_told_by_its_name() {
    let of_ten = |dates: usize, relations: usize| accuracy::Accuracy {
        total: accuracy::Tally { records: 10, right: [10, dates, 10, 10], labelled_relations: 4, read_relations: 4, right_relations: relations },
        ..accuracy::Accuracy::default()
    };
    let page = accuracy::tables(&of_ten(9, 3));
    assert_eq!(accuracy::fallen(&of_ten(9, 3), &page), Vec::<String>::new());
    assert_eq!(accuracy::fallen(&of_ten(10, 4), &page), Vec::<String>::new());
    assert_eq!(accuracy::fallen(&of_ten(8, 3), &page), ["date: 8 of 10, 9 of 10 on the page"]);
    assert_eq!(accuracy::fallen(&of_ten(9, 2), &page).len(), 2);
}

#[test]
fn a_label_names_a_record_by_its_file_or_folder_and_never_a_part_as_the_whole() {
    assert!(labels::is_same_relation("supersedes:0003-keep", "supersedes:docs/adr/0003-keep.md"));
    assert!(labels::is_same_relation("relates_to:0007", "relates_to:rfd/0007/README.md"));
    assert!(labels::is_same_relation("depends_on:docs/spec.md", "depends_on:docs/spec.md"));
    assert!(!labels::is_same_relation("supersedes:0003-keep part", "supersedes:docs/adr/0003-keep.md"));
    assert!(!labels::is_same_relation("supersedes:0003-keep", "amends:docs/adr/0003-keep.md"));
    assert!(!labels::is_same_relation("relates_to:7", "relates_to:https://example.org/pull/7"));
}

const BEGIN: &str = "<!-- generated by crates/source/tests/decisions_real.rs with UPDATE=1; do not edit below -->\n";

#[test]
fn the_table_of_sources_is_up_to_date() {
    let Some(data) = data() else { return };
    let mut table = String::from(
        "| source | files | records | with a status | with a date | with relations | relations | problems |\n|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut sums = [0_usize; 7];
    for (source, _) in COUNTS {
        let root = data.join(source);
        let records = records(&root, source);
        let count = |test: &dyn Fn(&Document) -> bool| records.iter().filter(|(_, document, _)| test(document)).count();
        let relations = records.iter().map(|(_, document, _)| document.record().map_or(0, |record| record.relations.len())).sum();
        let row = [
            paths(&root).len(),
            records.len(),
            count(&|document| document.record().is_some_and(|record| record.status.word != UNKNOWN)),
            count(&|document| document.date.is_some()),
            count(&|document| document.record().is_some_and(|record| !record.relations.is_empty())),
            relations,
            records.iter().map(|(.., problems)| problems.len()).sum(),
        ];
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
        let _ = writeln!(table, "| {} | {} |", source.replacen("__", "/", 1), row.map(|value| value.to_string()).join(" | "));
    }
    let _ = writeln!(table, "| **all** | {} |", sums.map(|value| value.to_string()).join(" | "));
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/decision-sources.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (head, old) = text.split_once(BEGIN).expect("the page has its mark");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&page, format!("{head}{BEGIN}\n{table}")).unwrap();
    } else {
        assert_eq!(old.trim(), table.trim(), "run with UPDATE=1 to rewrite the table");
    }
}
