//! `ibid search`: the `search` tool with output for people.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::arguments::Arguments as Global;
use crate::{commands::call, exit, open, output};

/// Search all collections.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Words; "phrases", -not, prefix*, OR and field:value are understood.
    #[arg(required = true)]
    words: Vec<String>,
    /// Most hits to show, 1 to 50.
    #[arg(long, default_value_t = 10)]
    limit: i64,
    /// Only this collection.
    #[arg(long)]
    collection: Option<String>,
    /// Only this project.
    #[arg(long)]
    project: Option<String>,
    /// Only this status.
    #[arg(long)]
    status: Option<String>,
    /// Only records in force.
    #[arg(long)]
    current_only: bool,
}

/// Prints the hits, best first, each with its quote and the place it stands at. Exit 1 when nothing is found.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let mut arguments = Map::new();
    arguments.insert("query".into(), own.words.join(" ").into());
    arguments.insert("limit".into(), own.limit.into());
    for (name, value) in [("collection", &own.collection), ("project", &own.project), ("status", &own.status)] {
        if let Some(value) = value {
            arguments.insert(name.into(), value.clone().into());
        }
    }
    if own.current_only {
        arguments.insert("current_only".into(), true.into());
    }
    let library = open::library(global, &[], None).await?;
    output::bring_up_to_date(&library).await;
    let product = ::mcp::Product::new(library, None);
    let answer = call::answer(&product, "search", arguments).await?;
    if answer.is_error {
        return fail(&answer);
    }
    let none = Vec::new();
    let hits = answer.structured["results"].as_array().unwrap_or(&none);
    if global.json {
        output::print_json(&answer.structured)?;
    } else {
        output::print(&shown(hits))?;
        if let Some(note) = answer.structured["note"].as_str() {
            eprintln!("ibid: {note}");
        }
    }
    Ok(if hits.is_empty() { exit::ANSWER_IS_NO } else { exit::DONE })
}

/// A refused call as the failure that it is.
pub fn fail(answer: &call::Answer) -> anyhow::Result<u8> {
    let text = |key: &str| answer.structured[key].as_str().unwrap_or_default().to_owned();
    let kind = match text("code").as_str() {
        "not_found" => engine::ErrorKind::NotFound,
        "ambiguous" => engine::ErrorKind::Ambiguous,
        "conflict" => engine::ErrorKind::Conflict,
        "refused" => engine::ErrorKind::Refused,
        "unreachable" => engine::ErrorKind::Unreachable,
        "bad_config" => engine::ErrorKind::BadConfig,
        _ => engine::ErrorKind::BadInput,
    };
    let mut error = engine::Error::new(kind, text("message"));
    error.hint = answer.structured["hint"].as_str().map(str::to_owned);
    Err(error.into())
}

fn shown(hits: &[Value]) -> String {
    let mut out = String::new();
    for hit in hits {
        let text = |key: &str| hit[key].as_str().unwrap_or_default();
        let status = hit["status"].as_str().map(|status| format!(" [{status}]")).unwrap_or_default();
        let _ = writeln!(out, "{}{status}\n  {} lines {}-{}", text("title"), text("id"), hit["line_start"], hit["line_end"]);
        for line in text("text").lines().filter(|line| !line.trim().is_empty()).take(4) {
            let _ = writeln!(out, "    {line}");
        }
        out.push('\n');
    }
    if out.is_empty() { "Nothing found.".to_owned() } else { out.trim_end().to_owned() }
}
