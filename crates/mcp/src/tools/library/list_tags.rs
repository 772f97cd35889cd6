//! `list_tags`: tags with how often they occur, most used first.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "list_tags",
    toolset: Toolset::Library,
    effect: Effect::Reads,
    default_on: true,
    title: "Tags",
    toggle: "tools.list_tags",
    budget_chars: 8_000,
    description: "List tags with counts, most used first.",
};

/// Which tags to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only tags of this project.
    project: Option<String>,
    /// First to list, from 0.
    #[schemars(range(min = 0))]
    offset: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// A negative offset, or a store that cannot be read.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Tags> {
    let tags = decisions::list_tags(&desk, args.project.as_deref()).await?;
    let note = desk.note_on_project(tags.is_empty(), args.project).await?;
    wire::Tags::page(tags, args.offset, note)
}
