//! Relations: the verbs that state them, their direction, whether a part only is meant, and the targets behind them.

mod own;

use document::{Relation, RelationKind as Kind};

use super::entry::Entry;
use super::plain;
use super::target::{Surroundings, Trust};

pub(super) use own::{changes, own_statements, title};

/// A verb as found in a text.
#[derive(Debug, Clone, Copy)]
struct Verb {
    start: usize,
    end: usize,
    kind: Kind,
    is_partial: bool,
    /// How many words may stand between it and its first target.
    reach: usize,
}

/// Verbs that say the other acts on this record: they need `by`, `with` or `in favour of` behind them, unless they may stand alone.
const PASSIVE: &[(&str, Kind, bool)] = &[
    ("superseded", Kind::SupersededBy, true),
    ("superceded", Kind::SupersededBy, true),
    ("superseeded", Kind::SupersededBy, true),
    ("replaced", Kind::SupersededBy, false),
    ("obsoleted", Kind::SupersededBy, false),
    ("obsolete", Kind::SupersededBy, false),
    ("deprecated", Kind::SupersededBy, false),
    ("deprecate", Kind::SupersededBy, false),
    ("rejected", Kind::SupersededBy, false),
    ("retired", Kind::SupersededBy, false),
    ("withdrawn", Kind::SupersededBy, false),
    ("abandoned", Kind::SupersededBy, false),
    ("amended", Kind::AmendedBy, false),
    ("extended", Kind::AmendedBy, false),
    ("updated", Kind::AmendedBy, false),
    ("modified", Kind::AmendedBy, false),
    ("clarified", Kind::ClarifiedBy, false),
    ("refined", Kind::ClarifiedBy, false),
];

/// Verbs that say this record acts on the other, with how far their target may stand.
const ACTIVE: &[(&str, Kind, usize)] = &[
    ("supersedes", Kind::Supersedes, 12),
    ("supercedes", Kind::Supersedes, 12),
    ("supersede", Kind::Supersedes, 12),
    ("superseding", Kind::Supersedes, 6),
    ("replaces", Kind::Supersedes, 4),
    ("obsoletes", Kind::Supersedes, 4),
    ("amends", Kind::Amends, 12),
    ("extends", Kind::Amends, 3),
    ("updates", Kind::Amends, 3),
    ("clarifies", Kind::Clarifies, 4),
    ("refines", Kind::Clarifies, 3),
    ("undo", Kind::Supersedes, 1),
    ("undoes", Kind::Supersedes, 1),
    ("reverts", Kind::Supersedes, 1),
    ("depends on", Kind::DependsOn, 3),
    ("builds on", Kind::DependsOn, 3),
    ("based on", Kind::DependsOn, 3),
    ("requires", Kind::DependsOn, 2),
    ("relates to", Kind::RelatesTo, 3),
    ("related to", Kind::RelatesTo, 3),
    ("linked to", Kind::RelatesTo, 3),
    ("see also", Kind::RelatesTo, 3),
];

const PARTS: &[&str] = &["in part", "in-part", "partially", "partly", "parts", "part of", "visually only"];

/// Relations that a metadata entry with a relation's key states.
pub(super) fn of_entry(surroundings: &Surroundings<'_>, entry: &Entry, kind: Kind) -> Vec<Relation> {
    let key = entry.key.to_lowercase();
    let is_partial = PARTS.iter().any(|part| key.contains(part)) || entry.raw.to_lowercase().starts_with("(in part)");
    let mut relations = Vec::new();
    for text in entry.texts() {
        let shown = without_emphasis(text);
        if kind == Kind::RelatesTo {
            let leading = scan(surroundings, &shown, entry.line_number, 1);
            if !leading.is_empty() && verbs(&shown).first().is_some_and(|verb| verb.start <= 2) {
                relations.extend(leading);
                continue;
            }
        }
        let found = listed(surroundings, &shown, kind, is_partial, entry.line_number);
        if found.is_empty() && is_scalar_id(entry, text) {
            let target = document::Target::Id(text.trim_matches(['"', '\'', '`']).to_owned());
            relations.push(Relation { kind, is_partial, target, raw: text.to_owned(), line_number: entry.line_number });
        }
        relations.extend(found);
    }
    relations
}

/// A single word of a header's list, such as the old name of a project, is an id of its own.
fn is_scalar_id(entry: &Entry, text: &str) -> bool {
    use super::entry::Place;
    let is_header = matches!(entry.place, Place::FrontMatter | Place::Sidecar);
    let is_flag = matches!(text.to_lowercase().as_str(), "true" | "false" | "yes" | "no");
    is_header && !is_flag && !text.contains(char::is_whitespace) && !text.contains(['[', '(', '{', '<', '#', ':'])
}

/// All targets of a value: the first anywhere in its first sentence, the others in a list behind it.
fn listed(surroundings: &Surroundings<'_>, text: &str, kind: Kind, is_partial: bool, line_number: u32) -> Vec<Relation> {
    let verb = Verb { start: 0, end: 0, kind, is_partial, reach: 60 };
    follow(surroundings, text, verb, text.len(), line_number, true)
}

