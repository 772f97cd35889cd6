//! reStructuredText blocks: titles, paragraphs, lists, field lists, grid tables, and the RFC 822 header of PEPs.

use document::{Lines, Section, Span, Syntax, outline};

use super::block::{Block, Kind, without_marker};
use super::entry::{Entry, Place, field};

/// The header of `Key: value` lines at the front of a text, folded lines joined, and where it ends.
///
/// A header is one only when at least two of its keys are known, so that prose with a colon is none.
pub(super) fn mail_header(text: &str, body: Span) -> Option<(Vec<Entry>, usize)> {
    let lines = Lines::of(text);
    let mut found: Vec<(&str, String, u32)> = Vec::new();
    let mut at = body.start;
    let mut indent: Option<usize> = None;
    for line in body.of(text).split_inclusive('\n') {
        let start = at;
        at += line.len();
        if line.trim().is_empty() {
            if found.is_empty() {
                continue;
            }
            break;
        }
        let own = line.len() - line.trim_start().len();
        let base = *indent.get_or_insert(own);
        match key_and_value(line.trim()) {
            Some((key, value)) if own == base => found.push((key, value.to_owned(), lines.line_number(start))),
            _ if own > base => {
                let (_, value, _) = found.last_mut()?;
                value.push(' ');
                value.push_str(line.trim());
            }
            _ => return None,
        }
    }
    let entries: Vec<Entry> = found.into_iter().map(|(key, value, line)| Entry::of_text(key, &value, line, Place::Header)).collect();
    let known = entries.iter().filter(|entry| field(&entry.name).is_some()).count();
    (known >= 2).then_some((entries, at))
}

fn key_and_value(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let fits =
        !key.is_empty() && key.len() <= 40 && key.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ' '));
    (fits && key.split_whitespace().count() <= 3 && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (key, value.trim()))
}

/// The blocks of a reST body.
pub(super) fn blocks(text: &str, body: Span) -> Vec<Block> {
    let lines = Lines::of(text);
    let mut blocks = Vec::new();
    for section in outline(text, body, Syntax::Rest) {
        let mut from = section.span.start;
        if section.level > 0 {
            blocks.push(heading(&section, &lines));
            from = after_title(text, &section);
        }
        section_blocks(text, Span::new(from, section.span.end), &lines, &mut blocks);
    }
    blocks
}

fn heading(section: &Section, lines: &Lines<'_>) -> Block {
    let kind = Kind::Heading { level: section.level, text: super::plain::words(&section.heading), raw: section.heading.clone() };
    Block { kind, line_number: lines.line_number(section.span.start) }
}

/// Where the title's lines end: two of them, or three with an overline.
fn after_title(text: &str, section: &Section) -> usize {
    let mut at = section.span.start;
    let mut has_title = false;
    for line in section.span.of(text).split_inclusive('\n').take(3) {
        at += line.len();
        let is_title = line.trim() == section.heading;
        if has_title && !is_title {
            break;
        }
        has_title |= is_title;
    }
    at
}

fn section_blocks(text: &str, span: Span, lines: &Lines<'_>, blocks: &mut Vec<Block>) {
    let mut at = span.start;
    let mut paragraph: Option<(usize, String)> = None;
    for line in span.of(text).split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim();
        let line_number = lines.line_number(start);
        let flush = |paragraph: &mut Option<(usize, String)>, blocks: &mut Vec<Block>| {
            if let Some((start, text)) = paragraph.take() {
                blocks.push(Block { kind: Kind::Paragraph { text, is_quoted: false }, line_number: lines.line_number(start) });
            }
        };
        if trimmed.is_empty() {
            flush(&mut paragraph, blocks);
        } else if let Some(cells) = grid_row(trimmed) {
            flush(&mut paragraph, blocks);
            push_row(cells, line_number, blocks);
        } else if is_rule(trimmed) || trimmed.starts_with(".. ") {
            flush(&mut paragraph, blocks);
            blocks.push(Block { kind: Kind::Other, line_number });
        } else if let Some((key, value)) = field_line(trimmed) {
            flush(&mut paragraph, blocks);
            blocks.push(Block { kind: Kind::Field { key: key.to_owned(), value: value.to_owned() }, line_number });
        } else if is_item(trimmed) {
            flush(&mut paragraph, blocks);
            let depth = usize::from(line.starts_with([' ', '\t']));
            blocks.push(Block { kind: Kind::Item { text: without_marker(trimmed), depth }, line_number });
        } else if let (None, true, Some(Block { kind: Kind::Item { text, .. }, .. })) = (&paragraph, line.starts_with([' ', '\t']), blocks.last_mut())
        {
            text.push('\n');
            text.push_str(trimmed);
        } else {
            let (_, text) = paragraph.get_or_insert_with(|| (start, String::new()));
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(trimmed);
        }
    }
    if let Some((start, text)) = paragraph {
        blocks.push(Block { kind: Kind::Paragraph { text, is_quoted: false }, line_number: lines.line_number(start) });
    }
}

fn is_item(line: &str) -> bool {
    line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ")
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && line.bytes().all(|byte| matches!(byte, b'-' | b'=' | b'+' | b'|' | b' ')) && !line.contains("| ")
}

/// `:Status: accepted`, but not a role such as `` :pep:`8` ``.
fn field_line(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix(':')?;
    let (key, value) = rest.split_once(':')?;
    let fits = !key.is_empty() && key.len() <= 40 && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | ' '));
    (fits && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (key, value.trim()))
}

/// The cells of a line of a grid table's content.
fn grid_row(line: &str) -> Option<Vec<String>> {
    let inner = line.strip_prefix('|')?.strip_suffix('|')?;
    let cells: Vec<String> = inner.split('|').map(|cell| cell.trim().to_owned()).collect();
    (cells.len() >= 2).then_some(cells)
}

/// Adds a row; a line whose first cell is empty goes on in the row above.
fn push_row(cells: Vec<String>, line_number: u32, blocks: &mut Vec<Block>) {
    if cells[0].is_empty()
        && let Some(Block { kind: Kind::Row { cells: above, .. }, .. }) = blocks.last_mut()
        && above.len() == cells.len()
    {
        for (above, more) in above.iter_mut().zip(cells) {
            if !more.is_empty() {
                above.push(' ');
                above.push_str(&more);
            }
        }
        return;
    }
    blocks.push(Block { kind: Kind::Row { cells, is_head: false }, line_number });
}
