//! Where in the source the value stands that the reader read from a line.

use document::Span;

use super::draft::Draft;
use crate::formats::decisions::entry::{Entry, Place};
use crate::formats::decisions::reader::Gathered;
use crate::formats::decisions::standing::Statement;

/// A value's stretch in one of the files, white space around it left out; empty where there is no value yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) file: usize,
    pub(super) span: Span,
}

/// The value of a statement of the status.
pub(super) fn of_statement(draft: &Draft<'_>, facts: &Gathered<'_>, statement: &Statement) -> Option<Found> {
    let raw = match statement.key {
        Some(_) => {
            facts.entries.iter().find(|entry| entry.line_number == statement.line_number && Some(&entry.key) == statement.key.as_ref())?.raw.as_str()
        }
        None => statement.raw.as_str(),
    };
    find(draft, facts, statement.key.as_deref(), raw, statement.line_number, statement.place)
}

/// The value of an entry.
pub(super) fn of_entry(draft: &Draft<'_>, facts: &Gathered<'_>, entry: &Entry) -> Option<Found> {
    find(draft, facts, Some(&entry.key), &entry.raw, entry.line_number, entry.place)
}

fn find(draft: &Draft<'_>, facts: &Gathered<'_>, key: Option<&str>, raw: &str, line_number: u32, place: Place) -> Option<Found> {
    let file = usize::from(place == Place::Sidecar);
    let text = draft.text(file);
    let line = draft.line(file, line_number)?;
    let source = line.of(text);
    let first = raw.lines().next().unwrap_or_default();
    let start = match (place, key) {
        (Place::Table, key) => {
            return cell(source, key, raw).map(|span| Found { file, span: Span::new(line.start + span.start, line.start + span.end) });
        }
        (_, Some(key)) => after_key(source, key)?,
        (_, None) => source.find(first).or_else(|| cell(source, None, raw).map(|span| span.start))?,
    };
    let end = match place {
        Place::FrontMatter | Place::Sidecar => {
            let next =
                facts.entries.iter().filter(|entry| entry.place == place && entry.line_number > line_number).map(|entry| entry.line_number).min();
            match next.and_then(|next| draft.line(file, next)) {
                Some(next) => next.start,
                None if file > 0 => text.len(),
                None => document::split_front_matter(text).0.map_or(line.end, |header| header.end),
            }
        }
        _ if source[start..].starts_with(first) && raw.lines().count() > 1 => {
            let last = line_number + u32::try_from(raw.lines().count() - 1).unwrap_or_default();
            draft.line(file, last)?.end
        }
        _ if source[start..].starts_with(first) => line.start + start + first.len(),
        _ => line.end,
    };
    let start = line.start + start;
    let kept = text.get(start..end.max(start))?.trim_end();
    Some(Found { file, span: Span::new(start, start + kept.len()) })
}

/// Where the value begins behind `Key: `, `**Key:** `, `**Key**: `, `"key": `, `key = `, `:Key: `.
fn after_key(line: &str, key: &str) -> Option<usize> {
    const MARKS: &[char] = &['*', '_', '`', '"', '\''];
    line.match_indices(key).find_map(|(at, _)| {
        let before = &line[..at];
        let is_border = |character: Option<char>| character.is_none_or(|character| !character.is_alphanumeric());
        let behind = &line[at + key.len()..];
        let opened = before.len() - before.trim_end_matches(MARKS).len();
        let rest = behind.trim_start_matches(MARKS);
        let is_closed = rest.len() < behind.len();
        // A few words in brackets may stand between a key and its colon: `Date (decided):`.
        let gap = rest.find([':', '：', '=']).filter(|gap| is_border(before.chars().next_back()) && rest[..*gap].len() <= 40)?;
        let between = rest[..gap].trim();
        let fits = between.is_empty() || between.starts_with(['(', '#', '*', '_']);
        let mark = rest[gap..].chars().next().map_or(1, char::len_utf8);
        let mut value = line.len() - rest.len() + gap + mark;
        if opened > 0 && !is_closed {
            let open = &before[before.len() - opened..];
            let tail = line[value..].trim_start();
            if let Some(behind) = tail.strip_prefix(open) {
                value = line.len() - behind.len();
            }
        }
        fits.then(|| line.len() - line[value..].trim_start().len())
    })
}

/// The cells of a table's line, trimmed; an escaped bar is part of its cell.
pub(super) fn cells(line: &str) -> Vec<Span> {
    let mut cells = Vec::new();
    let mut from = None;
    let mut is_escaped = false;
    let mut close = |from: usize, to: usize| {
        let inner = &line[from..to];
        let start = from + inner.len() - inner.trim_start().len();
        cells.push(Span::new(start, (start + inner.trim().len()).max(start)));
    };
    for (at, character) in line.char_indices() {
        if character == '|' && !is_escaped {
            if let Some(from) = from {
                close(from, at);
            }
            from = Some(at + 1);
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    if let Some(from) = from.filter(|from| !line[*from..].trim().is_empty()) {
        close(from, line.len());
    }
    cells
}

/// The cell that holds `raw`: behind the key's where the key stands on this line. An empty value is the empty cell behind its key.
fn cell(line: &str, key: Option<&str>, raw: &str) -> Option<Span> {
    let cells = cells(line);
    let key_at = key.and_then(|key| cells.iter().position(|cell| cell.of(line).contains(key)));
    let rest = &cells[key_at.map_or(0, |at| at + 1)..];
    let holds = |cell: &&Span| {
        let text = cell.of(line);
        text == raw || (!text.is_empty() && (raw.starts_with(&format!("{text}, ")) || raw.starts_with(&format!("{text} "))))
    };
    rest.iter().find(holds).or_else(|| rest.first().filter(|_| key_at.is_some())).copied()
}

#[cfg(test)]
mod tests {
    use super::{after_key, cells};

    #[test]
    fn the_value_stands_behind_its_key_in_every_spelling() {
        for (line, key, value) in [
            ("status: accepted", "status", "accepted"),
            ("* **Status:** Accepted", "Status", "Accepted"),
            ("- **Status**: Accepted", "Status", "Accepted"),
            ("Status:**Accepted**", "Status", "**Accepted**"),
            ("**Date:** 2020 | **Status:** x", "Status", "x"),
            (":Status: Draft", "Status", "Draft"),
            ("\"status\": \"a\"", "status", "\"a\""),
            ("status = \"a\"", "status", "\"a\""),
            ("{date: 2020, status: a}", "status", "a}"),
            ("the status of it: status: x", "status", "x"),
        ] {
            assert_eq!(after_key(line, key).map(|at| &line[at..]), Some(value), "{line}");
        }
    }

    #[test]
    fn cells_are_trimmed_and_keep_escaped_bars() {
        let shown = |line: &'static str| cells(line).into_iter().map(|cell| cell.of(line)).collect::<Vec<_>>();
        assert_eq!(shown("| a | b \\| c |  |"), ["a", "b \\| c", ""]);
        assert_eq!(shown("> | Status       | `RFC`  |"), ["Status", "`RFC`"]);
    }
}
