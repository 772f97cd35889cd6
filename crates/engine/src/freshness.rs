//! How fresh an answer is: either every change made before the call is in it, or it says that it may be stale and why.

/// The freshness of one answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freshness {
    /// Sequence number of the change log that the answer rests on.
    pub sequence: i64,
    /// Why the answer may be older than the files; `None` when it is not.
    pub stale_reason: Option<String>,
}

impl Freshness {
    /// Every change made before the call is in the answer.
    #[must_use]
    pub const fn fresh(sequence: i64) -> Self {
        Self { sequence, stale_reason: None }
    }

    /// The answer may be old.
    #[must_use]
    pub fn stale(sequence: i64, reason: impl Into<String>) -> Self {
        Self { sequence, stale_reason: Some(reason.into()) }
    }

    /// Whether the answer may be old.
    #[must_use]
    pub const fn is_stale(&self) -> bool {
        self.stale_reason.is_some()
    }
}
