//! The lines that a citation names, found again in the text as it is now.

use document::{Document, Lines, Span};
use engine::Error;

/// `lines=12-18&stamp=0123456789ab` as read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Cited {
    lines: Option<(u32, u32)>,
    /// First digits of the stamp of the bytes that were quoted.
    stamp: Option<String>,
}

/// Where the cited lines are now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// `None` where the text ends before them.
    pub(crate) span: Option<Span>,
    /// How many lines the text has.
    pub(crate) line_count: u32,
}

impl Cited {
    pub(crate) fn read(lines: Option<&str>, stamp: Option<&str>) -> Result<Self, Error> {
        let filled = |text: Option<&str>| text.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
        let lines = filled(lines)
            .map(|text| line_range(&text).ok_or_else(|| bad("lines", &text, "a line or a range such as 12-18, counted from 1")))
            .transpose()?;
        let stamp = filled(stamp).map(|text| short_stamp(&text).ok_or_else(|| bad("stamp", &text, "12 to 64 hexadecimal digits"))).transpose()?;
        Ok(Self { lines, stamp })
    }

    /// Whether the document is not what was cited any more.
    pub(crate) fn is_changed(&self, document: &Document) -> bool {
        let now = document.stamp.as_str();
        let digits = now.strip_prefix("sha256:").unwrap_or(now);
        self.stamp.as_deref().is_some_and(|stamp| !digits.starts_with(stamp))
    }

    /// The cited lines in the document's text.
    pub(crate) fn place(&self, document: &Document) -> Option<Place> {
        let (first, last) = self.lines?;
        let lines = Lines::of(&document.text);
        let line_count = lines.line_number(document.text.trim_end_matches('\n').len());
        let span = lines.start_of(first).filter(|_| first <= line_count).map(|start| {
            let end = last.checked_add(1).and_then(|next| lines.start_of(next)).unwrap_or(document.text.len());
            Span::new(start, end)
        });
        Some(Place { first, last, span, line_count })
    }
}

fn line_range(text: &str) -> Option<(u32, u32)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    (first >= 1 && first <= last).then_some((first, last))
}

fn short_stamp(text: &str) -> Option<String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text).to_ascii_lowercase();
    ((12..=64).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(digits)
}

fn bad(name: &str, text: &str, wanted: &str) -> Error {
    let shown: String = text.chars().take(80).collect();
    Error::bad_input(format!("{name} is \"{shown}\", but must be {wanted}."))
}

#[cfg(test)]
mod tests {
    use document::{Document, Facts, Kind, Scheme, Span, Stamp, Uri};

    use super::Cited;

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
            stamp: Stamp::of(text.as_bytes()),
            facts: Facts::Plain,
        }
    }

    #[test]
    fn lines_are_found_again_to_the_last_byte() {
        let document = document("one\ntwo\nthree\n");
        let text = |lines| Cited::read(Some(lines), None).unwrap().place(&document).unwrap().span.map(|span| span.of(&document.text).to_owned());
        assert_eq!(text("1").as_deref(), Some("one\n"));
        assert_eq!(text("2-3").as_deref(), Some("two\nthree\n"));
        assert_eq!(text("3-4294967295").as_deref(), Some("three\n"));
        assert_eq!(text("4-5"), None);
        assert_eq!(Cited::read(Some("9"), None).unwrap().place(&document).unwrap().line_count, 3);
    }

    #[test]
    fn a_stamp_tells_whether_the_text_is_what_was_cited() {
        let document = document("x");
        let short = document.stamp.as_str()["sha256:".len()..][..12].to_owned();
        assert!(!Cited::read(None, Some(&short)).unwrap().is_changed(&document));
        assert!(!Cited::read(None, Some(document.stamp.as_str())).unwrap().is_changed(&document));
        assert!(Cited::read(None, Some("0123456789ab")).unwrap().is_changed(&document));
        assert!(!Cited::read(None, None).unwrap().is_changed(&document));
    }

    #[test]
    fn what_is_no_range_or_stamp_is_named() {
        for lines in ["0", "5-4", "a", "1-", "-1", "1-2-3", "99999999999"] {
            assert!(Cited::read(Some(lines), None).unwrap_err().message.contains(lines), "{lines}");
        }
        for stamp in ["abc", "zzzzzzzzzzzz", "sha256:"] {
            assert!(Cited::read(None, Some(stamp)).unwrap_err().message.contains(stamp), "{stamp}");
        }
        assert_eq!(Cited::read(Some(""), Some(" ")).unwrap(), Cited::default());
    }
}
