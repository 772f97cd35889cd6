//! Requests that reach the server: answers, errors, progress, cancellation, rounds, in both eras.

use serde_json::{Value, json};

use crate::wire::{code, http::Server, legacy, modern, notification, soon, text, tool};

#[tokio::test]
async fn modern_results_carry_the_name_of_the_server_and_legacy_ones_do_not() {
    let server = Server::start().await;
    let session = server.session("2025-11-25").await;
    let completion = json!({ "ref": { "type": "ref/prompt", "name": "test_prompt_with_arguments" }, "argument": { "name": "arg1", "value": "par" } });
    for (method, params) in [
        ("tools/list", json!({})),
        ("tools/call", tool("test_simple_text")),
        ("tools/call", tool("test_input_required_result_elicitation")),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "test://static-text" })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "test_simple_prompt" })),
        ("completion/complete", completion),
    ] {
        let answer = server.modern(&modern(1, method, params.clone())).await.json();
        let name = &answer["result"]["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(name, &json!({ "name": "conformance-fixtures", "version": "1.0.0" }), "{method}: {answer}");
        assert!(answer["result"]["resultType"].is_string(), "{method}");
        if params["name"] != "test_input_required_result_elicitation" {
            let answer = session.call(&legacy(1, method, params)).await;
            assert!(answer["result"].is_object(), "{method}: {answer}");
            for key in ["_meta", "resultType", "ttlMs", "cacheScope"] {
                assert!(answer["result"][key].is_null(), "{method}: {answer}");
            }
        }
    }
}

#[tokio::test]
async fn cacheable_results_say_how_long_and_for_whom() {
    let server = Server::start().await;
    for (method, params) in [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "test://static-text" })),
        ("prompts/list", json!({})),
    ] {
        let answer = server.modern(&modern(1, method, params)).await.json();
        assert_eq!((&answer["result"]["ttlMs"], &answer["result"]["cacheScope"]), (&json!(60_000), &json!("public")), "{method}");
    }
}

#[tokio::test]
async fn both_eras_advertise_the_same_capabilities() {
    let server = Server::start().await;
    let agreed = server.session("2025-11-25").await.agreed;
    let discovered = server.modern(&modern(1, "server/discover", json!({}))).await.json();
    assert_eq!(agreed["result"]["capabilities"], discovered["result"]["capabilities"]);
    assert_eq!(agreed["result"]["instructions"], discovered["result"]["instructions"]);
    assert_eq!(agreed["result"]["capabilities"]["resources"], json!({ "subscribe": true, "listChanged": true }));
}

#[tokio::test]
async fn a_missing_resource_has_the_code_of_its_era() {
    let server = Server::start().await;
    let params = json!({ "uri": "test://no-such" });
    let reply = server.modern(&modern(1, "resources/read", params.clone())).await;
    assert_eq!(reply.status, 200);
    assert_eq!(reply.json()["error"], json!({ "code": -32602, "message": "Resource not found", "data": { "uri": "test://no-such" } }));
    let answer = server.session("2025-06-18").await.call(&legacy(1, "resources/read", params)).await;
    assert_eq!(answer["error"], json!({ "code": -32002, "message": "Resource not found", "data": { "uri": "test://no-such" } }));
}

#[tokio::test]
async fn known_methods_with_bad_parameters_are_not_unknown() {
    let server = Server::start().await;
    let session = server.session("2025-11-25").await;
    for method in ["tools/call", "resources/read", "prompts/get", "completion/complete"] {
        let reply = server.modern(&modern(1, method, json!({ "nonsense": 1 }))).await;
        assert_eq!((reply.status, code(&reply.json())), (200, -32602), "{method}");
        assert_eq!(code(&session.call(&legacy(1, method, json!({ "nonsense": 1 }))).await), -32602, "{method}");
    }
}

