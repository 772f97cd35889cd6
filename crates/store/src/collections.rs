//! Collections and the files that they were read from.

use document::Kind;

use crate::database::{Row, Sql};
use crate::fold::unshield;
use crate::{Store, StoreError};

/// A registered collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionRow {
    /// Never given out twice.
    pub id: i64,
    /// Unique in the library.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Where it is read from.
    pub root: String,
}

/// A file as it was when it was last read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// Path below the collection's root, with `/`.
    pub path: String,
    /// Size in bytes.
    pub size_bytes: i64,
    /// Time of its last change in nanoseconds.
    pub modified_ns: i64,
    /// Number of the file in its file system; 0 where it has none.
    pub inode: i64,
    /// Main path of the unit that it belongs to.
    pub unit: String,
}

const LIST: &str = "SELECT id, name, kind, root FROM collections ORDER BY name";

const LOCK: &str = "UPDATE counters SET collection_id = collection_id + 1 WHERE id = 1 RETURNING collection_id";

const FIND: &str = "SELECT id, name, kind, root FROM collections WHERE name = $1";

const INSERT: &str = "INSERT INTO collections (id, name, kind, root) VALUES ($1, $2, $3, $4)";

const MOVE: &str = "UPDATE collections SET kind = $2, root = $3 WHERE id = $1";

/// No file has these marks, so that the next scan reads every file anew and sees which are gone.
const DISTRUST: &str = "UPDATE files SET modified_ns = -1, inode = -1 WHERE collection_id = $1";

/// One text for many rows: the driver takes several microseconds to hand over a row, and a scan waits for all of them. Stored text never holds SUB
/// before `2` or `3` (see `fold::shield`), so that these part fields and rows.
const FILES: &str = "
    SELECT string_agg(path || $2 || CAST(size_bytes AS TEXT) || $2 || CAST(modified_ns AS TEXT) || $2 || CAST(inode AS TEXT) || $2 || unit, $3)
      FROM (SELECT path, size_bytes, modified_ns, inode, unit FROM files WHERE collection_id = $1 AND path > $4 ORDER BY path LIMIT 20000) page";

const FIELD_END: &str = "\u{1a}2";

const ROW_END: &str = "\u{1a}3";

const COUNT_REMOVED: &str = "UPDATE counters SET sequence = sequence + (SELECT COUNT(*) FROM documents WHERE collection_id = $1)
     WHERE id = 1 RETURNING sequence, (SELECT COUNT(*) FROM documents WHERE collection_id = $1)";

const FORGET_CHANGES: &str = "DELETE FROM change_log WHERE document_id IN (SELECT id FROM documents WHERE collection_id = $1)";

const LOG_REMOVED: &str = "INSERT INTO change_log (document_id, sequence, is_removed)
    SELECT id, CAST($1 AS BIGINT) + ROW_NUMBER() OVER (ORDER BY id), 1 FROM documents WHERE collection_id = $2";

const REMOVE: &str = "DELETE FROM collections WHERE id = $1";

impl Store {
    /// Registers a collection, or gives an existing one of that name another kind or root, whose files are then all read anew.
    ///
    /// # Errors
    /// The database fails.
    pub async fn put_collection(&self, name: &str, kind: Kind, root: &str) -> Result<CollectionRow, StoreError> {
        let found = self.database.row(Sql::new(FIND).text(name)).await?;
        if let Some(row) = found.as_ref().map(collection).transpose()?
            && row.kind == kind
            && row.root == root
        {
            return Ok(row);
        }
        let mut tx = self.database.begin_write().await?;
        let next = tx.one(Sql::new(LOCK)).await?.integer(0)?;
        let found = tx.rows(Sql::new(FIND).text(name)).await?;
        let id = if let Some(row) = found.first() {
            let id = row.integer(0)?;
            tx.run(Sql::new(MOVE).integer(id).text(kind.as_str()).text(root)).await?;
            tx.run(Sql::new(DISTRUST).integer(id)).await?;
            id
        } else {
            tx.run(Sql::new(INSERT).integer(next).text(name).text(kind.as_str()).text(root)).await?;
            next
        };
        tx.commit().await?;
        Ok(CollectionRow { id, name: name.to_owned(), kind, root: root.to_owned() })
    }

    /// All collections by name.
    ///
    /// # Errors
    /// The database fails.
    pub async fn collections(&self) -> Result<Vec<CollectionRow>, StoreError> {
        self.database.rows(Sql::new(LIST)).await?.iter().map(collection).collect()
    }

    /// Forgets a collection with all that was read from it. Each of its documents gets a removal in the change log.
    ///
    /// # Errors
    /// The database fails. A collection that is not there is no error.
    pub async fn remove_collection(&self, id: i64) -> Result<(), StoreError> {
        let mut tx = self.database.begin_write().await?;
        let counted = tx.one(Sql::new(COUNT_REMOVED).integer(id)).await?;
        let before = counted.integer(0)? - counted.integer(1)?;
        tx.run(Sql::new(FORGET_CHANGES).integer(id)).await?;
        tx.run(Sql::new(LOG_REMOVED).integer(before).integer(id)).await?;
        tx.run(Sql::new(REMOVE).integer(id)).await?;
        tx.commit().await
    }

    /// The files of a collection as they were when they were read, by path.
    ///
    /// # Errors
    /// The database fails.
    pub async fn files(&self, collection_id: i64) -> Result<Vec<FileRow>, StoreError> {
        let mut files = Vec::new();
        let mut after = String::new();
        loop {
            let sql = Sql::new(FILES).integer(collection_id).plain(FIELD_END).plain(ROW_END).text(&after);
            let Some(page) = self.database.row(sql).await?.map(|row| row.plain(0)).transpose()?.flatten() else {
                return Ok(files);
            };
            // The engines promise no order of what they gather.
            let mut rows: Vec<Vec<&str>> = page.split(ROW_END).map(|row| row.split(FIELD_END).collect()).collect();
            rows.sort_unstable_by_key(|row| row[0]);
            after = rows.last().map(|row| unshield(row[0].to_owned())).unwrap_or_default();
            for row in rows {
                files.push(file(&row).ok_or_else(|| StoreError::Corrupt { what: format!("a file of collection {collection_id}") })?);
            }
        }
    }
}

fn file(row: &[&str]) -> Option<FileRow> {
    let [path, size_bytes, modified_ns, inode, unit] = row else {
        return None;
    };
    Some(FileRow {
        path: unshield((*path).to_owned()),
        size_bytes: size_bytes.parse().ok()?,
        modified_ns: modified_ns.parse().ok()?,
        inode: inode.parse().ok()?,
        unit: unshield((*unit).to_owned()),
    })
}

pub(crate) fn kind(word: &str) -> Result<Kind, StoreError> {
    Kind::parse(word).ok_or_else(|| StoreError::Corrupt { what: format!("a collection of kind \"{word}\"") })
}

fn collection(row: &Row) -> Result<CollectionRow, StoreError> {
    Ok(CollectionRow { id: row.integer(0)?, name: row.text(1)?, kind: kind(&row.text(2)?)?, root: row.text(3)? })
}
