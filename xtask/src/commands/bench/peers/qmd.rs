//! qmd: SQLite full text; meaning only with models of 2 GB, which the bench does not fetch, so that every program runs as it is installed.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use super::install;
use super::peer::{Peer, Setting};

const VERSION: &str = "2.8.3";

/// `@tobilu/qmd` from npm.
pub struct Qmd;

impl Qmd {
    fn command(setting: &Setting) -> Command {
        let mut command = setting.command(install::node(&setting.folder));
        command.arg(install::folder(&setting.folder, "qmd").join("node_modules/@tobilu/qmd/dist/cli/qmd.js"));
        command
    }
}

impl Peer for Qmd {
    fn name(&self) -> &'static str {
        "qmd"
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }

    fn install(&self, folder: &Path) -> Result<()> {
        install::npm(folder, "qmd", "@tobilu/qmd", VERSION)
    }

    fn index(&self, setting: &Setting) -> Vec<Command> {
        let mut command = Self::command(setting);
        command.args(["collection", "add"]).arg(&setting.library).args(["--name", "library", "--mask", "**/*.md"]);
        vec![command]
    }

    fn refresh(&self, setting: &Setting) -> Option<Command> {
        let mut command = Self::command(setting);
        command.arg("update");
        Some(command)
    }

    fn server(&self, setting: &Setting) -> Command {
        let mut command = Self::command(setting);
        command.arg("mcp");
        command
    }

    fn search(&self, query: &str, limit: usize, _cursor: Option<&str>) -> (&'static str, Value) {
        // With its default, which reranks, it does not answer without a model.
        let searches = json!([{"type": "lex", "query": query}]);
        ("query", json!({"searches": searches, "rerank": false, "limit": limit, "collections": ["library"]}))
    }
    fn count(&self) -> Option<(&'static str, Value)> {
        Some(("status", json!({})))
    }

    fn counted(&self, answer: &Value) -> Option<u64> {
        answer["structuredContent"]["totalDocuments"].as_u64()
    }
}
