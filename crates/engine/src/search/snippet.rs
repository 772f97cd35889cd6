//! Snippets: what a listing shows of a record that was found by words. A short verbatim stretch around the match, with its citation.

use std::collections::HashMap;

use document::{Citation, Document, Section, Span, passages};

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

/// The snippet of a document found by `terms`: from the passage `best` if it has all the words that the document has, else from the one with most of
/// those that are rare in it. `None` where only its title, tags or other metadata have them: a heading that repeats the title is the title.
pub(crate) fn by_terms(document: &Document, best: Span, terms: &[String]) -> Option<Snippet> {
    let text = &document.text;
    let title = title_in_text(document);
    let mut holding: Vec<(Span, Vec<Span>)> = Vec::new();
    for passage in passages(document) {
        let mut spans = found(text, passage.span, terms);
        spans.retain(|span| title.is_none_or(|title| span.end <= title.start || span.start >= title.end));
        if !spans.is_empty() {
            holding.push((passage.span, spans));
        }
    }
    let words: Vec<Vec<String>> = holding.iter().map(|(_, spans)| distinct(text, spans)).collect();
    let mut passages_with: HashMap<&str, f64> = HashMap::new();
    for word in words.iter().flatten() {
        *passages_with.entry(word).or_default() += 1.0;
    }
    let weight = |words: &[String]| -> f64 { words.iter().filter_map(|word| passages_with.get(word.as_str())).map(|count| 1.0 / count).sum() };
    let mut most: Option<(f64, usize)> = None;
    for (number, (passage, _)) in holding.iter().enumerate() {
        let weight = weight(words.get(number)?);
        // The best passage of the ranking wins ties, then the first one.
        let is_better = most.is_none_or(|(known, _)| weight > known + 1e-9 || (*passage == best && weight > known - 1e-9));
        if is_better {
            most = Some((weight, number));
        }
    }
    let (passage, spans) = holding.get(most?.1)?;
    let below = below_heading(document, *passage);
    let in_text: Vec<Span> = spans.iter().copied().filter(|span| span.start >= below.start).collect();
    // A heading is named beside the snippet; in it, it stands only where it is what was found.
    Some(if in_text.is_empty() { Snippet::of(document, *passage, spans) } else { Snippet::of(document, below, &in_text) })
}

/// The snippet of a document that holds `piece`, compared without case; `None` where its body does not.
pub(crate) fn by_piece(document: &Document, piece: &str) -> Option<Snippet> {
    let start = title_in_text(document).map_or(document.body.start, |title| title.end);
    let at = span_of(&document.text, Span::new(start, document.body.end), piece)?;
    let around = passages(document).into_iter().map(|passage| passage.span).find(|passage| passage.start <= at.start && at.start < passage.end);
    let passage = around.map_or(at, |passage| Span::new(passage.start, passage.end.max(at.end)));
    let below = below_heading(document, passage);
    let passage = if below.start <= at.start { below } else { passage };
    Some(Snippet::of(document, passage, &[at]))
}

/// Where the heading stands that repeats the title, if the text has one.
fn title_in_text(document: &Document) -> Option<Span> {
    // Numbers in front of it (`3. Use Kafka`) are no part of a title.
    let section = document.sections.iter().find(|section| section.level > 0).filter(|section| section.heading.ends_with(&document.title))?;
    Some(Span::new(section.span.start, heading_end(document, section)))
}

/// A passage without the heading with which it begins, where something stands below that.
fn below_heading(document: &Document, passage: Span) -> Span {
    let section = document.sections.iter().filter(|section| section.level > 0).find(|section| {
        passage.start >= section.span.start && passage.start < section.span.end && document.text[section.span.start..passage.start].trim().is_empty()
    });
    let Some(end) = section.map(|section| heading_end(document, section)).filter(|end| *end < passage.end) else { return passage };
    let rest = &document.text[end..passage.end];
    let start = end + (rest.len() - rest.trim_start().len());
    if start < passage.end { Span::new(start, passage.end) } else { passage }
}

