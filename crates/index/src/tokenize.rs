//! Tokens: from words to index terms and their positions, the same way for texts and queries.
//!
//! Each word stands at position 3 × its number with its exact folded form. Its stem, the humps of a `CamelCase` word and the joined form of a chain
//! (`adr0012`) stand beside it, at a position that is never three away from that of a neighbour: so a phrase of exact forms, which asks for
//! distances of three, is met by exact forms only. Runs of scripts without blanks become pairs of characters, one position each, and their
//! last character alone, by which a single character is found wherever it stands.

use std::borrow::Cow;

use document::Span;
use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::scan::{Form, Group, Scanner, Word};

/// Distance between the positions of two neighbouring words.
pub const STRIDE: usize = 3;
/// Positions that a value of a field takes beyond its last word, so that no phrase runs from one value into the next.
const GAP: usize = 10;

/// The position beside word number `number`.
const fn beside(number: usize) -> usize {
    STRIDE * number + 1 + number % 2
}

/// English stems of words in Latin letters, with a small memory: texts repeat themselves and stemming is the dearest step of indexing.
pub struct Stems {
    stemmer: Option<Stemmer>,
    memory: Vec<(String, String)>,
    slots: usize,
}

const TEXT_SLOTS: usize = 4_096;

impl Default for Stems {
    fn default() -> Self {
        Self { stemmer: None, memory: Vec::new(), slots: TEXT_SLOTS }
    }
}

impl Stems {
    /// For a query, whose few words are not worth remembering.
    const fn of_query() -> Self {
        Self { stemmer: None, memory: Vec::new(), slots: 1 }
    }

    /// The stem of a folded word: the word itself where it is no plain Latin word.
    pub fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if word.len() < 3 || word.len() > 24 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return word;
        }
        if self.memory.is_empty() {
            self.memory.resize(self.slots, (String::new(), String::new()));
        }
        // FNV-1a.
        let hash = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        let slot = &mut self.memory[(hash >> 32) as usize % self.slots];
        if slot.0 != word {
            let stemmer = self.stemmer.get_or_insert_with(|| Stemmer::new(Algorithm::English));
            slot.0.clear();
            slot.0.push_str(word);
            slot.1.clear();
            match stemmer.stem(word) {
                Cow::Borrowed(stem) => slot.1.push_str(stem),
                Cow::Owned(stem) => slot.1 = stem,
            }
        }
        &slot.1
    }
}

/// The tokenizer of all text fields.
#[derive(Default)]
pub struct WordTokenizer {
    state: State,
}

impl Clone for WordTokenizer {
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[derive(Default)]
struct State {
    stems: Stems,
    group: Group,
    tokens: Vec<Token>,
    count: usize,
    next: usize,
    number: usize,
}

impl Tokenizer for WordTokenizer {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.state.count = 0;
        self.state.next = 0;
        self.state.number = 0;
        WordStream { scanner: Scanner::new(text), state: &mut self.state }
    }
}

/// The tokens of one text.
pub struct WordStream<'a> {
    scanner: Scanner<'a>,
    state: &'a mut State,
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        while self.state.next == self.state.count {
            self.state.count = 0;
            self.state.next = 0;
            if !self.scanner.next_into(&mut self.state.group) {
                return false;
            }
            self.state.emit();
        }
        self.state.next += 1;
        true
    }

    fn token(&self) -> &Token {
        &self.state.tokens[self.state.next - 1]
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.state.tokens[self.state.next - 1]
    }
}

impl State {
    fn emit(&mut self) {
        let Self { stems, group, tokens, count, number, .. } = self;
        let mut push = |text: &str, position: usize, span: Span| {
            if *count == tokens.len() {
                tokens.push(Token::default());
            }
            let token = &mut tokens[*count];
            token.text.clear();
            token.text.push_str(text);
            token.position = position;
            token.position_length = GAP;
            token.offset_from = span.start;
            token.offset_to = span.end;
            *count += 1;
        };
        // In order of position throughout: the index demands that those of a term never fall.
        for (place, word) in group.words().iter().enumerate() {
            match word.form {
                Form::Plain => {
                    push(&word.text, STRIDE * *number, word.span);
                    if place == 0 && !group.whole.is_empty() {
                        push(stems.stem(&group.whole), beside(*number), group.span);
                    }
                    let stem = stems.stem(&word.text);
                    if stem != word.text {
                        push(stem, beside(*number), word.span);
                    }
                    for part in word.parts() {
                        push(stems.stem(part), beside(*number), word.span);
                    }
                    *number += 1;
                }
                Form::Symbol => {
                    push(&word.text, STRIDE * *number, word.span);
                    *number += 1;
                }
                Form::Dense => {
                    for index in 0..word.characters.len() {
                        let width = if index + 1 < word.characters.len() { 2 } else { 1 };
                        let (text, span) = word.characters_at(index, width);
                        push(text, STRIDE * *number, span);
                        *number += 1;
                    }
                }
            }
        }
    }
}

