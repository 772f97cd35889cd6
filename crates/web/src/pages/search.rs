//! `/search`: passages that fit, quoted word for word, each with a link to the exact place.

use askama::Template;
use engine::decisions::Statuses;
use engine::search::{self, Hit, SearchAnswer, SearchQuery};
use serde::Deserialize;

use super::record_row::Badge;
use super::{Page, page};
use crate::address::with_query;
use crate::chrome::Chrome;
use crate::error::PageError;
use crate::input::{Asked, is_ticked, said};
use crate::shown;
use crate::visit::Visit;

const PER_PAGE: i64 = 20;

/// What to search for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    q: Option<String>,
    project: Option<String>,
    current: Option<String>,
    cursor: Option<String>,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    chrome: Chrome,
    project: String,
    is_current: bool,
    hits: Vec<HitView>,
    /// Why nothing could be looked for.
    note: Option<String>,
    /// Why the ranking rests on words alone.
    words_only: Option<String>,
    more: Option<String>,
    /// The same words over the list of records.
    records: String,
}

/// A hit as it is shown.
struct HitView {
    title: String,
    /// Headings down to the quote's.
    headings: String,
    /// The cited place.
    address: String,
    lines: String,
    id: String,
    badge: Option<Badge>,
    date: String,
    collection: String,
    quote: Vec<Piece>,
}

/// A piece of a quote.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    text: String,
    is_found: bool,
}

impl HitView {
    fn of(hit: &Hit, words: &[String], statuses: &Statuses) -> Self {
        let citation = &hit.citation;
        let permalink = citation.permalink();
        let path = permalink.split('#').next().unwrap_or(&permalink);
        // The title stands above; a first heading that repeats it says nothing new.
        let headings: Vec<String> =
            citation.headings.iter().filter(|heading| **heading != citation.title).map(|heading| shown::plain(heading)).collect();
        Self {
            title: shown::plain(&citation.title),
            headings: headings.join(" › "),
            // For the eye the marked block is the place, not the start of its section.
            address: format!("{path}#cited"),
            lines: lines(citation.line_start, citation.line_end),
            id: shown::plain(citation.uri.path()),
            badge: hit.status.as_deref().map(|word| Badge::of(word, hit.is_current == Some(true), statuses)),
            date: citation.time.clone().unwrap_or_default(),
            collection: shown::plain(&hit.collection),
            quote: pieces(&shown::plain(&hit.quote), words),
        }
    }
}

fn lines(first: u32, last: u32) -> String {
    if first == last { format!("line {first}") } else { format!("lines {first}–{last}") }
}

/// The words of a query that a reader would look for, in lower case. Operators and excluded words are none.
fn words_of(query: &str) -> Vec<String> {
    let is_said = |part: &&str| !part.starts_with('-') && *part != "OR" && *part != "AND";
    let parts = query.split_whitespace().filter(is_said);
    let words = parts
        .map(|part| part.rsplit_once(':').map_or(part, |(_, value)| value))
        .flat_map(|part| part.split(|character: char| !character.is_alphanumeric()));
    words.filter(|word| word.chars().count() > 1).map(str::to_lowercase).collect()
}

/// A quote cut where a searched word begins or ends. Endings are forgiven, since the index forgives them too.
fn pieces(quote: &str, words: &[String]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut push = |text: &str, is_found: bool| match pieces.last_mut() {
        Some(last) if last.is_found == is_found => last.text.push_str(text),
        _ => pieces.push(Piece { text: text.to_owned(), is_found }),
    };
    let mut rest = quote;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphanumeric();
        let end = rest.find(|character: char| character.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        push(part, is_word && words.iter().any(|word| is_like(&part.to_lowercase(), word)));
        rest = behind;
    }
    pieces
}

/// Whether two words differ in a short ending at most.
fn is_like(left: &str, right: &str) -> bool {
    let common: usize = left.chars().zip(right.chars()).take_while(|(left, right)| left == right).count();
    let longest = left.chars().count().max(right.chars().count());
    common == longest || (common >= 4 && longest - common <= 3)
}

/// Before anything was asked for.
fn empty(chrome: Chrome, said: SearchQuery) -> SearchPage {
    let note = Some("Write some words into the box above.".to_owned());
    let records = "/records".to_owned();
    SearchPage {
        hits: Vec::new(),
        note,
        words_only: None,
        more: None,
        records,
        is_current: said.current_only,
        project: said.project.unwrap_or_default(),
        chrome,
    }
}

fn view(chrome: Chrome, said: &SearchQuery, answer: &SearchAnswer, statuses: &Statuses) -> SearchPage {
    let words = words_of(&said.query);
    let project = said.project.clone().unwrap_or_default();
    let current = if said.current_only { "1" } else { "" };
    let same = [("q", said.query.as_str()), ("project", project.as_str()), ("current", current)];
    let more = answer.next_cursor.as_deref().map(|cursor| with_query("/search", same.into_iter().chain([("cursor", cursor)])));
    let records = with_query("/records", [("query", said.query.as_str()), ("project", project.as_str()), ("current", current)]);
    let hits = answer.hits.iter().map(|hit| HitView::of(hit, &words, statuses)).collect();
    let note = answer.note.as_deref().map(shown::plain);
    let words_only = Some(shown::plain(answer.no_meaning_reason)).filter(|reason| !reason.is_empty());
    SearchPage { hits, note, words_only, more, records, is_current: said.current_only, project, chrome }
}

pub(crate) async fn show(mut visit: Visit, Asked(question): Asked<Question>) -> Page {
    let asked = SearchQuery {
        query: said(question.q).unwrap_or_default(),
        project: said(question.project),
        current_only: is_ticked("current", question.current.as_deref())?,
        cursor: said(question.cursor),
        limit: Some(PER_PAGE),
        ..SearchQuery::default()
    };
    visit.chrome.query.clone_from(&asked.query);
    if asked.query.is_empty() {
        return page(&empty(visit.chrome, asked));
    }
    let failed = |error| PageError::from(error).query(&asked.query).link("How to search", "/guide#searching");
    let answer = search::search(&visit.desk, &asked).await.map_err(failed)?;
    page(&view(visit.chrome, &asked, &answer, &visit.desk.library.config().statuses))
}

#[cfg(test)]
mod tests {
    use super::{is_like, pieces, words_of};

    #[test]
    fn words_of_a_query_leave_operators_out() {
        assert_eq!(words_of("\"error budget\" -kafka status:accepted OR post* a"), ["error", "budget", "accepted", "post"]);
    }

    #[test]
    fn found_words_are_marked_and_no_character_is_lost() {
        let words = ["budget".to_owned(), "slo".to_owned()];
        let quote = "An SLO sets two budgets.\n<b>budge</b> slope";
        let pieces = pieces(quote, &words);
        let marked: Vec<&str> = pieces.iter().filter(|piece| piece.is_found).map(|piece| piece.text.as_str()).collect();
        assert_eq!(marked, ["SLO", "budgets", "budge"]);
        assert_eq!(pieces.iter().map(|piece| piece.text.as_str()).collect::<String>(), quote);
        assert!(is_like("über", "über") && !is_like("über", "übel"));
    }
}
