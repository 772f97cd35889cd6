//! Every address that is none.

use axum::http::{StatusCode, Uri};

use crate::error::PageError;
use crate::visit::Visit;

/// Strangers are asked to sign in first, so that they cannot tell addresses that exist from others.
pub(crate) async fn show(_visit: Visit, uri: Uri) -> PageError {
    let path: String = uri.path().chars().take(200).collect();
    PageError::new(StatusCode::NOT_FOUND, "There is no such page", &format!("Nothing stands at \"{path}\"."))
        .link("All records", "/records")
        .link("Home", "/")
}
