//! `list_fields`: custom metadata that projects declare, with types and allowed values.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "list_fields",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Custom fields",
    toggle: "tools.list_fields",
    budget_chars: 8_000,
    description: "List the custom metadata fields that are declared for decision records, for use in search_records.",
};

/// Where to begin.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// First to list, from 0.
    #[schemars(range(min = 0))]
    offset: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// A negative offset.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Fields> {
    wire::Fields::page(decisions::list_fields(&desk).await?, args.offset)
}
