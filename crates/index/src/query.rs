//! The query language. Any text is a legal query.
//!
//! | written | means |
//! |---|---|
//! | `words in any order` | ranked: texts with more of the words come first; none of them must be there |
//! | `"exact phrase"` | must be there, word for word; case and accents do not matter |
//! | `-word`, `-"a phrase"` | must not be there |
//! | `data*` | words that begin so |
//! | `cat OR "big dog"` | either; `OR` in capitals, between two things |
//! | `title:word`, `heading:"two words"` | must be in the title, or in the headings above the text |
//! | `tag:x`, `status:x`, `project:x`, `type:x`, `person:x` (or `author:x`), `kind:notes`, `collection:x` | only such documents; `-tag:x` leaves them out |
//! | `after:2024-05`, `before:2025` | dated in that month or later; dated earlier than that year |
//!
//! Filters of one field with one value per document widen each other (`status:draft status:accepted` takes both), tags and persons narrow each
//! other. A colon after any other word means nothing (`https://…`, `foo::bar`, `10:30`), nor does one that is followed by a blank. A filter whose
//! value cannot be right is an error that says what would be. Quotes that are never closed, stray signs and a lone `OR` are ordinary text.
//! Of the words of a pasted book the first 4,096 count; phrases, filters and what is left out always do.

mod gathered;

use document::Kind;

use crate::date::day_range;
use crate::fold::fold_name;
use crate::tokenize::{concepts, phrase_terms};
use gathered::Gathered;

/// A filter whose value cannot be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the filter \"{filter}:{value}\" in the query cannot be used: {filter} takes {legal}")]
pub struct QueryError {
    /// Name of the filter as documented.
    pub filter: &'static str,
    /// The value as written.
    pub value: String,
    /// What the filter takes.
    pub legal: String,
}

/// Where words are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// Everything: title, headings, text, tags and people.
    Anywhere,
    /// The document's title.
    Title,
    /// The headings above the passage.
    Headings,
}

/// A fact of a document that a filter compares.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Fact {
    /// Its kind.
    Kind(Kind),
    /// One of its tags, or the beginning of a tag with `/`; folded.
    Tag(String),
    /// Its status, folded.
    Status(String),
    /// Its project, folded.
    Project(String),
    /// Its record type, folded.
    RecordType(String),
    /// One of its people, by whole name or one word of it; folded.
    Person(String),
    /// Dated on this day (`YYYYMMDD`) or later.
    From(i64),
    /// Dated on this day (`YYYYMMDD`) or earlier.
    To(i64),
}

/// One thing that a query asks for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Atom {
    /// Words as written, in one piece: `sync`, `ADR-0012`.
    Words(Field, String),
    /// Words that must follow each other.
    Phrase(Field, String),
    /// The beginning of a word, with what stands before it in one piece.
    Prefix(Field, String),
    /// A fact of the document.
    Fact(Fact),
}

/// Alternatives, one of which is asked for; or that are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// Documents that meet it are left out.
    pub is_negated: bool,
    /// At least one.
    pub alternatives: Vec<Atom>,
}

/// A query as it was understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    clauses: Vec<Clause>,
    collections: Vec<String>,
    excluded_collections: Vec<String>,
    is_everything: bool,
}

impl Query {
    /// Understands a text. An empty or unsearchable one is a query too: see [`Query::empty_reason`].
    ///
    /// # Errors
    /// Only for a known filter with a value that it cannot take.
    pub fn parse(text: &str) -> Result<Self, QueryError> {
        let mut query = Gathered::default();
        let mut reader = Reader { text, at: 0, is_never_closed: false };
        let mut joins_previous = false;
        while let Some(item) = reader.next()? {
            let next_joins = match item {
                Item::Or => true,
                Item::Collection { is_negated, name } => {
                    if is_negated { &mut query.query.excluded_collections } else { &mut query.query.collections }.push(name);
                    false
                }
                Item::Atom { is_negated, atom } => {
                    query.push(is_negated, atom, joins_previous);
                    false
                }
            };
            if joins_previous && next_joins {
                query.push(false, Atom::Words(Field::Anywhere, "OR".to_owned()), false);
            }
            joins_previous = next_joins;
        }
        if joins_previous {
            // Nothing follows it: then it is a word.
            query.push(false, Atom::Words(Field::Anywhere, "OR".to_owned()), false);
        }
        Ok(query.finish())
    }

