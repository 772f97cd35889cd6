//! Applying a change: units of files replaced or removed, in one transaction with its rows of the change log.

use std::collections::{HashMap, HashSet};

use document::{Document, Problem};
use serde_json::{Value as Json, json};

use crate::database::{Sql, Transaction};
use crate::encode::{CountKey, Encoded, LabelRow, refusal};
use crate::fold::{key, shield};
use crate::{FileRow, Store, StoreError, problems};

/// The smallest thing that is read as a whole: a main file, the files that belong to it, and what was read from them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Path of the main file below the collection's root.
    pub main: String,
    /// All its files, the main one included.
    pub files: Vec<FileRow>,
    /// What they hold.
    pub documents: Vec<Document>,
    /// What is wrong in them.
    pub problems: Vec<Problem>,
}

/// What a sync found in one collection.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Units that are new or were read anew; each takes the place of the unit with its main path.
    pub replaced: Vec<Unit>,
    /// Main paths of units that are gone.
    pub removed: Vec<String>,
    /// Problems that belong to no unit; `None` leaves those that are stored.
    pub collection_problems: Option<Vec<Problem>>,
}

/// What a change did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    /// The newest sequence number.
    pub sequence: i64,
    /// Documents that are new or different.
    pub changed: usize,
    /// Documents that are gone.
    pub removed: usize,
}

/// Waits for other writers and keeps them waiting: only so are sequence numbers seen in order.
const LOCK: &str = "UPDATE counters SET sequence = sequence WHERE id = 1 RETURNING sequence, document_id";

const UNLOCK: &str = "UPDATE counters SET sequence = $1, document_id = $2 WHERE id = 1";

const COLLECTION: &str = "SELECT id FROM collections WHERE id = $1";

const STORED: &str = "
    SELECT d.id, d.unit, d.uri, d.fingerprint, r.project, r.type_key, r.status_key
      FROM documents d LEFT JOIN records r ON r.document_id = d.id AND r.is_draft = 0
     WHERE d.collection_id = $1 AND d.unit IN @list($2) ORDER BY d.id";

const DELETE_DOCUMENTS: &str = "DELETE FROM documents WHERE id IN @ids($1)";

const INSERT_DOCUMENTS: &str = "
    INSERT INTO documents (id, collection_id, unit, kind, uri, path, title, description, tags, date, size_bytes, body_start, body_end, stamp,
                           is_draft, fingerprint)
    SELECT CAST(value->>0 AS BIGINT), CAST($2 AS BIGINT), value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7, value->>8,
           CAST(value->>9 AS BIGINT), CAST(value->>10 AS BIGINT), CAST(value->>11 AS BIGINT), value->>12, CAST(value->>13 AS BIGINT), value->>14
      FROM @rows($1)";

const INSERT_RECORDS: &str = "
    INSERT INTO records (document_id, collection_id, is_draft, record_id, reference, status, date_key, project_key, type_key, status_key, id_key,
                         last_key, number_key, reference_key, has_review, has_reviewers, project, is_superseded)
    SELECT CAST(value->>0 AS BIGINT), CAST($2 AS BIGINT), CAST(value->>1 AS BIGINT), value->>2, value->>3, value->>4, value->>5, value->>6, value->>7,
           value->>8, value->>9, value->>10, value->>11, value->>12, CAST(value->>13 AS BIGINT), CAST(value->>14 AS BIGINT), value->>15,
           CAST(value->>16 AS BIGINT)
      FROM @rows($1)";

const INSERT_LABELS: &str = "
    INSERT INTO labels (document_id, label, name, value_key, value, is_first)
    SELECT CAST(value->>0 AS BIGINT), value->>1, value->>2, value->>3, value->>4, CAST(value->>5 AS BIGINT) FROM @rows($1)";

const INSERT_RELATIONS: &str = "
    INSERT INTO relations (document_id, position, form, target_key)
    SELECT CAST(value->>0 AS BIGINT), CAST(value->>1 AS BIGINT), value->>2, value->>3 FROM @rows($1)";

const FORGET_CHANGES: &str = "DELETE FROM change_log WHERE document_id IN @ids($1)";

