//! The document: one readable thing of any kind.

use crate::{Kind, Link, Record, Section, Span, Stamp, Uri};

/// What only documents of one kind have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Facts {
    /// Nothing beyond what every document has.
    Plain,
    /// A decision record.
    Record(Box<Record>),
}

/// One readable thing: a record, note, page, conversation or node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Stable name.
    pub uri: Uri,
    /// Kind of its collection.
    pub kind: Kind,
    /// Path of its file below the collection's root, with `/`.
    pub path: String,
    /// Title for people; never empty.
    pub title: String,
    /// A sentence about it, from its metadata; empty where it has none.
    pub description: String,
    /// The whole text as it was decoded, metadata header included. All spans count in it.
    pub text: String,
    /// The text without its metadata header.
    pub body: Span,
    /// Outline of the body, in order; the own spans of all sections cover the body without gaps.
    pub sections: Vec<Section>,
    /// Links in the body, in order.
    pub links: Vec<Link>,
    /// Tags as written, without `#`, in order, each once.
    pub tags: Vec<String>,
    /// Its own date: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. `None` where it states none.
    pub date: Option<String>,
    /// Stamp of the file's bytes.
    pub stamp: Stamp,
    /// What only its kind has.
    pub facts: Facts,
}

impl Document {
    /// The text without its metadata header.
    #[must_use]
    pub fn body_text(&self) -> &str {
        self.body.of(&self.text)
    }

    /// The decision record that this document is, if it is one.
    #[must_use]
    pub fn record(&self) -> Option<&Record> {
        match &self.facts {
            Facts::Record(record) => Some(record),
            Facts::Plain => None,
        }
    }
}