    /// The query that every document meets: for listing what a filter admits. No text parses to it.
    #[must_use]
    pub fn everything() -> Self {
        Self { is_everything: true, ..Self::default() }
    }

    /// What it asks for, in order.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Names of the collections that it confines itself to, as written. The caller knows their ids and puts them into the [`crate::Filter`].
    #[must_use]
    pub fn collections(&self) -> &[String] {
        &self.collections
    }

    /// Names of the collections that it leaves out, as written; again for the caller.
    #[must_use]
    pub fn excluded_collections(&self) -> &[String] {
        &self.excluded_collections
    }

    /// Whether there is nothing to search for. Such a query finds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.empty_reason().is_some()
    }

    /// Why there is nothing to search for, as a clause; `None` when there is something.
    #[must_use]
    pub fn empty_reason(&self) -> Option<&'static str> {
        if self.is_everything || !self.collections.is_empty() || self.clauses.iter().any(|clause| !clause.is_negated) {
            None
        } else if self.clauses.is_empty() && self.excluded_collections.is_empty() {
            Some("it holds no word, number or sign that could be searched for")
        } else {
            Some("it says only what to leave out")
        }
    }

    /// The same wishes with each required sentence as words that are only ranked by: what is left to look for where no text has it word for word.
    /// A phrase of fewer than five words is no sentence: whoever quotes two words means just these. `None` where no sentence is required.
    #[must_use]
    pub fn with_sentences_as_words(&self) -> Option<Self> {
        let mut loosened = self.clone();
        let mut is_other = false;
        for clause in loosened.clauses.iter_mut().filter(|clause| !clause.is_negated) {
            for atom in &mut clause.alternatives {
                if let Atom::Phrase(Field::Anywhere, text) = atom
                    && phrase_terms(text).len() >= SENTENCE_WORDS
                {
                    *atom = Atom::Words(Field::Anywhere, std::mem::take(text));
                    is_other = true;
                }
            }
        }
        is_other.then_some(loosened)
    }

    /// The words and phrases that it asks for, without operators and filters: what a ranking by meaning looks at.
    #[must_use]
    pub fn plain_text(&self) -> String {
        let mut text = String::new();
        for clause in self.clauses.iter().filter(|clause| !clause.is_negated) {
            for atom in &clause.alternatives {
                if let Atom::Words(_, words) | Atom::Phrase(_, words) | Atom::Prefix(_, words) = atom {
                    if !text.is_empty() {
                        text.push(' ');
                    }
                    text.push_str(words);
                }
            }
        }
        text
    }
}

/// From so many words on a phrase is a sentence.
const SENTENCE_WORDS: usize = 5;

fn is_searchable(atom: &Atom) -> bool {
    match atom {
        Atom::Words(_, text) | Atom::Prefix(_, text) => !concepts(text).is_empty(),
        Atom::Phrase(_, text) => !phrase_terms(text).is_empty(),
        Atom::Fact(_) => true,
    }
}

enum Item {
    Or,
    Atom { is_negated: bool, atom: Atom },
    Collection { is_negated: bool, name: String },
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// No quote is closed behind a place that was passed, so none is looked for again.
    is_never_closed: bool,
}

