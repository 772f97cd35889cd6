//! Documents: whole with their texts, or as rows of a listing.

use document::{Document, Facts, Kind, Span, Stamp, Uri};

use crate::collections::kind;
use crate::database::{Row, Sql};
use crate::{Store, StoreError, codec};

/// A document as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredDocument {
    /// Never given out twice.
    pub id: i64,
    /// Its collection.
    pub collection_id: i64,
    /// The document, as it was read.
    pub document: Document,
}

/// A document without its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentRow {
    /// Never given out twice.
    pub id: i64,
    /// Its collection.
    pub collection_id: i64,
    /// Kind of its collection.
    pub kind: Kind,
    /// Its uri, encoded.
    pub uri: String,
    /// Path of its file below the collection's root.
    pub path: String,
    /// Never empty.
    pub title: String,
    /// Empty where its metadata has none.
    pub description: String,
    /// Size of its text in bytes.
    pub size_bytes: i64,
    /// Its own date, as exact as the source is.
    pub date: Option<String>,
    /// Tags as written.
    pub tags: Vec<String>,
    /// Stamp of the file's bytes.
    pub stamp: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>` of a numbered record.
    pub reference: Option<String>,
    /// Status word of a record.
    pub status: Option<String>,
}

/// Columns of a whole document, in the order in which [`stored`] reads them.
macro_rules! whole {
    ($tail:literal) => {
        concat!(
            "SELECT d.id, d.collection_id, d.kind, d.uri, d.path, d.title, d.description, d.tags, d.date, d.body_start, d.body_end, d.stamp,
                    t.text, t.sections, t.links, f.facts
               FROM documents d JOIN texts t ON t.document_id = d.id LEFT JOIN facts f ON f.document_id = d.id ",
            $tail
        )
    };
}

const BY_IDS: &str = whole!("WHERE d.id IN @ids($1)");

const BY_URI: &str = whole!("WHERE d.uri = $1 ORDER BY d.collection_id, d.id");

/// Columns of a listed document, in the order in which [`listed`] reads them.
macro_rules! listed {
    ($tail:literal) => {
        concat!(
            "SELECT d.id, d.collection_id, d.kind, d.uri, d.path, d.title, d.description, d.size_bytes, d.date, d.tags, d.stamp, r.reference, r.status
               FROM documents d LEFT JOIN records r ON r.document_id = d.id ",
            $tail
        )
    };
}

const PAGE: &str = listed!("WHERE d.uri > $1 AND d.is_draft <= $2 ORDER BY d.uri, d.id LIMIT $3");

const PAGE_OF_KIND: &str = listed!("WHERE d.uri > $1 AND d.is_draft <= $2 AND d.kind = $4 ORDER BY d.uri, d.id LIMIT $3");

const ROWS_BY_IDS: &str = listed!("WHERE d.id IN @ids($1) ORDER BY d.id");

const COUNT: &str = "SELECT COUNT(*) FROM documents WHERE collection_id = $1 AND is_draft = 0";

impl Store {
    /// The documents of these ids, in no certain order; ids that name none are left out.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn documents(&self, ids: &[i64]) -> Result<Vec<StoredDocument>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.database.rows(Sql::new(BY_IDS).ids(ids.iter().copied())).await?.iter().map(stored).collect()
    }

    /// The documents that bear a uri, whose section does not matter; more than one where several collections hold it. Drafts included.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn documents_by_uri(&self, uri: &Uri) -> Result<Vec<StoredDocument>, StoreError> {
        let text = uri.clone().without_section().to_string();
        self.database.rows(Sql::new(BY_URI).text(&text)).await?.iter().map(stored).collect()
    }

    /// At most `limit` documents strictly behind `after_uri`, in the byte order of their uris, all kinds where `kind` is none.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn document_page(
        &self,
        kind: Option<Kind>,
        after_uri: Option<&str>,
        limit: i64,
        hidden_drafts: bool,
    ) -> Result<Vec<DocumentRow>, StoreError> {
        let sql = Sql::new(if kind.is_some() { PAGE_OF_KIND } else { PAGE });
        let sql = sql.text(after_uri.unwrap_or_default()).integer(i64::from(!hidden_drafts)).integer(limit);
        let sql = match kind {
            Some(kind) => sql.text(kind.as_str()),
            None => sql,
        };
        self.database.rows(sql).await?.iter().map(listed).collect()
    }

    /// The documents of these ids without their texts, by id; ids that name none are left out.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn document_rows(&self, ids: &[i64]) -> Result<Vec<DocumentRow>, StoreError> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        self.database.rows(Sql::new(ROWS_BY_IDS).ids(ids.iter().copied())).await?.iter().map(listed).collect()
    }

    /// How many documents a collection serves; drafts are not counted.
    ///
    /// # Errors
    /// The database fails.
    pub async fn count_documents(&self, collection_id: i64) -> Result<i64, StoreError> {
        self.database.row(Sql::new(COUNT).integer(collection_id)).await?.map_or(Ok(0), |row| row.integer(0))
    }
}

fn offset(number: i64) -> Result<usize, StoreError> {
    usize::try_from(number).map_err(|_| StoreError::Corrupt { what: format!("the offset {number} of a document") })
}

fn stored(row: &Row) -> Result<StoredDocument, StoreError> {
    let uri = row.text(3)?;
    let stamp = row.text(11)?;
    let facts = match row.optional_text(15)? {
        Some(text) => Facts::Record(Box::new(codec::record(&text)?)),
        None => Facts::Plain,
    };
    let document = Document {
        uri: Uri::parse(&uri).map_err(|error| StoreError::Corrupt { what: error.to_string() })?,
        kind: kind(&row.text(2)?)?,
        path: row.text(4)?,
        title: row.text(5)?,
        description: row.text(6)?,
        text: row.text(12)?,
        body: Span::new(offset(row.integer(9)?)?, offset(row.integer(10)?)?),
        sections: codec::sections(&row.text(13)?)?,
        links: codec::links(&row.text(14)?)?,
        tags: codec::tags(&row.text(7)?)?,
        date: row.optional_text(8)?,
        stamp: Stamp::parse(&stamp).ok_or_else(|| StoreError::Corrupt { what: format!("the stamp \"{stamp}\" of {uri}") })?,
        facts,
    };
    Ok(StoredDocument { id: row.integer(0)?, collection_id: row.integer(1)?, document })
}

fn listed(row: &Row) -> Result<DocumentRow, StoreError> {
    Ok(DocumentRow {
        id: row.integer(0)?,
        collection_id: row.integer(1)?,
        kind: kind(&row.text(2)?)?,
        uri: row.text(3)?,
        path: row.text(4)?,
        title: row.text(5)?,
        description: row.text(6)?,
        size_bytes: row.integer(7)?,
        date: row.optional_text(8)?,
        tags: codec::tags(&row.text(9)?)?,
        stamp: row.text(10)?,
        reference: row.optional_text(11)?,
        status: row.optional_text(12)?,
    })
}
