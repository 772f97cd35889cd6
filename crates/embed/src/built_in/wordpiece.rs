//! Splits a text into pieces of the vocabulary as BERT does: cleaned, without accents and capitals, at white space and punctuation, and then each
//! word into the longest pieces that are known. The text is never cut short.
//!
//! ASCII goes through one look at a list of classes per byte; everything else takes the long way over characters. Nothing is allocated per word.

use unicode_normalization::UnicodeNormalization;

use super::characters::{Class, class_of, is_dropped, is_ideograph, is_mark, is_punctuation};
use super::table::{Hash, LONGEST, Table};

/// Words of more characters are unknown.
const LONGEST_WORD: usize = 100;

/// Splits texts, one after another; keeps its buffers.
pub(super) struct Splitter<'table, 'bytes> {
    table: &'table Table<'bytes>,
    word: Vec<u8>,
    characters: usize,
    rows: Vec<usize>,
}

impl<'table, 'bytes> Splitter<'table, 'bytes> {
    pub(super) const fn new(table: &'table Table<'bytes>) -> Self {
        Self { table, word: Vec::new(), characters: 0, rows: Vec::new() }
    }

    /// Calls `found` with the row of each piece.
    pub(super) fn split(&mut self, text: &str, mut found: impl FnMut(usize)) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(byte) = bytes.get(at) {
            match class_of(*byte) {
                Class::Letter(lower) => self.push_byte(lower),
                Class::Space => self.end_word(&mut found),
                Class::Punctuation => self.stand_alone(char::from(*byte), &mut found),
                Class::Dropped => {}
                Class::Other => {
                    let length = bytes[at..].iter().take_while(|byte| matches!(class_of(**byte), Class::Other | Class::Dropped)).count();
                    self.split_other(&text[at..at + length], &mut found);
                    at += length;
                    continue;
                }
            }
            at += 1;
        }
        self.end_word(&mut found);
    }

    /// A stretch without visible ASCII: whatever stands before or behind it takes no part in the order of its marks.
    fn split_other(&mut self, text: &str, found: &mut impl FnMut(usize)) {
        for character in text.chars().filter(|character| !is_dropped(*character)).nfd().filter(|character| !is_mark(*character)) {
            for lower in character.to_lowercase() {
                if lower.is_whitespace() {
                    self.end_word(found);
                } else if is_ideograph(lower) || is_punctuation(lower) {
                    self.stand_alone(lower, found);
                } else {
                    self.push(lower);
                }
            }
        }
    }

    fn push_byte(&mut self, byte: u8) {
        self.characters += 1;
        if self.characters <= LONGEST_WORD {
            self.word.push(byte);
        }
    }

    fn push(&mut self, character: char) {
        self.characters += 1;
        if self.characters <= LONGEST_WORD {
            self.word.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }

    fn stand_alone(&mut self, character: char, found: &mut impl FnMut(usize)) {
        self.end_word(found);
        self.push(character);
        self.end_word(found);
    }

    fn end_word(&mut self, found: &mut impl FnMut(usize)) {
        if self.word.is_empty() {
            return;
        }
        if self.characters <= LONGEST_WORD && self.find_pieces() {
            self.rows.iter().copied().for_each(found);
        }
        self.word.clear();
        self.characters = 0;
    }

    /// The longest known piece, again and again. If something remains, the word is unknown as a whole.
    fn find_pieces(&mut self) -> bool {
        self.rows.clear();
        let mut rest = self.word.as_slice();
        while !rest.is_empty() {
            let goes_on = !self.rows.is_empty();
            let mut hashes = [Hash::new(goes_on); LONGEST + 1];
            let limit = rest.len().min(self.table.longest());
            for (index, byte) in rest[..limit].iter().enumerate() {
                hashes[index + 1] = hashes[index].with(*byte);
            }
            let longest = (1..=limit).rev().find_map(|length| Some((length, self.table.find(hashes[length], &rest[..length], goes_on)?)));
            let Some((length, row)) = longest else { return false };
            self.rows.push(row);
            rest = &rest[length..];
        }
        true
    }
}
