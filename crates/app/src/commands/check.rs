//! `ibid check`: what is wrong in the files. Made for CI: exit 1 when there are errors.

use std::fmt::Write as _;

use document::Severity;
use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Show what is wrong in the files.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only this collection.
    #[arg(long)]
    collection: Option<String>,
    /// Least severity to show.
    #[arg(long, default_value = "warning", value_parser = ["note", "warning", "error"])]
    severity: String,
}

/// Prints the problems, one a line: file, line, severity, code, sentence and hint.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    output::bring_up_to_date(&library).await;
    let least = Severity::parse(&own.severity).unwrap_or(Severity::Warning);
    let problems: Vec<_> = library.problems(own.collection.as_deref()).await?.into_iter().filter(|(_, problem)| problem.severity >= least).collect();
    let count = |wanted: Severity| problems.iter().filter(|(_, problem)| problem.severity == wanted).count();
    let errors = count(Severity::Error);
    if global.json {
        let listed: Vec<_> = problems.iter().map(|(collection, problem)| {
            json!({"collection": collection, "path": problem.path, "line": problem.line_number, "severity": problem.severity.as_str(), "code": problem.code, "message": problem.message, "hint": problem.hint})
        }).collect();
        output::print_json(&json!({"problems": listed, "errors": errors, "warnings": count(Severity::Warning), "notes": count(Severity::Note)}))?;
    } else {
        let mut out = String::new();
        for (collection, problem) in &problems {
            let _ = writeln!(out, "{collection}/{problem}");
        }
        let _ = write!(out, "{errors} errors, {} warnings", count(Severity::Warning));
        if least == Severity::Note {
            let _ = write!(out, ", {} notes", count(Severity::Note));
        }
        output::print(&out)?;
    }
    Ok(if errors > 0 { exit::ANSWER_IS_NO } else { exit::DONE })
}