const LOG_CHANGES: &str = "
    INSERT INTO change_log (document_id, sequence, is_removed)
    SELECT CAST(value->>0 AS BIGINT), CAST(value->>1 AS BIGINT), CAST(value->>2 AS BIGINT) FROM @rows($1)";

const ADD_COUNTS: &str = "
    INSERT INTO record_counts (collection_id, project, project_key, type_key, status_key, records)
    SELECT CAST($2 AS BIGINT), value->>0, value->>1, value->>2, value->>3, CAST(value->>4 AS BIGINT) FROM @rows($1) WHERE true
    ON CONFLICT (collection_id, project, type_key, status_key) DO UPDATE SET records = record_counts.records + excluded.records";

const DROP_COUNTS: &str = "DELETE FROM record_counts WHERE collection_id = $1 AND records = 0";

const DELETE_FILES: &str = "DELETE FROM files WHERE collection_id = $1 AND unit IN @list($2)";

const TAKE_FILES: &str = "DELETE FROM files WHERE collection_id = $1 AND path IN @list($2)";

const INSERT_FILES: &str = "
    INSERT INTO files (collection_id, path, size_bytes, modified_ns, inode, unit)
    SELECT CAST($2 AS BIGINT), value->>0, CAST(value->>1 AS BIGINT), CAST(value->>2 AS BIGINT), CAST(value->>3 AS BIGINT), value->>4 FROM @rows($1)";

/// A document that is stored in one of the units of a change.
struct Stored {
    id: i64,
    unit: String,
    fingerprint: String,
    count: Option<CountKey>,
}

/// What must be written, once it is known which documents are really different.
#[derive(Default)]
struct Plan<'a> {
    /// With the ids that they keep or get.
    written: Vec<(i64, Encoded<'a>)>,
    removed: Vec<i64>,
    /// Rows that make room for a changed document of the same id.
    cleared: Vec<i64>,
    counts: HashMap<CountKey, i64>,
}

impl Plan<'_> {
    fn count(&mut self, key: Option<CountKey>, step: i64) {
        if let Some(key) = key {
            *self.counts.entry(key).or_default() += step;
        }
    }
}

impl Store {
    /// Applies a change of one collection, whole or not at all. A document whose stored form would be the same gets no row in the change log.
    ///
    /// # Errors
    /// The collection is not there, or the database fails; then nothing of the change is stored.
    pub async fn apply(&self, collection_id: i64, change: &Change, _now_ms: i64) -> Result<Applied, StoreError> {
        let (encoded, refused) = encode(change);
        let mut tx = self.database.begin_write().await?;
        let counters = tx.one(Sql::new(LOCK)).await?;
        let (mut sequence, mut last_id) = (counters.integer(0)?, counters.integer(1)?);
        if tx.rows(Sql::new(COLLECTION).integer(collection_id)).await?.is_empty() {
            return Err(StoreError::Query {
                place: self.place().to_owned(),
                reason: format!("there is no collection with the id {collection_id}"),
                hint: "It was removed meanwhile; list the collections again.",
            });
        }
        let mains: Vec<&str> = change.replaced.iter().map(|unit| unit.main.as_str()).chain(change.removed.iter().map(String::as_str)).collect();
        let stored = stored(&mut tx, collection_id, &mains).await?;
        let plan = plan(encoded, stored, &mut last_id);
        write_documents(&mut tx, collection_id, &plan).await?;
        sequence = log(&mut tx, &plan, sequence).await?;
        write_files(&mut tx, collection_id, change, &mains).await?;
        problems::replace(&mut tx, collection_id, change, &mains, &refused).await?;
        tx.run(Sql::new(UNLOCK).integer(sequence).integer(last_id)).await?;
        tx.commit().await?;
        Ok(Applied { sequence, changed: plan.written.len(), removed: plan.removed.len() })
    }
}

/// The rows of all documents, and the problems of those that cannot be stored, with their units.
fn encode(change: &Change) -> (Vec<Encoded<'_>>, Vec<(&str, Problem)>) {
    let mut encoded = Vec::new();
    let mut refused = Vec::new();
    for unit in &change.replaced {
        for document in &unit.documents {
            let uri = document.uri.to_string();
            match refusal(document, &uri) {
                Some(problem) => refused.push((unit.main.as_str(), problem)),
                None => encoded.push(Encoded::of(document, &unit.main, uri)),
            }
        }
    }
    (encoded, refused)
}

