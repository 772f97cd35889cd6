//! Change notifications: each era in its own way, and only to those who asked and may see.

use mcp::surface::Event;
use serde_json::{Value, json};

use crate::wire::{http::Server, legacy, modern, notification};

const WATCHED: &str = "test://watched-resource";
const OWNER_ONLY: &str = "test://owner-only";

fn updated(uri: &str) -> Value {
    notification("notifications/resources/updated", json!({ "uri": uri }))
}

#[tokio::test]
async fn a_legacy_session_hears_of_lists_and_of_what_it_subscribed_to() {
    let server = Server::start().await;
    let session = server.session("2025-06-18").await;
    let mut events = session.listen().await;
    session.call(&legacy(1, "resources/subscribe", json!({ "uri": WATCHED }))).await;
    server.fixtures.emit(Event::ResourceUpdated("test://static-text".into()));
    server.fixtures.emit(Event::ResourceUpdated(WATCHED.into()));
    assert_eq!(events.next().await, Some(updated(WATCHED)));
    session.call(&legacy(2, "resources/unsubscribe", json!({ "uri": WATCHED }))).await;
    server.fixtures.emit(Event::ResourceUpdated(WATCHED.into()));
    for (event, method) in [
        (Event::ToolListChanged, "notifications/tools/list_changed"),
        (Event::PromptListChanged, "notifications/prompts/list_changed"),
        (Event::ResourceListChanged, "notifications/resources/list_changed"),
    ] {
        server.fixtures.emit(event);
        assert_eq!(events.next().await.expect("news")["method"], method);
    }
}

#[tokio::test]
async fn a_listener_is_acknowledged_first_and_hears_what_it_asked_for() {
    let server = Server::start().await;
    let wanted = json!({ "notifications": { "toolsListChanged": true, "resourceSubscriptions": [WATCHED] } });
    let mut events = server.modern_stream("owner", &modern("listen-1", "subscriptions/listen", wanted.clone())).await;
    let acknowledgement = events.next().await.expect("an acknowledgement");
    assert_eq!(acknowledgement["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledgement["params"]["notifications"], wanted["notifications"]);
    for event in [
        Event::PromptListChanged,
        Event::ResourceListChanged,
        Event::ResourceUpdated("test://static-text".into()),
        Event::ResourceUpdated(WATCHED.into()),
        Event::ToolListChanged,
    ] {
        server.fixtures.emit(event);
    }
    for method in ["notifications/resources/updated", "notifications/tools/list_changed"] {
        let message = events.next().await.expect("news");
        assert_eq!(message["method"], method);
        assert_eq!(message["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "listen-1");
    }
    server.shutdown.cancel();
    let last = events.next().await.expect("a result");
    assert_eq!((&last["id"], &last["result"]["resultType"]), (&json!("listen-1"), &json!("complete")));
}

#[tokio::test]
async fn news_of_what_one_may_not_see_is_not_told() {
    let server = Server::start().await;
    let session = server.session_as("bob", "2025-06-18").await;
    let mut legacy_events = session.listen().await;
    for (id, uri) in [OWNER_ONLY, WATCHED].into_iter().enumerate() {
        assert_eq!(session.call(&legacy(id, "resources/subscribe", json!({ "uri": uri }))).await["result"], json!({}));
    }
    let wanted = json!({ "notifications": { "resourceSubscriptions": [OWNER_ONLY, WATCHED] } });
    let mut modern_events = server.modern_stream("bob", &modern(1, "subscriptions/listen", wanted)).await;
    modern_events.next().await.expect("an acknowledgement");
    for uri in [OWNER_ONLY, WATCHED] {
        server.fixtures.emit(Event::ResourceUpdated(uri.into()));
    }
    assert_eq!(legacy_events.next().await, Some(updated(WATCHED)));
    assert_eq!(modern_events.next().await.expect("news")["params"]["uri"], WATCHED);
}

#[tokio::test]
async fn a_listener_that_lags_is_told_that_everything_changed() {
    let server = Server::start().await;
    let wanted = json!({ "notifications": { "resourceSubscriptions": [WATCHED] } });
    let mut events = server.modern_stream("owner", &modern(1, "subscriptions/listen", wanted)).await;
    events.next().await.expect("an acknowledgement");
    // More at once than the channel of the fixtures holds.
    for _ in 0..1000 {
        server.fixtures.emit(Event::PromptListChanged);
    }
    assert_eq!(events.next().await.expect("news")["params"]["uri"], WATCHED);
}
