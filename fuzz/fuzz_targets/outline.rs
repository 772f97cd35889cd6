//! Any text as Markdown, reST and AsciiDoc: sections cover the body, their names are unique, and the page made of it runs no script.
#![no_main]

use std::collections::HashSet;

use document::{Span, Syntax, blocks, first_heading, links, outline, section_at, split_front_matter, to_html};
use libfuzzer_sys::fuzz_target;

mod swell;

fuzz_target!(|data: &[u8]| {
    let bytes = swell::swell(data);
    let text = String::from_utf8_lossy(&bytes);
    let (header, body) = split_front_matter(&text);
    assert_eq!(body.end, text.len(), "the body ends with the text");
    assert!(header.is_none_or(|header| text.get(header.start..header.end).is_some() && header.end <= body.start));
    for syntax in [Syntax::Markdown, Syntax::Rest, Syntax::AsciiDoc] {
        let sections = outline(&text, body, syntax);
        let mut at = body.start;
        let (mut paths, mut slugs) = (HashSet::new(), HashSet::new());
        for (index, section) in sections.iter().enumerate() {
            assert_eq!(section.span.start, at, "sections leave a gap");
            assert!(text.is_char_boundary(section.span.end) && text.is_char_boundary(section.subtree_end), "a section cuts a character");
            assert!(section.subtree_end >= section.span.end && section.subtree_end <= body.end, "a section ends before its parts");
            assert!(paths.insert(&section.path), "two sections have one path: {}", section.path);
            assert!(slugs.insert(&section.slug), "two sections have one slug: {}", section.slug);
            if !section.span.is_empty() {
                assert_eq!(section_at(&sections, section.span.start), index, "a section is not found by its place");
            }
            at = section.span.end;
        }
        assert_eq!(at, body.end, "sections end before the body");
        let cited = sections.last().map(|section| section.span);
        let html = to_html(&text, body, &sections, cited).to_lowercase();
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains("<iframe"), "the page holds foreign elements");
        assert!(!html.contains("href=\"javascript:") && !html.contains("href=\"data:"), "a link runs a script");
        assert_eq!(html.matches("<div").count(), html.matches("</div>").count(), "marks are left open");
    }
    let is_place = |span: Span| span.start <= span.end && text.get(span.start..span.end).is_some();
    assert!(links(&text, body).iter().all(|link| is_place(link.span)), "a link is no place in the text");
    assert!(first_heading(&text, body).is_none_or(|(_, span)| is_place(span)), "a heading is no place in the text");
    for event in blocks(&text, body) {
        let spans = match event {
            document::Event::Row { cells, .. } => cells,
            document::Event::Heading { span, .. }
            | document::Event::Paragraph { span, .. }
            | document::Event::Item { span, .. }
            | document::Event::Code { span }
            | document::Event::Html { span }
            | document::Event::Rule { span } => vec![span],
        };
        assert!(spans.into_iter().all(is_place), "a block is no place in the text");
    }
});