/// One thing that a query asks for: a document that holds any of the terms has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Concept {
    /// Terms of the index, the best first.
    pub terms: Vec<String>,
    /// The exact form, where the stem is another: texts with it are better.
    pub exact: Option<String>,
    /// The single term stands for the beginning of a word.
    pub is_prefix: bool,
}

/// What a query's text asks for.
#[must_use]
pub fn concepts(text: &str) -> Vec<Concept> {
    let mut concepts = Vec::new();
    let mut stems = Stems::of_query();
    let mut group = Group::default();
    let mut scanner = Scanner::new(text);
    while scanner.next_into(&mut group) {
        let whole = (!group.whole.is_empty()).then(|| stems.stem(&group.whole).to_owned());
        if group.words().len() == 1
            && let Some(whole) = &whole
        {
            // `C++` is not any C.
            concepts.push(Concept { terms: vec![whole.clone()], exact: None, is_prefix: false });
            continue;
        }
        for word in group.words() {
            word_concepts(word, whole.as_ref(), &mut stems, &mut concepts);
        }
    }
    concepts
}

fn word_concepts(word: &Word, whole: Option<&String>, stems: &mut Stems, concepts: &mut Vec<Concept>) {
    match word.form {
        Form::Dense if word.characters.len() > 1 => {
            for index in 0..word.characters.len() - 1 {
                concepts.push(Concept { terms: vec![word.characters_at(index, 2).0.to_owned()], exact: None, is_prefix: false });
            }
        }
        Form::Dense => concepts.push(Concept { terms: vec![word.text.clone()], exact: None, is_prefix: true }),
        Form::Symbol => concepts.push(Concept { terms: vec![word.text.clone()], exact: None, is_prefix: false }),
        Form::Plain => {
            let stem = stems.stem(&word.text).to_owned();
            let exact = (stem != word.text).then(|| word.text.clone());
            let others = || whole.cloned().into_iter();
            if word.humps.is_empty() {
                concepts.push(Concept { terms: std::iter::once(stem).chain(others()).collect(), exact, is_prefix: false });
            } else {
                // A text with the whole word has each of its humps.
                for part in word.parts() {
                    let part = stems.stem(part).to_owned();
                    concepts.push(Concept {
                        terms: std::iter::once(part).chain([stem.clone()]).chain(others()).collect(),
                        exact: None,
                        is_prefix: false,
                    });
                }
            }
        }
    }
}

/// The exact forms of a phrase and their positions, relative to its first word.
#[must_use]
pub fn phrase_terms(text: &str) -> Vec<(usize, String)> {
    let mut terms = Vec::new();
    let mut number = 0;
    let mut group = Group::default();
    let mut scanner = Scanner::new(text);
    while scanner.next_into(&mut group) {
        for word in group.words() {
            if word.form == Form::Dense {
                let length = word.characters.len();
                let pairs = (length - 1).max(1);
                for index in 0..pairs {
                    terms.push((STRIDE * (number + index), word.characters_at(index, length.min(2)).0.to_owned()));
                }
                number += length;
            } else {
                terms.push((STRIDE * number, word.text.clone()));
                number += 1;
            }
        }
    }
    terms
}

