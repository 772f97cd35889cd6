//! Scanning: from text to words. Knows identifiers (`snake_case`, `CamelCase`, `ADR-0012`), scripts without blanks, and symbols.

use document::Span;
use unicode_normalization::char::is_combining_mark;

use crate::fold::Clusters;

/// The most words that are also joined into one: longer chains are paths and addresses, which are found by their parts.
const MAX_JOINED_WORDS: usize = 6;
/// The longest term in bytes. What is longer (encoded data) is cut, in texts and queries alike.
pub const MAX_TERM_BYTES: usize = 128;
/// How many words one group collects before it is handed on.
const MAX_GROUP_WORDS: usize = 64;

/// What a word is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// Letters and digits.
    #[default]
    Plain,
    /// A run of a script that is written without blanks: searched by pairs of characters.
    Dense,
    /// An emoji or another sign that stands for itself.
    Symbol,
}

/// A word as it was read. Buffers are reused from group to group.
#[derive(Debug, Default)]
pub struct Word {
    /// What it is made of.
    pub form: Form,
    /// Folded text.
    pub text: String,
    /// Where it stands in the original text.
    pub span: Span,
    /// Where a new hump begins in the folded text of a `CamelCase` word, the first left out.
    pub humps: Vec<usize>,
    /// For dense runs: end of each character in the folded text, and its place in the original.
    pub characters: Vec<(usize, Span)>,
}

impl Word {
    fn clear(&mut self) {
        self.form = Form::Plain;
        self.text.clear();
        self.humps.clear();
        self.characters.clear();
    }

    /// The humps of a `CamelCase` word; none for other words.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.humps.iter().copied()).take(if self.humps.is_empty() { 0 } else { usize::MAX });
        let ends = self.humps.iter().copied().chain([self.text.len()]);
        starts.zip(ends).map(|(start, end)| self.text.get(start..end).unwrap_or_default())
    }

    /// The text of the characters `index..index + count` of a dense run, with its place.
    pub fn characters_at(&self, index: usize, count: usize) -> (&str, Span) {
        let start = if index == 0 { 0 } else { self.characters[index - 1].0 };
        let (end, last) = self.characters[index + count - 1];
        (&self.text[start..end], Span::new(self.characters[index].1.start, last.end))
    }
}

/// Words that stand together without blanks, such as `src/main.rs`. Most groups hold one word.
#[derive(Debug, Default)]
pub struct Group {
    words: Vec<Word>,
    count: usize,
    /// All words joined into one (`adr0012`, `snakecase`, `1.2.3`), with signs that belong to a name (`c++`); empty where there is nothing to join.
    pub whole: String,
    /// Where the group stands in the original text.
    pub span: Span,
}

impl Group {
    /// The words in order.
    pub fn words(&self) -> &[Word] {
        &self.words[..self.count]
    }

    fn clear(&mut self) {
        self.count = 0;
        self.whole.clear();
    }

    fn push(&mut self) -> &mut Word {
        if self.count == self.words.len() {
            self.words.push(Word::default());
        }
        self.count += 1;
        let word = &mut self.words[self.count - 1];
        word.clear();
        word
    }

    fn drop_last(&mut self) {
        self.count -= 1;
    }
}

