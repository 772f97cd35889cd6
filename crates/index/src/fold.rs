//! Folding: what makes "Résumé", "resume" and "ＲＥＳＵＭＥ" one word, while every folded piece still knows its bytes in the original text.

use document::Span;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// Reads a text cluster by cluster: a character and the marks that belong to it. Spans lie on character borders, follow each other without
/// gaps and cover the text.
pub struct Clusters<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Clusters<'a> {
    /// Starts at byte `at` of `text`, which must be a character border.
    pub const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Appends the folded form of the next cluster to `out` (nothing for marks alone and for invisible characters) and gives its place;
    /// `None` at the end.
    pub fn next_into(&mut self, out: &mut String) -> Option<Span> {
        let rest = &self.text[self.at..];
        let mut characters = rest.char_indices();
        let (_, first) = characters.next()?;
        let mut end = first.len_utf8();
        for (offset, character) in characters {
            if !continues(character) {
                break;
            }
            end = offset + character.len_utf8();
        }
        fold_cluster(first, &rest[..end], out);
        let span = Span::new(self.at, self.at + end);
        self.at = span.end;
        Some(span)
    }
}

/// The folded form of a text: canonical and compatible forms, case and diacritics are one.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut clusters = Clusters::new(text, 0);
    while clusters.next_into(&mut out).is_some() {}
    out
}

/// The folded form of a name or keyword, as filters compare them: folded, white space at the ends cut and inside collapsed.
#[must_use]
pub fn fold_name(text: &str) -> String {
    let folded = fold(text);
    let mut out = String::with_capacity(folded.len());
    for word in folded.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Whether a character belongs to the one before it: combining marks, conjoining jamo, half-width voicing marks, joiners and selectors.
fn continues(character: char) -> bool {
    if u32::from(character) < 0xAD {
        return false;
    }
    is_invisible(character)
        || matches!(u32::from(character), 0x1160..=0x11FF | 0xFF9E | 0xFF9F | 0x1F3FB..=0x1F3FF)
        || canonical_combining_class(character) != 0
        || is_combining_mark(character)
}

/// Characters that nobody sees and that must not divide a word.
const fn is_invisible(character: char) -> bool {
    matches!(character as u32, 0xAD | 0x200C | 0x200D | 0x2060 | 0xFEFF | 0xFE00..=0xFE0F | 0xE0100..=0xE01EF)
}

/// Marks that are left out because people leave them out when they type: accents, Hebrew points, Arabic vowel signs. Marks of scripts in which they
/// make another letter (Indic vowels, Thai tones, Japanese voicing) stay.
const fn is_dropped(character: char) -> bool {
    matches!(
        character as u32,
        0x300..=0x36F | 0x591..=0x5BD | 0x5BF | 0x5C1 | 0x5C2 | 0x5C4 | 0x5C5 | 0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6DC
            | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F | 0x1F3FB..=0x1F3FF
    ) || is_invisible(character)
}

fn fold_cluster(first: char, cluster: &str, out: &mut String) {
    if first.is_ascii() && cluster.len() == 1 {
        out.push(first.to_ascii_lowercase());
        return;
    }
    // Most text outside of Latin needs no table at all.
    if cluster.len() == first.len_utf8() && matches!(u32::from(first), 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3) {
        out.push(first);
        return;
    }
    for character in cluster.nfkd().filter(|character| !is_dropped(*character)).nfc() {
        fold_character(character, out);
    }
}

/// Case folding, and the Latin letters that have no decomposition although people type them without their stroke.
fn fold_character(character: char, out: &mut String) {
    let plain = match character {
        'ß' | 'ẞ' => "ss",
        'æ' | 'Æ' => "ae",
        'œ' | 'Œ' => "oe",
        'ø' | 'Ø' => "o",
        'ł' | 'Ł' => "l",
        'đ' | 'Đ' | 'ð' | 'Ð' => "d",
        'þ' | 'Þ' => "th",
        'ħ' | 'Ħ' => "h",
        'ı' => "i",
        'ς' => "σ",
        '’' | '‘' | 'ʼ' | '＇' => "'",
        '‐' | '‑' => "-",
        // Trade marks are no part of the word that they follow.
        '™' | '®' | '©' => " ",
        _ => {
            out.extend(character.to_lowercase());
            return;
        }
    };
    out.push_str(plain);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Clusters, fold, fold_name};

    #[test]
    fn case_accents_width_and_composition_do_not_matter() {
        assert_eq!(fold("Résumé"), "resume");
        assert_eq!(fold("Re\u{301}sume\u{301}"), "resume");
        assert_eq!(fold("ＲＥＳＵＭＥ"), "resume");
        assert_eq!(fold("STRAẞE Łódź Ærø"), "strasse lodz aero");
        assert_eq!(fold("ΟΔΟΣ οδος"), fold("οδοσ ΟΔΟΣ"));
        assert_eq!(fold("İstanbul"), "istanbul");
        assert_eq!(fold("co\u{AD}operate"), "cooperate");
    }

    #[test]
    fn marks_that_make_another_letter_stay() {
        assert_eq!(fold("か\u{3099}"), "が");
        assert_eq!(fold("ｶﾞ"), "ガ");
        assert_ne!(fold("が"), fold("か"));
        assert_ne!(fold("कि"), fold("क"));
        assert_eq!(fold("\u{1112}\u{1161}\u{11ab}"), "한");
    }

    #[test]
    fn names_are_compared_without_case_accents_and_extra_blanks() {
        assert_eq!(fold_name("  José   ÁLVAREZ "), "jose alvarez");
    }

    proptest! {
        #[test]
        fn clusters_cover_the_text_in_order_on_character_borders(text in "\\PC{0,40}|[a-z\u{301}\u{200d}가-각か\u{3099}😀👍🏽ﷺ]{0,20}") {
            let mut clusters = Clusters::new(&text, 0);
            let mut out = String::new();
            let mut end = 0;
            while let Some(span) = clusters.next_into(&mut out) {
                prop_assert_eq!(span.start, end);
                prop_assert!(span.end > span.start);
                prop_assert!(text.is_char_boundary(span.end));
                end = span.end;
            }
            prop_assert_eq!(end, text.len());
        }

        #[test]
        fn decomposed_text_folds_like_composed_text(text in "[a-zA-Zéèäöüñçåøß가-힣がぎぐ ]{0,30}") {
            use unicode_normalization::UnicodeNormalization as _;
            let decomposed: String = text.nfd().collect();
            prop_assert_eq!(fold(&decomposed), fold(&text));
        }
    }
}
