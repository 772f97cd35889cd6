//! A reader: a person or a program that fetches a file of the published set. Unlike pages, files may be had with a token, and nobody is sent to a door.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use engine::decisions::publish::Place;
use engine::{Caller, Desk};
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::file::{self, FileError};
use crate::site::Site;

/// One request for a file, of somebody who may have it.
pub(crate) struct Reader {
    /// The library, as fresh as it could be made.
    pub(crate) desk: Desk,
    /// Where the reader reached the site.
    pub(crate) place: Place,
    /// Stops the work when the reader goes away.
    pub(crate) guard: DropGuard,
}

impl Reader {
    /// The reader that sends these headers.
    ///
    /// # Errors
    /// Nobody who may read.
    pub(crate) async fn of(site: &Site, headers: &HeaderMap) -> Result<Self, FileError> {
        let caller = caller(site, headers).await?.ok_or_else(stranger)?;
        let cancelled = CancellationToken::new();
        let guard = cancelled.clone().drop_guard();
        let desk = site.library().desk(caller, cancelled).await?;
        Ok(Self { desk, place: Place::of_server(&site.base(headers), site.options.require_sign_in), guard })
    }
}

/// Who asks: the holder of the token that is sent, else who is signed in. A wrong token is not made good by a cookie.
async fn caller(site: &Site, headers: &HeaderMap) -> engine::Result<Option<Caller>> {
    if !site.options.require_sign_in || !headers.contains_key(header::AUTHORIZATION) {
        return site.caller(headers).await;
    }
    match bearer(headers) {
        Some(secret) => site.library().tokens().caller(secret).await,
        None => Ok(None),
    }
}

/// The token of an `Authorization: Bearer …`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let said = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    said.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map(|(_, secret)| secret.trim())
}

fn stranger() -> FileError {
    let mut refusal = FileError::new(StatusCode::UNAUTHORIZED, "unauthorized", "This library is read with a token or by whoever is signed in.")
        .hint("Send the header Authorization: Bearer TOKEN. ibid token show prints the owner's; ibid token add NAME makes others.");
    refusal.challenge = Some(HeaderValue::from_static("Bearer"));
    refusal
}

impl FromRequestParts<Arc<Site>> for Reader {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Response> {
        Self::of(site, &parts.headers).await.map_err(file::FileError::into_response)
    }
}
