//! The change log: what changed since a sequence number.

use crate::database::{Row, Sql};
use crate::{Store, StoreError};

/// The newest change of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeRow {
    /// Position in the log, from 1, without gaps that could still be filled.
    pub sequence: i64,
    /// The document.
    pub document_id: i64,
    /// It is no longer there.
    pub is_removed: bool,
}

const LAST: &str = "SELECT sequence FROM counters WHERE id = 1";

const NEWEST: &str = "SELECT document_id FROM counters WHERE id = 1";

const AFTER: &str = "SELECT sequence, document_id, is_removed FROM change_log WHERE sequence > $1 ORDER BY sequence LIMIT $2";

impl Store {
    /// The newest sequence number; 0 where nothing ever changed.
    ///
    /// # Errors
    /// The database fails.
    pub async fn last_sequence(&self) -> Result<i64, StoreError> {
        self.database.row(Sql::new(LAST)).await?.map_or(Ok(0), |row| row.integer(0))
    }

    /// The highest document id that was ever given out; 0 where there was none. Whatever is above it later is new.
    ///
    /// # Errors
    /// The database fails.
    pub async fn newest_document(&self) -> Result<i64, StoreError> {
        self.database.row(Sql::new(NEWEST)).await?.map_or(Ok(0), |row| row.integer(0))
    }

    /// At most `limit` changes behind `sequence`, in order. Of a document that changed several times only the newest change is there.
    ///
    /// # Errors
    /// The database fails.
    pub async fn changes_after(&self, sequence: i64, limit: i64) -> Result<Vec<ChangeRow>, StoreError> {
        let change = |row: &Row| Ok(ChangeRow { sequence: row.integer(0)?, document_id: row.integer(1)?, is_removed: row.flag(2)? });
        self.database.rows(Sql::new(AFTER).integer(sequence).integer(limit)).await?.iter().map(change).collect()
    }
}
