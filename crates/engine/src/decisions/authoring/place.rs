//! Where a new record goes: collection, folder, number and template, by what its neighbours have.

use std::sync::Arc;

use source::formats::decisions::{self, RecordFiles, next_number, template_among};
use source::git::History;

use super::NewRecord;
use crate::library::Collection;
use crate::write::writable;
use crate::{Desk, Error, ErrorKind, Library, Result};

/// A place for a new record.
pub(super) struct Place {
    pub(super) collection_id: i64,
    /// Below the collection's folder; empty for the folder itself.
    pub(super) folder: String,
    /// The next free number.
    pub(super) number: u64,
    /// Records of the same folder, oldest number first.
    pub(super) neighbours: Vec<RecordFiles>,
    /// The template's path.
    pub(super) template: Option<String>,
    /// What the person should know.
    pub(super) notes: Vec<String>,
}

/// The place that a wish means.
pub(super) async fn of(desk: &Desk, wanted: &NewRecord) -> Result<Place> {
    let mut candidates = Vec::new();
    for collection in desk.library.collections() {
        let is_meant = wanted.collection.as_ref().is_none_or(|name| name.eq_ignore_ascii_case(&collection.config.name));
        if is_meant && writable(desk, collection.id).is_ok() {
            candidates.push(collection.id);
        }
    }
    if let (Some(name), true) = (&wanted.collection, candidates.is_empty()) {
        let id = desk.library.collection_id(name)?;
        writable(desk, id)?;
    }
    let (library, wanted) = (Arc::clone(&desk.library), wanted.clone());
    super::off_thread(move || find(&library, &candidates, &wanted)).await
}

