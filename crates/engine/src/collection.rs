//! A collection as people name it and as its standing is told.

use document::Kind;

use crate::config::Origin;
use crate::sync::RemoteStatus;
use crate::{Error, ErrorKind, Library, Result};

/// A collection's standing, for people and `list_collections`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionStatus {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Where it comes from.
    pub origin: Origin,
    /// How ibid's copy stands, of a collection that lies elsewhere.
    pub remote: Option<RemoteStatus>,
    /// How many documents it has.
    pub documents: i64,
    /// Problems of each severity in its files.
    pub errors: i64,
    /// Warnings.
    pub warnings: i64,
    /// Notes.
    pub notes: i64,
}

impl Library {
    /// The id of a collection.
    ///
    /// # Errors
    /// No such collection.
    pub(crate) fn collection_id(&self, name: &str) -> Result<i64> {
        let found = self.collections().iter().find(|collection| collection.config.name.eq_ignore_ascii_case(name));
        found.map(|collection| collection.id).ok_or_else(|| {
            let names: Vec<&str> = self.collections().iter().map(|collection| collection.config.name.as_str()).take(20).collect();
            Error::new(ErrorKind::NotFound, format!("There is no collection \"{name}\".")).hint(format!("The collections are: {}.", names.join(", ")))
        })
    }
}
