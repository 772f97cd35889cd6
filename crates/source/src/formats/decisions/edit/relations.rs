//! Ways to state a relation: at the place and in the spelling in which the file states its other metadata.

use document::{RelationKind as Kind, Span, Syntax};

use super::draft::{Draft, Patch};
use super::{Pointer, front_matter, phrasing, pointer, standing, unstated, value};
use crate::formats::decisions::block::{self, Block};
use crate::formats::decisions::entry::{Entry, Field, Place};
use crate::formats::decisions::places;
use crate::formats::decisions::reader::Gathered;

/// Ways in the order of how well they fit.
pub(super) fn ways(draft: &Draft<'_>, facts: &Gathered<'_>, kind: Kind, is_partial: bool, target: &Pointer) -> Vec<Vec<Patch>> {
    let mut ways: Vec<Patch> = Vec::new();
    let link = pointer::link(draft, facts, target);
    let part = if is_partial { "in part " } else { "" };
    for entry in facts.entries.iter().filter(|entry| entry.field() == Some(Field::Relation(kind))) {
        ways.extend(in_entry(draft, facts, entry, part, target, &link));
    }
    // `superseded` alone becomes `superseded by …`.
    let word = draft.document.record().map(|record| record.status.word.as_str()).unwrap_or_default();
    let completed = match (kind, is_partial, word) {
        (Kind::SupersededBy, false, "superseded" | "replaced") => standing::joint_ways(draft, facts, word, None, kind, target),
        _ => Vec::new(),
    };
    let states_in_section = !places::status_parts(&facts.parts, facts.title).is_empty();
    let has_header_relation = facts.entries.iter().any(|entry| in_header(entry) && matches!(entry.field(), Some(Field::Relation(_))));
    let status_place = draft.place_of_status();
    let sentence = format!("{} {link}", verb(kind, is_partial));
    if !draft.files.sidecars.is_empty() {
        ways.extend(new_key(draft, facts, Place::Sidecar, kind, part, target));
    }
    let is_in_section = status_place == Some("section") && states_in_section && !has_header_relation;
    if is_in_section {
        ways.extend(section_line(draft, facts, &sentence));
    }
    // MADR lists what a record does to others below its text.
    let below = if kind == Kind::SupersededBy { None } else { links_item(draft, facts, &sentence) };
    let value = match status_place {
        Some("header") => plain_form(facts, target).unwrap_or_else(|| link.clone()),
        _ => link.clone(),
    };
    let beside = unstated::beside_entries(draft, facts, label(facts, kind), &format!("{part}{value}"), false);
    let in_front = if !front_matter::is_madr(facts) || kind == Kind::SupersededBy {
        new_key(draft, facts, Place::FrontMatter, kind, part, target)
    } else {
        Vec::new()
    };
    // Where the status stands in the body, relations do too, unless the header states some.
    let is_in_body = matches!(status_place, Some("list" | "table" | "line")) && !has_header_relation;
    let (first, second): (Vec<Patch>, Vec<Patch>) = (in_front, below.into_iter().chain(beside.into_iter().flatten()).collect());
    if is_in_body {
        ways.extend(second);
        ways.extend(first);
    } else {
        ways.extend(first);
        ways.extend(second);
    }
    if states_in_section && !is_in_section {
        ways.extend(section_line(draft, facts, &sentence));
    }
    ways.extend(links_item(draft, facts, &sentence));
    if draft.opened.syntax == Syntax::Markdown {
        let marker = list_marker(draft);
        ways.extend(unstated::last_section(draft, facts, "Links", &format!("{marker} {sentence}")));
    }
    ways.extend(new_key(draft, facts, Place::FrontMatter, kind, part, target));
    completed.into_iter().chain(ways.into_iter().map(|patch| vec![patch])).collect()
}

const fn in_header(entry: &Entry) -> bool {
    matches!(entry.place, Place::FrontMatter | Place::Sidecar)
}

