//! The quote of a hit: a verbatim stretch of its passage around what was found.

use document::Span;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// About how many characters the quote of a passage has at most.
const QUOTE_CHARS: usize = 360;

/// The stretch of `passage` in `text` that shows most of the found words. Short passages are quoted whole; else the cut falls between words.
#[must_use]
pub fn centred(text: &str, passage: Span, terms: &[String]) -> Span {
    around(text, passage, &found(text, passage, terms), QUOTE_CHARS)
}

/// Where the words that count as one of `terms` stand in a passage of `text`, in order.
pub(crate) fn found(text: &str, passage: Span, terms: &[String]) -> Vec<Span> {
    let spans = index::spans_of(passage.of(text), terms).into_iter();
    spans.map(|span| Span::new(passage.start + span.start, passage.start + span.end)).collect()
}

/// The different words that were found, folded.
pub(crate) fn distinct(text: &str, found: &[Span]) -> Vec<String> {
    let mut words: Vec<String> = found.iter().map(|span| index::fold(span.of(text))).collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// At most `most_chars` characters of `passage` in `text`, chosen so that most of what was found there is in them. Cut between words where there
/// are any, never inside of what a reader sees as one character.
pub(crate) fn around(text: &str, passage: Span, found: &[Span], most_chars: usize) -> Span {
    let raw = passage.of(text);
    if raw.chars().count() <= most_chars {
        return passage;
    }
    let found: Vec<(Span, String)> =
        found.iter().map(|span| (Span::new(span.start - passage.start, span.end - passage.start), index::fold(span.of(text)))).collect();
    let best = best_start(&found, most_chars * 2 / 3);
    // A third of the room stands before the first word found.
    let wanted = back(raw, best, most_chars / 3);
    let start = if wanted == 0 { 0 } else { border(raw, after_blank(raw, wanted, best)) };
    let end = forward(raw, start, most_chars);
    let end = if end == raw.len() { end } else { border(raw, before_blank(raw, best.max(start), end)) };
    let cut = raw.get(start..end).unwrap_or_default();
    let start = start + (cut.len() - cut.trim_start().len());
    Span::new(passage.start + start, passage.start + start + cut.trim().len())
}

/// Where a window of `bytes` begins that covers most distinct words found; earlier ones win ties.
fn best_start(found: &[(Span, String)], bytes: usize) -> usize {
    let mut best = (0, 0);
    for (index, (span, _)) in found.iter().enumerate() {
        let mut words: Vec<&str> =
            found[index..].iter().take_while(|(other, _)| other.end <= span.start + bytes).map(|(_, word)| word.as_str()).collect();
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

/// The last place up to `at` that parts two characters as a reader sees them: accents, joined emoji, flags and syllables stay whole.
fn border(text: &str, at: usize) -> usize {
    let mut at = at;
    while at > 0 && at < text.len() && !parts(&text[..at], &text[at..]) {
        at -= text[..at].chars().next_back().map_or(at, char::len_utf8);
    }
    at
}

fn parts(before: &str, behind: &str) -> bool {
    let (Some(last), Some(next)) = (before.chars().next_back(), behind.chars().next()) else { return true };
    let is_flag_letter = |character: char| matches!(u32::from(character), 0x1F1E6..=0x1F1FF);
    if is_flag_letter(last) && is_flag_letter(next) {
        return before.chars().rev().take_while(|character| is_flag_letter(*character)).count() % 2 == 0;
    }
    let is_joined = last == '\u{200D}' || (last == '\r' && next == '\n');
    let continues = canonical_combining_class(next) != 0
        || is_combining_mark(next)
        || matches!(u32::from(next), 0x200C | 0x200D | 0xFE00..=0xFE0F | 0x1160..=0x11FF | 0x1F3FB..=0x1F3FF | 0xE0020..=0xE007F | 0xE0100..=0xE01EF);
    !is_joined && !continues
}

#[cfg(test)]
mod tests {
    use document::Span;

    use super::{around, border, centred};

    #[test]
    fn a_cut_never_falls_into_what_is_seen_as_one_character() {
        let whole = "👩‍👩‍👧🇩🇪🇫🇷e\u{301}👍🏽한";
        let wanted = ["👩‍👩‍👧", "🇩🇪", "🇫🇷", "e\u{301}", "👍🏽", "한"];
        let mut borders: Vec<usize> = (0..=whole.len()).filter(|at| whole.is_char_boundary(*at)).map(|at| border(whole, at)).collect();
        borders.dedup();
        let seen: Vec<&str> = borders.windows(2).map(|pair| &whole[pair[0]..pair[1]]).collect();
        assert_eq!(seen, wanted);
    }

    #[test]
    fn a_quote_shows_where_most_words_stand_and_is_verbatim() {
        let filler = "Nothing to see here, only words that fill the page. ".repeat(20);
        let text = format!("{filler}A kafka alone. {filler}Here kafka meets retention in one line. {filler}");
        let terms = ["kafka".to_owned(), "retent".to_owned()];
        let span = centred(&text, Span::new(0, text.len()), &terms);
        assert!(span.of(&text).contains("kafka meets retention") && span.of(&text).chars().count() <= 360);
        let found = super::found(&text, Span::new(0, text.len()), &terms);
        for most in [60, 100, 240] {
            let span = around(&text, Span::new(0, text.len()), &found, most);
            assert!(span.of(&text).contains("kafka meets") && span.of(&text).chars().count() <= most, "{most}: {}", span.of(&text));
            assert!(text[..span.start].ends_with(' ') && text[span.end..].starts_with(' '), "{most}: {}", span.of(&text));
        }
    }

    #[test]
    fn text_without_blanks_is_quoted_too() {
        let text = format!("{}検索エンジン{}", "漢字".repeat(400), "仮名".repeat(400));
        let at = text.find("検索").unwrap();
        let span = around(&text, Span::new(0, text.len()), &[Span::new(at, at + 18)], 100);
        assert!(span.of(&text).contains("検索エンジン") && span.of(&text).chars().count() <= 100, "{}", span.of(&text));
    }
}
