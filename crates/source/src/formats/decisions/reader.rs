//! One record's bytes to its document: gathers the entries of all places and lets each part of the facts be read from them.

use document::{Document, Facts, Kind, Lines, People, Problem, Record, Scheme, Severity, Span, Stamp, Syntax, Uri, Value};

use super::block::{self, Block};
use super::entry::{Entry, Field, Place};
use super::places::{self, Part};
use super::target::Surroundings;
use super::{RecordFiles, decode, lines, name, people, plain, related, rest, review, reviewers, standing, target, title, when, words, yaml};
use crate::{Parsed, RawFile};

/// Everything that the readers of the single facts look at.
pub(super) struct Gathered<'a> {
    pub(super) files: &'a RecordFiles,
    pub(super) entries: Vec<Entry>,
    pub(super) parts: Vec<Part<'a>>,
    pub(super) title: Option<usize>,
    /// A remark at the top of the header, which in some records is the title, with its line.
    pub(super) remark: Option<(String, u32)>,
}

impl Gathered<'_> {
    /// The record's own name: its file's stem, or its folder's.
    pub(super) fn own_name(&self) -> &str {
        own_name(self.files)
    }
}

fn own_name(files: &RecordFiles) -> &str {
    let mut segments = files.main.rsplit('/');
    let file = segments.next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_cover = matches!(stem.to_lowercase().as_str(), "readme" | "index");
    segments.next().filter(|_| is_cover).unwrap_or(stem)
}

/// A record's text with what was found in it, before any fact is read. The editor looks at the same.
#[derive(Clone)]
pub(super) struct Opened {
    pub(super) text: String,
    pub(super) syntax: Syntax,
    pub(super) body: Span,
    pub(super) blocks: Vec<Block>,
    /// Entries of header and sidecars.
    entries: Vec<Entry>,
    pub(super) problems: Vec<Problem>,
}

/// Decodes a record and cuts it into header entries and blocks.
pub(super) fn open(main: &RawFile, sidecars: &[RawFile]) -> Opened {
    let (text, mut problems) = decode::text(&main.path, &main.bytes);
    let syntax = if main.path.to_ascii_lowercase().ends_with(".txt") { Syntax::Rest } else { Syntax::of_path(&main.path) };
    let (mut entries, body) = header(&main.path, &text, syntax, &mut problems);
    entries.extend(sidecar_entries(sidecars, &mut problems));
    let blocks = block::blocks(&text, body, syntax);
    Opened { text, syntax, body, blocks, entries, problems }
}

impl Opened {
    /// The entries of all places and the parts of the body.
    pub(super) fn gathered<'a>(&'a self, files: &'a RecordFiles) -> Gathered<'a> {
        let mut entries = self.entries.clone();
        let parts = places::parts(&self.blocks);
        let title = places::title_part(&parts);
        entries.extend(places::head_entries(&parts, title));
        Gathered { files, entries, parts, title, remark: header_remark(&self.text) }
    }
}

/// What must be known of a record to follow its links.
pub(super) fn surroundings<'a>(files: &'a RecordFiles, path: &'a str, text: &str) -> Surroundings<'a> {
    Surroundings { path, record_type: &files.identity.record_type, definitions: target::definitions(text) }
}

/// See [`super::read`].
pub(super) fn read(files: &RecordFiles, main: &RawFile, sidecars: &[RawFile]) -> Parsed {
    read_opened(files, main, open(main, sidecars))
}

