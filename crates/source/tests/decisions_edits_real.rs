//! Edits of real records of 26 repositories, where they lie beside this workspace: how many can be edited, and that nothing else of them changes.

mod decisions_support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use decisions_support::{lost_lines, paths, pointer, real_records, record_bytes, superseded_by};
use document::RelationKind;
use source::RawFile;
use source::formats::decisions::{self, Edit, EditError, NewRecord, RecordFiles};

/// Where the real records lie, `None` where they are absent.
fn data() -> Option<PathBuf> {
    let found = real_records();
    if found.is_none() {
        eprintln!("skipped: no real records beside this workspace");
    }
    found
}

fn sources(data: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(data)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Lines before and after that differ, without those that are the same at both ends.
fn changed_lines(before: &[u8], after: &[u8]) -> (Vec<String>, Vec<String>) {
    let lines =
        |bytes: &[u8]| bytes.split_inclusive(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect::<Vec<_>>();
    let (mut old, mut new) = (lines(before), lines(after));
    while !old.is_empty() && !new.is_empty() && old.last() == new.last() {
        old.pop();
        new.pop();
    }
    let same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    (old.split_off(same), new.split_off(same))
}

#[test]
fn most_real_records_can_be_edited_and_lose_nothing() {
    let Some(data) = data() else { return };
    let mut table = String::from("| source | records | status set | refused | superseded | refused |\n|---|---:|---:|---:|---:|---:|\n");
    let mut sums = [0_usize; 5];
    let mut refusals = Vec::new();
    for source in sources(&data) {
        let records = record_bytes(&data.join(&source), &source);
        let mut row = [records.len(), 0, 0, 0, 0];
        for (index, (files, main, sidecars)) in records.iter().enumerate() {
            let parsed = decisions::read(files, main, sidecars);
            let before = parsed.documents[0].record().unwrap().clone();
            let word = if before.status.word == "rejected" { "accepted" } else { "rejected" };
            let other = &records[(index + 1) % records.len()].0;
            let operations = [vec![Edit::Status { word: word.to_owned(), date: None }], superseded_by(pointer(files, other, "Keep it small"))];
            for (at, edits) in operations.iter().enumerate() {
                match decisions::edit(files, main, sidecars, edits) {
                    Ok(changed) => {
                        row[1 + 2 * at] += 1;
                        assert!(!changed.is_empty(), "{}", files.main);
                        for file in &changed {
                            let old = std::iter::once(main).chain(sidecars).find(|old| old.path == file.path).unwrap();
                            let lost = lost_lines(&old.bytes, &file.bytes);
                            assert!(lost <= 4, "{}: {lost} lines changed", file.path);
                            if std::env::var_os("SHOW").is_some() {
                                let (old, new) = changed_lines(&old.bytes, &file.bytes);
                                eprintln!("{source} {}\n  - {}\n  + {}", file.path, old.join("  - ").trim_end(), new.join("  + ").trim_end());
                            }
                        }
                    }
                    Err(EditError::AlreadySo { .. }) => row[1 + 2 * at] += 1,
                    Err(error) => {
                        row[2 + 2 * at] += 1;
                        refusals.push(format!("{source}: {error}"));
                    }
                }
            }
        }
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
        let _ = writeln!(table, "| {} | {} |", source.replacen("__", "/", 1), row.map(|value| value.to_string()).join(" | "));
    }
    let _ = writeln!(table, "| **all** | {} |", sums.map(|value| value.to_string()).join(" | "));
    eprintln!("{table}\n{}", refusals.join("\n"));
    assert!(sums[0] >= 1_200);
    assert!(sums[1] * 100 >= sums[0] * 97, "{} of {} records take a status", sums[1], sums[0]);
    assert!(sums[3] * 100 >= sums[0] * 95, "{} of {} records take a successor", sums[3], sums[0]);
}

/// The folder of a source that holds most of its records, and its records.
fn largest_folder(records: &[(RecordFiles, RawFile, Vec<RawFile>)]) -> (String, Vec<(RecordFiles, RawFile)>) {
    let folder = |files: &RecordFiles| {
        let mut parts: Vec<&str> = files.main.split('/').collect();
        let file = parts.pop().unwrap().to_lowercase();
        if file.starts_with("readme.") || file.starts_with("index.") {
            parts.pop();
        }
        parts.join("/")
    };
    let mut counts = std::collections::BTreeMap::new();
    for (files, ..) in records {
        *counts.entry(folder(files)).or_insert(0_usize) += 1;
    }
    let chosen = counts.iter().max_by_key(|(_, count)| **count).unwrap().0.clone();
    let inside = records.iter().filter(|(files, ..)| folder(files) == chosen).map(|(files, main, _)| (files.clone(), main.clone()));
    (chosen.clone(), inside.collect())
}

/// Where a new record comes to lie: source, what it is made from, path.
const CREATED: &[(&str, &str, &str)] = &[
    ("adr__madr", "template", "docs/decisions/0019-keep-it-small-no-more-than-needed.md"),
    ("alphagov__govuk-aws", "records", "docs/architecture/decisions/0040-keep-it-small-no-more-than-needed.md"),
    ("arachne-framework__architecture", "records", "adr-018-keep-it-small-no-more-than-needed.md"),
    ("archgate__cli", "records", ".archgate/adrs/ARCH-027-keep-it-small-no-more-than-needed.md"),
    ("cosmos__ibc-go", "template", "docs/architecture/adr-028-keep-it-small-no-more-than-needed.md"),
    ("eclipse-edc__Connector", "records", "docs/developer/decision-records/2024-05-06-keep-it-small-no-more-than-needed/README.md"),
    ("ethereum__EIPs", "records", "EIPS/eip-7703.md"),
    ("nats-io__nats-architecture-and-design", "records", "adr/ADR-61.md"),
    ("python__peps", "records", "peps/pep-8017.rst"),
    ("shopware__shopware", "template", "adr/2024-05-06-keep-it-small-no-more-than-needed.md"),
    ("Sylius__Sylius", "records", "adr/2024_05_06_keep_it_small_no_more_than_needed.md"),
    ("stump-wtf__msgbrowse", "records", "docs/adr/0028-keep-it-small-no-more-than-needed.md"),
    ("wmde__wikibase-release-pipeline", "template", "docs/adr/0019-keep-it-small-no-more-than-needed.md"),
];

#[test]
fn a_record_can_be_created_in_every_real_folder() {
    let Some(data) = data() else { return };
    let mut wrong = Vec::new();
    let mut made = 0;
    for source in sources(&data) {
        let root = data.join(&source);
        let records = record_bytes(&root, &source);
        let all = paths(&root);
        let all: Vec<&str> = all.iter().map(String::as_str).collect();
        let (folder, inside) = largest_folder(&records);
        let in_folder: Vec<&str> = all.iter().copied().filter(|path| folder.is_empty() || path.starts_with(&format!("{folder}/"))).collect();
        let template =
            decisions::template_among(&in_folder).map(|path| RawFile { path: path.to_owned(), bytes: std::fs::read(root.join(path)).unwrap() });
        for template in [None, template.as_ref()].into_iter().take(1 + usize::from(template.is_some())) {
            let style = decisions::style_of(&inside, template);
            let number = decisions::next_number(&inside.iter().map(|(files, _)| files.main.as_str()).collect::<Vec<_>>());
            let record = NewRecord {
                title: "Keep it small: no \"more\" than [needed]".to_owned(),
                number: style.has_number().then_some(number),
                date: "2024-05-06".to_owned(),
                status: "proposed".to_owned(),
                authors: vec!["Ann Lee".to_owned()],
                tags: vec!["size".to_owned()],
                sections: vec![("Context".to_owned(), "It grew.".to_owned()), ("Costs".to_owned(), "* None\n* Some".to_owned())],
                relations: vec![(RelationKind::Amends, false, pointer(&files_of_new(&folder, &inside), &inside[0].0, "The first one"))],
                ..NewRecord::default()
            };
            let name = if template.is_some() { "template" } else { "records" };
            match decisions::new_record(&style, &source, &folder, &all, &record) {
                Ok(file) => {
                    made += 1;
                    let expected = CREATED.iter().find(|(known, from, _)| *known == source && *from == name);
                    if let Some((.., expected)) = expected.filter(|(.., expected)| file.path != *expected) {
                        wrong.push(format!("{source} from its {name}: {} instead of {expected}", file.path));
                    }
                    if std::env::var_os("SHOW").is_some() {
                        eprintln!("##### {source} from its {name}: {}\n{}", file.path, String::from_utf8_lossy(&file.bytes));
                    }
                }
                Err(error) => wrong.push(format!("{source} from its {name}: {error}")),
            }
        }
    }
    eprintln!("{made} records made");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Files of a record that lies where a new one will: beside the others, or in a folder of its own as they do.
fn files_of_new(folder: &str, inside: &[(RecordFiles, RawFile)]) -> RecordFiles {
    let mut files = inside[0].0.clone();
    let below = files.main.strip_prefix(folder).unwrap().trim_start_matches('/');
    let depth = below.matches('/').count();
    files.main = format!("{folder}/{}new.md", "new/".repeat(depth)).trim_start_matches('/').to_owned();
    files
}

/// Edits of named records, each with the lines that go and come: `operation | source | path`, then `- line` and `+ line`.
const NAMED: &str = include_str!("decisions_edits_named.txt");

fn named(data: &Path, operation: &str, source: &str, path: &str) -> String {
    let records = record_bytes(&data.join(source), source);
    let (files, main, sidecars) = records.iter().find(|(files, ..)| files.main == path).unwrap_or_else(|| panic!("no record {path}"));
    let other = &records.iter().find(|(files, ..)| files.main != path).unwrap().0;
    let target = pointer(files, other, "Another one");
    let edits = match operation {
        "superseded" => superseded_by(target),
        "supersedes" => vec![Edit::Relation { kind: RelationKind::Supersedes, is_partial: false, target }],
        word => vec![Edit::Status { word: word.to_owned(), date: None }],
    };
    let changed = decisions::edit(files, main, sidecars, &edits).unwrap_or_else(|error| panic!("{error}"));
    let mut shown = format!("{operation} | {source} | {path}\n");
    for file in changed {
        let old = std::iter::once(main).chain(sidecars).find(|old| old.path == file.path).unwrap();
        let (old, new) = changed_lines(&old.bytes, &file.bytes);
        // Between two changes of one file lines may stand that did not change.
        let only = |lines: &[String], others: &[String], mark: &str| {
            let lines = lines.iter().filter(|line| !others.contains(line) && !line.trim().is_empty());
            lines.map(|line| format!("{mark} {}\n", line.trim_end())).collect::<String>()
        };
        shown.push_str(&only(&old, &new, "-"));
        shown.push_str(&only(&new, &old, "+"));
    }
    shown
}

#[test]
fn named_records_change_in_the_named_lines_only() {
    let Some(data) = data() else { return };
    let heads: Vec<&str> = NAMED.lines().filter(|line| line.contains(" | ") && !line.starts_with(['-', '+', '#'])).collect();
    assert!(heads.len() >= 30, "{} named edits", heads.len());
    let mut shown = NAMED.lines().take_while(|line| line.starts_with('#')).map(|line| format!("{line}\n")).collect::<String>();
    for head in heads {
        let [operation, source, path] = head.split(" | ").collect::<Vec<_>>()[..] else { panic!("three fields expected: {head}") };
        shown.push_str(&named(&data, operation, source, path));
    }
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decisions_edits_named.txt"), &shown).unwrap();
    } else {
        let differs = shown.lines().zip(NAMED.lines()).find(|(shown, expected)| shown != expected);
        assert_eq!(differs, None, "made, expected");
        assert_eq!(shown.lines().count(), NAMED.lines().count());
    }
}
