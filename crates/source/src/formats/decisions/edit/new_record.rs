//! New decision records in the style of their folder: file name, metadata, sections and spelling as its newest records or its own template have them.

mod file_name;
mod fill;
mod heading;
mod sections;
mod skeleton;
mod style;

use std::collections::HashSet;

use document::RelationKind;

use self::file_name::digits_of;
use super::check::{Want, bad};
use super::draft::Draft;
use super::{Edit, EditError, Pointer, attempt, phrasing};
use crate::RawFile;
use crate::formats::decisions::{date, listing};

pub use self::style::{Style, style_of, template_among};

/// What a new record is to say.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewRecord {
    /// Its title, one line.
    pub title: String,
    /// Its number; left aside where the folder's names have none. See [`next_number`].
    pub number: Option<u64>,
    /// `YYYY-MM-DD`.
    pub date: String,
    /// Its status word.
    pub status: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who decided.
    pub deciders: Vec<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// A sentence about it; written where the folder's records have one.
    pub description: Option<String>,
    /// Headings with their text in Markdown. A heading fills the section of that name (`Context` also `Context and Problem Statement`); others come
    /// at the end.
    pub sections: Vec<(String, String)>,
    /// Relations: kind, whether a part only is meant, and the other record.
    pub relations: Vec<(RelationKind, bool, Pointer)>,
}

/// The path and bytes of a new record in `folder` (below the collection's root, empty for the root itself).
///
/// `paths` are all files of the collection: a path that exists is refused, and the record's identity follows from them. The result is read again: it
/// has the title, number, status, date and relations that were asked for, and nothing in its metadata is left unfilled.
///
/// # Errors
///
/// [`EditError::BadInput`] for what no such file can say, with the reason; [`EditError::CannotEdit`] where the style has no way to say it.
pub fn new_record(style: &Style, collection: &str, folder: &str, paths: &[&str], record: &NewRecord) -> Result<RawFile, EditError> {
    checked(record)?;
    let path = style.names.path(folder, record)?;
    if paths.iter().any(|known| known.eq_ignore_ascii_case(&path)) {
        return Err(bad("title", &record.title, &format!("{path} exists already; choose another title or number.")));
    }
    let all: Vec<&str> = paths.iter().copied().chain(std::iter::once(path.as_str())).collect();
    let files = listing::record_files(collection, &all).into_iter().find(|files| files.main == path);
    let Some(files) = files else { return Err(bad("title", &record.title, &format!("{path} would be no record's name; choose another title."))) };
    let raw = RawFile { path: path.clone(), bytes: style.skeleton.clone().into_bytes() };
    let mut draft = Draft::open(&files, &raw, &[])?;
    draft = fill::title(draft, style, record)?;
    draft = fill::entries(draft, style, record)?;
    draft = sections::filled(draft, record)?;
    let status = Want::Status { word: record.status.trim(), date: None };
    if !status.holds(&draft) {
        draft = attempt(&draft, &[status])?;
    }
    draft = fill::missing(draft, record)?;
    for (kind, is_partial, pointer) in &record.relations {
        let want = Want::Relation { kind: *kind, is_partial: *is_partial, pointer };
        if !want.holds(&draft) {
            draft = attempt(&draft, &[want])?;
        }
    }
    let text = draft.text(0).replace("\r\n", "\n");
    let text = format!("{}\n", text.trim_end_matches(['\n', ' ']));
    let file = RawFile { path, bytes: if style.has_crlf { text.replace('\n', "\r\n") } else { text }.into_bytes() };
    let read = Draft::open(&files, &file, &[])?;
    verified(&read, style, record)?;
    Ok(file)
}

/// The number that comes after the highest in the names of `paths`, dates left aside. The paths should be those of one folder in everything that is
/// known of it, other branches included, so that two people do not take one number.
#[must_use]
pub fn next_number(paths: &[&str]) -> u64 {
    let numbers = paths.iter().filter_map(|path| digits_of(path)).filter_map(|digits| digits.parse::<u64>().ok());
    numbers.max().map_or(1, |highest| highest.saturating_add(1))
}