/// The same for a record that is open already.
pub(super) fn read_opened(files: &RecordFiles, main: &RawFile, mut opened: Opened) -> Parsed {
    let mut problems = std::mem::take(&mut opened.problems);
    let facts = opened.gathered(files);
    let surroundings = surroundings(files, &main.path, &opened.text);
    let (status, is_template) = standing::read(&facts, &mut problems);
    let date = when::read(&facts, &mut problems);
    let title = title_of(&facts, &mut problems);
    let relations = related::relations(&facts, &surroundings, &opened.blocks, is_template, &mut problems);
    let entries = &facts.entries;
    let identity = &files.identity;
    let reviewers = reviewers::read(&facts, &mut problems);
    let approvals_required = reviewers::approvals_required(&facts, &mut problems);
    let review = review::read(&facts, date.as_ref(), &mut problems);
    let record = Record {
        project: identity.project.clone(),
        record_type: identity.record_type.clone(),
        slug: identity.slug.clone(),
        number: identity.number.clone(),
        status,
        is_draft: of(entries, Field::Draft).any(|entry| matches!(entry.text().to_lowercase().as_str(), "true" | "yes" | "on" | "1")),
        people: people_of(&facts),
        relations,
        reviewers,
        approvals_required,
        review,
        metadata: entries.iter().map(|entry| (entry.key.clone(), entry.value.clone())).collect(),
        date: date.clone(),
    };
    let document = Document {
        uri: Uri::new(Scheme::Decision, record.id()),
        kind: Kind::Decisions,
        path: main.path.clone(),
        title,
        description: of(entries, Field::Description)
            .find(|entry| entry.place == Place::FrontMatter)
            .map(|entry| plain::words(&entry.text()))
            .unwrap_or_default(),
        sections: document::outline(&opened.text, opened.body, opened.syntax),
        links: if opened.syntax == Syntax::Markdown { document::links(&opened.text, opened.body) } else { Vec::new() },
        tags: tags_of(entries),
        date: date.and_then(|date| date.iso),
        stamp: Stamp::of(&main.bytes),
        facts: Facts::Record(Box::new(record)),
        body: opened.body,
        text: opened.text,
    };
    Parsed { documents: vec![document], problems }
}

/// Entries of the header, and where the body begins.
fn header(path: &str, text: &str, syntax: Syntax, problems: &mut Vec<Problem>) -> (Vec<Entry>, Span) {
    let (header, body) = document::split_front_matter(text);
    let Some(header) = header else {
        if syntax != Syntax::Rest {
            return (Vec::new(), body);
        }
        return rest::mail_header(text, body).map_or((Vec::new(), body), |(entries, end)| (entries, Span::new(end, body.end)));
    };
    let first_line = Lines::of(text).line_number(header.start);
    let is_toml = text[..header.start].trim_end().ends_with("+++");
    if is_toml {
        let problem = Problem::new("toml-front-matter", Severity::Note, path, "Its header is TOML; it was read line by line.").at_line(1);
        problems.push(problem.hint("YAML between --- lines is understood whole."));
        return (lines::read(header.of(text), first_line, Place::FrontMatter), body);
    }
    let mapping = yaml::read(header.of(text), first_line, Place::FrontMatter);
    if let Some((line, reason)) = mapping.fault {
        let message = format!("Its front matter is no valid YAML ({reason}); it was read line by line.");
        let problem = Problem::new("broken-front-matter", Severity::Warning, path, message).at_line(line);
        problems.push(problem.hint("Put quotes around values that hold : # { } [ ] @ or |."));
    }
    duplicate_keys(path, &mapping.entries, problems);
    (mapping.entries, body)
}

/// `# Use one store` on the first line of a front matter: no heading to a parser, but the title to its author. Templates' hints are none.
fn header_remark(text: &str) -> Option<(String, u32)> {
    let header = document::split_front_matter(text).0?;
    let remark = header.of(text).lines().next()?.strip_prefix("# ")?.trim();
    let is_hint = ["optional", "remove", "lint", "template", ":"].iter().any(|word| remark.contains(word));
    (!is_hint && remark.split_whitespace().count() >= 2).then(|| (remark.to_owned(), Lines::of(text).line_number(header.start)))
}

fn duplicate_keys(path: &str, entries: &[Entry], problems: &mut Vec<Problem>) {
    let mut seen = std::collections::HashSet::new();
    for entry in entries {
        if !seen.insert(&entry.name) {
            let message = format!("The key \"{}\" stands twice in its header; the first one counts.", entry.key);
            problems.push(Problem::new("duplicate-key", Severity::Warning, path, message).at_line(entry.line_number));
        }
    }
}

fn sidecar_entries(sidecars: &[RawFile], problems: &mut Vec<Problem>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for sidecar in sidecars {
        let (text, found) = decode::text(&sidecar.path, &sidecar.bytes);
        problems.extend(found);
        let mapping = yaml::read(text.trim_start_matches('\u{feff}'), 1, Place::Sidecar);
        if let Some((line, reason)) = mapping.fault {
            let message = format!("It is no valid YAML ({reason}); it was read line by line.");
            problems.push(Problem::new("broken-sidecar", Severity::Warning, &sidecar.path, message).at_line(line));
        }
        entries.extend(mapping.entries);
    }
    entries
}

/// Entries of one field.
pub(super) fn of(entries: &[Entry], field: Field) -> impl Iterator<Item = &Entry> {
    entries.iter().filter(move |entry| entry.field() == Some(field))
}

