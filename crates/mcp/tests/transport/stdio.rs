//! One pair of streams: both eras, batches, noise, and the end of the input.

use mcp::{stdio::StdioOptions, surface::Event};
use serde_json::{Value, json};

use crate::wire::{code, initialize, legacy, modern, notification, pipe::Pipe, soon, text, tool};

#[tokio::test]
async fn every_legacy_revision_is_agreed_to_and_others_get_the_newest_one() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        Pipe::session(version).await;
    }
    for version in ["2026-07-28", "2099-01-01", "1.0"] {
        let answer = Pipe::start().ask(&initialize(version)).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-11-25", "{version}");
    }
}

#[tokio::test]
async fn a_notification_as_first_line_does_not_end_the_process() {
    let mut pipe = Pipe::start();
    pipe.send(&notification("notifications/initialized", json!({}))).await;
    pipe.send(&notification("notifications/cancelled", json!({ "requestId": 1 }))).await;
    pipe.send(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} })).await;
    assert_eq!(pipe.ask(&initialize("2025-06-18")).await["id"], 0);
}

#[tokio::test]
async fn what_is_no_message_is_answered_and_the_pipe_lives_on() {
    let mut pipe = Pipe::session("2025-11-25").await;
    for (line, expected) in [
        ("{", -32700),
        ("\u{fffd}\u{fffd}", -32700),
        ("[1", -32700),
        ("5", -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"id":1,"method":"ping"}"#, -32600),
        ("[]", -32600),
    ] {
        pipe.line(line).await;
        assert_eq!(code(&pipe.next().await.expect("an answer")), expected, "{line}");
    }
    pipe.line("").await;
    pipe.line("  \t ").await;
    assert_eq!(pipe.ask(&legacy(9, "ping", json!({}))).await, json!({ "jsonrpc": "2.0", "id": 9, "result": {} }));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_refused_and_skipped() {
    let mut pipe = Pipe::with(StdioOptions { max_line_bytes: 300, ..StdioOptions::default() });
    pipe.line(&legacy(1, "ping", json!({ "filler": "x".repeat(100_000) })).to_string()).await;
    let answer = pipe.next().await.expect("an answer");
    assert_eq!(answer["error"]["message"], "Invalid request: a line is longer than 300 bytes");
    assert_eq!(pipe.ask(&initialize("2025-06-18")).await["id"], 0);
}

#[tokio::test]
async fn modern_requests_need_no_handshake() {
    let mut pipe = Pipe::start();
    let answer = pipe.ask(&modern("a", "server/discover", json!({}))).await;
    assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "conformance-fixtures");
    assert_eq!(answer["result"]["ttlMs"], 60_000);
    let answer = pipe.ask(&modern("b", "tools/call", tool("test_simple_text"))).await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["version"], "1.0.0");
}

#[tokio::test]
async fn both_eras_share_one_pipe_in_any_order() {
    let mut pipe = Pipe::start();
    assert!(pipe.ask(&modern(1, "tools/call", tool("test_simple_text"))).await["result"]["resultType"].is_string());
    assert_eq!(pipe.ask(&initialize("2025-06-18")).await["result"]["protocolVersion"], "2025-06-18");
    pipe.send(&notification("notifications/initialized", json!({}))).await;
    let answer = pipe.ask(&legacy(2, "tools/call", tool("test_simple_text"))).await;
    assert!(answer["result"]["resultType"].is_null(), "{answer}");
    assert!(pipe.ask(&modern(3, "tools/list", json!({}))).await["result"]["ttlMs"].is_number());
    assert!(pipe.ask(&legacy(4, "tools/list", json!({}))).await["result"]["ttlMs"].is_null());
}

#[tokio::test]
async fn methods_that_an_era_does_not_have_are_unknown_there() {
    let mut pipe = Pipe::session("2025-11-25").await;
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe", "no/such"] {
        let answer = pipe.ask(&modern(1, method, json!({}))).await;
        assert_eq!(code(&answer), -32601, "{answer}");
    }
    let answer = pipe.ask(&legacy(1, "no/such", json!({}))).await;
    assert_eq!(code(&answer), -32601, "{answer}");
}

#[tokio::test]
async fn known_methods_with_bad_parameters_are_not_unknown() {
    let mut pipe = Pipe::session("2025-11-25").await;
    for method in ["tools/call", "resources/read", "prompts/get", "completion/complete"] {
        assert_eq!(code(&pipe.ask(&legacy(1, method, json!({ "nonsense": 1 }))).await), -32602, "{method}");
        assert_eq!(code(&pipe.ask(&modern(1, method, json!({ "nonsense": 1 }))).await), -32602, "{method}");
    }
    for method in ["resources/subscribe", "logging/setLevel", "initialize"] {
        assert_eq!(code(&pipe.ask(&legacy(1, method, json!({ "nonsense": 1 }))).await), -32602, "{method}");
    }
}

