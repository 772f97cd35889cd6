//! Keys of YAML headers and sidecars: new ones in the naming of the others, items added in the style of what stands there.

use document::Span;

use super::draft::{Draft, Patch};
use super::value::Found;
use crate::formats::decisions::entry::{Entry, Field, Place};
use crate::formats::decisions::reader::Gathered;
use crate::formats::decisions::words;

/// Whether the header is MADR's: the status itself says by what a record is superseded, and no key gives it an id, a title or relations.
pub(super) fn is_madr(facts: &Gathered<'_>) -> bool {
    let mut header = facts.entries.iter().filter(|entry| entry.place == Place::FrontMatter);
    let has_role = header.clone().any(|entry| matches!(entry.name.as_str(), "deciders" | "decision-makers" | "consulted" | "informed" | "contact"));
    let has_sections = facts.parts.iter().filter_map(|part| part.heading).any(|heading| is_madr_section(heading.text));
    (has_role || has_sections) && !header.any(|entry| matches!(entry.field(), Some(Field::Title | Field::Relation(_))) || entry.name == "id")
}

/// Whether a heading is one of MADR's.
pub(super) fn is_madr_section(heading: &str) -> bool {
    matches!(
        words::folded_heading(heading).as_str(),
        "context and problem statement" | "considered options" | "decision outcome" | "decision drivers"
    )
}

/// A text as a YAML scalar: plain where it can be, else in double quotes.
pub(super) fn scalar(text: &str) -> String {
    const LEADING: &[char] =
        &['!', '&', '*', '-', '?', '|', '>', '@', '%', '`', '#', '"', '\'', '{', '[', '}', ']', ',', ':', '=', '.', '+', '~', '<'];
    let lower = text.to_lowercase();
    let is_special = matches!(lower.as_str(), "" | "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n");
    let is_path = text.starts_with("../") || text.starts_with("./");
    let unsafe_inside =
        text.contains(": ") || text.contains(" #") || text.ends_with(':') || text.contains(['\n', '\t', '"', '\\', '{', '}', '[', ']']);
    let has_control = text.chars().any(|character| character.is_control() || matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}'));
    if !is_special && !unsafe_inside && !has_control && (is_path || !text.starts_with(LEADING)) && text.trim() == text {
        return text.to_owned();
    }
    quoted(text)
}

/// A text in double quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            character if character.is_control() || matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                out.push_str(&format!("\\u{:04x}", u32::from(character)));
            }
            character => out.push(character),
        }
    }
    out.push('"');
    out
}

/// A text as a scalar with the quotes that `sample` has.
pub(super) fn scalar_like(sample: &str, text: &str) -> String {
    match sample.chars().next() {
        Some('"') => quoted(text),
        Some('\'') if !text.contains('\'') => format!("'{text}'"),
        _ => scalar(text),
    }
}

/// The remark behind a value, with the blanks before it.
pub(super) fn remark(line: &str) -> &str {
    &line[without_remark(line).len()..]
}

/// The scalar of a value replaced, its quotes and the remark behind it kept.
pub(super) fn replaced_scalar(draft: &Draft<'_>, found: Found, new: &str) -> Option<Patch> {
    let source = found.span.of(draft.text(found.file));
    let at =
        |start: usize, end: usize, text: String| Patch { file: found.file, span: Span::new(found.span.start + start, found.span.start + end), text };
    for quote in ['"', '\''] {
        if let Some(inner) = source.strip_prefix(quote) {
            let end = inner.find(quote)? + 1;
            return Some(at(1, end, new.to_owned()));
        }
    }
    let remark = if source.starts_with('#') { Some(0) } else { source.find(" #") };
    let end = remark.unwrap_or(source.len()).min(source.find('\n').unwrap_or(source.len()));
    let text = draft.text(found.file);
    let lead = if text[..found.span.start].ends_with([':', '=']) { " " } else { "" };
    let tail = if remark == Some(0) { " " } else { "" };
    Some(at(0, end, format!("{lead}{new}{tail}")))
}

/// Entries of a place that begin a line of their own, in order.
fn header_entries<'a>(facts: &'a Gathered<'_>, place: Place) -> Vec<&'a Entry> {
    facts.entries.iter().filter(|entry| entry.place == place).collect()
}

