//! ibid's own set: questions about a folder of files, answered by passages. A line of the table names a file and quotes what answers the question.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use store::StoredDocument;

use crate::set::{Question, plain_document, text_of};

/// Endings of the files that are read.
const ENDINGS: [&str; 4] = ["md", "markdown", "rst", "rest"];

/// Reads all Markdown and reStructuredText files below the folders `below` of `root`. Files that are no UTF-8 are left out; links are not followed.
pub fn documents(root: &Path, below: &[&str]) -> Result<Vec<StoredDocument>, String> {
    let mut paths = Vec::new();
    for folder in below {
        gather(&root.join(folder), &mut paths)?;
    }
    paths.sort();
    let mut documents: Vec<StoredDocument> = Vec::new();
    for path in paths {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let mut document = plain_document(&name, &name, &stem, &text, None);
        if let Some(section) = document.sections.iter().find(|section| !section.heading.is_empty()) {
            document.title = section.heading.clone();
        }
        documents.push(StoredDocument { id: i64::try_from(documents.len() + 1).unwrap_or(i64::MAX), collection_id: 1, document });
    }
    Ok(documents)
}

fn gather(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let kind = entry.file_type().map_err(failed)?;
        let path = entry.path();
        if kind.is_dir() {
            gather(&path, paths)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known))) {
            paths.push(path);
        }
    }
    Ok(())
}

/// The questions of a table by their kind, in order. Columns: id, kind, question, file, grade, quote; a question may have several lines. What is
/// judged is the passage in which the quote begins.
///
/// # Errors
/// A line that cannot be read, a file that is no document, or a quote that does not stand in it: all of them, one a line.
pub fn questions(table: &Path, documents: &[StoredDocument]) -> Result<Vec<(String, Vec<Question>)>, String> {
    let by_path: HashMap<&str, &StoredDocument> = documents.iter().map(|stored| (stored.document.path.as_str(), stored)).collect();
    let text = text_of(table)?;
    let mut read: Vec<(&str, &str, Question)> = Vec::new();
    let mut wrong = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#') && !line.starts_with("id\t")) {
        match answer(line, &by_path) {
            Ok((id, kind, question, place, grade)) => {
                let index = read.iter().position(|(known, _, _)| *known == id).unwrap_or_else(|| {
                    read.push((id, kind, Question { text: question.to_owned(), person: None, grades: HashMap::new() }));
                    read.len() - 1
                });
                let best = read[index].2.grades.entry(place).or_default();
                *best = best.max(grade);
            }
            Err(reason) => wrong.push(format!("{}, line {}: {reason}", table.display(), number + 1)),
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    let mut kinds: Vec<(String, Vec<Question>)> = Vec::new();
    for (_, kind, question) in read {
        match kinds.iter_mut().find(|(known, _)| known == kind) {
            Some((_, questions)) => questions.push(question),
            None => kinds.push((kind.to_owned(), vec![question])),
        }
    }
    Ok(kinds)
}

type Answer<'a> = (&'a str, &'a str, &'a str, (i64, Option<usize>), f64);

fn answer<'a>(line: &'a str, by_path: &HashMap<&str, &StoredDocument>) -> Result<Answer<'a>, String> {
    let [id, kind, question, file, grade, quote] = line.split('\t').collect::<Vec<_>>()[..] else {
        return Err("there are not six columns".to_owned());
    };
    let grade: f64 = grade.parse().map_err(|_| format!("{grade:?} is no grade"))?;
    let stored = by_path.get(file).ok_or_else(|| format!("{file} is no document"))?;
    let at = stored.document.text.find(quote.trim()).ok_or_else(|| format!("{file} does not hold {quote:?}"))?;
    let passages = document::passages(&stored.document);
    let index = passages
        .iter()
        .position(|passage| passage.span.start <= at && at < passage.span.end)
        .ok_or_else(|| format!("{quote:?} stands in no passage of {file}, perhaps in its metadata"))?;
    Ok((id, kind, question, (stored.id, Some(index)), grade))
}