const OPENING: [char; 3] = ['"', '“', '„'];
const CLOSING: [char; 3] = ['"', '”', '“'];

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Option<Item>, QueryError> {
        self.at = self.text.len() - self.rest().trim_start().len();
        let rest = self.rest();
        if rest.is_empty() {
            return Ok(None);
        }
        let is_negated =
            rest.strip_prefix('-').and_then(|after| after.chars().next()).is_some_and(|next| next.is_alphanumeric() || OPENING.contains(&next));
        if is_negated {
            self.at += 1;
        }
        if let Some(phrase) = self.quoted() {
            return Ok(Some(Item::Atom { is_negated, atom: Atom::Phrase(Field::Anywhere, phrase.to_owned()) }));
        }
        if let Some((name, value, is_quoted)) = self.filter() {
            return filter_item(name, value, is_quoted, is_negated).map(Some);
        }
        let word = self.word();
        if word == "OR" && !is_negated {
            return Ok(Some(Item::Or));
        }
        Ok(Some(Item::Atom { is_negated, atom: words(Field::Anywhere, word) }))
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// A quoted stretch at the current place; nothing where it is never closed.
    fn quoted(&mut self) -> Option<&'a str> {
        let rest = self.rest();
        let first = rest.chars().next().filter(|first| OPENING.contains(first) && !self.is_never_closed)?;
        let inner = &rest[first.len_utf8()..];
        let Some((end, close)) = inner.char_indices().find(|(_, character)| CLOSING.contains(character)) else {
            self.is_never_closed = true;
            return None;
        };
        self.at += first.len_utf8() + end + close.len_utf8();
        Some(&inner[..end])
    }

    /// Up to the next blank, or to a phrase that begins inside.
    fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// A known filter with its value at the current place: name, value, whether it was quoted.
    fn filter(&mut self) -> Option<(&'static str, &'a str, bool)> {
        let rest = self.rest();
        let begins_with = |spelling: &str| rest.get(..spelling.len()).is_some_and(|written| written.eq_ignore_ascii_case(spelling));
        let (spelling, name) = FILTERS.iter().find(|(spelling, _)| rest.as_bytes().get(spelling.len()) == Some(&b':') && begins_with(spelling))?;
        let value = &rest[spelling.len() + 1..];
        if value.starts_with(|next: char| next.is_whitespace() || next == ':') || value.is_empty() {
            return None;
        }
        self.at += spelling.len() + 1;
        if let Some(value) = self.quoted() {
            return Some((name, value, true));
        }
        Some((name, self.word(), false))
    }
}

/// Spellings of filters, and their documented names.
const FILTERS: [(&str, &str); 14] = [
    ("title", "title"),
    ("heading", "heading"),
    ("headings", "heading"),
    ("tag", "tag"),
    ("tags", "tag"),
    ("status", "status"),
    ("project", "project"),
    ("type", "type"),
    ("person", "person"),
    ("author", "person"),
    ("kind", "kind"),
    ("collection", "collection"),
    ("before", "before"),
    ("after", "after"),
];

fn filter_item(name: &'static str, value: &str, is_quoted: bool, is_negated: bool) -> Result<Item, QueryError> {
    let fail = |legal: &str| QueryError { filter: name, value: value.chars().take(200).collect(), legal: legal.to_owned() };
    let folded = fold_name(value);
    if folded.is_empty() {
        return Err(fail("a value that is not blank"));
    }
    let day = || day_range(value).ok_or_else(|| fail("a date: YYYY, YYYY-MM or YYYY-MM-DD"));
    let field = |field| if is_quoted { Atom::Phrase(field, value.to_owned()) } else { words(field, value) };
    let atom = match name {
        "collection" => return Ok(Item::Collection { is_negated, name: value.to_owned() }),
        "title" => field(Field::Title),
        "heading" => field(Field::Headings),
        "tag" => Atom::Fact(Fact::Tag(folded.trim_start_matches('#').to_owned())),
        "status" => Atom::Fact(Fact::Status(folded)),
        "project" => Atom::Fact(Fact::Project(folded)),
        "type" => Atom::Fact(Fact::RecordType(folded)),
        "person" => Atom::Fact(Fact::Person(folded.trim_start_matches('@').to_owned())),
        "before" => Atom::Fact(Fact::To(day()?.0 - 1)),
        "after" => Atom::Fact(Fact::From(day()?.0)),
        _ => match Kind::parse(&folded) {
            Some(kind) => Atom::Fact(Fact::Kind(kind)),
            None => return Err(fail(&Kind::ALL.map(Kind::as_str).join(", "))),
        },
    };
    if let Atom::Words(..) | Atom::Phrase(..) | Atom::Prefix(..) = &atom
        && !is_searchable(&atom)
    {
        return Err(fail("a word"));
    }
    Ok(Item::Atom { is_negated, atom })
}

