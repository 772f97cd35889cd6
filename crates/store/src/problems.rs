//! Problems of files and collections.

use document::{Problem, Severity};
use serde_json::{Value as Json, json};

use crate::apply::Change;
use crate::database::{Row, Sql, Transaction};
use crate::fold::shield;
use crate::{Store, StoreError};

/// A problem with the collection that it was found in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProblemRow {
    /// The collection.
    pub collection_id: i64,
    /// What is wrong.
    pub problem: Problem,
}

const LIST: &str = "
    SELECT collection_id, code, severity, path, line_number, message, hint FROM problems
     WHERE collection_id = $1 OR $1 = 0 ORDER BY collection_id, path, COALESCE(line_number, 0), position, code, message";

const OF_COLLECTION: &str = "
    SELECT collection_id, code, severity, path, line_number, message, hint FROM problems WHERE collection_id = $1 AND unit IS NULL ORDER BY position";

const COUNT: &str = "SELECT collection_id, severity, COUNT(*) FROM problems GROUP BY collection_id, severity ORDER BY collection_id";

const CODES: &str = "SELECT DISTINCT code FROM problems ORDER BY code";

const DELETE_OF_UNITS: &str = "DELETE FROM problems WHERE collection_id = $1 AND unit IN @list($2)";

const DELETE_OF_COLLECTION: &str = "DELETE FROM problems WHERE collection_id = $1 AND unit IS NULL";

const INSERT: &str = "
    INSERT INTO problems (collection_id, unit, position, code, severity, path, line_number, message, hint)
    SELECT CAST($2 AS BIGINT), value->>0, CAST(value->>1 AS BIGINT), value->>2, value->>3, value->>4, CAST(value->>5 AS BIGINT), value->>6, value->>7
      FROM @rows($1)";

impl Store {
    /// The problems of one collection or of all, by collection, path and line.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn problems(&self, collection_id: Option<i64>) -> Result<Vec<ProblemRow>, StoreError> {
        // Ids begin at 1.
        self.database.rows(Sql::new(LIST).integer(collection_id.unwrap_or(0))).await?.iter().map(problem).collect()
    }

    /// The problems of a collection that belong to no unit, in the order in which they were given.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn collection_problems(&self, collection_id: i64) -> Result<Vec<Problem>, StoreError> {
        let rows = self.database.rows(Sql::new(OF_COLLECTION).integer(collection_id)).await?;
        rows.iter().map(problem).map(|row| row.map(|row| row.problem)).collect()
    }

    /// How many problems of which severity each collection has; severities without any are left out.
    ///
    /// # Errors
    /// The database fails, or holds what cannot be read.
    pub async fn count_problems(&self) -> Result<Vec<(i64, Severity, i64)>, StoreError> {
        let count = |row: &Row| Ok((row.integer(0)?, severity(&row.text(1)?)?, row.integer(2)?));
        let mut counts = self.database.rows(Sql::new(COUNT)).await?.iter().map(count).collect::<Result<Vec<_>, StoreError>>()?;
        counts.sort_unstable();
        Ok(counts)
    }

    /// The codes of all problems, in order, each once.
    ///
    /// # Errors
    /// The database fails.
    pub async fn problem_codes(&self) -> Result<Vec<String>, StoreError> {
        self.database.rows(Sql::new(CODES)).await?.iter().map(|row| row.text(0)).collect()
    }
}

fn severity(word: &str) -> Result<Severity, StoreError> {
    Severity::parse(word).ok_or_else(|| StoreError::Corrupt { what: format!("a problem of severity \"{word}\"") })
}

fn problem(row: &Row) -> Result<ProblemRow, StoreError> {
    let problem = Problem {
        code: row.text(1)?,
        severity: severity(&row.text(2)?)?,
        path: row.text(3)?,
        line_number: row.optional_integer(4)?.and_then(|number| u32::try_from(number).ok()),
        message: row.text(5)?,
        hint: row.optional_text(6)?,
    };
    Ok(ProblemRow { collection_id: row.integer(0)?, problem })
}

/// Puts the problems of a change in the place of those that its units had.
pub(crate) async fn replace(
    tx: &mut Transaction,
    collection_id: i64,
    change: &Change,
    mains: &[&str],
    refused: &[(&str, Problem)],
) -> Result<(), StoreError> {
    if !mains.is_empty() {
        tx.run(Sql::new(DELETE_OF_UNITS).integer(collection_id).list(mains)).await?;
    }
    if change.collection_problems.is_some() {
        tx.run(Sql::new(DELETE_OF_COLLECTION).integer(collection_id)).await?;
    }
    let of_units = change.replaced.iter().flat_map(|unit| unit.problems.iter().map(|problem| (Some(unit.main.as_str()), problem)));
    let of_names = refused.iter().map(|(unit, problem)| (Some(*unit), problem));
    let of_collection = change.collection_problems.iter().flatten().map(|problem| (None, problem));
    let rows: Vec<Json> = of_units.chain(of_names).chain(of_collection).enumerate().map(row).collect();
    if !rows.is_empty() {
        tx.run(Sql::new(INSERT).rows(&Json::Array(rows)).integer(collection_id)).await?;
    }
    Ok(())
}

fn row((position, (unit, problem)): (usize, (Option<&str>, &Problem))) -> Json {
    let Problem { code, severity, path, line_number, message, hint } = problem;
    json!([unit.map(shield), position, shield(code), severity.as_str(), shield(path), line_number, shield(message), hint.as_deref().map(shield)])
}
