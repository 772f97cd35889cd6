//! The places of a skeleton filled with what a new record says; places for which nothing was given are taken out.

use document::Span;

use super::super::draft::{Draft, Patch};
use super::super::value::{self, Found};
use super::super::{EditError, front_matter, unstated};
use super::heading::{self, Parts};
use super::{NewRecord, Style, file_name};
use crate::formats::decisions::entry::{Entry, Field, Place};
use crate::formats::decisions::reader::Gathered;
use crate::formats::decisions::{date, places, status, title};

fn parts<'a>(draft: &'a Draft<'_>, style: &'a Style, record: &'a NewRecord) -> Parts<'a> {
    Parts {
        title: record.title.trim(),
        number: record.number.filter(|_| style.has_number()),
        date: &record.date,
        sample_number: style.sample_number.as_deref(),
        record_type: &draft.files.identity.record_type,
    }
}

/// Takes the first of `ways` after which `is_right`; the draft as it was where none is.
fn first_right<'a>(draft: Draft<'a>, ways: Vec<Patch>, is_right: &dyn Fn(&Draft<'_>) -> bool) -> Draft<'a> {
    let found = ways.into_iter().filter_map(|way| draft.with(&[way])).find(|next| is_right(next));
    found.unwrap_or(draft)
}

/// The heading, with the number and words before the title as in the sample.
pub(super) fn title<'a>(draft: Draft<'a>, style: &Style, record: &NewRecord) -> Result<Draft<'a>, EditError> {
    let facts = draft.opened.gathered(draft.files);
    let heading = facts
        .title
        .and_then(|index| facts.parts.get(index))
        .and_then(|part| part.heading)
        .map(|heading| (heading.line_number, heading.raw.to_owned()));
    drop(facts);
    let Some((number, raw)) = heading else { return Ok(draft) };
    let text = draft.text(0);
    let sample = raw.lines().find(|line| line.chars().any(char::is_alphanumeric)).unwrap_or_default().trim();
    let mut patches = Vec::new();
    for line in number..number + 3 {
        let Some(span) = draft.line(0, line) else { break };
        let source = span.of(text);
        let Some(at) = source.find(sample).filter(|_| !sample.is_empty()) else { continue };
        let ways = [false, true].map(|is_escaped| {
            let title = if is_escaped { escaped(record.title.trim()) } else { record.title.trim().to_owned() };
            heading::titled(sample, &Parts { title: &title, ..parts(&draft, style, record) }, style.is_template)
        });
        for new in ways {
            let span = Span::new(span.start + at, span.start + at + sample.len());
            let mut way = vec![Patch { file: 0, span, text: new.clone() }];
            way.extend(adornments(&draft, line, new.chars().count()));
            patches.push(way);
        }
        break;
    }
    let wanted = record.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut tried: Vec<Draft<'a>> = patches.iter().filter_map(|way| draft.with(way)).collect();
    let right = tried.iter().position(|next| next.document.title == wanted).unwrap_or_default();
    Ok(if tried.is_empty() { draft } else { tried.swap_remove(right) })
}

