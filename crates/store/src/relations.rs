//! Relations that records state, found from the record that they point at.

use document::Relation;

use crate::database::Sql;
use crate::encode::target_key;
use crate::fold::{key, number_key, reference_key};
use crate::{Store, StoreError, codec};

/// A relation that may point at a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelationRow {
    /// The document that states it.
    pub document_id: i64,
    /// Its collection.
    pub collection_id: i64,
    /// Id of the record that states it.
    pub record_id: String,
    /// What is stated.
    pub relation: Relation,
}

const ASKED: &str = "
    SELECT d.collection_id, d.path, r.record_id, r.project_key, r.type_key, r.number_key, r.reference_key
      FROM records r JOIN documents d ON d.id = r.document_id WHERE r.document_id = $1";

/// Paths count in the same collection, numbers in the same project and type, ids and references everywhere.
const POINTING: &str = "
    SELECT DISTINCT r.document_id, r.collection_id, r.record_id, f.facts, x.position, x.target_key
      FROM relations x JOIN records r ON r.document_id = x.document_id JOIN facts f ON f.document_id = x.document_id
     WHERE r.is_draft = 0 AND x.document_id <> $1 AND (
               (x.target_key = $3 AND x.form = 'path' AND r.collection_id = $2)
            OR (x.target_key = $4 AND x.form = 'number' AND r.collection_id = $2 AND r.project_key = $5 AND r.type_key = $6)
            OR (x.target_key IN @list($7) AND x.form = 'id'))
     ORDER BY r.record_id, r.document_id, x.position";

impl Store {
    /// The relations of other records whose target fits this record: by its path in the collection, by its number in the same project and type, or
    /// by its id, an end of its id, or its reference. Where a short target fits several records, each of them gets it. Drafts state nothing.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn relations_to(&self, document_id: i64) -> Result<Vec<RelationRow>, StoreError> {
        let Some(asked) = self.database.row(Sql::new(ASKED).integer(document_id)).await? else {
            return Ok(Vec::new());
        };
        let id = asked.text(2)?;
        let parts: Vec<&str> = id.split('/').collect();
        let mut names: Vec<String> = (0..parts.len()).map(|first| reference_key(&parts[first..].join("/"))).collect();
        names.extend(asked.optional_text(6)?);
        let sql = Sql::new(POINTING)
            .integer(document_id)
            .integer(asked.integer(0)?)
            .owned(key(&asked.text(1)?))
            .owned(asked.optional_text(5)?.map(|number| number_key(&number)).unwrap_or_default())
            .owned(asked.text(3)?)
            .owned(asked.text(4)?)
            .list(names);
        let mut found = Vec::new();
        for row in self.database.rows(sql).await? {
            let record = codec::record(&row.text(3)?)?;
            let position = usize::try_from(row.integer(4)?).unwrap_or(usize::MAX);
            let target = row.text(5)?;
            let relation = record.relations.into_iter().nth(position).filter(|relation| target_key(relation).1 == target);
            let relation = relation.ok_or_else(|| StoreError::Corrupt { what: format!("relation {position} of a record") })?;
            found.push(RelationRow { document_id: row.integer(0)?, collection_id: row.integer(1)?, record_id: row.text(2)?, relation });
        }
        Ok(found)
    }
}
