//! Rooms: a first line that says what is inside, a name that says it too, and a size that one can keep in mind.

use std::collections::{BTreeMap, BTreeSet};

use super::ledger::Exception;
use super::rules::{BANNED_NAMES, MAX_CRATE_LINES, MAX_FILE_LINES, MAX_FOLDER_ENTRIES, MAX_TEST_FILE_LINES};
use super::rust_text::RustText;
use super::{File, Finding, House};

const LENGTH_WHY: &str = "a file is one room; what is longer than that is two";
const ENTRIES_WHY: &str = "a folder is read at a glance; what is fuller has a missing floor in it";
const CRATE_WHY: &str = "a crate that passes this is split, so that one edit does not rebuild the house";

pub fn findings(house: &House) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in house.rust() {
        if !file.text.starts_with("//!") {
            let why = "every room says at its door what it is for";
            findings.push(Finding { path: file.path.clone(), line_number: 1, rule: "header", message: "the first line is no `//!`".to_owned(), why });
        }
        findings.extend(banned_names(file, rust));
    }
    let mut used = Vec::new();
    for (file, rust) in house.rust() {
        let (count, limit) = length(file, rust);
        findings.extend(house.ledger.count("file-length", &file.path, count, limit, LENGTH_WHY, &mut used));
    }
    for (folder, count) in folders(house) {
        findings.extend(house.ledger.count("folder-entries", &folder, count, MAX_FOLDER_ENTRIES, ENTRIES_WHY, &mut used));
    }
    for (folder, count) in crates(house) {
        findings.extend(house.ledger.count("crate-length", &folder, count, MAX_CRATE_LINES, CRATE_WHY, &mut used));
    }
    for rule in ["file-length", "folder-entries", "crate-length"] {
        findings.extend(house.ledger.unused(rule, &used));
    }
    findings
}

/// The figure that an exception needs now, `Some(None)` when it has none; `None` when it can go.
pub fn still_needed(house: &House, exception: &Exception) -> Option<Option<usize>> {
    let file = house.files.iter().find(|file| file.path == exception.path);
    let (count, limit) = match exception.rule.as_str() {
        "file-length" => file.and_then(|file| Some(length(file, file.rust.as_ref()?)))?,
        "folder-entries" => (*folders(house).get(&exception.path)?, MAX_FOLDER_ENTRIES),
        "crate-length" => (*crates(house).get(&exception.path)?, MAX_CRATE_LINES),
        "unused-dependency" => return Some(None),
        door => return file.filter(|file| super::doors::uses(door, file)).map(|_| None),
    };
    (count > limit).then(|| Some(count.min(exception.figure.unwrap_or(count))))
}

/// Lines that count against the budget, and the budget. An inline module of tests does not count.
fn length(file: &File, rust: &RustText) -> (usize, usize) {
    if file.is_test() { (rust.code.len(), MAX_TEST_FILE_LINES) } else { (rust.tests_index, MAX_FILE_LINES) }
}

fn banned_names(file: &File, rust: &RustText) -> Vec<Finding> {
    let why = "a drawer name says nothing of what is inside, so everything ends up in it";
    let finding =
        |line_number, name: &str| Finding { path: file.path.clone(), line_number, rule: "names", message: format!("`{name}` is a drawer name"), why };
    let of_path =
        file.path.split('/').map(|part| part.trim_end_matches(".rs")).filter(|part| BANNED_NAMES.contains(part)).map(|name| finding(0, name));
    let of_modules = rust.code.iter().enumerate().filter_map(|(line_index, line)| {
        let name = line.trim_start().trim_start_matches("pub ").strip_prefix("mod ")?.split([' ', ';', '{']).next()?;
        BANNED_NAMES.contains(&name).then(|| finding(line_index + 1, name))
    });
    of_path.chain(of_modules).collect()
}

/// Entries of each folder below a `src`.
fn folders(house: &House) -> BTreeMap<String, usize> {
    let mut entries: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (file, _) in house.rust().filter(|(file, _)| file.path.contains("/src/")) {
        let parts: Vec<&str> = file.path.split('/').collect();
        for depth in 1..parts.len() {
            let folder = parts[..depth].join("/");
            if folder.contains("/src") {
                // A module's file and its folder are one entry.
                entries.entry(folder).or_default().insert(parts[depth].trim_end_matches(".rs"));
            }
        }
    }
    entries.into_iter().map(|(folder, names)| (folder, names.len())).collect()
}

/// Lines of each crate, tests left out: they are not rebuilt with it.
fn crates(house: &House) -> BTreeMap<String, usize> {
    let mut lines = BTreeMap::new();
    for (file, rust) in house.rust().filter(|(file, _)| !file.is_test()) {
        if let Some(name) = file.path.strip_prefix("crates/").and_then(|rest| rest.split('/').next()) {
            *lines.entry(format!("crates/{name}")).or_default() += rust.tests_index;
        }
    }
    lines
}
