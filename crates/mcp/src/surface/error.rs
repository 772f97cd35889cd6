//! Errors of the protocol: the request could not be served at all. A tool that ran and failed is an answer with `is_error` instead.

use serde_json::{Value, json};

/// Becomes a JSON-RPC error object, unchanged.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message} ({code})")]
pub struct ProtocolError {
    /// JSON-RPC code. Our own codes lie outside -32768..-32000.
    pub code: i32,
    /// A full sentence that names the input; never internals.
    pub message: String,
    /// Structured detail.
    pub data: Option<Value>,
}

impl ProtocolError {
    /// -32602.
    pub const INVALID_PARAMS: i32 = -32602;
    /// -32603.
    pub const INTERNAL: i32 = -32603;
    /// -32601.
    pub const METHOD_NOT_FOUND: i32 = -32601;
    /// The legacy code of a missing resource; the adapter turns it into -32602 for 2026-07-28.
    pub const RESOURCE_NOT_FOUND: i32 = -32002;
    /// -32021: the request needs a capability that the client did not declare.
    pub const MISSING_CAPABILITY: i32 = -32021;

    /// An error without data.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// Adds structured detail.
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }

    /// The request is known, its parameters are not acceptable.
    pub fn invalid_params(message: impl Into<String>) -> Self {
        Self::new(Self::INVALID_PARAMS, message)
    }

    /// No tool of this name.
    pub fn unknown_tool(name: &str) -> Self {
        Self::invalid_params(format!("Unknown tool: {name}"))
    }

    /// No prompt of this name.
    pub fn unknown_prompt(name: &str) -> Self {
        Self::invalid_params(format!("Unknown prompt: {name}"))
    }

    /// No such resource, or none for this caller: the two are one answer.
    pub fn resource_not_found(uri: &str) -> Self {
        Self::new(Self::RESOURCE_NOT_FOUND, "Resource not found").with_data(json!({ "uri": uri }))
    }

    /// A cursor that this server did not make.
    pub fn bad_cursor(cursor: &str) -> Self {
        Self::invalid_params(format!("Invalid cursor: {cursor}"))
    }

    /// A bug. What happened is in the log, not in the answer.
    pub fn internal() -> Self {
        Self::new(Self::INTERNAL, "Internal error")
    }

    /// The client did not declare what this request needs; `required` is a capabilities object such as `{"sampling":{}}`.
    pub fn missing_capability(required: Value) -> Self {
        Self::new(Self::MISSING_CAPABILITY, "Missing required client capability").with_data(json!({ "requiredCapabilities": required }))
    }
}
