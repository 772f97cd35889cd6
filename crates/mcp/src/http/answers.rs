//! Responses that our layers make themselves: always JSON-RPC, so that no client has to read prose.

use axum::{
    body::Body,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde_json::Value;

use crate::envelope::{Fault, error_reply};

/// A JSON body.
pub(super) fn json(status: StatusCode, body: &Value) -> Response {
    let mut response = (status, Body::from(body.to_string())).into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// An error that answers no request in particular.
pub(super) fn error(status: StatusCode, code: i32, message: &str) -> Response {
    json(status, &error_reply(Value::Null, code, message))
}

/// A message that could not be read: 400.
pub(super) fn fault(fault: &Fault) -> Response {
    json(StatusCode::BAD_REQUEST, &fault.reply())
}

/// Whether a response has this media type.
pub(super) fn has_type(response: &Response, media_type: &str) -> bool {
    let value = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type)
}