#[tokio::test]
async fn requests_before_initialized_are_served() {
    let mut pipe = Pipe::start();
    pipe.ask(&initialize("2025-11-25")).await;
    assert_eq!(pipe.ask(&legacy(1, "logging/setLevel", json!({ "level": "debug" }))).await["result"], json!({}));
    assert_eq!(text(&pipe.ask(&legacy(2, "tools/call", tool("test_simple_text"))).await), "This is a simple text response for testing.");
}

fn ids(array: &Value) -> Vec<i64> {
    let mut ids: Vec<i64> = array.as_array().expect("an array").iter().filter_map(|answer| answer["id"].as_i64()).collect();
    ids.sort_unstable();
    ids
}

#[tokio::test]
async fn a_batch_is_answered_as_one_array() {
    for version in ["2025-03-26", "2025-06-18"] {
        let mut pipe = Pipe::session(version).await;
        let batch = json!([
            legacy(1, "ping", json!({})),
            notification("notifications/roots/list_changed", json!({})),
            legacy(2, "tools/call", tool("test_simple_text")),
            legacy(3, "no/such", json!({})),
            { "jsonrpc": "2.0", "id": 4 },
        ]);
        assert_eq!(ids(&pipe.ask(&batch).await), [1, 2, 3, 4]);
        // Outside of the array, one message is one line again.
        assert_eq!(pipe.ask(&legacy(5, "ping", json!({}))).await["id"], 5);
    }
}

#[tokio::test]
async fn a_batch_of_notifications_has_no_answer() {
    let mut pipe = Pipe::session("2025-03-26").await;
    pipe.send(&json!([notification("notifications/roots/list_changed", json!({}))])).await;
    assert_eq!(pipe.ask(&legacy(1, "ping", json!({}))).await["id"], 1);
}

#[tokio::test]
async fn batches_are_refused_where_they_do_not_exist() {
    let ping = legacy(1, "ping", json!({}));
    assert_eq!(code(&Pipe::start().ask(&json!([ping])).await), -32600);
    assert_eq!(code(&Pipe::session("2025-11-25").await.ask(&json!([ping])).await), -32600);
    assert_eq!(code(&Pipe::session("2024-11-05").await.ask(&json!([ping])).await), -32600);
    let mut pipe = Pipe::session("2025-03-26").await;
    assert_eq!(code(&pipe.ask(&json!([ping, initialize("2025-03-26")])).await), -32600);
    assert_eq!(code(&pipe.ask(&json!([modern(1, "tools/list", json!({}))])).await), -32600);
    assert_eq!(code(&pipe.ask(&Value::Array(vec![ping; 101])).await), -32600);
}

#[tokio::test]
async fn a_batch_does_not_wait_for_an_element_that_was_cancelled() {
    let mut pipe = Pipe::session("2025-03-26").await;
    pipe.send(&json!([legacy(1, "tools/call", tool("test_waiting")), legacy(2, "ping", json!({}))])).await;
    let mut waiting = pipe.fixtures.waiting.subscribe();
    soon(waiting.wait_for(|(begun, _)| *begun == 1)).await.expect("the call begins");
    pipe.send(&notification("notifications/cancelled", json!({ "requestId": 1 }))).await;
    assert_eq!(ids(&pipe.next().await.expect("an answer")), [2]);
    soon(waiting.wait_for(|(_, cancelled)| *cancelled == 1)).await.expect("the call stops");
}

#[tokio::test]
async fn a_cancelled_request_stops_and_is_not_answered() {
    for request in [legacy(7, "tools/call", tool("test_waiting")), modern(7, "tools/call", tool("test_waiting"))] {
        let mut pipe = Pipe::session("2025-11-25").await;
        let mut waiting = pipe.fixtures.waiting.subscribe();
        pipe.send(&request).await;
        soon(waiting.wait_for(|(begun, _)| *begun == 1)).await.expect("the call begins");
        pipe.send(&notification("notifications/cancelled", json!({ "requestId": 7 }))).await;
        soon(waiting.wait_for(|(_, cancelled)| *cancelled == 1)).await.expect("the call stops");
        assert_eq!(pipe.ask(&legacy(8, "ping", json!({}))).await["id"], 8);
        assert_eq!(pipe.end().await.0, Vec::<Value>::new());
    }
}

