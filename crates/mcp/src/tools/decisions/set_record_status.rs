//! `set_record_status`: another status for a decision record, in the place and style in which its file states it.

use engine::decisions;
use engine::policy::Effect;
use engine::write::Draft;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset, Wish};

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "set_record_status",
    toolset: Toolset::Decisions,
    effect: Effect::Writes,
    default_on: false,
    title: "Set a record's status",
    toggle: "tools.set_record_status",
    budget_chars: 8_000,
    description: "Set the status of a decision record: a diff first, written with apply: true once a person agrees.",
};

/// Which record, and which status.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Id of the record, as for get_record.
    id: String,
    /// Status word, such as accepted.
    status: String,
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
/// Nothing or more than one record of that name, a word that is no status, or a form that cannot be changed safely.
pub async fn call(args: Args, desk: Desk) -> engine::Result<Draft> {
    decisions::set_status(&desk, &args.id, &args.status).await
}