/// A piece without blanks: words, or the beginning of one where it ends in a single star.
fn words(field: Field, text: &str) -> Atom {
    match text.strip_suffix('*') {
        Some(start) if !start.contains('*') && start.ends_with(char::is_alphanumeric) => Atom::Prefix(field, start.to_owned()),
        _ => Atom::Words(field, text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use document::Kind;
    use proptest::prelude::*;

    use super::gathered::MAX_KEPT_WORDS;
    use super::{Atom, Clause, Fact, Field, Query};

    fn clauses(text: &str) -> Vec<Clause> {
        Query::parse(text).unwrap().clauses().to_vec()
    }

    fn one(atom: Atom) -> Clause {
        Clause { is_negated: false, alternatives: vec![atom] }
    }

    fn word(text: &str) -> Atom {
        Atom::Words(Field::Anywhere, text.into())
    }

    #[test]
    fn words_phrases_exclusions_and_beginnings() {
        assert_eq!(
            clauses("sync \"change log\" -draft -\"old plan\" data*"),
            [
                one(word("sync")),
                one(Atom::Phrase(Field::Anywhere, "change log".into())),
                Clause { is_negated: true, alternatives: vec![word("draft")] },
                Clause { is_negated: true, alternatives: vec![Atom::Phrase(Field::Anywhere, "old plan".into())] },
                one(Atom::Prefix(Field::Anywhere, "data".into())),
            ]
        );
    }

    #[test]
    fn quoted_sentences_become_words_but_phrases_exclusions_and_filters_stay() {
        let query = Query::parse("\"why is a stale offer refused\" \"change log\" -\"the old plan of last year\" tag:x").unwrap();
        let loosened = query.with_sentences_as_words().unwrap();
        assert_eq!(loosened.clauses()[0], one(word("why is a stale offer refused")));
        assert_eq!(loosened.clauses()[1..], query.clauses()[1..]);
        assert_eq!(loosened.clauses()[1], one(Atom::Phrase(Field::Anywhere, "change log".into())));
        assert_eq!(Query::parse("\"change log\" why is a stale offer refused").unwrap().with_sentences_as_words(), None);
    }

    #[test]
    fn or_binds_its_neighbours_and_is_a_word_elsewhere() {
        assert_eq!(clauses("cat OR dog bird"), [Clause { is_negated: false, alternatives: vec![word("cat"), word("dog")] }, one(word("bird"))]);
        assert_eq!(clauses("this or that").len(), 3);
        assert_eq!(clauses("live OR"), [one(word("live")), one(word("OR"))]);
    }

    #[test]
    fn filters_are_folded_and_named_twice_widen_or_narrow() {
        assert_eq!(
            clauses("status:Draft status:\"In Review\" tag:#Billing tag:q3 kind:notes author:@Ana after:2024-05 before:2025"),
            [
                Clause {
                    is_negated: false,
                    alternatives: vec![Atom::Fact(Fact::Status("draft".into())), Atom::Fact(Fact::Status("in review".into()))]
                },
                one(Atom::Fact(Fact::Tag("billing".into()))),
                one(Atom::Fact(Fact::Tag("q3".into()))),
                one(Atom::Fact(Fact::Kind(Kind::Notes))),
                one(Atom::Fact(Fact::Person("ana".into()))),
                one(Atom::Fact(Fact::From(20_240_501))),
                one(Atom::Fact(Fact::To(20_250_100))),
            ]
        );
        let query = Query::parse("collection:team -collection:\"old mail\"").unwrap();
        assert_eq!((query.collections(), query.excluded_collections()), (&["team".to_owned()][..], &["old mail".to_owned()][..]));
        assert!(!query.is_empty());
    }

    #[test]
    fn colons_elsewhere_are_text() {
        for text in ["https://example.org/a?b=c", "foo::bar", "10:30", "title::x", "status: unknown", "note:x", "kind:"] {
            let found = clauses(text);
            assert!(found.iter().all(|clause| matches!(clause.alternatives[0], Atom::Words(..))), "{text}: {found:?}");
        }
    }

    #[test]
    fn a_filter_that_cannot_be_right_is_named() {
        let error = Query::parse("plans kind:foo").unwrap_err();
        assert_eq!(error.to_string(), "the filter \"kind:foo\" in the query cannot be used: kind takes decisions, notes, messages, pages, skills");
        let error = Query::parse("after:yesterday").unwrap_err();
        assert_eq!((error.filter, error.value.as_str()), ("after", "yesterday"));
        assert!(Query::parse("before:2024-02-30").is_err());
        assert!(Query::parse("tag:\"\"").is_err());
        assert!(Query::parse("title:!!").is_err());
    }

    #[test]
    fn a_query_without_anything_to_search_says_why() {
        assert!(Query::parse("").unwrap().is_empty());
        assert_eq!(Query::parse(" ?! -- * \"\" ").unwrap().empty_reason(), Some("it holds no word, number or sign that could be searched for"));
        assert_eq!(Query::parse("-draft").unwrap().empty_reason(), Some("it says only what to leave out"));
        assert_eq!(Query::parse("👍").unwrap().empty_reason(), None);
        assert_eq!(Query::parse("tag:x").unwrap().empty_reason(), None);
    }

    #[test]
    fn stray_signs_are_ordinary_text() {
        assert_eq!(clauses("5\" disk").len(), 2);
        assert_eq!(clauses("--force"), [one(word("--force"))]);
        assert_eq!(clauses("**bold**"), [one(word("**bold**"))]);
        assert_eq!(clauses("“curly quotes”"), [one(Atom::Phrase(Field::Anywhere, "curly quotes".into()))]);
        assert_eq!(Query::parse("find \"the log\" -x tag:y").unwrap().plain_text(), "find the log");
    }

    #[test]
    fn a_pasted_book_is_read_in_one_pass() {
        // Each of these took time with the square of its length: minutes and hours at this size.
        let different: String = (0..100_000).map(|number| format!("w{number} ")).collect();
        assert_eq!(clauses(&format!("{different} -no tag:x")).len(), MAX_KEPT_WORDS + 2, "what is asked for by all means is kept");
        assert_eq!(clauses(&"„ab ".repeat(500_000)).len(), MAX_KEPT_WORDS);
        let alternatives: String = (0..100_000).map(|number| format!("w{number} OR ")).collect();
        assert_eq!(clauses(&format!("{alternatives} \"a b\""))[0].alternatives.len(), MAX_KEPT_WORDS + 1);
        assert_eq!(clauses(&format!("{different} \"a b\" OR c")).last().unwrap().alternatives.len(), 2, "a wish does not become a must");
        let statuses: String = (0..100_000).map(|number| format!("tag:t{number} status:s{number} ")).collect();
        assert_eq!(clauses(&statuses)[1].alternatives.len(), 100_000);
    }

    #[test]
    fn a_filter_widens_its_own_kind_alone() {
        let status = |word: &str| Atom::Fact(Fact::Status(word.into()));
        assert_eq!(
            clauses("status:a OR cat status:b"),
            [Clause { is_negated: false, alternatives: vec![status("a"), word("cat")] }, one(status("b"))]
        );
        assert_eq!(clauses("-status:a status:b status:b"), [Clause { is_negated: true, alternatives: vec![status("a")] }, one(status("b"))]);
    }

    proptest! {
        #[test]
        fn any_text_without_filters_is_a_query(text in "\\PC{0,80}|[a-z\"“”*: OR-]{0,40}") {
            let known = super::FILTERS.iter().any(|(name, _)| text.to_lowercase().contains(&format!("{name}:")));
            match Query::parse(&text) {
                Ok(query) => prop_assert_eq!(query.is_empty(), query.empty_reason().is_some()),
                Err(_) => prop_assert!(known),
            }
        }
    }
}