/// What the units of a change hold so far, by uri.
async fn stored(tx: &mut Transaction, collection_id: i64, mains: &[&str]) -> Result<HashMap<String, Vec<Stored>>, StoreError> {
    let mut found: HashMap<String, Vec<Stored>> = HashMap::new();
    if mains.is_empty() {
        return Ok(found);
    }
    for row in tx.rows(Sql::new(STORED).integer(collection_id).list(mains)).await? {
        let count = match row.optional_text(4)? {
            Some(project) => Some(CountKey { project, record_type: row.text(5)?, status: row.text(6)? }),
            None => None,
        };
        let stored = Stored { id: row.integer(0)?, unit: row.text(1)?, fingerprint: row.text(3)?, count };
        found.entry(row.text(2)?).or_default().push(stored);
    }
    Ok(found)
}

/// Which documents are new, different or gone. A document keeps its id while its uri stays in the change, even in another unit: a file that moved.
fn plan<'a>(encoded: Vec<Encoded<'a>>, mut stored: HashMap<String, Vec<Stored>>, last_id: &mut i64) -> Plan<'a> {
    let mut plan = Plan::default();
    for document in encoded {
        let twin = stored.get_mut(&document.uri).filter(|twins| !twins.is_empty()).map(|twins| {
            let same = twins.iter().position(|twin| twin.fingerprint == document.fingerprint);
            let near = same.or_else(|| twins.iter().position(|twin| twin.unit == document.unit)).unwrap_or(0);
            twins.remove(near)
        });
        let id = match twin {
            Some(twin) if twin.fingerprint == document.fingerprint => continue,
            Some(twin) => {
                plan.cleared.push(twin.id);
                plan.count(twin.count, -1);
                twin.id
            }
            None => {
                *last_id += 1;
                *last_id
            }
        };
        plan.count(document.count_key(), 1);
        plan.written.push((id, document));
    }
    for gone in stored.into_values().flatten() {
        plan.removed.push(gone.id);
        plan.count(gone.count, -1);
    }
    plan.removed.sort_unstable();
    plan
}

async fn insert(tx: &mut Transaction, text: &'static str, rows: Vec<Json>) -> Result<(), StoreError> {
    if !rows.is_empty() {
        tx.run(Sql::new(text).rows(&Json::Array(rows))).await?;
    }
    Ok(())
}

async fn insert_into(tx: &mut Transaction, text: &'static str, rows: Vec<Json>, collection_id: i64) -> Result<(), StoreError> {
    if !rows.is_empty() {
        tx.run(Sql::new(text).rows(&Json::Array(rows)).integer(collection_id)).await?;
    }
    Ok(())
}

async fn write_documents(tx: &mut Transaction, collection_id: i64, plan: &Plan<'_>) -> Result<(), StoreError> {
    let cleared: Vec<i64> = plan.cleared.iter().chain(&plan.removed).copied().collect();
    if !cleared.is_empty() {
        tx.run(Sql::new(DELETE_DOCUMENTS).ids(cleared)).await?;
    }
    let written = &plan.written;
    insert_into(tx, INSERT_DOCUMENTS, written.iter().map(|(id, document)| document.document_row(*id)).collect(), collection_id).await?;
    insert_texts(tx, written).await?;
    insert_into(tx, INSERT_RECORDS, written.iter().filter_map(|(id, document)| document.record_row(*id)).collect(), collection_id).await?;
    // In the order of their key, so that neighbours go to the same page.
    let mut labels: Vec<LabelRow> = written.iter().flat_map(|(id, document)| document.label_rows(*id)).collect();
    labels.sort_unstable();
    insert(tx, INSERT_LABELS, labels.into_iter().map(LabelRow::json).collect()).await?;
    insert(tx, INSERT_RELATIONS, written.iter().flat_map(|(id, document)| document.relation_rows(*id)).collect()).await?;
    let steps = plan.counts.iter().filter(|(_, step)| **step != 0);
    let steps: Vec<Json> = steps
        .map(|(count, step)| json!([shield(&count.project), shield(&key(&count.project)), shield(&count.record_type), shield(&count.status), step]))
        .collect();
    if !steps.is_empty() {
        insert_into(tx, ADD_COUNTS, steps, collection_id).await?;
        tx.run(Sql::new(DROP_COUNTS).integer(collection_id)).await?;
    }
    Ok(())
}

