//! The one door to the Markdown parser: blocks, headings and links of a text, and safe HTML for people.

use pulldown_cmark::{Event as Parsed, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use crate::outline::Heading;
use crate::{Link, LinkForm, Section, Span};

/// A block of a Markdown text as readers of metadata need it: flat, in order, with its exact place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A heading: level and plain text.
    Heading {
        /// 1 to 6.
        level: u8,
        /// Text without markup.
        text: String,
        /// The whole heading in the source.
        span: Span,
    },
    /// A paragraph outside of lists.
    Paragraph {
        /// Its source.
        span: Span,
        /// Inside a block quote.
        is_quoted: bool,
    },
    /// One item of a list, without the items of lists inside it.
    Item {
        /// Its source, from the first character of its text.
        span: Span,
        /// 0 for items of an outermost list.
        depth: usize,
    },
    /// One row of a table, the header row included.
    Row {
        /// Source of each cell, trimmed.
        cells: Vec<Span>,
        /// Row of the table's head.
        is_head: bool,
    },
    /// A code block; whatever stands in it is no metadata.
    Code {
        /// Its source.
        span: Span,
    },
    /// Raw HTML, comments included.
    Html {
        /// Its source.
        span: Span,
    },
    /// A thematic break.
    Rule {
        /// Its source.
        span: Span,
    },
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_HEADING_ATTRIBUTES
}

fn parser(text: &str, body: Span) -> impl Iterator<Item = (Parsed<'_>, Span)> {
    Parser::new_ext(body.of(text), options())
        .into_offset_iter()
        .map(move |(event, range)| (event, Span::new(range.start + body.start, range.end + body.start)))
}

const fn level_number(level: HeadingLevel) -> u8 {
    level as u8
}

/// The blocks of `body` in `text`, in order.
#[must_use]
pub fn blocks(text: &str, body: Span) -> Vec<Event> {
    let mut events = Vec::new();
    let mut heading: Option<(u8, String, Span)> = None;
    let mut quotes = 0_usize;
    let mut lists = 0_usize;
    let mut cells: Vec<Span> = Vec::new();
    for (event, span) in parser(text, body) {
        match event {
            Parsed::Start(Tag::Heading { level, .. }) => heading = Some((level_number(level), String::new(), span)),
            Parsed::End(TagEnd::Heading(_)) => {
                if let Some((level, text, span)) = heading.take() {
                    events.push(Event::Heading { level, text: text.trim().to_owned(), span });
                }
            }
            Parsed::Text(part) | Parsed::Code(part) if heading.is_some() => {
                if let Some((_, text, _)) = &mut heading {
                    text.push_str(&part);
                }
            }
            Parsed::SoftBreak | Parsed::HardBreak => {
                if let Some((_, text, _)) = &mut heading {
                    text.push(' ');
                }
            }
            Parsed::Start(Tag::BlockQuote(_)) => quotes += 1,
            Parsed::End(TagEnd::BlockQuote(_)) => quotes = quotes.saturating_sub(1),
            Parsed::Start(Tag::List(_)) => {
                // What the enclosing item says itself ends where the inner list begins.
                if let Some(Event::Item { span: own, .. }) = events.last_mut()
                    && own.end > span.start
                {
                    own.end = span.start;
                }
                lists += 1;
            }
            Parsed::End(TagEnd::List(_)) => lists = lists.saturating_sub(1),
            Parsed::Start(Tag::Item) => events.push(Event::Item { span, depth: lists.saturating_sub(1) }),
            Parsed::Start(Tag::Paragraph) if lists == 0 => events.push(Event::Paragraph { span, is_quoted: quotes > 0 }),
            Parsed::Start(Tag::TableHead | Tag::TableRow) => cells.clear(),
            Parsed::Start(Tag::TableCell) => {
                let raw = span.of(text);
                let inner = raw.trim().trim_start_matches('|').trim_end_matches('|').trim();
                let start = span.start + raw.find(inner).unwrap_or_default();
                cells.push(Span::new(start, start + inner.len()));
            }
            Parsed::End(end @ (TagEnd::TableHead | TagEnd::TableRow)) => {
                events.push(Event::Row { cells: std::mem::take(&mut cells), is_head: end == TagEnd::TableHead });
            }
            Parsed::Start(Tag::CodeBlock(_)) => events.push(Event::Code { span }),
            Parsed::Start(Tag::HtmlBlock) => events.push(Event::Html { span }),
            Parsed::Rule => events.push(Event::Rule { span }),
            _ => {}
        }
    }
    events
}

