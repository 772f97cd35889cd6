//! Citations are made once, here, from stored text.

use document::{Citation, Document, Lines, Span, section_at};

/// The citation of a stretch of a document. `span` must lie on character borders of its text.
#[must_use]
pub fn cite(document: &Document, span: Span) -> Citation {
    let lines = Lines::of(&document.text);
    // The innermost section that holds all of the span: a whole document lies in none, though it may begin with a heading.
    let at = section_at(&document.sections, span.start);
    let around = document.sections.iter().take(at + 1).rev().find(|section| section.span.start <= span.start && span.end <= section.subtree_end);
    let path = around.map_or("0", |section| section.path.as_str());
    let uri = if path == "0" { document.uri.clone() } else { document.uri.clone().with_section(path) };
    Citation {
        uri,
        title: document.title.clone(),
        section: path.to_owned(),
        headings: headings(document, path),
        char_start: lines.characters_before(span.start),
        char_end: lines.characters_before(span.end),
        line_start: lines.line_number(span.start),
        line_end: lines.line_number(span.end.saturating_sub(1).max(span.start)),
        stamp: document.stamp.clone(),
        time: document.date.clone(),
    }
}

/// The headings from the outermost down to the section at `path`.
fn headings(document: &Document, path: &str) -> Vec<String> {
    let mut headings = Vec::new();
    for section in &document.sections {
        let is_above = path == section.path || path.strip_prefix(section.path.as_str()).is_some_and(|rest| rest.starts_with('.'));
        if is_above && !section.heading.is_empty() {
            headings.push(section.heading.clone());
        }
    }
    headings
}
