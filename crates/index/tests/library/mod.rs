//! A small index in a temporary directory, for the tests.
#![allow(dead_code)]

use std::time::Duration;

use document::{Kind, Span};
use index::{Filter, Index, IndexDocument, IndexPassage, Page, Query};

/// An index that disappears with its directory.
pub struct Library {
    pub index: Index,
    pub directory: tempfile::TempDir,
}

/// A note of one passage.
pub fn note(document_id: i64, title: &str, text: &str) -> IndexDocument {
    IndexDocument {
        document_id,
        collection_id: 1,
        kind: Kind::Notes,
        uri: format!("note://n/{document_id}"),
        title: title.into(),
        project: String::new(),
        record_type: String::new(),
        status: String::new(),
        date: None,
        tags: Vec::new(),
        people: Vec::new(),
        passages: vec![IndexPassage { section_index: 0, span: Span::new(0, text.len()), headings: String::new(), text: text.into() }],
    }
}

/// The first page of a size.
pub const fn page(limit: usize) -> Page {
    Page { limit, offset: 0, per_document: 1 }
}

impl Library {
    pub fn of(documents: impl IntoIterator<Item = IndexDocument>) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let index = Index::open(directory.path()).unwrap();
        let mut writer = index.writer(Duration::from_secs(10)).unwrap().unwrap();
        for document in documents {
            writer.put(&document).unwrap();
        }
        writer.commit(1).unwrap();
        drop(writer);
        Self { index, directory }
    }

    /// Ids of the documents found, best first.
    pub fn find(&self, query: &str) -> Vec<i64> {
        self.find_with(query, &Filter::default())
    }

    pub fn find_with(&self, query: &str, filter: &Filter) -> Vec<i64> {
        let query = Query::parse(query).unwrap();
        self.index.search(&query, filter, page(50)).unwrap().hits.iter().map(|hit| hit.document_id).collect()
    }

    /// The same in the order of ids, where the order of ranking does not matter.
    pub fn sorted(&self, query: &str) -> Vec<i64> {
        let mut found = self.find(query);
        found.sort_unstable();
        found
    }

    pub fn count(&self, query: &str, filter: &Filter) -> usize {
        self.index.matching_documents(&Query::parse(query).unwrap(), filter).unwrap().len()
    }
}
