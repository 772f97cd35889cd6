//! Bounds of size and time, so that a client can neither fill the memory nor hold a connection by being slow.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{StatusCode, header},
    middleware::Next,
    response::Response,
};
use futures_util::StreamExt;

use super::answers;
use crate::envelope::INVALID_REQUEST;

/// How much a request may bring, and how slowly.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Largest body: 413 beyond.
    pub body_bytes: usize,
    /// Longest path and query: 414 beyond.
    pub uri_bytes: usize,
    /// All header names and values together: 431 beyond.
    pub header_bytes: usize,
    /// How long a body may take to arrive: 408 beyond.
    pub body_time: Duration,
    /// Messages in one batch.
    pub batch_len: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { body_bytes: 4 * 1024 * 1024, uri_bytes: 8 * 1024, header_bytes: 64 * 1024, body_time: Duration::from_secs(30), batch_len: 100 }
    }
}

/// Refuses what is too large before anything is read.
pub(super) async fn guard(State(limits): State<Limits>, request: Request, next: Next) -> Response {
    let uri_bytes = request.uri().path().len() + request.uri().query().map_or(0, str::len);
    if uri_bytes > limits.uri_bytes {
        return answers::error(StatusCode::URI_TOO_LONG, INVALID_REQUEST, &format!("The URI is longer than {} bytes", limits.uri_bytes));
    }
    let header_bytes: usize = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len()).sum();
    if header_bytes > limits.header_bytes {
        let message = format!("The headers are larger than {} bytes", limits.header_bytes);
        return answers::error(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, INVALID_REQUEST, &message);
    }
    let announced = request.headers().get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|bytes| bytes > limits.body_bytes as u64) {
        return too_large(&limits);
    }
    next.run(request).await
}

fn too_large(limits: &Limits) -> Response {
    answers::error(StatusCode::PAYLOAD_TOO_LARGE, INVALID_REQUEST, &format!("The body is larger than {} bytes", limits.body_bytes))
}

/// Reads a body within the bounds, whatever it announced.
///
/// # Errors
/// The response to send instead.
pub(super) async fn read_body(body: Body, limits: &Limits) -> Result<Bytes, Response> {
    let reading = async {
        let mut collected = Vec::new();
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|_| answers::error(StatusCode::BAD_REQUEST, INVALID_REQUEST, "The body could not be read"))?;
            if collected.len() + chunk.len() > limits.body_bytes {
                return Err(too_large(limits));
            }
            collected.extend_from_slice(&chunk);
        }
        Ok(Bytes::from(collected))
    };
    match tokio::time::timeout(limits.body_time, reading).await {
        Ok(read) => read,
        Err(_) => Err(answers::error(StatusCode::REQUEST_TIMEOUT, INVALID_REQUEST, "The body took too long to arrive")),
    }
}
