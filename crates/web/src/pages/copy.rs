//! `/<id>.md`: one record's own file, byte for byte.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::handler::Handler as _;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use engine::decisions::publish::copy;
use percent_encoding::percent_decode_str;

use crate::file::{Asking, BYTES, File, FileError, MARKDOWN};
use crate::pages::{missing, record};
use crate::reader::Reader;
use crate::site::Site;

/// What stands at no other address: a copy, or nothing. Whether there is one is told to readers only.
pub(crate) async fn or_missing(State(site): State<Arc<Site>>, request: Request) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || !request.uri().path().ends_with(".md") {
        return missing::show.call(request, site).await;
    }
    let found = match Reader::of(&site, request.headers()).await {
        Ok(reader) => of_path(&reader, request.uri().path(), request.method(), request.headers()).await,
        Err(error) => Err(error),
    };
    found.unwrap_or_else(FileError::into_response)
}

/// A project may be called `d`, as the first part of the pages of records is: where its record of that name exists, its copy stands there.
pub(crate) async fn or_page(State(site): State<Arc<Site>>, request: Request) -> Response {
    if request.uri().path().ends_with(".md")
        && let Ok(reader) = Reader::of(&site, request.headers()).await
        && let Ok(copy) = of_path(&reader, request.uri().path(), request.method(), request.headers()).await
    {
        return copy;
    }
    record::show.call(request, site).await
}

async fn of_path(reader: &Reader, path: &str, method: &Method, headers: &HeaderMap) -> Result<Response, FileError> {
    let missing =
        || FileError::new(StatusCode::NOT_FOUND, "not_found", "No record has its copy at this address.").hint("decisions.json lists all records.");
    let encoded = path.trim_start_matches('/').strip_suffix(".md").ok_or_else(missing)?;
    let id = percent_decode_str(encoded).decode_utf8().map_err(|_| missing())?;
    let copy = match copy(&reader.desk, &id).await {
        Err(error) if error.kind == engine::ErrorKind::NotFound => return Err(missing()),
        other => other?,
    };
    let content_type = if std::str::from_utf8(&copy.bytes).is_ok() { MARKDOWN } else { BYTES };
    Ok(File::whole(content_type, copy.stamp, Bytes::from(copy.bytes)).answer(&Asking { method, headers }, &reader.desk))
}
