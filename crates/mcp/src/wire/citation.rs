//! Citations on the wire: exact coordinates, for machines and for people.

use schemars::JsonSchema;
use serde::Serialize;

/// Where a quote stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Citation {
    /// Stable name, with the section behind `#`.
    pub uri: String,
    /// Title of the document.
    pub title: String,
    /// Positional path of the section; `0` stands before the first heading.
    pub section: String,
    /// Headings from the outermost down.
    pub headings: Vec<String>,
    /// First character in the file's text, from 0.
    pub char_start: usize,
    /// One past the last character.
    pub char_end: usize,
    /// First line, from 1.
    pub line_start: u32,
    /// Last line.
    pub line_end: u32,
    /// Hash of the bytes that were quoted.
    pub stamp: String,
    /// The document's own date, as exact as it is stated.
    pub time: Option<String>,
    /// Web path that opens this place.
    pub permalink: String,
}

impl From<&document::Citation> for Citation {
    fn from(citation: &document::Citation) -> Self {
        Self {
            uri: citation.uri.to_string(),
            title: citation.title.clone(),
            section: citation.section.clone(),
            headings: citation.headings.clone(),
            char_start: citation.char_start,
            char_end: citation.char_end,
            line_start: citation.line_start,
            line_end: citation.line_end,
            stamp: citation.stamp.as_str().to_owned(),
            time: citation.time.clone(),
            permalink: citation.permalink(),
        }
    }
}

/// The citation of the beginning `text` of what `whole` cites.
pub(super) fn of_beginning(whole: &document::Citation, text: &str) -> document::Citation {
    let breaks = u32::try_from(text.trim_end_matches('\n').matches('\n').count()).unwrap_or(u32::MAX);
    document::Citation { char_end: whole.char_start + text.chars().count(), line_end: whole.line_start + breaks, ..whole.clone() }
}

/// Cuts `text` to at most `most_chars` characters: behind the last line that ends in the second half of them, else right there.
pub(super) fn cut_at_line(text: &mut String, most_chars: usize) {
    let Some((cut, _)) = text.char_indices().nth(most_chars) else { return };
    let line_end = text[..cut].rfind('\n').map(|at| at + 1).filter(|at| *at > cut / 2);
    text.truncate(line_end.unwrap_or(cut));
}

#[cfg(test)]
mod tests {
    use super::cut_at_line;

    #[test]
    fn a_cut_falls_behind_a_line_where_one_is_near() {
        let cut = |text: &str, most: usize| {
            let mut text = text.to_owned();
            cut_at_line(&mut text, most);
            text
        };
        assert_eq!(cut("one\ntwo\nthree\n", 9), "one\ntwo\n");
        assert_eq!(cut("one\ntwo", 7), "one\ntwo");
        assert_eq!(cut("äöü äöü äöü", 5), "äöü ä");
    }
}
