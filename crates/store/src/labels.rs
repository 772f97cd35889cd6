//! Tags, people and fields with their counts, and the projects of a library.

use crate::database::{Row, Sql};
use crate::fold::key;
use crate::{Store, StoreError};

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Label {
    /// Tags of documents of every kind.
    Tag,
    /// Authors of records.
    Author,
    /// Deciders of records.
    Decider,
}

impl Label {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Tag => "tag",
            Self::Author => "author",
            Self::Decider => "decider",
        }
    }
}

/// A project of a collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectCount {
    /// The collection.
    pub collection_id: i64,
    /// Its name as written.
    pub project: String,
    /// How many records it has, drafts left out.
    pub records: i64,
}

const LABELS: &str = "
    SELECT MIN(l.value), COUNT(*) AS documents FROM labels l
     WHERE l.label = $1 AND l.name = '' GROUP BY l.value_key ORDER BY documents DESC, l.value_key LIMIT $2";

/// `CROSS JOIN` makes SQLite begin with the few records of the project, and `|| ''` makes it look their labels up by document: sorted by value, it
/// would walk all labels of the library for each of them.
const LABELS_OF_PROJECT: &str = "
    SELECT MIN(l.value), COUNT(*) AS documents FROM records r CROSS JOIN labels l
     WHERE r.is_draft = 0 AND r.project_key = $3 AND l.document_id = r.document_id AND l.label || '' = $1
     GROUP BY l.value_key ORDER BY documents DESC, l.value_key LIMIT $2";

const FIELDS: &str = "
    SELECT MIN(l.value), CAST(SUM(l.is_first) AS BIGINT) AS documents FROM labels l
     WHERE l.label = 'field' GROUP BY l.name ORDER BY documents DESC, l.name";

const FIELDS_OF_PROJECT: &str = "
    SELECT MIN(l.value), CAST(SUM(l.is_first) AS BIGINT) AS documents FROM records r CROSS JOIN labels l
     WHERE r.is_draft = 0 AND r.project_key = $1 AND l.document_id = r.document_id AND l.label || '' = 'field'
     GROUP BY l.name ORDER BY documents DESC, l.name";

const VALUES: &str = "
    SELECT l.value_key, COUNT(*) AS documents FROM labels l
     WHERE l.label = 'field' AND l.name = $1 GROUP BY l.value_key ORDER BY documents DESC, l.value_key LIMIT $2";

const DATES: &str = "SELECT MIN(date_key), MAX(date_key) FROM records WHERE is_draft = 0 AND date_key <> ''";

const PROJECTS: &str = "
    SELECT collection_id, MIN(project), CAST(SUM(records) AS BIGINT) FROM record_counts
     WHERE records > 0 GROUP BY collection_id, project_key ORDER BY collection_id, project_key";

impl Store {
    /// The words of a sort with the number of documents that bear each, most frequent first, then by name. Words that differ in case only are one.
    /// Drafts do not count. With a project, only its records count.
    ///
    /// # Errors
    /// The database fails.
    pub async fn labels(&self, label: Label, project: Option<&str>, limit: Option<i64>) -> Result<Vec<(String, i64)>, StoreError> {
        let sql = Sql::new(if project.is_some() { LABELS_OF_PROJECT } else { LABELS }).text(label.as_str()).integer(limit.unwrap_or(i64::MAX));
        let sql = match project {
            Some(project) => sql.owned(key(project)),
            None => sql,
        };
        self.database.rows(sql).await?.iter().map(counted).collect()
    }

    /// The metadata fields of records with the number of records that state each, most frequent first, then by name. Drafts do not count.
    ///
    /// # Errors
    /// The database fails.
    pub async fn fields(&self, project: Option<&str>) -> Result<Vec<(String, i64)>, StoreError> {
        let sql = match project {
            Some(project) => Sql::new(FIELDS_OF_PROJECT).owned(key(project)),
            None => Sql::new(FIELDS),
        };
        self.database.rows(sql).await?.iter().map(counted).collect()
    }

    /// At most `limit` values of a metadata field, folded, with the number of records that have each, most frequent first. Drafts do not count.
    ///
    /// # Errors
    /// The database fails.
    pub async fn field_values(&self, name: &str, limit: i64) -> Result<Vec<(String, i64)>, StoreError> {
        self.database.rows(Sql::new(VALUES).owned(key(name)).integer(limit)).await?.iter().map(counted).collect()
    }

    /// The oldest and the newest date of all records, as exact as they are stated; drafts do not count. `None` where none is dated.
    ///
    /// # Errors
    /// The database fails.
    pub async fn record_dates(&self) -> Result<Option<(String, String)>, StoreError> {
        let row = self.database.row(Sql::new(DATES)).await?;
        let ends = row.map(|row| Ok::<_, StoreError>((row.optional_text(0)?, row.optional_text(1)?))).transpose()?;
        Ok(ends.and_then(|(oldest, newest)| oldest.zip(newest)))
    }

    /// All projects by collection and name.
    ///
    /// # Errors
    /// The database fails.
    pub async fn projects(&self) -> Result<Vec<ProjectCount>, StoreError> {
        let project = |row: &Row| Ok(ProjectCount { collection_id: row.integer(0)?, project: row.text(1)?, records: row.integer(2)? });
        self.database.rows(Sql::new(PROJECTS)).await?.iter().map(project).collect()
    }
}

fn counted(row: &Row) -> Result<(String, i64), StoreError> {
    Ok((row.text(0)?, row.integer(1)?))
}
