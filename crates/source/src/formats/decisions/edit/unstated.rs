//! Ways to give a status to a record that states none, each in the way of its format. No front matter is made where there is none.

use document::{Span, Syntax};

use super::draft::{Draft, Patch};
use super::{front_matter, phrasing};
use crate::formats::decisions::entry::{Entry, Field, Place};
use crate::formats::decisions::places;
use crate::formats::decisions::reader::Gathered;

/// Ways in the order of how well they fit.
pub(super) fn ways(draft: &Draft<'_>, facts: &Gathered<'_>, word: &str) -> Vec<Vec<Patch>> {
    let mut ways: Vec<Option<Patch>> = Vec::new();
    ways.push(empty_section(draft, facts, word));
    if !draft.files.sidecars.is_empty() {
        ways.push(front_matter::new_key(draft, facts, Place::Sidecar, "status", word));
    }
    ways.push(front_matter::new_key(draft, facts, Place::FrontMatter, "status", word));
    ways.extend(beside_entries(draft, facts, "Status", word, true));
    let is_madr = facts.parts.iter().filter_map(|part| part.heading).any(|heading| front_matter::is_madr_section(heading.text));
    if is_madr && draft.opened.syntax == Syntax::Markdown {
        ways.push(bullet_behind_title(draft, facts, word));
    }
    ways.push(new_section(draft, facts, "Status", &phrasing::capitalised(word)));
    ways.push(last_section(draft, facts, "Status", &phrasing::capitalised(word)));
    ways.into_iter().flatten().map(|patch| vec![patch]).collect()
}

/// A heading `Status` with nothing below it.
fn empty_section(draft: &Draft<'_>, facts: &Gathered<'_>, word: &str) -> Option<Patch> {
    let part = places::status_parts(&facts.parts, facts.title).into_iter().find(|part| places::status_texts(part).is_empty())?;
    let heading = part.heading?;
    let underline = u32::from(is_underlined(draft, heading.line_number));
    draft.behind_line(0, heading.line_number + underline, &format!("\n{}", phrasing::capitalised(word)))
}

fn is_underlined(draft: &Draft<'_>, line_number: u32) -> bool {
    draft.line(0, line_number + 1).is_some_and(|line| {
        let text = line.of(draft.text(0)).trim();
        let mut bytes = text.bytes();
        text.len() >= 2 && bytes.next().is_some_and(|first| first.is_ascii_punctuation() && bytes.all(|byte| byte == first))
    })
}

/// A new entry beside those that stand in a list, table, line or header, in their spelling.
pub(super) fn beside_entries(draft: &Draft<'_>, facts: &Gathered<'_>, key: &str, value: &str, is_word: bool) -> Vec<Option<Patch>> {
    let known = |entry: &&Entry| {
        matches!(entry.place, Place::List | Place::Table | Place::Line | Place::Header)
            && entry.field().is_some_and(|field| field != Field::Description)
    };
    let entries: Vec<&Entry> = facts.entries.iter().filter(known).collect();
    // A lone `Date:` line is adr-tools', which has a section for the status.
    let is_lone_line = entries.len() == 1 && entries.iter().all(|entry| entry.place == Place::Line && !is_bold(draft, entry));
    if is_word && is_lone_line && facts.parts.len() > 1 {
        return Vec::new();
    }
    let date = |entry: &&&Entry| matches!(entry.field(), Some(Field::Date(_)));
    let status = |entry: &&&Entry| entry.field() == Some(Field::Status);
    let preferred = if is_word { entries.iter().find(date) } else { entries.iter().rfind(status) };
    let models = preferred.into_iter().chain(entries.first()).chain(entries.last());
    models.map(|model| new_entry(draft, model, key, value, is_word)).collect()
}

fn is_bold(draft: &Draft<'_>, entry: &Entry) -> bool {
    draft.line(0, entry.line_number).is_some_and(|line| line.of(draft.text(0)).contains("**"))
}

fn new_entry(draft: &Draft<'_>, model: &Entry, key: &str, value: &str, is_before: bool) -> Option<Patch> {
    let text = draft.text(0);
    let line = draft.line(0, model.line_number)?;
    let source = line.of(text);
    let at = source.find(&model.key)?;
    let is_lower = model.key.starts_with(char::is_lowercase);
    let key = match (is_lower, model.place) {
        (true, _) => key.to_lowercase(),
        (false, Place::Header) if model.key.contains('-') || draft.opened.syntax == Syntax::Rest => key.replace(' ', "-").replace("-by", "-By"),
        _ => key.to_owned(),
    };
    let key = if model.place == Place::Header && is_lower { key.replace(' ', "-") } else { key };
    let new = match model.place {
        Place::Table => table_row(source, model, &key, value)?,
        _ => {
            let behind_key = &source[at + model.key.len()..];
            let marks = behind_key.len() - behind_key.trim_start_matches(['*', '_', '`', ':', '：']).len();
            let gap = &behind_key[marks..];
            let gap = &gap[..gap.len() - gap.trim_start().len()];
            let gap = if gap.is_empty() || model.raw.is_empty() { " " } else { gap };
            // A hard break at the line's end, so that the lines stay apart.
            let is_line = model.place == Place::Line;
            let tail = if is_line && source.ends_with("  ") {
                "  "
            } else if is_line && source.ends_with('\\') {
                "\\"
            } else {
                ""
            };
            if is_line && source[..at].contains('|') {
                return None;
            }
            format!("{}{key}{}{gap}{value}{tail}", &source[..at], &behind_key[..marks])
        }
    };
    if is_before && model.place != Place::Table {
        return draft.before_line(0, model.line_number, &new);
    }
    let mut last = model.line_number;
    if matches!(model.place, Place::List | Place::Header) {
        // Continued lines belong to their entry.
        while draft.line(0, last + 1).is_some_and(|line| line.of(text).starts_with([' ', '\t']) && !line.of(text).trim().is_empty()) {
            last += 1;
        }
    }
    draft.behind_line(0, last, &new)
}

