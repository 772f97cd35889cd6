//! Requests that change something must come from our own pages, or from no browser at all.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::PageError;

/// Refuses what another site sent. Reads pass: they change nothing, and no other site may see the answer.
pub(crate) async fn check(request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    if is_read || is_ours(request.headers()) {
        return next.run(request).await;
    }
    PageError::new(StatusCode::FORBIDDEN, "Another site sent this", "This request came from a page of another site and was refused.")
        .hint("Open the page here and try again.")
        .into_response()
}

/// Browsers tell where a request comes from, by `Sec-Fetch-Site` (not over plain HTTP, loopback excepted) or by `Origin` (on every POST).
/// A client that tells neither is no browser, and so carries no cookie that it does not know.
fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name: header::HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if let Some(site) = text(header::HeaderName::from_static("sec-fetch-site")) {
        return matches!(site, "same-origin" | "none");
    }
    let Some(origin) = text(header::ORIGIN) else {
        return true;
    };
    let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    authority.is_some_and(|authority| text(header::HOST).is_some_and(|host| host.eq_ignore_ascii_case(authority)))
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderName, HeaderValue};

    use super::is_ours;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn only_our_own_pages_and_programs_may_change_things() {
        let host = ("host", "localhost:4242");
        assert!(is_ours(&headers(&[host])));
        assert!(is_ours(&headers(&[host, ("origin", "http://localhost:4242")])));
        assert!(is_ours(&headers(&[host, ("origin", "null"), ("sec-fetch-site", "same-origin")])));
        for foreign in ["http://evil.example", "http://localhost:4343", "null", "file://", ""] {
            assert!(!is_ours(&headers(&[host, ("origin", foreign)])), "{foreign}");
        }
        for site in ["cross-site", "same-site", ""] {
            assert!(!is_ours(&headers(&[host, ("origin", "http://localhost:4242"), ("sec-fetch-site", site)])), "{site}");
        }
    }
}
