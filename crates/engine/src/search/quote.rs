//! The quote of a hit: a verbatim stretch of its passage around what was found.

use document::Span;

/// About how many characters a quote has at most.
const QUOTE_CHARS: usize = 360;

/// The stretch of `passage` in `text` that shows most of the found words. Short passages are quoted whole; else the cut falls between words.
#[must_use]
pub fn centred(text: &str, passage: Span, terms: &[String]) -> Span {
    let raw = passage.of(text);
    if raw.chars().count() <= QUOTE_CHARS {
        return passage;
    }
    let found: Vec<(Span, String)> = index::spans_of(raw, terms).into_iter().map(|span| (span, index::fold(span.of(raw)))).collect();
    let start = best_start(&found);
    // A third of the room stands before the first word found.
    let wanted = back(raw, start, QUOTE_CHARS / 3);
    let start = if wanted == 0 { 0 } else { after_blank(raw, wanted, start) };
    let end = forward(raw, start, QUOTE_CHARS);
    let end = if end == raw.len() { end } else { before_blank(raw, start, end) };
    let trimmed = raw[start..end].trim();
    let start = start + (raw[start..end].len() - raw[start..end].trim_start().len());
    Span::new(passage.start + start, passage.start + start + trimmed.len())
}

/// Where a window begins that covers most distinct words found; earlier ones win ties.
fn best_start(found: &[(Span, String)]) -> usize {
    let mut best = (0, 0);
    for (index, (span, _)) in found.iter().enumerate() {
        let mut words: Vec<&str> =
            found[index..].iter().take_while(|(other, _)| other.end <= span.start + QUOTE_CHARS * 2 / 3).map(|(_, word)| word.as_str()).collect();
        words.sort_unstable();
        words.dedup();
        if words.len() > best.0 {
            best = (words.len(), span.start);
        }
    }
    best.1
}

fn back(text: &str, from: usize, count: usize) -> usize {
    text[..from].char_indices().rev().nth(count.saturating_sub(1)).map_or(0, |(at, _)| at)
}

fn forward(text: &str, from: usize, count: usize) -> usize {
    text[from..].char_indices().nth(count).map_or(text.len(), |(at, _)| from + at)
}

/// The first place after a blank at or behind `from`, but not behind `limit`; `from` where there is none.
fn after_blank(text: &str, from: usize, limit: usize) -> usize {
    text[from..limit].char_indices().find(|(_, character)| character.is_whitespace()).map_or(from, |(at, character)| from + at + character.len_utf8())
}

/// The last place before a blank up to `end`, but not before `from`; `end` where there is none.
fn before_blank(text: &str, from: usize, end: usize) -> usize {
    text[from..end].char_indices().rev().find(|(_, character)| character.is_whitespace()).map_or(end, |(at, _)| from + at)
}