#[tokio::test]
async fn methods_that_an_era_does_not_have_are_unknown_there() {
    let server = Server::start().await;
    let handshake = json!({ "protocolVersion": "2026-07-28", "capabilities": {}, "clientInfo": { "name": "x", "version": "1" } });
    for (method, params) in [
        ("initialize", json!({})),
        ("initialize", handshake),
        ("ping", json!({})),
        ("logging/setLevel", json!({})),
        ("resources/subscribe", json!({})),
        ("resources/unsubscribe", json!({})),
        ("no/such", json!({})),
    ] {
        let reply = server.modern(&modern(1, method, params)).await;
        assert_eq!((reply.status, code(&reply.json())), (404, -32601), "{method}");
    }
    let reply = server.session("2025-11-25").await.post(&legacy(1, "no/such", json!({}))).await;
    assert_eq!((reply.status, code(&reply.json())), (200, -32601));
}

#[tokio::test]
async fn unknown_names_and_cursors_are_bad_parameters() {
    let server = Server::start().await;
    for (method, params) in [
        ("tools/call", tool("no_such_tool")),
        ("prompts/get", json!({ "name": "no_such_prompt" })),
        ("tools/list", json!({ "cursor": "x" })),
        ("resources/list", json!({ "cursor": "x" })),
    ] {
        let reply = server.modern(&modern(1, method, params)).await;
        assert_eq!((reply.status, code(&reply.json())), (200, -32602), "{method}");
    }
    let answer = server.modern(&modern(1, "resources/list", json!({ "cursor": "test://static-binary" }))).await.json();
    assert_eq!(answer["result"]["resources"][0]["uri"], "test://watched-resource");
}

#[tokio::test]
async fn codes_of_our_own_pass_through() {
    let server = Server::start().await;
    let expected = json!({ "code": -31_999, "message": "A code of our own", "data": { "hint": "none" } });
    assert_eq!(server.modern(&modern(1, "tools/call", tool("test_internal_error"))).await.json()["error"], expected);
}

#[tokio::test]
async fn a_panic_is_an_internal_error_without_internals() {
    let server = Server::start().await;
    let session = server.session("2025-11-25").await;
    for _ in 0..2 {
        let answer = server.modern(&modern(1, "tools/call", tool("test_panic"))).await.json();
        assert_eq!(answer["error"], json!({ "code": -32603, "message": "Internal error" }));
        let answer = session.call(&legacy(1, "tools/call", tool("test_panic"))).await;
        assert_eq!(answer["error"], json!({ "code": -32603, "message": "Internal error" }));
    }
}

#[tokio::test]
async fn progress_comes_before_the_answer_on_the_same_stream() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    let mut params = tool("test_tool_with_progress");
    params["_meta"] = json!({ "progressToken": 5 });
    let replies = [server.modern(&modern(1, "tools/call", params.clone())).await, session.post(&legacy(1, "tools/call", params)).await];
    for reply in replies {
        let messages = reply.messages();
        let progress: Vec<&Value> = messages.iter().map(|message| &message["params"]["progress"]).collect();
        assert_eq!(progress, [&json!(0.0), &json!(50.0), &json!(100.0), &json!(null)]);
        assert_eq!(messages[3]["id"], 1);
    }
}

#[tokio::test]
async fn a_legacy_request_is_cancelled_by_a_notification_and_then_has_no_answer() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    let mut waiting = server.fixtures.waiting.subscribe();
    let mut stream = session.stream(&legacy(7, "tools/call", tool("test_waiting"))).await;
    soon(waiting.wait_for(|(begun, _)| *begun == 1)).await.expect("the call begins");
    session.post(&notification("notifications/cancelled", json!({ "requestId": 7 }))).await;
    soon(waiting.wait_for(|(_, cancelled)| *cancelled == 1)).await.expect("the call stops");
    assert_eq!(stream.next().await, None);
}

#[tokio::test]
async fn hanging_up_cancels_a_modern_request_but_not_a_legacy_one() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    let mut waiting = server.fixtures.waiting.subscribe();
    let legacy_stream = session.stream(&legacy(7, "tools/call", tool("test_waiting"))).await;
    soon(waiting.wait_for(|(begun, _)| *begun == 1)).await.expect("the legacy call begins");
    drop(legacy_stream);
    let modern_stream = server.modern_stream("owner", &modern(7, "tools/call", tool("test_waiting"))).await;
    soon(waiting.wait_for(|(begun, _)| *begun == 2)).await.expect("the modern call begins");
    drop(modern_stream);
    soon(waiting.wait_for(|(_, cancelled)| *cancelled == 1)).await.expect("the modern call stops");
    // The legacy call still waits: it takes a notification to stop it.
    session.post(&notification("notifications/cancelled", json!({ "requestId": 7 }))).await;
    soon(waiting.wait_for(|(_, cancelled)| *cancelled == 2)).await.expect("the legacy call stops");
}