/// All headings of `body`, with the anchors that authors gave.
pub(crate) fn headings(text: &str, body: Span) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut open: Option<Heading> = None;
    for (event, span) in parser(text, body) {
        match event {
            Parsed::Start(Tag::Heading { level, id, .. }) => {
                // The outline begins at the line's start, so that sections also own the indentation and quote marks before a heading.
                let start = text[body.start..span.start].rfind('\n').map_or(body.start, |found| body.start + found + 1);
                open = Some(Heading { level: level_number(level), text: String::new(), anchor: id.map(|id| id.to_string()), start });
            }
            Parsed::End(TagEnd::Heading(_)) => {
                if let Some(mut heading) = open.take() {
                    heading.text = heading.text.trim().to_owned();
                    // Two headings cannot begin on one line; a nested construct that claims so is ignored.
                    if headings.last().is_none_or(|last: &Heading| last.start < heading.start) {
                        headings.push(heading);
                    }
                }
            }
            Parsed::Text(part) | Parsed::Code(part) => {
                if let Some(heading) = &mut open {
                    heading.text.push_str(&part);
                }
            }
            Parsed::SoftBreak | Parsed::HardBreak => {
                if let Some(heading) = &mut open {
                    heading.text.push(' ');
                }
            }
            _ => {}
        }
    }
    headings
}

/// The first heading of level 1, else the first heading at all: plain text and span.
#[must_use]
pub fn first_heading(text: &str, body: Span) -> Option<(String, Span)> {
    let headings: Vec<_> = blocks(text, body)
        .into_iter()
        .filter_map(|event| match event {
            Event::Heading { level, text, span } => Some((level, text, span)),
            _ => None,
        })
        .collect();
    let chosen = headings.iter().find(|(level, ..)| *level == 1).or_else(|| headings.first())?;
    Some((chosen.1.clone(), chosen.2))
}

/// All links of `body`, reference links resolved, images left out.
#[must_use]
pub fn links(text: &str, body: Span) -> Vec<Link> {
    let mut links = Vec::new();
    let mut open: Option<Link> = None;
    for (event, span) in parser(text, body) {
        match event {
            Parsed::Start(Tag::Link { dest_url, link_type, .. }) if link_type != LinkType::Email => {
                open = Some(Link { target: dest_url.to_string(), text: String::new(), form: LinkForm::Markdown, span });
            }
            Parsed::End(TagEnd::Link) => links.extend(open.take()),
            Parsed::Text(part) | Parsed::Code(part) => {
                if let Some(link) = &mut open {
                    link.text.push_str(&part);
                }
            }
            _ => {}
        }
    }
    links
}

/// Safe HTML of `body`: raw HTML is shown as text, links lead only to `http`, `https`, `mailto` and relative addresses, images become links.
///
/// Headings get the slugs of `sections` as ids, and an empty `<a id="1.2">` with the positional path inside; blocks that overlap `cited` are wrapped in `<div class="cited">`, the first with the id `cited`.
#[must_use]
pub fn to_html(text: &str, body: Span, sections: &[Section], cited: Option<Span>) -> String {
    let mut events: Vec<Parsed<'_>> = Vec::new();
    let mut depth = 0_usize;
    let mut is_marked = false;
    let mut has_anchor = false;
    for (event, span) in parser(text, body) {
        let overlaps = |span: Span| cited.is_some_and(|cited| span.start < cited.end && cited.start < span.end);
        match event {
            Parsed::Start(tag) => {
                if depth == 0 && overlaps(span) {
                    let opening = if has_anchor { "<div class=\"cited\">" } else { "<div class=\"cited\" id=\"cited\">" };
                    events.push(Parsed::Html(opening.into()));
                    is_marked = true;
                    has_anchor = true;
                }
                depth += 1;
                let is_heading = matches!(tag, Tag::Heading { .. });
                events.push(Parsed::Start(safe_tag(tag, span, sections)));
                // Positional paths are digits and dots, so they need no escape.
                if let Some(section) = section_of_heading(span, sections).filter(|_| is_heading) {
                    events.push(Parsed::InlineHtml(format!("<a id=\"{}\"></a>", section.path).into()));
                }
            }
            Parsed::End(end) => {
                depth = depth.saturating_sub(1);
                events.push(Parsed::End(if end == TagEnd::Image { TagEnd::Link } else { end }));
                if depth == 0 && is_marked {
                    events.push(Parsed::Html("</div>".into()));
                    is_marked = false;
                }
            }
            Parsed::Html(raw) | Parsed::InlineHtml(raw) => events.push(Parsed::Text(raw)),
            other => events.push(other),
        }
    }
    let mut html = String::with_capacity(body.len() * 3 / 2);
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    html
}

