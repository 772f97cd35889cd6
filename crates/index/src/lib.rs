//! Full text: finds passages by their words. The only crate that knows Tantivy.
//!
//! The index is derived from the store's change log and disposable: each commit carries the sequence number of the last change that it contains
//! ([`Index::checkpoint`]), and what is missing after that is replayed by the engine. Several processes may have one directory open: one at a time
//! writes, under a lock that the kernel releases if it dies, and all see each other's commits at their next call. A damaged index is
//! made anew, empty.
//!
//! Texts are not stored; a [`Hit`] tells where its passage stands. The query language is described at [`query`].

mod company;
mod date;
mod error;
mod files;
mod filter;
mod fold;
mod index;
mod plan;
pub mod query;
mod scan;
mod schema;
mod search;
mod snapshot;
mod tokenize;
mod unsynced;
mod writer;

use document::Span;

pub use error::IndexError;
pub use filter::Filter;
pub use fold::{fold, fold_name};
pub use index::Index;
pub use query::{Query, QueryError};
pub use schema::{IndexDocument, IndexPassage};
pub use tokenize::spans_of;
pub use writer::Writer;

/// Which of the ranked passages are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// At most this many.
    pub limit: usize,
    /// After so many that are skipped.
    pub offset: usize,
    /// At most this many of one document; 0 for no limit.
    pub per_document: usize,
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Best first; ties by document and place.
    pub hits: Vec<Hit>,
    /// Whether others follow.
    pub has_more: bool,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its document's id in the store.
    pub document_id: i64,
    /// Its collection's id in the store.
    pub collection_id: i64,
    /// Its number in the document, from 0.
    pub passage_index: usize,
    /// Index into the document's sections.
    pub section_index: usize,
    /// Where in the document's text.
    pub span: Span,
    /// Comparable within one answer; higher is better.
    pub score: f32,
    /// The words that it has of the query, in the form that [`spans_of`] finds in a text.
    pub terms: Vec<String>,
}
