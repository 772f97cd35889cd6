//! A new record: its place, its number and its form, drawn up and not written.

use std::path::PathBuf;
use std::sync::Arc;

use document::{RelationKind, Scheme, Uri};
use source::RawFile;
use source::formats::decisions::{NewRecord as Made, Pointer, RecordFiles, new_record, style_of};
use store::RecordRow;

use super::identity;
use super::place::{self, Place};
use super::{absolute, cannot_edit, collection, off_thread, pointer, record, relative, status_word, superseded};
use crate::library::Collection;
use crate::write::{Draft, FileDraft};
use crate::{Desk, Error, ErrorKind, Library, Result};

/// Records whose form teaches that of a new one.
const TEACHERS: usize = 12;

/// A record to be made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewRecord {
    /// Its title.
    pub title: String,
    /// Its project; the only one where none is said.
    pub project: Option<String>,
    /// Its type; `adr`, or the only one of the project, where none is said.
    pub record_type: Option<String>,
    /// Its collection, where the project does not tell.
    pub collection: Option<String>,
    /// Its status; `proposed` where none is said.
    pub status: Option<String>,
    /// Its date, `YYYY-MM-DD`; today where none is said.
    pub date: Option<String>,
    /// A sentence about it.
    pub description: Option<String>,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who decided.
    pub deciders: Vec<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// Heading and Markdown of its sections; the others keep what the template says.
    pub sections: Vec<(String, String)>,
    /// A record whose place it takes as a whole.
    pub supersedes: Option<String>,
}

/// A draft of a new record, with the next free number of its folder, in the form of its neighbours or of the project's template. A record that it
/// supersedes is changed in the same step.
///
/// # Errors
/// No title, no such project or place, a status or date that is none, no or more than one record of the superseded name.
pub async fn create(desk: &Desk, wanted: &NewRecord) -> Result<Draft> {
    if wanted.title.trim().is_empty() {
        return Err(Error::bad_input("title is empty.").hint("Say what is decided, in a few words."));
    }
    let old = match &wanted.supersedes {
        Some(id) => Some(record(desk, id).await?),
        None => None,
    };
    let place = place::of(desk, wanted).await?;
    let status = status_word(desk, place.collection_id, wanted.status.as_deref().unwrap_or("proposed"))?;
    let date = match &wanted.date {
        Some(date) => valid_date(date)?,
        None => desk.library.clock().today().to_string(),
    };
    let (library, wanted) = (Arc::clone(&desk.library), wanted.clone());
    off_thread(move || {
        let collection = collection(&library, place.collection_id)?;
        let made = make(&library, collection, &place, &wanted, &status, &date, old.as_ref())?;
        let mut files = vec![made.file];
        let mut summary = format!("Make {} \"{}\" as {}/{}.", made.pointer.id, wanted.title.trim(), collection.config.name, made.path);
        if let Some(old) = &old {
            files.extend(superseded(&library, old, &made.pointer, &made.absolute, false)?);
            summary = format!("{summary} It takes the place of {} \"{}\".", old.id, old.title);
        }
        let uri = Uri::new(Scheme::Decision, made.pointer.id.as_str()).to_string();
        Ok(Draft { action: "create_record", target: uri, summary, files, notes: place.notes })
    })
    .await
}

fn valid_date(said: &str) -> Result<String> {
    let date: std::result::Result<jiff::civil::Date, _> = said.trim().parse();
    date.map(|date| date.to_string()).map_err(|_| {
        let shown: String = said.chars().take(40).collect();
        Error::bad_input(format!("date is \"{shown}\", which is no date.")).hint("Write YYYY-MM-DD.")
    })
}

struct MadeRecord {
    file: FileDraft,
    path: String,
    absolute: PathBuf,
    pointer: Pointer,
}

fn make(
    library: &Library,
    collection: &Collection,
    place: &Place,
    wanted: &NewRecord,
    status: &str,
    date: &str,
    old: Option<&RecordRow>,
) -> Result<MadeRecord> {
    let read = |path: &str| collection.folder.read(path).map_err(Error::from);
    let template = place.template.as_deref().map(read).transpose()?;
    let mut teachers: Vec<(RecordFiles, RawFile)> = Vec::new();
    for files in place.neighbours.iter().rev().take(TEACHERS).rev() {
        teachers.extend(read(&files.main).ok().map(|raw| (files.clone(), raw)));
    }
    let style = style_of(&teachers, template.as_ref());
    let folder = collection.root.join(&place.folder);
    let relations = match old {
        Some(old) => vec![(RelationKind::Supersedes, false, pointer(old, &relative(&folder.join("new"), &absolute(library, old)?)))],
        None => Vec::new(),
    };
    let listing = collection.folder.list();
    let paths: Vec<&str> = listing.files.iter().map(|entry| entry.path.as_str()).collect();
    let made = Made {
        title: wanted.title.trim().to_owned(),
        number: Some(place.number),
        date: date.to_owned(),
        status: status.to_owned(),
        authors: wanted.authors.clone(),
        deciders: wanted.deciders.clone(),
        tags: wanted.tags.clone(),
        description: wanted.description.clone(),
        sections: wanted.sections.clone(),
        relations,
    };
    let raw = new_record(&style, &collection.config.name, &place.folder, &paths, &made).map_err(|error| cannot_edit(&place.folder, &error))?;
    let files = identity::of(collection, &raw.path).ok_or_else(|| {
        Error::new(ErrorKind::Conflict, format!("{} would not be read as a record.", raw.path))
            .hint("Move the records into a folder such as adr/ or docs/decisions/.")
    })?;
    let identity = &files.identity;
    let pointer = Pointer {
        id: format!("{}/{}/{}", identity.project, identity.record_type, identity.slug),
        reference: identity.number.as_ref().map(|number| format!("{}-{}-{number}", identity.project, identity.record_type).to_uppercase()),
        number: identity.number.clone(),
        title: made.title.clone(),
        relative_path: String::new(),
    };
    let absolute = collection.root.join(&raw.path);
    let file = FileDraft {
        collection_id: collection.id,
        collection: collection.config.name.clone(),
        path: raw.path.clone(),
        before: None,
        after: raw.bytes,
    };
    Ok(MadeRecord { file, path: raw.path, absolute, pointer })
}
