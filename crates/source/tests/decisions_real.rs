//! The decision-record reader on real records of 26 repositories, where they lie beside this workspace.

use std::path::{Path, PathBuf};

use document::{Document, Problem, Record, Target};
use source::formats::decisions;
use source::{Parsed, RawFile};

/// Where the real records lie, `None` where they are absent.
fn data() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    let found = path.canonicalize().ok();
    if found.is_none() {
        eprintln!("skipped: no real records beside this workspace");
    }
    found
}

/// All files below a folder, as paths with `/`.
fn paths(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                found.push(entry.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

/// A source's records: main path, document, problems.
fn records(data: &Path, source: &str) -> Vec<(String, Document, Vec<Problem>)> {
    let root = data.join(source);
    let paths = paths(&root);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let read = |path: &String| RawFile { path: path.clone(), bytes: std::fs::read(root.join(path)).unwrap() };
    decisions::record_files(source, &paths)
        .into_iter()
        .map(|files| {
            let sidecars: Vec<RawFile> = files.sidecars.iter().map(read).collect();
            let Parsed { documents, problems } = decisions::read(&files, &read(&files.main), &sidecars);
            let document = documents.into_iter().next().expect("a record is one document");
            (files.main, document, problems)
        })
        .collect()
}

fn sources(data: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(data).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn relation_words(record: &Record) -> Vec<String> {
    record
        .relations
        .iter()
        .map(|relation| {
            let target = match &relation.target {
                Target::Path(path) => format!("path {path}"),
                Target::Number(number) => format!("number {number}"),
                Target::Id(id) => format!("id {id}"),
                Target::Web(address) => format!("web {address}"),
            };
            format!("{}{} {target}", relation.kind.as_str(), if relation.is_partial { " (part)" } else { "" })
        })
        .collect()
}

#[test]
fn dump() {
    let Ok(wanted) = std::env::var("DUMP") else { return };
    let Some(data) = data() else { return };
    for source in sources(&data).into_iter().filter(|name| wanted == "all" || name.contains(&wanted)) {
        println!("##### {source}");
        for (path, document, problems) in records(&data, &source) {
            let record = document.record().unwrap();
            let date = record.date.as_ref().map(|date| format!("{} <{}>", date.iso.as_deref().unwrap_or("NONE"), date.source.as_str())).unwrap_or_default();
            println!("{path}\n   id={} no={:?} title={:?}\n   status={:?} place={:?} note={:?} date={date}", record.id(), record.number, document.title, record.status.word, record.status.place.as_deref().unwrap_or("-"), record.status.note.as_deref().unwrap_or("").chars().take(90).collect::<String>());
            let people = &record.people;
            println!("   authors={:?} deciders={:?} tags={:?} reviewers={:?}", people.authors, people.deciders, document.tags, record.reviewers.iter().map(|r| r.name.as_str()).collect::<Vec<_>>());
            for relation in relation_words(record) {
                println!("   -> {relation}");
            }
            for problem in problems {
                println!("   !! {problem}");
            }
        }
    }
}