/// Marks that Markdown would read, escaped.
fn escaped(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for character in title.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '#' | '{' | '~' | '!' | '&') {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

/// Lines above and below a title that are as long as it is.
fn adornments(draft: &Draft<'_>, line: u32, length: usize) -> Vec<Patch> {
    let text = draft.text(0);
    let mark = |number: u32| {
        let span = draft.line(0, number)?;
        let source = span.of(text).trim_end();
        let first = source.chars().next().filter(|first| first.is_ascii_punctuation() && !matches!(first, '|' | '>'))?;
        (source.len() >= 3 && source.chars().all(|mark| mark == first)).then_some((span, first))
    };
    let under = mark(line + 1);
    let over = line.checked_sub(1).filter(|above| *above > 0).and_then(mark).filter(|(_, over)| under.is_some_and(|(_, under)| under == *over));
    over.into_iter().chain(under).map(|(span, mark)| Patch { file: 0, span, text: mark.to_string().repeat(length.max(3)) }).collect()
}

/// What an entry of a skeleton becomes.
enum Filling {
    /// Left as it is.
    Kept,
    /// Taken out.
    Out,
    One(String),
    Many(Vec<String>),
}

/// All entries of the metadata but the status.
pub(super) fn entries<'a>(draft: Draft<'a>, style: &Style, record: &NewRecord) -> Result<Draft<'a>, EditError> {
    let facts = draft.opened.gathered(draft.files);
    let has_authors = facts.entries.iter().any(|entry| entry.field() == Some(Field::Authors));
    let mut patches: Vec<Patch> = Vec::new();
    for entry in &facts.entries {
        let filling = filling(&draft, style, record, entry, has_authors);
        let filling = match filling {
            Filling::Many(items) if items.is_empty() => Filling::Out,
            Filling::Many(items) if entry.place != Place::FrontMatter => Filling::One(items.join(", ")),
            other => other,
        };
        match filling {
            Filling::Kept => {}
            Filling::Out => patches.extend(without(&draft, &facts, entry)),
            Filling::One(text) => patches.extend(value::of_entry(&draft, &facts, entry).and_then(|found| written(&draft, found, entry, &text))),
            Filling::Many(items) => patches.extend(value::of_entry(&draft, &facts, entry).and_then(|found| listed(&draft, found, entry, &items))),
        }
    }
    patches.extend(changelog(&draft, &facts, record));
    // Two entries of one line may share a stretch; the first stands.
    patches.sort_by_key(|patch| (patch.span.start, patch.span.end));
    let mut kept: Vec<Patch> = Vec::new();
    for patch in patches {
        if kept.last().is_none_or(|last| last.span.end <= patch.span.start) {
            kept.push(patch);
        }
    }
    drop(facts);
    Ok(if kept.is_empty() { draft } else { draft.with(&kept).unwrap_or(draft) })
}

fn filling(draft: &Draft<'_>, style: &Style, record: &NewRecord, entry: &Entry, has_authors: bool) -> Filling {
    let sample = entry.text();
    match entry.field() {
        Some(Field::Status) => Filling::Kept,
        Some(Field::Date(0 | 2 | 3)) => Filling::One(dated(&sample, &record.date)),
        Some(Field::Authors) => Filling::Many(record.authors.clone()),
        Some(Field::Owners) if !has_authors => Filling::Many(record.authors.clone()),
        Some(Field::Deciders) => Filling::Many(record.deciders.clone()),
        // What an area or category may be, the project says.
        Some(Field::Tags) if matches!(entry.name.as_str(), "tag" | "tags" | "label" | "labels" | "keywords") => Filling::Many(record.tags.clone()),
        Some(Field::Tags) => Filling::Out,
        Some(Field::Title) => Filling::One(heading::titled(&sample, &parts(draft, style, record), style.is_template)),
        Some(Field::Description) => record.description.as_ref().map_or(Filling::Out, |text| Filling::One(text.trim().to_owned())),
        _ if style.number_keys.contains(&entry.name) || (style.is_template && is_number_name(&entry.name)) => match record.number {
            Some(number) if style.has_number() => Filling::One(numbered(&sample, style, number)),
            _ => Filling::Out,
        },
        _ if matches!(entry.name.as_str(), "feature-name" | "feature") => Filling::One(record.title.trim().to_owned()),
        _ if !sample.is_empty() && sample == style.sample_name => Filling::One(file_name::own_name(&draft.document.path).to_owned()),
        Some(Field::Date(_)) => Filling::Out,
        _ if style.is_template && (is_placeholder(&sample) || (sample.is_empty() && entry.place == Place::FrontMatter)) => Filling::Out,
        Some(Field::Consulted | Field::Informed | Field::Relation(_) | Field::Reviewers | Field::Owners) if style.is_template => Filling::Out,
        _ => Filling::Kept,
    }
}

fn is_number_name(name: &str) -> bool {
    matches!(name, "id" | "number" | "adr" | "eip" | "pep" | "nav-order")
}

