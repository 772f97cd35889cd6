//! Any text as a query and as a text that is searched: parsing ends, and what is marked as found stands on borders of characters.
#![no_main]

use index::query::Atom;
use index::{Query, fold, spans_of};
use libfuzzer_sys::fuzz_target;

mod swell;

fuzz_target!(|data: &[u8]| {
    let bytes = swell::swell(data);
    let text = String::from_utf8_lossy(&bytes);
    let Ok(query) = Query::parse(&text) else { return };
    assert_ne!(query, Query::everything(), "a text asks for everything");
    for clause in query.clauses() {
        assert!(!clause.alternatives.is_empty(), "a clause that asks for nothing");
    }
    assert!(!query.is_empty() || query.clauses().iter().all(|clause| clause.is_negated), "a query with words is empty");

    let terms: Vec<String> = query
        .clauses()
        .iter()
        .flat_map(|clause| &clause.alternatives)
        .filter_map(|atom| match atom {
            Atom::Words(_, words) | Atom::Phrase(_, words) => Some(fold(words)),
            Atom::Prefix(_, words) => Some(format!("{}*", fold(words))),
            Atom::Fact(_) => None,
        })
        .take(8)
        .chain(["e*".to_owned(), "*".to_owned(), String::new()])
        .collect();
    let mut end = 0;
    for span in spans_of(&text, &terms) {
        assert!(text.get(span.start..span.end).is_some_and(|found| !found.is_empty()), "a mark cuts a character");
        assert!(span.start >= end, "marks overlap");
        end = span.end;
    }
});
