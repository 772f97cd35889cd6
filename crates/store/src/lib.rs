//! The only crate with SQL: what a library holds and remembers, in one SQLite file or in PostgreSQL, by one text of statements.

mod apply;
mod called;
mod changes;
mod codec;
mod collections;
mod containing;
mod database;
mod documents;
mod encode;
mod error;
mod filter;
mod fold;
mod labels;
mod migrate;
mod operations;
mod problems;
mod records;
mod relations;

#[cfg(test)]
mod contract;

pub use apply::{Applied, Change, Unit};
pub use called::RecordNames;
pub use changes::ChangeRow;
pub use collections::{CollectionRow, FileRow};
pub use documents::{DocumentRow, StoredDocument};
pub use error::StoreError;
pub use filter::RecordFilter;
pub use fold::fold;
pub use labels::{Label, ProjectCount};
pub use operations::{Operation, TokenRow};
pub use problems::ProblemRow;
pub use records::{RecordName, RecordPage, RecordRow};
pub use relations::PointingRow;

use database::Database;

/// How often opening is tried again while other processes make or close the file.
const OPEN_ATTEMPTS: u32 = 100;

/// How long to wait in between.
const OPEN_PAUSE: std::time::Duration = std::time::Duration::from_millis(20);

/// The transactional database of one library. Cloning is cheap and shares its connections.
#[derive(Debug, Clone)]
pub struct Store {
    database: Database,
}

impl Store {
    /// Opens `sqlite:<path>` (created where missing; its folder must exist) or `postgres://…`, and brings an older schema up to date.
    ///
    /// # Errors
    /// The database cannot be reached, or was written by a newer ibid or by one with other migrations.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        // While another process makes the file or closes it as the last one, SQLite says "locked" at once, whatever time-out it was given.
        for _ in 0..OPEN_ATTEMPTS {
            match Self::open_once(url).await {
                Err(error) if error.is_busy() => tokio::time::sleep(OPEN_PAUSE).await,
                outcome => return outcome,
            }
        }
        Self::open_once(url).await
    }

    async fn open_once(url: &str) -> Result<Self, StoreError> {
        let database = Database::open(url).await?;
        migrate::migrate(&database, migrate::MIGRATIONS).await?;
        Ok(Self { database })
    }

    /// The database without secrets, for messages and for `ibid status`.
    #[must_use]
    pub fn place(&self) -> &str {
        self.database.place()
    }
}
