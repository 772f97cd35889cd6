//! The collections of a library.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Standing};

/// One source of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// What it holds, such as `decisions`.
    pub kind: String,
    /// How many documents it has.
    pub documents: i64,
    /// Files or parts of files that could not be used.
    pub errors: i64,
    /// Places that a person should look at.
    pub warnings: i64,
    /// Oddities that cost nothing.
    pub notes: i64,
}

/// All collections, in the order of the configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Collections {
    /// What the library is called.
    pub library: String,
    /// How many collections there are.
    pub total: usize,
    /// First of this answer, from 0.
    pub offset: usize,
    /// The collections.
    pub collections: Vec<Collection>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl Collections {
    /// The collections from `offset` on. Folders are left out: they are the owner's business.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(status: engine::LibraryStatus, offset: Option<i64>) -> engine::Result<Self> {
        let (total, offset, collections) = super::paged(status.collections, offset)?;
        let collections = collections.into_iter().map(|one| Collection {
            name: one.name,
            kind: one.kind.as_str().to_owned(),
            documents: one.documents,
            errors: one.errors,
            warnings: one.warnings,
            notes: one.notes,
        });
        Ok(Self { library: status.name, total, offset, collections: collections.collect(), standing: Standing::default() })
    }
}

impl Answer for Collections {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.collections.len()
    }

    fn cut(&mut self, units: usize) {
        self.collections.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }
}
