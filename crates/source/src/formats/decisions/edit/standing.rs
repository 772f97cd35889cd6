//! Ways to write a new status where the record states one, and a status together with the record that takes its place.

use document::{RelationKind, Span};

use super::draft::{Draft, Patch};
use super::value::{self, Found};
use super::{Pointer, front_matter, phrasing, pointer, unstated};
use crate::formats::decisions::entry::{Entry, Field, Place};
use crate::formats::decisions::reader::Gathered;
use crate::formats::decisions::standing::{self, Statement};
use crate::formats::decisions::status::Reading;
use crate::formats::decisions::{date, plain};

/// Ways to state `word` in the order of how well they read.
pub(super) fn ways(draft: &Draft<'_>, facts: &Gathered<'_>, word: &str, date: Option<&str>) -> Vec<Vec<Patch>> {
    let statements = standing::statements(facts);
    let Some(chosen) = statements.iter().find(|statement| standing::is_word(statement)) else {
        let mut ways: Vec<Vec<Patch>> = statements.iter().flat_map(|statement| filled(draft, facts, statement, word)).collect();
        ways.extend(in_tags(draft, facts, word));
        ways.extend(unstated::ways(draft, facts, word));
        return ways;
    };
    let Some(found) = value::of_statement(draft, facts, chosen) else { return unstated::ways(draft, facts, word) };
    let mut ways = checked_box(draft, chosen, word);
    ways.extend(dated_history(draft, chosen, word, date));
    ways.extend(replaced(draft, found, chosen, word, date));
    ways.extend(before_the_rest(draft, found, chosen, word));
    let others = others(draft, facts, &statements, chosen, word, date);
    with_others(ways, &others)
}

/// How many other places follow; a record that says its status more often is left to people.
const MOST_OTHERS: usize = 8;

/// Other places that say the same follow, so that they do not disagree afterwards: ways to change them all.
fn others(draft: &Draft<'_>, facts: &Gathered<'_>, statements: &[Statement], chosen: &Statement, word: &str, date: Option<&str>) -> Vec<Vec<Patch>> {
    let same = |other: &&Statement| is_same_word(other, chosen) && (other.place, other.line_number) != (chosen.place, chosen.line_number);
    let found: Vec<(&Statement, Found)> =
        statements.iter().filter(same).take(MOST_OTHERS).filter_map(|other| Some((other, value::of_statement(draft, facts, other)?))).collect();
    let by = |way: &dyn Fn(&Statement, Found) -> Option<Vec<Patch>>| {
        found.iter().filter_map(|(other, found)| way(other, *found)).flatten().collect::<Vec<_>>()
    };
    let replaced = by(&|other, found| replaced(draft, found, other, word, date).into_iter().next());
    let before = by(&|other, found| before_the_rest(draft, found, other, word).into_iter().next());
    [replaced, before].into_iter().filter(|patches| !patches.is_empty()).collect()
}

/// Every way together with the changes of the other places, then alone.
fn with_others(ways: Vec<Vec<Patch>>, others: &[Vec<Patch>]) -> Vec<Vec<Patch>> {
    let joined = others.iter().flat_map(|others| ways.iter().map(move |way| way.iter().chain(others).cloned().collect()));
    joined.collect::<Vec<_>>().into_iter().chain(ways).collect()
}

/// Whether several places state a status, and not the same.
pub(super) fn disagrees(facts: &Gathered<'_>) -> bool {
    let statements = standing::statements(facts);
    let words: Vec<&Statement> = statements.iter().filter(|statement| standing::is_word(statement)).collect();
    words.windows(2).any(|pair| !is_same_word(pair[0], pair[1]))
}

fn is_same_word(left: &Statement, right: &Statement) -> bool {
    matches!((&left.reading, &right.reading), (Reading::Word { word: left, .. }, Reading::Word { word: right, .. }) if phrasing::is_same(left, right))
}

/// Places where the status word as read stands in the value. What the reader took for the word is tried first in full, then by its first word.
fn places_of_word(source: &str, reading: &Reading) -> Vec<Span> {
    let Reading::Word { word, misspelt, .. } = reading else { return Vec::new() };
    let mut found = phrasing::occurrences(source, misspelt.as_deref().unwrap_or(word));
    if found.is_empty() {
        found = phrasing::occurrences(source, word.split(' ').next().unwrap_or_default());
    }
    found
}

