//! Relations that records state, found from the record that they may point at.

use document::last_name;

use crate::database::Sql;
use crate::fold::{fold, number_key, reference_key};
use crate::records::{COLUMNS, RecordRow, record_row};
use crate::{Store, StoreError};

/// A record with relations that may point at another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointingRow {
    /// The record that states them.
    pub record: RecordRow,
    /// Which of its relations, from 0.
    pub positions: Vec<usize>,
}

const ASKED: &str = "
    SELECT r.collection_id, d.path, r.record_id, r.project_key, r.type_key, r.number_key, r.reference_key
      FROM records r JOIN documents d ON d.id = r.document_id WHERE r.document_id = $1";

/// Numbers count in the same collection and project, names everywhere.
const POINTING: &str = ", x.position
      FROM relations x JOIN records r ON r.document_id = x.document_id JOIN documents d ON d.id = x.document_id JOIN facts f ON f.document_id = x.document_id
     WHERE x.target_key IN @list($1) AND x.document_id <> $2 AND r.is_draft = 0
       AND (x.form <> 'number' OR (r.collection_id = $3 AND r.project_key = $4))
     ORDER BY r.record_id, r.document_id, x.position LIMIT $5";

impl Store {
    /// The records with a relation that may point at this one, by id: by the last name of a path, id or address, by its reference, or by its number in
    /// the same project. What each relation really points at is the caller's to find out; of more than `limit` relations the rest is left out. Drafts
    /// state nothing.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn pointing_to(&self, document_id: i64, limit: i64) -> Result<Vec<PointingRow>, StoreError> {
        let Some(asked) = self.database.row(Sql::new(ASKED).integer(document_id)).await? else {
            return Ok(Vec::new());
        };
        let (path, id, record_type, number) = (asked.text(1)?, asked.text(2)?, asked.text(4)?, asked.optional_text(5)?);
        let last = id.rsplit('/').next().unwrap_or_default();
        let mut names: Vec<String> = [last, &last_name(&path), &last_name(last)].into_iter().map(reference_key).collect();
        names.extend(asked.optional_text(6)?);
        if let Some(number) = &number {
            names.push(number_key(number));
            names.push(reference_key(&format!("{record_type}-{number}")));
            names.extend(up_to_number(&fold(last), number).map(reference_key));
        }
        names.sort_unstable();
        names.dedup();
        let sql = Sql::built(format!("{COLUMNS}{POINTING}")).list(names).integer(document_id).integer(asked.integer(0)?).owned(asked.text(3)?);
        let mut found: Vec<PointingRow> = Vec::new();
        for row in self.database.rows(sql.integer(limit)).await? {
            let position = usize::try_from(row.integer(12)?).unwrap_or(usize::MAX);
            let id = row.integer(0)?;
            match found.last_mut().filter(|known| known.record.document_id == id) {
                Some(known) => known.positions.push(position),
                None => found.push(PointingRow { record: record_row(&row)?, positions: vec![position] }),
            }
        }
        Ok(found)
    }
}

/// `arch-014` of `arch-014-some-words`: what people call a record whose name begins with letters.
fn up_to_number<'a>(name: &'a str, number: &str) -> Option<&'a str> {
    name.match_indices(['-', '_']).find_map(|(at, _)| {
        let digits = name[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = at + 1 + digits;
        (digits > 0 && number_key(&name[at + 1..end]) == number).then(|| &name[..end])
    })
}
