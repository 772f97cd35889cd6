//! Migrations: numbered files, each applied once, in order, under a lock that all processes respect.

use document::Stamp;

use crate::StoreError;
use crate::database::{Database, Engine, Sql};

/// A numbered step of the schema.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Migration {
    pub(crate) number: i64,
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
}

impl Migration {
    /// Over the file's text, before anything in it is written for one engine.
    fn checksum(&self) -> String {
        Stamp::of(self.text.as_bytes()).as_str().to_owned()
    }
}

/// All steps, in order. A released step never changes; a new one is a new file.
pub(crate) const MIGRATIONS: &[Migration] = &[
    Migration { number: 1, name: "0001_library.sql", text: include_str!("../migrations/0001_library.sql") },
    Migration { number: 2, name: "0002_relations_by_kind.sql", text: include_str!("../migrations/0002_relations_by_kind.sql") },
    Migration { number: 3, name: "0003_relations_by_last_name.sql", text: include_str!("../migrations/0003_relations_by_last_name.sql") },
];

/// "ibid" in ASCII: the lock that PostgreSQL keeps while a process migrates.
const LOCK: &str = "SELECT pg_advisory_xact_lock(1768057188)";

const LEDGER: &str = "
    CREATE TABLE IF NOT EXISTS migrations (number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_by TEXT NOT NULL)";

const APPLIED: &str = "SELECT number, checksum FROM migrations ORDER BY number";

const REMEMBER: &str = "INSERT INTO migrations (number, name, checksum, applied_by) VALUES ($1, $2, $3, $4)";

/// Brings the database to the newest step of `migrations`, or says why that must not be.
pub(crate) async fn migrate(database: &Database, migrations: &[Migration]) -> Result<(), StoreError> {
    // The usual case, a database that is up to date, needs no lock. A database without a ledger answers with an error, which the way below repeats.
    if let Ok(rows) = database.rows(Sql::new(APPLIED)).await {
        let applied = rows.iter().map(|row| Ok((row.integer(0)?, row.text(1)?))).collect::<Result<Vec<_>, StoreError>>()?;
        check(database.place(), &applied, migrations)?;
        if applied.len() == migrations.len() {
            return Ok(());
        }
    }
    let mut tx = database.begin_write().await?;
    if database.engine() == Engine::Postgres {
        tx.rows(Sql::new(LOCK)).await?;
    }
    tx.run(Sql::new(LEDGER)).await?;
    let rows = tx.rows(Sql::new(APPLIED)).await?;
    let applied = rows.iter().map(|row| Ok((row.integer(0)?, row.text(1)?))).collect::<Result<Vec<_>, StoreError>>()?;
    check(database.place(), &applied, migrations)?;
    for migration in &migrations[applied.len()..] {
        tx.script(database.engine().rendered(migration.text)).await?;
        let sql = Sql::new(REMEMBER).integer(migration.number).text(migration.name).owned(migration.checksum()).text(env!("CARGO_PKG_VERSION"));
        tx.run(sql).await?;
    }
    tx.commit().await
}

/// What the database holds must be the beginning of what this ibid knows.
fn check(place: &str, applied: &[(i64, String)], migrations: &[Migration]) -> Result<(), StoreError> {
    let known = migrations.last().map_or(0, |migration| migration.number);
    let found = applied.last().map_or(0, |(number, _)| *number);
    if found > known || applied.len() > migrations.len() {
        return Err(StoreError::NewerSchema { place: place.to_owned(), found, known });
    }
    for ((number, checksum), migration) in applied.iter().zip(migrations) {
        if *number != migration.number || *checksum != migration.checksum() {
            return Err(StoreError::ChangedMigration { place: place.to_owned(), number: migration.number, name: migration.name.to_owned() });
        }
    }
    Ok(())
}