/// A row of a table with two columns; blanks fill it up to the width of the row above.
fn table_row(source: &str, model: &Entry, key: &str, value: &str) -> Option<String> {
    let cells = super::value::cells(source);
    let [first, second] = cells.as_slice() else { return None };
    let key_text = first.of(source);
    let decorated = key_text.replace(&model.key, key);
    let fill = |old: &Span, new: &str, until: usize| {
        let room = source.get(old.end..until).unwrap_or_default().chars().count() + old.of(source).chars().count();
        let used = new.chars().count();
        let least = usize::from(source.get(old.end..until).is_some_and(|gap| !gap.is_empty()));
        " ".repeat(room.saturating_sub(used).max(least))
    };
    let first_bar = first.end + source[first.end..].find('|')?;
    let last_bar = second.end + source[second.end..].find('|').unwrap_or(source.len() - second.end);
    let between = source.get(first_bar..second.start)?;
    let between = if second.is_empty() { "| " } else { between };
    let head = source.get(..first.start)?;
    let tail = source.get(last_bar..)?;
    Some(format!("{head}{decorated}{}{between}{value}{}{tail}", fill(first, &decorated, first_bar), fill(second, value, last_bar)))
}

/// MADR's list below the title.
fn bullet_behind_title(draft: &Draft<'_>, facts: &Gathered<'_>, word: &str) -> Option<Patch> {
    let heading = facts.title.and_then(|index| facts.parts.get(index)).and_then(|part| part.heading)?;
    let underline = u32::from(is_underlined(draft, heading.line_number));
    let last = heading.line_number + underline;
    let is_blank = draft.line(0, last + 1).is_none_or(|line| line.of(draft.text(0)).trim().is_empty());
    let content = format!("\n* Status: {word}{}", if is_blank { "" } else { "\n" });
    draft.behind_line(0, last, &content)
}

/// A section before the first one, on its level and with its kind of heading.
fn new_section(draft: &Draft<'_>, facts: &Gathered<'_>, name: &str, content: &str) -> Option<Patch> {
    let is_section = |level: u8| facts.title.is_none() || level <= 2 || draft.opened.syntax != Syntax::Markdown;
    let from = facts.title.map_or(0, |title| title + 1);
    let first = facts.parts.iter().skip(from).filter_map(|part| part.heading).find(|heading| is_section(heading.level))?;
    let text = draft.text(0);
    let line = draft.line(0, first.line_number)?;
    let source = line.of(text);
    let heading = match draft.opened.syntax {
        Syntax::Markdown if source.trim_start().starts_with('#') => format!("{} {name}", "#".repeat(usize::from(first.level))),
        Syntax::AsciiDoc => format!("{} {name}", "=".repeat(usize::from(first.level))),
        _ => {
            let under = draft.line(0, first.line_number + 1)?;
            let mark = under.of(text).trim().chars().next()?;
            format!("{name}\n{}", mark.to_string().repeat(name.chars().count().max(3)))
        }
    };
    draft.before_line(0, first.line_number, &format!("{heading}\n\n{content}\n"))
}

/// A section at the end of the record.
pub(super) fn last_section(draft: &Draft<'_>, facts: &Gathered<'_>, name: &str, content: &str) -> Option<Patch> {
    let sections = facts.parts.iter().enumerate().filter(|(index, part)| Some(*index) != facts.title && part.heading.is_some());
    let level = sections.filter_map(|(_, part)| part.heading).map(|heading| heading.level).min().unwrap_or(2).max(2);
    let text = draft.text(0);
    let heading = match draft.opened.syntax {
        Syntax::Markdown => format!("{} {name}", "#".repeat(usize::from(level))),
        Syntax::AsciiDoc => format!("{} {name}", "=".repeat(usize::from(level))),
        Syntax::Rest => {
            let model =
                facts.parts.iter().enumerate().filter(|(index, _)| Some(*index) != facts.title).filter_map(|(_, part)| part.heading).next_back()?;
            let under = draft.line(0, model.line_number + 1)?;
            let mark = under.of(text).trim().chars().next()?;
            format!("{name}\n{}", mark.to_string().repeat(name.chars().count().max(3)))
        }
    };
    let last = draft.last_filled_before(0, draft.line_count(0) + 1, 1);
    draft.behind_line(0, last, &format!("\n{heading}\n\n{content}"))
}
