//! Host and Origin: what keeps a web page of somebody else from talking to a server on this machine.

use std::sync::Arc;

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

/// Under which names the server may be addressed, and which web pages may call it. Loopback with any port is always allowed.
#[derive(Debug, Clone, Default)]
pub struct HostRules {
    /// More host names, with or without a port: `ibid.example.org`, `ibid.example.org:8443`. An Origin on one of them is allowed too.
    pub hosts: Vec<String>,
    /// More origins, exactly as browsers write them: `https://notes.example.org`.
    pub origins: Vec<String>,
}

impl HostRules {
    fn allows_authority(&self, authority: &str) -> bool {
        let (host, port) = split_port(authority);
        is_loopback(&host)
            || self.hosts.iter().any(|allowed| {
                let (allowed_host, allowed_port) = split_port(allowed);
                allowed_host == host && (allowed_port.is_none() || allowed_port == port)
            })
    }

    fn allows_origin(&self, origin: &str) -> bool {
        if self.origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin)) {
            return true;
        }
        let origin = origin.to_ascii_lowercase();
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        authority.is_some_and(|authority| is_plain_authority(authority) && self.allows_authority(authority))
    }
}

/// Lower-case host without brackets, and port.
fn split_port(authority: &str) -> (String, Option<&str>) {
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()) => (host, Some(port)),
        _ => (authority, None),
    };
    (host.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase(), port)
}

/// Only names that cannot be anything else: no `localhost.evil.example`, no `127.0.0.1.evil.example`.
fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// An authority as browsers and clients write it: no user, no path, no blank.
fn is_plain_authority(authority: &str) -> bool {
    !authority.is_empty() && authority.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-_:[]".contains(&byte))
}

/// The authority that the request is addressed to. HTTP/2 has it in the URI.
fn authority<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) => host.to_str().ok(),
        (None, _) => uri.authority().map(axum::http::uri::Authority::as_str),
        // Two Host headers mean that somebody is read differently by two programs.
        (Some(_), Some(_)) => None,
    }
}

fn refusal(rules: &HostRules, request: &Request) -> Option<&'static str> {
    let host = authority(request.uri(), request.headers());
    if !host.is_some_and(|host| is_plain_authority(host) && rules.allows_authority(host)) {
        return Some("Forbidden: this Host is not served here");
    }
    let origins = request.headers().get_all(header::ORIGIN);
    let is_allowed = |origin: &HeaderValue| origin.to_str().is_ok_and(|origin| origin.is_empty() || rules.allows_origin(origin));
    if !origins.iter().all(is_allowed) {
        return Some("Forbidden: this Origin may not call this server");
    }
    None
}

/// The outermost layer, for `/mcp` and for the web pages alike: 403 for foreign names, and CORS for the origins that may call.
///
/// The opaque origin `null` is foreign: any sandboxed frame has it.
pub async fn guard(State(rules): State<Arc<HostRules>>, request: Request, next: Next) -> Response {
    if let Some(reason) = refusal(&rules, &request) {
        tracing::warn!(host = ?request.headers().get(header::HOST), origin = ?request.headers().get(header::ORIGIN), reason, "refused");
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    let origin = request.headers().get(header::ORIGIN).filter(|origin| !origin.is_empty()).cloned();
    let is_preflight = request.method() == Method::OPTIONS && request.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD);
    let mut response = match &origin {
        Some(_) if is_preflight => preflight(request.headers()),
        _ => next.run(request).await,
    };
    if let Some(origin) = origin {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate"));
        headers.append(header::VARY, HeaderValue::from_static("Origin"));
    }
    response
}

/// A browser asks before it sends JSON or a token. It carries no token yet, so the answer comes before authentication.
fn preflight(asked: &HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
    if let Some(wanted) = asked.get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, wanted.clone());
    }
    response
}

#[cfg(test)]
mod tests;
