//! People: names out of strings, lists and mappings, without handles' marks, mail addresses and remarks.

use document::Value;

use super::entry::is_empty_value;
use super::plain;

/// The names in a value, each once, in order.
pub(super) fn names(value: &Value) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    collect(value, &mut found, 0);
    found
}

fn collect(value: &Value, found: &mut Vec<String>, depth: usize) {
    match value {
        Value::Empty => {}
        Value::Text(text) => {
            for name in split(text) {
                push(name, found);
            }
        }
        Value::List(items) if depth < 8 => items.iter().for_each(|item| collect(item, found, depth + 1)),
        Value::Map(entries) if depth < 8 => {
            let named = ["name", "handle", "github", "user", "login", "email"].iter().find_map(|key| value.get(key));
            match named {
                Some(name) => collect(name, found, depth + 1),
                None => entries.iter().for_each(|(key, value)| match value {
                    // A mapping from a name to nothing (`{ accepted }`) or from a name to a remark.
                    Value::Empty => split(key).into_iter().for_each(|name| push(name, found)),
                    other => collect(other, found, depth + 1),
                }),
            }
        }
        Value::List(_) | Value::Map(_) => {}
    }
}

/// How many names one value may hold; a list beyond that is no list of people.
const MOST: usize = 500;

fn push(name: String, found: &mut Vec<String>) {
    if found.len() < MOST && !is_empty_value(&name) && !found.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
        found.push(name);
    }
}

/// Splits a text with several names at commas, semicolons, ampersands, ` and ` and line ends outside of brackets.
fn split(text: &str) -> Vec<String> {
    let shown = plain::without_emoji(&plain::without_comments(plain::clipped(text)));
    let mut parts: Vec<String> = vec![String::new()];
    let mut depth = 0_i32;
    let mut last_word = String::new();
    for character in shown.chars() {
        match character {
            '(' | '[' | '<' | '{' => depth += 1,
            ')' | ']' | '>' | '}' => depth = (depth - 1).max(0),
            _ => {}
        }
        let ends = depth == 0 && matches!(character, ',' | ';' | '&' | '\n');
        if character.is_whitespace() && depth == 0 && matches!(last_word.as_str(), "and" | "und") {
            if let Some(part) = parts.last_mut() {
                part.truncate(part.len() - last_word.len());
            }
            parts.push(String::new());
            last_word.clear();
            continue;
        }
        if character.is_whitespace() || ends {
            last_word.clear();
        } else {
            last_word.push(character);
        }
        match parts.last_mut() {
            Some(part) if !ends => part.push(character),
            _ => parts.push(String::new()),
        }
    }
    parts.iter().map(|part| one(part)).filter(|name| !name.is_empty()).collect()
}

/// One name: `[Ann](@ann)`, `Ann <ann@example.org>`, `Ann (@ann)`, `@ann`, `"Ann"`, `Team: ann`.
fn one(part: &str) -> String {
    let trimmed = part.trim().trim_matches(['"', '\'', '{', '}']).trim();
    let without_mail =
        trimmed.find('<').filter(|at| trimmed[*at..].contains('@') || trimmed[*at..].contains(" at ")).map_or(trimmed, |at| &trimmed[..at]);
    let shown = plain::words(without_mail);
    let head = shown.split('(').next().unwrap_or_default().trim();
    let head = if head.is_empty() { shown.trim_matches(['(', ')']).split(')').next().unwrap_or_default() } else { head };
    // A team before a colon is not a person; the people stand behind it.
    let head = head.rsplit_once(": ").map_or(head, |(_, people)| people);
    let head = head.split_once(" - ").filter(|(_, behind)| behind.contains('@')).map_or(head, |(name, _)| name);
    let name = head.trim().trim_start_matches('@').trim_end_matches([':', '.', '?']).trim_matches(['[', ']', '*', '_', '"', '\'']).trim();
    if matches!(name, "et al" | "et al.") || (part.trim_start().starts_with('(') && !part.contains('@')) {
        return String::new();
    }
    match name.split_once('@') {
        // A bare mail address: the part before the sign is the name that it gives.
        Some((local, domain)) if domain.contains('.') && !name.contains(' ') => local.to_owned(),
        _ => name.to_owned(),
    }
}
