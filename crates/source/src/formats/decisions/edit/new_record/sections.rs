//! The sections of a new record: given texts go below the heading of their name, others come at the end.

use document::{Section, Span, Syntax};

use super::super::EditError;
use super::super::draft::{Draft, Patch};
use super::NewRecord;
use crate::formats::decisions::words;

/// Names by which one section goes in different formats.
const ALIASES: &[&[&str]] = &[
    &["context", "context and problem statement", "problem", "problem statement", "background", "motivation", "problem description"],
    &["decision", "decision outcome", "outcome", "proposal", "resolution"],
    &["consequences", "implications", "outcomes", "impact"],
    &["options", "considered options", "alternatives", "alternatives considered", "considered alternatives", "rationale and alternatives"],
    &["drivers", "decision drivers", "forces"],
    &["summary", "abstract"],
    &["references", "links", "more information"],
];

/// Puts every given text into its section.
pub(super) fn filled<'a>(draft: Draft<'a>, record: &NewRecord) -> Result<Draft<'a>, EditError> {
    let mut draft = draft;
    let mut taken: Vec<String> = Vec::new();
    for (heading, text) in &record.sections {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let text = text.trim_matches('\n').trim_end();
        let found = named(&draft, heading, &taken);
        let patch = match &found {
            Some(section) => {
                taken.push(section.path.clone());
                body(&draft, section, text)
            }
            None => appended(&draft, heading.trim(), text),
        };
        if let Some(next) = draft.with(&[patch]) {
            draft = next;
        }
    }
    Ok(draft)
}

/// The section that `heading` means: by its own name, else by another name of the same, else the only one that begins with it.
fn named(draft: &Draft<'_>, heading: &str, taken: &[String]) -> Option<Section> {
    let asked = words::folded_heading(heading);
    let facts = draft.opened.gathered(draft.files);
    let title = facts.title.and_then(|index| facts.parts.get(index)).and_then(|part| part.heading).map(|heading| heading.line_number);
    let lines = document::Lines::of(draft.text(0));
    let sections: Vec<(&Section, String)> = draft
        .document
        .sections
        .iter()
        .filter(|section| section.level > 0 && Some(lines.line_number(section.span.start)) != title && !taken.contains(&section.path))
        .map(|section| (section, words::folded_heading(&section.heading)))
        .collect();
    if let Some((section, _)) = sections.iter().find(|(_, name)| *name == asked) {
        return Some((*section).clone());
    }
    let group = ALIASES.iter().find(|group| group.contains(&asked.as_str()));
    if let Some((section, _)) = sections.iter().find(|(_, name)| group.is_some_and(|group| group.contains(&name.as_str()))) {
        return Some((*section).clone());
    }
    let begins: Vec<&(&Section, String)> =
        sections.iter().filter(|(_, name)| name.strip_prefix(&asked).is_some_and(|rest| rest.starts_with([' ', '/', '&']))).collect();
    match begins.as_slice() {
        [(section, _)] => Some((*section).clone()),
        _ => None,
    }
}

/// The own text of a section replaced, its heading kept.
fn body(draft: &Draft<'_>, section: &Section, text: &str) -> Patch {
    let whole = draft.text(0);
    let source = section.span.of(whole);
    let mut end = 0;
    let mut lines = source.split_inclusive('\n').peekable();
    // Headings of reST may have lines above and below; of Markdown, below.
    let mut has_words = false;
    while let Some(line) = lines.peek() {
        let bare = line.trim();
        let is_adornment = bare.len() >= 2 && bare.chars().all(|mark| bare.starts_with(mark) && mark.is_ascii_punctuation());
        let is_heading = !has_words && !bare.is_empty();
        if !(is_heading || (has_words && is_adornment && !bare.starts_with('`'))) {
            break;
        }
        has_words |= !is_adornment;
        end += line.len();
        lines.next();
        if bare.starts_with('#') || (draft.opened.syntax == Syntax::AsciiDoc && bare.starts_with('=')) {
            break;
        }
    }
    let lead = if source[..end].ends_with('\n') { "\n" } else { "\n\n" };
    let is_last = section.span.end >= whole.len();
    Patch { file: 0, span: Span::new(section.span.start + end, section.span.end), text: format!("{lead}{text}\n{}", if is_last { "" } else { "\n" }) }
}

/// A new section at the end.
fn appended(draft: &Draft<'_>, heading: &str, text: &str) -> Patch {
    let whole = draft.text(0);
    let facts = draft.opened.gathered(draft.files);
    let levels = facts.parts.iter().enumerate().filter(|(index, _)| Some(*index) != facts.title).filter_map(|(_, part)| part.heading);
    let level = levels.map(|heading| usize::from(heading.level)).min().unwrap_or(2);
    let head = match draft.opened.syntax {
        Syntax::Markdown => format!("{} {heading}", "#".repeat(level)),
        Syntax::AsciiDoc => format!("{} {heading}", "=".repeat(level)),
        Syntax::Rest => {
            let under = facts.parts.iter().enumerate().filter(|(index, _)| Some(*index) != facts.title).filter_map(|(_, part)| part.heading).next();
            let mark = under.and_then(|heading| draft.line(0, heading.line_number + 1)).and_then(|line| line.of(whole).trim().chars().next());
            format!("{heading}\n{}", mark.unwrap_or('-').to_string().repeat(heading.chars().count().max(3)))
        }
    };
    let end = whole.trim_end().len();
    Patch { file: 0, span: Span::new(end, whole.len()), text: format!("\n\n{head}\n\n{text}\n") }
}
