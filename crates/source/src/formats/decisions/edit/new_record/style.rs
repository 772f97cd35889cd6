//! The style of a folder: learnt from its newest records, or from its own template.

use std::collections::{HashMap, HashSet};

use super::super::draft::Draft;
use super::file_name::{self, FileName, digits_of, own_name};
use super::skeleton;
use crate::RawFile;
use crate::formats::decisions::entry::{Entry, Place};
use crate::formats::decisions::places::Part;
use crate::formats::decisions::{RecordFiles, words};

/// How new records of a folder are named and what they look like before they are filled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Style {
    pub(super) names: FileName,
    /// A record with its places for metadata and its headings, or the text of the project's template; lines end with `\n`.
    pub(super) skeleton: String,
    pub(super) has_crlf: bool,
    pub(super) is_template: bool,
    /// Name and number of the record from which the skeleton comes.
    pub(super) sample_name: String,
    pub(super) sample_number: Option<String>,
    /// Names of header keys that hold the record's number.
    pub(super) number_keys: HashSet<String>,
}

/// How many of the newest records are looked at.
const WINDOW: usize = 8;

/// What an empty folder gets.
const DEFAULT: &str = "---\ntitle: x\nstatus: proposed\ndate: 2000-01-01\nauthors: []\ndeciders: []\ntags: []\n---\n\n## Context\n\n\
    <!-- What is the question, and what bears on it? -->\n\n## Decision\n\n<!-- What will be done, and why this of all ways? -->\n\n\
    ## Consequences\n\n<!-- What becomes easier, and what harder? -->\n";

impl Style {
    /// Digits of a number as this folder's names write it; empty where names have no number.
    #[must_use]
    pub fn digits(&self, number: u64) -> String {
        if self.names.has_number() { self.names.digits(number) } else { String::new() }
    }

    /// Whether names of this folder have a number.
    #[must_use]
    pub const fn has_number(&self) -> bool {
        self.names.has_number()
    }
}

/// The style of a folder. The newest records weigh most; a template gives the text, and records their names. An empty folder without template gets a
/// header with title, status, date and people, and sections for context, decision and consequences.
#[must_use]
pub fn style_of(records: &[(RecordFiles, RawFile)], template: Option<&RawFile>) -> Style {
    let mut ordered: Vec<&(RecordFiles, RawFile)> = records.iter().collect();
    ordered.sort_by_cached_key(|(files, _)| std::cmp::Reverse(age(files)));
    ordered.truncate(WINDOW);
    let drafts: Vec<Draft<'_>> = ordered.iter().filter_map(|(files, raw)| Draft::open(files, &skeleton::with_plain_ends(raw), &[]).ok()).collect();
    let sample = chosen(&drafts);
    let mut style = Style {
        names: FileName::default(),
        skeleton: DEFAULT.to_owned(),
        has_crlf: false,
        is_template: false,
        sample_name: String::new(),
        sample_number: None,
        number_keys: HashSet::new(),
    };
    if let Some(sample) = sample {
        let others: Vec<&str> = drafts.iter().map(|draft| draft.document.path.as_str()).filter(|path| *path != sample.document.path).collect();
        style.names = file_name::of(&sample.document.path, &others);
        style.sample_name = own_name(&sample.document.path).to_owned();
        style.sample_number = digits_of(&sample.document.path).map(str::to_owned);
        style.number_keys = number_keys(&drafts);
        style.skeleton = skeleton::of(sample, &common_sections(&drafts), &kept_keys(&drafts, &style.number_keys));
        let crlf = |raw: &RawFile| raw.bytes.windows(2).any(|pair| pair == b"\r\n");
        style.has_crlf = ordered.iter().filter(|(_, raw)| crlf(raw)).count() * 2 > ordered.len();
    }
    if let Some(template) = template.filter(|template| is_usable(template)) {
        style.skeleton = skeleton::of_template(template);
        style.is_template = true;
        style.has_crlf = template.bytes.windows(2).any(|pair| pair == b"\r\n");
        if sample.is_none() {
            let extension = template.path.rsplit_once('.').map_or("md", |(_, extension)| extension);
            style.names.extension = extension.to_owned();
        }
    }
    style
}

/// A template whose text can be filled; others are left aside.
fn is_usable(template: &RawFile) -> bool {
    std::str::from_utf8(&template.bytes).is_ok_and(|text| !text.contains('\0') && text.lines().count() >= 3)
}

/// Newer records are larger: by number, else by date, else by name.
fn age(files: &RecordFiles) -> (u64, String, String) {
    let own = own_name(&files.main);
    let number = digits_of(&files.main).and_then(|digits| digits.parse().ok()).unwrap_or_default();
    let date = crate::formats::decisions::name::read(own).date.unwrap_or_default();
    if date.is_empty() { (number, String::new(), files.main.clone()) } else { (0, date.to_owned(), files.main.clone()) }
}