/// The word alone is replaced, wherever it stands; an emoji, a link's anchor and a date that go with it follow.
fn replaced(draft: &Draft<'_>, found: Found, statement: &Statement, word: &str, new_date: Option<&str>) -> Vec<Vec<Patch>> {
    let source = found.span.of(draft.text(found.file));
    let at = |span: Span| Span::new(found.span.start + span.start, found.span.start + span.end);
    let mut ways = Vec::new();
    for place in places_of_word(source, &statement.reading) {
        let behind = source[place.end..].trim_start().to_lowercase();
        let takes_agent = ["by ", "in favo", "with ", "in part", "(in part", "partially", "(partially", "partly", "through "];
        if takes_agent.iter().any(|start| behind.starts_with(start)) {
            continue;
        }
        let old = place.of(source);
        let mut patches = vec![Patch { file: found.file, span: at(place), text: phrasing::in_case_of(old, word) }];
        let line_end = source[place.end..].find('\n').map_or(source.len(), |end| place.end + end);
        if let Some((span, text)) = phrasing::emoji_change(&source[..place.start], word) {
            patches.push(Patch { file: found.file, span: at(span), text });
        }
        let anchor = format!("#{}", old.to_lowercase().replace(' ', "-"));
        if let Some(start) = source[place.end..line_end].find(&format!("{anchor})")).filter(|_| source[place.end..].starts_with("](")) {
            let start = place.end + start + 1;
            let span = at(Span::new(start, start + anchor.len() - 1));
            patches.push(Patch { file: found.file, span, text: word.to_lowercase().replace(' ', "-") });
        }
        let simple = patches.clone();
        if let Some(new_date) = new_date
            && let Some(found_date) =
                date::find(&source[place.end..line_end]).filter(|found| found.raw.len() == 10 && found.iso.as_deref() == Some(found.raw))
        {
            let start = place.end + found_date.start;
            patches.push(Patch { file: found.file, span: at(Span::new(start, start + found_date.raw.len())), text: new_date.to_owned() });
        }
        ways.extend(padded(draft, found, &patches));
        let is_more = simple.len() < patches.len();
        ways.push(patches);
        ways.extend(Some(simple).filter(|_| is_more));
    }
    ways
}

/// In a table's cell, blanks behind the value give way or grow, so that its columns stay in line.
fn padded(draft: &Draft<'_>, found: Found, patches: &[Patch]) -> Option<Vec<Patch>> {
    let text = draft.text(found.file);
    let rest = text.get(found.span.end..)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    let [patch] = patches else { return None };
    if !rest[blanks..].starts_with('|')
        || blanks == 0
        || text[..found.span.start].rfind('\n').is_some_and(|at| !text[at..found.span.start].contains('|'))
    {
        return None;
    }
    let width = |text: &str| text.chars().count();
    let (old, new) = (width(patch.span.of(text)), width(&patch.text));
    let kept = (blanks + old).checked_sub(new).filter(|kept| *kept >= 1).unwrap_or(1);
    let inner = text.get(patch.span.end..found.span.end)?;
    // A table without padding gets none; where the lines beside it are as long, it is padded by its widest cell.
    if blanks == 1 && kept != 1 && !is_in_line(text, found.span.start) {
        return None;
    }
    let replacement = format!("{}{inner}{}", patch.text, " ".repeat(kept));
    Some(vec![Patch { file: patch.file, span: Span::new(patch.span.start, found.span.end + blanks), text: replacement }])
}

/// Whether the line that holds byte `at` is as long as the one before or behind it.
fn is_in_line(text: &str, at: usize) -> bool {
    let lines = document::Lines::of(text);
    let number = lines.line_number(at);
    let length = |number: u32| {
        let start = lines.start_of(number)?;
        text[start..].lines().next().map(|line| line.chars().count())
    };
    let own = length(number);
    own.is_some() && (number.checked_sub(1).and_then(length) == own || length(number + 1) == own)
}