/// A key named as the other keys are: `superseded_by`, `superseded-by`, `supersededBy`, `Superseded-By`.
fn named_alike(entries: &[&Entry], name: &str) -> String {
    let has = |test: &dyn Fn(&str) -> bool| entries.iter().any(|entry| test(&entry.key));
    let is_camel = |key: &str| key.starts_with(char::is_lowercase) && key.contains(char::is_uppercase) && !key.contains(['-', '_']);
    let mut key = if has(&|key| key.contains('_')) {
        name.replace('-', "_")
    } else if has(&|key| key.contains('-')) {
        name.to_owned()
    } else if has(&is_camel)
        || entries.iter().any(|entry| matches!(entry.key.as_str(), "authors" | "related")) && entries.iter().any(|entry| entry.key == "deciders")
    {
        let mut words = name.split('-');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |out, word| out + &super::phrasing::capitalised(word))
    } else {
        name.replace('-', "_")
    };
    if !entries.is_empty() && entries.iter().all(|entry| entry.key.starts_with(char::is_uppercase)) {
        key = super::phrasing::capitalised(&key);
    }
    key
}

/// A new key in the header or the sidecar: a status before the date or behind the title, others behind the status, else at the end.
pub(super) fn new_key(draft: &Draft<'_>, facts: &Gathered<'_>, place: Place, name: &str, value: &str) -> Option<Patch> {
    let entries = header_entries(facts, place);
    let file = usize::from(place == Place::Sidecar);
    let text = draft.text(file);
    let is_toml = file == 0 && text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']).starts_with("+++");
    let (first, end) = if file > 0 {
        (1, draft.line_count(1) + 1)
    } else {
        let header = document::split_front_matter(text).0?;
        let lines = document::Lines::of(text);
        (lines.line_number(header.start), lines.line_number(header.end))
    };
    let key = named_alike(&entries, name);
    let line = if is_toml { format!("{key} = {}", quoted(value.trim_matches('"'))) } else { format!("{key}: {value}") };
    let field = |wanted: fn(&Field) -> bool| entries.iter().find(move |entry| entry.field().is_some_and(|field| wanted(&field)));
    if name == "status" {
        let date = field(|field| matches!(field, Field::Date(_)));
        if let Some(date) = date {
            return draft.before_line(file, date.line_number, &line);
        }
        let heads = entries.iter().filter(|entry| matches!(entry.field(), Some(Field::Title | Field::Description)) || entry.name == "id");
        if let Some(head) = heads.max_by_key(|entry| entry.line_number) {
            return draft.behind_line(file, entry_end(draft, &entries, head, end), &line);
        }
    } else {
        let relations = entries.iter().filter(|entry| matches!(entry.field(), Some(Field::Relation(_))));
        let before = relations.max_by_key(|entry| entry.line_number).or_else(|| field(|field| *field == Field::Status));
        if let Some(before) = before {
            return draft.behind_line(file, entry_end(draft, &entries, before, end), &line);
        }
    }
    let last = draft.last_filled_before(file, end, first.saturating_sub(1).max(1));
    if file > 0 && entries.is_empty() { draft.before_line(file, 1, &line) } else { draft.behind_line(file, last, &line) }
}

/// Last line of an entry: before the next one, or before `end`.
fn entry_end(draft: &Draft<'_>, entries: &[&Entry], entry: &Entry, end: u32) -> u32 {
    let next = entries.iter().map(|entry| entry.line_number).filter(|line| *line > entry.line_number).min().unwrap_or(end);
    let file = usize::from(entry.place == Place::Sidecar);
    let text = draft.text(file);
    let mut last = draft.last_filled_before(file, next, entry.line_number);
    // Remarks before the next key are the next key's.
    while last > entry.line_number && draft.line(file, last).is_some_and(|line| line.of(text).starts_with('#')) {
        last = draft.last_filled_before(file, last, entry.line_number);
    }
    last
}