/// The words of adr-tools for a relation.
fn verb(kind: Kind, is_partial: bool) -> &'static str {
    match (kind, is_partial) {
        (Kind::Supersedes, false) => "Supersedes",
        (Kind::Supersedes, true) => "Supersedes in part",
        (Kind::SupersededBy, false) => "Superseded by",
        (Kind::SupersededBy, true) => "Superseded in part by",
        (Kind::Amends, false) => "Amends",
        (Kind::Amends, true) => "Amends in part",
        (Kind::AmendedBy, false) => "Amended by",
        (Kind::AmendedBy, true) => "Amended in part by",
        (Kind::Clarifies, _) => "Clarifies",
        (Kind::ClarifiedBy, _) => "Clarified by",
        (Kind::DependsOn, _) => "Depends on",
        (Kind::RequiredBy, _) => "Required by",
        (Kind::RelatesTo, _) => "Relates to",
    }
}

/// The label of a list, table or header for a relation; PEPs and KEPs say *replaces*.
fn label(facts: &Gathered<'_>, kind: Kind) -> &'static str {
    let is_pep = facts.entries.iter().any(|entry| entry.place == Place::Header && entry.name == "pep");
    match kind {
        Kind::Supersedes if is_pep => "Replaces",
        Kind::DependsOn if is_pep => "Requires",
        _ => verb(kind, false),
    }
}

fn key(facts: &Gathered<'_>, place: Place, kind: Kind) -> &'static str {
    let replaces = facts.entries.iter().any(|entry| entry.place == place && matches!(entry.name.as_str(), "replaces" | "kep-number" | "see-also"));
    match kind {
        Kind::Supersedes if replaces => "replaces",
        Kind::Supersedes => "supersedes",
        Kind::SupersededBy => "superseded-by",
        Kind::Amends => "amends",
        Kind::AmendedBy => "amended-by",
        Kind::Clarifies => "clarifies",
        Kind::ClarifiedBy => "clarified-by",
        Kind::DependsOn => "depends-on",
        Kind::RequiredBy => "required-by",
        Kind::RelatesTo if replaces => "see-also",
        Kind::RelatesTo => "related",
    }
}

/// A pointer as a scalar of the header, in the form of those that stand there.
fn header_form(draft: &Draft<'_>, facts: &Gathered<'_>, target: &Pointer, place: Place) -> String {
    let relations = facts.entries.iter().filter(|entry| entry.place == place && matches!(entry.field(), Some(Field::Relation(_))));
    let samples: Vec<String> = relations.flat_map(|entry| entry.texts().into_iter().map(str::to_owned).collect::<Vec<_>>()).collect();
    let number = target.number.as_deref();
    for sample in &samples {
        let sample = sample.trim();
        let digits = sample.bytes().filter(u8::is_ascii_digit).count();
        if let Some(number) = number.filter(|_| digits == sample.len()) {
            return if sample.starts_with('0') { number.to_owned() } else { bare(number) };
        }
        if let Some((head, tail)) = sample.rsplit_once('-')
            && let Some(number) = number.filter(|_| tail.bytes().all(|byte| byte.is_ascii_digit()) && !head.contains('/'))
        {
            return match &target.reference {
                Some(reference) if head.contains('-') => reference.clone(),
                _ => format!("{head}-{}", if tail.starts_with('0') { number.to_owned() } else { bare(number) }),
            };
        }
        if sample.contains("](") {
            return pointer::link(draft, facts, target);
        }
        if sample.starts_with('/')
            && place == Place::Sidecar
            && let Some(path) = from_root(draft, target)
        {
            return format!("/{path}");
        }
        if sample.ends_with(".md") || sample.starts_with('.') {
            return pointer::address(&target.relative_path);
        }
        if sample.contains('/') {
            return target.id.clone();
        }
        if !sample.contains(' ') && sample.contains('-') {
            return slug(target);
        }
    }
    let own_id = facts.entries.iter().find(|entry| entry.place == place && entry.name == "id").map(Entry::text).unwrap_or_default();
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(number) = number.filter(|_| is_number(&own_id)) {
        return if own_id.starts_with('0') { number.to_owned() } else { bare(number) };
    }
    let own_path = draft.document.path.rsplit_once('.').map_or(draft.document.path.as_str(), |(path, _)| path);
    let own = draft.document.record().map(document::Record::id).unwrap_or_default();
    if own_path == own || own_path.ends_with(&format!("/{own}")) {
        return target.id.clone();
    }
    if place == Place::Sidecar
        && let Some(path) = from_root(draft, target)
    {
        return format!("/{path}");
    }
    pointer::address(&target.relative_path)
}

fn bare(number: &str) -> String {
    let short = number.trim_start_matches('0');
    if short.is_empty() { "0".to_owned() } else { short.to_owned() }
}

fn slug(target: &Pointer) -> String {
    target.id.rsplit('/').next().unwrap_or_default().to_owned()
}

/// The target's path from the collection's root; a record that is its folder goes by the folder.
fn from_root(draft: &Draft<'_>, target: &Pointer) -> Option<String> {
    let mut parts: Vec<&str> = draft.document.path.split('/').collect();
    parts.pop();
    for part in target.relative_path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    if parts.last().is_some_and(|last| pointer::is_cover(last)) {
        parts.pop();
    }
    Some(parts.join("/"))
}

/// In headers of the RFC 822 kind a number stands for the record.
fn plain_form(facts: &Gathered<'_>, target: &Pointer) -> Option<String> {
    let is_pep = facts.entries.iter().any(|entry| entry.place == Place::Header && entry.name == "pep");
    target.number.as_deref().filter(|_| is_pep).map(bare)
}

fn new_key(draft: &Draft<'_>, facts: &Gathered<'_>, place: Place, kind: Kind, part: &str, target: &Pointer) -> Vec<Patch> {
    let form = header_form(draft, facts, target, place);
    let lists: Vec<&Entry> = facts.entries.iter().filter(|entry| entry.place == place && matches!(entry.field(), Some(Field::Relation(_)))).collect();
    let item = if part.is_empty() { front_matter::scalar(&form) } else { format!("{part}{form}") };
    let other_lists = facts.entries.iter().filter(|entry| entry.place == place && matches!(entry.value, document::Value::List(_)));
    let is_flow = lists.iter().any(|entry| entry.raw.starts_with('['))
        || (lists.is_empty() && kind != Kind::SupersededBy && other_lists.clone().any(|entry| entry.raw.starts_with('[')));
    let is_block = lists.iter().any(|entry| entry.raw.starts_with("- ") || entry.raw.contains("\n- ") || entry.raw.contains("\n  - "));
    let value = if is_block || (place == Place::Sidecar && lists.is_empty()) {
        let is_quoted = lists.iter().any(|entry| entry.raw.contains("- \""));
        let item = if is_quoted && part.is_empty() { format!("\"{}\"", item.trim_matches('"')) } else { item };
        format!("\n  - {item}")
    } else if is_flow {
        format!("[{item}]")
    } else {
        item
    };
    let made = front_matter::new_key(draft, facts, place, key(facts, place, kind), &value);
    // `key:` before a list on the lines below has no blank behind it.
    made.map(|patch| Patch { text: patch.text.replace(": \n", ":\n").replace(": \r\n", ":\r\n"), ..patch }).into_iter().collect()
}

/// Adds to an entry that states this kind already, or fills it where it is empty.
fn in_entry(draft: &Draft<'_>, facts: &Gathered<'_>, entry: &Entry, part: &str, target: &Pointer, link: &str) -> Vec<Patch> {
    let Some(found) = value::of_entry(draft, facts, entry) else { return Vec::new() };
    if in_header(entry) {
        let form = header_form(draft, facts, target, entry.place);
        let others: Vec<&str> = facts
            .entries
            .iter()
            .filter(|other| other.place == entry.place && other.line_number != entry.line_number)
            .filter(|other| matches!(other.field(), Some(Field::Relation(_))))
            .map(|other| other.raw.as_str())
            .collect();
        return front_matter::with_item(draft, found, &format!("{part}{form}"), &others);
    }
    let form = match entry.place {
        Place::Header => plain_form(facts, target).unwrap_or_else(|| link.to_owned()),
        _ => link.to_owned(),
    };
    let text = draft.text(0);
    let source = found.span.of(text);
    if entry.texts().is_empty() {
        let needs_blank = !text[..found.span.start].ends_with([' ', '\t']);
        let lead = if needs_blank { " " } else { "" };
        let mut patches = Vec::new();
        if entry.place == Place::Table && found.span.is_empty() {
            // The cell's blanks give way as far as they reach.
            let blanks = text[found.span.start..].len() - text[found.span.start..].trim_start_matches(' ').len();
            let kept = blanks.saturating_sub(form.chars().count() + part.len()).max(1);
            let lead = if text[..found.span.start].ends_with('|') { " " } else { "" };
            patches.push(Patch {
                file: 0,
                span: Span::new(found.span.start, found.span.start + blanks),
                text: format!("{lead}{part}{form}{}", " ".repeat(kept)),
            });
        }
        patches.push(Patch { file: 0, span: found.span, text: format!("{lead}{part}{form}") });
        return patches;
    }
    // Children of a list item get one more.
    if entry.place == Place::List && matches!(entry.value, document::Value::List(_)) {
        let is_item = |block: &&Block| matches!(block.kind, block::Kind::Item { .. }) && block.line_number >= entry.line_number;
        let items = draft.opened.blocks.iter().filter(is_item);
        let children = items.skip(1).take_while(|block| matches!(block.kind, block::Kind::Item { depth, .. } if depth > 0));
        let last = draft.block_end(children.last().map_or(entry.line_number, |block| block.line_number));
        let model = draft.line(0, last).map(|line| line.of(text)).unwrap_or_default();
        let indent = model.len() - model.trim_start_matches([' ', '\t', '-', '*', '+']).len();
        return draft.behind_line(0, last, &format!("{}{part}{form}", &model[..indent])).into_iter().collect();
    }
    let end = found.span.start + source.trim_end_matches(['.', '\\']).trim_end().len();
    vec![Patch { file: 0, span: Span::new(end, end), text: format!(", {part}{form}") }]
}

/// adr-tools' way: a line of its own at the end of the status section.
fn section_line(draft: &Draft<'_>, facts: &Gathered<'_>, sentence: &str) -> Option<Patch> {
    let part = places::status_parts(&facts.parts, facts.title).into_iter().find(|part| !places::status_texts(part).is_empty())?;
    let said = places::status_texts(part);
    let last = said.iter().map(|said| said.line_number).max()?;
    let end = draft.block_end(last);
    draft.behind_line(0, end, &format!("\n{sentence}"))
}

fn list_marker(draft: &Draft<'_>) -> char {
    let text = draft.text(0);
    let count = |mark: &str| text.lines().filter(|line| line.starts_with(mark)).count();
    if count("* ") > count("- ") { '*' } else { '-' }
}

/// One more item under a heading such as `Links`.
fn links_item(draft: &Draft<'_>, facts: &Gathered<'_>, sentence: &str) -> Option<Patch> {
    let is_links =
        |name: &str| places::is_links_name(name) && !phrasing::is_same(name.trim(), "superseded by") && !phrasing::is_same(name.trim(), "supersedes");
    let part = facts.parts.iter().rfind(|part| part.heading.is_some_and(|heading| heading.level >= 2 && is_links(heading.text)))?;
    let last = part.blocks.iter().rfind(|found| matches!(found.kind, block::Kind::Item { depth: 0, .. }))?;
    let line = draft.line(0, last.line_number)?;
    let source = line.of(draft.text(0));
    let indent = source.len() - source.trim_start_matches([' ', '\t']).len();
    let marker = source[indent..].chars().next().filter(|mark| matches!(mark, '-' | '*' | '+'))?;
    let gap = source[indent + 1..].len() - source[indent + 1..].trim_start_matches(' ').len();
    draft.behind_line(0, draft.block_end(last.line_number), &format!("{}{marker}{}{sentence}", &source[..indent], " ".repeat(gap.max(1))))
}