/// The digits at the end of a sample in their width.
fn numbered(sample: &str, style: &Style, number: u64) -> String {
    let head = sample.trim_end_matches(|last: char| last.is_ascii_digit());
    let digits = &sample[head.len()..];
    let own = style.sample_number.as_deref().unwrap_or_default();
    let width = if digits.starts_with('0') && digits.len() > 1 || digits == own && own.starts_with('0') { digits.len() } else { 1 };
    if digits.is_empty() { number.to_string() } else { format!("{head}{number:0width$}") }
}

/// Whether a value of a template was never meant to stand.
fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let wrapped = [('{', '}'), ('[', ']'), ('<', '>')].iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close));
    wrapped || status::is_template(text) || title::is_template(text) || text.contains("YYYY") || text.contains("fill ") || text.starts_with("\\{")
}

/// A date in the form of another one; ISO where that has none of the known forms.
fn dated(sample: &str, iso: &str) -> String {
    let found = date::find(sample).map(|found| found.raw).unwrap_or_default();
    let [year, month, day] = iso.split('-').collect::<Vec<_>>()[..] else { return iso.to_owned() };
    let parts: Vec<&str> = found.split(['/', '-', '.']).collect();
    let mark = found.chars().find(|character| matches!(character, '/' | '-' | '.'));
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    match (parts.as_slice(), mark) {
        ([first, second, third], Some(mark)) if first.len() <= 2 && third.len() == 4 => {
            let name = month.parse::<usize>().ok().and_then(|month| MONTHS.get(month.checked_sub(1)?)).copied().unwrap_or(month);
            let is_name = second.len() == 3 && second.chars().all(char::is_alphabetic);
            // Day and month can be told apart by whoever reads it.
            format!("{day}{mark}{}{mark}{year}", if is_name { name } else { month })
        }
        ([first, ..], Some('.')) if first.len() == 4 => format!("{year}.{month}.{day}"),
        _ => iso.to_owned(),
    }
}

/// An entry's lines taken out.
fn without(draft: &Draft<'_>, facts: &Gathered<'_>, entry: &Entry) -> Option<Patch> {
    let shares = facts.entries.iter().filter(|other| other.line_number == entry.line_number && other.place == entry.place).count() > 1;
    if shares || entry.place == Place::Sidecar {
        return None;
    }
    let text = draft.text(0);
    let last = match entry.place {
        Place::FrontMatter => {
            let header = document::split_front_matter(text).0?;
            let end = document::Lines::of(text).line_number(header.end);
            let next = facts
                .entries
                .iter()
                .filter(|other| other.place == entry.place)
                .map(|other| other.line_number)
                .filter(|line| *line > entry.line_number)
                .min();
            draft.last_filled_before(0, next.unwrap_or(end), entry.line_number)
        }
        Place::List => draft.block_end(entry.line_number),
        _ => entry.line_number,
    };
    let (first, last) = (draft.line(0, entry.line_number)?, draft.line(0, last)?);
    let end = (last.end + 1).min(text.len());
    // The border of a grid table goes with its row.
    let border =
        text.get(end..).and_then(|rest| rest.lines().next()).filter(|line| entry.place == Place::Table && line.trim_start().starts_with("+-"));
    let end = (end + border.map_or(0, |line| line.len() + 1)).min(text.len());
    Some(Patch { file: 0, span: Span::new(first.start, end), text: String::new() })
}

