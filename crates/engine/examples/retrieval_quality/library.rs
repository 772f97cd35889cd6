//! A library of a set's documents with a real index in a temporary folder, and the questions that are asked of it.

use std::collections::HashMap;
use std::time::Duration;

use document::Document;
use engine::indexing::index_document;
use index::{Filter, Hit, Index, Page, Query};
use store::StoredDocument;
use tempfile::TempDir;

use crate::metrics::CUT;

/// How passages are put in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ranking {
    /// By their words alone.
    Words,
}

impl Ranking {
    /// All that the product has.
    pub const fn all() -> [Self; 1] {
        [Self::Words]
    }

    /// Its name in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
        }
    }
}

/// Documents that can be searched.
pub struct Library {
    index: Index,
    /// Each with its text as it stands outside of ibid.
    documents: HashMap<i64, (Document, String)>,
    _folder: TempDir,
}

impl Library {
    /// Indexes the documents as the product does. `people` says whose a document is, by its number.
    pub fn build(documents: &[StoredDocument], people: &HashMap<i64, String>) -> Result<Self, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let index = Index::open(folder.path()).map_err(|error| error.to_string())?;
        {
            let mut writer = index.writer(Duration::from_secs(10)).map_err(|error| error.to_string())?.ok_or("the index is being written")?;
            for stored in documents {
                let Some(mut prepared) = index_document(stored) else { continue };
                prepared.people.extend(people.get(&stored.id).cloned());
                writer.put(&prepared).map_err(|error| error.to_string())?;
            }
            writer.commit(1).map_err(|error| error.to_string())?;
        }
        // What the product does in idle moments; also, the figures then do not depend on how the threads shared the work.
        while index.join_segments().map_err(|error| error.to_string())? {}
        let documents = documents.iter().map(|stored| (stored.id, (stored.document.clone(), stored.document.text.clone()))).collect();
        Ok(Self { index, documents, _folder: folder })
    }

    /// A document by its number, and its text as it stands outside of ibid.
    pub fn document(&self, id: i64) -> Option<(&Document, &str)> {
        self.documents.get(&id).map(|(document, original)| (document, original.as_str()))
    }

    /// The best ten passages, at most `per_document` of one document, ranked as the product's search ranks them.
    pub fn ask(&self, ranking: Ranking, text: &str, person: Option<&str>, per_document: usize) -> Result<Vec<Hit>, String> {
        let query = Query::parse(text).map_err(|error| format!("{text:?}: {error}"))?;
        let filter = Filter { person: person.map(str::to_owned), ..Filter::default() };
        let page = Page { limit: CUT, offset: 0, per_document };
        match ranking {
            Ranking::Words => Ok(engine::search::ranked(&self.index, &query, &filter, page).map_err(|error| error.to_string())?.0.hits),
        }
    }
}
