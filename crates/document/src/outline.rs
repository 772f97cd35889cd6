//! The outline of a text: its sections with stable positional paths. Markdown by pulldown-cmark; reST and AsciiDoc by their heading rules.

use std::collections::HashMap;

use crate::{Span, markdown};

/// In which markup a text is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// CommonMark with tables.
    Markdown,
    /// reStructuredText: underlined titles, whose levels follow from the order in which styles appear.
    Rest,
    /// AsciiDoc: titles behind `=`.
    AsciiDoc,
}

impl Syntax {
    /// The syntax that a file's name tells; Markdown where it tells none.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        match path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).as_deref() {
            Some("rst" | "rest") => Self::Rest,
            Some("adoc" | "asciidoc" | "asc") => Self::AsciiDoc,
            _ => Self::Markdown,
        }
    }
}

/// An addressable stretch of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Positional path: `2.1` is the first section below the second top-level one; `0` is what precedes the first heading.
    pub path: String,
    /// Plain text of the heading; empty for section `0`.
    pub heading: String,
    /// Heading as a web anchor, unique in its document; empty for section `0`.
    pub slug: String,
    /// Level as written, 1 to 6; 0 for section `0`.
    pub level: u8,
    /// The section's own text: its heading line and what follows up to the next heading of any level.
    pub span: Span,
    /// Where the section with all sections below it ends.
    pub subtree_end: usize,
}

/// Splits a YAML (`---`) or TOML (`+++`) header off. Returns the header's inside and the body. Offsets stay those of `text`.
///
/// A header begins on the first line, or after a byte order mark or blank lines, as real records do; it ends at the same fence on a line of its own.
#[must_use]
pub fn split_front_matter(text: &str) -> (Option<Span>, Span) {
    let skipped = text.len() - text.trim_start_matches(['\u{feff}', '\n', '\r', ' ']).len();
    let whole = Span::new(0, text.len());
    let rest = &text[skipped..];
    let Some(fence) = ["---", "+++"].into_iter().find(|fence| rest.starts_with(fence)) else {
        return (None, whole);
    };
    let Some(first_end) = rest.find('\n') else {
        return (None, whole);
    };
    if rest[..first_end].trim_end() != fence {
        return (None, whole);
    }
    let mut at = first_end + 1;
    while at <= rest.len() {
        let line_end = rest[at..].find('\n').map_or(rest.len(), |found| at + found + 1);
        let line = rest[at..line_end].trim_end();
        if line == fence || (fence == "---" && line == "...") {
            return (Some(Span::new(skipped + first_end + 1, skipped + at)), Span::new(skipped + line_end, text.len()));
        }
        if line_end == at {
            break;
        }
        at = line_end;
    }
    (None, whole)
}

/// The sections of `body` in `text`, in order. Their own spans cover the body without gaps; there is always at least section `0`.
#[must_use]
pub fn outline(text: &str, body: Span, syntax: Syntax) -> Vec<Section> {
    let headings = match syntax {
        Syntax::Markdown => markdown::headings(text, body),
        Syntax::Rest => rest_headings(text, body),
        Syntax::AsciiDoc => asciidoc_headings(text, body),
    };
    let first = headings.first().map_or(body.end, |heading| heading.start);
    let mut sections = vec![Section {
        path: "0".to_owned(),
        heading: String::new(),
        slug: String::new(),
        level: 0,
        span: Span::new(body.start, first),
        subtree_end: first,
    }];
    // One entry per open level: the level as written and how many siblings were seen there.
    let mut open: Vec<(u8, usize)> = Vec::new();
    let mut slugs = Slugs::default();
    for (index, heading) in headings.iter().enumerate() {
        let end = headings.get(index + 1).map_or(body.end, |next| next.start);
        let subtree_end = headings[index + 1..].iter().find(|next| next.level <= heading.level).map_or(body.end, |next| next.start);
        let mut siblings = 0;
        while let Some((level, count)) = open.last().copied() {
            if level < heading.level {
                break;
            }
            siblings = count;
            open.pop();
        }
        open.push((heading.level, siblings + 1));
        let path = open.iter().map(|(_, count)| count.to_string()).collect::<Vec<_>>().join(".");
        let slug = slugs.unique(heading.anchor.clone().filter(|anchor| !anchor.is_empty()).unwrap_or_else(|| slugify(&heading.text)));
        sections.push(Section { path, heading: heading.text.clone(), slug, level: heading.level, span: Span::new(heading.start, end), subtree_end });
    }
    sections
}

