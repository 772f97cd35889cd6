//! What the folder door refuses, and how that reads as a problem of a file.

use document::{Problem, Severity, Stamp};

/// Why a folder could not be opened, or a file in it not be read or written. Each names the path that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FolderError {
    /// The root is not there.
    #[error("The folder `{path}` does not exist.")]
    Missing {
        /// The root as it was given.
        path: String,
    },
    /// The root is there and is not a folder.
    #[error("`{path}` is not a folder.")]
    NotAFolder {
        /// The root as it was given.
        path: String,
    },
    /// A pattern of the configuration is not gitignore syntax.
    #[error("The ignore pattern `{pattern}` cannot be read: {reason}.")]
    BadIgnore {
        /// The pattern.
        pattern: String,
        /// What the parser said.
        reason: String,
    },
    /// The system does not let us read it.
    #[error("`{path}` cannot be read: {reason}.")]
    Unreadable {
        /// The path.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// The path is not one that can name a file below the root.
    #[error("The path `{path}` is refused: {reason}.")]
    Refused {
        /// The path.
        path: String,
        /// Why.
        reason: &'static str,
    },
    /// A symbolic link on the way leads out of the folder.
    #[error("`{path}` is reached by a link that leads out of the folder.")]
    LinkOut {
        /// The path.
        path: String,
    },
    /// Symbolic links on the way lead in a circle.
    #[error("`{path}` is reached by links that lead in a circle.")]
    LinkLoop {
        /// The path.
        path: String,
    },
    /// No such file below the root.
    #[error("There is no file `{path}` in the folder.")]
    NotFound {
        /// The path.
        path: String,
    },
    /// It is there and has no bytes to read: a folder, a pipe, a device.
    #[error("`{path}` is {what}, not a file.")]
    NotAFile {
        /// The path.
        path: String,
        /// What it is, with its article.
        what: &'static str,
    },
    /// The file is larger than the rules allow.
    #[error("`{path}` has {size_bytes} bytes; the limit is {limit_bytes}.")]
    TooLarge {
        /// The path.
        path: String,
        /// Size in bytes.
        size_bytes: u64,
        /// The limit in bytes.
        limit_bytes: u64,
    },
    /// The file changed since the caller read it, or is gone.
    #[error("`{path}` is no longer what was read: {}.", match found { Some(stamp) => format!("it is now {stamp}"), None => "it is gone".to_owned() })]
    Conflict {
        /// The path.
        path: String,
        /// The stamp found instead, `None` where the file is gone.
        found: Option<Stamp>,
    },
    /// A file that was to be created is there already.
    #[error("`{path}` exists already.")]
    Exists {
        /// The path.
        path: String,
    },
    /// Its owner set the file to read-only.
    #[error("`{path}` is set to read-only.")]
    ReadOnly {
        /// The path.
        path: String,
    },
    /// The system does not let us write it.
    #[error("`{path}` cannot be written: {reason}.")]
    Unwritable {
        /// The path.
        path: String,
        /// What the system said.
        reason: String,
    },
}

impl FolderError {
    /// Stable name of the fault, the same as the `code` of the problem that a walk reports for it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Missing { .. } => "folder-missing",
            Self::NotAFolder { .. } => "not-a-folder",
            Self::BadIgnore { .. } => "bad-ignore-line",
            Self::Unreadable { .. } => "unreadable",
            Self::Refused { .. } => "path-refused",
            Self::LinkOut { .. } => "link-out-of-folder",
            Self::LinkLoop { .. } => "link-loop",
            Self::NotFound { .. } => "not-found",
            Self::NotAFile { .. } => "special-file",
            Self::TooLarge { .. } => "too-large",
            Self::Conflict { .. } => "conflict",
            Self::Exists { .. } => "exists",
            Self::ReadOnly { .. } => "read-only",
            Self::Unwritable { .. } => "unwritable",
        }
    }

    /// The same as a problem of the file at `path`, for a reader that goes on without it.
    #[must_use]
    pub fn problem(&self, path: &str) -> Problem {
        let problem = Problem::new(self.code(), Severity::Error, path, self.to_string());
        match self {
            Self::TooLarge { .. } => problem.hint("Split the file, ignore it, or raise `max_file_bytes`."),
            Self::LinkOut { .. } => problem.hint("Add the folder that it leads to as a collection of its own."),
            Self::Unreadable { .. } => problem.hint("Check its permissions, or ignore it."),
            _ => problem,
        }
    }
}
