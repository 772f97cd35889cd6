//! Blocks of a record's body, the same for Markdown, reST and AsciiDoc, so that every place of metadata is read once for all three.

use document::{Event, Lines, Span, Syntax};

/// A block with its source text, quote marks and indentation removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) kind: Kind,
    /// 1-based line of its first character.
    pub(super) line_number: u32,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Heading {
        level: u8,
        /// Without markup.
        text: String,
        /// With markup.
        raw: String,
    },
    Paragraph {
        text: String,
        is_quoted: bool,
    },
    Item {
        text: String,
        depth: usize,
    },
    Row {
        cells: Vec<String>,
        is_head: bool,
    },
    /// A named value of reST or AsciiDoc: `:state: draft`.
    Field {
        key: String,
        value: String,
    },
    Code {
        text: String,
    },
    /// HTML, rules, directives: no metadata stands in them.
    Other,
}

/// The blocks of `body` in `text`.
pub(super) fn blocks(text: &str, body: Span, syntax: Syntax) -> Vec<Block> {
    match syntax {
        Syntax::Markdown => markdown(text, body),
        Syntax::Rest => super::rest::blocks(text, body),
        Syntax::AsciiDoc => super::asciidoc::blocks(text, body),
    }
}

fn markdown(text: &str, body: Span) -> Vec<Block> {
    let lines = Lines::of(text);
    document::blocks(text, body)
        .into_iter()
        .map(|event| match event {
            Event::Heading { level, text: plain, span } => {
                let raw = span.of(text).trim().trim_start_matches('#').trim_end_matches(['=', '-', '\n', '\r']).trim().to_owned();
                Block { kind: Kind::Heading { level, text: without_anchor(&plain), raw }, line_number: lines.line_number(span.start) }
            }
            Event::Paragraph { span, is_quoted } => {
                Block { kind: Kind::Paragraph { text: dequoted(span.of(text)), is_quoted }, line_number: lines.line_number(span.start) }
            }
            Event::Item { span, depth } => {
                Block { kind: Kind::Item { text: without_marker(&dequoted(span.of(text))), depth }, line_number: lines.line_number(span.start) }
            }
            Event::Row { cells, is_head } => {
                let line_number = cells.first().map_or(1, |cell| lines.line_number(cell.start));
                let cells = cells.into_iter().map(|cell| cell.of(text).to_owned()).collect();
                Block { kind: Kind::Row { cells, is_head }, line_number }
            }
            Event::Code { span } => Block { kind: Kind::Code { text: span.of(text).to_owned() }, line_number: lines.line_number(span.start) },
            Event::Html { span } | Event::Rule { span } => Block { kind: Kind::Other, line_number: lines.line_number(span.start) },
        })
        .collect()
}

/// A heading without a trailing `{#anchor}` that the parser left in place.
pub(super) fn without_anchor(heading: &str) -> String {
    let trimmed = heading.trim();
    match trimmed.rfind("{#") {
        Some(at) if trimmed.ends_with('}') => trimmed[..at].trim().to_owned(),
        _ => trimmed.to_owned(),
    }
}

/// Lines without quote marks and indentation.
fn dequoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if !out.is_empty() {
            out.push('\n');
        }
        let mut line = line.trim();
        while let Some(inner) = line.strip_prefix('>') {
            line = inner.trim_start();
        }
        out.push_str(line);
    }
    out
}

/// An item's text without its list marker.
pub(super) fn without_marker(text: &str) -> String {
    let trimmed = text.trim_start();
    let digits = trimmed.bytes().take_while(u8::is_ascii_digit).count();
    let rest = match trimmed.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => Some(&trimmed[digits + 1..]),
        Some(b'-' | b'*' | b'+') if digits == 0 => Some(&trimmed[1..]),
        _ => None,
    };
    match rest {
        Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => rest.trim().to_owned(),
        _ => trimmed.trim_end().to_owned(),
    }
}