/// Relations that free words state: a status, a paragraph of the status section, an item under `Links`. Reads at most `most` verbs.
pub(super) fn scan(surroundings: &Surroundings<'_>, text: &str, line_number: u32, most: usize) -> Vec<Relation> {
    let text = without_emphasis(plain::clipped(text));
    let found = verbs(&text);
    let mut relations = Vec::new();
    for (index, verb) in found.iter().enumerate().take(most) {
        let end = found.get(index + 1).map_or(text.len(), |next| next.start);
        relations.extend(follow(surroundings, &text, *verb, end, line_number, false));
    }
    relations
}

fn without_emphasis(text: &str) -> String {
    plain::without_comments(text).replace('*', "").replace('\n', " ")
}

/// Lower case that keeps every byte where it is.
fn ascii_lower(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// The verbs of a text, in order. Words inside link texts count too: `[superseded by ADR-3](x)` is rare, and harmless.
fn verbs(text: &str) -> Vec<Verb> {
    let lower = ascii_lower(text);
    let bytes = lower.as_bytes();
    let mut found: Vec<Verb> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins_word =
            bytes[at].is_ascii_alphabetic() && (at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'-' | b'_' | b'/')));
        if begins_word {
            if let Some(verb) = verb_at(&lower, at) {
                at = verb.end;
                found.push(verb);
                continue;
            }
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        } else {
            at += 1;
        }
    }
    found
}

fn verb_at(lower: &str, at: usize) -> Option<Verb> {
    let rest = &lower[at..];
    let ends = |length: usize| rest[length..].chars().next().is_none_or(|next| !next.is_alphanumeric());
    let before = &lower[..at];
    let window_start = before.char_indices().rev().nth(24).map_or(0, |(index, _)| index);
    let window = before[window_start..].rsplit(['.', ';', '(']).next().unwrap_or_default();
    let mut is_partial = ["in part", "partially ", "partly ", "parts ", "part of"].iter().any(|part| window.contains(part));
    for (word, kind, stands_alone) in PASSIVE {
        if !rest.starts_with(word) || !ends(word.len()) && !rest[word.len()..].starts_with("-in-part") {
            continue;
        }
        let (length, has_agent, in_part) = agent(&rest[word.len()..]);
        is_partial |= in_part;
        if has_agent || *stands_alone {
            return Some(Verb { start: at, end: at + word.len() + length, kind: *kind, is_partial, reach: if has_agent { 12 } else { 1 } });
        }
        return None;
    }
    ACTIVE.iter().find(|(word, ..)| rest.starts_with(word) && ends(word.len())).map(|(word, kind, reach)| {
        let (length, _, in_part) = agent(&rest[word.len()..]);
        let skipped = if in_part { length } else { 0 };
        Verb { start: at, end: at + word.len() + skipped, kind: *kind, is_partial: is_partial || in_part, reach: *reach }
    })
}

/// What stands between a participle and its target: ` in part by `, `, partially, by `, ` in favour of `.
fn agent(rest: &str) -> (usize, bool, bool) {
    const GAP: &[char] = &[' ', ',', '(', ')', '-', '\u{a0}'];
    let mut at = rest.len() - rest.trim_start_matches(GAP).len();
    let mut is_partial = false;
    let mut has_agent = false;
    for part in ["in part", "in-part", "partially", "partly"] {
        if rest[at..].starts_with(part) {
            is_partial = true;
            at += part.len();
            at += rest[at..].len() - rest[at..].trim_start_matches(GAP).len();
        }
    }
    for word in ["by", "with", "in favour of", "in favor of", "through"] {
        if rest[at..].strip_prefix(word).is_some_and(|behind| behind.chars().next().is_none_or(|next| !next.is_alphanumeric())) {
            has_agent = true;
            at += word.len();
            break;
        }
    }
    (if is_partial || has_agent { at } else { 0 }, has_agent, is_partial)
}

/// Collects the targets behind a verb, up to `end` or to the end of the list.
fn follow(surroundings: &Surroundings<'_>, text: &str, verb: Verb, end: usize, line_number: u32, is_value: bool) -> Vec<Relation> {
    let mut relations: Vec<Relation> = Vec::new();
    let mut at = verb.end;
    let mut skipped = 0;
    let mut before = String::new();
    let mut is_partial = verb.is_partial;
    while at < end {
        let rest = &text[at..end];
        let gap = gap_length(rest, &mut is_partial, relations.is_empty());
        if gap > 0 {
            at += gap;
            continue;
        }
        let trust = if skipped == 0 || !relations.is_empty() { Trust::Numbers } else { Trust::Named };
        if let Some((target, to)) = surroundings.target_at(text, at, trust)
            && to <= text.len()
            && !(trust == Trust::Numbers && is_counted(text, to, at))
        {
            if let Some(target) = target {
                let kind = tail_kind(text, at, to, verb.kind);
                let raw = text[verb.start.min(at)..to].trim().to_owned();
                let in_part = is_partial || (relations.is_empty() && is_a_part_of(&before) && matches!(kind, Kind::Supersedes | Kind::SupersededBy));
                is_partial = in_part;
                relations.push(Relation { kind, is_partial: in_part, target, raw, line_number });
            }
            // A link that leads to no record ends nothing: what follows may.
            at = to;
            continue;
        }
        let first = rest.chars().next().unwrap_or(' ');
        if first == '(' && (!relations.is_empty() || is_value) {
            at += plain::partner(rest, b'(', b')').map_or(rest.len(), |close| close + 1);
            continue;
        }
        if !relations.is_empty() || skipped >= verb.reach {
            break;
        }
        if first == '(' {
            at += 1;
            continue;
        }
        let (length, is_end) = word_length(rest);
        before.push_str(&rest[..length]);
        before.push(' ');
        if is_end {
            break;
        }
        skipped += usize::from(rest[..length].chars().any(char::is_alphanumeric));
        at += length;
    }
    relations
}

