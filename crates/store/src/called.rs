//! Records by many names at once: what the relations of a record point at takes one question, however many there are.

use serde_json::{Value as Json, json};

use crate::database::Sql;
use crate::fold::{key, number_key, reference_key, shield};
use crate::records::{COLUMNS, JOINED, RecordRow, record_row};
use crate::{Store, StoreError};

/// Names to look for; all but paths are compared without case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecordNames {
    /// Full ids.
    pub ids: Vec<String>,
    /// References such as `SRE-ADR-0012`.
    pub references: Vec<String>,
    /// Last parts of ids.
    pub ends: Vec<String>,
    /// Collections, and paths of files in them.
    pub paths: Vec<(i64, String)>,
    /// Collections, projects in them, and numbers, whose leading zeros do not matter.
    pub numbers: Vec<(i64, String, String)>,
}

impl RecordNames {
    /// Whether there is nothing to look for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.ids.is_empty() && self.references.is_empty() && self.ends.is_empty() && self.paths.is_empty() && self.numbers.is_empty()
    }
}

const CALLED: &str = "
       AND r.document_id IN (
           SELECT c.document_id FROM records c WHERE c.id_key IN @list($1)
           UNION SELECT c.document_id FROM records c WHERE c.reference_key IN @list($2)
           UNION SELECT c.document_id FROM records c WHERE c.last_key IN @list($3)
           UNION SELECT c.id FROM @rows($4), documents c WHERE c.collection_id = CAST(value->>0 AS BIGINT) AND c.path = value->>1
           UNION SELECT c.document_id FROM @rows($5), records c
                  WHERE c.number_key = value->>2 AND c.collection_id = CAST(value->>0 AS BIGINT) AND c.project_key = value->>1)
     ORDER BY r.record_id, r.document_id";

impl Store {
    /// All records that any of these names means, each once, by id; drafts are left out.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn records_called(&self, names: &RecordNames) -> Result<Vec<RecordRow>, StoreError> {
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let keys = |texts: &[String], make: fn(&str) -> String| texts.iter().map(|text| make(text)).collect::<Vec<_>>();
        let paths: Json = names.paths.iter().map(|(collection_id, path)| json!([collection_id, shield(path)])).collect();
        let number =
            |(collection_id, project, number): &(i64, String, String)| json!([collection_id, shield(&key(project)), shield(&number_key(number))]);
        let sql = Sql::built(format!("{COLUMNS}{JOINED}{CALLED}"))
            .list(keys(&names.ids, key))
            .list(keys(&names.references, reference_key))
            .list(keys(&names.ends, key))
            .rows(&paths)
            .rows(&names.numbers.iter().map(number).collect());
        self.database.rows(sql).await?.iter().map(record_row).collect()
    }
}
