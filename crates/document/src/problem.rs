//! Problems: what is wrong in a user's file, where, and how to mend it. Reading never fails; it yields these.

/// How bad a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Odd, but read with certainty.
    Note,
    /// Something was lost or guessed; a person should look.
    Warning,
    /// The file could not be used as it stands.
    Error,
}

impl Severity {
    /// The word in answers and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Note, Self::Warning, Self::Error].into_iter().find(|severity| severity.as_str() == word)
    }
}

/// Something wrong in a user's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Stable name of the fault in kebab case, such as `broken-front-matter`.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// Path below the collection's root, with `/`.
    pub path: String,
    /// 1-based line, where the fault has one.
    pub line_number: Option<u32>,
    /// A sentence that names the input.
    pub message: String,
    /// The way on, where there is one.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of a file as a whole.
    #[must_use]
    pub fn new(code: &str, severity: Severity, path: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), severity, path: path.to_owned(), line_number: None, message: message.into(), hint: None }
    }

    /// The same problem with its line.
    #[must_use]
    pub fn at_line(mut self, line_number: u32) -> Self {
        self.line_number = Some(line_number);
        self
    }

    /// The same problem with a way on.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.path)?;
        if let Some(line_number) = self.line_number {
            write!(formatter, ":{line_number}")?;
        }
        write!(formatter, ": {} [{}] {}", self.severity.as_str(), self.code, self.message)?;
        if let Some(hint) = &self.hint {
            write!(formatter, " {hint}")?;
        }
        Ok(())
    }
}