/// Reads a text group by group.
pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    piece: String,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of `text`.
    pub const fn new(text: &'a str) -> Self {
        Self { text, at: 0, piece: String::new() }
    }

    /// Reads the next group into `group`; false at the end.
    pub fn next_into(&mut self, group: &mut Group) -> bool {
        group.clear();
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte.is_ascii_alphanumeric() {
                self.read_chain(group);
                return true;
            }
            if byte.is_ascii() && bytes.get(self.at + 1).is_none_or(u8::is_ascii) {
                self.at += 1;
                continue;
            }
            let (span, class) = self.peek();
            match class {
                Class::Plain => {
                    self.read_chain(group);
                    if group.count > 0 {
                        return true;
                    }
                    // A mark without a base folds to nothing that could be searched.
                    self.at = span.end.max(self.at);
                }
                Class::Dense => {
                    self.read_dense(group);
                    return true;
                }
                Class::Symbol => {
                    self.read_symbol(group, span);
                    return true;
                }
                Class::Other | Class::Nothing => self.at = span.end,
            }
        }
        false
    }

    /// The class and span of the next cluster; its folded form is left in `self.piece`.
    fn peek(&mut self) -> (Span, Class) {
        self.peek_at(self.at)
    }

    fn peek_at(&mut self, at: usize) -> (Span, Class) {
        self.piece.clear();
        let span = Clusters::new(self.text, at).next_into(&mut self.piece).unwrap_or(Span::new(at, self.text.len()));
        (span, classify(&self.piece))
    }

    /// Reads words that are joined by single signs, and joins them.
    fn read_chain(&mut self, group: &mut Group) {
        let start = self.at;
        let mut last_joiner = ' ';
        loop {
            let from = self.at;
            let word = group.push();
            read_word(self.text, &mut self.at, word, &mut self.piece);
            if word.text.is_empty() {
                group.drop_last();
                self.at = self.at.max(from);
                break;
            }
            word.span = Span::new(from, self.at);
            if last_joiner == '\'' && word.text == "s" {
                // A possessive says nothing: "user's" is "user".
                group.drop_last();
            } else {
                join(group, last_joiner);
            }
            match self.joiner() {
                Some((joiner, length)) if group.count < MAX_GROUP_WORDS => {
                    last_joiner = joiner;
                    self.at += length;
                }
                _ => break,
            }
        }
        group.span = Span::new(start, self.at);
        if group.count == 1 {
            group.whole.clear();
            self.read_name_signs(group);
        } else if group.count > MAX_JOINED_WORDS || group.whole.len() > MAX_TERM_BYTES {
            group.whole.clear();
        }
    }

    /// The sign that joins the word before `at` with one after it, and its length in bytes.
    fn joiner(&mut self) -> Option<(char, usize)> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next()?;
        let joiner = match first {
            '_' | '-' | '.' | '/' | ':' | '@' | '\'' | '+' | '&' | '\\' => first,
            '’' | 'ʼ' => '\'',
            '‐' | '‑' => '-',
            _ => return None,
        };
        let length = if rest.starts_with("::") { 2 } else { first.len_utf8() };
        match rest.as_bytes().get(length)? {
            byte if byte.is_ascii() => byte.is_ascii_alphanumeric().then_some((joiner, length)),
            _ => (self.peek_at(self.at + length).1 == Class::Plain).then_some((joiner, length)),
        }
    }

    /// `C++` and `C#` are names of their own.
    fn read_name_signs(&mut self, group: &mut Group) {
        let rest = &self.text.as_bytes()[self.at..];
        let word = &group.words[0].text;
        let length = if rest.starts_with(b"++") {
            2
        } else if rest.starts_with(b"#") && word.len() == 1 {
            1
        } else {
            return;
        };
        if rest.get(length).is_some_and(u8::is_ascii_alphanumeric) {
            return;
        }
        group.whole.push_str(word);
        group.whole.push_str(if length == 2 { "++" } else { "#" });
        self.at += length;
        group.span.end = self.at;
    }

    fn read_dense(&mut self, group: &mut Group) {
        let word = group.push();
        word.form = Form::Dense;
        let start = self.at;
        while self.at < self.text.len() && word.characters.len() < 4 * MAX_TERM_BYTES {
            self.piece.clear();
            let Some(span) = Clusters::new(self.text, self.at).next_into(&mut self.piece) else { break };
            if classify(&self.piece) != Class::Dense {
                break;
            }
            word.text.push_str(&self.piece);
            word.characters.push((word.text.len(), span));
            self.at = span.end;
        }
        word.span = Span::new(start, self.at);
        group.span = word.span;
    }

    fn read_symbol(&mut self, group: &mut Group, first: Span) {
        let word = group.push();
        word.form = Form::Symbol;
        word.text.push_str(&self.piece);
        self.at = first.end;
        if is_regional(&self.piece) {
            let (span, _) = self.peek();
            if is_regional(&self.piece) {
                // Two of these make one flag.
                group.words[0].text.push_str(&self.piece);
                self.at = span.end;
            }
        }
        group.words[0].span = Span::new(first.start, self.at);
        group.span = group.words[0].span;
    }
}

/// Appends the last word to the joined form. A sign between digits stays, because `1.23` and `12.3` are two numbers.
fn join(group: &mut Group, joiner: char) {
    if group.count > MAX_JOINED_WORDS {
        return;
    }
    let Some(word) = group.words[..group.count].last() else { return };
    let ends_in_digit = group.whole.ends_with(|last: char| last.is_ascii_digit());
    if group.count > 1 && ends_in_digit && word.text.starts_with(|first: char| first.is_ascii_digit()) {
        group.whole.push(joiner);
    }
    group.whole.push_str(&word.text);
}

