//! Edits of real records of 26 repositories, where they lie beside this workspace: how many can be edited, and that nothing else of them changes.

mod decisions_support;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use decisions_support::{lost_lines, pointer, real_records, record_bytes, superseded_by};
use source::formats::decisions::{self, Edit, EditError};

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
