//! Decision records in every form that people write them in: which files are records, and what each says about itself.
//!
//! Nothing here fails and nothing is dropped: a record always becomes one document, and what is odd about it becomes a problem with its line.
//! `docs/reference/decision-records.md` tells users the rules.

mod asciidoc;
mod block;
mod date;
mod decode;
mod edit;
mod entry;
mod field_declaration;
mod field_type;
mod interval;
mod lines;
mod listing;
mod name;
mod own_keys;
mod people;
mod places;
mod plain;
mod project_file;
pub mod published;
mod reader;
mod related;
mod relation;
mod rest;
mod review;
mod reviewers;
mod standing;
mod status;
mod target;
mod title;
mod when;
mod words;
mod yaml;

#[cfg(test)]
mod tests;

pub use edit::{Edit, EditError, NewRecord, Pointer, Refusal, Style, edit, new_record, next_number, style_of, template_among};
pub use field_declaration::{DeclarationFault, FieldDeclaration};
pub use field_type::FieldType;
pub use interval::Interval;
pub use own_keys::{folded_key, is_own_key};
pub use project_file::{ProjectFile, read_project_file};

use crate::{Parsed, RawFile};

/// One record's files: the main text and its sidecars (`kep.yaml`), with the identity that its path gives it in this listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordFiles {
    /// Path of the main text below the collection's root.
    pub main: String,
    /// Paths of the files beside it that state its metadata.
    pub sidecars: Vec<String>,
    /// What its path names it.
    pub identity: Identity,
}

/// The parts of a record's id. A function of the paths of one listing, so the same on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// First part of the id: the folder above the folder of records, or the collection.
    pub project: String,
    /// Second part, such as `adr` or `rfc`.
    pub record_type: String,
    /// The rest; may hold `/`.
    pub slug: String,
    /// The number in the name, digits as written; never one out of a date.
    pub number: Option<String>,
}

/// Which of the paths of a collection are records, sorted by main path.
///
/// Files count by their whole stem (`template`, `README` and the like never do, `0023-handlebars-template-engine` does), inside of folders that
/// are known for records; where a listing has none, everywhere.
#[must_use]
pub fn record_files(collection: &str, paths: &[&str]) -> Vec<RecordFiles> {
    listing::record_files(collection, paths)
}

/// Reads one record: always exactly one document with its facts, and the problems that were seen. Time is linear in the input.
#[must_use]
pub fn read(files: &RecordFiles, main: &RawFile, sidecars: &[RawFile]) -> Parsed {
    reader::read(files, main, sidecars)
}

/// Whether a text is a status word that records are known to use, such as `accepted` or `last call`.
#[must_use]
pub fn is_known_status(word: &str) -> bool {
    status::is_known_word(word)
}

/// A metadata key folded for comparison, as the reader does it: `supersededBy` and `superseded_by` are one name.
pub(crate) fn entry_name(key: &str) -> String {
    entry::key_name(key)
}

/// The number in the name of a file without its extension.
pub(crate) fn number_of_name(stem: &str) -> Option<&str> {
    name::read(stem).number
}

/// The date that a text is, in any spelling that records use, as exact as it is written: `2026-03-01`, `2026-03` or `2026`; a time may follow.
/// `None` where the text is more than a date, or none that exists.
#[must_use]
pub fn iso_date(text: &str) -> Option<String> {
    let text = text.trim();
    let found = date::find(text).filter(|found| found.start == 0)?;
    let behind = text[found.raw.len()..].trim_start_matches([' ', 'T', 't', ',']);
    let is_time = behind.starts_with(|first: char| first.is_ascii_digit()) && behind.contains(':');
    found.iso.filter(|_| behind.is_empty() || is_time)
}

/// Whether a text says that there is no value: `-`, `n/a`, `none`, `TBD` and the like.
#[must_use]
pub fn is_no_value(text: &str) -> bool {
    entry::is_empty_value(text)
}
