//! `due_reviews`: decided records whose periodic review is overdue or comes due soon, soonest first.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "due_reviews",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Reviews that are due",
    toggle: "tools.due_reviews",
    budget_chars: 8_000,
    description: "List decided records whose review is overdue or due soon, soonest first.",
};

/// Which reviews to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only records of this project.
    project: Option<String>,
    /// Days to look ahead, default 30; overdue reviews are always listed.
    #[schemars(range(min = 0))]
    within: Option<i64>,
    /// Every scheduled record, not only the due ones.
    #[serde(default)]
    all: bool,
    /// First to list, from 0.
    #[schemars(range(min = 0))]
    offset: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// A window or offset out of range.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Reviews> {
    let window = decisions::ReviewWindow::new(args.within, args.all)?;
    let reviews = decisions::due_reviews(&desk, args.project.as_deref(), window).await?;
    let note = desk.note_on_project(reviews.is_empty(), args.project).await?;
    wire::Reviews::page(reviews, args.offset, note)
}
