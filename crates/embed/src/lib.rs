//! Text to vectors. This version ships no model yet; the room says so, and search passes it on instead of pretending.

/// Whether text can be turned into vectors, and why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// No model: searches rest on words alone.
    Unavailable {
        /// Why, as a sentence for answers.
        reason: &'static str,
    },
}

/// The state of the meaning half.
#[must_use]
pub const fn availability() -> Availability {
    Availability::Unavailable { reason: "This version of ibid has no embedding model; words alone were searched." }
}
