//! The two engines behind one face: one statement text for both, a pool each, rows of integers and texts.

use std::borrow::Cow;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteRow, SqliteSynchronous};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, PgPool, Postgres, Row as _, Sqlite, SqlitePool};

use crate::StoreError;
use crate::fold::{shield, unshield};

/// How long a writer waits for another process that writes.
const BUSY: Duration = Duration::from_secs(30);
/// How long a call waits for a free connection; longer than [`BUSY`], because a writer may wait for a writer that waits.
const ACQUIRE: Duration = Duration::from_secs(90);
/// How long a server may take to answer the first time.
const CONNECT: Duration = Duration::from_secs(10);

/// Which engine; the only thing that statements are rendered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// Replaces the few words that the engines write differently. Statements hold no other `@`.
    ///
    /// - `@rows($1)`: a table with one column `value`, one row per element of the JSON array `$1`; `value->>0` reads the element's first field
    /// - `@list($1)`, `@ids($1)`: behind `IN`, the texts or integers of the JSON array `$1`
    /// - `@key`, `@bytewise`, `@clustered`: see the first migration
    pub(crate) fn render(self, text: &'static str) -> Cow<'static, str> {
        if text.contains('@') { Cow::Owned(self.rendered(text)) } else { Cow::Borrowed(text) }
    }

    pub(crate) fn rendered(self, text: &str) -> String {
        let mut out = String::with_capacity(text.len() + 64);
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('@') {
            out.push_str(before);
            let end = after.find(|character: char| !character.is_ascii_lowercase()).unwrap_or(after.len());
            let (word, tail) = after.split_at(end);
            let argument = tail.strip_prefix('(').and_then(|inside| inside.split_once(')'));
            rest = match argument {
                Some((argument, tail)) if matches!(word, "rows" | "list" | "ids") => {
                    out.push_str(&self.function(word, argument));
                    tail
                }
                _ => {
                    out.push_str(self.word(word));
                    tail
                }
            };
        }
        out.push_str(rest);
        out
    }

    fn word(self, word: &str) -> &'static str {
        match (self, word) {
            (Self::Sqlite, "key") => "INTEGER PRIMARY KEY",
            (Self::Postgres, "key") => "BIGINT PRIMARY KEY",
            (Self::Sqlite, "bytewise") => "COLLATE BINARY",
            (Self::Postgres, "bytewise") => "COLLATE \"C\"",
            (Self::Sqlite, "clustered") => "WITHOUT ROWID",
            _ => "",
        }
    }

    fn function(self, name: &str, argument: &str) -> String {
        match (self, name) {
            // OFFSET keeps SQLite from writing the element anew for each of its fields.
            (Self::Sqlite, "rows") => format!("(SELECT value FROM json_each({argument}) LIMIT -1 OFFSET 0)"),
            (Self::Sqlite, _) => format!("(SELECT value FROM json_each({argument}))"),
            (Self::Postgres, "rows") => format!("json_array_elements(CAST({argument} AS json))"),
            (Self::Postgres, "ids") => format!("(SELECT CAST(value AS BIGINT) FROM json_array_elements_text(CAST({argument} AS json)))"),
            (Self::Postgres, _) => format!("(SELECT value FROM json_array_elements_text(CAST({argument} AS json)))"),
        }
    }
}

/// A value for a placeholder.
#[derive(Debug, Clone)]
enum Bind<'a> {
    Integer(Option<i64>),
    Text(Option<Cow<'a, str>>),
}

/// A statement with its values, in order.
#[derive(Debug, Clone)]
pub(crate) struct Sql<'a> {
    text: Cow<'static, str>,
    binds: Vec<Bind<'a>>,
}

impl<'a> Sql<'a> {
    pub(crate) fn new(text: &'static str) -> Self {
        Self { text: Cow::Borrowed(text), binds: Vec::new() }
    }

    /// A statement put together from parts of this crate; values never stand in the text.
    pub(crate) fn built(text: String) -> Self {
        Self { text: Cow::Owned(text), binds: Vec::new() }
    }

    pub(crate) fn integer(mut self, value: i64) -> Self {
        self.binds.push(Bind::Integer(Some(value)));
        self
    }

    pub(crate) fn optional_integer(mut self, value: Option<i64>) -> Self {
        self.binds.push(Bind::Integer(value));
        self
    }