fn title_of(facts: &Gathered<'_>, problems: &mut Vec<Problem>) -> String {
    let identity = &facts.files.identity;
    let path = &facts.files.main;
    let own = facts.own_name();
    let number = identity.number.as_deref();
    let heading = facts.title.and_then(|index| facts.parts[index].heading);
    if let Some(heading) = heading
        && let (Some(number), Some(stated)) = (number, title::stated_number(heading.text, &identity.record_type))
        && number.trim_start_matches('0') != stated.trim_start_matches('0')
    {
        let message = format!("Its heading says number {stated}, its file name {number}; the file name counts.");
        problems.push(Problem::new("number-disagrees", Severity::Warning, path, message).at_line(heading.line_number));
    }
    let in_header = |place: Place| {
        let found = of(&facts.entries, Field::Title).find(|entry| entry.place == place);
        found.map(|entry| (title::of_metadata(&entry.text()), entry.line_number))
    };
    let feature = facts
        .entries
        .iter()
        .find(|entry| matches!(entry.name.as_str(), "feature-name" | "feature" | "name") && !entry.text().is_empty())
        .map(|entry| (title::of_metadata(&entry.text()), entry.line_number));
    let candidates = [
        in_header(Place::FrontMatter).or_else(|| in_header(Place::Header)),
        heading.map(|heading| (plain::without_comments(heading.text).trim().to_owned(), heading.line_number)),
        in_header(Place::Sidecar),
        feature.filter(|(text, _)| !text.starts_with('(')),
        facts.remark.clone(),
    ];
    for (text, line) in candidates.into_iter().flatten() {
        if title::is_template(&text) {
            let message = format!("Its title \"{text}\" is a template's.");
            problems.push(Problem::new("template-title", Severity::Warning, path, message).at_line(line).hint("Write what was decided."));
        } else if let Some(title) = title::without_number(&text, number, &identity.record_type) {
            return title.split_whitespace().collect::<Vec<_>>().join(" ");
        }
    }
    let only_number = in_header(Place::FrontMatter).is_some_and(|(text, _)| !text.is_empty() && !title::is_template(&text));
    let description =
        of(&facts.entries, Field::Description).find(|entry| entry.place == Place::FrontMatter).map(|entry| title::of_metadata(&entry.text()));
    description.filter(|text| only_number && !text.is_empty()).unwrap_or_else(|| name::title(own))
}

fn people_of(facts: &Gathered<'_>) -> People {
    let entries = &facts.entries;
    let gather = |field: Field| {
        let mut found: Vec<String> = Vec::new();
        for entry in of(entries, field) {
            for name in people::names(&entry.value) {
                if !found.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                    found.push(name);
                }
            }
        }
        found
    };
    let mut authors = gather(Field::Authors);
    if authors.is_empty() {
        authors = section_authors(facts);
    }
    if authors.is_empty() {
        authors = gather(Field::Owners);
    }
    People { authors, deciders: gather(Field::Deciders), consulted: gather(Field::Consulted), informed: gather(Field::Informed) }
}

/// Names listed under a heading `Author(s)`.
fn section_authors(facts: &Gathered<'_>) -> Vec<String> {
    let is_authors = |part: &&Part<'_>| {
        part.heading.is_some_and(|heading| matches!(words::folded_heading(heading.text).as_str(), "author" | "authors" | "author(s)"))
    };
    let Some(part) = facts.parts.iter().find(is_authors) else { return Vec::new() };
    let texts = part.blocks.iter().filter_map(|block| match &block.kind {
        block::Kind::Item { text, .. } => Some(Value::Text(text.clone())),
        _ => None,
    });
    people::names(&Value::List(texts.collect()))
}

fn tags_of(entries: &[Entry]) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    for entry in of(entries, Field::Tags) {
        let is_tag_key = matches!(entry.name.as_str(), "tag" | "tags" | "labels" | "label" | "keywords");
        for text in entry.texts() {
            let is_list = matches!(entry.value, Value::List(_)) && entry.place != Place::List;
            let by_space = is_tag_key && !is_list && !text.contains(',');
            let parts: Vec<&str> = if by_space { text.split_whitespace().collect() } else { text.split([',', ';']).collect() };
            for part in parts {
                let tag = plain::words(part).trim().trim_start_matches('#').trim_matches(['"', '\'', '{', '}', '[', ']']).trim().to_owned();
                if tags.len() < 500
                    && !tag.is_empty()
                    && !super::entry::is_empty_value(&tag)
                    && !tags.iter().any(|known| known.eq_ignore_ascii_case(&tag))
                {
                    tags.push(tag);
                }
            }
        }
    }
    tags
}
