//! Arrays over HTTP, which the SDK does not know.

use serde_json::{Value, json};

use crate::wire::{code, http::Server, initialize, legacy, modern, notification, text, tool};

#[tokio::test]
async fn a_batch_is_answered_as_one_array_in_order() {
    let server = Server::start().await;
    for version in ["2025-03-26", "2025-06-18"] {
        let session = server.session(version).await;
        let batch = json!([
            legacy("a", "tools/call", tool("test_tool_with_progress")),
            notification("notifications/roots/list_changed", json!({})),
            legacy("b", "ping", json!({})),
            { "jsonrpc": "2.0", "id": "c" },
            legacy("d", "no/such", json!({})),
            7,
        ]);
        let reply = session.post(&batch).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/json")));
        let answers = reply.json();
        let ids: Vec<&Value> = answers.as_array().expect("an array").iter().map(|answer| &answer["id"]).collect();
        assert_eq!(ids, [&json!("a"), &json!("b"), &json!("c"), &json!("d"), &json!(null)]);
        assert_eq!(text(&answers[0]), "Progress was reported.");
        assert_eq!(answers[1]["result"], json!({}));
        assert_eq!([code(&answers[2]), code(&answers[3]), code(&answers[4])], [-32600, -32601, -32600]);
    }
}

#[tokio::test]
async fn a_batch_of_notifications_is_taken_without_an_answer() {
    let server = Server::start().await;
    let session = server.session("2025-03-26").await;
    let reply = session.post(&json!([notification("notifications/roots/list_changed", json!({}))])).await;
    assert_eq!((reply.status, reply.body.as_str()), (202, ""));
}

#[tokio::test]
async fn batches_are_refused_where_they_do_not_exist() {
    let server = Server::start().await;
    let ping = legacy(1, "ping", json!({}));
    let refusal = |reply: crate::wire::http::Reply| (reply.status, code(&reply.json()));
    assert_eq!(refusal(server.post(&[], &json!([ping])).await), (400, -32600));
    for version in ["2024-11-05", "2025-11-25"] {
        assert_eq!(refusal(server.session(version).await.post(&json!([ping])).await), (400, -32600), "{version}");
    }
    let session = server.session("2025-03-26").await;
    for batch in [
        json!([]),
        json!([ping, initialize("2025-03-26")]),
        json!([modern(1, "tools/list", json!({}))]),
        json!([ping, ping]),
        Value::Array((0..101).map(|id| legacy(id, "ping", json!({}))).collect()),
    ] {
        assert_eq!(refusal(session.post(&batch).await), (400, -32600), "{batch}");
    }
}

#[tokio::test]
async fn nobody_is_asked_anything_inside_a_batch() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    let mut params = tool("test_elicitation");
    params["arguments"] = json!({ "message": "Who are you?" });
    let answers = session.call(&json!([legacy(1, "tools/call", params)])).await;
    assert_eq!(text(&answers[0]), "The client cannot ask a person.");
}
