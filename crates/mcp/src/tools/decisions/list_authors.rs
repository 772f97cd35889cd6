//! `list_authors`: who wrote decision records, and how many.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "list_authors",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Authors",
    toggle: "tools.list_authors",
    budget_chars: 8_000,
    description: "List the authors of decision records with counts; deciders do not count.",
};

/// Which authors to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only authors of this project.
    project: Option<String>,
    /// First to list, from 0.
    #[schemars(range(min = 0))]
    offset: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// A negative offset, or a store that cannot be read.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Authors> {
    let authors = decisions::list_authors(&desk, args.project.as_deref()).await?;
    let note = desk.note_on_project(authors.is_empty(), args.project).await?;
    wire::Authors::page(authors, args.offset, note)
}
