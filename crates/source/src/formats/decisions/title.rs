//! Titles: a heading or metadata title without its number, its prefix and its markup.

use super::{plain, words};

/// A title without the number and prefix that the id already has; `None` where nothing else is left.
///
/// `number` is the number in the file's name: forms that only look like a number (`3 ways to …`) lose it only where the two agree.
pub(super) fn without_number(title: &str, number: Option<&str>, record_type: &str) -> Option<String> {
    let mut rest = title.trim();
    for _ in 0..3 {
        let shorter = stripped(rest, number, record_type);
        let removed = &rest[..rest.len() - shorter.len()];
        rest = shorter;
        // One number only: `ADR 7: ICS-07 client` keeps the second.
        if removed.is_empty() || removed.contains(|character: char| character.is_ascii_digit()) {
            break;
        }
    }
    let rest = without_status_suffix(rest.trim());
    rest.chars().any(char::is_alphanumeric).then(|| rest.to_owned())
}

fn stripped<'a>(title: &'a str, number: Option<&str>, record_type: &str) -> &'a str {
    if let Some(rest) =
        title.strip_prefix('[').and_then(|inner| inner.split_once(']')).filter(|(inner, _)| is_code(inner, number, record_type)).map(|(_, rest)| rest)
    {
        return separated(rest, false).unwrap_or(title);
    }
    for phrase in ["architecture decision record", "architectural decision record", "decision record", "request for comments"] {
        if let Some(rest) = title.get(phrase.len()..).filter(|_| title[..phrase.len()].eq_ignore_ascii_case(phrase)) {
            return after_word(rest).unwrap_or(title);
        }
    }
    let word_length = title.find(|character: char| !character.is_alphabetic()).unwrap_or(title.len());
    let word = &title[..word_length];
    let is_type = words::type_word(word).is_some() || word.eq_ignore_ascii_case(record_type);
    if is_type && let Some(rest) = after_word(&title[word_length..]) {
        return rest;
    }
    let code_length = title.find(|character: char| character.is_whitespace() || matches!(character, ':' | ')' | '.')).unwrap_or(title.len());
    if is_code(&title[..code_length], number, record_type)
        && let Some(rest) = separated(&title[code_length..], false).or_else(|| (code_length == title.len()).then_some(""))
    {
        return rest;
    }
    after_project_and_number(title, number).or_else(|| after_number(title, number)).unwrap_or(title)
}

/// `Aries RFC 0023: T`: up to three words of a project, a type and the record's own number.
fn after_project_and_number<'a>(title: &'a str, number: Option<&str>) -> Option<&'a str> {
    let (head, rest) = title.split_once(": ")?;
    let words: Vec<&str> = head.split_whitespace().collect();
    let [project @ .., kind, digits] = words.as_slice() else { return None };
    let fits = (1..=3).contains(&project.len()) && words::type_word(kind).is_some() && is_same(digits, number);
    fits.then(|| rest.trim_start())
}

/// Behind a word such as `ADR`: a number with or without a separator, or a separator alone.
fn after_word(rest: &str) -> Option<&str> {
    let trimmed = rest.trim_start_matches([' ', '-', '#', '_', '\u{a0}']);
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && digits <= 6 {
        let behind = &trimmed[digits..];
        if behind.is_empty() {
            return Some("");
        }
        return separated(behind, false);
    }
    separated(rest, true)
}

/// What stands behind a separator. A lone hyphen or colon needs white space behind it; white space alone separates only behind a number.
fn separated(rest: &str, needs_mark: bool) -> Option<&str> {
    let trimmed = rest.trim_start();
    let marks = trimmed.len() - trimmed.trim_start_matches([':', '.', ')', '-', '–', '—', '|', ']']).len();
    let behind = &trimmed[marks..];
    let has_space = behind.starts_with(char::is_whitespace) || behind.is_empty();
    if marks > 0 && has_space {
        return Some(behind.trim_start());
    }
    (!needs_mark && marks == 0 && trimmed.len() < rest.len()).then_some(trimmed)
}