/// Reads letters and digits into `word`, and where the humps of `CamelCase` begin.
fn read_word(text: &str, at: &mut usize, word: &mut Word, piece: &mut String) {
    let bytes = text.as_bytes();
    let mut humps = Humps::default();
    while let Some(&byte) = bytes.get(*at) {
        if byte.is_ascii() && bytes.get(*at + 1).is_none_or(u8::is_ascii) {
            if !byte.is_ascii_alphanumeric() {
                break;
            }
            humps.see(Case::of(char::from(byte)), word);
            word.text.push(char::from(byte.to_ascii_lowercase()));
            *at += 1;
            continue;
        }
        piece.clear();
        let Some(span) = Clusters::new(text, *at).next_into(piece) else { break };
        match classify(piece) {
            Class::Plain => {
                humps.see(text[*at..].chars().next().map_or(Case::Other, Case::of), word);
                word.text.extend(piece.chars().filter(|character| character.is_alphanumeric() || is_combining_mark(*character)));
            }
            Class::Nothing => {}
            _ => break,
        }
        *at = span.end;
    }
    humps.finish(word);
    if word.text.len() > MAX_TERM_BYTES {
        let mut end = MAX_TERM_BYTES;
        while !word.text.is_char_boundary(end) {
            end -= 1;
        }
        word.text.truncate(end);
        word.humps.clear();
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Case {
    Lower,
    Upper,
    Digit,
    #[default]
    Other,
}

impl Case {
    fn of(character: char) -> Self {
        if character.is_ascii_digit() {
            Self::Digit
        } else if character.is_lowercase() {
            Self::Lower
        } else if character.is_uppercase() {
            Self::Upper
        } else {
            Self::Other
        }
    }
}

/// Finds where the humps of a word begin: `getHTTPResponse` is get, HTTP, Response.
#[derive(Default)]
struct Humps {
    before_last: Case,
    last: Case,
    /// Where the last character begins in the folded text.
    last_start: usize,
}

impl Humps {
    fn see(&mut self, case: Case, word: &mut Word) {
        match (self.before_last, self.last, case) {
            (_, Case::Lower, Case::Upper) => word.humps.push(word.text.len()),
            (Case::Upper | Case::Digit, Case::Upper, Case::Lower) if word.humps.last() != Some(&self.last_start) => word.humps.push(self.last_start),
            _ => {}
        }
        self.before_last = self.last;
        self.last = case;
        self.last_start = word.text.len();
    }

    fn finish(&self, word: &mut Word) {
        // The plural of an abbreviation has no hump: `IDs`.
        if self.last == Case::Lower
            && self.before_last == Case::Upper
            && word.text.ends_with('s')
            && word.humps.last() == Some(&(word.text.len() - 2))
        {
            word.humps.pop();
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Plain,
    Dense,
    Symbol,
    Other,
    /// Folds to nothing.
    Nothing,
}

fn classify(folded: &str) -> Class {
    match folded.chars().next() {
        None => Class::Nothing,
        Some(first) if is_dense(first) => Class::Dense,
        Some(first) if first.is_alphanumeric() => Class::Plain,
        Some(first) if is_symbol(first) => Class::Symbol,
        Some(_) => Class::Other,
    }
}

/// Scripts written without blanks between words (reference/retrieval.md 4.2), as they are after folding.
const fn is_dense(character: char) -> bool {
    matches!(
        character as u32,
        0xE01..=0xE3A | 0xE40..=0xE4E | 0xE81..=0xECF | 0xEDC..=0xEDF | 0x1000..=0x103F | 0x1050..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17D3 | 0x3005..=0x3007
            | 0x3041..=0x309F | 0x30A1..=0x30FA | 0x30FC..=0x30FF | 0x3105..=0x312F | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0x3400..=0x4DBF
            | 0x4E00..=0x9FFF | 0xA960..=0xA97C | 0xAC00..=0xD7FB | 0xF900..=0xFAFF | 0x20000..=0x3FFFF
    )
}

/// Signs that people search for: emoji, arrows, currencies, mathematics. Box drawing is left out, because whole tables are made of it.
const fn is_symbol(character: char) -> bool {
    matches!(
        character as u32,
        0xA2..=0xA5 | 0xB0 | 0xB1 | 0xD7 | 0xF7 | 0x20A0..=0x20CF | 0x2100..=0x214F | 0x2190..=0x23FF | 0x25A0..=0x27BF | 0x2900..=0x2BFF
            | 0x1F000..=0x1F3FA | 0x1F400..=0x1FAFF
    )
}

fn is_regional(piece: &str) -> bool {
    piece.chars().next().is_some_and(|character| ('\u{1F1E6}'..='\u{1F1FF}').contains(&character))
}
