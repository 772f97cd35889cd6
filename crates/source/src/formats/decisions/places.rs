//! The places of a body where metadata stands: what precedes the first section, the status section, the changelog, and sections of links.

use document::Value;

use super::block::{Block, Kind};
use super::entry::{Entry, Field, Place, field};
use super::{plain, status, words};

/// A heading with the blocks up to the next one.
pub(super) struct Part<'a> {
    pub(super) heading: Option<Head<'a>>,
    pub(super) blocks: &'a [Block],
}

/// A heading as the places look at it.
#[derive(Clone, Copy)]
pub(super) struct Head<'a> {
    pub(super) level: u8,
    pub(super) text: &'a str,
    pub(super) raw: &'a str,
    pub(super) line_number: u32,
}

/// Cuts blocks at their headings.
pub(super) fn parts(blocks: &[Block]) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut from = 0;
    let mut heading = None;
    for (index, block) in blocks.iter().enumerate() {
        if let Kind::Heading { level, text, raw } = &block.kind {
            parts.push(Part { heading, blocks: &blocks[from..index] });
            heading = Some(Head { level: *level, text, raw, line_number: block.line_number });
            from = index + 1;
        }
    }
    parts.push(Part { heading, blocks: &blocks[from..] });
    parts
}

/// Index of the part whose heading is the record's title: the first heading of level 1, unless it names a section.
pub(super) fn title_part(parts: &[Part<'_>]) -> Option<usize> {
    let is_level_one = |part: &&Part<'_>| part.heading.is_some_and(|heading| heading.level == 1);
    let first_one = parts.iter().position(|part| is_level_one(&part));
    let first = first_one.or_else(|| {
        // A record without a heading of level 1 may still open with its title.
        parts
            .iter()
            .position(|part| part.heading.is_some())
            .filter(|index| parts[..*index].iter().all(|part| part.blocks.iter().all(|block| block.kind == Kind::Other)))
    })?;
    let heading = parts[first].heading?;
    // Behind a section's heading, a heading of level 1 opens a chapter of the text.
    if parts[..first]
        .iter()
        .any(|part| part.heading.is_some_and(|heading| words::is_section_name(heading.text) && !words::is_meta_name(heading.text)))
    {
        return None;
    }
    let is_title = !words::is_section_name(heading.text) && !status::is_known_word(heading.text) && !begins_with_status(heading.text);
    is_title.then_some(first)
}

/// `Superseded by [X](x)` as a heading.
fn begins_with_status(text: &str) -> bool {
    let lower = text.to_lowercase();
    ["superseded ", "superceded ", "deprecated in", "deprecated by", "rejected in", "replaced by", "status:"]
        .iter()
        .any(|start| lower.starts_with(start))
}

/// Entries of the lists, lines and tables before the first section, and under a heading such as `Meta`.
pub(super) fn head_entries(parts: &[Part<'_>], title: Option<usize>) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let belongs = match part.heading {
            None => true,
            Some(_) if Some(index) == title => true,
            Some(heading) if words::is_meta_name(heading.text) => true,
            Some(_) => false,
        };
        if belongs {
            part_entries(part.blocks, &mut entries);
        } else if title.is_none_or(|title| index > title) {
            break;
        }
    }
    entries
}