#[tokio::test]
async fn answers_in_flight_are_sent_after_the_input_ended() {
    let mut pipe = Pipe::session("2025-06-18").await;
    pipe.send(&legacy(1, "tools/call", tool("test_tool_with_progress"))).await;
    pipe.send(&modern(2, "tools/call", tool("test_tool_with_progress"))).await;
    let (rest, ended) = pipe.end().await;
    let mut answered: Vec<_> = rest.iter().filter_map(|answer| answer["id"].as_i64()).collect();
    answered.sort_unstable();
    assert_eq!(answered, [1, 2]);
    assert!(ended.is_ok());
}

#[tokio::test]
async fn an_input_without_any_message_ends_well() {
    let (rest, ended) = Pipe::start().end().await;
    assert!(rest.is_empty() && ended.is_ok());
}

#[tokio::test]
async fn progress_comes_before_the_answer_and_grows() {
    let mut pipe = Pipe::session("2025-11-25").await;
    let mut params = tool("test_tool_with_progress");
    params["_meta"] = json!({ "progressToken": "p" });
    for request in [legacy(1, "tools/call", params.clone()), modern(1, "tools/call", params)] {
        pipe.send(&request).await;
        let mut seen = Vec::new();
        loop {
            let message = pipe.next().await.expect("a message");
            if message["id"] == 1 {
                break;
            }
            assert_eq!(message["params"]["progressToken"], "p");
            seen.push(message["params"]["progress"].as_f64().unwrap_or_default());
        }
        assert_eq!(seen, [0.0, 50.0, 100.0]);
    }
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_internals() {
    let mut pipe = Pipe::session("2025-11-25").await;
    for request in [legacy(1, "tools/call", tool("test_panic")), modern(1, "tools/call", tool("test_panic"))] {
        let answer = pipe.ask(&request).await;
        assert_eq!(answer["error"], json!({ "code": -32603, "message": "Internal error" }));
    }
    assert_eq!(pipe.ask(&legacy(2, "ping", json!({}))).await["id"], 2);
}

#[tokio::test]
async fn both_eras_hear_of_changes_on_one_pipe() {
    let mut pipe = Pipe::session("2025-11-25").await;
    assert_eq!(pipe.ask(&legacy(1, "resources/subscribe", json!({ "uri": "test://watched-resource" }))).await["result"], json!({}));
    let wanted = json!({ "notifications": { "resourceSubscriptions": ["test://watched-resource"] } });
    pipe.send(&modern("l", "subscriptions/listen", wanted)).await;
    let acknowledgement = pipe.next().await.expect("an acknowledgement");
    assert_eq!(acknowledgement["method"], "notifications/subscriptions/acknowledged");
    // The listener subscribes to events right after it acknowledged; a request on the same lane comes after that.
    pipe.ask(&modern(2, "tools/list", json!({}))).await;
    pipe.fixtures.emit(Event::ResourceUpdated("test://something-else".into()));
    pipe.fixtures.emit(Event::ResourceUpdated("test://watched-resource".into()));
    let mut news = [pipe.next().await.expect("news"), pipe.next().await.expect("news")];
    news.sort_by_key(|message| message["params"]["_meta"].is_object());
    assert_eq!(news[0], notification("notifications/resources/updated", json!({ "uri": "test://watched-resource" })));
    assert_eq!(news[1]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "l");
    let (rest, ended) = pipe.end().await;
    assert_eq!(rest.iter().map(|message| &message["id"]).collect::<Vec<_>>(), ["l"], "the subscription ends with the input");
    assert!(ended.is_ok());
}

#[tokio::test]
async fn a_question_reaches_a_legacy_client_and_its_answer_comes_back() {
    let mut pipe = Pipe::session("2025-06-18").await;
    let mut params = tool("test_elicitation");
    params["arguments"] = json!({ "message": "Who are you?" });
    let question = pipe.ask(&legacy(1, "tools/call", params)).await;
    assert_eq!(question["method"], "elicitation/create");
    assert!(question["params"]["mode"].is_null(), "modes came with 2025-11-25");
    let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "accept", "content": { "username": "u", "email": "e" } } });
    assert_eq!(text(&pipe.ask(&answer).await), r#"User response: action=accept, content={"username":"u","email":"e"}"#);
}

#[tokio::test]
async fn the_server_can_be_stopped_from_inside() {
    let pipe = Pipe::session("2025-06-18").await;
    pipe.shutdown.cancel();
    assert!(pipe.end().await.1.is_ok());
}
