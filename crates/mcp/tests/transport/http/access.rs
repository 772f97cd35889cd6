//! The outer layers: Host and Origin, sizes, authentication, well-known paths, and their order.

use std::time::Duration;

use mcp::http::{HostRules, Limits, ProtectedResource};
use serde_json::json;

use crate::wire::{code, http::Server, initialize, modern, tool};

#[tokio::test]
async fn foreign_hosts_and_origins_are_refused_before_anything_else() {
    let server = Server::start().await;
    let port = server.address.port();
    for headers in [
        [("Host", "evil.example"), ("Authorization", "")],
        [("Host", "127.0.0.1.evil.example"), ("Authorization", "Bearer owner")],
        [("Origin", "http://evil.example"), ("Authorization", "Bearer owner")],
        [("Origin", "null"), ("Authorization", "Bearer owner")],
    ] {
        assert_eq!(server.send("POST", "/mcp", &headers, "not json").await.status, 403, "{headers:?}");
    }
    for path in ["/.well-known/openid-configuration", "/elsewhere"] {
        assert_eq!(server.send("GET", path, &[("Host", "evil.example")], "").await.status, 403, "{path}");
    }
    for origin in [format!("http://localhost:{port}"), "http://127.0.0.1:1".into(), "https://[::1]".into()] {
        assert_eq!(server.post(&[("Origin", &origin)], &initialize("2025-06-18")).await.status, 200, "{origin}");
    }
}

#[tokio::test]
async fn two_host_headers_are_one_too_many() {
    let server = Server::start().await;
    let request = "GET /.well-known/x HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n";
    assert!(matches!(server.raw(request).await.status, 400 | 403));
}

#[tokio::test]
async fn configured_names_are_served() {
    let server = Server::with(|options| {
        options.hosts = HostRules { hosts: vec!["ibid.example.org".into()], origins: vec!["https://notes.example.org".into()] };
    })
    .await;
    let headers = [("Host", "ibid.example.org"), ("Origin", "https://notes.example.org")];
    assert_eq!(server.post(&headers, &initialize("2025-06-18")).await.status, 200);
    assert_eq!(server.post(&[("Host", "other.example.org")], &initialize("2025-06-18")).await.status, 403);
}

#[tokio::test]
async fn a_browser_may_ask_first_without_a_token() {
    let server = Server::start().await;
    let headers = [
        ("Authorization", ""),
        ("Origin", "http://localhost:5173"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization, content-type, mcp-method"),
    ];
    let reply = server.send("OPTIONS", "/mcp", &headers, "").await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), Some("http://localhost:5173"));
    assert_eq!(reply.header("access-control-allow-headers"), Some("authorization, content-type, mcp-method"));
    let reply = server.send("OPTIONS", "/mcp", &[("Origin", "http://evil.example"), ("Access-Control-Request-Method", "POST")], "").await;
    assert_eq!(reply.status, 403);
}

#[tokio::test]
async fn what_is_too_large_is_refused() {
    let server = Server::with(|options| options.limits = Limits { body_bytes: 1000, uri_bytes: 100, header_bytes: 1000, ..Limits::default() }).await;
    let large = json!({ "filler": "x".repeat(1000) });
    assert_eq!(server.post(&[], &large).await.status, 413);
    // The same without an announcement.
    let chunked = format!("{:x}\r\n{large}\r\n0\r\n\r\n", large.to_string().len());
    let reply = server.send("POST", "/mcp", &[("Content-Length", ""), ("Transfer-Encoding", "chunked")], &chunked).await;
    assert_eq!((reply.status, code(&reply.json())), (413, -32600));
    assert_eq!(server.send("POST", &format!("/mcp?{}", "x".repeat(100)), &[], "").await.status, 414);
    assert_eq!(server.post(&[("X-Filler", &"x".repeat(1000))], &json!({})).await.status, 431);
}