    pub(crate) fn text(mut self, value: &'a str) -> Self {
        self.binds.push(Bind::Text(Some(shield(value))));
        self
    }

    pub(crate) fn owned(mut self, value: String) -> Self {
        self.binds.push(Bind::Text(Some(Cow::Owned(shield(&value).into_owned()))));
        self
    }

    /// A text of this crate that is not shielded.
    pub(crate) fn plain(mut self, value: &'static str) -> Self {
        self.binds.push(Bind::Text(Some(Cow::Borrowed(value))));
        self
    }

    pub(crate) fn optional_text(mut self, value: Option<&'a str>) -> Self {
        self.binds.push(Bind::Text(value.map(shield)));
        self
    }

    /// Integers for `@ids`.
    pub(crate) fn ids(self, ids: impl IntoIterator<Item = i64>) -> Self {
        let mut list = String::from("[");
        for (index, id) in ids.into_iter().enumerate() {
            if index > 0 {
                list.push(',');
            }
            list.push_str(&id.to_string());
        }
        list.push(']');
        self.owned(list)
    }

    /// Texts for `@list`.
    pub(crate) fn list(self, texts: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.rows(&texts.into_iter().map(|text| serde_json::Value::from(shield(text.as_ref()))).collect())
    }

    /// Rows for `@rows`. Texts in it are already shielded.
    pub(crate) fn rows(mut self, rows: &serde_json::Value) -> Self {
        self.binds.push(Bind::Text(Some(Cow::Owned(rows.to_string()))));
        self
    }

    fn rendered(&self, engine: Engine) -> AssertSqlSafe<Cow<'static, str>> {
        AssertSqlSafe(match &self.text {
            Cow::Borrowed(text) => engine.render(text),
            Cow::Owned(text) => Cow::Owned(engine.rendered(text)),
        })
    }

    fn sqlite(self) -> sqlx::query::Query<'static, Sqlite, <Sqlite as sqlx::Database>::Arguments> {
        let mut query = sqlx::query(self.rendered(Engine::Sqlite));
        for bind in self.binds {
            query = match bind {
                Bind::Integer(value) => query.bind(value),
                Bind::Text(value) => query.bind(value.map(Cow::into_owned)),
            };
        }
        query
    }

    fn postgres(self) -> sqlx::query::Query<'static, Postgres, <Postgres as sqlx::Database>::Arguments> {
        let mut query = sqlx::query(self.rendered(Engine::Postgres));
        for bind in self.binds {
            query = match bind {
                Bind::Integer(value) => query.bind(value),
                Bind::Text(value) => query.bind(value.map(Cow::into_owned)),
            };
        }
        query
    }
}

/// A row of an answer.
pub(crate) enum Row {
    Sqlite(SqliteRow),
    Postgres(PgRow),
}

impl Row {
    fn read<T>(&self, index: usize) -> Result<T, StoreError>
    where
        T: for<'r> sqlx::Decode<'r, Sqlite> + sqlx::Type<Sqlite> + for<'r> sqlx::Decode<'r, Postgres> + sqlx::Type<Postgres>,
    {
        match self {
            Self::Sqlite(row) => row.try_get(index),
            Self::Postgres(row) => row.try_get(index),
        }
        .map_err(|error| StoreError::Corrupt { what: format!("column {index} of a row ({error})") })
    }

    pub(crate) fn integer(&self, index: usize) -> Result<i64, StoreError> {
        self.read(index)
    }

    pub(crate) fn optional_integer(&self, index: usize) -> Result<Option<i64>, StoreError> {
        self.read(index)
    }

    pub(crate) fn flag(&self, index: usize) -> Result<bool, StoreError> {
        Ok(self.integer(index)? != 0)
    }

    pub(crate) fn text(&self, index: usize) -> Result<String, StoreError> {
        self.read(index).map(unshield)
    }

    /// A text as it is stored, still shielded.
    pub(crate) fn plain(&self, index: usize) -> Result<Option<String>, StoreError> {
        self.read(index)
    }

    pub(crate) fn optional_text(&self, index: usize) -> Result<Option<String>, StoreError> {
        Ok(self.read::<Option<String>>(index)?.map(unshield))
    }
}

