//! AsciiDoc blocks: titles behind `=` or `#`, attributes, paragraphs, lists and two-column tables.

use document::{Lines, Span};

use super::block::{Block, Kind, without_marker};

/// The blocks of an AsciiDoc body. Attribute entries (`:state: draft`) are fields.
pub(super) fn blocks(text: &str, body: Span) -> Vec<Block> {
    let lines = Lines::of(text);
    let mut blocks: Vec<Block> = Vec::new();
    let mut fence: Option<String> = None;
    let mut is_open = false;
    let mut at = body.start;
    for line in body.of(text).split_inclusive('\n') {
        let line_number = lines.line_number(at);
        at += line.len();
        let trimmed = line.trim();
        let is_fence = trimmed.len() >= 4 && ['-', '.', '+', '/', '_'].iter().any(|mark| trimmed.chars().all(|character| character == *mark));
        if let Some(open) = &fence {
            if open == trimmed {
                fence = None;
            }
            continue;
        }
        let kind = if trimmed.is_empty() || trimmed.starts_with("//") && !is_fence {
            is_open = false;
            continue;
        } else if is_fence {
            fence = Some(trimmed.to_owned());
            Kind::Other
        } else if let Some((level, text)) = title(trimmed) {
            Kind::Heading { level, text: super::plain::words(text), raw: text.to_owned() }
        } else if let Some((key, value)) = attribute(line.trim_end()) {
            Kind::Field { key, value }
        } else if let Some(cells) = table_row(trimmed) {
            Kind::Row { cells, is_head: false }
        } else if trimmed.starts_with("* ") || trimmed.starts_with("- ") || trimmed.starts_with(". ") {
            Kind::Item { text: without_marker(trimmed.trim_start_matches(". ")), depth: 0 }
        } else if is_open && let Some(Block { kind: Kind::Paragraph { text, .. } | Kind::Item { text, .. }, .. }) = blocks.last_mut() {
            text.push('\n');
            text.push_str(trimmed);
            continue;
        } else {
            Kind::Paragraph { text: trimmed.to_owned(), is_quoted: false }
        };
        is_open = matches!(kind, Kind::Paragraph { .. } | Kind::Item { .. });
        blocks.push(Block { kind, line_number });
    }
    blocks
}

fn title(line: &str) -> Option<(u8, &str)> {
    let mark = line.chars().next().filter(|mark| matches!(mark, '=' | '#'))?;
    let level = line.chars().take_while(|character| *character == mark).count();
    let rest = line[level..].strip_prefix(' ')?;
    Some((u8::try_from(level).ok().filter(|level| *level <= 6)?, rest.trim()))
}

/// `:state: draft`
fn attribute(line: &str) -> Option<(String, String)> {
    let (key, value) = line.strip_prefix(':')?.split_once(':')?;
    let fits = !key.is_empty() && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_'));
    fits.then(|| (key.to_owned(), value.trim().to_owned()))
}

/// `| Status | accepted`
fn table_row(line: &str) -> Option<Vec<String>> {
    let cells: Vec<String> = line.strip_prefix('|')?.split('|').map(|cell| cell.trim().to_owned()).collect();
    (cells.len() >= 2).then_some(cells)
}