/// One value in place of another, its quotes, code marks and the remark behind it kept.
fn written(draft: &Draft<'_>, found: Found, entry: &Entry, text: &str) -> Option<Patch> {
    let source = found.span.of(draft.text(found.file));
    if entry.place == Place::FrontMatter {
        return scalar(draft, found, text);
    }
    let value_end = source.find("<!--").map_or(source.len(), |at| source[..at].trim_end().len());
    let value = &source[..value_end];
    let is_code = value.len() >= 2 && value.starts_with('`') && value.ends_with('`') && !text.contains('`');
    let text = if is_code { format!("`{text}`") } else { text.to_owned() };
    let before = &draft.text(found.file)[..found.span.start];
    let lead = if before.ends_with([' ', '\t', '\n']) || entry.place == Place::Table && before.ends_with('|') { "" } else { " " };
    let text = if entry.place == Place::Table { text.replace('|', "\\|") } else { text };
    let text = if value_end == 0 && !source.is_empty() { format!("{text} ") } else { text };
    // Blanks of a cell give way, so that the columns stay in line.
    let rest = draft.text(found.file).get(found.span.end..)?;
    let blanks = rest.len() - rest.trim_start_matches(' ').len();
    if entry.place == Place::Table && rest[blanks..].starts_with('|') && blanks > 0 {
        let room = source.chars().count() + blanks;
        let kept = room.saturating_sub(text.chars().count() + lead.len()).max(1);
        let text = format!("{lead}{text}{}", " ".repeat(kept));
        return Some(Patch { file: found.file, span: Span::new(found.span.start, found.span.end + blanks), text });
    }
    Some(Patch { file: found.file, span: Span::new(found.span.start, found.span.start + value_end), text: format!("{lead}{text}") })
}

/// A YAML scalar in place of a value of one or more lines.
fn scalar(draft: &Draft<'_>, found: Found, text: &str) -> Option<Patch> {
    let whole = draft.text(found.file);
    let source = found.span.of(whole);
    let first = source.lines().next().unwrap_or_default();
    let new = front_matter::scalar_like(first, text);
    let is_toml = whole.starts_with("+++");
    let new = if is_toml { front_matter::quoted(text) } else { new };
    let lead = if whole[..found.span.start].ends_with([':', '=']) { " " } else { "" };
    let remark = if source.lines().count() == 1 { front_matter::remark(first) } else { "" };
    Some(Patch { file: found.file, span: found.span, text: format!("{lead}{new}{remark}") })
}

/// A YAML list in the form of the one that stands there.
fn listed(draft: &Draft<'_>, found: Found, entry: &Entry, items: &[String]) -> Option<Patch> {
    let whole = draft.text(found.file);
    let source = found.span.of(whole);
    let items: Vec<String> = items.iter().map(|item| item.trim().to_owned()).collect();
    let lead = if whole[..found.span.start].ends_with(':') { " " } else { "" };
    let sample = source.lines().find_map(|line| line.trim_start().strip_prefix("- ")).map(str::trim);
    let whole_span = |text: String| Some(Patch { file: found.file, span: found.span, text });
    if let Some(sample) = sample {
        let indent = source.lines().find(|line| line.trim_start().starts_with("- ")).map_or(0, |line| line.len() - line.trim_start().len());
        // The value begins on the key's line or below it; its own indentation is then outside of it.
        let begins_below = whole[..found.span.start].lines().next_back().is_some_and(|line| !line.contains(':'));
        let indent = " ".repeat(indent);
        let list: Vec<String> = items.iter().map(|item| format!("{indent}- {}", front_matter::scalar_like(sample, item))).collect();
        let text = list.join("\n");
        return whole_span(if begins_below { text } else { format!("\n{text}") });
    }
    if source.starts_with('[') || matches!(entry.value, document::Value::Empty) || source.starts_with('{') {
        let inner = source.trim_start_matches('[');
        let list: Vec<String> = items.iter().map(|item| front_matter::scalar_like(inner, item)).collect();
        return whole_span(format!("{lead}[{}]", list.join(", ")));
    }
    scalar(draft, found, &items.join(", "))
}

/// The first line of a changelog gets the date.
fn changelog(draft: &Draft<'_>, facts: &Gathered<'_>, record: &NewRecord) -> Option<Patch> {
    let (text, number) = places::changelog_texts(&facts.parts).into_iter().next()?;
    let line = draft.line(0, number)?;
    let source = line.of(draft.text(0));
    if let Some(found) = date::find(source) {
        let start = line.start + found.start;
        return Some(Patch { file: 0, span: Span::new(start, start + found.raw.len()), text: dated(found.raw, &record.date) });
    }
    let at = source.find(text.lines().next()?)?;
    is_placeholder(text).then(|| Patch { file: 0, span: Span::new(line.start + at, line.end), text: format!("{}: Created", record.date) })
}

