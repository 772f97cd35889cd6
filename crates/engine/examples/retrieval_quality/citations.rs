//! Citations: whether the coordinates of a hit lead back to exactly its quote in the original bytes.

use document::{Document, Stamp};
use engine::cite;
use engine::search::centred;
use index::Hit;

/// How many citations were followed, and which of them led elsewhere.
#[derive(Debug, Default)]
pub struct Followed {
    /// All of them.
    pub count: usize,
    /// What was wrong with those that are not exact.
    pub wrong: Vec<String>,
}

impl Followed {
    /// Share of exact ones; 1 where there were none.
    pub fn exactness(&self) -> f64 {
        if self.count == 0 { 1.0 } else { (self.count - self.wrong.len()) as f64 / self.count as f64 }
    }

    /// Makes the citation that the product gives for `hit`, and follows it in `original`, the text of the document as it stands outside of ibid.
    pub fn follow(&mut self, document: &Document, original: &str, hit: &Hit) {
        let span = centred(&document.text, hit.span, &hit.terms);
        let quote = span.of(&document.text);
        let citation = cite(document, span);
        self.count += 1;
        let by_characters: String = original.chars().skip(citation.char_start).take(citation.char_end - citation.char_start).collect();
        let complaint = if by_characters != quote {
            "its characters are others"
        } else if !stands_in_lines(original, citation.line_start, citation.line_end, quote) {
            "it does not stand on its lines"
        } else if citation.stamp != Stamp::of(original.as_bytes()) {
            "its stamp is of other bytes"
        } else if span.start < hit.span.start || span.end > hit.span.end {
            "it leaves its passage"
        } else {
            return;
        };
        self.wrong.push(format!("{}: {complaint}", citation.uri));
    }
}

/// Whether `quote` begins on line `first` and ends on line `last` of `text`, both counted from 1.
pub fn stands_in_lines(text: &str, first: u32, last: u32, quote: &str) -> bool {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let (Some(from), last) = ((first as usize).checked_sub(1), last as usize) else { return false };
    let Some(cited) = lines.get(from..last) else { return quote.is_empty() };
    let joined = cited.concat();
    let after_first = cited.first().map_or(0, |line| line.len());
    let before_last = joined.len() - cited.last().map_or(0, |line| line.len());
    joined.match_indices(quote).any(|(at, found)| (at < after_first || after_first == 0) && (at + found.len() > before_last || found.is_empty()))
}
