//! Links from one document to something else, as they are written in its text.

use crate::Span;

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LinkForm {
    /// `[text](target)`, a reference link or an autolink.
    Markdown,
    /// `[[target]]`.
    Wikilink,
    /// Named in metadata, such as a relation of a record.
    Metadata,
}

/// A link in a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The target exactly as written.
    pub target: String,
    /// The words that carry the link.
    pub text: String,
    /// How it is written.
    pub form: LinkForm,
    /// Where in the document's text; empty for links of metadata.
    pub span: Span,
}