fn checked(record: &NewRecord) -> Result<(), EditError> {
    let line = |what: &str, text: &str, longest: usize| {
        let fits = !text.trim().is_empty()
            && text.chars().count() <= longest
            && !text.chars().any(|character| character.is_control() || matches!(character, '\u{2028}' | '\u{2029}'));
        if fits { Ok(()) } else { Err(bad(what, text, &format!("it must be one line of at most {longest} characters that says something."))) }
    };
    line("title", &record.title, 300)?;
    if !record.title.chars().any(char::is_alphanumeric) {
        return Err(bad("title", &record.title, "it must have letters or digits."));
    }
    if record.date.len() != 10 || date::find(&record.date).and_then(|found| found.iso).as_deref() != Some(record.date.as_str()) {
        return Err(bad("date", &record.date, "write a day that exists as YYYY-MM-DD."));
    }
    Want::of(&Edit::Status { word: record.status.clone(), date: None }).map(|_| ())?;
    if let Some(description) = &record.description {
        line("description", description, 1_000)?;
    }
    for (what, list) in [("author", &record.authors), ("decider", &record.deciders), ("tag", &record.tags)] {
        for item in list {
            line(what, item, 100)?;
            if item.contains([',', ';', '|', '[', ']', '<', '>', '"', '`', '&']) {
                return Err(bad(what, item, "leave out commas, semicolons, brackets, bars and quotes."));
            }
        }
    }
    let mut seen = HashSet::new();
    for (heading, text) in &record.sections {
        line("section", heading, 200)?;
        let name = heading.trim().to_lowercase();
        if heading.trim_start().starts_with(['#', '=']) || name == "status" || !seen.insert(name) {
            return Err(bad("section", heading, "give each heading once, without marks; the status is an argument of its own."));
        }
        if text.chars().any(|character| character.is_control() && !matches!(character, '\n' | '\t' | '\r')) {
            return Err(bad("section", heading, "its text holds control characters."));
        }
    }
    for (kind, is_partial, target) in &record.relations {
        Want::of(&Edit::Relation { kind: *kind, is_partial: *is_partial, target: target.clone() }).map(|_| ())?;
    }
    Ok(())
}

/// The new file says what was asked for, and nothing of its metadata is a template's.
fn verified(draft: &Draft<'_>, style: &Style, record: &NewRecord) -> Result<(), EditError> {
    let document = &draft.document;
    let Some(read) = document.record() else { return Err(bad("title", &record.title, "it would be no record.")) };
    let title = record.title.split_whitespace().collect::<Vec<_>>().join(" ");
    if document.title != title {
        return Err(bad("title", &record.title, &format!("it would be read as \"{}\"; write it without marks.", document.title)));
    }
    if style.names.has_number() && read.number.as_deref().and_then(|digits| digits.parse().ok()) != record.number {
        return Err(bad("number", &record.number.unwrap_or_default().to_string(), "its file's name would not be read as that number."));
    }
    if !phrasing::is_same(&read.status.word, record.status.trim()) {
        return Err(bad("status", &record.status, &format!("it would be read as \"{}\".", read.status.word)));
    }
    if document.date.as_deref() != Some(record.date.as_str()) {
        return Err(bad("date", &record.date, &format!("it would be read as \"{}\".", document.date.as_deref().unwrap_or("none"))));
    }
    let lacks = |asked: &[String], found: &[String]| {
        asked.iter().find(|asked| !found.iter().any(|found| found.eq_ignore_ascii_case(asked.trim().trim_start_matches(['@', '#'])))).cloned()
    };
    let people = [
        ("author", &record.authors, &read.people.authors),
        ("decider", &record.deciders, &read.people.deciders),
        ("tag", &record.tags, &document.tags),
    ];
    for (what, asked, found) in people {
        if let Some(lost) = lacks(asked, found) {
            return Err(bad(what, &lost, "it would not be read from the new record; write a plain name."));
        }
    }
    for (kind, is_partial, pointer) in &record.relations {
        let want = Want::Relation { kind: *kind, is_partial: *is_partial, pointer };
        if !want.holds(draft) {
            return Err(bad("relation", &pointer.id, "it would not be read from the new record."));
        }
    }
    let left = draft.problems.iter().find(|problem| problem.code.starts_with("template-") || problem.code == "broken-front-matter");
    left.map_or(Ok(()), |problem| Err(bad("template", &document.path, &problem.message)))
}
