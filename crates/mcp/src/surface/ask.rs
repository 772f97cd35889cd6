//! The way back from a call to its client: progress, questions to a person, log lines.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::{Answering, InputNeeded, ProtocolError};

/// One step of a long call.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How far, in the unit of `total`. Must grow; what does not is dropped.
    pub done: f64,
    /// How far it goes, if known.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<String>,
}

/// Takes progress from any thread without waiting. Silent when the client did not ask for progress.
#[derive(Debug, Clone, Default)]
pub struct ProgressSink(Option<mpsc::UnboundedSender<Progress>>);

impl ProgressSink {
    /// A sink that nobody reads.
    pub fn silent() -> Self {
        Self(None)
    }

    pub(crate) fn new(sender: mpsc::UnboundedSender<Progress>) -> Self {
        Self(Some(sender))
    }

    /// Whether anybody listens; reports may be skipped otherwise.
    pub fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// Says how far the call is.
    pub fn report(&self, done: f64, total: Option<f64>, message: Option<String>) {
        if let Some(sender) = &self.0 {
            // The call may outlive the reader by a moment; late progress has no use.
            let _ = sender.send(Progress { done, total, message });
        }
    }
}

/// What a person answered.
#[derive(Debug, Clone, PartialEq)]
pub enum HumanAnswer {
    /// Yes, with these fields.
    Accepted(Map<String, Value>),
    /// No.
    Declined,
    /// The question was closed without an answer.
    Dismissed,
}

/// Why there is no answer yet.
#[derive(Debug, Clone, PartialEq)]
pub enum AskFailure {
    /// The client cannot ask a person. Use another way to consent, or refuse.
    Unable,
    /// Return this as [`super::Reply::NeedsInput`]; the call comes again with the answer (2026-07-28).
    NotYet(InputNeeded),
    /// The client could, and failed.
    Failed(ProtocolError),
}

/// The line of one request, as the adapter lays it. The product uses [`Client`] instead.
pub trait ClientLine: Send + Sync {
    /// Whether the request speaks 2026-07-28, where the server cannot send requests.
    fn is_modern(&self) -> bool;
    /// Whether elicitation has modes (2025-11-25 and later).
    fn knows_modes(&self) -> bool;
    /// Whether nothing but the final answer can reach the client (a batch over HTTP).
    fn is_mute(&self) -> bool;
    /// Sends a request to the client and waits (legacy only).
    fn request(&self, method: &str, params: Value) -> Answering<'_, Value>;
    /// Sends a notification on the stream of this request.
    fn notify(&self, method: &str, params: Value) -> Answering<'_, ()>;
}

/// The client of one request.
pub struct Client {
    line: Arc<dyn ClientLine>,
    settled: Mutex<Map<String, Value>>,
    /// Capabilities object as declared by the client.
    pub capabilities: Value,
    /// Answers to questions of an earlier round, by key.
    pub input_responses: Map<String, Value>,
    /// State of an earlier round. It was sealed, bound to the principal and the target, and checked: it may be trusted.
    pub state: Option<String>,
    /// The log level that this request asked for, if any.
    pub log_level: Option<String>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("capabilities", &self.capabilities).finish_non_exhaustive()
    }
}

impl Client {
    /// A client on this line that declared nothing.
    pub fn new(line: Arc<dyn ClientLine>) -> Self {
        Self { line, settled: Mutex::default(), capabilities: json!({}), input_responses: Map::new(), state: None, log_level: None }
    }

    /// Whether the client declared this capability, such as `elicitation` or `sampling`.
    pub fn declared(&self, capability: &str) -> bool {
        self.capabilities.get(capability).is_some_and(|value| !value.is_null())
    }

    /// Whether a person can be asked through a form. `elicitation: {}` means forms; `{"url": {}}` alone does not.
    pub fn can_ask(&self) -> bool {
        let Some(elicitation) = self.capabilities.get("elicitation").and_then(Value::as_object) else { return false };
        !self.line.is_mute() && (elicitation.contains_key("form") || !elicitation.contains_key("url"))
    }

    /// Asks a person, in whichever way the era has. `key` names the question within this call; `schema` is a flat object schema.
    ///
    /// A call may ask several questions one after the other: on 2026-07-28 it is made again from the start for each, and finds the earlier
    /// answers in the sealed state. An answer counts only if this very question was put for this very call.
    ///
    /// # Errors
    /// [`AskFailure::NotYet`] is no failure: return it, and the call is made again with the answer.
    pub async fn ask(&self, key: &str, message: &str, schema: Value) -> Result<HumanAnswer, AskFailure> {
        if !self.line.is_modern() {
            if !self.can_ask() {
                return Err(AskFailure::Unable);
            }
            let params = self.question(message, schema);
            let answer = self.line.request("elicitation/create", params).await.map_err(AskFailure::Failed)?;
            return human_answer(&answer);
        }
        let round: Value = self.state.as_deref().and_then(|state| serde_json::from_str(state).ok()).unwrap_or_default();
        let earlier = round.pointer("/answers").and_then(|answers| answers.get(key));
        let fresh = if round.get("asked").and_then(Value::as_str) == Some(key) { self.input_responses.get(key) } else { None };
        if let Some(answer) = earlier.or(fresh) {
            self.settled.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_owned(), answer.clone());
            return human_answer(answer);
        }
        if !self.can_ask() {
            return Err(AskFailure::Unable);
        }
        let answers = self.settled.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut needed = InputNeeded { requests: Map::new(), state: Some(json!({ "asked": key, "answers": answers }).to_string()) };
        needed.requests.insert(key.to_owned(), json!({ "method": "elicitation/create", "params": self.question(message, schema) }));
        Err(AskFailure::NotYet(needed))
    }

    /// `mode` came with 2025-11-25; older clients may refuse a field that they do not know.
    fn question(&self, message: &str, schema: Value) -> Value {
        let mut params = json!({ "message": message, "requestedSchema": schema });
        if self.line.knows_modes() {
            params["mode"] = json!("form");
        }
        params
    }

    /// Sends a raw request to a legacy client.
    ///
    /// # Errors
    /// What the client answers, or that it cannot be reached.
    pub async fn request(&self, method: &str, params: Value) -> Result<Value, ProtocolError> {
        self.line.request(method, params).await
    }

    /// Sends a raw notification on the stream of this request.
    ///
    /// # Errors
    /// That the client cannot be reached.
    pub async fn notify(&self, method: &str, params: Value) -> Result<(), ProtocolError> {
        self.line.notify(method, params).await
    }
}

/// The shape is the client's, so anything unexpected is an error that says so.
fn human_answer(answer: &Value) -> Result<HumanAnswer, AskFailure> {
    match answer.get("action").and_then(Value::as_str) {
        Some("accept") => Ok(HumanAnswer::Accepted(answer.get("content").and_then(Value::as_object).cloned().unwrap_or_default())),
        Some("decline") => Ok(HumanAnswer::Declined),
        Some("cancel") => Ok(HumanAnswer::Dismissed),
        _ => Err(AskFailure::Failed(ProtocolError::invalid_params("The answer to an elicitation has no action of accept, decline or cancel."))),
    }
}
