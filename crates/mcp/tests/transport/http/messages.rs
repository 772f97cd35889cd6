//! The body normaliser: what is no message, and which answers a client can read.

use serde_json::json;

use crate::wire::{code, http::Server, initialize, legacy, modern, text, tool};

#[tokio::test]
async fn what_is_no_message_gets_a_json_rpc_error() {
    let server = Server::start().await;
    for headers in [&[][..], &[("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/list")]] {
        for (body, expected) in [
            ("{", -32700),
            ("", -32700),
            ("\u{1f600}", -32700),
            ("5", -32600),
            (r#"{"jsonrpc":"2.0","id":null,"method":"tools/list"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"tools/list"}"#, -32600),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[1]}"#, -32600),
            (r#"{"hello":"world"}"#, -32600),
            ("[]", -32600),
        ] {
            let reply = server.send("POST", "/mcp", headers, body).await;
            assert_eq!((reply.status, code(&reply.json())), (400, expected), "{body}");
            assert!(reply.json().as_object().is_some_and(|error| error.contains_key("id")), "{body}");
        }
    }
}

#[tokio::test]
async fn bodies_of_other_types_are_refused() {
    let server = Server::start().await;
    for kind in ["text/plain", "application/x-www-form-urlencoded", ""] {
        let reply = server.post(&[("Content-Type", kind)], &initialize("2025-06-18")).await;
        assert_eq!((reply.status, code(&reply.json())), (415, -32600), "{kind}");
    }
    assert_eq!(server.post(&[("Content-Type", "Application/JSON; charset=utf-8")], &initialize("2025-06-18")).await.status, 200);
}

#[tokio::test]
async fn a_client_may_read_json_only_or_not_say_what_it_reads() {
    let server = Server::start().await;
    for accept in ["", "*/*", "application/*", "application/json", "application/json;q=0.9, text/html"] {
        let reply = server.post(&[("Accept", accept)], &initialize("2025-06-18")).await;
        assert_eq!((reply.status, &reply.json()["id"]), (200, &json!(0)), "{accept}");
        if accept.starts_with("application/json") {
            assert_eq!(reply.header("content-type"), Some("application/json"), "{accept}");
        }
    }
    assert_eq!(server.post(&[("Accept", "text/html")], &initialize("2025-06-18")).await.status, 406);
    assert_eq!(server.post(&[("Accept", "application/json;q=0")], &initialize("2025-06-18")).await.status, 406);
}

#[tokio::test]
async fn json_only_clients_get_the_answer_of_a_call_with_progress() {
    let server = Server::start().await;
    let mut params = tool("test_tool_with_progress");
    params["_meta"] = json!({ "progressToken": 1 });
    let message = modern(1, "tools/call", params);
    let headers = [
        ("Accept", "application/json"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "test_tool_with_progress"),
    ];
    let reply = server.post(&headers, &message).await;
    assert_eq!(reply.header("content-type"), Some("application/json"));
    assert_eq!(text(&reply.json()), "Progress was reported.");
}

#[tokio::test]
async fn a_stream_cannot_be_sent_to_a_client_that_reads_json_only() {
    let server = Server::start().await;
    let message = modern(1, "subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } }));
    let headers = [("Accept", "application/json"), ("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "subscriptions/listen")];
    let reply = server.post(&headers, &message).await;
    assert_eq!((reply.status, &reply.json()["id"]), (406, &json!(1)));
}

#[tokio::test]
async fn malformed_handshakes_are_told_what_is_missing() {
    let server = Server::start().await;
    for (params, missing) in [
        (json!({}), "protocolVersion"),
        (json!({ "protocolVersion": "2025-06-18" }), "capabilities"),
        (json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "x" } }), "clientInfo with name and version"),
    ] {
        let reply = server.post(&[], &legacy(1, "initialize", params)).await;
        assert_eq!((reply.status, code(&reply.json())), (400, -32602));
        assert_eq!(reply.json()["error"]["message"], format!("Invalid params: initialize needs {missing}"));
    }
}

#[tokio::test]
async fn errors_of_the_sdk_are_json_rpc_too() {
    let server = Server::start().await;
    // No session id, an unknown session, a revision that nobody knows.
    let ping = legacy(5, "ping", json!({}));
    for (headers, status) in [(vec![], 400), (vec![("Mcp-Session-Id", "no-such-session")], 404), (vec![("MCP-Protocol-Version", "1999-01-01")], 400)]
    {
        let reply = server.post(&headers, &ping).await;
        assert_eq!((reply.status, code(&reply.json())), (status, -32600), "{headers:?}");
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
}

#[tokio::test]
async fn modern_requests_are_checked_against_their_headers() {
    let server = Server::start().await;
    let call = modern(1, "tools/call", tool("test_simple_text"));
    let version = ("MCP-Protocol-Version", "2026-07-28");
    for headers in [
        vec![("Mcp-Method", "tools/call"), ("Mcp-Name", "test_simple_text")],
        vec![("MCP-Protocol-Version", "2025-06-18"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "test_simple_text")],
        vec![version, ("Mcp-Name", "test_simple_text")],
        vec![version, ("Mcp-Method", "tools/list"), ("Mcp-Name", "test_simple_text")],
        vec![version, ("Mcp-Method", "tools/call")],
        vec![version, ("Mcp-Method", "tools/call"), ("Mcp-Name", "other")],
    ] {
        let reply = server.post(&headers, &call).await;
        assert_eq!((reply.status, code(&reply.json())), (400, -32020), "{headers:?}");
    }
    let mut unknown = modern(1, "tools/list", json!({}));
    unknown["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2099-01-01");
    let reply = server.post(&[("MCP-Protocol-Version", "2099-01-01"), ("Mcp-Method", "tools/list")], &unknown).await;
    assert_eq!((reply.status, code(&reply.json())), (400, -32022));
    assert_eq!(reply.json()["error"]["data"]["requested"], "2099-01-01");
    let mut bare = modern(1, "tools/list", json!({}));
    bare["params"]["_meta"].as_object_mut().expect("an object").remove("io.modelcontextprotocol/clientCapabilities");
    let reply = server.modern(&bare).await;
    assert_eq!((reply.status, code(&reply.json())), (400, -32602));
}
