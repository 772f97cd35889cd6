//! `rfc_reviews`: open records with reviewers, and whom they wait on.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "rfc_reviews",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Open reviews",
    toggle: "tools.rfc_reviews",
    budget_chars: 8_000,
    description: "List open records that have reviewers, with each one's state and whom the review waits on.",
};

/// Which reviews to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only records that wait on this handle.
    reviewer: Option<String>,
    /// First to list, from 0.
    #[schemars(range(min = 0))]
    offset: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// A negative offset, or a store that cannot be read.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::OpenReviews> {
    wire::OpenReviews::page(decisions::rfc_reviews(&desk, args.reviewer.as_deref()).await?, args.offset)
}