/// `API-001`, `ODH-ADR-DR-0001`: letters and a number, whose number is the record's, or which names a type.
fn is_code(text: &str, number: Option<&str>, record_type: &str) -> bool {
    let Some((prefix, digits)) = text.rsplit_once(['-', '_']) else { return false };
    let fits = !prefix.is_empty()
        && !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && prefix.chars().all(|character| character.is_ascii_alphabetic() || matches!(character, '-' | '_'));
    let names_type = prefix.split(['-', '_']).any(|word| words::type_word(word).is_some() || word.eq_ignore_ascii_case(record_type));
    fits && (names_type || is_same(digits, number))
}

/// `1. T`, `7) T`, `12 - T`, `0003 — T`, `2022-10-11 - T`, and `7 T` where 7 is the record's number.
fn after_number<'a>(title: &'a str, number: Option<&str>) -> Option<&'a str> {
    if let Some(length) = super::name::date_length(title) {
        return separated(&title[length..], false);
    }
    let digits = title.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 || digits > 6 {
        return None;
    }
    let rest = &title[digits..];
    separated(rest, true).or_else(|| is_same(&title[..digits], number).then(|| separated(rest, false)).flatten())
}

fn is_same(digits: &str, number: Option<&str>) -> bool {
    number.is_some_and(|number| number.trim_start_matches('0') == digits.trim_start_matches('0'))
}

/// The number that a heading states, where it states one in a form that is surely a record's number.
pub(super) fn stated_number<'a>(title: &'a str, record_type: &str) -> Option<&'a str> {
    let word_length = title.find(|character: char| !character.is_alphabetic()).unwrap_or(title.len());
    let word = &title[..word_length];
    let is_type = words::type_word(word).is_some() || word.eq_ignore_ascii_case(record_type);
    let rest = if is_type { title[word_length..].trim_start_matches([' ', '-', '#', '_']) } else { title };
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let behind = rest[digits..].trim_start();
    let is_stated = digits > 0 && digits <= 6 && (is_type || (behind.starts_with(['.', ')', ':']) && behind[1..].starts_with(' ')));
    is_stated.then(|| &rest[..digits])
}

/// `Tokens [Replaced by Bound Tokens]`: a remark on the standing is no part of the title.
fn without_status_suffix(title: &str) -> &str {
    let Some(at) = title.rfind(" [").filter(|_| title.ends_with(']')) else { return title };
    let remark = title[at + 2..].to_lowercase();
    let is_remark =
        ["replaced", "superseded", "superceded", "deprecated", "obsolete", "withdrawn", "rejected"].iter().any(|word| remark.starts_with(word));
    if is_remark { title[..at].trim_end() } else { title }
}

/// Plain words of a title in metadata. Emphasis marks stay where they may be part of a name (`CALL*`, `__init__`).
pub(super) fn of_metadata(text: &str) -> String {
    let clipped = plain::without_comments(plain::clipped(text)).replace("**", "");
    let kept = clipped.replace('*', "\\*").replace('_', "\\_");
    plain::words(&kept)
}

/// Whether a title is a template's, left unfilled.
pub(super) fn is_template(title: &str) -> bool {
    let lower = title.to_lowercase();
    let wrapped = [('[', ']'), ('{', '}'), ('<', '>')].iter().any(|(open, close)| lower.starts_with(*open) && lower.ends_with(*close));
    lower.contains("{{")
        || lower.ends_with("decision record template")
        || (wrapped && ["title", "name", "short", "nnnn"].iter().any(|word| lower.contains(word)))
        || matches!(
            lower.trim_matches(['[', ']', '{', '}', '<', '>']),
            "title" | "decision title" | "title of the decision record" | "short title" | "title of the decision" | "your title here"
        )
}
