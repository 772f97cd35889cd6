//! The desk: what a call is handed. Who asks, the library as fresh as it could be made, cancellation.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use crate::{Freshness, Library};

/// Who asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// `owner`, or the name of a token.
    pub name: String,
    /// The owner may do everything that the policy allows.
    pub is_owner: bool,
}

impl Caller {
    /// The owner: local stdio, the shell, or the owner token.
    #[must_use]
    pub fn owner() -> Self {
        Self { name: "owner".to_owned(), is_owner: true }
    }

    /// The holder of a named token.
    #[must_use]
    pub fn token(name: impl Into<String>) -> Self {
        Self { name: name.into(), is_owner: false }
    }
}

/// What a call works with. Made per call by [`Library::desk`]; cheap.
#[derive(Clone)]
pub struct Desk {
    /// The library.
    pub library: Arc<Library>,
    /// Who asks.
    pub caller: Caller,
    /// How fresh the answer will be.
    pub freshness: Freshness,
    /// Fires when nobody waits for the answer any more.
    pub cancelled: CancellationToken,
}