/// An open database. Cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct Database {
    place: Arc<str>,
    pools: Pools,
}

#[derive(Debug, Clone)]
enum Pools {
    /// One connection that writes, so that writers of one process queue here and not at the file; several that read beside it.
    Sqlite {
        readers: SqlitePool,
        writer: SqlitePool,
    },
    Postgres(PgPool),
}

impl Database {
    /// Opens `sqlite:<path>` or `postgres://…` without looking at what is inside.
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        if let Some(path) = url.strip_prefix("sqlite:") {
            return Self::open_sqlite(path.strip_prefix("//").unwrap_or(path)).await;
        }
        if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            return Self::open_postgres(url).await;
        }
        let scheme: String = url.split_once(':').map_or(url, |(scheme, _)| scheme).chars().take(40).collect();
        Err(StoreError::Unreachable {
            place: scheme,
            reason: "this is no kind of store".to_owned(),
            hint: "Write \"sqlite:/path/to/store.db\" or \"postgres://user@host/database\".",
        })
    }

    async fn open_sqlite(path: &str) -> Result<Self, StoreError> {
        let place: Arc<str> = format!("sqlite:{path}").into();
        if path.is_empty() || path.starts_with(':') {
            return Err(StoreError::Unreachable {
                place: place.to_string(),
                reason: "it names no file".to_owned(),
                hint: "Write the path of a file: several processes share the store.",
            });
        }
        create_private(path).map_err(|error| StoreError::Unreachable {
            place: place.to_string(),
            reason: error.to_string(),
            hint: "Check that its folder exists and that this user may write there.",
        })?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(BUSY)
            .foreign_keys(true)
            // A commit must survive a power cut: an index that has seen sequence numbers which the store gives out again would skip changes.
            .synchronous(SqliteSynchronous::Full)
            .pragma("temp_store", "memory")
            .disable_statement_logging();
        let writing = options
            .clone()
            .journal_mode(SqliteJournalMode::Wal)
            .pragma("cache_size", "-49152")
            // Folding the log into the file every 32 MB, not every 4: a bulk load touches the same index pages in each transaction.
            .pragma("wal_autocheckpoint", "8000")
            .pragma("journal_size_limit", "67108864");
        let pool = || SqlitePoolOptions::new().acquire_timeout(ACQUIRE).idle_timeout(None).max_lifetime(None).test_before_acquire(false);
        let writer = pool().max_connections(1).connect_with(writing).await.map_err(|error| StoreError::of(&place, &error))?;
        let readers = pool().max_connections(4).connect_lazy_with(options);
        Ok(Self { place, pools: Pools::Sqlite { readers, writer } })
    }

    async fn open_postgres(url: &str) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url).map_err(|_| StoreError::Unreachable {
            place: "postgres://…".to_owned(),
            reason: "its URL cannot be read".to_owned(),
            hint: "Write \"postgres://user:password@host:5432/database\", with special characters percent-encoded.",
        })?;
        let options = options.application_name("ibid").disable_statement_logging();
        let place: Arc<str> =
            format!("postgres://{}@{}:{}/{}", options.get_username(), options.get_host(), options.get_port(), options.get_database().unwrap_or(""))
                .into();
        // A pool keeps trying in silence; one plain connection says at once what is wrong.
        let first = tokio::time::timeout(CONNECT, sqlx::PgConnection::connect_with(&options)).await;
        let first = first.map_err(|_| StoreError::Unreachable {
            place: place.to_string(),
            reason: "no answer within 10 s".to_owned(),
            hint: "Check the host and the port, and that the server runs.",
        })?;
        let first = first.map_err(|error| StoreError::of(&place, &error))?;
        first.close().await.map_err(|error| StoreError::of(&place, &error))?;
        let pool = PgPoolOptions::new().max_connections(8).acquire_timeout(ACQUIRE).connect_lazy_with(options);
        Ok(Self { place, pools: Pools::Postgres(pool) })
    }

    /// The database without secrets, for messages.
    pub(crate) fn place(&self) -> &str {
        &self.place
    }

    pub(crate) const fn engine(&self) -> Engine {
        match self.pools {
            Pools::Sqlite { .. } => Engine::Sqlite,
            Pools::Postgres(_) => Engine::Postgres,
        }
    }

    /// Reads all rows of a question.
    pub(crate) async fn rows(&self, sql: Sql<'_>) -> Result<Vec<Row>, StoreError> {
        match &self.pools {
            Pools::Sqlite { readers, .. } => sql.sqlite().fetch_all(readers).await.map(|rows| rows.into_iter().map(Row::Sqlite).collect()),
            Pools::Postgres(pool) => sql.postgres().fetch_all(pool).await.map(|rows| rows.into_iter().map(Row::Postgres).collect()),
        }
        .map_err(|error| StoreError::of(&self.place, &error))
    }

    /// Reads the first row of a question.
    pub(crate) async fn row(&self, sql: Sql<'_>) -> Result<Option<Row>, StoreError> {
        match &self.pools {
            Pools::Sqlite { readers, .. } => sql.sqlite().fetch_optional(readers).await.map(|row| row.map(Row::Sqlite)),
            Pools::Postgres(pool) => sql.postgres().fetch_optional(pool).await.map(|row| row.map(Row::Postgres)),
        }
        .map_err(|error| StoreError::of(&self.place, &error))
    }

    /// Begins a transaction that may write. Dropping it undoes it.
    pub(crate) async fn begin_write(&self) -> Result<Transaction, StoreError> {
        let open = match &self.pools {
            // Taking the write lock at once: a transaction that reads first and writes later could be refused in the middle.
            Pools::Sqlite { writer, .. } => writer.begin_with("BEGIN IMMEDIATE").await.map(Open::Sqlite),
            Pools::Postgres(pool) => pool.begin().await.map(Open::Postgres),
        };
        Ok(Transaction { place: Arc::clone(&self.place), open: open.map_err(|error| StoreError::of(&self.place, &error))? })
    }
}

