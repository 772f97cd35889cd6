//! JSON-RPC envelopes before the SDK sees them: what a message is, and the errors for what is none. Pure.

use serde_json::{Value, json};

/// The key of `_meta` that marks a request of 2026-07-28 or later.
const VERSION_KEY: &str = "io.modelcontextprotocol/protocolVersion";

/// What a well-formed message is.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// It wants an answer under this id.
    Request {
        /// A string or an integer.
        id: Value,
        /// Its method.
        method: String,
    },
    /// It wants none.
    Notification {
        /// Its method.
        method: String,
    },
    /// It answers a request of ours.
    Response {
        /// Id of our request; absent in an error that could not be matched.
        id: Option<Value>,
    },
}

/// Why something is not a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// -32700 or -32600.
    pub code: i32,
    /// The reason.
    pub message: String,
    /// The id, as far as one could be read.
    pub id: Value,
}

/// JSON-RPC: the text is not JSON.
pub const PARSE_ERROR: i32 = -32700;
/// JSON-RPC: the JSON is not a message.
pub const INVALID_REQUEST: i32 = -32600;
/// JSON-RPC: the parameters do not fit the method.
pub const INVALID_PARAMS: i32 = -32602;
/// JSON-RPC: something broke on our side.
pub const INTERNAL_ERROR: i32 = -32603;

impl Fault {
    /// A fault without an id.
    pub fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), id: Value::Null }
    }

    /// The error response.
    pub fn reply(&self) -> Value {
        error_reply(self.id.clone(), self.code, &self.message)
    }
}

/// An error response. `id` is null where the request had none that could be read.
pub fn error_reply(id: Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// Reads JSON.
///
/// # Errors
/// -32700, with the place of the error but no text of the input.
pub fn parse(bytes: &[u8]) -> Result<Value, Fault> {
    serde_json::from_slice(bytes).map_err(|error| Fault::new(PARSE_ERROR, format!("Parse error: {error}")))
}

/// Says what a message is.
///
/// # Errors
/// -32600 for everything that is not a JSON-RPC 2.0 message of MCP, `id: null` included.
pub fn shape(message: &Value) -> Result<Shape, Fault> {
    let Some(object) = message.as_object() else {
        return Err(Fault::new(INVALID_REQUEST, "Invalid request: a message is a JSON object"));
    };
    let id = object.get("id").filter(|id| id.is_string() || id.is_i64() || id.is_u64()).cloned();
    let fault = |reason: &str| Fault { code: INVALID_REQUEST, message: format!("Invalid request: {reason}"), id: id.clone().unwrap_or_default() };
    if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
        return Err(fault("jsonrpc must be \"2.0\""));
    }
    let is_answer = object.contains_key("result") || object.contains_key("error");
    if object.contains_key("id") && id.is_none() && !(is_answer && object["id"].is_null()) {
        return Err(fault("id must be a string or an integer"));
    }
    match object.get("method") {
        Some(Value::String(method)) => {
            if object.get("params").is_some_and(|params| !params.is_object() && !params.is_null()) {
                return Err(fault("params must be an object"));
            }
            Ok(match id {
                Some(id) => Shape::Request { id, method: method.clone() },
                None => Shape::Notification { method: method.clone() },
            })
        }
        Some(_) => Err(fault("method must be a string")),
        None if is_answer => Ok(Shape::Response { id }),
        None => Err(fault("neither a method nor a result")),
    }
}

/// Whether a message belongs to the stateless era: it carries the modern `_meta`, or only exists there.
pub fn is_modern(message: &Value) -> bool {
    let has_version = message.pointer("/params/_meta").and_then(Value::as_object).is_some_and(|meta| meta.contains_key(VERSION_KEY));
    has_version || message.get("method").and_then(Value::as_str) == Some("server/discover")
}

/// Checks the parameters of a legacy `initialize`. The SDK would treat a malformed one as an unknown method.
///
/// # Errors
/// -32602 with the name of what is missing.
pub fn check_initialize(id: &Value, message: &Value) -> Result<(), Fault> {
    let missing = |name: &str| Fault { code: INVALID_PARAMS, message: format!("Invalid params: initialize needs {name}"), id: id.clone() };
    let params = message.get("params").unwrap_or(&Value::Null);
    if !params.get("protocolVersion").is_some_and(Value::is_string) {
        return Err(missing("protocolVersion"));
    }
    if !params.get("capabilities").is_some_and(Value::is_object) {
        return Err(missing("capabilities"));
    }
    let client = params.get("clientInfo").unwrap_or(&Value::Null);
    if !client.get("name").is_some_and(Value::is_string) || !client.get("version").is_some_and(Value::is_string) {
        return Err(missing("clientInfo with name and version"));
    }
    Ok(())
}

/// The id that a response answers, if the message is one.
pub fn answered_id(message: &Value) -> Option<&Value> {
    let is_answer = message.get("method").is_none() && (message.get("result").is_some() || message.get("error").is_some());
    if is_answer { message.get("id") } else { None }
}

/// Whether peers of this revision may send arrays. 2025-03-26 has batches; 2025-06-18 took them away, but the server that ibid replaces
/// for decision records accepted them there too, and its clients were promised so.
pub fn allows_batches(version: &str) -> bool {
    matches!(version, "2025-03-26" | "2025-06-18")
}

/// Checks an array as a whole, before any element runs.
///
/// # Errors
/// -32600: empty, too long, an `initialize` inside, a modern request inside, or one id used twice.
pub fn check_batch(elements: &[Value], max_len: usize) -> Result<(), Fault> {
    let refuse = |reason: String| Err(Fault::new(INVALID_REQUEST, format!("Invalid request: {reason}")));
    if elements.is_empty() {
        return refuse("the batch is empty".to_owned());
    }
    if elements.len() > max_len {
        return refuse(format!("the batch has {} messages, at most {max_len} are allowed", elements.len()));
    }
    let mut ids: Vec<&Value> = Vec::new();
    for element in elements {
        if element.get("method").and_then(Value::as_str) == Some("initialize") {
            return refuse("initialize must not be part of a batch".to_owned());
        }
        if is_modern(element) {
            return refuse("batches do not exist in 2026-07-28".to_owned());
        }
        if element.get("method").is_some()
            && let Some(id) = element.get("id").filter(|id| !id.is_null())
        {
            if ids.contains(&id) {
                return refuse(format!("the id {id} is used twice in one batch"));
            }
            ids.push(id);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
