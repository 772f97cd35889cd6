//! The status word of a value: the leading word as a human reads it, with the rest as a note. What cannot be read stays unknown.

mod words;

use self::words::{CORE, KNOWN, MISSPELT};
use super::plain;

/// What a value says of a record's standing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reading {
    /// A status word in lower case, and what follows it.
    Word { word: String, note: Option<String>, misspelt: Option<String>, is_known: bool },
    /// One of the ways to write that there is none.
    Empty,
    /// The alternatives of a template that nobody filled in.
    Template,
    /// Words in which no status can be found.
    Unreadable,
}

/// Reads a value as written, markup and all.
pub(super) fn read(raw: &str) -> Reading {
    let shown = plain::without_emoji(&plain::words(raw));
    let shown = shown.trim();
    if super::entry::is_empty_value(shown) {
        return Reading::Empty;
    }
    if is_template(shown) {
        return Reading::Template;
    }
    let text = bared(shown);
    if super::entry::is_empty_value(text) {
        return Reading::Empty;
    }
    let lower = comparable(text);
    if let Some(length) = known_at(&lower) {
        return leading(text, &lower, length);
    }
    let first_length = lower.find(|character: char| !character.is_alphabetic()).unwrap_or(lower.len());
    if let Some(meant) = meant_by(&lower[..first_length]) {
        let note = note(&text[byte_of(text, &lower, first_length)..]);
        let misspelt = Some(text[..byte_of(text, &lower, first_length)].to_owned());
        return Reading::Word { word: meant.to_owned(), note, misspelt, is_known: true };
    }
    if let Some(word) = in_sentence(&lower) {
        return Reading::Word { word: word.to_owned(), note: Some(text.to_owned()), misspelt: None, is_known: true };
    }
    let (head, tail) = head_clause(text);
    let is_short = head.split_whitespace().count() <= 3 && head.chars().count() <= 40 && head.chars().any(char::is_alphabetic);
    if is_short && !head.contains("://") {
        return Reading::Word { word: head.to_lowercase(), note: note(tail), misspelt: None, is_known: false };
    }
    Reading::Unreadable
}

/// Whether a text begins with a known status word.
pub(super) fn begins_with_known(raw: &str) -> bool {
    matches!(read(raw), Reading::Word { is_known: true, note: None, .. }) || {
        let shown = plain::without_emoji(&plain::words(raw));
        known_at(&comparable(bared(&shown))).is_some()
    }
}

/// Whether a heading or tag is a status word and nothing else.
pub(super) fn is_known_word(text: &str) -> bool {
    let lower = comparable(text.trim());
    known_at(&lower) == Some(lower.len()) && !lower.is_empty()
}

/// The value without what stands around it: braces, quotes, check boxes, dots.
fn bared(text: &str) -> &str {
    const AROUND: &[char] = &[
        '{', '}', '[', ']', '(', '<', '>', '"', '\'', '“', '”', '‘', '’', '.', ',', ';', ':', '*', '_', '~', '|', '-', '–', '—', '→', '✓', '•', '#',
    ];
    let mut text = text.trim();
    for mark in ["[x]", "[X]", "[ ]"] {
        text = text.strip_prefix(mark).unwrap_or(text).trim();
    }
    let mut text = text.trim_start_matches(|character: char| AROUND.contains(&character) || character.is_whitespace());
    while let Some(last) = text.chars().next_back() {
        let opener = match last {
            ')' => Some('('),
            ']' => Some('['),
            '}' => Some('{'),
            _ => None,
        };
        // A closing bracket whose partner stands inside belongs to the text.
        let is_around = last.is_whitespace() || (AROUND.contains(&last) || last == ')') && opener.is_none_or(|opener| !text.contains(opener));
        if !is_around {
            break;
        }
        text = &text[..text.len() - last.len_utf8()];
    }
    text
}

/// Lower case with hyphens and underscores as spaces; each character stays one character.
fn comparable(text: &str) -> String {
    text.chars()
        .map(|character| match character {
            '-' | '_' => ' ',
            '’' => '\'',
            _ => character.to_lowercase().next().unwrap_or(character),
        })
        .collect()
}

/// The byte of `text` that stands where byte `at` of its comparable form stands.
fn byte_of(text: &str, lower: &str, at: usize) -> usize {
    let characters = lower[..at].chars().count();
    text.char_indices().nth(characters).map_or(text.len(), |(byte, _)| byte)
}

/// Length of the longest known phrase at the front.
fn known_at(lower: &str) -> Option<usize> {
    KNOWN
        .iter()
        .filter(|phrase| lower.strip_prefix(**phrase).is_some_and(|rest| rest.chars().next().is_none_or(|next| !next.is_alphanumeric())))
        .map(|phrase| phrase.len())
        .max()
}

fn leading(text: &str, lower: &str, length: usize) -> Reading {
    let end = byte_of(text, lower, length);
    let mut word = text[..end].to_lowercase();
    let rest = text[end..].trim_start();
    // `superseded (in part) by …`: a part only, whatever stands between.
    if matches!(word.as_str(), "superseded" | "replaced" | "amended") {
        for part in ["(in part)", "(partially)", "(partly)", "partially", "partly"] {
            if rest.to_lowercase().starts_with(part) {
                word = format!("{word} {}", part.trim_matches(['(', ')']));
            }
        }
    }
    // `proposed -> accepted`: the last of a chain is what holds.
    let mut rest = rest;
    while let Some(next) = ["->", "=>", "→", "⇒", "➡"].iter().find_map(|arrow| rest.strip_prefix(arrow)) {
        let next = next.trim_start();
        let next_lower = comparable(next);
        let Some(length) = known_at(&next_lower) else { break };
        let end = byte_of(next, &next_lower, length);
        word = next[..end].to_lowercase();
        rest = next[end..].trim_start();
    }
    Reading::Word { word, note: note(rest), misspelt: None, is_known: true }
}

