//! MCP over HTTP: the layers in front of the SDK, in the order in which a request meets them.
//!
//! Host and Origin -> size and time -> authentication -> body normaliser -> SDK. DESIGN.md section 9 fixes the order: nothing is read
//! from a foreign page, nothing is parsed for a stranger, and the SDK sees only well-formed messages of known callers.

mod answers;
mod auth;
mod limits;
mod normaliser;
mod origin;
pub(crate) mod sessions;
mod sse;
mod well_known;

use std::sync::Arc;

use axum::{
    Router,
    http::StatusCode,
    middleware::from_fn_with_state,
    response::{IntoResponse, Response},
    routing::any,
};
use tokio_util::sync::CancellationToken;

pub use auth::{Authenticator, Everybody, Refusal};
pub use limits::Limits;
pub use origin::{HostRules, guard as guard_host};
pub use sessions::{SessionLimits, SessionReport, SessionSummary, Sessions};
pub use well_known::ProtectedResource;

use crate::{
    sdk::{self, Shared},
    surface::{Caller, Surface},
};

/// How the endpoint behaves.
pub struct HttpOptions {
    /// Names of this server beside loopback.
    pub hosts: HostRules,
    /// Sizes and times.
    pub limits: Limits,
    /// Legacy sessions.
    pub sessions: SessionLimits,
    /// Who may ask.
    pub authenticator: Arc<dyn Authenticator>,
    /// Where clients get tokens, when an authorization server issues them.
    pub protected_resource: Option<ProtectedResource>,
    /// Seals `requestState`; the same on all replicas. Random per process by default.
    pub state_key: Option<[u8; 32]>,
    /// Ends streams and sessions; the caller also uses it for the graceful shutdown of its listener.
    pub shutdown: CancellationToken,
}

impl Default for HttpOptions {
    /// Everybody is the owner: fit for tests, and for loopback where the owner wants it so.
    fn default() -> Self {
        Self {
            hosts: HostRules::default(),
            limits: Limits::default(),
            sessions: SessionLimits::default(),
            authenticator: Arc::new(Everybody(Caller::owner())),
            protected_resource: None,
            state_key: None,
            shutdown: CancellationToken::new(),
        }
    }
}

/// A mounted server.
pub struct McpEndpoint {
    /// `/mcp` and the well-known paths, with all layers. Merge it with the web site's router.
    pub router: Router,
    /// The legacy sessions, for status pages.
    pub sessions: Sessions,
}

/// Builds the endpoint. Must be called within a Tokio runtime: the liveness sweep starts here and ends with `shutdown`.
pub fn endpoint(surface: Arc<dyn Surface>, options: HttpOptions) -> McpEndpoint {
    let book = Arc::new(sessions::SessionBook::new(options.sessions));
    let shared = Shared::new(surface, options.state_key, options.shutdown.clone());
    let service = sdk::http_service(shared, book.clone(), options.limits.body_bytes);
    tokio::spawn(book.clone().keep_sweeping(options.shutdown));

    let gate =
        auth::Gate { authenticator: options.authenticator, metadata_url: options.protected_resource.as_ref().map(ProtectedResource::metadata_url) };
    let inner = normaliser::Endpoint { service, book: book.clone(), limits: options.limits.clone() };
    // `layer` wraps what stands before it, so the list reads from the inside out.
    let mcp = any(normaliser::serve)
        .with_state(inner)
        .layer(from_fn_with_state(gate, auth::guard))
        .layer(from_fn_with_state(options.limits, limits::guard));
    let router = Router::new()
        .route_service("/mcp", mcp)
        .merge(well_known::routes(options.protected_resource))
        .layer(from_fn_with_state(Arc::new(options.hosts), origin::guard));
    McpEndpoint { router, sessions: Sessions(book) }
}

/// [`endpoint`], for those who need only the router.
pub fn router(surface: Arc<dyn Surface>, options: HttpOptions) -> Router {
    endpoint(surface, options).router
}

/// 202 without a body: the message was taken and wants no answer.
fn accepted() -> Response {
    StatusCode::ACCEPTED.into_response()
}
