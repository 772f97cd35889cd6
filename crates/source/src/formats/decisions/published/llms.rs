//! `llms.txt`: names and descriptions of projects, as far as they can be told for certain.
//!
//! Its layout is not fixed. Two are understood: a section per project, whose links lead to that project's records, and a list whose links lead to
//! the projects themselves. What could mean two things is left out; the project's id is then its name.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::PublishedRecord;

/// The most text of an `llms.txt` that is looked at, in bytes.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// A project as `llms.txt` describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedProject {
    /// First part of its records' ids.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// What it is about, where that is said.
    pub description: Option<String>,
}

/// The projects of `records` that `llms_txt` names, by id. Links count by how they end, so that it does not matter where the site stands.
#[must_use]
pub fn read_projects(llms_txt: &str, records: &[PublishedRecord]) -> Vec<NamedProject> {
    let end = llms_txt.char_indices().map(|(at, _)| at).take_while(|at| *at <= MAX_BYTES).last().unwrap_or(0);
    let text = if llms_txt.len() <= MAX_BYTES { llms_txt } else { &llms_txt[..end] };
    let known = Known {
        records: records.iter().map(|record| (record.id.as_str(), record.project.as_str())).collect(),
        projects: records.iter().map(|record| record.project.as_str()).filter(|project| !project.is_empty()).collect(),
    };
    let mut found: BTreeMap<&str, NamedProject> = BTreeMap::new();
    let sections = sections(text);
    for section in &sections {
        for (id, name, description) in section.items.iter().filter_map(|item| known.project_item(item)) {
            found.entry(id).or_insert_with(|| NamedProject { id: id.to_owned(), name, description });
        }
    }
    let mut claims: BTreeMap<&str, Vec<&Section<'_>>> = BTreeMap::new();
    for section in &sections {
        let projects: BTreeSet<&str> =
            section.items.iter().flat_map(|item| addresses(item)).filter_map(|address| known.project_of_record(address)).collect();
        if projects.len() > 1 {
            continue;
        }
        for project in projects {
            claims.entry(project).or_default().push(section);
        }
    }
    for (project, sections) in claims {
        let section = match sections.as_slice() {
            [section] => Some(*section),
            several => several.iter().copied().find(|section| section.heading.eq_ignore_ascii_case(project)),
        };
        if let Some(section) = section {
            let named = NamedProject { id: project.to_owned(), name: section.heading.to_owned(), description: section.description.clone() };
            found.entry(project).or_insert(named);
        }
    }
    found.into_values().collect()
}

/// A heading of the second level with what stands below it.
struct Section<'a> {
    heading: &'a str,
    description: Option<String>,
    items: Vec<&'a str>,
}

fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut paragraph_is_open = false;
    let mut is_fenced = false;
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        }
        if is_fenced {
            continue;
        }
        let heading = line.strip_prefix("## ").map(|heading| heading.trim().trim_end_matches('#').trim());
        if let Some(heading) = heading.filter(|heading| !heading.is_empty()) {
            sections.push(Section {
                heading: link(heading).map(|(text, ..)| text.trim()).filter(|text| !text.is_empty()).unwrap_or(heading),
                description: None,
                items: Vec::new(),
            });
            paragraph_is_open = true;
            continue;
        }
        let Some(section) = sections.last_mut() else { continue };
        if line.starts_with(['-', '*', '#']) {
            paragraph_is_open = false;
            section.items.push(line.trim_start_matches(['-', '*', '#', ' ']));
        } else if line.is_empty() {
            paragraph_is_open &= section.description.is_none();
        } else if paragraph_is_open {
            let words = line.trim_start_matches('>').trim();
            let description = section.description.get_or_insert_with(String::new);
            if !description.is_empty() {
                description.push(' ');
            }
            description.push_str(words);
        }
    }
    for section in &mut sections {
        section.description = section.description.take().filter(|text| !text.is_empty());
    }
    sections
}

struct Known<'a> {
    /// Id of a record to its project.
    records: HashMap<&'a str, &'a str>,
    projects: BTreeSet<&'a str>,
}

impl<'a> Known<'a> {
    /// The project of the record that an address leads to: that whose id is its longest ending.
    fn project_of_record(&self, address: &str) -> Option<&'a str> {
        let path = bare(address);
        let path = path.strip_suffix(".md").or_else(|| path.strip_suffix(".html")).unwrap_or(path);
        let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
        // No id has more parts than this; longer addresses are no reason to look at each of their endings.
        let starts: Vec<usize> = starts.take(64).collect();
        starts.into_iter().find_map(|at| self.records.get(&path[at..]).copied())
    }

    /// `[Name](…/sre/): What it is about.`
    fn project_item(&self, item: &str) -> Option<(&'a str, String, Option<String>)> {
        let (text, address, behind) = link(item)?;
        if text.trim().is_empty() || self.project_of_record(address).is_some() {
            return None;
        }
        let path = bare(address);
        let path = ["index.html", "index.md", "llms.txt"].iter().find_map(|file| path.strip_suffix(file)).unwrap_or(path).trim_end_matches('/');
        let path = path.strip_suffix(".md").unwrap_or(path);
        let project = self.projects.get(path.rsplit('/').next()?).copied()?;
        let description = behind.trim_start_matches([':', '-', '–', '—', ' ']).trim();
        Some((project, text.trim().to_owned(), Some(description.to_owned()).filter(|text| !text.is_empty())))
    }
}

fn bare(address: &str) -> &str {
    address.split(['#', '?']).next().unwrap_or_default()
}

/// The first link of a line: its text, its address, and what stands behind it.
fn link(line: &str) -> Option<(&str, &str, &str)> {
    let (_, rest) = line.split_once('[')?;
    let (text, rest) = rest.split_once("](")?;
    let (address, behind) = rest.split_once(')')?;
    Some((text, address, behind))
}

/// The addresses of all links of a line.
fn addresses(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(address, _)| address))
}