fn note(rest: &str) -> Option<String> {
    let rest = rest.trim_start_matches(|character: char| {
        matches!(character, ',' | ';' | ':' | '.' | '-' | '–' | '—' | '>' | '|' | '/' | '}' | ']') || character.is_whitespace()
    });
    let rest = rest.trim_end();
    (!rest.is_empty()).then(|| rest.to_owned())
}

/// The known word that a misspelt one means: from the list, or one or two slips away from a core word.
fn meant_by(word: &str) -> Option<&'static str> {
    if let Some((_, meant)) = MISSPELT.iter().find(|(spelt, _)| *spelt == word) {
        return Some(meant);
    }
    let length = word.chars().count();
    if !(6..=16).contains(&length) {
        return None;
    }
    let allowed = if length >= 8 { 2 } else { 1 };
    CORE.iter().map(|core| (slips(word, core), *core)).filter(|(slips, _)| *slips <= allowed).min().map(|(_, core)| core)
}

/// Edits between two words, a swap of neighbours counted as one (optimal string alignment).
fn slips(left: &str, right: &str) -> usize {
    let left: Vec<char> = left.chars().collect();
    let right: Vec<char> = right.chars().collect();
    let mut rows = vec![vec![0_usize; right.len() + 1]; left.len() + 1];
    for (index, row) in rows.iter_mut().enumerate() {
        row[0] = index;
    }
    rows[0] = (0..=right.len()).collect();
    for i in 1..=left.len() {
        for j in 1..=right.len() {
            let cost = usize::from(left[i - 1] != right[j - 1]);
            let mut best = (rows[i - 1][j] + 1).min(rows[i][j - 1] + 1).min(rows[i - 1][j - 1] + cost);
            if i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = best;
        }
    }
    rows[left.len()][right.len()]
}

/// The first known word that begins a clause, or that follows a form of *to be* which states a fact.
fn in_sentence(lower: &str) -> Option<&str> {
    const BE: &[&str] = &["is", "was", "are", "were", "been", "now", "marked", "as", "status"];
    const DOUBT: &[&str] = &[
        "not", "never", "if", "once", "when", "until", "unless", "may", "might", "could", "should", "would", "will", "must", "can", "to", "whether",
    ];
    let mut clause_start = true;
    let mut before: Vec<&str> = Vec::new();
    let mut at = 0;
    for piece in lower.split_inclusive(char::is_whitespace) {
        let start = at + piece.len() - piece.trim_start_matches(['(', '"', '\'', '*']).len();
        at += piece.len();
        let word = piece.trim().trim_matches(|character: char| !character.is_alphanumeric());
        let follows_be = before.last().is_some_and(|last| BE.contains(last)) && !before.iter().rev().take(4).any(|word| DOUBT.contains(word));
        if (clause_start || follows_be)
            && let Some(length) = known_at(&lower[start..])
        {
            return Some(&lower[start..start + length]);
        }
        clause_start = piece.trim_end().ends_with(['.', ';', ':', ',', '(', '–', '—']);
        if clause_start {
            before.clear();
        } else {
            before.push(word);
        }
    }
    None
}

/// A text up to the first mark that ends a clause.
fn head_clause(text: &str) -> (&str, &str) {
    let at = text.find(['.', ';', ',', ':', '(', '|', '\n']).unwrap_or(text.len());
    let dash = [" - ", " – ", " — "].iter().filter_map(|dash| text.find(dash)).min().unwrap_or(text.len());
    let (head, tail) = text.split_at(at.min(dash));
    (head.trim(), tail)
}

/// Whether a value is the unfilled alternatives or the placeholder of a template.
pub(super) fn is_template(text: &str) -> bool {
    let trimmed = text.trim();
    if trimmed.contains("{{") || trimmed.contains("…") && trimmed.contains('|') {
        return true;
    }
    let wrapped = [('{', '}'), ('[', ']'), ('<', '>')].iter().any(|(open, close)| trimmed.starts_with(*open) && trimmed.ends_with(*close));
    let core = trimmed.trim_matches(['{', '}', '[', ']', '<', '>', '\\', ' ']);
    let count = |separator: char| {
        let parts: Vec<&str> = core.split(separator).collect();
        let known = parts.iter().filter(|part| known_at(&comparable(bared(part))).is_some()).count();
        (parts.len(), known)
    };
    let (_, bars) = count('|');
    let (_, slashes) = count('/');
    let (parts, commas) = count(',');
    let lower = core.to_lowercase();
    if bars >= 2 || slashes >= 3 || (commas >= 3 && parts >= 3 && (lower.contains("rejected") || lower.contains("deprecated"))) {
        return true;
    }
    if wrapped && core.contains(" | ") {
        return true;
    }
    let names_itself = matches!(
        lower.as_str(),
        "status" | "state" | "date" | "title" | "insert status" | "insert date" | "insert data" | "yyyy-mm-dd" | "author" | "authors" | "name"
    );
    names_itself || (wrapped && (lower.starts_with("insert ") || lower.contains(" or ") && known_at(&comparable(core)).is_some()))
}