/// What was given and has no place yet: title, date, people and tags, each in the way of the format.
pub(super) fn missing<'a>(draft: Draft<'a>, record: &NewRecord) -> Result<Draft<'a>, EditError> {
    let title = record.title.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut draft = draft;
    if draft.document.title != title {
        let has_heading = draft.opened.gathered(draft.files).title.is_some();
        let body = document::Lines::of(draft.text(0)).line_number(draft.opened.body.start);
        if !has_heading {
            let words = record.title.trim();
            let is_blank = draft.line(0, body).is_some_and(|line| line.of(draft.text(0)).trim().is_empty());
            let new = match is_blank {
                true => draft.behind_line(0, body, &format!("# {words}\n")),
                false => draft.before_line(0, body, &format!("{}# {words}\n", if body > 1 { "\n" } else { "" })),
            };
            draft = first_right(draft, new.into_iter().collect(), &|next| next.document.title == title);
        }
    }
    if draft.document.date.as_deref() != Some(record.date.as_str()) {
        draft = stated(draft, "date", "Date", &record.date, &|next| next.document.date.as_deref() == Some(record.date.as_str()));
    }
    let holds = |asked: &[String], found: &[String]| {
        asked.iter().all(|asked| found.iter().any(|found| found.eq_ignore_ascii_case(asked.trim().trim_start_matches(['@', '#']))))
    };
    if !holds(&record.authors, &draft.document.record().map(|record| record.people.authors.clone()).unwrap_or_default()) {
        let is_right = |next: &Draft<'_>| next.document.record().is_some_and(|read| holds(&record.authors, &read.people.authors));
        draft = stated(draft, "authors", "Authors", &record.authors.join(", "), &is_right);
    }
    if !holds(&record.deciders, &draft.document.record().map(|record| record.people.deciders.clone()).unwrap_or_default()) {
        let is_right = |next: &Draft<'_>| next.document.record().is_some_and(|read| holds(&record.deciders, &read.people.deciders));
        draft = stated(draft, "deciders", "Deciders", &record.deciders.join(", "), &is_right);
    }
    if !holds(&record.tags, &draft.document.tags) {
        draft = stated(draft, "tags", "Tags", &record.tags.join(", "), &|next| holds(&record.tags, &next.document.tags));
    }
    Ok(draft)
}

/// A new entry in the header, beside the others, or as a line below the title.
fn stated<'a>(draft: Draft<'a>, key: &str, label: &str, text: &str, is_right: &dyn Fn(&Draft<'_>) -> bool) -> Draft<'a> {
    let facts = draft.opened.gathered(draft.files);
    let items: Vec<String> = text.split(", ").map(front_matter::scalar).collect();
    let value = if key == "date" { text.to_owned() } else { format!("[{}]", items.join(", ")) };
    let mut ways: Vec<Patch> = front_matter::new_key(&draft, &facts, Place::FrontMatter, key, &value).into_iter().collect();
    ways.extend(unstated::beside_entries(&draft, &facts, label, text, false).into_iter().flatten());
    if let Some(heading) = facts.title.and_then(|index| facts.parts.get(index)).and_then(|part| part.heading) {
        let last = draft.block_end(heading.line_number);
        let is_blank = draft.line(0, last + 1).is_none_or(|line| line.of(draft.text(0)).trim().is_empty());
        ways.extend(draft.behind_line(0, last, &format!("\n{label}: {text}{}", if is_blank { "" } else { "\n" })));
    }
    let body = document::Lines::of(draft.text(0)).line_number(draft.opened.body.start);
    ways.extend(draft.before_line(0, body, &format!("{label}: {text}\n")));
    drop(facts);
    let before = draft.document.title.clone();
    first_right(draft, ways, &|next| is_right(next) && next.document.title == before)
}
