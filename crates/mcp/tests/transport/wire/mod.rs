//! What a test needs to speak the protocols by hand.

pub mod http;
pub mod pipe;

use std::{future::Future, time::Duration};

use serde_json::{Value, json};

/// Fails a test that would otherwise wait for ever.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), future).await.expect("an answer within a minute")
}

/// A request of the legacy era.
pub fn legacy(id: impl Into<Value>, method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id.into(), "method": method, "params": params })
}

/// A request of 2026-07-28, from a client that can be asked through forms.
pub fn modern(id: impl Into<Value>, method: &str, mut params: Value) -> Value {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({ "elicitation": {} });
    params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "by-hand", "version": "1" });
    legacy(id, method, params)
}

/// A notification.
pub fn notification(method: &str, params: Value) -> Value {
    json!({ "jsonrpc": "2.0", "method": method, "params": params })
}

/// A handshake.
pub fn initialize(version: &str) -> Value {
    let params = json!({ "protocolVersion": version, "capabilities": { "elicitation": {} }, "clientInfo": { "name": "by-hand", "version": "1" } });
    legacy(0, "initialize", params)
}

/// A call without arguments.
pub fn tool(name: &str) -> Value {
    json!({ "name": name, "arguments": {} })
}

/// The first text of a tool's answer.
pub fn text(answer: &Value) -> &str {
    answer.pointer("/result/content/0/text").and_then(Value::as_str).unwrap_or_default()
}

/// The code of an error.
pub fn code(answer: &Value) -> i64 {
    answer.pointer("/error/code").and_then(Value::as_i64).unwrap_or_default()
}
