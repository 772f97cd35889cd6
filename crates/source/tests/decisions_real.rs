//! The decision-record reader on real records of 26 repositories, where they lie beside this workspace: every record is found, what was checked
//! by eye is read so, and `docs/reference/decision-sources.md` says what is found where (`UPDATE=1` rewrites its table).

mod decisions_support;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use decisions_support::{paths, records, relation_words};
use document::{Document, Problem, UNKNOWN};

/// Where the real records lie, `None` where they are absent.
fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    let found = path.canonicalize().ok();
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

/// What was read by eye, one record a line: source, path's end, title, status, date, relations (`;` between them). `-` is none.
const CHECKED: &str = include_str!("decisions_checked.txt");

#[test]
fn what_was_checked_by_eye_is_read_so() {
    let Some(data) = data() else { return };
    let mut read: HashMap<String, Vec<(String, Document, Vec<Problem>)>> = HashMap::new();
    let mut wrong = Vec::new();
    let mut checked = 0;
    for line in CHECKED.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [source, path, title, status, date, relations] = fields[..] else { panic!("six fields expected: {line}") };
        let source = COUNTS.iter().map(|(name, _)| *name).find(|name| name.contains(source)).unwrap_or_else(|| panic!("no source {source}"));
        let records = read.entry(source.to_owned()).or_insert_with(|| records(&data.join(source), source));
        let Some((_, document, _)) = records.iter().find(|(found, ..)| found.contains(path)) else { panic!("no record {path} in {source}") };
        let record = document.record().unwrap();
        let found_date = document.date.clone().unwrap_or_else(|| "-".to_owned());
        let found_relations =
            if record.relations.is_empty() { "-".to_owned() } else { record.relations.iter().map(relation_words).collect::<Vec<_>>().join("; ") };
        let found = [document.title.as_str(), record.status.word.as_str(), found_date.as_str(), found_relations.as_str()];
        for (name, (found, expected)) in ["title", "status", "date", "relations"].iter().zip(found.into_iter().zip([title, status, date, relations]))
        {
            if found != expected && expected != "*" {
                wrong.push(format!("{path}: {name}\n  read     {found}\n  expected {expected}"));
            }
        }
        checked += 1;
    }
    assert!(checked >= 80, "{checked} records checked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
