//! Where each record of a site lies in the mirror. Ids and paths are strangers' words: what could lead astray becomes a problem of that record.

use std::collections::{BTreeSet, HashSet};

use document::{Problem, Severity, Stamp};
use unicode_normalization::UnicodeNormalization as _;

use crate::folder::skipped::TEMPORARY_PREFIX;
use crate::formats::decisions::published::{PublishedRecord, PublishedSite};
use crate::formats::decisions::{Identity, RecordFiles, number_of_name};

/// The longest name of a file or folder, in bytes: what every file system takes, with room for an extension.
const MAX_PART: usize = 200;

/// The longest path, in bytes, and the most folders in it.
const MAX_PATH: usize = 1_000;
const MAX_PARTS: usize = 32;

/// Names that are devices on some system, whatever their extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "clock$", "conin$"];

/// A record with its place.
#[derive(Debug)]
pub(super) struct Placed<'a> {
    /// What the site says of it.
    pub(super) entry: &'a PublishedRecord,
    /// Its files in the mirror.
    pub(super) files: RecordFiles,
    /// The stamp of its original, where the site publishes that; else its file is made from the entry and the copy's text.
    pub(super) original: Option<Stamp>,
}

impl Placed<'_> {
    /// The parts of the path of its copy below the site.
    pub(super) fn copy(&self) -> Vec<String> {
        let mut parts: Vec<String> = self.entry.id.split('/').map(str::to_owned).collect();
        if let Some(last) = parts.last_mut() {
            last.push_str(".md");
        }
        parts
    }
}

/// Places that are taken, whatever the case and the normal form of their names.
#[derive(Debug, Default)]
pub(super) struct Taken {
    files: HashSet<String>,
    folders: HashSet<String>,
}

impl Taken {
    /// Takes all of `paths`, or none of them.
    pub(super) fn take<'a>(&mut self, paths: impl Iterator<Item = &'a str>) -> Result<(), &'static str> {
        let folded: BTreeSet<String> = paths.map(|path| path.nfc().collect::<String>().to_lowercase()).collect();
        if folded.iter().any(|path| self.files.contains(path)) {
            return Err("another record has a file at the same place");
        }
        let folders: Vec<String> = folded.iter().flat_map(|path| path.match_indices('/').map(|(at, _)| path[..at].to_owned())).collect();
        if folded.iter().any(|path| self.folders.contains(path))
            || folders.iter().any(|folder| self.files.contains(folder) || folded.contains(folder))
        {
            return Err("another record's file is one of its folders");
        }
        self.folders.extend(folders);
        self.files.extend(folded);
        Ok(())
    }
}

/// All records that have a place, in the order of the site.
pub(super) fn places<'a>(site: &'a PublishedSite, problems: &mut Vec<Problem>) -> (Vec<Placed<'a>>, Taken) {
    let collections: HashSet<&str> = site.records.iter().filter_map(|record| record.collection.as_deref()).collect();
    let mut taken = Taken::default();
    let mut placed = Vec::new();
    for entry in &site.records {
        let found = place(entry, collections.len() > 1).and_then(|found| {
            taken.take(std::iter::once(&found.files.main).chain(&found.files.sidecars).map(String::as_str))?;
            Ok(found)
        });
        match found {
            Ok(found) => placed.push(found),
            Err(reason) => {
                let shown: String = entry.id.chars().take(120).map(|character| if character.is_control() { '\u{FFFD}' } else { character }).collect();
                let message = format!("The record \"{shown}\" of the site was left out: {reason}.");
                problems.push(Problem::new("record-without-place", Severity::Error, "decisions.json", message));
            }
        }
    }
    (placed, taken)
}

fn place(entry: &PublishedRecord, has_collections: bool) -> Result<Placed<'_>, &'static str> {
    check(&entry.id)?;
    let mut parts = entry.id.splitn(3, '/');
    let (Some(project), Some(record_type), Some(slug)) = (parts.next(), parts.next(), parts.next()) else {
        return Err("its id is not of the form <project>/<type>/<slug>");
    };
    let identity = |number| Identity { project: project.to_owned(), record_type: record_type.to_owned(), slug: slug.to_owned(), number };
    let stamp = entry.stamp.as_deref().and_then(Stamp::parse);
    let (Some(path), Some(stamp)) = (&entry.path, stamp) else {
        let main = format!("{}.md", entry.id.nfc().collect::<String>());
        let number = number_of_name(slug.rsplit('/').next().unwrap_or(slug)).map(str::to_owned);
        return Ok(Placed { entry, files: RecordFiles { main, sidecars: Vec::new(), identity: identity(number) }, original: None });
    };
    let collection = entry.collection.as_deref().filter(|_| has_collections);
    let below = |path: &str| collection.map_or_else(|| path.to_owned(), |collection| format!("{collection}/{path}"));
    let main = below(path);
    check(&main)?;
    if !has_extension(&main, &["md", "markdown", "mdown", "mkd", "mdx", "rst", "rest", "adoc", "asciidoc", "asc", "txt"]) {
        return Err("its path has no extension of a text that ibid reads");
    }
    let mut sidecars = Vec::new();
    for sidecar in &entry.sidecars {
        let path = below(&sidecar.path);
        check(&path)?;
        if !has_extension(&path, &["yaml", "yml"]) {
            return Err("a file beside it is no YAML");
        }
        sidecars.push(path);
    }
    let is_number = |number: &&String| !number.is_empty() && number.len() <= 7 && number.bytes().all(|byte| byte.is_ascii_digit());
    let number = entry.number.as_ref().filter(is_number).cloned();
    Ok(Placed { entry, files: RecordFiles { main, sidecars, identity: identity(number) }, original: Some(stamp) })
}

