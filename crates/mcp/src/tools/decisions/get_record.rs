//! `get_record`: one decision record whole, with its standing and lineage.

use engine::{decisions, policy::Effect};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "get_record",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Read a decision record",
    toggle: "tools.get_record",
    budget_chars: 8_000,
    description: "Read one decision record with its metadata, whether it is current, what supersedes it, and its body.",
};

/// Which record to read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// sre/adr/0001-define-slos, sre/adr/1, SRE-ADR-0001, a slug or a uri; #1.2 behind it reads one section.
    id: String,
    /// Character to go on from after a cut.
    from_char: Option<i64>,
    /// Date: the record as git had it at the end of that day.
    as_of: Option<String>,
    /// Also say which commits changed its status.
    #[serde(default)]
    history: bool,
}

/// Runs it.
///
/// # Errors
/// Nothing or more than one record of that name, or a place outside of its body.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Record> {
    let past = match &args.as_of {
        Some(date) => Some(decisions::as_of(&desk, date).await?),
        None => None,
    };
    let asked = past.as_ref().map_or(&desk.engine, |past| &past.desk);
    let answer = decisions::get(asked, &args.id).await?;
    let mut record = wire::Record::of(&answer, args.from_char, &desk.site)?;
    record.as_of = past.as_ref().map(wire::AsOf::of);
    if args.history {
        // The history of the files as they are now, whatever day is asked about.
        let row = if past.is_some() { decisions::get(&desk, &args.id).await?.row } else { answer.row };
        record.history = Some(wire::History::of(decisions::history(&desk, &row).await?));
    }
    Ok(record)
}
