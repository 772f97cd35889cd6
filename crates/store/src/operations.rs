//! What a library remembers beside its documents: who did what, settings, and tokens.

use crate::database::{Row, Sql};
use crate::{Store, StoreError};

/// A line of the operations log: a write, or a refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// When, in milliseconds since 1970.
    pub time_ms: i64,
    /// Who.
    pub principal: String,
    /// What was asked for, such as a tool's name.
    pub action: String,
    /// What it was about, such as a uri.
    pub target: String,
    /// How it ended, such as `done` or `refused`.
    pub outcome: String,
    /// More about it, where there is more.
    pub detail: Option<String>,
}

/// A named token. The token itself is never stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenRow {
    /// Unique name.
    pub name: String,
    /// SHA-256 of the token, in hex.
    pub hash: String,
    /// What it may do, as JSON text.
    pub scopes: String,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: i64,
    /// When it was last used.
    pub last_used_ms: Option<i64>,
}

const LOG: &str = "INSERT INTO operations (time_ms, principal, action, target, outcome, detail) VALUES ($1, $2, $3, $4, $5, $6)";

const OPERATIONS: &str = "SELECT time_ms, principal, action, target, outcome, detail FROM operations ORDER BY time_ms DESC LIMIT $1";

const PUT_SETTING: &str = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";

const PUT_SETTING_IF_ABSENT: &str = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";

const SETTING: &str = "SELECT value FROM settings WHERE key = $1";

const PUT_TOKEN: &str = "
    INSERT INTO tokens (name, hash, scopes, created_ms, last_used_ms) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (name) DO UPDATE
       SET hash = excluded.hash, scopes = excluded.scopes, created_ms = excluded.created_ms, last_used_ms = excluded.last_used_ms";

const TOKENS: &str = "SELECT name, hash, scopes, created_ms, last_used_ms FROM tokens ORDER BY name";

const REMOVE_TOKEN: &str = "DELETE FROM tokens WHERE name = $1";

impl Store {
    /// Adds a line to the operations log.
    ///
    /// # Errors
    /// The database fails.
    pub async fn log_operation(&self, operation: &Operation) -> Result<(), StoreError> {
        let Operation { time_ms, principal, action, target, outcome, detail } = operation;
        let sql = Sql::new(LOG).integer(*time_ms).text(principal).text(action).text(target).text(outcome).optional_text(detail.as_deref());
        self.write(sql).await.map(drop)
    }

    /// At most `limit` lines of the operations log, newest first.
    ///
    /// # Errors
    /// The database fails.
    pub async fn operations(&self, limit: i64) -> Result<Vec<Operation>, StoreError> {
        let operation = |row: &Row| {
            Ok(Operation {
                time_ms: row.integer(0)?,
                principal: row.text(1)?,
                action: row.text(2)?,
                target: row.text(3)?,
                outcome: row.text(4)?,
                detail: row.optional_text(5)?,
            })
        };
        self.database.rows(Sql::new(OPERATIONS).integer(limit)).await?.iter().map(operation).collect()
    }

    /// Remembers a value under a key, in the place of an earlier one.
    ///
    /// # Errors
    /// The database fails.
    pub async fn put_setting(&self, key: &str, value: &str) -> Result<(), StoreError> {
        self.write(Sql::new(PUT_SETTING).text(key).text(value)).await.map(drop)
    }

    /// Remembers a value under a key that has none, and gives back what the key then has: of several processes one wins, and all agree.
    ///
    /// # Errors
    /// The database fails.
    pub async fn put_setting_if_absent(&self, key: &str, value: &str) -> Result<String, StoreError> {
        self.write(Sql::new(PUT_SETTING_IF_ABSENT).text(key).text(value)).await?;
        Ok(self.setting(key).await?.unwrap_or_else(|| value.to_owned()))
    }

    /// The value under a key.
    ///
    /// # Errors
    /// The database fails.
    pub async fn setting(&self, key: &str) -> Result<Option<String>, StoreError> {
        self.database.row(Sql::new(SETTING).text(key)).await?.map(|row| row.text(0)).transpose()
    }

    /// Stores a token, in the place of one with the same name.
    ///
    /// # Errors
    /// Another name has the same hash, or the database fails.
    pub async fn put_token(&self, token: &TokenRow) -> Result<(), StoreError> {
        let TokenRow { name, hash, scopes, created_ms, last_used_ms } = token;
        self.write(Sql::new(PUT_TOKEN).text(name).text(hash).text(scopes).integer(*created_ms).optional_integer(*last_used_ms)).await.map(drop)
    }

    /// All tokens by name.
    ///
    /// # Errors
    /// The database fails.
    pub async fn tokens(&self) -> Result<Vec<TokenRow>, StoreError> {
        let token = |row: &Row| {
            Ok(TokenRow {
                name: row.text(0)?,
                hash: row.text(1)?,
                scopes: row.text(2)?,
                created_ms: row.integer(3)?,
                last_used_ms: row.optional_integer(4)?,
            })
        };
        self.database.rows(Sql::new(TOKENS)).await?.iter().map(token).collect()
    }

    /// Forgets a token; whether there was one.
    ///
    /// # Errors
    /// The database fails.
    pub async fn remove_token(&self, name: &str) -> Result<bool, StoreError> {
        Ok(self.write(Sql::new(REMOVE_TOKEN).text(name)).await? > 0)
    }

    /// One statement that writes, in its own transaction.
    async fn write(&self, sql: Sql<'_>) -> Result<u64, StoreError> {
        let mut tx = self.database.begin_write().await?;
        let touched = tx.run(sql).await?;
        tx.commit().await?;
        Ok(touched)
    }
}
