//! Reading folders of records for the decision tests, and showing what was read.
#![allow(dead_code, reason = "each test binary uses its part")]

pub mod accuracy;
pub mod labels;

use std::path::{Path, PathBuf};

use document::{Document, Problem, Relation, RelationKind, Target};
use source::formats::decisions::{self, Edit, Identity, Pointer, RecordFiles};
use source::{Parsed, RawFile};

/// Where real records lie beside the workspace, `None` where they are absent.
pub fn real_records() -> Option<PathBuf> {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions").canonicalize().ok()
}

/// All files below a folder, as paths with `/`, sorted.
pub fn paths(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                let path = entry.path();
                let below = path.strip_prefix(root).unwrap();
                let parts: Vec<&str> = below.iter().map(|part| part.to_str().unwrap()).collect();
                found.push(parts.join("/"));
            }
        }
    }
    found.sort();
    found
}

/// The records of a folder: main path, document, problems.
pub fn records(root: &Path, collection: &str) -> Vec<(String, Document, Vec<Problem>)> {
    let paths = paths(root);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let read = |path: &String| RawFile { path: path.clone(), bytes: std::fs::read(root.join(path)).unwrap() };
    decisions::record_files(collection, &paths)
        .into_iter()
        .map(|files| {
            let sidecars: Vec<RawFile> = files.sidecars.iter().map(read).collect();
            let Parsed { mut documents, problems } = decisions::read(&files, &read(&files.main), &sidecars);
            assert_eq!(documents.len(), 1, "{} is one document", files.main);
            (files.main, documents.remove(0), problems)
        })
        .collect()
}

/// A relation as words: `supersedes (part) path docs/adr/0001-x.md`.
pub fn relation_words(relation: &Relation) -> String {
    let target = match &relation.target {
        Target::Path(path) => format!("path {path}"),
        Target::Number(number) => format!("number {number}"),
        Target::Id(id) => format!("id {id}"),
        Target::Web(address) => format!("web {address}"),
    };
    format!("{}{} {target}", relation.kind.as_str(), if relation.is_partial { " (part)" } else { "" })
}

/// Everything that was read of a record, one fact a line; empty facts are left out.
pub fn described(path: &str, document: &Document, problems: &[Problem]) -> String {
    let record = document.record().unwrap();
    let mut lines = vec![path.to_owned(), format!("  id        {} (number {})", record.id(), record.number.as_deref().unwrap_or("none"))];
    let mut say = |name: &str, text: String| {
        if !text.is_empty() {
            lines.push(format!("  {name:<9} {}", text.replace('\n', "⏎")));
        }
    };
    say("title", document.title.clone());
    say("about", document.description.clone());
    let status = &record.status;
    let note = status.note.as_ref().map(|note| format!(", note \"{note}\"")).unwrap_or_default();
    let raw = status.raw.as_ref().map(|raw| format!(", raw \"{raw}\"")).unwrap_or_default();
    say("status", format!("{} from {}{note}{raw}", status.word, status.place.as_deref().unwrap_or("nowhere")));
    if let Some(date) = &record.date {
        say("date", format!("{} from {}, raw \"{}\"", date.iso.as_deref().unwrap_or("none"), date.source.as_str(), date.raw));
    }
    say("authors", record.people.authors.join("; "));
    say("deciders", record.people.deciders.join("; "));
    say("consulted", record.people.consulted.join("; "));
    say("informed", record.people.informed.join("; "));
    say("tags", document.tags.join("; "));
    say("reviewers", record.reviewers.iter().map(|reviewer| format!("{} {}", reviewer.name, reviewer.state)).collect::<Vec<_>>().join("; "));
    say("needs", record.approvals_required.map(|count| format!("{count} approvals")).unwrap_or_default());
    if let Some(review) = &record.review {
        say("review", format!("every {:?}, reviewed {:?}, due {:?}", review.every, review.reviewed, review.due));
    }
    say("draft", if record.is_draft { "yes".to_owned() } else { String::new() });
    for relation in &record.relations {
        say("relation", format!("{} (line {}: {})", relation_words(relation), relation.line_number, relation.raw));
    }
    for problem in problems {
        say("problem", problem.to_string());
    }
    lines.push(String::new());
    lines.join("\n")
}

/// The records of a folder with their bytes and those of their sidecars.
pub fn record_bytes(root: &Path, collection: &str) -> Vec<(RecordFiles, RawFile, Vec<RawFile>)> {
    let paths = paths(root);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let read = |path: &String| RawFile { path: path.clone(), bytes: std::fs::read(root.join(path)).unwrap() };
    decisions::record_files(collection, &paths)
        .into_iter()
        .map(|files| (files.clone(), read(&files.main), files.sidecars.iter().map(read).collect()))
        .collect()
}

/// The files of the record at `path`, as its collection `acme` lists it.
pub fn files_of(path: &str, sidecars: &[&str]) -> RecordFiles {
    let paths: Vec<&str> = std::iter::once(path).chain(sidecars.iter().copied()).collect();
    decisions::record_files("acme", &paths).into_iter().find(|files| files.main == path).unwrap_or_else(|| panic!("{path} is no record"))
}

/// A pointer from one record to another of the same collection.
pub fn pointer(from: &RecordFiles, to: &RecordFiles, title: &str) -> Pointer {
    let own: Vec<&str> = from.main.split('/').collect();
    let other: Vec<&str> = to.main.split('/').collect();
    let shared = own.iter().zip(&other).take_while(|(own, other)| own == other).count().min(own.len() - 1);
    let mut relative = vec![".."; own.len() - 1 - shared];
    relative.extend(&other[shared..]);
    let Identity { project, record_type, slug, number } = &to.identity;
    Pointer {
        id: format!("{project}/{record_type}/{slug}"),
        reference: number.as_ref().map(|number| format!("{project}-{record_type}-{number}").to_uppercase()),
        number: number.clone(),
        title: title.to_owned(),
        relative_path: relative.join("/"),
    }
}

/// The two edits by which a record gives way to another one.
pub fn superseded_by(target: Pointer) -> Vec<Edit> {
    vec![Edit::Status { word: "superseded".to_owned(), date: None }, Edit::Relation { kind: RelationKind::SupersededBy, is_partial: false, target }]
}

/// How many lines of `before` are not in `after` any more.
pub fn lost_lines(before: &[u8], after: &[u8]) -> usize {
    let mut counts = std::collections::HashMap::new();
    for line in after.split(|byte| *byte == b'\n') {
        *counts.entry(line.to_vec()).or_insert(0_usize) += 1;
    }
    let is_lost = |line: &&[u8]| match counts.get_mut(*line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    before.split(|byte| *byte == b'\n').filter(is_lost).count()
}
