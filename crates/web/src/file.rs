//! Files of the published set over HTTP: their types, their versions, and failures that a program can read.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use document::Stamp;
use engine::{Desk, Error, ErrorKind};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use serde_json::json;

/// Says that the answer may be older than the files, and why. What is fresh does not carry it.
const STALE: HeaderName = HeaderName::from_static("x-ibid-stale");

/// Files may be kept, but are asked for again each time: an unchanged one costs an answer without its text.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("private, no-cache");

/// The types of the files.
pub(crate) const JSON: &str = "application/json";
pub(crate) const MARKDOWN: &str = "text/markdown; charset=utf-8";
/// Of a copy whose bytes are no UTF-8: what they are is not known.
pub(crate) const BYTES: &str = "text/markdown";

/// What a request says that decides how its file is sent.
pub(crate) struct Asking<'a> {
    pub(crate) method: &'a Method,
    pub(crate) headers: &'a HeaderMap,
}

/// A file: what it is, the stamp of exactly its bytes, and the bytes as they are or as they come.
pub(crate) struct File {
    pub(crate) content_type: &'static str,
    pub(crate) stamp: Stamp,
    pub(crate) size_bytes: Option<usize>,
    pub(crate) body: Body,
}

impl File {
    /// A file that is in memory.
    pub(crate) fn whole(content_type: &'static str, stamp: Stamp, bytes: Bytes) -> Self {
        Self { content_type, stamp, size_bytes: Some(bytes.len()), body: Body::from(bytes) }
    }

    /// The answer: the file, its head alone, or that it has not changed.
    pub(crate) fn answer(self, asking: &Asking<'_>, desk: &Desk) -> Response {
        let tag = format!("\"{}\"", self.stamp.as_str().trim_start_matches("sha256:"));
        let is_known = is_known(asking.headers, &tag);
        let body = if is_known || asking.method == Method::HEAD { Body::empty() } else { self.body };
        let mut response = Response::new(body);
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
        }
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
        headers.extend(HeaderValue::from_str(&tag).ok().map(|tag| (header::ETAG, tag)));
        if !is_known {
            headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
            headers.extend(self.size_bytes.map(|size| (header::CONTENT_LENGTH, HeaderValue::from(size))));
        }
        if let Some(reason) = &desk.freshness.stale_reason {
            let shown = utf8_percent_encode(reason, CONTROLS).to_string();
            headers.extend(HeaderValue::from_str(&shown).ok().map(|reason| (STALE, reason)));
        }
        response
    }
}

/// Whether the one who asks has this version already.
fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let said = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    said.flat_map(|value| value.split(',')).map(str::trim).any(|known| known == "*" || known.trim_start_matches("W/") == tag)
}

/// A failure as `{"error": {"code", "message", "hint"}}`: whoever asks for a file is a program more often than not.
#[derive(Debug)]
pub(crate) struct FileError {
    status: StatusCode,
    code: &'static str,
    message: String,
    hint: Option<String>,
    /// How to show who one is.
    pub(crate) challenge: Option<HeaderValue>,
}

impl FileError {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: &str) -> Self {
        Self { status, code, message: message.to_owned(), hint: None, challenge: None }
    }

    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.hint = Some(hint.to_owned());
        self
    }
}

impl From<Error> for FileError {
    fn from(error: Error) -> Self {
        // No `_` arm: a new kind must be placed.
        let status = match error.kind {
            ErrorKind::BadInput => StatusCode::BAD_REQUEST,
            ErrorKind::NotFound => StatusCode::NOT_FOUND,
            ErrorKind::Ambiguous | ErrorKind::Conflict => StatusCode::CONFLICT,
            ErrorKind::Refused => StatusCode::FORBIDDEN,
            ErrorKind::Unreachable => StatusCode::SERVICE_UNAVAILABLE,
            ErrorKind::BadConfig => StatusCode::INTERNAL_SERVER_ERROR,
        };
        if status.is_server_error() {
            // These messages can name folders and databases of the machine, which are the log's business.
            tracing::warn!(code = error.kind.code(), message = %error.message, "a file could not be given");
            let message = "The library cannot be read at the moment. The log of ibid says why.";
            return Self::new(status, error.kind.code(), message).hint("Try again in a moment, or run: ibid doctor");
        }
        Self { status, code: error.kind.code(), message: error.message, hint: error.hint, challenge: None }
    }
}

impl IntoResponse for FileError {
    fn into_response(self) -> Response {
        let body = json!({"error": {"code": self.code, "message": self.message, "hint": self.hint}});
        let mut response = (self.status, [(header::CONTENT_TYPE, JSON)], format!("{body}\n")).into_response();
        response.headers_mut().extend(self.challenge.map(|challenge| (header::WWW_AUTHENTICATE, challenge)));
        response
    }
}