/// Where the heading of a section ends: behind its line, and behind what underlines it.
fn heading_end(document: &Document, section: &Section) -> usize {
    let text = section.span.of(&document.text);
    let mut end = 0;
    let mut has_words = false;
    for line in text.split_inclusive('\n') {
        let is_rule = !line.trim().is_empty() && line.trim().chars().all(|character| character.is_ascii_punctuation());
        if has_words && !is_rule {
            break;
        }
        has_words |= !is_rule && !line.trim().is_empty();
        end += line.len();
    }
    section.span.start + end
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

#[cfg(test)]
mod tests {
    use document::{Document, Facts, Kind, Scheme, Span, Stamp, Syntax, Uri, outline, passages};

    use super::{by_piece, by_terms};

    fn document(title: &str, text: &str) -> Document {
        let body = Span::new(0, text.len());
        Document {
            uri: Uri::new(Scheme::Decision, "a/adr/b"),
            kind: Kind::Decisions,
            path: "b.md".into(),
            title: title.into(),
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

    fn terms(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    const KAFKA: &str =
        "# 3. Adopt Kafka\n\n## Context\n\nWe compare brokers.\n\n## Decision\n\nKafka it is.\n\n## Kafka and retention\n\nKafka keeps a week.\n";

    #[test]
    fn the_title_alone_gives_no_snippet_and_a_heading_is_not_repeated() {
        let document = document("Adopt Kafka", KAFKA);
        let first = passages(&document)[0].span;
        assert_eq!(by_terms(&document, first, &terms(&["adopt"])), None);
        let shown = |words: &[&str]| by_terms(&document, first, &terms(words)).map(|snippet| (snippet.text(), snippet.citation.section)).unwrap();
        assert_eq!(shown(&["kafka"]), ("Kafka it is.".to_owned(), "1.2".to_owned()));
        assert_eq!(shown(&["kafka", "week"]).0, "Kafka keeps a week.");
        assert_eq!(shown(&["retent"]).0, "## Kafka and retention\n\nKafka keeps a week.");
    }

    #[test]
    fn a_shorter_snippet_is_verbatim_at_its_own_place_and_keeps_the_match() {
        let filler = "Ünlike the rest, this line says nothing.\n".repeat(12);
        let text = format!("## Context\n\n{filler}The brokers are compared by retention alone.\n{filler}");
        let document = document("Brokers", &text);
        let best = passages(&document)[0].span;
        let mut snippet = by_terms(&document, best, &terms(&["retent"])).unwrap();
        for most in [240, 180, 130, 90, 60] {
            snippet = snippet.shortened(most);
            assert!(snippet.text().chars().count() <= most && snippet.quote.contains("retention"), "{}", snippet.text());
            let citation = &snippet.citation;
            let cited: String = text.chars().skip(citation.char_start).take(citation.char_end - citation.char_start).collect();
            assert_eq!(cited, snippet.quote);
            let lines: Vec<&str> =
                text.lines().skip(citation.line_start as usize - 1).take((citation.line_end - citation.line_start) as usize + 1).collect();
            assert!(lines.join("\n").contains(&snippet.quote), "{lines:?}");
            assert!(snippet.is_cut_before && snippet.is_cut_behind);
        }
    }

    #[test]
    fn a_piece_is_found_without_case_where_it_stands() {
        let document = document("T", "## A\n\nSet MAX_Wal_size=4GB, then e\u{301}crire.\n");
        let shown = |piece: &str| by_piece(&document, piece).map(|snippet| snippet.text());
        assert_eq!(shown("wal_SIZE=4").as_deref(), Some("Set MAX_Wal_size=4GB, then e\u{301}crire."));
        assert!(shown("ÉCRI").is_some());
        assert_eq!(shown("absent"), None);
    }
}