/// Ways to add `item` to the value of a key.
pub(super) fn with_item(draft: &Draft<'_>, found: Found, item: &str, others: &[&str]) -> Vec<Patch> {
    let text = draft.text(found.file);
    let source = found.span.of(text);
    let at =
        |start: usize, end: usize, text: String| Patch { file: found.file, span: Span::new(found.span.start + start, found.span.start + end), text };
    let lead = if text[..found.span.start].ends_with(':') { " " } else { "" };
    let first = source.lines().next().unwrap_or_default();
    let bare = without_remark(first);
    let as_quoted = |sample: &str| quoted_like(sample, item);
    if bare.starts_with('[')
        && let Some(close) = closing(source)
    {
        let inner = &source[1..close];
        let kept = inner.trim_end();
        if kept.trim().is_empty() {
            return vec![at(1, close, in_flow(item))];
        }
        let sample = kept.rsplit(',').find(|part| !part.trim().is_empty()).unwrap_or_default().trim();
        let comma = if kept.ends_with(',') { " " } else { ", " };
        let new = if sample.starts_with(['"', '\'']) { as_quoted(sample) } else { in_flow(item) };
        return vec![at(1 + kept.len(), 1 + kept.len(), format!("{comma}{new}"))];
    }
    let list_at = source.lines().position(|line| line.trim_start().starts_with("- ") || line.trim() == "-");
    if let (true, Some(_)) = (bare.is_empty() || first.trim_start().starts_with("- "), list_at) {
        let last = source.lines().rfind(|line| line.trim_start().starts_with("- ")).unwrap_or_default();
        let is_first_line = first.trim_start().starts_with("- ");
        let line_start = text[..found.span.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = if source.lines().count() == 1 && is_first_line {
            let head = &text[line_start..found.span.start];
            head.chars().filter(|character| character.is_whitespace()).collect::<String>()
        } else {
            last[..last.len() - last.trim_start().len()].to_owned()
        };
        let sample = last.trim_start().trim_start_matches("- ").trim();
        let line_end = draft.line_end(found.file, found.span.end);
        return vec![at(source.len(), source.len(), format!("{line_end}{indent}- {}", as_quoted(sample)))];
    }
    let is_empty = matches!(bare.trim_matches(['"', '\'']).to_lowercase().as_str(), "" | "null" | "~" | "n/a" | "none" | "-" | "tbd");
    if is_empty && source.lines().count() <= 1 {
        let is_block = others.iter().any(|raw| raw.contains("- ") && !raw.starts_with('['));
        let is_flow = others.iter().any(|raw| raw.starts_with('['));
        let new = if is_flow { format!("[{}]", in_flow(item)) } else { scalar(item) };
        let one = at(0, bare.len(), format!("{lead}{new}"));
        if is_block {
            let sample = others.iter().find(|raw| raw.contains("- ")).and_then(|raw| raw.lines().next()).unwrap_or_default();
            let line_end = draft.line_end(found.file, found.span.end);
            let tail = &source[bare.len()..];
            let block = format!("{lead}{}{line_end}  - {}", tail.trim_start(), quoted_like(sample.trim_start_matches("- ").trim(), item));
            let block = if tail.is_empty() { format!("{line_end}  - {}", quoted_like(sample.trim_start_matches("- ").trim(), item)) } else { block };
            return vec![at(0, source.len(), block), one];
        }
        return vec![one];
    }
    if source.lines().count() > 1 {
        return Vec::new();
    }
    // A scalar: two make a list; a sentence of links goes on.
    let quote = bare.chars().next().filter(|first| matches!(first, '"' | '\''));
    let flow = at(0, bare.len(), format!("[{}, {}]", if quote.is_some() { bare.to_owned() } else { in_flow(bare) }, in_flow(item)));
    let inner_end = if quote.is_some() && bare.len() >= 2 { bare.len() - 1 } else { bare.len() };
    let sentence = at(inner_end, inner_end, format!(", {item}"));
    if bare.contains(['(', ',', ' ']) { vec![sentence, flow] } else { vec![flow, sentence] }
}

/// An item in a flow list, where commas and brackets part.
fn in_flow(item: &str) -> String {
    if item.starts_with(['"', '\'']) || !item.contains([',', '[', ']', '{', '}']) { scalar_or_same(item) } else { quoted(item) }
}

fn scalar_or_same(item: &str) -> String {
    let is_quoted = item.len() >= 2 && item.starts_with(['"', '\'']) && item.ends_with(['"', '\'']);
    if is_quoted { item.to_owned() } else { scalar(item) }
}

fn quoted_like(sample: &str, item: &str) -> String {
    match sample.chars().next() {
        Some('"') => quoted(item),
        Some('\'') if !item.contains('\'') => format!("'{item}'"),
        _ => in_flow(item),
    }
}

fn without_remark(line: &str) -> &str {
    if line.starts_with('#') {
        return "";
    }
    let from = ['"', '\''].iter().find_map(|quote| line.strip_prefix(*quote)?.find(*quote).map(|end| end + 2)).unwrap_or_default();
    line[from..].find(" #").map_or(line, |at| &line[..from + at]).trim_end()
}

/// The bracket that closes a flow list, quoted brackets left aside.
fn closing(source: &str) -> Option<usize> {
    let mut quote = None;
    let mut depth = 0_usize;
    for (at, character) in source.char_indices() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '[') => depth += 1,
            (None, ']') => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::scalar;

    #[test]
    fn hostile_texts_become_quoted_scalars() {
        for (text, expected) in [
            ("Use a queue", "Use a queue"),
            ("a: b", "\"a: b\""),
            ("# no", "\"# no\""),
            ("- no", "\"- no\""),
            ("say \"x\"", "\"say \\\"x\\\"\""),
            ("yes", "\"yes\""),
            ("0012-x", "0012-x"),
            ("../0001-a.md", "../0001-a.md"),
            (" a", "\" a\""),
        ] {
            assert_eq!(scalar(text), expected);
        }
    }
}