/// What stands there states a relation and stays: the new word goes before it, in a section as a line of its own.
fn before_the_rest(draft: &Draft<'_>, found: Found, statement: &Statement, word: &str) -> Vec<Vec<Patch>> {
    let source = found.span.of(draft.text(found.file));
    let Some(place) = places_of_word(source, &statement.reading).into_iter().next() else { return Vec::new() };
    let styled = phrasing::in_case_of(place.of(source), word);
    let mut ways = Vec::new();
    if statement.place == Place::Section {
        ways.extend(draft.before_line(found.file, statement.line_number, &format!("{styled}\n")).map(|patch| vec![patch]));
    }
    let start = found.span.start + place.start;
    ways.push(vec![Patch { file: found.file, span: Span::new(start, start), text: format!("{styled}, ") }]);
    ways
}

/// A value that says nothing yet, is a template's, or cannot be read.
fn filled(draft: &Draft<'_>, facts: &Gathered<'_>, statement: &Statement, word: &str) -> Vec<Vec<Patch>> {
    let Some(found) = value::of_statement(draft, facts, statement) else { return Vec::new() };
    let text = draft.text(found.file);
    let source = found.span.of(text);
    let styled = match statement.place {
        Place::Section | Place::Line | Place::Table | Place::Header => phrasing::capitalised(word),
        _ if source.trim_start_matches(|character: char| !character.is_alphabetic()).starts_with(char::is_uppercase) => phrasing::capitalised(word),
        _ => word.to_owned(),
    };
    let mut ways = Vec::new();
    let whole = |text: String| vec![Patch { file: found.file, span: found.span, text }];
    if statement.reading == Reading::Unreadable {
        if statement.place == Place::Section {
            ways.extend(draft.before_line(found.file, statement.line_number, &format!("{styled}\n")).map(|patch| vec![patch]));
        }
        ways.push(vec![Patch { file: found.file, span: Span::new(found.span.start, found.span.start), text: format!("{styled}, ") }]);
        return ways;
    }
    if matches!(statement.place, Place::FrontMatter | Place::Sidecar) {
        ways.extend(front_matter::replaced_scalar(draft, found, &styled).map(|patch| vec![patch]));
    }
    // A remark behind the value stays.
    let value_end = source.find("<!--").map_or(source.len(), |at| source[..at].trim_end().len());
    let needs_blank = found.span.start > 0 && !text[..found.span.start].ends_with([' ', '\n', '\t']);
    let lead = if needs_blank { " " } else { "" };
    let tail = if value_end == 0 && !source.is_empty() { " " } else { "" };
    ways.push(vec![Patch {
        file: found.file,
        span: Span::new(found.span.start, found.span.start + value_end),
        text: format!("{lead}{styled}{tail}"),
    }]);
    ways.push(whole(styled));
    ways
}

/// `[x] proposed` and `[ ] accepted`: the mark moves.
fn checked_box(draft: &Draft<'_>, statement: &Statement, word: &str) -> Vec<Vec<Patch>> {
    if statement.place != Place::Section || !statement.raw.to_lowercase().starts_with("[x]") {
        return Vec::new();
    }
    let text = draft.text(0);
    let mark = |line_number: u32, from: &[&str], to: &str| {
        let line = draft.line(0, line_number)?;
        let at = from.iter().find_map(|mark| line.of(text).find(mark))?;
        Some(Patch { file: 0, span: Span::new(line.start + at, line.start + at + 3), text: to.to_owned() })
    };
    let other = (statement.line_number.saturating_sub(12)..statement.line_number + 12).find(|number| {
        draft.line(0, *number).is_some_and(|line| {
            let bare = line.of(text).trim_start_matches([' ', '-', '*', '+']);
            bare.strip_prefix("[ ]").is_some_and(|label| phrasing::is_same(plain::words(label).trim(), word))
        })
    });
    let Some(other) = other else { return Vec::new() };
    let patches = [mark(statement.line_number, &["[x]", "[X]"], "[ ]"), mark(other, &["[ ]"], "[x]")];
    patches.into_iter().collect::<Option<Vec<_>>>().into_iter().collect()
}