/// Where words that count as one of `terms` stand in a text, in order: to centre a snippet and to mark what was found. `terms` are those of
/// [`crate::Hit`]; one that ends in `*` stands for the beginning of a word.
#[must_use]
pub fn spans_of(text: &str, terms: &[String]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut tokenizer = WordTokenizer::default();
    let mut stream = tokenizer.token_stream(text);
    while stream.advance() {
        let token = stream.token();
        let is_meant = terms.iter().any(|term| term.strip_suffix('*').map_or(*term == token.text, |start| token.text.starts_with(start)));
        if is_meant {
            let span = Span::new(token.offset_from, token.offset_to);
            match spans.last_mut() {
                // Pairs of characters overlap; a chain is reported as a whole and again by its parts.
                Some(last) if span.start < last.end => last.end = last.end.max(span.end),
                _ => spans.push(span),
            }
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tantivy::tokenizer::{TokenStream as _, Tokenizer as _};

    use super::{STRIDE, WordTokenizer, concepts, phrase_terms, spans_of};

    fn tokens(text: &str) -> Vec<(String, usize)> {
        let mut tokenizer = WordTokenizer::default();
        let mut stream = tokenizer.token_stream(text);
        let mut tokens = Vec::new();
        while stream.advance() {
            tokens.push((stream.token().text.clone(), stream.token().position));
        }
        tokens
    }

    fn terms(text: &str) -> Vec<String> {
        tokens(text).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn words_come_exact_and_stemmed_at_neighbouring_positions() {
        assert_eq!(tokens("Running fast"), [("running".into(), 0), ("run".into(), 1), ("fast".into(), 3)]);
    }

    #[test]
    fn identifiers_are_found_whole_and_by_parts() {
        assert_eq!(terms("ADR-0012"), ["adr", "adr0012", "0012"]);
        assert_eq!(terms("snake_case"), ["snake", "snakecas", "case"]);
        assert_eq!(terms("v1.2.3"), ["v1", "v1.2.3", "2", "3"]);
        assert_eq!(terms("getHTTPResponse"), ["gethttpresponse", "gethttprespons", "get", "http", "respons"]);
        assert_eq!(terms("foo::bar"), ["foo", "foobar", "bar"]);
        assert_eq!(terms("IDs"), ["ids", "id"]);
        assert_eq!(terms("user's don’t"), ["user", "don", "dont", "t"]);
        assert_eq!(terms("C++ and C#."), ["c", "c++", "and", "c", "c#"]);
    }

    #[test]
    fn scripts_without_blanks_become_pairs() {
        assert_eq!(terms("検索エンジン"), ["検索", "索エ", "エン", "ンジ", "ジン", "ン"]);
        assert_eq!(terms("Rustの本"), ["rust", "の本", "本"]);
        assert_eq!(terms("서울"), ["서울", "울"]);
        assert_eq!(terms("น้ำ").len(), tokens("น้ำ").len());
        assert_eq!(terms("猫"), ["猫"]);
    }

    #[test]
    fn emoji_flags_and_signs_are_words() {
        assert_eq!(terms("nice 👍🏽!"), ["nice", "👍"]);
        assert_eq!(terms("🇩🇪 €"), ["🇩🇪", "€"]);
        assert!(terms("+-|*_─│ …").is_empty());
    }

    #[test]
    fn phrases_use_exact_forms_only() {
        assert_eq!(phrase_terms("use GitHub Actions"), [(0, "use".into()), (3, "github".into()), (6, "actions".into())]);
        assert_eq!(phrase_terms("検索 x"), [(0, "検索".into()), (6, "x".into())]);
    }

    #[test]
    fn the_words_that_were_found_are_located_in_the_text() {
        let text = "The café’s DATABASES, and 検索エンジン";
        let found: Vec<&str> =
            spans_of(text, &["databas".into(), "cafe".into(), "検索".into(), "索エ".into()]).into_iter().map(|span| span.of(text)).collect();
        assert_eq!(found, ["café", "DATABASES", "検索エ"]);
    }

    proptest! {
        #[test]
        fn every_text_gives_terms_of_bounded_length_on_character_borders(text in "\\PC{0,60}|[a-zA-Z0-9_.:/'’ßéเ漢字가😀\u{301}\u{200d} -]{0,60}") {
            let mut tokenizer = WordTokenizer::default();
            let mut stream = tokenizer.token_stream(&text);
            let (mut last, mut offset) = (0, 0);
            while stream.advance() {
                let token = stream.token();
                prop_assert!(!token.text.is_empty());
                if token.position % STRIDE == 0 {
                    prop_assert!(token.offset_from >= offset);
                    offset = token.offset_from;
                }
                prop_assert!(token.text.len() <= 4 * super::super::scan::MAX_TERM_BYTES);
                prop_assert!(text.is_char_boundary(token.offset_from) && text.is_char_boundary(token.offset_to));
                prop_assert!(token.offset_from < token.offset_to);
                prop_assert!(token.position >= last);
                last = token.position;
            }
        }

        #[test]
        fn a_query_asks_only_for_terms_that_its_own_text_has(text in "\\PC{0,40}|[a-zA-Z0-9_.'’ßé漢字가 -]{0,40}") {
            let held = terms(&text);
            for concept in concepts(&text) {
                prop_assert!(concept.terms.iter().any(|term| held.iter().any(|other| if concept.is_prefix { other.starts_with(term) } else { other == term })),
                    "{:?} not in {:?}", concept, held);
            }
            for (_, term) in phrase_terms(&text) {
                prop_assert!(held.contains(&term), "{term} not in {held:?}");
            }
        }
    }
}
