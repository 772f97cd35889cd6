//! Passages: the unit of retrieval. A section cut at paragraph borders into pieces that a model reads at one glance.

use crate::{Document, Span};

/// About how many tokens a passage holds at most (DESIGN §7).
pub const PASSAGE_TOKENS: usize = 250;

/// A stretch of a document inside one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Index into the document's sections.
    pub section_index: usize,
    /// Where in the document's text.
    pub span: Span,
}

/// A rough count of model tokens: four letters of alphabetic scripts make one, each ideograph or syllable sign is one.
#[must_use]
pub fn estimated_tokens(text: &str) -> usize {
    let mut quarters = 0;
    for character in text.chars() {
        quarters += if is_dense(character) { 4 } else { 1 };
    }
    usize::div_ceil(quarters, 4)
}

/// Scripts written without blanks, of which a tokenizer makes about one token per character.
fn is_dense(character: char) -> bool {
    matches!(u32::from(character), 0x0E00..=0x0E7F | 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// The passages of a document, in order. Blank stretches give none; a document without any text gives none at all.
#[must_use]
pub fn passages(document: &Document) -> Vec<Passage> {
    let mut passages = Vec::new();
    for (section_index, section) in document.sections.iter().enumerate() {
        let mut start = section.span.start;
        let mut tokens = 0;
        for piece in pieces(&document.text, section.span) {
            let size = estimated_tokens(piece.of(&document.text));
            if tokens > 0 && tokens + size > PASSAGE_TOKENS {
                push(&mut passages, &document.text, section_index, Span::new(start, piece.start));
                start = piece.start;
                tokens = 0;
            }
            tokens += size;
        }
        push(&mut passages, &document.text, section_index, Span::new(start, section.span.end));
    }
    passages
}

fn push(passages: &mut Vec<Passage>, text: &str, section_index: usize, span: Span) {
    let raw = span.of(text);
    let inner = raw.trim();
    if !inner.is_empty() {
        let start = span.start + (raw.len() - raw.trim_start().len());
        passages.push(Passage { section_index, span: Span::new(start, start + inner.len()) });
    }
}

/// Paragraphs of a section; those that are too long by themselves come as lines, too long lines as sentences, and too long sentences as runs of characters.
fn pieces(text: &str, section: Span) -> Vec<Span> {
    let mut out = Vec::new();
    for paragraph in split_after(text, section, "\n\n") {
        divide(text, paragraph, &["\n", ". ", "。", " "], &mut out);
    }
    out
}

fn divide(text: &str, span: Span, separators: &[&str], out: &mut Vec<Span>) {
    if estimated_tokens(span.of(text)) <= PASSAGE_TOKENS {
        out.push(span);
        return;
    }
    let Some((separator, finer)) = separators.split_first() else {
        let mut start = span.start;
        let mut tokens = 0;
        for (at, character) in span.of(text).char_indices() {
            let size = estimated_tokens(character.encode_utf8(&mut [0; 4]));
            if tokens + size > PASSAGE_TOKENS {
                out.push(Span::new(start, span.start + at));
                start = span.start + at;
                tokens = 0;
            }
            tokens += size;
        }
        out.push(Span::new(start, span.end));
        return;
    };
    for part in split_after(text, span, separator) {
        divide(text, part, finer, out);
    }
}

fn split_after(text: &str, span: Span, separator: &str) -> Vec<Span> {
    let mut parts = Vec::new();
    let mut start = span.start;
    for (found, _) in span.of(text).match_indices(separator) {
        let end = span.start + found + separator.len();
        parts.push(Span::new(start, end));
        start = end;
    }
    if start < span.end {
        parts.push(Span::new(start, span.end));
    }
    parts
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{PASSAGE_TOKENS, estimated_tokens, passages};
    use crate::{Document, Facts, Kind, Scheme, Span, Stamp, Syntax, Uri, outline};

    fn document(text: &str) -> Document {
        let body = Span::new(0, text.len());
        Document {
            uri: Uri::new(Scheme::Note, "n/a"),
            kind: Kind::Notes,
            path: "a.md".into(),
            title: "a".into(),
            description: String::new(),
            text: text.into(),
            body,
            sections: outline(text, body, Syntax::Markdown),
            links: Vec::new(),
            tags: Vec::new(),
            date: None,
            stamp: Stamp::of(text.as_bytes()),
            facts: Facts::Plain,
        }
    }

    #[test]
    fn a_long_section_is_cut_at_paragraphs() {
        let paragraph = "word ".repeat(150);
        let text = format!("# A\n\n{paragraph}\n\n{paragraph}\n\n# B\n\nshort\n");
        let document = document(&text);
        let cut = passages(&document);
        assert_eq!(cut.len(), 3);
        assert!(cut[0].span.of(&text).starts_with("# A"));
        assert!(cut[1].span.of(&text).starts_with("word"));
        assert_eq!(cut[2].span.of(&text), "# B\n\nshort");
        assert_eq!(cut[2].section_index, 2);
    }

    proptest! {
        #[test]
        fn passages_hold_every_word_once_and_stay_small(text in "([a-zé漢字# ]{0,80}(\n|\n\n|。)){0,20}") {
            let document = document(&text);
            let cut = passages(&document);
            let joined: String = cut.iter().flat_map(|passage| passage.span.of(&text).chars()).filter(|character| !character.is_whitespace()).collect();
            let expected: String = text.chars().filter(|character| !character.is_whitespace()).collect();
            prop_assert_eq!(joined, expected);
            for passage in &cut {
                prop_assert!(estimated_tokens(passage.span.of(&text)) <= PASSAGE_TOKENS + 2);
                let section = &document.sections[passage.section_index];
                prop_assert!(passage.span.start >= section.span.start && passage.span.end <= section.span.end);
            }
        }
    }
}
