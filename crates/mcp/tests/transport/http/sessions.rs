//! Legacy sessions: whose they are, how many, and how they end.

use std::time::Duration;

use mcp::http::SessionReport;
use serde_json::json;

use crate::wire::{code, http::Server, initialize, legacy, modern, soon, tool};

#[tokio::test]
async fn a_session_of_somebody_else_is_no_session() {
    let server = Server::start().await;
    let session = server.session_as("alice", "2025-06-18").await;
    let ping = legacy(1, "ping", json!({}));
    let stolen = [("Mcp-Session-Id", session.id.as_str()), ("Authorization", "Bearer bob")];
    let unknown = [("Mcp-Session-Id", "00000000-0000-4000-8000-000000000000"), ("Authorization", "Bearer bob")];
    for (method, body) in [("POST", ping.to_string()), ("POST", json!([ping]).to_string()), ("GET", String::new()), ("DELETE", String::new())] {
        let reply = server.send(method, "/mcp", &stolen, &body).await;
        assert_eq!(reply.status, 404, "{method}");
        assert_eq!(reply.body, server.send(method, "/mcp", &unknown, &body).await.body, "{method}");
    }
    assert_eq!(session.call(&ping).await["result"], json!({}), "the owner of the session still has it");
}

#[tokio::test]
async fn a_session_ends_when_it_is_deleted() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    assert_eq!(session.delete().await.status, 204);
    let reply = session.post(&legacy(1, "ping", json!({}))).await;
    assert_eq!((reply.status, code(&reply.json())), (404, -32600));
}

#[tokio::test]
async fn one_session_too_many_is_sent_away_and_may_come_again() {
    let server = Server::with(|options| options.sessions.max_sessions = 2).await;
    let first = server.session("2025-06-18").await;
    let _second = server.session("2025-06-18").await;
    let reply = server.post(&[], &initialize("2025-06-18")).await;
    assert_eq!((reply.status, reply.header("retry-after")), (503, Some("30")));
    assert_eq!(reply.json()["id"], 0);
    // The stateless era needs no session.
    assert_eq!(server.modern(&modern(1, "tools/list", json!({}))).await.status, 200);
    first.delete().await;
    server.session("2025-06-18").await;
}

#[tokio::test]
async fn the_stateless_era_ignores_session_ids() {
    let server = Server::start().await;
    let session = server.session_as("alice", "2025-06-18").await;
    let message = modern(1, "tools/call", tool("test_who_asks"));
    let headers = [
        ("Mcp-Session-Id", session.id.as_str()),
        ("Authorization", "Bearer bob"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "test_who_asks"),
    ];
    assert_eq!(server.post(&headers, &message).await.json()["result"]["structuredContent"]["principal"], "bob");
}

#[tokio::test]
async fn a_request_without_its_session_is_told_so() {
    let server = Server::start().await;
    for (method, body) in [("POST", legacy(1, "ping", json!({})).to_string()), ("GET", String::new())] {
        assert_eq!(server.send(method, "/mcp", &[], &body).await.status, 400, "{method}");
    }
}

#[tokio::test]
async fn a_client_that_answers_pings_is_connected_and_kept() {
    let server = Server::with(|options| {
        options.sessions.grace = Duration::ZERO;
        options.sessions.ping_deadline = Duration::from_secs(60);
    })
    .await;
    let session = server.session("2025-06-18").await;
    let mut events = session.listen().await;
    let sweeping = tokio::spawn({
        let sessions = server.sessions.clone();
        async move { sessions.sweep().await }
    });
    let ping = events.next().await.expect("a ping");
    assert_eq!(ping["method"], "ping");
    session.post(&json!({ "jsonrpc": "2.0", "id": ping["id"], "result": {} })).await;
    assert_eq!(soon(sweeping).await.expect("a report"), SessionReport { tracked: 1, reachable: 1, reaped: 0 });
    let list = server.sessions.list();
    assert_eq!((list[0].principal.as_str(), list[0].client_name.as_deref()), ("owner", Some("by-hand")));
}

#[tokio::test]
async fn a_session_that_is_unreachable_and_silent_is_reaped() {
    let server = Server::with(|options| {
        options.sessions.grace = Duration::ZERO;
        // Only the sweeps of this test count.
        options.sessions.sweep_every = Duration::from_secs(3600);
    })
    .await;
    let session = server.session("2025-06-18").await;
    assert_eq!(soon(server.sessions.sweep()).await, SessionReport { tracked: 0, reachable: 0, reaped: 1 });
    assert_eq!(session.post(&legacy(1, "ping", json!({}))).await.status, 404);
}

#[tokio::test]
async fn a_session_with_a_request_in_flight_is_kept() {
    let server = Server::with(|options| {
        options.sessions.grace = Duration::ZERO;
        options.sessions.sweep_every = Duration::from_secs(3600);
    })
    .await;
    let session = server.session("2025-06-18").await;
    let mut waiting = server.fixtures.waiting.subscribe();
    let _stream = session.stream(&legacy(7, "tools/call", tool("test_waiting"))).await;
    soon(waiting.wait_for(|(begun, _)| *begun == 1)).await.expect("the call begins");
    assert_eq!(soon(server.sessions.sweep()).await.tracked, 1);
}

#[tokio::test]
async fn nothing_of_a_session_is_left_when_it_ended() {
    let server = Server::start().await;
    let before = std::sync::Arc::strong_count(&server.fixtures);
    for _ in 0..3 {
        let session = server.session("2025-06-18").await;
        let events = session.listen().await;
        session.call(&legacy(1, "resources/subscribe", json!({ "uri": "test://watched-resource" }))).await;
        session.delete().await;
        drop(events);
    }
    assert!(server.sessions.list().is_empty());
    // The tasks of a session end on their own time.
    soon(async {
        while std::sync::Arc::strong_count(&server.fixtures) > before {
            tokio::task::yield_now().await;
        }
    })
    .await;
}
