//! What the git door refuses or could not do: each says what was asked, why not, and how to go on.

/// Why something with git did not work. The text of each is one line, without credentials or control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// The program is not there.
    #[error("The program `git` was not found.")]
    NoGit,
    /// The address is not one that ibid fetches from.
    #[error("The address `{address}` is refused: {reason}.")]
    BadAddress {
        /// The address, without what may be secret.
        address: String,
        /// Why.
        reason: &'static str,
    },
    /// The name of a branch or tag is not one.
    #[error("`{name}` is no name of a branch or tag: {reason}.")]
    BadReference {
        /// The name, without control characters.
        name: String,
        /// Why.
        reason: &'static str,
    },
    /// The other side did not answer, or did not let us in.
    #[error("`{address}` cannot be reached: {reason}.")]
    Unreachable {
        /// The address, without what may be secret.
        address: String,
        /// What git said.
        reason: String,
    },
    /// The other side says that it is not there.
    #[error("`{address}` no longer has what is wanted, or never had: {missing}.")]
    Vanished {
        /// The address, without what may be secret.
        address: String,
        /// What is missing.
        missing: String,
    },
    /// It took too long and was stopped.
    #[error("{action} did not end within {seconds} s and was stopped.")]
    TimedOut {
        /// What was done.
        action: String,
        /// The limit in seconds.
        seconds: u64,
    },
    /// The caller wanted it to stop.
    #[error("{action} was cancelled.")]
    Cancelled {
        /// What was done.
        action: String,
    },
    /// Another process works on the same cached clone.
    #[error("The clone in `{folder}` is in use by another process.")]
    Busy {
        /// The folder of the checkout.
        folder: String,
    },
    /// The repository belongs to somebody else, and git does not read its configuration.
    #[error("The repository of `{folder}` belongs to another user, so git refuses it.")]
    Untrusted {
        /// The folder that was asked about.
        folder: String,
    },
    /// A file or folder of the cache, or of an export, cannot be read or written.
    #[error("`{path}` cannot be used: {reason}.")]
    Files {
        /// The path.
        path: String,
        /// What the system said.
        reason: String,
    },
    /// Git failed for another reason.
    #[error("{action} failed: {reason}.")]
    Failed {
        /// What was done.
        action: String,
        /// What git said.
        reason: String,
    },
}

impl GitError {
    /// Stable name of the fault, for the `code` of a problem.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoGit => "git-missing",
            Self::BadAddress { .. } => "git-address-refused",
            Self::BadReference { .. } => "git-reference-refused",
            Self::Unreachable { .. } => "git-unreachable",
            Self::Vanished { .. } => "git-vanished",
            Self::TimedOut { .. } => "git-timed-out",
            Self::Cancelled { .. } => "git-cancelled",
            Self::Busy { .. } => "git-busy",
            Self::Untrusted { .. } => "git-untrusted",
            Self::Files { .. } => "git-files",
            Self::Failed { .. } => "git-failed",
        }
    }

    /// The way on.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::NoGit => "Install git 2.30 or later, and see that it is in PATH.",
            Self::BadAddress { .. } => "Use a folder, file://, https://, ssh:// or git@host:path.",
            Self::BadReference { .. } => "Use a name as `git branch` and `git tag` list it, or leave it out for the default branch.",
            Self::Unreachable { .. } => "Try `git ls-remote` with the same address in a terminal; what was fetched before is still served.",
            Self::Vanished { .. } => {
                "Check the address, the name of the branch or tag, and who may read it; what was fetched before is still served."
            }
            Self::TimedOut { .. } => "Try again, or allow more time; what was fetched before is still served.",
            Self::Cancelled { .. } => "Ask again.",
            Self::Busy { .. } => "Wait until the other process is done, and try again.",
            Self::Untrusted { .. } => "If you trust it, run `git config --global --add safe.directory` with the repository's folder.",
            Self::Files { .. } => "Check its permissions and the free space of the disk.",
            Self::Failed { .. } => "Run `git fsck` in the repository; a cached clone that is damaged is made anew by the next fetch.",
        }
    }

    /// A file or folder that the system does not let us use.
    pub(super) fn files(path: &std::path::Path, error: &std::io::Error) -> Self {
        let text = error.to_string();
        let reason = text.split(" (os error").next().unwrap_or(&text).to_lowercase();
        Self::Files { path: path.display().to_string(), reason }
    }

    pub(super) fn failed(action: &str, reason: impl Into<String>) -> Self {
        Self::Failed { action: action.to_owned(), reason: reason.into() }
    }
}
