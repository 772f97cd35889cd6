//! A record without what is its own: the lines of its metadata and its headings, in their spelling. What stands in them is overwritten later.

use std::collections::{BTreeMap, HashSet};

use super::super::draft::Draft;
use crate::RawFile;
use crate::formats::decisions::block::Kind;
use crate::formats::decisions::entry::{Entry, Field, Place};
use crate::formats::decisions::reader::Gathered;
use crate::formats::decisions::status::{self, Reading};
use crate::formats::decisions::{date, places, words};

/// The file with `\n` at the ends of its lines and without a byte order mark.
pub(super) fn with_plain_ends(raw: &RawFile) -> RawFile {
    let text = String::from_utf8_lossy(&raw.bytes).replace("\r\n", "\n");
    RawFile { path: raw.path.clone(), bytes: text.trim_start_matches('\u{feff}').as_bytes().to_vec() }
}

/// A template's text, without the hints in its header.
pub(super) fn of_template(template: &RawFile) -> String {
    let raw = with_plain_ends(template);
    let text = String::from_utf8_lossy(&raw.bytes).into_owned();
    let Some(header) = document::split_front_matter(&text).0 else { return text };
    let kept: String = header.of(&text).split_inclusive('\n').filter(|line| !line.starts_with('#') && !line.trim().is_empty()).collect();
    format!("{}{kept}{}", &text[..header.start], &text[header.end..])
}

/// Whether a new record states what an entry of this field states.
pub(super) const fn is_kept(field: Field) -> bool {
    matches!(
        field,
        Field::Status | Field::Date(0 | 2 | 3) | Field::Authors | Field::Owners | Field::Deciders | Field::Tags | Field::Title | Field::Description
    )
}

/// Lines by number, some with a new text.
type Lines = BTreeMap<u32, Option<String>>;

/// The skeleton of a record, with the sections and further header keys that its folder has in common.
pub(super) fn of(sample: &Draft<'_>, sections: &HashSet<String>, keys: &HashSet<String>) -> String {
    let facts = sample.opened.gathered(sample.files);
    let mut lines = Lines::new();
    header_lines(sample, &facts, keys, &mut lines);
    head_lines(sample, &facts, &mut lines);
    section_lines(sample, &facts, sections, &mut lines);
    let text = sample.text(0);
    let header_end = document::split_front_matter(text).0.map_or(0, |header| header.end);
    let mut at = 0;
    let mut out = String::new();
    let mut has_gap = false;
    for (line, number) in text.lines().zip(1_u32..) {
        match lines.get(&number) {
            Some(new) => {
                if has_gap && !out.is_empty() {
                    out.push('\n');
                }
                has_gap = false;
                out.push_str(new.as_deref().unwrap_or(line));
                out.push('\n');
            }
            None => has_gap |= line.trim().is_empty() && at >= header_end,
        }
        at += line.len() + 1;
    }
    out
}

fn keep(lines: &mut Lines, from: u32, to: u32) {
    for number in from..=to {
        lines.entry(number).or_insert(None);
    }
}

/// Fences and known keys of a header.
fn header_lines(sample: &Draft<'_>, facts: &Gathered<'_>, keys: &HashSet<String>, lines: &mut Lines) {
    let text = sample.text(0);
    let entries: Vec<&Entry> =
        facts.entries.iter().filter(|entry| entry.place == Place::FrontMatter || (entry.place == Place::Header && is_mail(facts))).collect();
    let numbers = document::Lines::of(text);
    let end = match document::split_front_matter(text).0 {
        Some(header) => {
            let (first, last) = (numbers.line_number(header.start), numbers.line_number(header.end));
            keep(lines, first.saturating_sub(1).max(1), first.saturating_sub(1).max(1));
            keep(lines, last, last);
            last
        }
        None => entries.iter().map(|entry| sample.block_end(entry.line_number)).max().unwrap_or_default() + 1,
    };
    for (index, entry) in entries.iter().enumerate() {
        if !(entry.field().is_some_and(is_kept) || keys.contains(&entry.name)) {
            continue;
        }
        let next = entries.get(index + 1).map_or(end, |next| next.line_number);
        let to = sample.last_filled_before(0, next.max(entry.line_number + 1), entry.line_number);
        for number in entry.line_number..=to {
            let is_remark = sample.line(0, number).is_some_and(|line| line.of(text).starts_with('#'));
            if !is_remark {
                keep(lines, number, number);
            }
        }
        status_line(sample, entry, lines);
    }
}

/// A header of the RFC 822 kind stands where the text begins.
fn is_mail(facts: &Gathered<'_>) -> bool {
    facts.entries.first().is_some_and(|entry| entry.place == Place::Header && entry.line_number <= 2)
}

/// A status with more than its word keeps the word's place only.
fn status_line(sample: &Draft<'_>, entry: &Entry, lines: &mut Lines) {
    if entry.field() != Some(Field::Status) || matches!(status::read(&entry.raw), Reading::Word { note: None, is_known: true, .. }) {
        return;
    }
    let Some(line) = sample.line(0, entry.line_number) else { return };
    let source = line.of(sample.text(0));
    let first = entry.raw.lines().next().unwrap_or_default();
    if let Some(at) = source.rfind(first).filter(|_| !first.is_empty()) {
        let word = if first.trim_start_matches(|mark: char| !mark.is_alphabetic()).starts_with(char::is_uppercase) { "Proposed" } else { "proposed" };
        lines.insert(entry.line_number, Some(format!("{}{word}{}", &source[..at], &source[at + first.len()..])));
    }
}

