//! `<id>.md`: the bytes of one record's own file, exactly those that its stamp is of.

use std::sync::Arc;

use document::Stamp;
use store::{RecordName, RecordRow};

use crate::{Desk, Error, ErrorKind, Result};

/// How often a file that changes while it is read is read anew.
const TRIES: usize = 3;

/// The longest id that is looked up; file systems allow 4,096 bytes for a path.
const MAX_ID_BYTES: usize = 4_096;

/// A record's own file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copy {
    /// Its id.
    pub id: String,
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Their stamp.
    pub stamp: Stamp,
}

/// The copy of the record of exactly this id. Costs one record, however many there are.
///
/// # Errors
/// No record of this id or more than one, a store or file that cannot be read, or a file that changes faster than it can be read.
pub async fn copy(desk: &Desk, id: &str) -> Result<Copy> {
    for _ in 0..TRIES {
        let row = named(desk, id).await?;
        let stored = desk.library.store().documents(&[row.document_id]).await?.pop().map(|stored| stored.document);
        let Some(document) = stored else {
            continue;
        };
        let bytes = document.text.into_bytes();
        if Stamp::of(&bytes) == document.stamp {
            return Ok(Copy { id: row.id, bytes, stamp: document.stamp });
        }
        // What is no UTF-8 was decoded to be read, so the store does not have its bytes.
        let bytes = original(desk, &row).await?;
        if Stamp::of(&bytes) == document.stamp {
            return Ok(Copy { id: row.id, bytes, stamp: document.stamp });
        }
        desk.library.freshen().await;
    }
    let message = format!("The file of {id} changes while it is read, so its bytes are not those that the library knows.");
    Err(Error::new(ErrorKind::Unreachable, message).hint("Try again when nothing writes to it any more."))
}

/// The one record of an id. Names count as they are written: a file that is found under a name in other letters here would be missing on most hosts.
async fn named(desk: &Desk, id: &str) -> Result<RecordRow> {
    if id.len() > MAX_ID_BYTES {
        return Err(Error::no_record(id));
    }
    let mut rows = desk.library.store().records_named(&RecordName::Id(id.to_owned())).await?;
    if rows.len() > 1 {
        let file = |row: &RecordRow| format!("{} in {}", row.path, desk.library.collection_name(row.collection_id));
        let files: Vec<String> = rows.iter().map(file).collect();
        return Err(Error::new(ErrorKind::Ambiguous, format!("\"{id}\" is ambiguous: {}.", files.join(", "))));
    }
    rows.pop().filter(|row| row.id == id).ok_or_else(|| Error::no_record(id))
}

async fn original(desk: &Desk, row: &RecordRow) -> Result<Vec<u8>> {
    let (library, id, path) = (Arc::clone(&desk.library), row.collection_id, row.path.clone());
    let read = move || {
        let collection = library.collections().iter().find(|collection| collection.id == id);
        let collection = collection.ok_or_else(|| Error::new(ErrorKind::NotFound, "The collection is gone."))?;
        Ok(collection.folder.read(&path)?.bytes)
    };
    let failed = |error: tokio::task::JoinError| Error::new(ErrorKind::Unreachable, format!("Reading files failed: {error}."));
    tokio::task::spawn_blocking(read).await.map_err(failed)?
}
