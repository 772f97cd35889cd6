//! A visit: who asks for a page, with a desk of the library. Pages that take one cannot be seen without signing in.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::response::{IntoResponse as _, Redirect, Response};
use engine::{Caller, Desk};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::address;
use crate::chrome::Chrome;
use crate::error::PageError;
use crate::shown;
use crate::site::Site;

/// One request of somebody who is in.
pub(crate) struct Visit {
    /// The library, as fresh as it could be made.
    pub(crate) desk: Desk,
    /// The frame of the page.
    pub(crate) chrome: Chrome,
    /// Stops the work when the browser goes away.
    _guard: DropGuard,
}

impl Visit {
    async fn of(site: &Site, caller: Caller) -> engine::Result<Self> {
        let cancelled = CancellationToken::new();
        let guard = cancelled.clone().drop_guard();
        let mut chrome = Chrome::inside(site, &caller.name);
        let desk = site.library().desk(caller, cancelled).await?;
        chrome.stale_reason = desk.freshness.stale_reason.as_deref().map(shown::plain);
        Ok(Self { desk, chrome, _guard: guard })
    }
}

impl FromRequestParts<Arc<Site>> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Response> {
        match site.caller(&parts.headers).await {
            Ok(Some(caller)) => Self::of(site, caller).await.map_err(|error| PageError::from(error).into_response()),
            Ok(None) => {
                let wanted = parts.uri.path_and_query().map_or("/", |wanted| wanted.as_str());
                let next = if wanted == "/" { "" } else { address::local(Some(wanted)) };
                Err(Redirect::to(&address::with_query("/sign-in", [("next", next)])).into_response())
            }
            Err(error) => Err(PageError::from(error).into_response()),
        }
    }
}
