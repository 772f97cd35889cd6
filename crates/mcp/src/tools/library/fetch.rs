//! `fetch`: one document by any of its names, in the shape that connector clients expect.

use engine::policy::Effect;
use engine::search::{self, FetchQuery};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "fetch",
    toolset: Toolset::Library,
    effect: Effect::Reads,
    default_on: true,
    title: "Read a document",
    toggle: "tools.fetch",
    budget_chars: 8_000,
    description: "Read one document of any kind, or one section of it, with its citation.",
};

/// What to read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// id, uri or permalink from search; #1.2 behind it reads one section.
    id: String,
    /// Character to go on from after a cut.
    from_char: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// Nothing or more than one thing of that name, or a place outside of it.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Fetched> {
    // What does not fit is cut by the dispatcher; nothing longer than the budget needs to be handed to it.
    let query = FetchQuery { id: args.id, from_char: args.from_char, budget_chars: SPEC.budget_chars };
    let fetched = search::fetch(&desk, &query).await?;
    Ok(wire::Fetched::of(fetched, &desk.site))
}
