//! `search`: ranked passages of the whole library, each with its exact citation.

use engine::policy::Effect;
use engine::search::{self, SearchQuery};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset};
use crate::wire;

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "search",
    toolset: Toolset::Library,
    effect: Effect::Reads,
    default_on: true,
    title: "Search the library",
    toggle: "tools.search",
    budget_chars: 8_000,
    description: "Find passages by words in the whole library, best first, each a verbatim quote with its citation.",
};

/// What to search for.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Words; "phrases", -not, prefix*, OR and field:value work too.
    query: String,
    /// Only this kind.
    kind: Option<Kind>,
    /// Only this collection.
    collection: Option<String>,
    /// Only this project.
    project: Option<String>,
    /// Only this record type, such as adr.
    #[serde(rename = "type")]
    record_type: Option<String>,
    /// Only this status.
    status: Option<String>,
    /// Only with this tag.
    tag: Option<String>,
    /// Only records in force.
    #[serde(default)]
    current_only: bool,
    /// Default 10.
    #[schemars(range(min = 1, max = 50))]
    limit: Option<i64>,
    /// next_cursor of the last answer.
    cursor: Option<String>,
}

// A kind that a library can hold. No doc comment: it would take the place of the argument's own in the schema.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Decisions,
    Notes,
    Messages,
    Pages,
    Skills,
}

impl From<Kind> for document::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Decisions => Self::Decisions,
            Kind::Notes => Self::Notes,
            Kind::Messages => Self::Messages,
            Kind::Pages => Self::Pages,
            Kind::Skills => Self::Skills,
        }
    }
}

/// Runs it.
///
/// # Errors
/// A limit, cursor, collection or filter that cannot be used.
pub async fn call(args: Args, desk: Desk) -> engine::Result<wire::SearchResults> {
    let said = SearchQuery {
        query: args.query,
        kind: args.kind.map(document::Kind::from),
        collection: args.collection,
        project: args.project,
        record_type: args.record_type,
        status: args.status,
        tag: args.tag,
        current_only: args.current_only,
        limit: args.limit,
        cursor: args.cursor,
    };
    let answer = search::search(&desk, &said).await?;
    let cursors = search::cursors(&said, answer.hits.len())?;
    Ok(wire::SearchResults::of(answer, cursors, &desk.site))
}
