//! What can go wrong with an index that is not damaged: a damaged one is made anew without a word.

use std::path::{Path, PathBuf};

/// Failures of the index.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The operating system refused something in the index's directory.
    #[error("the search index in \"{}\" cannot be used: {source}", directory.display())]
    Files {
        /// The index's directory.
        directory: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The search library failed.
    #[error("the search index in \"{}\" failed: {reason}", directory.display())]
    Engine {
        /// The index's directory.
        directory: PathBuf,
        /// What the library said.
        reason: String,
    },
    /// Another process has been writing for longer than it makes sense to wait.
    #[error("the search index in \"{}\" is being written by another process", directory.display())]
    Busy {
        /// The index's directory.
        directory: PathBuf,
    },
    /// A date of a filter is no date.
    #[error("\"{value}\" is no date: write YYYY, YYYY-MM or YYYY-MM-DD")]
    Date {
        /// The text as given.
        value: String,
    },
}

impl IndexError {
    pub(crate) fn files(directory: &Path) -> impl Fn(std::io::Error) -> Self + '_ {
        |source| Self::Files { directory: directory.to_owned(), source }
    }

    pub(crate) fn engine(directory: &Path) -> impl Fn(tantivy::TantivyError) -> Self + '_ {
        |error| Self::Engine { directory: directory.to_owned(), reason: error.to_string() }
    }
}