fn has_extension(path: &str, known: &[&str]) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, extension)| !stem.is_empty() && known.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Whether an id or a path may name a file below a folder, on every system.
fn check(path: &str) -> Result<(), &'static str> {
    if path.len() > MAX_PATH || path.split('/').count() > MAX_PARTS {
        return Err("its id or path is too long");
    }
    for part in path.split('/') {
        let stem = part.split('.').next().unwrap_or_default().trim_end().to_lowercase();
        let is_port = stem.len() == 4 && (stem.starts_with("com") || stem.starts_with("lpt")) && stem.ends_with(|last: char| last.is_ascii_digit());
        let reason = match part {
            "" => "its id or path is absolute, or has an empty part",
            "." | ".." => "its id or path climbs",
            part if part.len() > MAX_PART => "a part of its id or path is too long",
            part if part.chars().any(|character| character.is_control() || character == '\\') => {
                "its id or path holds characters that no name may hold"
            }
            part if part.starts_with(TEMPORARY_PREFIX) || part.eq_ignore_ascii_case(".git") => "its id or path has a reserved name",
            _ if DEVICES.contains(&stem.as_str()) || is_port => "its id or path has a reserved name",
            part if part.ends_with(['.', ' ']) || part.starts_with(' ') => "a part of its id or path begins or ends with a blank or ends with a dot",
            _ => continue,
        };
        return Err(reason);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(records: &[(&str, Option<&str>, Option<&str>)]) -> PublishedSite {
        let stamp = Stamp::of(b"text").as_str().to_owned();
        let record = |(id, path, collection): &(&str, Option<&str>, Option<&str>)| PublishedRecord {
            id: (*id).to_owned(),
            path: path.map(str::to_owned),
            collection: collection.map(str::to_owned),
            stamp: Some(stamp.clone()),
            number: Some("0001".to_owned()),
            ..PublishedRecord::default()
        };
        PublishedSite { records: records.iter().map(record).collect(), ..PublishedSite::default() }
    }

    fn mains(site: &PublishedSite) -> (Vec<String>, usize) {
        let mut problems = Vec::new();
        let (placed, _) = places(site, &mut problems);
        (placed.into_iter().map(|placed| placed.files.main).collect(), problems.len())
    }

    #[test]
    fn an_original_lies_at_its_own_path_and_below_its_collection_only_where_there_are_several() {
        let one = site(&[("docs/adr/0001-a", Some("docs/adr/0001-a.rst"), Some("docs"))]);
        assert_eq!(mains(&one), (vec!["docs/adr/0001-a.rst".to_owned()], 0));
        let two = site(&[("docs/adr/0001-a", Some("adr/0001-a.rst"), Some("docs")), ("x/adr/0001-a", Some("adr/0001-a.rst"), Some("x"))]);
        assert_eq!(mains(&two), (vec!["docs/adr/0001-a.rst".to_owned(), "x/adr/0001-a.rst".to_owned()], 0));
    }

    #[test]
    fn hostile_ids_and_paths_cost_their_own_record_alone() {
        let long = format!("a/adr/{}", "x".repeat(300));
        let deep = format!("a/adr/{}x", "y/".repeat(40));
        for id in [
            "../adr/x",
            "/a/adr/x",
            "a/adr/../../../etc/passwd",
            "a//x",
            "a/adr/",
            "a\\adr\\x",
            "a/adr/x\\..\\y",
            "a/adr/\0",
            "a/adr/x\ny",
            "a/adr",
            "x",
            "a/adr/con",
            "a/adr/NUL.tar",
            "a/adr/Com1",
            ".git/adr/x",
            "a/adr/x.",
            "a/adr/x ",
            "a/adr/.ibid-write-1-0",
            &long,
            &deep,
        ] {
            let (placed, problems) = mains(&site(&[("a/adr/0001-good", None, None), (id, None, None)]));
            assert_eq!((placed, problems), (vec!["a/adr/0001-good.md".to_owned()], 1), "{id:?}");
        }
        for path in ["../x.md", "/etc/x.md", "a/../x.md", "x", "x.exe", ".md", "x.json", "site.json", "a\\b.md", "a/nul.md", ""] {
            let (placed, problems) = mains(&site(&[("a/adr/0001-good", Some("a/x.md"), None), ("a/adr/0002-bad", Some(path), None)]));
            assert_eq!((placed, problems), (vec!["a/x.md".to_owned()], 1), "{path:?}");
        }
    }

    #[test]
    fn two_records_never_share_a_place_whatever_the_case() {
        for (first, second) in
            [("x/a.md", "x/a.md"), ("x/A.md", "X/a.md"), ("x/é.md", "x/e\u{301}.md"), ("x/a.md", "x/a.md/b.md"), ("x/a.md/b.md", "x/a.md")]
        {
            let (placed, problems) = mains(&site(&[("a/adr/1", Some(first), None), ("a/adr/2", Some(second), None)]));
            assert_eq!((placed, problems), (vec![first.to_owned()], 1), "{first} {second}");
        }
    }
}