/// The newest record of the form that most of the newest have.
fn chosen<'a, 'b>(drafts: &'a [Draft<'b>]) -> Option<&'a Draft<'b>> {
    let form = |draft: &Draft<'_>| {
        let path = &draft.document.path;
        let is_cover = own_name(path) != path.rsplit('/').next().and_then(|file| file.rsplit_once('.')).map_or("", |(stem, _)| stem);
        let extension = path.rsplit_once('.').map(|(_, extension)| extension.to_owned());
        let place = draft.place_of_status().map(str::to_owned);
        (extension, is_cover, document::split_front_matter(draft.text(0)).0.is_some(), place)
    };
    let mut weights = HashMap::new();
    for (index, draft) in drafts.iter().enumerate() {
        *weights.entry(form(draft)).or_insert(0_usize) += 2 * WINDOW - index;
    }
    let heaviest = weights.values().max().copied()?;
    drafts.iter().find(|draft| weights.get(&form(draft)) == Some(&heaviest))
}

/// Headings of the outermost level that at least half of the records have.
fn common_sections(drafts: &[Draft<'_>]) -> HashSet<String> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for draft in drafts {
        let facts = draft.opened.gathered(draft.files);
        for name in outer_headings(&facts.parts, facts.title).into_iter().collect::<HashSet<_>>() {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts.into_iter().filter(|(_, count)| count * 2 >= drafts.len().max(2) || drafts.len() == 1).map(|(name, _)| name).collect()
}

fn outer_headings(parts: &[Part<'_>], title: Option<usize>) -> Vec<String> {
    let sections = || parts.iter().enumerate().filter(move |(index, _)| Some(*index) != title).filter_map(|(_, part)| part.heading);
    let outermost = sections().map(|heading| heading.level).min().unwrap_or(2);
    sections().filter(|heading| heading.level == outermost).map(|heading| words::folded_heading(heading.text)).collect()
}

fn headers<'a>(drafts: &'a [Draft<'_>]) -> Vec<(&'a Draft<'a>, Vec<Entry>)> {
    let header = |draft: &Draft<'_>| {
        let facts = draft.opened.gathered(draft.files);
        facts.entries.into_iter().filter(|entry| matches!(entry.place, Place::FrontMatter | Place::Header)).collect::<Vec<_>>()
    };
    drafts.iter().map(|draft| (draft, header(draft))).collect()
}

/// Keys whose value ends with the record's own number in every record that has them.
fn number_keys(drafts: &[Draft<'_>]) -> HashSet<String> {
    let mut fits: HashMap<String, bool> = HashMap::new();
    for (draft, entries) in headers(drafts) {
        let Some(number) = digits_of(&draft.document.path) else { continue };
        for entry in entries.iter().filter(|entry| entry.field().is_none() || entry.name == "id") {
            let text = entry.text();
            let digits = &text[text.trim_end_matches(|last: char| last.is_ascii_digit()).len()..];
            let is_own = !digits.is_empty() && digits.trim_start_matches('0') == number.trim_start_matches('0') && text.len() <= digits.len() + 12;
            fits.entry(entry.name.clone()).and_modify(|known| *known &= is_own).or_insert(is_own);
        }
    }
    fits.into_iter().filter(|(_, fits)| *fits).map(|(name, _)| name).collect()
}

/// Keys beside the known ones that new records keep: the number, and what is the same in every record.
fn kept_keys(drafts: &[Draft<'_>], number_keys: &HashSet<String>) -> HashSet<String> {
    let headers = headers(drafts);
    let mut values: HashMap<&str, Vec<&str>> = HashMap::new();
    for (_, entries) in &headers {
        for entry in entries.iter().filter(|entry| entry.field().is_none() || entry.name == "type") {
            values.entry(&entry.name).or_default().push(&entry.raw);
        }
    }
    let is_same = |values: &Vec<&str>| values.len() >= 2 && values.len() == headers.len() && values.windows(2).all(|pair| pair[0] == pair[1]);
    let same = values.into_iter().filter(|(_, values)| is_same(values)).map(|(name, _)| name.to_owned());
    let own = headers
        .iter()
        .flat_map(|(draft, entries)| entries.iter().filter(|entry| entry.text() == own_name(&draft.document.path)).map(|entry| entry.name.clone()));
    number_keys.iter().cloned().chain(same).chain(own).collect()
}

/// The project's own template among the paths of a folder: by its whole stem (`template`, `0000-template`, `adr-template`, `_template`), by the name
/// of its folder, or in a folder `templates`. The plainest name wins.
#[must_use]
pub fn template_among<'a>(paths: &[&'a str]) -> Option<&'a str> {
    paths.iter().copied().filter(|path| is_template_path(path)).min_by_key(|path| {
        let words = own_name(path).split(['-', '_', '.', ' ']).filter(|word| !word.is_empty()).count();
        (is_among_templates(path), path.matches('/').count(), words, (*path).to_owned())
    })
}

fn is_template_path(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, extension)) = file.rsplit_once('.') else { return false };
    if !matches!(extension.to_ascii_lowercase().as_str(), "md" | "markdown" | "mdx" | "rst" | "adoc") {
        return false;
    }
    let own = own_name(path);
    if own != stem {
        // A folder that is a template; the page of a folder of templates is none.
        return words::is_template_name(own) && !is_templates_folder(own);
    }
    words::is_template_name(stem) || (is_among_templates(path) && !words::is_side_stem(stem))
}

fn is_among_templates(path: &str) -> bool {
    path.rsplit('/').skip(1).any(is_templates_folder)
}

fn is_templates_folder(name: &str) -> bool {
    matches!(name.to_lowercase().as_str(), "template" | "templates" | "_templates")
}
