//! Expected failures on the wire: what an agent needs to correct itself.

use schemars::JsonSchema;
use serde::Serialize;

/// An expected failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Failure {
    /// `bad_input`, `not_found`, `ambiguous`, `conflict`, `refused`, `unreachable` or `bad_config`.
    pub code: String,
    /// A sentence that names the input and the reason.
    pub message: String,
    /// The way on.
    pub hint: Option<String>,
    /// True when the library may be older than its files, so that the failure may be too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// Why it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_reason: Option<String>,
}
