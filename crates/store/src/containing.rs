//! Records by a filter as bare ids, and by a piece of text: the slow, sure way behind a word search that finds nothing.

use crate::database::Sql;
use crate::{RecordFilter, Store, StoreError, codec, fold};

const IDS: &str = "SELECT r.document_id FROM records r WHERE r.is_draft = 0";

const HEADS: &str =
    "SELECT r.document_id, d.title, d.description, d.tags FROM records r JOIN documents d ON d.id = r.document_id WHERE r.is_draft = 0";

const TEXTS: &str = "SELECT t.document_id, t.text FROM texts t WHERE t.document_id IN @ids($1)";

/// Texts that are held in memory at a time.
const WINDOW: usize = 64;

impl Store {
    /// Ids of the documents of all records that `filter` means, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn record_ids(&self, filter: &RecordFilter) -> Result<Vec<i64>, StoreError> {
        let condition = filter.condition();
        let text = format!("{IDS}{} ORDER BY r.date_key DESC, r.record_id, r.document_id", condition.text);
        self.database.rows(condition.bind(Sql::built(text))).await?.iter().map(|row| row.integer(0)).collect()
    }

    /// Ids of the documents of those records that `filter` means and that hold `piece` in title, description, a tag or the text, compared without case:
    /// newest first. Bodies are read only for records whose head does not hold it (seed 000).
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn records_containing(&self, filter: &RecordFilter, piece: &str) -> Result<Vec<i64>, StoreError> {
        let piece = fold(piece);
        let condition = filter.condition();
        let text = format!("{HEADS}{} ORDER BY r.date_key DESC, r.record_id, r.document_id", condition.text);
        let mut order = Vec::new();
        let mut found = std::collections::HashSet::new();
        for row in self.database.rows(condition.bind(Sql::built(text))).await? {
            let id = row.integer(0)?;
            let tags = codec::tags(&row.text(3)?)?;
            if [row.text(1)?, row.text(2)?].iter().chain(&tags).any(|head| fold(head).contains(&piece)) {
                found.insert(id);
            }
            order.push(id);
        }
        let rest: Vec<i64> = order.iter().copied().filter(|id| !found.contains(id)).collect();
        for window in rest.chunks(WINDOW) {
            for row in self.database.rows(Sql::new(TEXTS).ids(window.iter().copied())).await? {
                if fold(&row.text(1)?).contains(&piece) {
                    found.insert(row.integer(0)?);
                }
            }
        }
        order.retain(|id| found.contains(id));
        Ok(order)
    }
}