/// The section that begins with the heading at `span`. Sections are in order, so texts of many headings are no burden.
fn section_of_heading(span: Span, sections: &[Section]) -> Option<&Section> {
    let behind = sections.partition_point(|section| section.span.start <= span.start);
    sections[..behind].last().filter(|section| section.level > 0)
}

fn safe_tag<'a>(tag: Tag<'a>, span: Span, sections: &[Section]) -> Tag<'a> {
    match tag {
        Tag::Heading { level, .. } => {
            let section = section_of_heading(span, sections);
            Tag::Heading { level, id: section.map(|section| section.slug.clone().into()), classes: Vec::new(), attrs: Vec::new() }
        }
        Tag::Link { link_type, dest_url, title, id } => Tag::Link { link_type, dest_url: safe_address(&dest_url).into(), title, id },
        Tag::Image { dest_url, title, id, .. } => Tag::Link { link_type: LinkType::Inline, dest_url: safe_address(&dest_url).into(), title, id },
        other => other,
    }
}

/// The address itself where its scheme is harmless, else `#`.
fn safe_address(address: &str) -> String {
    // Browsers ignore control characters and blanks inside of a scheme.
    let cleaned: String = address.chars().filter(|character| !character.is_control() && !character.is_whitespace()).collect();
    let scheme = cleaned.split(['/', '?', '#']).next().and_then(|first| first.split_once(':')).map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        None | Some("http" | "https" | "mailto") => address.to_owned(),
        Some(_) => "#".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Event, blocks, links, to_html};
    use crate::{Span, Syntax, outline};

    fn all(text: &str) -> Span {
        Span::new(0, text.len())
    }

    #[test]
    fn blocks_are_flat_and_exact() {
        let text = "# T\n\n* Status: accepted\n  * inner\n\n| a | b |\n|---|---|\n| Date | `2020` |\n\n```\n* Status: no\n```\n";
        let blocks = blocks(text, all(text));
        let shown: Vec<String> = blocks
            .iter()
            .map(|block| match block {
                Event::Heading { level, text, .. } => format!("h{level} {text}"),
                Event::Item { span, depth } => format!("item{depth} {}", span.of(text).trim()),
                Event::Row { cells, .. } => format!("row {}", cells.iter().map(|cell| cell.of(text)).collect::<Vec<_>>().join(" | ")),
                Event::Code { .. } => "code".to_owned(),
                other => format!("{other:?}"),
            })
            .collect();
        assert_eq!(shown, ["h1 T", "item0 * Status: accepted", "item1 * inner", "row a | b", "row Date | `2020`", "code"]);
    }

    #[test]
    fn html_is_safe_and_marks_what_is_cited() {
        let text = "# A *b*\n\n<script>alert(1)</script>\n\n[x](<JaVa&#9;script:alert(1)>) [y](data:text/html,z) [ok](https://example.org) ![i](https://example.org/i.png)\n\nsecond\n";
        let sections = outline(text, all(text), Syntax::Markdown);
        let at = text.find("second").unwrap();
        let html = to_html(text, all(text), &sections, Some(Span::new(at, at + 6)));
        assert!(html.contains("<h1 id=\"a-b\"><a id=\"1\"></a>A <em>b</em></h1>"), "{html}");
        assert!(
            !html.contains("<script") && !html.contains("javascript:") && !html.to_lowercase().contains("script:alert") && !html.contains("data:"),
            "{html}"
        );
        assert!(html.contains("<a href=\"https://example.org\">ok</a>"), "{html}");
        assert!(!html.contains("<img"), "{html}");
        assert!(html.contains("<div class=\"cited\" id=\"cited\">\n<p>second</p>\n</div>"), "{html}");
    }

    #[test]
    fn reference_links_are_resolved() {
        let text = "see [the other][1] and <https://example.org>\n\n[1]: 0002-b.md\n";
        let targets: Vec<_> = links(text, all(text)).into_iter().map(|link| (link.target, link.text)).collect();
        assert_eq!(targets, [("0002-b.md".to_owned(), "the other".to_owned()), ("https://example.org".to_owned(), "https://example.org".to_owned())]);
    }
}
