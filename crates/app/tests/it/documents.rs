//! Commands of the documents.
