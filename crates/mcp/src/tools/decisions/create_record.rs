//! `create_record`: a new decision record with the next free number, in the form of its folder.

use engine::decisions::{self, NewRecord};
use engine::policy::Effect;
use engine::write::Draft;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tools::{Desk, Spec, Toolset, Wish};

/// What the tool says of itself.
pub const SPEC: Spec = Spec {
    name: "create_record",
    toolset: Toolset::Decisions,
    effect: Effect::Writes,
    default_on: false,
    title: "Make a decision record",
    toggle: "tools.create_record",
    budget_chars: 8_000,
    description: "Make a decision record in the form of its folder: a diff first, written with apply: true once a person agrees.",
};

/// What the record says.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// What is decided, in a few words.
    title: String,
    /// Project, where there are several.
    project: Option<String>,
    /// Type, such as adr or rfc.
    #[serde(rename = "type")]
    record_type: Option<String>,
    /// Collection, where the project does not tell.
    collection: Option<String>,
    /// Default proposed.
    status: Option<String>,
    /// YYYY-MM-DD; default today.
    date: Option<String>,
    /// A sentence about it.
    description: Option<String>,
    /// Who wrote it.
    #[serde(default)]
    authors: Vec<String>,
    /// Who decided.
    #[serde(default)]
    deciders: Vec<String>,
    /// Tags.
    #[serde(default)]
    tags: Vec<String>,
    /// Markdown: why it had to be decided.
    context: Option<String>,
    /// Markdown: what was decided.
    decision: Option<String>,
    /// Markdown: what follows from it.
    consequences: Option<String>,
    /// Id of a record whose place it takes.
    supersedes: Option<String>,
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
/// No title, no or more than one place for it, or a status or date that is none.
pub async fn call(args: Args, desk: Desk) -> engine::Result<Draft> {
    let sections = [("Context", args.context), ("Decision", args.decision), ("Consequences", args.consequences)];
    let wanted = NewRecord {
        title: args.title,
        project: args.project,
        record_type: args.record_type,
        collection: args.collection,
        status: args.status,
        date: args.date,
        description: args.description,
        authors: args.authors,
        deciders: args.deciders,
        tags: args.tags,
        sections: sections.into_iter().filter_map(|(heading, text)| Some((heading.to_owned(), text?))).collect(),
        supersedes: args.supersedes,
    };
    decisions::create(&desk, &wanted).await
}
