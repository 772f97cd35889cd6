//! The date of a record: from its metadata, else the earliest of its changelog, else from its file's or folder's name. Never today.

use document::{DateSource, Problem, RecordDate, Severity};

use super::entry::{Entry, Field, Place};
use super::reader::Gathered;
use super::{date, name, places, plain, status};

/// See the file's head.
pub(super) fn read(facts: &Gathered<'_>, problems: &mut Vec<Problem>) -> Option<RecordDate> {
    let mut impossible: Option<RecordDate> = None;
    let mut dated: Vec<(u8, &Entry)> = facts
        .entries
        .iter()
        .filter_map(|entry| match entry.field() {
            Some(Field::Date(rank)) => Some((rank, entry)),
            _ => None,
        })
        .collect();
    dated.sort_by_key(|(rank, _)| *rank);
    for (rank, entry) in dated {
        let text = entry.text();
        if text.is_empty() {
            continue;
        }
        match date::find(&plain::words(&text)) {
            Some(date::Found { iso: Some(iso), .. }) => return Some(RecordDate { iso: Some(iso), raw: text, source: DateSource::Metadata }),
            Some(date::Found { iso: None, .. }) => {
                problems.push(impossible_date(source_of(facts, entry), &text).at_line(entry.line_number));
                impossible.get_or_insert(RecordDate { iso: None, raw: text, source: DateSource::Metadata });
            }
            None if rank == 0 => {
                problems.push(unreadable(source_of(facts, entry), &text).at_line(entry.line_number));
                impossible.get_or_insert(RecordDate { iso: None, raw: text, source: DateSource::Metadata });
            }
            None => {}
        }
    }
    from_changelog(facts).or_else(|| from_name(facts, impossible.is_some(), problems)).or(impossible)
}

/// The file in which an entry stands.
pub(super) fn source_of<'a>(facts: &'a Gathered<'_>, entry: &Entry) -> &'a str {
    let sidecar = facts.files.sidecars.first().filter(|_| entry.place == Place::Sidecar);
    sidecar.unwrap_or(&facts.files.main)
}

fn impossible_date(path: &str, text: &str) -> Problem {
    let message = format!("The date \"{text}\" does not exist.");
    Problem::new("impossible-date", Severity::Warning, path, message).hint("Write it as YYYY-MM-DD; month and day may be swapped.")
}

fn unreadable(path: &str, text: &str) -> Problem {
    let shown: String = text.chars().take(80).collect();
    if status::is_template(text) || shown.contains("YYYY") {
        let problem = Problem::new("template-date", Severity::Warning, path, format!("Its date \"{shown}\" is a template's, not filled in."));
        return problem.hint("Write it as YYYY-MM-DD.");
    }
    Problem::new("unreadable-date", Severity::Note, path, format!("No date can be read from \"{shown}\".")).hint("Write it as YYYY-MM-DD.")
}

/// The date with which an entry of the changelog begins: the earliest of those that speak of a first draft, else the earliest of all.
fn from_changelog(facts: &Gathered<'_>) -> Option<RecordDate> {
    let mut earliest: Option<(bool, String, String)> = None;
    for (text, _) in places::changelog_texts(&facts.parts) {
        let words = plain::words(text.lines().next().unwrap_or_default());
        let head: String = words.chars().take(60).collect();
        if let Some(date::Found { iso: Some(iso), raw, start }) = date::find(&head)
            && start <= 20
        {
            let is_later = !is_first_draft(&words);
            if earliest.as_ref().is_none_or(|(known_is_later, known, _)| (is_later, &iso) < (*known_is_later, known)) {
                earliest = Some((is_later, iso, raw.to_owned()));
            }
        }
    }
    earliest.map(|(_, iso, raw)| RecordDate { iso: Some(iso), raw, source: DateSource::Changelog })
}

/// Years are mistyped every January, so a later entry may seem to be older than the first.
fn is_first_draft(entry: &str) -> bool {
    let lower = entry.to_lowercase();
    ["initial", "first draft", "first version", "created"].iter().any(|words| lower.contains(words))
}

fn from_name(facts: &Gathered<'_>, was_impossible: bool, problems: &mut Vec<Problem>) -> Option<RecordDate> {
    let folders = facts.files.main.rsplit('/').skip(1);
    let raw = std::iter::once(facts.own_name()).chain(folders).find_map(|part| name::read(part).date)?;
    match date::find(raw).and_then(|found| found.iso) {
        Some(iso) => Some(RecordDate { iso: Some(iso), raw: raw.to_owned(), source: DateSource::FileName }),
        None if was_impossible => None,
        None => {
            problems.push(impossible_date(&facts.files.main, raw));
            Some(RecordDate { iso: None, raw: raw.to_owned(), source: DateSource::FileName })
        }
    }
}
