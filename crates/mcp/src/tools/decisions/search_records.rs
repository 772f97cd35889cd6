//! `search_records`: decision records by filter and words, newest first or ranked.

use engine::decisions::{self, RecordQuery};
use engine::policy::Effect;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "search_records",
    toolset: Toolset::Decisions,
    effect: Effect::Reads,
    default_on: true,
    title: "Search decision records",
    toggle: "tools.search_records",
    budget_chars: 8_000,
    description: "List decision records that match all given filters: newest first, or with a query best first and with snippets.",
};

/// Which records to list.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only this project.
    project: Option<String>,
    /// Only this type, such as adr or rfc.
    #[serde(rename = "type")]
    record_type: Option<String>,
    /// Only this status.
    status: Option<String>,
    /// Only with this tag.
    tag: Option<String>,
    /// Only by this author.
    author: Option<String>,
    /// Only by this decider.
    decider: Option<String>,
    /// name=value over custom metadata, such as risk=high.
    field: Option<String>,
    /// YYYY, YYYY-MM or YYYY-MM-DD.
    date_from: Option<String>,
    /// Inclusive.
    date_to: Option<String>,
    /// Code, or error, warning, note.
    problem: Option<String>,
    /// supersedes, superseded_by, amends, amended_by, clarifies, clarified_by, depends_on or related; kind:ID for one record.
    relation: Option<String>,
    /// Date: the archive as git had it at the end of that day.
    as_of: Option<String>,
    /// Words to find.
    query: Option<String>,
    /// Only records in force.
    #[serde(default)]
    current_only: bool,
    /// Default 20.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<i64>,
    /// First to list, from 0.
    #[schemars(range(min = 0))]
    offset: Option<i64>,
}

/// Runs it.
///
/// # Errors
/// A limit, offset, filter or query that cannot be used.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::Records> {
    let query = RecordQuery {
        project: args.project,
        record_type: args.record_type,
        status: args.status,
        tag: args.tag,
        author: args.author,
        decider: args.decider,
        field: args.field,
        date_from: args.date_from,
        date_to: args.date_to,
        problem: args.problem,
        relation: args.relation,
        query: args.query,
        current_only: args.current_only,
        limit: args.limit,
        offset: args.offset,
    };
    let past = match &args.as_of {
        Some(date) => Some(decisions::as_of(&desk, date).await?),
        None => None,
    };
    let asked = past.as_ref().map_or(&desk.engine, |past| &past.desk);
    let page = decisions::search_records(asked, &query).await?;
    let note = if page.total == 0 { decisions::unmatched(asked, &query).await? } else { None };
    Ok(wire::Records::page(page, note, past.as_ref()))
}