/// Length of what may stand between a verb and its target, or between two targets.
fn gap_length(rest: &str, is_partial: &mut bool, is_first: bool) -> usize {
    let trimmed = rest.trim_start_matches(|character: char| {
        character.is_whitespace() || matches!(character, ',' | '&' | '"' | '“' | '”' | '+' | '/') || plain::is_emoji(character)
    });
    let mut length = rest.len() - trimmed.len();
    if rest.starts_with('/') || trimmed.starts_with("./") {
        length = 0;
    }
    if length > 0 {
        return length;
    }
    let lower = ascii_lower(&rest.chars().take(16).collect::<String>());
    for part in ["in part", "partially", "partly"] {
        if lower.starts_with(part) {
            *is_partial = true;
            return part.len();
        }
    }
    let joining: &[&str] =
        if is_first { &["by", "the", "see", "our", "and", ":"] } else { &["and", "und", "et", "or", "also", "by", "as well as", ";"] };
    let is_word = |word: &str| lower[word.len()..].chars().next().is_none_or(|next| !next.is_alphanumeric());
    let colon_role = lower.starts_with(':') && rest[1..].starts_with(|next: char| next.is_ascii_alphabetic());
    joining.iter().find(|word| lower.starts_with(**word) && is_word(word) && !colon_role).map_or(0, |word| word.len())
}

/// `3 earlier records` counts something and names nothing.
fn is_counted(text: &str, to: usize, from: usize) -> bool {
    let token = &text[from..to];
    let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
    let next = text[to..].trim_start();
    let word = next.split(|character: char| !character.is_alphabetic()).next().unwrap_or_default();
    is_number
        && text[to..].starts_with(' ')
        && !word.is_empty()
        && !matches!(word, "and" | "or" | "und" | "et" | "in" | "as" | "which" | "on" | "for" | "because" | "since")
}

/// `the signal-only model in ADR-0001`: a thing inside the other record, so a part of it.
fn is_a_part_of(before: &str) -> bool {
    let lower = before.trim().to_lowercase();
    let names_record = lower.split_whitespace().any(|word| own::WHOLE.contains(&word));
    !names_record
        && !lower.contains("decision")
        && lower.split_whitespace().count() >= 3
        && [" in", " of", " from"].iter().any(|ending| lower.ends_with(ending))
}

/// What the words right around a target make of a mere "related": `[ADR-0017](x) — amends its …`, `[ADR-0010 (amended by this ADR)](x)`.
fn tail_kind(text: &str, from: usize, to: usize, kind: Kind) -> Kind {
    if kind != Kind::RelatesTo {
        return kind;
    }
    let lower = ascii_lower(&text[from..to]);
    if lower.contains("amended by this") {
        return Kind::Amends;
    }
    if lower.contains("superseded by this") {
        return Kind::Supersedes;
    }
    let tail = text[to..].trim_start();
    match ["—", "–", "-", "->"].iter().find_map(|dash| tail.strip_prefix(dash)) {
        Some(tail) => verb_at(&ascii_lower(tail.trim_start()), 0).map_or(kind, |verb| verb.kind),
        None => kind,
    }
}

/// Length of the next word with what separates it, and whether a sentence ends with it.
fn word_length(rest: &str) -> (usize, bool) {
    if rest.starts_with('`')
        && let Some(end) = rest[1..].find('`')
    {
        return (end + 2, false);
    }
    if let Some(link) = rest.starts_with('[').then(|| plain::link(rest)).flatten().filter(|link| link.target.is_some()) {
        return (link.length, false);
    }
    let first = rest.chars().next().map_or(1, char::len_utf8);
    let length = first
        + rest[first..].find(|character: char| character.is_whitespace() || matches!(character, '(' | '[' | '`' | '<')).unwrap_or(rest.len() - first);
    let word = &rest[..length];
    let is_end = word.ends_with(['.', ';', '!', '?']) && rest[length..].starts_with(char::is_whitespace) && word.len() > 2;
    (length, is_end || (word.ends_with(['.', ';']) && length == rest.len()))
}
