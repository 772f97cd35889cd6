//! The last layer before the SDK: reads the body once, answers what is no message, splits batches, and smooths `Accept`.

use std::sync::Arc;

use axum::{
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header, request::Parts},
    response::Response,
};
use futures_util::{StreamExt, stream};
use serde_json::Value;

use super::{
    answers,
    limits::{self, Limits},
    sessions::{Presence, SessionBook},
    sse,
};
use crate::{
    envelope::{self, Fault, INTERNAL_ERROR, INVALID_REQUEST, Shape},
    sdk::{HttpService, Mute},
    surface::{Caller, ProtocolError},
};

const SESSION_ID: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
/// Elements of one batch that run at the same time.
const BATCH_WIDTH: usize = 8;

/// What the endpoint needs.
#[derive(Clone)]
pub(super) struct Endpoint {
    pub service: HttpService,
    pub book: Arc<SessionBook>,
    pub limits: Limits,
}

/// `/mcp`, behind all other layers.
pub(super) async fn serve(State(endpoint): State<Endpoint>, request: Request) -> Response {
    match *request.method() {
        Method::POST => endpoint.post(request).await,
        Method::GET => endpoint.stream(request).await,
        _ => endpoint.other(request).await,
    }
}

/// Which media types the client reads.
#[derive(Clone, Copy)]
struct Accepts {
    json: bool,
    events: bool,
}

impl Accepts {
    /// No header at all, `*/*` and `application/*` mean that JSON will do; the SDK wants both types spelled out.
    fn of(headers: &HeaderMap) -> Self {
        let mut accepts = Self { json: false, events: false };
        let mut has_any = false;
        for entry in headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')) {
            has_any = true;
            let mut parts = entry.split(';').map(str::trim);
            let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
            let is_refused = parts.any(|parameter| matches!(parameter, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
            accepts.json |= !is_refused && matches!(essence.as_str(), JSON | "application/*" | "*/*");
            accepts.events |= !is_refused && matches!(essence.as_str(), EVENTS | "text/*" | "*/*");
        }
        if has_any { accepts } else { Self { json: true, events: true } }
    }
}

fn spell_out_accept(headers: &mut HeaderMap) {
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
}

fn session_not_found() -> Response {
    answers::error(StatusCode::NOT_FOUND, INVALID_REQUEST, "Session not found")
}

fn session_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(SESSION_ID).and_then(|value| value.to_str().ok())
}

/// Keeps something until the last byte of a stream was sent. Other answers are complete already.
fn hold<G: Send + 'static>(response: Response, guard: Option<G>) -> Response {
    let Some(guard) = guard.filter(|_| answers::has_type(&response, EVENTS)) else { return response };
    response.map(|body| {
        Body::from_stream(body.into_data_stream().inspect(move |_| {
            let _held = &guard;
        }))
    })
}