/// Creates the file readable for its owner alone; it will hold private texts and hashes of tokens.
fn create_private(path: &str) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        // An existing file that may only be read is SQLite's to judge.
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied && std::path::Path::new(path).exists() => Ok(()),
        other => other.map(drop),
    }
}

/// A transaction that may write.
pub(crate) struct Transaction {
    place: Arc<str>,
    open: Open,
}

enum Open {
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    Postgres(sqlx::Transaction<'static, Postgres>),
}

impl Transaction {
    pub(crate) async fn rows(&mut self, sql: Sql<'_>) -> Result<Vec<Row>, StoreError> {
        match &mut self.open {
            Open::Sqlite(open) => sql.sqlite().fetch_all(&mut **open).await.map(|rows| rows.into_iter().map(Row::Sqlite).collect()),
            Open::Postgres(open) => sql.postgres().fetch_all(&mut **open).await.map(|rows| rows.into_iter().map(Row::Postgres).collect()),
        }
        .map_err(|error| StoreError::of(&self.place, &error))
    }

    /// The only row of an answer that always has one.
    pub(crate) async fn one(&mut self, sql: Sql<'_>) -> Result<Row, StoreError> {
        let rows = self.rows(sql).await?;
        rows.into_iter().next().ok_or_else(|| StoreError::Corrupt { what: format!("{} lacks a row that every store has", self.place) })
    }

    /// Runs a statement; how many rows it touched.
    pub(crate) async fn run(&mut self, sql: Sql<'_>) -> Result<u64, StoreError> {
        match &mut self.open {
            Open::Sqlite(open) => sql.sqlite().execute(&mut **open).await.map(|done| done.rows_affected()),
            Open::Postgres(open) => sql.postgres().execute(&mut **open).await.map(|done| done.rows_affected()),
        }
        .map_err(|error| StoreError::of(&self.place, &error))
    }

    /// Runs several statements without values: a migration.
    pub(crate) async fn script(&mut self, text: String) -> Result<(), StoreError> {
        match &mut self.open {
            Open::Sqlite(open) => sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut **open).await.map(drop),
            Open::Postgres(open) => sqlx::raw_sql(AssertSqlSafe(text)).execute(&mut **open).await.map(drop),
        }
        .map_err(|error| StoreError::of(&self.place, &error))
    }

    pub(crate) async fn commit(self) -> Result<(), StoreError> {
        match self.open {
            Open::Sqlite(open) => open.commit().await,
            Open::Postgres(open) => open.commit().await,
        }
        .map_err(|error| StoreError::of(&self.place, &error))
    }
}