#[tokio::test]
async fn a_body_that_does_not_come_is_not_waited_for() {
    let server = Server::with(|options| options.limits.body_time = Duration::from_millis(20)).await;
    let reply = server.send("POST", "/mcp", &[("Content-Length", "100")], "{").await;
    assert_eq!(reply.status, 408);
}

#[tokio::test]
async fn only_known_tokens_pass() {
    let server = Server::start().await;
    let reply = server.post(&[("Authorization", "")], &initialize("2025-06-18")).await;
    assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer")));
    let reply = server.post(&[("Authorization", "Bearer stranger")], &initialize("2025-06-18")).await;
    assert_eq!((reply.status, reply.header("www-authenticate")), (401, Some("Bearer error=\"invalid_token\"")));
    let reply = server.post(&[("Authorization", "Basic b3duZXI6")], &initialize("2025-06-18")).await;
    assert_eq!(reply.status, 401);
    let reply = server.post(&[("Authorization", "Bearer narrow")], &initialize("2025-06-18")).await;
    assert_eq!((reply.status, reply.header("www-authenticate")), (403, Some("Bearer error=\"insufficient_scope\", scope=\"read write\"")));
    assert_eq!(server.post(&[("Authorization", "Bearer offline")], &initialize("2025-06-18")).await.status, 503);
    for method in ["GET", "DELETE"] {
        assert_eq!(server.send(method, "/mcp", &[("Authorization", "")], "").await.status, 401, "{method}");
    }
    let twice = [("Authorization", "Bearer owner"), ("Authorization", "Bearer owner")];
    assert_eq!(server.post(&twice, &initialize("2025-06-18")).await.status, 401);
}

#[tokio::test]
async fn nothing_is_read_for_a_stranger() {
    let server = Server::start().await;
    assert_eq!(server.send("POST", "/mcp", &[("Authorization", "")], "not json").await.status, 401);
}

#[tokio::test]
async fn a_tool_sees_the_caller_and_never_the_token() {
    let server = Server::start().await;
    let answer = server.modern_as("alice", &modern(1, "tools/call", tool("test_who_asks"))).await.json();
    let expected = json!({ "principal": "alice", "scopes": ["read"], "protocol_version": "2026-07-28", "client": "by-hand" });
    assert_eq!(answer["result"]["structuredContent"], expected);
    let session = server.session_as("bob", "2025-06-18").await;
    let answer = session.call(&crate::wire::legacy(1, "tools/call", tool("test_who_asks"))).await;
    assert_eq!(answer["result"]["structuredContent"]["principal"], "bob");
    assert_eq!(answer["result"]["structuredContent"]["protocol_version"], "2025-06-18");
}

#[tokio::test]
async fn well_known_paths_are_a_quick_plain_404() {
    let server = Server::start().await;
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server/mcp", "/mcp/.well-known/openid-configuration"] {
        let reply = server.send("GET", path, &[("Authorization", "")], "").await;
        assert_eq!((reply.status, reply.body.as_str()), (404, "Not Found"), "{path}");
    }
    assert_eq!(server.send("POST", "/mcp/more", &[], "{}").await.status, 404);
}

#[tokio::test]
async fn an_authorization_server_is_pointed_at() {
    let server = Server::with(|options| {
        options.protected_resource = Some(ProtectedResource {
            resource: "https://ibid.example.org/mcp".into(),
            authorization_servers: vec!["https://login.example.org".into()],
            scopes: vec!["read".into()],
        });
    })
    .await;
    let reply = server.post(&[("Authorization", "")], &initialize("2025-06-18")).await;
    let challenge = "Bearer resource_metadata=\"https://ibid.example.org/.well-known/oauth-protected-resource/mcp\"";
    assert_eq!(reply.header("www-authenticate"), Some(challenge));
    for path in ["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"] {
        let document = server.send("GET", path, &[("Authorization", "")], "").await.json();
        assert_eq!(document["authorization_servers"], json!(["https://login.example.org"]));
        assert_eq!(document["resource"], "https://ibid.example.org/mcp");
    }
}
