//! The border where expected failures of the engine become answers of tools and errors of the protocol.

use engine::{Error, ErrorKind};

use crate::surface::{ProtocolError, ToolAnswer};
use crate::wire::Failure;

/// A failed tool: the sentence and the way on as text, the same and its code as structure.
#[must_use]
pub fn answer(error: &Error, stale_reason: Option<&str>) -> ToolAnswer {
    let failure = Failure {
        code: error.kind.code().to_owned(),
        message: error.message.clone(),
        hint: error.hint.clone(),
        stale: stale_reason.is_some(),
        stale_reason: stale_reason.map(str::to_owned),
    };
    let mut text = error.to_string();
    if let Some(reason) = stale_reason {
        text.push_str(&format!(" This answer may be stale: {reason}"));
    }
    let structured = serde_json::to_value(failure).unwrap_or_default();
    ToolAnswer::structured_with_text(structured, text).as_error()
}

/// A failed read of a resource. No `_` arm: a new kind must be placed.
#[must_use]
pub fn resource(error: &Error, uri: &str) -> ProtocolError {
    match error.kind {
        // Missing and denied are one answer.
        ErrorKind::NotFound | ErrorKind::Refused => ProtocolError::resource_not_found(uri),
        ErrorKind::BadInput | ErrorKind::Ambiguous => ProtocolError::invalid_params(error.to_string()),
        ErrorKind::Conflict | ErrorKind::Unreachable | ErrorKind::BadConfig => listing(error),
    }
}

/// A failed listing. The sentences of expected failures name no internals.
#[must_use]
pub fn listing(error: &Error) -> ProtocolError {
    ProtocolError::new(ProtocolError::INTERNAL, error.to_string())
}
