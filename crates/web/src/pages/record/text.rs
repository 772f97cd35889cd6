//! The body of a record: Markdown as safe HTML, other markup as it is written, in both the cited lines marked.

use document::{Document, Span, Syntax};

use crate::shown;

/// A body, ready for the template.
pub(crate) enum BodyView {
    /// Safe HTML.
    Html(String),
    /// Text as written.
    Source(Vec<Run>),
}

/// A stretch of text as written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) is_cited: bool,
    /// Whether the first cited character stands here.
    pub(crate) is_start: bool,
    /// Anchors of the section that begins here.
    pub(crate) anchors: Vec<String>,
}

impl BodyView {
    pub(crate) fn of(document: &Document, cited: Option<Span>) -> Self {
        match Syntax::of_path(&document.path) {
            Syntax::Markdown => Self::Html(html(document, cited)),
            Syntax::Rest | Syntax::AsciiDoc => Self::Source(runs(document, cited)),
        }
    }

    /// Whether the cited lines can be seen in it. Metadata, comments and blank lines cannot.
    pub(crate) fn shows_cited(&self) -> bool {
        match self {
            Self::Html(html) => html.contains("<div class=\"cited\" id=\"cited\">"),
            Self::Source(runs) => runs.iter().any(|run| run.is_start),
        }
    }
}

fn html(document: &Document, cited: Option<Span>) -> String {
    let mut html = document::to_html(&document.text, document.body, &document.sections, cited);
    // The policy of our pages allows no style attributes; classes do the same. A `<` of the text itself is escaped, so these are only our own tags.
    for side in ["left", "center", "right"] {
        for cell in ["th", "td"] {
            html = html.replace(&format!("<{cell} style=\"text-align: {side}\">"), &format!("<{cell} class=\"{side}\">"));
        }
    }
    shown::plain(&html)
}

/// The body cut where sections and cited lines begin and end.
fn runs(document: &Document, cited: Option<Span>) -> Vec<Run> {
    let body = document.body;
    let starts = document.sections.iter().filter(|section| section.level > 0).map(|section| section.span.start);
    let mut cuts: Vec<usize> = starts.chain(cited.into_iter().flat_map(|span| [span.start, span.end])).chain([body.start, body.end]).collect();
    cuts.retain(|cut| (body.start..=body.end).contains(cut));
    cuts.sort_unstable();
    cuts.dedup();
    let mut has_start = false;
    let mut runs = Vec::with_capacity(cuts.len());
    for pair in cuts.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let is_cited = cited.is_some_and(|cited| cited.start <= start && end <= cited.end);
        let found = document.sections.binary_search_by_key(&(start, true), |section| (section.span.start, section.level > 0));
        let anchors = found.map_or_else(|_| Vec::new(), |index| vec![document.sections[index].slug.clone(), document.sections[index].path.clone()]);
        runs.push(Run { text: shown::plain(Span::new(start, end).of(&document.text)), is_cited, is_start: is_cited && !has_start, anchors });
        has_start |= is_cited;
    }
    runs
}

#[cfg(test)]
mod tests {
    use document::{Document, Facts, Kind, Scheme, Span, Stamp, Syntax, Uri, outline};

    use super::BodyView;

    fn document(path: &str, text: &str) -> Document {
        let body = Span::new(0, text.len());
        Document {
            uri: Uri::new(Scheme::Decision, "a/adr/b"),
            kind: Kind::Decisions,
            path: path.into(),
            title: "b".into(),
            description: String::new(),
            text: text.into(),
            body,
            sections: outline(text, body, Syntax::of_path(path)),
            links: Vec::new(),
            tags: Vec::new(),
            date: None,
            stamp: Stamp::of(text.as_bytes()),
            facts: Facts::Plain,
        }
    }

    fn shown(document: &Document, cited: &str) -> String {
        let start = document.text.find(cited).unwrap();
        match BodyView::of(document, Some(Span::new(start, start + cited.len()))) {
            BodyView::Html(html) => html,
            BodyView::Source(runs) => runs
                .iter()
                .map(|run| {
                    let text = if run.is_cited { format!("[{}]", run.text) } else { run.text.clone() };
                    if run.anchors.is_empty() { text } else { format!("#{}#{text}", run.anchors.join(",")) }
                })
                .collect(),
        }
    }

    #[test]
    fn other_markup_is_shown_as_written_with_its_anchors() {
        let document = document("b.rst", "Title\n=====\n\nIntro <b>.\n\nPart\n----\n\nText one.\nText two.\n");
        assert_eq!(shown(&document, "Text one.\n"), "#title,1#Title\n=====\n\nIntro <b>.\n\n#part,1.1#Part\n----\n\n[Text one.\n]Text two.\n");
    }

    #[test]
    fn tables_keep_their_alignment_without_style_attributes() {
        let document = document("b.md", "# T\n\n| a | b |\n|:-:|--:|\n| `<td style=\"text-align: center\">` | 2 |\n");
        let html = shown(&document, "# T");
        assert!(html.contains("<th class=\"center\">a</th>") && html.contains("<td class=\"right\">2</td>"), "{html}");
        assert!(!html.contains("<td style") && html.contains("&lt;td style="), "{html}");
    }
}
