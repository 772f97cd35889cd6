//! Expected failures: a kind, a sentence that names the input, a way on. Bugs are not here: they panic.

/// The outcome of what can fail.
pub type Result<T> = std::result::Result<T, Error>;

/// What sort of failure it is. Each border (exit code, HTTP status, MCP answer) decides by one exhaustive `match` over this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// An argument cannot be understood or is out of range.
    BadInput,
    /// Nothing of that name, or nothing that the caller may see: one answer for both.
    NotFound,
    /// Several things fit; none is guessed.
    Ambiguous,
    /// Something changed since the caller read it.
    Conflict,
    /// The caller may not do this.
    Refused,
    /// A file, database or site cannot be reached now.
    Unreachable,
    /// The configuration cannot be used as it stands.
    BadConfig,
}

impl ErrorKind {
    /// The code in structured errors.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::BadInput => "bad_input",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Conflict => "conflict",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::BadConfig => "bad_config",
        }
    }
}

/// An expected failure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What sort.
    pub kind: ErrorKind,
    /// A sentence that names the input and the reason.
    pub message: String,
    /// The way on.
    pub hint: Option<String>,
}

impl Error {
    /// A failure without a hint.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The same failure with a way on.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// An argument that cannot be used.
    #[must_use]
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::BadInput, message)
    }

    /// A configuration that cannot be used.
    #[must_use]
    pub fn bad_config(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::BadConfig, message)
    }

    /// Missing and denied are one answer, so one constructor makes it and nothing can tell them apart (wording: seed 000).
    #[must_use]
    pub fn no_record(id: &str) -> Self {
        let shown: String = id.chars().take(200).collect();
        Self::new(ErrorKind::NotFound, format!("No record matches \"{shown}\".")).hint("Use search_records to find ids.")
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, " {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

impl From<store::StoreError> for Error {
    fn from(error: store::StoreError) -> Self {
        let kind = match error {
            store::StoreError::NewerSchema { .. } | store::StoreError::ChangedMigration { .. } => ErrorKind::BadConfig,
            _ => ErrorKind::Unreachable,
        };
        Self::new(kind, error.to_string())
    }
}

impl From<index::IndexError> for Error {
    fn from(error: index::IndexError) -> Self {
        Self::new(ErrorKind::Unreachable, error.to_string())
            .hint("The index is disposable: stop ibid, delete its folder (ibid status shows it) and start again.")
    }
}

impl From<source::folder::FolderError> for Error {
    fn from(error: source::folder::FolderError) -> Self {
        Self::new(ErrorKind::Unreachable, error.to_string())
    }
}

impl From<source::git::GitError> for Error {
    fn from(error: source::git::GitError) -> Self {
        Self::new(ErrorKind::Unreachable, error.to_string())
    }
}

impl From<source::site::SiteError> for Error {
    fn from(error: source::site::SiteError) -> Self {
        Self::new(ErrorKind::Unreachable, error.to_string())
    }
}