/// The title, and the list, table or lines below it.
fn head_lines(sample: &Draft<'_>, facts: &Gathered<'_>, lines: &mut Lines) {
    let text = sample.text(0);
    let is_adornment = |number: u32| {
        sample.line(0, number).is_some_and(|line| {
            let line = line.of(text).trim();
            let mut marks = line.chars();
            line.len() >= 3 && marks.next().is_some_and(|first| first.is_ascii_punctuation() && marks.all(|mark| mark == first))
        })
    };
    if let Some(heading) = facts.title.and_then(|index| facts.parts.get(index)).and_then(|part| part.heading) {
        keep(lines, heading.line_number, heading.line_number);
        // Underlines, and in reST an overline, belong to the title.
        let is_over = is_adornment(heading.line_number);
        if is_adornment(heading.line_number + 1) || is_over {
            keep(lines, heading.line_number + 1, heading.line_number + 1 + u32::from(is_over));
        }
    }
    let body: Vec<&Entry> =
        facts.entries.iter().filter(|entry| matches!(entry.place, Place::List | Place::Line | Place::Table | Place::Header)).collect();
    for entry in body.iter().filter(|entry| entry.field().is_some_and(is_kept) && !(entry.place == Place::Header && is_mail(facts))) {
        keep(lines, entry.line_number, entry.line_number);
        status_line(sample, entry, lines);
        if entry.place == Place::Table {
            // Borders of grid tables go with their rows.
            for beside in [entry.line_number.saturating_sub(1), entry.line_number + 1] {
                if sample.line(0, beside).is_some_and(|line| line.of(text).trim_start().starts_with("+-")) {
                    keep(lines, beside, beside);
                }
            }
        }
    }
    let table = body.iter().filter(|entry| entry.place == Place::Table).map(|entry| entry.line_number).min();
    if let Some(first) = table {
        let is_bar = |number: u32| sample.line(0, number).is_some_and(|line| line.of(text).trim_start_matches(['>', ' ']).starts_with('|'));
        let is_rule = |number: u32| {
            sample
                .line(0, number)
                .is_some_and(|line| line.of(text).contains('-') && line.of(text).chars().all(|mark| matches!(mark, '|' | '-' | ':' | ' ' | '>')))
        };
        let mut top = first;
        while top > 1 && is_bar(top - 1) {
            top -= 1;
        }
        if let Some(rule) = (top..first + 2).find(|number| is_rule(*number)) {
            keep(lines, top, top.max(rule));
            for number in top..=rule {
                keep(lines, number, number);
            }
        }
    }
    let last = body.iter().map(|entry| entry.line_number).max().unwrap_or_default();
    let first = body.iter().map(|entry| entry.line_number).min().unwrap_or_default();
    // Rules around the metadata.
    for block in sample.opened.blocks.iter().filter(|block| block.kind == Kind::Other) {
        let is_rule = sample.line(0, block.line_number).is_some_and(|line| line.of(text).trim() == "---");
        let is_near = block.line_number < first && block.line_number + 3 >= first || block.line_number > last && block.line_number <= last + 3;
        if is_rule && last > 0 && is_near {
            keep(lines, block.line_number, block.line_number);
        }
    }
}

/// Headings that the folder has in common, the status below its own, and one line of a changelog.
fn section_lines(sample: &Draft<'_>, facts: &Gathered<'_>, sections: &HashSet<String>, lines: &mut Lines) {
    let others = || facts.parts.iter().enumerate().filter(|(index, _)| Some(*index) != facts.title);
    let outermost = others().filter_map(|(_, part)| part.heading).map(|heading| heading.level).min().unwrap_or(2);
    let text = sample.text(0);
    let stating: Vec<u32> =
        places::status_parts(&facts.parts, facts.title).iter().filter_map(|part| part.heading).map(|heading| heading.line_number).collect();
    for (_, part) in others() {
        let Some(heading) = part.heading.filter(|heading| heading.level == outermost) else { continue };
        let states = stating.contains(&heading.line_number);
        let name = words::folded_heading(heading.text);
        if !sections.contains(&name) && !states {
            continue;
        }
        keep(lines, heading.line_number, heading.line_number);
        let is_marked =
            sample.line(0, heading.line_number).is_some_and(|line| line.of(text).trim_start().starts_with(['#', '=']) && line.of(text).contains(' '));
        if !is_marked {
            keep(lines, heading.line_number, heading.line_number + 1);
        }
        if let Some(said) = places::status_texts(part).into_iter().next().filter(|_| states && heading.line_number > 0)
            && said.line_number != heading.line_number
        {
            let is_word = matches!(status::read(&said.text), Reading::Word { note: None, is_known: true, .. }) && !said.text.contains('\n');
            let word = if said.text.trim_start_matches(|mark: char| !mark.is_alphabetic()).starts_with(char::is_lowercase) {
                "proposed"
            } else {
                "Proposed"
            };
            lines.insert(said.line_number, if is_word { None } else { Some(word.to_owned()) });
        }
        if matches!(name.as_str(), "changelog" | "change log" | "history" | "revision history")
            && let Some(item) = part.blocks.iter().find(|block| matches!(block.kind, Kind::Item { depth: 0, .. }))
            && let Some(line) = sample.line(0, item.line_number)
            && let Some(found) = date::find(line.of(text))
        {
            let end = found.start + found.raw.len();
            lines.insert(item.line_number, Some(format!("{}: Created", &line.of(text)[..end])));
        }
    }
}
