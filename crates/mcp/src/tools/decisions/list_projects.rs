//! `list_projects`: the projects of the decision records, in the order of their `_project.yml`.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "list_projects",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Projects",
    toggle: "tools.list_projects",
    budget_chars: 8_000,
    description: "List the projects that have decision records, with owners and counts.",
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
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Projects> {
    wire::Projects::page(decisions::list_projects(&desk).await?, args.offset)
}
