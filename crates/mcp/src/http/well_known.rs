//! `/.well-known/*`: clients probe these paths before they connect, and a quick plain 404 sends them on.

use axum::{Json, Router, http::StatusCode, routing::get};
use serde_json::json;

/// Where tokens for this server come from (RFC 9728).
#[derive(Debug, Clone)]
pub struct ProtectedResource {
    /// Public address of the endpoint, such as `https://ibid.example.org/mcp`. Tokens must name it as their audience.
    pub resource: String,
    /// Issuers of tokens.
    pub authorization_servers: Vec<String>,
    /// Scopes that clients may ask for.
    pub scopes: Vec<String>,
}

impl ProtectedResource {
    /// The address of the metadata document: the path of the resource behind the well-known prefix.
    pub(super) fn metadata_url(&self) -> String {
        let after_scheme = self.resource.find("://").map_or(0, |at| at + 3);
        let path_at = self.resource[after_scheme..].find('/').map_or(self.resource.len(), |at| at + after_scheme);
        let (origin, path) = self.resource.split_at(path_at);
        format!("{origin}/.well-known/oauth-protected-resource{path}")
    }
}

/// The paths. What is not served is 404 in plain text, never a page of the web site.
pub(super) fn routes(resource: Option<ProtectedResource>) -> Router {
    let nothing = || async { (StatusCode::NOT_FOUND, "Not Found") };
    let router = Router::new().route("/.well-known/{*path}", get(nothing)).route("/mcp/.well-known/{*path}", get(nothing));
    let Some(resource) = resource else { return router };
    let document = json!({
        "resource": resource.resource,
        "authorization_servers": resource.authorization_servers,
        "scopes_supported": resource.scopes,
        "bearer_methods_supported": ["header"],
    });
    let again = document.clone();
    router
        .route("/.well-known/oauth-protected-resource", get(move || async move { Json(document) }))
        .route("/.well-known/oauth-protected-resource/mcp", get(move || async move { Json(again) }))
}

#[cfg(test)]
mod tests {
    use super::ProtectedResource;

    #[test]
    fn the_metadata_stands_before_the_path_of_the_resource() {
        let at =
            |resource: &str| ProtectedResource { resource: resource.into(), authorization_servers: Vec::new(), scopes: Vec::new() }.metadata_url();
        assert_eq!(at("https://ibid.example.org/mcp"), "https://ibid.example.org/.well-known/oauth-protected-resource/mcp");
        assert_eq!(at("https://ibid.example.org"), "https://ibid.example.org/.well-known/oauth-protected-resource");
    }
}
