//! Citations: the exact coordinates of a quote.

use crate::{Stamp, Uri};

/// Where a quote stands. Everything an agent or a person needs to find it again, and to see whether it changed since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Citation {
    /// The document's uri, with the section as its fragment where the quote lies inside one.
    pub uri: Uri,
    /// The document's title.
    pub title: String,
    /// Positional path of the section, `0` before the first heading.
    pub section: String,
    /// Headings from the outermost to the one that the quote stands under.
    pub headings: Vec<String>,
    /// First character of the quote in the document's text, counted from 0.
    pub char_start: usize,
    /// One past its last character.
    pub char_end: usize,
    /// 1-based line on which it begins.
    pub line_start: u32,
    /// 1-based line on which it ends.
    pub line_end: u32,
    /// Stamp of the bytes that were quoted.
    pub stamp: Stamp,
    /// What the document says of its own time: `YYYY-MM-DD`, shorter where it says less, RFC 3339 where it says more.
    pub time: Option<String>,
}

impl Citation {
    /// Web path that opens this citation and marks its lines, relative to the site's base.
    #[must_use]
    pub fn permalink(&self) -> String {
        let whole = self.uri.permalink();
        let (path, fragment) = whole.split_once('#').map_or((whole.as_str(), None), |(path, fragment)| (path, Some(fragment)));
        let short = &self.stamp.as_str()["sha256:".len()..][..12];
        let mut link = format!("{path}?lines={}-{}&stamp={short}", self.line_start, self.line_end);
        if let Some(fragment) = fragment {
            link.push('#');
            link.push_str(fragment);
        }
        link
    }
}