/// A list `2020-01-01: proposed`, newest first, grows instead of losing what was.
fn dated_history(draft: &Draft<'_>, statement: &Statement, word: &str, new_date: Option<&str>) -> Vec<Vec<Patch>> {
    let Some(new_date) = new_date.filter(|_| statement.place == Place::Section) else { return Vec::new() };
    let text = draft.text(0);
    let Some(line) = draft.line(0, statement.line_number) else { return Vec::new() };
    let source = line.of(text);
    let indent = source.len() - source.trim_start_matches([' ', '-', '*', '+']).len();
    let Some(found) = date::find(&source[indent..]).filter(|found| found.start <= 2 && indent > 0 && found.iso.as_deref() == Some(found.raw)) else {
        return Vec::new();
    };
    if found.raw >= new_date {
        return Vec::new();
    }
    let Some(place) = places_of_word(source, &statement.reading).into_iter().next() else { return Vec::new() };
    let start = indent + found.start;
    let between = &source[start + found.raw.len()..place.start.max(start + found.raw.len())];
    let new = format!("{}{new_date}{between}{}", &source[..start], phrasing::in_case_of(place.of(source), word));
    draft.before_line(0, statement.line_number, &new).map(|patch| vec![patch]).into_iter().collect()
}

/// A status among the tags.
fn in_tags(draft: &Draft<'_>, facts: &Gathered<'_>, word: &str) -> Vec<Vec<Patch>> {
    if draft.place_of_status() != Some("tags") {
        return Vec::new();
    }
    let old = draft.document.record().map(|record| record.status.word.clone()).unwrap_or_default();
    let entries = facts.entries.iter().filter(|entry| entry.field() == Some(Field::Tags));
    let one = |entry: &Entry| {
        let found = value::of_entry(draft, facts, entry)?;
        let source = found.span.of(draft.text(found.file));
        let place = phrasing::occurrences(source, &old).into_iter().next()?;
        let span = Span::new(found.span.start + place.start, found.span.start + place.end);
        Some(vec![Patch { file: found.file, span, text: phrasing::in_case_of(place.of(source), &word.replace(' ', "-")) }])
    };
    entries.filter_map(one).collect()
}

/// Ways to say in one statement that the record is superseded, and by which.
pub(super) fn joint_ways(
    draft: &Draft<'_>,
    facts: &Gathered<'_>,
    word: &str,
    date: Option<&str>,
    kind: RelationKind,
    pointer: &Pointer,
) -> Vec<Vec<Patch>> {
    if kind != RelationKind::SupersededBy || facts.entries.iter().any(|entry| entry.field() == Some(Field::Relation(kind))) {
        return Vec::new();
    }
    let statements = standing::statements(facts);
    let Some(chosen) = statements.iter().find(|statement| standing::is_word(statement)) else { return Vec::new() };
    let is_madr = chosen.place == Place::FrontMatter && front_matter::is_madr(facts);
    if matches!(chosen.place, Place::FrontMatter | Place::Sidecar | Place::Header | Place::Tags) && !is_madr {
        return Vec::new();
    }
    let Some(found) = value::of_statement(draft, facts, chosen) else { return Vec::new() };
    let target = if is_madr {
        pointer.number.as_deref().map_or_else(|| pointer.relative_path.clone(), |number| format!("{}-{number}", pointer::kind(pointer)))
    } else {
        pointer::link(draft, facts, pointer)
    };
    let mut ways: Vec<Vec<Patch>> = Vec::new();
    for way in replaced(draft, found, chosen, word, date) {
        let Some(first) = way.first().filter(|first| first.text.trim_end() == first.text) else { continue };
        let text = draft.text(found.file);
        // The words that name the other stand behind the status word, outside of what decorates it.
        let rest = text.get(first.span.end..found.span.end).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let marks = line.len() - line.trim_start_matches(['*', '_', '`']).len();
        let behind = &line[marks..];
        // `Implemented in …` goes on as a sentence of its own.
        if marks == 0 && [" in ", " and ", " as ", " with "].iter().any(|start| behind.starts_with(start)) {
            let at = first.span.start;
            ways.push(vec![Patch { file: found.file, span: Span::new(at, at), text: format!("{} by {target}. ", first.text) }]);
        }
        if !(behind.trim().is_empty() || behind.starts_with([' ', ',', '.', ';', ')', '(']) || is_madr) {
            continue;
        }
        let joined = Patch {
            span: Span::new(first.span.start, first.span.end + marks),
            text: format!("{}{} by {target}", first.text, &line[..marks]),
            ..first.clone()
        };
        ways.extend(padded(draft, found, std::slice::from_ref(&joined)).filter(|_| way.len() == 1));
        ways.push(std::iter::once(joined).chain(way.into_iter().skip(1)).collect());
    }
    let others = others(draft, facts, &statements, chosen, word, date);
    with_others(ways, &others)
}