impl Endpoint {
    /// GET: the stream of a legacy session.
    async fn stream(&self, mut request: Request) -> Response {
        if Accepts::of(request.headers()).events {
            request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static(EVENTS));
        }
        let Ok(presence) = self.enter(&request, true) else { return session_not_found() };
        hold((self.service)(request).await, presence)
    }

    /// DELETE, and what is no method of MCP.
    async fn other(&self, request: Request) -> Response {
        let is_delete = request.method() == Method::DELETE;
        let Ok(_presence) = self.enter(&request, false) else { return session_not_found() };
        let mut response = (self.service)(request).await;
        // The SDK says 202, although the session is gone by then; the official Python client takes that for a failure.
        if is_delete && response.status() == StatusCode::ACCEPTED {
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        response
    }

    /// A session is only there for the principal that opened it; without a session id there is nothing to check.
    fn enter(&self, request: &Request, is_stream: bool) -> Result<Option<Presence>, ()> {
        let Some(id) = session_id(request.headers()) else { return Ok(None) };
        let caller = request.extensions().get::<Caller>().ok_or(())?;
        self.book.enter(id, &caller.principal, is_stream).map(Some).ok_or(())
    }

    async fn post(&self, mut request: Request) -> Response {
        let accepts = Accepts::of(request.headers());
        if !accepts.json && !accepts.events {
            return answers::error(StatusCode::NOT_ACCEPTABLE, INVALID_REQUEST, "Accept must allow application/json or text/event-stream");
        }
        if !is_json(request.headers()) {
            return answers::error(StatusCode::UNSUPPORTED_MEDIA_TYPE, INVALID_REQUEST, "Content-Type must be application/json");
        }
        let body = match limits::read_body(std::mem::take(request.body_mut()), &self.limits).await {
            Ok(body) => body,
            Err(response) => return response,
        };
        let message = match envelope::parse(&body) {
            Ok(message) => message,
            Err(fault) => return answers::fault(&fault),
        };
        spell_out_accept(request.headers_mut());
        if let Value::Array(elements) = message {
            return self.batch(request, elements).await;
        }
        match envelope::shape(&message) {
            Ok(shape) => self.single(request, accepts, body, &message, shape).await,
            Err(fault) => answers::fault(&fault),
        }
    }

    async fn single(&self, mut request: Request, accepts: Accepts, body: Bytes, message: &Value, shape: Shape) -> Response {
        let is_modern = envelope::is_modern(message);
        let (id, method) = match &shape {
            Shape::Request { id, method } => (id.clone(), method.as_str()),
            _ => (Value::Null, ""),
        };
        if is_modern {
            // Sessions do not exist there: the header is ignored, whosever session it names.
            request.headers_mut().remove(SESSION_ID);
            if method == "initialize" {
                let error = envelope::error_reply(id, ProtocolError::METHOD_NOT_FOUND, "Method not found: initialize");
                return answers::json(StatusCode::NOT_FOUND, &error);
            }
            if method == "subscriptions/listen" && !accepts.events {
                let error = envelope::error_reply(id, INVALID_REQUEST, "subscriptions/listen needs Accept: text/event-stream");
                return answers::json(StatusCode::NOT_ACCEPTABLE, &error);
            }
        }
        let Ok(presence) = self.enter(&request, false) else { return session_not_found() };
        let mut place = None;
        if method == "initialize" && !is_modern {
            if let Err(fault) = envelope::check_initialize(&id, message) {
                return answers::fault(&fault);
            }
            // A handshake opens a session of its own, so it needs a place, also when it comes with the id of another session.
            place = self.book.reserve();
            if place.is_none() {
                return too_many_sessions(id);
            }
        }
        *request.body_mut() = Body::from(body);
        let response = (self.service)(request).await;
        drop(place);
        let response = as_json_rpc(response, &id).await;
        if !accepts.events && answers::has_type(&response, EVENTS) {
            return collapse(response, &id).await;
        }
        hold(response, presence)
    }

    /// An array of a legacy peer: each element goes through the SDK on its own, the answers go back as one array.
    async fn batch(&self, request: Request, elements: Vec<Value>) -> Response {
        let Ok(_presence) = self.enter(&request, false) else { return session_not_found() };
        let version = session_id(request.headers()).and_then(|id| self.book.protocol_version(id));
        if !version.as_deref().is_some_and(envelope::allows_batches) {
            return answers::fault(&Fault::new(INVALID_REQUEST, "Invalid request: batches belong to a session of 2025-03-26 or 2025-06-18"));
        }
        if let Err(fault) = envelope::check_batch(&elements, self.limits.batch_len) {
            return answers::fault(&fault);
        }
        let (mut parts, _) = request.into_parts();
        parts.extensions.insert(Mute);
        parts.headers.remove(header::CONTENT_LENGTH);
        let work = elements.into_iter().map(|element| self.element(parts.clone(), element));
        let replies: Vec<Value> = stream::iter(work).buffered(BATCH_WIDTH).filter_map(std::future::ready).collect().await;
        if replies.is_empty() {
            return super::accepted();
        }
        answers::json(StatusCode::OK, &Value::Array(replies))
    }

    /// The answer to one element, if it wants one.
    async fn element(&self, parts: Parts, element: Value) -> Option<Value> {
        let id = match envelope::shape(&element) {
            Ok(Shape::Request { id, .. }) => Some(id),
            Ok(_) => None,
            Err(fault) => return Some(fault.reply()),
        };
        let response = (self.service)(Request::from_parts(parts, Body::from(element.to_string()))).await;
        let id = id?;
        let response = as_json_rpc(response, &id).await;
        if answers::has_type(&response, EVENTS) {
            return sse::answer(response.into_body(), &id).await;
        }
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await.ok()?;
        serde_json::from_slice(&body).ok()
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(JSON)
}

fn too_many_sessions(id: Value) -> Response {
    let error = envelope::error_reply(id, INVALID_REQUEST, "Too many sessions, try again later");
    let mut response = answers::json(StatusCode::SERVICE_UNAVAILABLE, &error);
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("30"));
    response
}

/// The SDK explains some errors in prose. Clients that probe for an era fall back on such bodies, so they become JSON-RPC errors.
async fn as_json_rpc(response: Response, id: &Value) -> Response {
    let status = response.status();
    if !(status.is_client_error() || status.is_server_error()) || answers::has_type(&response, JSON) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let prose = axum::body::to_bytes(body, 16 * 1024).await.unwrap_or_default();
    let (code, message) = if status.is_server_error() {
        tracing::error!(%status, prose = %String::from_utf8_lossy(&prose), "the SDK failed");
        (INTERNAL_ERROR, "Internal error".to_owned())
    } else {
        (INVALID_REQUEST, String::from_utf8_lossy(&prose).into_owned())
    };
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    Response::from_parts(parts, Body::from(envelope::error_reply(id.clone(), code, &message).to_string()))
}

/// One JSON document for a client that does not read event streams: the final answer, without what came before it.
async fn collapse(response: Response, id: &Value) -> Response {
    let (mut parts, body) = response.into_parts();
    let Some(answer) = sse::answer(body, id).await else {
        return answers::json(StatusCode::OK, &envelope::error_reply(id.clone(), INTERNAL_ERROR, "The request was cancelled"));
    };
    for name in [header::CONTENT_LENGTH, header::CACHE_CONTROL] {
        parts.headers.remove(name);
    }
    parts.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    Response::from_parts(parts, Body::from(answer.to_string()))
}
