//! What can go wrong between ibid and its store, and the way on. Messages never hold a password.

/// A failure of the store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be opened, or the connection to it was lost.
    #[error("The store \"{place}\" cannot be reached: {reason}. {hint}")]
    Unreachable {
        /// The database without secrets.
        place: String,
        /// What the system said.
        reason: String,
        /// The way on.
        hint: &'static str,
    },
    /// A newer ibid wrote the database.
    #[error(
        "The store \"{place}\" was written by a newer ibid: it is at version {found}, this ibid knows {known}. Update ibid, or name another store."
    )]
    NewerSchema {
        /// The database without secrets.
        place: String,
        /// Highest migration that the database holds.
        found: i64,
        /// Highest migration that this ibid knows.
        known: i64,
    },
    /// A migration that the database holds is not the one that this ibid knows under its number.
    #[error(
        "The store \"{place}\" was made with another form of migration {number} ({name}) than this ibid knows. \
         Use the ibid that made it, or restore a backup of it."
    )]
    ChangedMigration {
        /// The database without secrets.
        place: String,
        /// Number of the migration.
        number: i64,
        /// Name of the migration's file.
        name: String,
    },
    /// What is stored cannot be read back.
    #[error("The store holds something that cannot be read: {what}. Restore a backup, or remove and add the collection that it belongs to.")]
    Corrupt {
        /// Which row or file, and why.
        what: String,
    },
    /// The database refused a statement.
    #[error("The store \"{place}\" refused to work: {reason}. {hint}")]
    Query {
        /// The database without secrets.
        place: String,
        /// What the database said.
        reason: String,
        /// The way on.
        hint: &'static str,
    },
}

/// What marks an error as one of a busy database.
const BUSY_HINT: &str = "Another process has held it for a long time; try again, or stop that process.";

impl StoreError {
    /// Whether another process was in the way.
    pub(crate) fn is_busy(&self) -> bool {
        matches!(self, Self::Query { hint, .. } if *hint == BUSY_HINT)
    }

    /// Sorts an error of the driver. `place` names the database without secrets.
    pub(crate) fn of(place: &str, error: &sqlx::Error) -> Self {
        let place = place.to_owned();
        match error {
            sqlx::Error::Database(fault) => Self::of_database(place, fault.as_ref()),
            sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::Decode(_)
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::ColumnIndexOutOfBounds { .. } => Self::Corrupt { what: format!("a row of {place} ({error})") },
            sqlx::Error::PoolTimedOut => {
                Self::Unreachable { place, reason: "all connections stayed busy".to_owned(), hint: "Try again, or stop what keeps it busy." }
            }
            other => Self::Unreachable {
                place,
                reason: other.to_string().trim_end_matches('.').to_owned(),
                hint: "Check that it is there and that this user may open it.",
            },
        }
    }

    fn of_database(place: String, fault: &dyn sqlx::error::DatabaseError) -> Self {
        let reason = fault.message().trim_end_matches('.').to_owned();
        // SQLite reports extended result codes; the low byte is the kind. PostgreSQL's are five characters long.
        let code = fault.code().unwrap_or_default();
        let sqlite = if code.len() == 5 { None } else { code.parse::<u32>().ok().map(|code| code & 0xff) };
        match sqlite {
            Some(5 | 6) => Self::Query { place, reason, hint: BUSY_HINT },
            Some(8) => Self::Query { place, reason, hint: "Make the file and its folder writable." },
            Some(11 | 26) => Self::Corrupt { what: format!("the database {place} ({reason})") },
            Some(13) => Self::Query { place, reason, hint: "Free some disk space." },
            Some(14) => Self::Unreachable { place, reason, hint: "Check that its folder exists and that this user may write there." },
            // Class 28: refused login; 3D: no such database; 57P and 08: server going down or connection lost; 53: out of resources.
            _ if ["28", "3D", "57P", "08", "53"].iter().any(|class| code.starts_with(class)) => {
                Self::Unreachable { place, reason, hint: "Check the user, the password and the database in the store's URL." }
            }
            _ => Self::Query { place, reason, hint: "If it happens again, please report it with this message." },
        }
    }
}