/// Texts travel as values of their own: they are long, and JSON would copy and escape them twice.
async fn insert_texts(tx: &mut Transaction, written: &[(i64, Encoded<'_>)]) -> Result<(), StoreError> {
    for batch in batches(written) {
        let sql = Sql::built(format!("INSERT INTO texts (document_id, text, sections, links) VALUES {}", placeholders(batch.len(), 4)));
        let sql = batch.iter().fold(sql, |sql, (id, one)| sql.integer(*id).text(&one.document.text).text(&one.sections).text(&one.links));
        tx.run(sql).await?;
    }
    let facts: Vec<(i64, &str)> = written.iter().filter_map(|(id, document)| Some((*id, document.facts.as_deref()?))).collect();
    for batch in batches(&facts) {
        let sql = Sql::built(format!("INSERT INTO facts (document_id, facts) VALUES {}", placeholders(batch.len(), 2)));
        tx.run(batch.iter().fold(sql, |sql, (id, facts)| sql.integer(*id).text(facts))).await?;
    }
    Ok(())
}

/// Batches whose sizes are powers of two: few different statements, each prepared once.
fn batches<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = (1 << rest.len().checked_ilog2()?).min(64);
        let (batch, tail) = rest.split_at(size);
        rest = tail;
        Some(batch)
    })
}

/// `($1, $2), ($3, $4)` for two rows of two columns.
fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| (1..=columns).map(|column| format!("${}", row * columns + column)).collect::<Vec<_>>().join(", ");
    (0..rows).map(|number| format!("({})", row(number))).collect::<Vec<_>>().join(", ")
}

/// Numbers what changed, behind `sequence`; the new last number.
async fn log(tx: &mut Transaction, plan: &Plan<'_>, sequence: i64) -> Result<i64, StoreError> {
    let changes = plan.written.iter().map(|(id, _)| (*id, 0)).chain(plan.removed.iter().map(|id| (*id, 1)));
    let rows: Vec<Json> = changes.zip(sequence + 1..).map(|((id, is_removed), sequence)| json!([id, sequence, is_removed])).collect();
    let last = sequence + i64::try_from(rows.len()).unwrap_or(i64::MAX);
    let before: Vec<i64> = plan.cleared.iter().chain(&plan.removed).copied().collect();
    if !before.is_empty() {
        tx.run(Sql::new(FORGET_CHANGES).ids(before)).await?;
    }
    insert(tx, LOG_CHANGES, rows).await?;
    Ok(last)
}

async fn write_files(tx: &mut Transaction, collection_id: i64, change: &Change, mains: &[&str]) -> Result<(), StoreError> {
    if mains.is_empty() {
        return Ok(());
    }
    tx.run(Sql::new(DELETE_FILES).integer(collection_id).list(mains)).await?;
    // A file belongs to one unit; the last one to name it wins, also against a unit that is not in the change.
    let mut seen = HashSet::new();
    let files = change.replaced.iter().rev().flat_map(|unit| unit.files.iter().rev().map(move |file| (file, &unit.main)));
    let files: Vec<(&FileRow, &String)> = files.filter(|(file, _)| file.path.len() <= 2_000 && seen.insert(file.path.as_str())).collect();
    if files.is_empty() {
        return Ok(());
    }
    tx.run(Sql::new(TAKE_FILES).integer(collection_id).list(files.iter().map(|(file, _)| file.path.as_str()))).await?;
    let row = |(file, unit): (&FileRow, &String)| json!([shield(&file.path), file.size_bytes, file.modified_ns, file.inode, shield(unit)]);
    insert_into(tx, INSERT_FILES, files.into_iter().map(row).collect(), collection_id).await
}
