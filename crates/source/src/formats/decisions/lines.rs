//! The reader for headers that are no YAML: one entry a line, indented lines and `- ` items belong to the key above them.

use document::Value;

use super::entry::{Entry, Place, key_name};

/// Entries of `text`, whose first line is line `first_line` of its file. Reads YAML-like (`key: value`) and TOML-like (`key = "value"`) lines.
pub(super) fn read(text: &str, first_line: u32, place: Place) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line_number = first_line + u32::try_from(index).unwrap_or_default();
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let is_continued = line.starts_with([' ', '\t']) || trimmed.starts_with("- ");
        match (is_continued, split(trimmed)) {
            (false, Some((key, raw))) => {
                let value = scalar_or_list(raw);
                entries.push(Entry { name: key_name(key), key: key.to_owned(), value, raw: raw.to_owned(), line_number, place });
            }
            _ => {
                if let Some(last) = entries.last_mut() {
                    extend(last, trimmed);
                }
            }
        }
    }
    entries
}

/// Key and value of a line; the key is one word or two, without quotes.
fn split(line: &str) -> Option<(&str, &str)> {
    let at = line.find([':', '='])?;
    let key = line[..at].trim().trim_matches(['"', '\'']);
    let fits =
        !key.is_empty() && key.len() <= 60 && key.chars().all(|character| character.is_alphanumeric() || matches!(character, '-' | '_' | ' ' | '.'));
    fits.then(|| (key, line[at + 1..].trim()))
}

fn scalar_or_list(raw: &str) -> Value {
    let text = without_comment(raw);
    if let Some(inner) = text.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'))
        && !inner.contains(['[', '|'])
    {
        return Value::List(inner.split(',').map(unquoted).filter(|item| !item.is_empty()).map(|item| Value::Text(item.to_owned())).collect());
    }
    let text = unquoted(text);
    if text.is_empty() || matches!(text, "|" | ">" | "~" | "null") { Value::Empty } else { Value::Text(text.to_owned()) }
}

fn extend(entry: &mut Entry, line: &str) {
    entry.raw.push('\n');
    entry.raw.push_str(line);
    let item = line.strip_prefix("- ").map(|item| unquoted(without_comment(item.trim())));
    match (&mut entry.value, item) {
        (Value::List(items), Some(item)) => items.push(Value::Text(item.to_owned())),
        (value @ Value::Empty, Some(item)) => *value = Value::List(vec![Value::Text(item.to_owned())]),
        (Value::Text(text), _) => {
            text.push(' ');
            text.push_str(line);
        }
        (value @ Value::Empty, None) => *value = Value::Text(unquoted(line).to_owned()),
        _ => {}
    }
}

/// A ` #` outside of quotes begins a comment.
fn without_comment(text: &str) -> &str {
    if text.starts_with(['"', '\'']) {
        return text;
    }
    text.find(" #").map_or(text, |at| text[..at].trim_end())
}

fn unquoted(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.strip_suffix(quote).unwrap_or(inner);
        }
    }
    text
}
