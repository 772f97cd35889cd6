//! Snippets: what a listing shows of a record that was found by words. A short verbatim stretch around the match, with its citation.

use document::{Citation, Document, Span, passages};

use super::quote::{around, distinct, found};
use crate::cite;

/// How many characters a snippet has at most, the dots of its cuts among them.
const SNIPPET_CHARS: usize = 240;

/// Words of a text around a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snippet {
    /// Where the words stand.
    pub citation: Citation,
    /// The words, verbatim.
    pub quote: String,
    /// Whether the passage begins before them.
    pub is_cut_before: bool,
    /// Whether the passage goes on behind them.
    pub is_cut_behind: bool,
    /// What was found, as bytes of the quote.
    found: Vec<Span>,
}

impl Snippet {
    /// The words, with `…` where the passage was cut.
    #[must_use]
    pub fn text(&self) -> String {
        let dots = |is_cut: bool| if is_cut { "…" } else { "" };
        format!("{}{}{}", dots(self.is_cut_before), self.quote, dots(self.is_cut_behind))
    }

    /// The same match in at most `most_chars` characters.
    #[must_use]
    pub fn shortened(&self, most_chars: usize) -> Self {
        if self.text().chars().count() <= most_chars {
            return self.clone();
        }
        let kept = around(&self.quote, Span::new(0, self.quote.len()), &self.found, room(most_chars));
        let (before, quote) = (&self.quote[..kept.start], kept.of(&self.quote));
        let lines = |text: &str| u32::try_from(text.matches('\n').count()).unwrap_or(u32::MAX);
        let char_start = self.citation.char_start + before.chars().count();
        let line_start = self.citation.line_start + lines(before);
        Self {
            citation: Citation {
                char_start,
                char_end: char_start + quote.chars().count(),
                line_start,
                line_end: line_start + lines(quote),
                ..self.citation.clone()
            },
            quote: quote.to_owned(),
            is_cut_before: self.is_cut_before || kept.start > 0,
            is_cut_behind: self.is_cut_behind || kept.end < self.quote.len(),
            found: within(&self.found, kept),
        }
    }

    fn of(document: &Document, passage: Span, found: &[Span]) -> Self {
        let text = &document.text;
        let most_chars = if passage.of(text).chars().count() <= SNIPPET_CHARS { SNIPPET_CHARS } else { room(SNIPPET_CHARS) };
        let kept = around(text, passage, found, most_chars);
        Self {
            citation: cite(document, kept),
            quote: kept.of(text).to_owned(),
            is_cut_before: kept.start > passage.start,
            is_cut_behind: kept.end < passage.end,
            found: within(found, kept),
        }
    }
}

/// Characters that are left for words when both ends are cut.
const fn room(most_chars: usize) -> usize {
    most_chars.saturating_sub(2)
}

fn within(found: &[Span], kept: Span) -> Vec<Span> {
    let inside = found.iter().filter(|span| span.start >= kept.start && span.end <= kept.end);
    inside.map(|span| Span::new(span.start - kept.start, span.end - kept.start)).collect()
}

/// The snippet of a document found by `terms`, best in the passage `best`; else from the passage with most of the words. `None` where only its
/// title, tags or other metadata have them: a heading that repeats the title is the title.
pub(crate) fn by_terms(document: &Document, best: Span, terms: &[String]) -> Option<Snippet> {
    let title = title_in_text(document);
    let of = |passage: Span| {
        let mut spans = found(&document.text, passage, terms);
        spans.retain(|span| title.is_none_or(|title| span.end <= title.start || span.start >= title.end));
        spans
    };
    let in_best = if best.end <= document.text.len() && best.start < best.end { of(best) } else { Vec::new() };
    if !in_best.is_empty() {
        return Some(Snippet::of(document, best, &in_best));
    }
    let mut most: Option<(usize, Span, Vec<Span>)> = None;
    for passage in passages(document) {
        let spans = of(passage.span);
        let words = distinct(&document.text, &spans);
        if words > most.as_ref().map_or(0, |(words, ..)| *words) {
            most = Some((words, passage.span, spans));
        }
    }
    most.map(|(_, passage, spans)| Snippet::of(document, passage, &spans))
}

/// The snippet of a document that holds `piece`, compared without case; `None` where its body does not.
pub(crate) fn by_piece(document: &Document, piece: &str) -> Option<Snippet> {
    let at = span_of(&document.text, document.body, piece)?;
    let around = passages(document).into_iter().map(|passage| passage.span).find(|passage| passage.start <= at.start && at.start < passage.end);
    let passage = around.map_or(at, |passage| Span::new(passage.start, passage.end.max(at.end)));
    Some(Snippet::of(document, passage, &[at]))
}

/// Where the heading stands that repeats the title, if the text has one.
fn title_in_text(document: &Document) -> Option<Span> {
    // Numbers in front of it (`3. Use Kafka`) are no part of a title.
    let section = document.sections.iter().find(|section| section.level > 0).filter(|section| section.heading.ends_with(&document.title))?;
    let text = section.span.of(&document.text);
    let end = text.find(document.title.as_str()).map_or_else(|| text.find('\n').unwrap_or(text.len()), |at| at + document.title.len());
    Some(Span::new(section.span.start, section.span.start + end))
}

/// The first place of `piece` in a stretch of `text`, compared as the store compares: composed and in lower case.
fn span_of(text: &str, stretch: Span, piece: &str) -> Option<Span> {
    let raw = stretch.of(text);
    let mut folded = String::with_capacity(raw.len());
    // Where each base character with its marks begins: in the folded text, in the text.
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut characters = raw.char_indices().peekable();
    while let Some((start, _)) = characters.next() {
        let is_mark = |character: char| unicode_normalization::char::is_combining_mark(character);
        while characters.next_if(|(_, next)| is_mark(*next)).is_some() {}
        let end = characters.peek().map_or(raw.len(), |(at, _)| *at);
        places.push((folded.len(), start));
        folded.push_str(&store::fold(&raw[start..end]));
    }
    places.push((folded.len(), raw.len()));
    let piece = store::fold(piece);
    let from = folded.find(&piece)?;
    let first = places.partition_point(|(at, _)| *at <= from).checked_sub(1)?;
    let last = places.partition_point(|(at, _)| *at < from + piece.len());
    let (start, end) = (places.get(first)?.1, places.get(last)?.1);
    Some(Span::new(stretch.start + start, stretch.start + end))
}