fn find(library: &Library, candidates: &[i64], wanted: &NewRecord) -> Result<Place> {
    let is_same = |said: &Option<String>, is: &str| said.as_ref().is_none_or(|said| said.eq_ignore_ascii_case(is));
    let mut matching: Vec<(&Collection, Vec<String>, Vec<RecordFiles>)> = Vec::new();
    let mut known: Vec<String> = Vec::new();
    let mut empty = None;
    for collection in library.collections().iter().filter(|collection| candidates.contains(&collection.id)) {
        let paths: Vec<String> = collection.folder.list().files.into_iter().map(|entry| entry.path).collect();
        let borrowed: Vec<&str> = paths.iter().map(String::as_str).collect();
        let records = decisions::record_files(&collection.config.name, &borrowed);
        if records.is_empty() {
            empty = Some((collection, paths));
            continue;
        }
        known.extend(records.iter().map(|files| format!("{}/{}", files.identity.project, files.identity.record_type)));
        let fitting: Vec<RecordFiles> = records
            .into_iter()
            .filter(|files| is_same(&wanted.project, &files.identity.project) && is_same(&wanted.record_type, &files.identity.record_type))
            .collect();
        if !fitting.is_empty() {
            matching.push((collection, paths, fitting));
        }
    }
    known.sort();
    known.dedup();
    let mut pairs: Vec<(String, String, String)> = Vec::new();
    for (collection, _, records) in &matching {
        for files in records {
            let pair = (collection.config.name.clone(), files.identity.project.clone(), files.identity.record_type.clone());
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
    }
    // Where nothing is said of the type, records of decisions are meant.
    if pairs.len() > 1 && wanted.record_type.is_none() {
        let adr: Vec<_> = pairs.iter().filter(|(_, _, record_type)| record_type == "adr").cloned().collect();
        if adr.len() == 1 {
            pairs = adr;
        }
    }
    match (pairs.as_slice(), empty) {
        ([(name, project, record_type)], _) => {
            let chosen = matching.into_iter().find(|(collection, ..)| collection.config.name == *name);
            let (collection, paths, records) = chosen.ok_or_else(|| Error::new(ErrorKind::NotFound, "The collection is gone."))?;
            let neighbours = records.into_iter().filter(|files| files.identity.project == *project && files.identity.record_type == *record_type);
            beside(collection, &paths, neighbours.collect())
        }
        ([], Some((collection, paths))) => fresh(collection, &paths, wanted),
        ([], None) if candidates.is_empty() => Err(Error::new(ErrorKind::Refused, "No collection of this library can be written to.")
            .hint("Copies of repositories and sites are read-only.")),
        ([], None) => {
            let said = [wanted.project.as_deref(), wanted.record_type.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("/");
            Err(Error::new(ErrorKind::NotFound, format!("There is no place for records of {said}."))
                .hint(format!("There are: {}.", known.join(", "))))
        }
        (many, _) => {
            let names: Vec<String> = many.iter().map(|(name, project, record_type)| format!("{project}/{record_type} in {name}")).collect();
            Err(Error::new(ErrorKind::Ambiguous, "It is not clear where the record goes.")
                .hint(format!("Say project and type. There are: {}.", names.join(", "))))
        }
    }
}

/// Beside its neighbours, in the folder in which most of the newest stand.
fn beside(collection: &Collection, paths: &[String], mut neighbours: Vec<RecordFiles>) -> Result<Place> {
    neighbours.sort_by_key(|files| (number_of(files), files.main.clone()));
    let folder = neighbours.last().map(|files| home(files).to_owned()).unwrap_or_default();
    neighbours.retain(|files| home(files) == folder);
    place(collection, paths, folder, neighbours)
}

/// The first record of a collection: in the folder that the wish names in the seed's layout, else where the collection begins.
fn fresh(collection: &Collection, paths: &[String], wanted: &NewRecord) -> Result<Place> {
    let part = |said: &str, what: &str| {
        let is_plain =
            !said.is_empty() && !said.starts_with('.') && said.chars().all(|character| character.is_alphanumeric() || "-_.".contains(character));
        if is_plain { Ok(said.to_owned()) } else { Err(Error::bad_input(format!("{what} is \"{said}\", which cannot name a folder."))) }
    };
    let folder = match (&wanted.project, &wanted.record_type) {
        (None, None) => String::new(),
        (Some(project), record_type) => {
            format!("{}/{}", part(project, "project")?, part(record_type.as_deref().unwrap_or("adr"), "type")?)
        }
        (None, Some(record_type)) => part(record_type, "type")?,
    };
    place(collection, paths, folder, Vec::new())
}

fn place(collection: &Collection, paths: &[String], folder: String, neighbours: Vec<RecordFiles>) -> Result<Place> {
    let is_here = |path: &str| path.strip_prefix(&folder).is_some_and(|rest| folder.is_empty() || rest.starts_with('/'));
    let mut taken: Vec<String> = paths.iter().filter(|path| is_here(path)).cloned().collect();
    let own = next_number(&taken.iter().map(String::as_str).collect::<Vec<_>>());
    let mut notes = Vec::new();
    match History::of(&collection.root).and_then(|history| history.map_or(Ok(Vec::new()), |history| history.branch_files())) {
        Ok(branches) => {
            for (branch, files) in branches {
                let there: Vec<&str> = files.iter().map(String::as_str).filter(|path| is_here(path)).collect();
                let next = next_number(&there);
                if next > own {
                    notes.push(format!("The branch {branch} already has the number {}.", next - 1));
                }
                taken.extend(there.into_iter().map(str::to_owned));
            }
        }
        Err(error) => notes.push(format!("Other branches could not be looked at: {error}")),
    }
    notes.truncate(5);
    let number = next_number(&taken.iter().map(String::as_str).collect::<Vec<_>>());
    let template = match &collection.config.template {
        Some(path) => Some(path.clone()),
        None => {
            let near: Vec<&str> = paths.iter().map(String::as_str).filter(|path| is_here(path)).collect();
            let all: Vec<&str> = paths.iter().map(String::as_str).collect();
            template_among(&near).or_else(|| template_among(&all)).map(str::to_owned)
        }
    };
    Ok(Place { collection_id: collection.id, folder, number, neighbours, template, notes })
}

/// The folder in which a record stands; of a record that is a folder, the one above it.
fn home(files: &RecordFiles) -> &str {
    let folder = |path: &str| path.rsplit_once('/').map_or(0, |(folder, _)| folder.len());
    let own = files.main.get(..folder(&files.main)).unwrap_or_default();
    let is_folder = own.rsplit('/').next().is_some_and(|name| !name.is_empty() && files.identity.slug.rsplit('/').next() == Some(name));
    if is_folder { own.get(..folder(own)).unwrap_or_default() } else { own }
}

fn number_of(files: &RecordFiles) -> u64 {
    files.identity.number.as_deref().and_then(|number| number.parse().ok()).unwrap_or_default()
}
