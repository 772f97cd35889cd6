//! The door to the SDK: the only folder that names `rmcp`. What leaves it is a finished HTTP service, a session book entry, or a stdio line.

mod adapter;
mod convert;
mod line;
mod news;
mod pipe;
mod round;
mod sessions;
mod wording;

use std::{sync::Arc, time::Duration};

use axum::{body::Body, extract::Request, response::Response};
use rmcp::{
    model::RequestStateCodec,
    transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService},
};
use tokio_util::sync::CancellationToken;

pub(crate) use adapter::Adapter;
pub(crate) use pipe::{Lane, Outgoing, open_lane};
use sessions::BookedSessions;

use crate::{
    http::sessions::SessionBook,
    surface::{Boxed, Caller, Surface},
};

/// How long a question to a person may stay open before its sealed state expires.
const STATE_TTL: Duration = Duration::from_secs(60 * 60);

/// How long open streams live on after the server was told to stop.
const FAREWELL: Duration = Duration::from_millis(500);

/// The SDK's HTTP service behind our layers: request in, response out, never an error.
pub(crate) type HttpService = Arc<dyn Fn(Request) -> Boxed<'static, Response> + Send + Sync>;

/// Marks a request whose only way back is its final answer (an element of an HTTP batch).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mute;

/// What all requests of one server share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub surface: Arc<dyn Surface>,
    /// Seals `requestState`.
    pub codec: Arc<RequestStateCodec>,
    /// Ends subscriptions and sessions.
    pub closing: CancellationToken,
}

impl Shared {
    /// `state_key` must be the same on all replicas of a server; without one, a random key lives as long as the process.
    pub(crate) fn new(surface: Arc<dyn Surface>, state_key: Option<[u8; 32]>, closing: CancellationToken) -> Self {
        let key = state_key.unwrap_or_else(random_key);
        Self { surface, codec: Arc::new(RequestStateCodec::new_unchecked(key)), closing }
    }
}

fn random_key() -> [u8; 32] {
    let mut key = [0; 32];
    // Without randomness no sealed state may be accepted, and there is no other way to go on safely.
    getrandom::fill(&mut key).expect("the operating system has randomness");
    key
}

/// The Streamable HTTP service for both eras. Host, Origin, size and authentication are the business of the layers in front of it.
pub(crate) fn http_service(shared: Shared, book: Arc<SessionBook>, max_body_bytes: usize) -> HttpService {
    // Streams get a moment to say that they end: listeners are sent their result when `closing` fires, then everything is cut.
    let cut = CancellationToken::new();
    tokio::spawn({
        let (closing, cut) = (shared.closing.clone(), cut.clone());
        async move {
            closing.cancelled().await;
            tokio::time::sleep(FAREWELL).await;
            cut.cancel();
        }
    });
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        .with_json_response(true)
        .with_max_request_body_bytes(max_body_bytes)
        .with_cancellation_token(cut);
    let sessions = Arc::new(BookedSessions::new(book.clone()));
    book.set_closer(sessions.clone());
    let service = StreamableHttpService::new(move || Ok(Adapter::new(shared.clone(), None, Some(book.clone()))), sessions, config);
    Arc::new(move |request| {
        let service = service.clone();
        Box::pin(async move { service.handle(request).await.map(Body::new) })
    })
}

/// The adapter for one lane of a stdio pipe.
pub(crate) fn stdio_adapter(shared: Shared, caller: Caller) -> Adapter {
    Adapter::new(shared, Some(caller), None)
}
