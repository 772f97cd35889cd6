//! Decision records: pages of those that a filter means, and those that a name means.

use document::Record;

use crate::database::{Row, Sql};
use crate::fold::{key, number_key, reference_key};
use crate::{RecordFilter, Store, StoreError, codec};

/// A page of records with the number of all that the filter means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordPage {
    /// How many there are on all pages.
    pub total: i64,
    /// Newest first; undated ones last; equal dates by id.
    pub records: Vec<RecordRow>,
}

/// A record without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordRow {
    /// Its document.
    pub document_id: i64,
    /// Its collection.
    pub collection_id: i64,
    /// Uri of its document, encoded.
    pub uri: String,
    /// `<project>/<type>/<slug>`.
    pub id: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>`, for records that have a number.
    pub reference: Option<String>,
    /// Never empty.
    pub title: String,
    /// Empty where its metadata has none.
    pub description: String,
    /// Status word.
    pub status: String,
    /// As exact as the source is.
    pub date: Option<String>,
    /// First part of the id.
    pub project: String,
    /// Second part of the id.
    pub record_type: String,
    /// Rest of the id.
    pub slug: String,
    /// As the file name writes it.
    pub number: Option<String>,
    /// As written.
    pub tags: Vec<String>,
    /// All that its metadata says.
    pub record: Record,
    /// Path of its file below the collection's root.
    pub path: String,
    /// Stamp of the file's bytes.
    pub stamp: String,
}

/// A name of a record as people and agents use it. All are compared without case; one name may mean several records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordName {
    /// `<project>/<type>/<slug>`.
    Id(String),
    /// A number, whose leading zeros do not matter, in the projects, types and collections that are stated.
    Numbered {
        /// Project, if stated.
        project: Option<String>,
        /// Type, if stated.
        record_type: Option<String>,
        /// The number.
        number: String,
        /// Collection, if known.
        collection_id: Option<i64>,
    },
    /// The last part of an id, or its last parts with `/` between them.
    SlugEnd(String),
    /// `<PROJECT>-<TYPE>-<NUMBER>`; the number's leading zeros do not matter.
    Reference(String),
    /// The path of a file in a collection, compared exactly.
    Path {
        /// The collection.
        collection_id: i64,
        /// The path below its root.
        path: String,
    },
}

/// Columns of a record, in the order in which [`record_row`] reads them.
pub(crate) const COLUMNS: &str = "
    SELECT r.document_id, r.collection_id, d.uri, r.record_id, r.reference, d.title, d.description, r.date_key, d.tags, f.facts, d.path, d.stamp";

pub(crate) const JOINED: &str = "
      FROM records r JOIN documents d ON d.id = r.document_id JOIN facts f ON f.document_id = r.document_id
     WHERE r.is_draft = 0";

const ORDER: &str = "ORDER BY r.date_key DESC, r.record_id, r.document_id";

const COUNT: &str = "SELECT COUNT(*) FROM records r WHERE r.is_draft = 0";

const COUNTED: &str = "SELECT CAST(COALESCE(SUM(r.records), 0) AS BIGINT) FROM record_counts r WHERE r.records > 0";

impl Store {
    /// At most `limit` records that `filter` means, without the first `offset`.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn records(&self, filter: &RecordFilter, limit: i64, offset: i64) -> Result<RecordPage, StoreError> {
        let condition = filter.condition();
        let head = if filter.is_counted() { COUNTED } else { COUNT };
        let total = self.database.row(condition.bind(Sql::built(format!("{head}{}", condition.text)))).await?;
        let total = total.map_or(Ok(0), |row| row.integer(0))?;
        if total <= offset || limit < 1 {
            return Ok(RecordPage { total, records: Vec::new() });
        }
        let next = condition.count() + 1;
        // The page is chosen before anything is joined to it, so that skipping rows reads an index only.
        let text = format!(
            "{COLUMNS} FROM (SELECT r.document_id FROM records r WHERE r.is_draft = 0{} {ORDER} LIMIT ${next} OFFSET ${}) p
               JOIN records r ON r.document_id = p.document_id JOIN documents d ON d.id = p.document_id JOIN facts f ON f.document_id = p.document_id
              {ORDER}",
            condition.text,
            next + 1
        );
        let rows = self.database.rows(condition.bind(Sql::built(text)).integer(limit).integer(offset)).await?;
        Ok(RecordPage { total, records: rows.iter().map(record_row).collect::<Result<_, _>>()? })
    }

    /// The records of these documents, by id; drafts and documents that are no records are left out.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn record_rows(&self, document_ids: &[i64]) -> Result<Vec<RecordRow>, StoreError> {
        if document_ids.is_empty() {
            return Ok(Vec::new());
        }
        let sql = Sql::built(format!("{COLUMNS}{JOINED} AND r.document_id IN @ids($1) ORDER BY r.record_id, r.document_id"));
        self.database.rows(sql.ids(document_ids.iter().copied())).await?.iter().map(record_row).collect()
    }

    /// At most `limit` records with a document id above `after`, by document id: how all of them are read without holding them all.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn records_after(&self, after: i64, limit: i64) -> Result<Vec<RecordRow>, StoreError> {
        let sql = Sql::built(format!("{COLUMNS}{JOINED} AND r.document_id > $1 ORDER BY r.document_id LIMIT $2"));
        self.database.rows(sql.integer(after).integer(limit)).await?.iter().map(record_row).collect()
    }

    /// The records that a name means, by id; drafts are left out.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn records_named(&self, name: &RecordName) -> Result<Vec<RecordRow>, StoreError> {
        let built = |clause: &str| Sql::built(format!("{COLUMNS}{JOINED} AND {clause} ORDER BY r.record_id, r.document_id"));
        let sql = match name {
            RecordName::Id(id) => built("r.id_key = $1").owned(key(id)),
            RecordName::Reference(reference) => built("r.reference_key = $1").owned(reference_key(reference)),
            RecordName::SlugEnd(end) => built("r.last_key = $1").owned(key(end.rsplit('/').next().unwrap_or_default())),
            RecordName::Path { collection_id, path } => built("d.collection_id = $1 AND d.path = $2").integer(*collection_id).text(path),
            RecordName::Numbered { project, record_type, number, collection_id } => {
                built("r.number_key = $1 AND ($2 = '' OR r.project_key = $2) AND ($3 = '' OR r.type_key = $3) AND ($4 = 0 OR r.collection_id = $4)")
                    .owned(number_key(number))
                    .owned(project.as_deref().map(key).unwrap_or_default())
                    .owned(record_type.as_deref().map(key).unwrap_or_default())
                    // Ids begin at 1.
                    .integer(collection_id.unwrap_or(0))
            }
        };
        let mut found = self.database.rows(sql).await?.iter().map(record_row).collect::<Result<Vec<_>, _>>()?;
        if let RecordName::SlugEnd(end) = name {
            let end = crate::fold(end.trim());
            found.retain(|row| {
                let id = crate::fold(&row.id);
                id == end || id.strip_suffix(&end).is_some_and(|head| head.ends_with('/'))
            });
        }
        Ok(found)
    }
}

pub(crate) fn record_row(row: &Row) -> Result<RecordRow, StoreError> {
    let record = codec::record(&row.text(9)?)?;
    Ok(RecordRow {
        document_id: row.integer(0)?,
        collection_id: row.integer(1)?,
        uri: row.text(2)?,
        id: row.text(3)?,
        reference: row.optional_text(4)?,
        title: row.text(5)?,
        description: row.text(6)?,
        status: record.status.word.clone(),
        date: Some(row.text(7)?).filter(|date| !date.is_empty()),
        project: record.project.clone(),
        record_type: record.record_type.clone(),
        slug: record.slug.clone(),
        number: record.number.clone(),
        tags: codec::tags(&row.text(8)?)?,
        record,
        path: row.text(10)?,
        stamp: row.text(11)?,
    })
}
