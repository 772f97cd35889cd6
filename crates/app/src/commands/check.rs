//! `ibid check`: what is wrong in the files and between them. Made for CI: exit 1 when there are errors.

mod place;
mod sarif;

use std::fmt::Write as _;

use clap::ValueEnum;
use document::Severity;
use engine::decisions::Finding;
use serde_json::json;

use self::place::Places;
use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Show what is wrong in the files and between them.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only this collection.
    #[arg(long)]
    collection: Option<String>,
    /// Least severity to show.
    #[arg(long, default_value = "warning", value_parser = ["note", "warning", "error"])]
    severity: String,
    /// How to print; SARIF is what code hosts read. [default: text, or json with --json]
    #[arg(long)]
    format: Option<Format>,
    /// Exit 1 when there are warnings, too.
    #[arg(long)]
    strict: bool,
}

/// How the findings are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
    Sarif,
}

/// Prints the findings: as text one a line, with file, line, severity, code, sentence and hint.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    output::bring_up_to_date(&library).await;
    let least = Severity::parse(&own.severity).unwrap_or(Severity::Warning);
    // What makes it fail is shown.
    let least = if own.strict { least.min(Severity::Warning) } else { least };
    let all = engine::decisions::check(&library.owner_desk().await?, own.collection.as_deref()).await?;
    let is_failed =
        all.iter().any(|finding| finding.problem.severity == Severity::Error || own.strict && finding.problem.severity == Severity::Warning);
    let findings: Vec<Finding> = all.into_iter().filter(|finding| finding.problem.severity >= least).collect();
    let places = Places::of(&library)?;
    match own.format.unwrap_or(if global.json { Format::Json } else { Format::Text }) {
        Format::Text => output::print(&text(&findings, &places, least))?,
        Format::Json => output::print_json(&as_json(&findings, &places))?,
        Format::Sarif => output::print_json(&sarif::log(&findings, &places))?,
    }
    Ok(if is_failed { exit::ANSWER_IS_NO } else { exit::DONE })
}

fn count(findings: &[Finding], severity: Severity) -> usize {
    findings.iter().filter(|finding| finding.problem.severity == severity).count()
}

fn text(findings: &[Finding], places: &Places, least: Severity) -> String {
    let mut out = String::new();
    for finding in findings {
        let problem = document::Problem { path: places.shown(finding), ..finding.problem.clone() };
        let _ = writeln!(out, "{problem}");
    }
    let _ = write!(out, "{} errors, {} warnings", count(findings, Severity::Error), count(findings, Severity::Warning));
    if least == Severity::Note {
        let _ = write!(out, ", {} notes", count(findings, Severity::Note));
    }
    out
}

fn as_json(findings: &[Finding], places: &Places) -> serde_json::Value {
    let listed: Vec<_> = findings
        .iter()
        .map(|finding| {
            let Finding { collection, problem } = finding;
            json!({
                "collection": collection, "path": problem.path, "file": places.shown(finding), "line": problem.line_number,
                "severity": problem.severity.as_str(), "code": problem.code, "message": problem.message, "hint": problem.hint,
            })
        })
        .collect();
    json!({
        "problems": listed, "errors": count(findings, Severity::Error), "warnings": count(findings, Severity::Warning),
        "notes": count(findings, Severity::Note),
    })
}
