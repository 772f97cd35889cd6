//! Rounds of one request: what came back from the client, and what sealed state is bound to.

use rmcp::model as sdk;
use serde_json::{Map, Value};

use crate::surface::Caller;

/// What a request says about earlier rounds, and what sealed state is bound to.
#[derive(Clone, Copy)]
pub(super) struct Round<'a> {
    pub method: &'a str,
    pub target: &'a str,
    pub arguments: Option<&'a Map<String, Value>>,
    pub responses: &'a Option<sdk::InputResponses>,
    pub state: Option<&'a String>,
}

impl Round<'_> {
    /// Principal, method, target and arguments: an answer given to one question cannot be used for another.
    pub(super) fn binding(&self, caller: &Caller) -> Vec<u8> {
        let arguments = self.arguments.map(canonical).unwrap_or_default();
        [caller.principal.as_str(), self.method, self.target, &arguments].join("\0").into_bytes()
    }
}

/// The arguments with sorted keys: a client may send them again in another order.
fn canonical(arguments: &Map<String, Value>) -> String {
    fn sorted(value: &Value) -> Value {
        match value {
            Value::Object(object) => {
                let mut keys: Vec<_> = object.keys().collect();
                keys.sort();
                Value::Object(keys.into_iter().map(|key| (key.clone(), sorted(&object[key]))).collect())
            }
            Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
            other => other.clone(),
        }
    }
    if arguments.is_empty() { String::new() } else { sorted(&Value::Object(arguments.clone())).to_string() }
}
