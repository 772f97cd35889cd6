//! `fetch`: a document, or a stretch of it, by any of its names.

use document::{Citation, Document, Span, Uri};

use crate::{Desk, Error, Result, cite, decisions};

/// What to read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FetchQuery {
    /// A uri, id or permalink; a section may stand behind `#`.
    pub id: String,
    /// First character of the body stretch to read, counted from 0 in the whole text.
    pub from_char: Option<i64>,
    /// Most characters to read.
    pub budget_chars: usize,
}

/// A document's text, or a stretch of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Fetched {
    /// The document.
    pub document: Document,
    /// Its collection.
    pub collection: String,
    /// Whether it is in force, for records.
    pub is_current: Option<bool>,
    /// Its id where its kind has ids, else its uri.
    pub id: String,
    /// Verbatim text.
    pub text: String,
    /// Where the text stands.
    pub citation: Citation,
    /// Character at which to go on, when the budget cut it short.
    pub next_char: Option<usize>,
}

/// Reads a document.
///
/// # Errors
/// Nothing or more than one thing of that name, a place outside of it, or a store that cannot be read.
pub async fn fetch(desk: &Desk, query: &FetchQuery) -> Result<Fetched> {
    if let Some((scheme, _)) = query.id.split_once("://")
        && Uri::readings(&query.id).is_empty()
    {
        return Err(Error::new(
            crate::ErrorKind::NotFound,
            format!("Nothing of this library is named \"{}\": {scheme} is no scheme of ibid.", query.id),
        )
        .hint("Use an id or uri from search."));
    }
    let record = decisions::get(desk, &query.id).await?;
    let whole = record.body.span;
    let (span, next_char) = stretch(&record.document, whole, query)?;
    Ok(Fetched {
        text: span.of(&record.document.text).to_owned(),
        citation: cite(&record.document, span),
        collection: desk.library.collection_name(record.row.collection_id).to_owned(),
        id: record.row.id.clone(),
        is_current: Some(record.is_current),
        document: record.document,
        next_char,
    })
}

/// The part of `whole` that the budget allows, from the character that was asked for, cut at the end of a line where one is near; beside it the
/// character at which to go on.
///
/// # Errors
/// A place outside of `whole`.
pub fn stretch(document: &Document, whole: Span, query: &FetchQuery) -> Result<(Span, Option<usize>)> {
    let text = &document.text;
    let first_char = text[..whole.start].chars().count();
    let start = match query.from_char {
        None => whole.start,
        Some(from) => {
            let last_char = first_char + whole.of(text).chars().count();
            let from = usize::try_from(from).ok().filter(|from| (first_char..=last_char).contains(from));
            let from = from.ok_or_else(|| {
                Error::bad_input(format!(
                    "from_char is {}, but this text runs from {first_char} to {last_char}.",
                    query.from_char.unwrap_or_default()
                ))
            })?;
            text.char_indices().nth(from).map_or(text.len(), |(at, _)| at)
        }
    };
    let rest = &text[start..whole.end];
    let Some((cut, _)) = rest.char_indices().nth(query.budget_chars) else {
        return Ok((Span::new(start, whole.end), None));
    };
    let line_end = rest[..cut].rfind('\n').map(|at| at + 1).filter(|at| *at > cut / 2).unwrap_or(cut);
    let end = start + line_end;
    Ok((Span::new(start, end), Some(text[..end].chars().count())))
}

#[cfg(test)]
mod tests {
    use super::{FetchQuery, stretch};
    use document::{Document, Facts, Kind, Scheme, Span, Stamp, Uri};

    fn document(text: &str) -> Document {
        Document {
            uri: Uri::new(Scheme::Decision, "a/adr/b"),
            kind: Kind::Decisions,
            path: "b.md".into(),
            title: "b".into(),
            description: String::new(),
            text: text.into(),
            body: Span::new(0, text.len()),
            sections: Vec::new(),
            links: Vec::new(),
            tags: Vec::new(),
            date: None,
            stamp: Stamp::of(b""),
            facts: Facts::Plain,
        }
    }

    #[test]
    fn reading_on_gives_every_character_once() {
        let text = "erste Zeile\nzweite Zeile äöü\n\nvierte\n".repeat(40);
        let document = document(&text);
        let mut read = String::new();
        let mut from_char = None;
        loop {
            let query = FetchQuery { id: String::new(), from_char, budget_chars: 100 };
            let (span, next) = stretch(&document, document.body, &query).unwrap();
            read.push_str(span.of(&text));
            assert!(span.of(&text).chars().count() <= 100);
            match next {
                Some(next) => from_char = Some(i64::try_from(next).unwrap()),
                None => break,
            }
        }
        assert_eq!(read, text);
    }

    #[test]
    fn a_place_outside_of_the_text_is_named() {
        let document = document("short");
        for from in [-1, 6] {
            let query = FetchQuery { id: String::new(), from_char: Some(from), budget_chars: 100 };
            assert!(stretch(&document, document.body, &query).unwrap_err().message.contains(&from.to_string()));
        }
    }
}
