//! Names of commits and other objects: forty hexadecimal digits, or sixty-four in repositories that use SHA-256.

use std::fmt;

/// Whether `text` is a whole object name. Shortened ones are refused: what they mean changes.
fn is_object_name(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

/// The name of an object, such as the content of one file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(String);

/// The name of a commit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(String);

impl ObjectId {
    /// Reads a whole object name in lower case; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_object_name(text).then(|| Self(text.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl CommitId {
    /// Reads a whole commit name in lower case; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        is_object_name(text).then(|| Self(text.to_owned()))
    }

    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ObjectId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
