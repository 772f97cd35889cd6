//! Messages and non-messages.

use serde_json::json;

use super::*;

#[test]
fn a_request_has_an_id_and_a_notification_has_none() {
    let request = shape(&json!({ "jsonrpc": "2.0", "id": 7, "method": "ping" }));
    assert_eq!(request, Ok(Shape::Request { id: json!(7), method: "ping".into() }));
    let notification = shape(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    assert_eq!(notification, Ok(Shape::Notification { method: "notifications/initialized".into() }));
}

#[test]
fn what_is_no_message_is_an_invalid_request() {
    for (text, id) in [
        (json!(5), json!(null)),
        (json!({ "id": 1, "method": "ping" }), json!(1)),
        (json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }), json!(1)),
        (json!({ "jsonrpc": "2.0", "id": null, "method": "ping" }), json!(null)),
        (json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }), json!(null)),
        (json!({ "jsonrpc": "2.0", "id": true, "method": "ping" }), json!(null)),
        (json!({ "jsonrpc": "2.0", "id": "a", "method": 3 }), json!("a")),
        (json!({ "jsonrpc": "2.0", "id": "a", "method": "ping", "params": [1] }), json!("a")),
        (json!({ "jsonrpc": "2.0", "id": "a" }), json!("a")),
    ] {
        let fault = shape(&text).expect_err("not a message");
        assert_eq!((fault.code, fault.id), (INVALID_REQUEST, id), "{text}");
    }
}

#[test]
fn an_error_without_an_id_is_a_response() {
    let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32700, "message": "Parse error" } });
    assert_eq!(shape(&error), Ok(Shape::Response { id: None }));
}

#[test]
fn the_era_shows_in_the_metadata() {
    let modern = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": { VERSION_KEY: "2026-07-28" } } });
    assert!(is_modern(&modern));
    assert!(is_modern(&json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover" })));
    assert!(!is_modern(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": { "progressToken": 1 } } })));
}

#[test]
fn a_batch_is_refused_as_a_whole_or_not_at_all() {
    let ping = |id: i32| json!({ "jsonrpc": "2.0", "id": id, "method": "ping" });
    assert_eq!(check_batch(&[ping(1), ping(2)], 2), Ok(()));
    let reason = |elements: &[Value]| check_batch(elements, 2).expect_err("refused").message;
    assert_eq!(reason(&[]), "Invalid request: the batch is empty");
    assert_eq!(reason(&[ping(1), ping(2), ping(3)]), "Invalid request: the batch has 3 messages, at most 2 are allowed");
    assert_eq!(reason(&[ping(1), ping(1)]), "Invalid request: the id 1 is used twice in one batch");
    let initialize = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize" });
    assert_eq!(reason(&[initialize]), "Invalid request: initialize must not be part of a batch");
}
