//! `supersede_record`: one decision record takes the place of another, and both say so.

use engine::decisions;
use engine::policy::Effect;
use engine::write::Draft;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset, Wish};

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "supersede_record",
    toolset: Toolset::Decisions,
    effect: Effect::Writes,
    default_on: false,
    title: "Supersede a record",
    toggle: "tools.supersede_record",
    budget_chars: 8_000,
    description: "Let one decision record take the place of another, in both files: a diff first, written with apply: true once a person agrees.",
};

/// Which record takes the place of which.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Id of the record that is superseded.
    id: String,
    /// Id of the record that takes its place.
    by: String,
    /// Only a part of it is superseded: its status stays.
    #[serde(default)]
    partial: bool,
    /// Write it; else only the diff is shown.
    #[serde(default)]
    apply: bool,
    /// The version that the diff named; needed with apply.
    if_version: Option<String>,
    /// A person agreed. Counts only where the client cannot ask one.
    #[serde(default)]
    confirm: bool,
}

/// What is to be done with the draft.
pub fn wish(args: &Args) -> Wish {
    Wish { apply: args.apply, if_version: args.if_version.clone(), confirm: args.confirm }
}

/// Draws it up.
///
/// # Errors
/// Nothing or more than one record of a name, a succession in a circle, or a form that cannot be changed safely.
pub async fn call(args: Args, desk: Desk) -> engine::Result<Draft> {
    decisions::supersede(&desk, &args.id, &args.by, args.partial).await
}
