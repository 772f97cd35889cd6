//! Who asks: a bearer token becomes a caller, or the request ends here.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    middleware::Next,
    response::Response,
};

use super::answers;
use crate::{
    envelope::INVALID_REQUEST,
    surface::{Boxed, Caller},
};

/// Turns a bearer token into a caller. The comparison of secrets, in constant time, is the implementor's.
pub trait Authenticator: Send + Sync + 'static {
    /// `None`: the request had no token. A server without authentication answers with its owner.
    fn authenticate<'a>(&'a self, token: Option<&'a str>) -> Boxed<'a, Result<Caller, Refusal>>;
}

/// Why a request is not served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There was no token: 401.
    Missing,
    /// The token is unknown, expired, or not meant for this server: 401.
    Invalid,
    /// The token does not allow this; these scopes would: 403.
    InsufficientScope(Vec<String>),
    /// The authenticator cannot say at the moment: 503.
    Unavailable,
}

/// Everybody is this caller. For tests, and for a loopback server whose owner turned authentication off.
pub struct Everybody(pub Caller);

impl Authenticator for Everybody {
    fn authenticate<'a>(&'a self, _token: Option<&'a str>) -> Boxed<'a, Result<Caller, Refusal>> {
        Box::pin(async { Ok(self.0.clone()) })
    }
}

/// What the layer needs.
#[derive(Clone)]
pub(super) struct Gate {
    pub authenticator: Arc<dyn Authenticator>,
    /// Address of the protected resource metadata, where there is an authorization server.
    pub metadata_url: Option<String>,
}

/// `Authorization: Bearer …`, once. Two of them are none: a proxy and we might read different ones.
fn bearer(headers: &HeaderMap) -> Result<Option<&str>, Refusal> {
    let mut values = headers.get_all(header::AUTHORIZATION).iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Refusal::Invalid);
    }
    let text = value.to_str().map_err(|_| Refusal::Invalid)?;
    let (scheme, token) = text.split_once(' ').ok_or(Refusal::Invalid)?;
    if scheme.eq_ignore_ascii_case("bearer") { Ok(Some(token.trim())) } else { Err(Refusal::Invalid) }
}

/// Lets a request through as its caller, who travels in the request's extensions.
pub(super) async fn guard(State(gate): State<Gate>, mut request: Request, next: Next) -> Response {
    let verdict = match bearer(request.headers()) {
        Ok(token) => gate.authenticator.authenticate(token).await,
        Err(refusal) => Err(refusal),
    };
    match verdict {
        Ok(caller) => {
            // The token has done its work; nothing behind this layer may log it or pass it on.
            request.headers_mut().remove(header::AUTHORIZATION);
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(refusal) => refuse(&gate, &refusal),
    }
}

fn refuse(gate: &Gate, refusal: &Refusal) -> Response {
    let metadata = gate.metadata_url.as_ref().map(|url| format!("resource_metadata=\"{url}\""));
    let (status, message, error) = match refusal {
        Refusal::Missing => (StatusCode::UNAUTHORIZED, "This server needs a bearer token", None),
        Refusal::Invalid => (StatusCode::UNAUTHORIZED, "The bearer token is not valid here", Some("error=\"invalid_token\"".to_owned())),
        Refusal::InsufficientScope(scopes) => {
            let needed = format!("error=\"insufficient_scope\", scope=\"{}\"", scopes.join(" "));
            (StatusCode::FORBIDDEN, "The bearer token does not allow this", Some(needed))
        }
        Refusal::Unavailable => {
            return answers::error(StatusCode::SERVICE_UNAVAILABLE, INVALID_REQUEST, "Authentication is not available, try again later");
        }
    };
    tracing::info!(?refusal, "refused");
    let mut response = answers::error(status, INVALID_REQUEST, message);
    let parameters: Vec<String> = [error, metadata].into_iter().flatten().collect();
    let challenge = if parameters.is_empty() { "Bearer".to_owned() } else { format!("Bearer {}", parameters.join(", ")) };
    if let Ok(challenge) = HeaderValue::from_str(&challenge) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    }
    response
}
