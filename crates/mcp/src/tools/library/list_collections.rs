//! `list_collections`: what the library holds.

use engine::policy::Effect;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "list_collections",
    toolset: Toolset::Library,
    effect: Effect::Reads,
    default_on: true,
    title: "Collections of the library",
    toggle: "tools.list_collections",
    budget_chars: 8_000,
    description: "List the collections of the library with their kinds, sizes and problems.",
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
/// A negative offset, or a store that cannot be read.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Collections> {
    wire::Collections::page(desk.library.status().await?, args.offset)
}