#[tokio::test]
async fn a_question_takes_another_round_in_the_modern_era() {
    let server = Server::start().await;
    let call = |extra: Value| {
        let mut params = tool("test_input_required_result_elicitation");
        if let (Some(params), Value::Object(extra)) = (params.as_object_mut(), extra) {
            params.extend(extra);
        }
        modern(1, "tools/call", params)
    };
    let first = server.modern(&call(json!({}))).await.json();
    assert_eq!(first["result"]["resultType"], "input_required");
    assert_eq!(first["result"]["inputRequests"]["user_name"]["method"], "elicitation/create");
    let state = first["result"]["requestState"].clone();
    let responses = json!({ "user_name": { "action": "accept", "content": { "name": "Ada" } } });
    let answered = call(json!({ "inputResponses": responses, "requestState": state }));
    assert_eq!(text(&server.modern(&answered).await.json()), "Hello, Ada!");
    // An answer to a question that was never put does not count.
    let unasked = server.modern(&call(json!({ "inputResponses": responses }))).await.json();
    assert_eq!(unasked["result"]["resultType"], "input_required");
    // The state belongs to one principal and one call.
    assert_eq!(code(&server.modern_as("mallory", &answered).await.json()), -32602);
    let mut elsewhere = answered.clone();
    elsewhere["params"]["name"] = json!("test_streaming_elicitation");
    assert_eq!(code(&server.modern(&elsewhere).await.json()), -32602);
    let mut other_arguments = answered.clone();
    other_arguments["params"]["arguments"] = json!({ "delete": "everything" });
    assert_eq!(code(&server.modern(&other_arguments).await.json()), -32602);
    let mut tampered = answered;
    tampered["params"]["requestState"] = json!(format!("{}x", state.as_str().unwrap_or_default()));
    assert_eq!(code(&server.modern(&tampered).await.json()), -32602);
}

#[tokio::test]
async fn a_client_that_cannot_ask_is_not_asked() {
    let server = Server::start().await;
    let mut call = modern(1, "tools/call", tool("test_input_required_result_elicitation"));
    call["params"]["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
    assert_eq!(text(&server.modern(&call).await.json()), "The client cannot ask a person.");
}

#[tokio::test]
async fn a_question_reaches_a_legacy_client_on_the_stream_of_its_call() {
    let server = Server::start().await;
    let session = server.session("2025-11-25").await;
    let mut params = tool("test_elicitation");
    params["arguments"] = json!({ "message": "Who are you?" });
    let mut stream = session.stream(&legacy(1, "tools/call", params)).await;
    let question = stream.next().await.expect("a question");
    assert_eq!((&question["method"], &question["params"]["mode"]), (&json!("elicitation/create"), &json!("form")));
    session.post(&json!({ "jsonrpc": "2.0", "id": question["id"], "result": { "action": "decline" } })).await;
    assert_eq!(text(&stream.next().await.expect("an answer")), "User response: action=decline, content={}");
}

#[tokio::test]
async fn many_requests_at_once_are_all_answered() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    let call = tool("test_who_asks");
    let modern_calls = (0..100).map(|id| {
        let message = modern(id, "tools/call", call.clone());
        let server = &server;
        async move { (id, server.modern(&message).await.json()) }
    });
    let legacy_calls = (0..100).map(|id| {
        let message = legacy(id, "tools/call", call.clone());
        let session = &session;
        async move { (id, session.call(&message).await) }
    });
    let modern_answers = soon(futures_util::future::join_all(modern_calls)).await;
    let legacy_answers = soon(futures_util::future::join_all(legacy_calls)).await;
    for (id, answer) in modern_answers.into_iter().chain(legacy_answers) {
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["isError"], false);
    }
}