/// Index of the section in whose own span byte `offset` lies; the last one for offsets past the end.
#[must_use]
pub fn section_at(sections: &[Section], offset: usize) -> usize {
    sections.partition_point(|section| section.span.start <= offset || section.level == 0).saturating_sub(1)
}

/// A heading as a web anchor: lower case, letters and digits of any script, hyphens between; `section` where nothing is left.
#[must_use]
pub fn slugify(heading: &str) -> String {
    let mut slug = String::with_capacity(heading.len());
    for character in heading.trim().chars() {
        if character.is_alphanumeric() || character == '_' {
            slug.extend(character.to_lowercase());
        } else if !slug.ends_with('-') && (character.is_whitespace() || character == '-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "section".to_owned() } else { slug.to_owned() }
}

/// The slugs of a document so far, each with the number that its next repetition gets.
#[derive(Default)]
struct Slugs(HashMap<String, usize>);

impl Slugs {
    /// `base`, with the first number behind it that makes it a new one: a heading `A-1` may stand before the second `A`.
    fn unique(&mut self, base: String) -> String {
        let mut slug = base.clone();
        while self.0.contains_key(&slug) {
            let count = self.0.entry(base.clone()).or_default();
            *count += 1;
            slug = format!("{base}-{count}");
        }
        self.0.insert(slug.clone(), 0);
        slug
    }
}

/// A heading as found in a text.
#[derive(Debug, Clone)]
pub(crate) struct Heading {
    pub(crate) level: u8,
    pub(crate) text: String,
    /// An anchor that the author gave.
    pub(crate) anchor: Option<String>,
    /// Byte at which its line (or overline) begins.
    pub(crate) start: usize,
}

/// Lines of `body` with their start offsets, line ends removed.
fn lines_of(text: &str, body: Span) -> Vec<(usize, &str)> {
    let mut at = body.start;
    body.of(text)
        .split_inclusive('\n')
        .map(|line| {
            let start = at;
            at += line.len();
            (start, line.trim_end_matches(['\n', '\r']))
        })
        .collect()
}

/// reST titles: a line underlined, or over- and underlined, by one repeated punctuation character at least as long (docutils, "Sections").
fn rest_headings(text: &str, body: Span) -> Vec<Heading> {
    const ADORNMENTS: &str = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    let adornment = |line: &str| -> Option<char> {
        let line = line.trim_end();
        let first = line.chars().next()?;
        (line.len() >= 3 && ADORNMENTS.contains(first) && line.chars().all(|character| character == first)).then_some(first)
    };
    let lines = lines_of(text, body);
    let mut styles: Vec<(char, bool)> = Vec::new();
    let mut headings = Vec::new();
    let mut index = 0;
    while index + 1 < lines.len() {
        let (start, line) = lines[index];
        let over = adornment(line)
            .filter(|mark| index + 2 < lines.len() && adornment(lines[index + 2].1) == Some(*mark) && !lines[index + 1].1.trim().is_empty());
        let title_index = if over.is_some() { index + 1 } else { index };
        let title = lines[title_index].1;
        let under = lines.get(title_index + 1).and_then(|(_, line)| adornment(line));
        let is_title = !title.trim().is_empty() && adornment(title).is_none() && (over.is_some() || !title.starts_with(char::is_whitespace));
        match under {
            Some(mark) if is_title && lines[title_index + 1].1.trim_end().chars().count() >= title.trim().chars().count() => {
                let style = (mark, over.is_some());
                let level = styles.iter().position(|known| *known == style).unwrap_or_else(|| {
                    styles.push(style);
                    styles.len() - 1
                });
                headings.push(Heading { level: u8::try_from(level + 1).unwrap_or(6).min(6), text: title.trim().to_owned(), anchor: None, start });
                index = title_index + 2;
            }
            _ => index += 1,
        }
    }
    headings
}

/// AsciiDoc titles: one to six `=` and a space, outside of listing (`----`) and literal (`....`) blocks.
fn asciidoc_headings(text: &str, body: Span) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut fence: Option<&str> = None;
    for (start, line) in lines_of(text, body) {
        let line = line.trim_end();
        let is_fence = line.len() >= 4 && ["-", ".", "+", "/"].iter().any(|mark| line.chars().all(|character| mark.starts_with(character)));
        match fence {
            Some(open) if open == line => fence = None,
            Some(_) => {}
            None if is_fence => fence = Some(line),
            None => {
                let level = line.bytes().take_while(|byte| *byte == b'=').count();
                if (1..=6).contains(&level) && line[level..].starts_with(' ') {
                    headings.push(Heading { level: u8::try_from(level).unwrap_or(6), text: line[level..].trim().to_owned(), anchor: None, start });
                }
            }
        }
    }
    headings
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Syntax, outline, section_at, slugify, split_front_matter};
    use crate::Span;

    fn paths(text: &str, syntax: Syntax) -> Vec<(String, String)> {
        outline(text, Span::new(0, text.len()), syntax).into_iter().map(|section| (section.path, section.heading)).collect()
    }

    fn pair(path: &str, heading: &str) -> (String, String) {
        (path.to_owned(), heading.to_owned())
    }

    #[test]
    fn paths_count_positions_not_levels() {
        let text = "intro\n# One\n### Deep\n## Mid\n# Two\n```\n# no heading\n```\n## Last {#here}\n";
        let expected = [pair("0", ""), pair("1", "One"), pair("1.1", "Deep"), pair("1.2", "Mid"), pair("2", "Two"), pair("2.1", "Last")];
        assert_eq!(paths(text, Syntax::Markdown), expected);
        assert_eq!(outline(text, Span::new(0, text.len()), Syntax::Markdown)[5].slug, "here");
    }

    #[test]
    fn rest_levels_follow_the_order_of_styles() {
        let text = "=====\nTitle\n=====\n\nAbstract\n========\n\ntext\n\nDetail\n------\n\nMore\n====\n";
        assert_eq!(
            paths(text, Syntax::Rest),
            [pair("0", ""), pair("1", "Title"), pair("1.1", "Abstract"), pair("1.1.1", "Detail"), pair("1.2", "More")]
        );
    }

    #[test]
    fn asciidoc_titles_in_listings_are_none() {
        assert_eq!(paths("= T\n\n----\n== not\n----\n\n== A\n", Syntax::AsciiDoc), [pair("0", ""), pair("1", "T"), pair("1.1", "A")]);
    }

    #[test]
    fn front_matter_is_split_off_with_offsets_kept() {
        let text = "\u{feff}---\r\ntitle: x\r\n---\r\n# H\r\n";
        let (header, body) = split_front_matter(text);
        assert_eq!(header.unwrap().of(text), "title: x\r\n");
        assert_eq!(body.of(text), "# H\r\n");
        assert_eq!(split_front_matter("---\nnever closed\n"), (None, Span::new(0, 17)));
        assert_eq!(split_front_matter("--- not a fence\n---\n").0, None);
        let empty = "---\n---\nbody";
        assert_eq!(split_front_matter(empty).1.of(empty), "body");
    }

    #[test]
    fn anchors_keep_letters_of_every_script() {
        assert_eq!(slugify("Ça va: Überblick & 設計!"), "ça-va-überblick-設計");
        assert_eq!(slugify("???"), "section");
    }

    #[test]
    fn no_two_sections_have_one_anchor() {
        let slugs = |text: &str| {
            let sections = outline(text, Span::new(0, text.len()), Syntax::Markdown);
            sections.into_iter().skip(1).map(|section| section.slug).collect::<Vec<_>>()
        };
        assert_eq!(slugs("# A\n# A\n# A-1\n# A\n"), ["a", "a-1", "a-1-1", "a-2"]);
        assert_eq!(slugs("# A-1\n# A\n# A\n## B {#a}\n"), ["a-1", "a", "a-2", "a-3"]);
    }

    proptest! {
        #[test]
        fn own_spans_cover_the_body_without_gaps(text in "([#=a-z`é \\-]{0,12}\n){0,14}", syntax in prop::sample::select(vec![Syntax::Markdown, Syntax::Rest, Syntax::AsciiDoc])) {
            let (_, body) = split_front_matter(&text);
            let sections = outline(&text, body, syntax);
            let mut at = body.start;
            for section in &sections {
                prop_assert_eq!(section.span.start, at);
                prop_assert!(section.subtree_end >= section.span.end);
                at = section.span.end;
            }
            prop_assert_eq!(at, body.end);
            for (index, section) in sections.iter().enumerate() {
                if !section.span.is_empty() {
                    prop_assert_eq!(section_at(&sections, section.span.start), index);
                }
            }
        }
    }
}