fn part_entries(blocks: &[Block], entries: &mut Vec<Entry>) {
    let mut at = 0;
    while at < blocks.len() {
        let same = |from: usize, test: fn(&Kind) -> bool| blocks[from..].iter().take_while(|block| test(&block.kind)).count();
        match &blocks[at].kind {
            Kind::Item { .. } => {
                let count = same(at, |kind| matches!(kind, Kind::Item { .. }));
                list_entries(&blocks[at..at + count], entries);
                at += count;
            }
            Kind::Row { .. } => {
                let count = 1 + same(at + 1, |kind| matches!(kind, Kind::Row { is_head: false, .. }));
                table_entries(&blocks[at..at + count], entries);
                at += count;
            }
            Kind::Field { .. } => {
                let fields = blocks[at..].iter().map_while(|block| match &block.kind {
                    Kind::Field { key, value } => Some(Entry::of_text(key, value, block.line_number, Place::Header)),
                    _ => None,
                });
                let found: Vec<Entry> = fields.collect();
                at += found.len();
                if found.iter().any(|entry| entry.field().is_some()) {
                    entries.extend(found);
                }
            }
            Kind::Paragraph { text, .. } => {
                line_entries(text, blocks[at].line_number, entries);
                at += 1;
            }
            Kind::Code { text } if entries.is_empty() => {
                // Indentation made it code to the parser; the header's lines are told apart by their keys alone.
                let text = text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
                let span = document::Span::new(0, text.len());
                if let Some((found, _)) = super::rest::mail_header(&text, span) {
                    let offset = blocks[at].line_number.saturating_sub(1);
                    entries.extend(found.into_iter().map(|entry| Entry { line_number: entry.line_number + offset, ..entry }));
                }
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// A list is metadata when at least one of its outer items has a known key.
fn list_entries(items: &[Block], entries: &mut Vec<Entry>) {
    let mut found: Vec<Entry> = Vec::new();
    let mut children: Vec<Vec<String>> = Vec::new();
    for block in items {
        let Kind::Item { text, depth } = &block.kind else { continue };
        if *depth == 0 {
            if let Some((key, value)) = key_and_value(text) {
                found.push(Entry::of_text(key, value, block.line_number, Place::List));
                children.push(Vec::new());
            }
        } else if let Some(children) = children.last_mut() {
            children.push(text.clone());
        }
    }
    if !found.iter().any(|entry| entry.field().is_some_and(|field| !matches!(field, Field::Title | Field::Description))) {
        return;
    }
    for (entry, children) in found.iter_mut().zip(children) {
        if !children.is_empty() {
            entry.raw = format!("{}\n{}", entry.raw, children.join("\n")).trim().to_owned();
            let own = std::mem::replace(&mut entry.value, Value::Empty);
            let own = Some(own).filter(|value| *value != Value::Empty);
            entry.value = Value::List(own.into_iter().chain(children.into_iter().map(Value::Text)).collect());
        }
    }
    entries.extend(found);
}

/// Two columns, key and value; or a row of keys above one row of values where the keys have a status among them.
fn table_entries(rows: &[Block], entries: &mut Vec<Entry>) {
    let cells: Vec<(&[String], u32, bool)> = rows
        .iter()
        .filter_map(|block| match &block.kind {
            Kind::Row { cells, is_head } => Some((cells.as_slice(), block.line_number, *is_head)),
            _ => None,
        })
        .collect();
    let known = |cell: &String| field(&super::entry::key_name(&plain::words(cell)));
    if let [(head, _, true), (values, line, _), ..] = cells.as_slice()
        && head.len() >= 2
        && head.iter().filter(|cell| known(cell).is_some()).count() >= 2
        && head.iter().any(|cell| known(cell) == Some(Field::Status))
    {
        entries.extend(head.iter().zip(*values).map(|(key, value)| Entry::of_text(key, value, *line, Place::Table)));
        return;
    }
    let mut found = Vec::new();
    for (cells, line, is_head) in cells {
        let [key, values @ ..] = cells else { continue };
        if values.is_empty() || key.trim().is_empty() || key.len() > 80 || (is_head && values.iter().any(|value| known(value).is_some())) {
            continue;
        }
        let value = values.iter().filter(|value| !value.trim().is_empty()).cloned().collect::<Vec<_>>().join(", ");
        found.push(Entry::of_text(key, &value, line, Place::Table));
    }
    if found.iter().any(|entry| entry.field().is_some_and(|field| field != Field::Title)) {
        // The words over the two columns are no entry.
        found.retain(|entry| !matches!(entry.text().to_lowercase().as_str(), "value" | "wert" | "details") || entry.field().is_some());
        entries.extend(found);
    }
}

/// Lines `Key: value`, several on one line between bars; other lines go on the value above them.
fn line_entries(text: &str, line_number: u32, entries: &mut Vec<Entry>) {
    let mut found: Vec<(&str, String, u32)> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = line_number + u32::try_from(index).unwrap_or_default();
        let pieces: Vec<&str> = line.split(" | ").flat_map(|piece| piece.split(" · ")).collect();
        let are_entries = pieces.len() > 1 && pieces.iter().filter(|piece| known_key(piece)).count() >= 2;
        let pieces = if are_entries { pieces } else { vec![line] };
        for piece in pieces {
            match key_and_value(piece).filter(|_| known_key(piece) || (is_bold_key(piece) && !found.is_empty())) {
                Some((key, value)) => found.push((key, value.trim_end_matches('\\').to_owned(), line_number)),
                None => {
                    let Some((_, value, _)) = found.last_mut() else { return };
                    value.push(' ');
                    value.push_str(piece.trim());
                }
            }
        }
    }
    entries.extend(found.into_iter().map(|(key, value, line)| Entry::of_text(key, &value, line, Place::Line)));
}

fn known_key(line: &str) -> bool {
    key_and_value(line)
        .and_then(|(key, _)| field(&super::entry::key_name(&plain::words(key))))
        .is_some_and(|field| !matches!(field, Field::Title | Field::Description | Field::Other))
}

fn is_bold_key(line: &str) -> bool {
    line.trim_start().starts_with("**")
}

/// Key and value of a line or item: `Key: v`, `**Key:** v`, `**Key**: v`, `` `Key`: v ``, `Key #: v`.
pub(super) fn key_and_value(line: &str) -> Option<(&str, &str)> {
    const MARKS: &[char] = &['*', '_', '`'];
    let trimmed = line.trim();
    let at =
        trimmed.char_indices().take(70).find(|(_, character)| matches!(character, ':' | '：' | '\n')).filter(|(_, character)| *character != '\n')?.0;
    let colon = trimmed[at..].chars().next().map_or(1, char::len_utf8);
    let head = &trimmed[..at];
    let key = head.trim_matches(MARKS).trim();
    let opened = head.len() - head.trim_start_matches(MARKS).len();
    let is_closed = opened == 0 || head.trim_end().ends_with(MARKS);
    let mut value = &trimmed[at + colon..];
    if !is_closed {
        value = value.trim_start().strip_prefix(&head[..opened]).unwrap_or(value);
    }
    let fits = !key.is_empty()
        && key.chars().count() <= 50
        && key.split_whitespace().count() <= 6
        && !key.contains(['[', '<', '"', '.'])
        && !value.starts_with("//")
        && (value.is_empty() || value.starts_with(char::is_whitespace) || !is_closed || value.starts_with(['[', '`', '*', '<']) || opened > 0);
    fits.then(|| (key, value.trim()))
}

/// Parts whose heading says that they hold the status: on the outermost level of sections, or on one line with the word itself.
pub(super) fn status_parts<'a, 'b>(parts: &'b [Part<'a>], title: Option<usize>) -> Vec<&'b Part<'a>> {
    let sections = parts.iter().enumerate().filter(|(index, _)| Some(*index) != title);
    let outermost = sections.clone().filter_map(|(_, part)| part.heading.map(|heading| heading.level)).min().unwrap_or(2);
    sections
        .filter(|(_, part)| {
            part.heading.is_some_and(|heading| {
                let name = words::folded_heading(&plain::without_emoji(heading.text));
                let is_status = matches!(
                    name.as_str(),
                    "status" | "state" | "decision status" | "adr status" | "current status" | "statut" | "estado" | "status da decisão"
                );
                heading.level <= outermost.max(2) && (is_status || name.starts_with("status:") || begins_with_status(heading.text))
            })
        })
        .map(|(_, part)| part)
        .collect()
}

/// A text of the status section with its line.
pub(super) struct Said {
    pub(super) text: String,
    pub(super) line_number: u32,
}

/// What a status section says: the value first, then what may state relations. Quoted instructions come last.
pub(super) fn status_texts(part: &Part<'_>) -> Vec<Said> {
    let mut said = Vec::new();
    let mut quoted = Vec::new();
    if let Some(heading) = part.heading {
        let value = heading.raw.split_once(':').filter(|(head, _)| head.to_lowercase().trim().ends_with("status")).map(|(_, value)| value);
        let value = value.or_else(|| begins_with_status(heading.text).then_some(heading.raw));
        said.extend(
            value.filter(|value| !value.trim().is_empty()).map(|value| Said { text: value.trim().to_owned(), line_number: heading.line_number }),
        );
    }
    let is_checked = |text: &str| text.starts_with("[x]") || text.starts_with("[X]");
    let has_checked = part.blocks.iter().any(|block| matches!(&block.kind, Kind::Item { text, .. } if is_checked(text)));
    for block in part.blocks {
        let line_number = block.line_number;
        match &block.kind {
            Kind::Paragraph { text, is_quoted: true } => quoted.push(Said { text: text.clone(), line_number }),
            Kind::Paragraph { text, .. } => said.push(Said { text: text.clone(), line_number }),
            Kind::Item { text, .. } if !has_checked || is_checked(text) => said.push(Said { text: text.clone(), line_number }),
            Kind::Row { cells, .. } => {
                if let Some(cell) = cells.iter().find(|cell| status::begins_with_known(cell)) {
                    said.push(Said { text: cell.clone(), line_number });
                }
            }
            _ => {}
        }
    }
    said.retain(|said| !plain::without_comments(&said.text).trim().is_empty());
    let has_value = !said.is_empty();
    said.extend(quoted.into_iter().filter(|quoted| has_value || status::begins_with_known(&quoted.text)));
    said
}

/// Texts of a changelog that may begin with a date.
pub(super) fn changelog_texts<'a>(parts: &'a [Part<'a>]) -> Vec<(&'a str, u32)> {
    let mut texts = Vec::new();
    let mut open: Option<u8> = None;
    for part in parts {
        let Some(heading) = part.heading else { continue };
        let is_log = is_changelog_name(heading.text);
        match open {
            Some(level) if heading.level > level => texts.push((heading.text, heading.line_number)),
            _ if is_log => open = Some(heading.level),
            _ => open = None,
        }
        if open.is_some() {
            for block in part.blocks {
                match &block.kind {
                    Kind::Paragraph { text, .. } => texts.extend(text.lines().map(|line| (line, block.line_number))),
                    Kind::Item { text, .. } => texts.push((text, block.line_number)),
                    Kind::Row { cells, .. } => texts.extend(cells.iter().map(|cell| (cell.as_str(), block.line_number))),
                    _ => {}
                }
            }
        }
    }
    texts
}

/// Whether a heading stands above a list of changes to the record.
pub(super) fn is_changelog_name(text: &str) -> bool {
    matches!(
        words::folded_heading(text).as_str(),
        "changelog" | "change log" | "revision history" | "version history" | "release history" | "update history" | "history" | "document history"
    )
}

/// Whether a heading stands above links to other records.
pub(super) fn is_links_name(text: &str) -> bool {
    let name = words::folded_heading(text);
    // `Related ADRs`, `Related RFDs`.
    if name.strip_prefix("related ").is_some_and(|noun| words::type_word(noun.trim_end_matches('s')).is_some()) {
        return true;
    }
    matches!(
        name.as_str(),
        "links"
            | "related"
            | "related decisions"
            | "related records"
            | "related decision records"
            | "see also"
            | "relations"
            | "relationships"
            | "relates to"
            | "supersedes"
            | "superseded by"
            | "amends"
            | "amended by"
    )
}
