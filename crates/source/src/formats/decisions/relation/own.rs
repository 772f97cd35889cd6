//! What a record says of itself outside of its metadata: sentences of prose, entries of its changelog, its title.

use document::{Relation, RelationKind as Kind};

use super::{Verb, ascii_lower, follow, plain, verbs, without_emphasis};
use crate::formats::decisions::target::Surroundings;

/// Nouns that mean a whole record.
pub(super) const WHOLE: &[&str] = &["adr", "rfc", "rfd", "decision", "record", "document", "proposal", "pep", "eip", "kep", "design"];

/// Parts of verbs without which no sentence is read.
const STEMS: &[&str] =
    &["supersed", "superced", "amend", "replaced by", "in favo", "linked to", "related to", "relates to", "builds on", "depends on"];

/// Beginnings of verbs that may have `in favour of` behind them.
const LEFT: &[&str] = &["reject", "withdr", "deprecat", "abandon", "retire", "supersed"];

/// What a sentence of prose says of this very record: `This ADR supersedes …`, `This part of the decision is superseded by …`, and sentences
/// that begin with the verb itself. Other prose about other records is left alone.
pub(in super::super) fn own_statements(surroundings: &Surroundings<'_>, text: &str, line_number: u32) -> Vec<Relation> {
    let text = without_emphasis(&sentences(plain::clipped(text)));
    let lower = ascii_lower(&text);
    if !STEMS.iter().any(|stem| lower.contains(stem)) {
        return Vec::new();
    }
    let found = verbs(&text);
    let mut relations = Vec::new();
    for (index, verb) in found.iter().enumerate() {
        // Who withdrew or rejected it is no record.
        let is_by_person = ["withdrawn", "rejected", "abandoned"].iter().any(|word| lower[verb.start..].starts_with(word))
            && lower[verb.start..verb.end].ends_with("by");
        let subject = subject(&lower, verb.start);
        let is_strong = matches!(verb.kind, Kind::Supersedes | Kind::SupersededBy | Kind::Amends | Kind::AmendedBy);
        let is_first = subject.is_empty() && !lower[..verb.start].contains(". ") && matches!(verb.kind, Kind::SupersededBy | Kind::AmendedBy);
        let Some(is_part) = subject_is_part(subject).or(is_first.then_some(false)).filter(|_| !is_by_person) else { continue };
        if !is_strong && is_part {
            continue;
        }
        let end = found.get(index + 1).map_or(text.len(), |next| next.start);
        let verb = Verb { reach: 3, is_partial: verb.is_partial || is_part, ..*verb };
        relations.extend(follow(surroundings, &text, verb, end, line_number, false));
    }
    relations.extend(in_favour(surroundings, &text, line_number, |before| {
        let verb = [" has been ", " was ", " is "].iter().find_map(|verb| before.find(verb));
        verb.and_then(|verb| subject_is_part(&before[..verb])) == Some(false)
    }));
    relations
}

/// What an entry of the changelog says: `Marked as rejected in favour of ADR 111`, `Superseded by ADR-12`.
pub(in super::super) fn changes(surroundings: &Surroundings<'_>, text: &str, line_number: u32) -> Vec<Relation> {
    let text = without_emphasis(plain::clipped(text));
    let lower = ascii_lower(&text);
    if !["in favo", "superseded by", "superceded by"].iter().any(|stem| lower.contains(stem)) {
        return Vec::new();
    }
    let mut relations = Vec::new();
    for verb in verbs(&text).into_iter().filter(|verb| lower[verb.start..].starts_with("super") && verb.kind == Kind::SupersededBy) {
        relations.extend(follow(surroundings, &text, Verb { reach: 1, ..verb }, text.len(), line_number, false));
    }
    // `Deprecate markers in favour of ADR-10` speaks of something within the record.
    relations.extend(in_favour(surroundings, &text, line_number, |before| {
        before.split_whitespace().next_back().is_some_and(|word| LEFT.iter().any(|stem| word.starts_with(stem)))
    }));
    relations
}

/// What a title says by its own verb: `Partly undo ADR 109`. The title comes without its number.
pub(in super::super) fn title(surroundings: &Surroundings<'_>, text: &str, line_number: u32) -> Vec<Relation> {
    let text = without_emphasis(plain::clipped(text));
    let Some(verb) = verbs(&text).into_iter().next() else { return Vec::new() };
    let leads = matches!(ascii_lower(&text[..verb.start]).trim(), "" | "partly" | "partially");
    if !leads || !matches!(verb.kind, Kind::Supersedes | Kind::Amends) {
        return Vec::new();
    }
    follow(surroundings, &text, Verb { reach: 1, ..verb }, text.len(), line_number, false)
}

/// `… has been withdrawn by its author in favour of the proposal in ADR-7`: the participle stands anywhere in the sentence before.
fn in_favour(surroundings: &Surroundings<'_>, text: &str, line_number: u32, is_own: impl Fn(&str) -> bool) -> Vec<Relation> {
    let lower = ascii_lower(text);
    let mut relations = Vec::new();
    for words in ["in favour of", "in favor of"] {
        for (at, _) in lower.match_indices(words) {
            let before = subject(&lower, at);
            if LEFT.iter().any(|stem| before.contains(stem)) && is_own(before) {
                let verb = Verb { start: at, end: at + words.len(), kind: Kind::SupersededBy, is_partial: false, reach: 5 };
                relations.extend(follow(surroundings, text, verb, text.len(), line_number, false));
            }
        }
    }
    relations
}

/// What stands before `at` in its sentence, without the mark of an admonition (`> [!NOTE]`) and the word `Note:`.
fn subject(lower: &str, at: usize) -> &str {
    let sentence = lower[..at].rfind(". ").map_or(0, |stop| stop + 2);
    let subject = lower[sentence..at].trim();
    let subject = subject.strip_prefix("[!").and_then(|rest| rest.split_once(']')).map_or(subject, |(_, rest)| rest.trim());
    ["note:", "note that", "update:", "important:", "warning:"].iter().find_map(|word| subject.strip_prefix(word)).unwrap_or(subject).trim()
}

/// The text with a full stop before each line that opens a sentence of its own, as remarks added below a list's last item do.
fn sentences(text: &str) -> String {
    let opens = |line: &str| {
        let bare = line.trim_start_matches(['*', ' ', '_', '>']);
        ["This ", "These ", "Part of this ", "Parts of this "].iter().any(|start| bare.starts_with(start))
    };
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        out.push_str(if opens(line) { ". " } else { "\n" });
        out.push_str(line);
    }
    out
}

/// Whether a sentence's subject is this record (`false`) or a part of it (`true`); `None` for other subjects.
fn subject_is_part(subject: &str) -> Option<bool> {
    let mut words = subject.split_whitespace();
    let first = words.next()?;
    let has_noun = subject.split_whitespace().count() >= 2;
    let is_this = has_noun && matches!(first, "this" | "these") || (matches!(first, "part" | "parts") && subject.contains("this"));
    if !is_this || subject.split_whitespace().count() > 9 {
        return None;
    }
    let is_whole = words.next().is_some_and(|noun| WHOLE.contains(&noun.trim_matches(|character: char| !character.is_alphanumeric())));
    Some(!is_whole)
}
