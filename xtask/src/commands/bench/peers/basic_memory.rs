//! basic-memory: SQLite full text over notes, with front matter that it writes into the files it indexes. Its model is not fetched.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use super::install;
use super::peer::{Peer, Setting};

const VERSION: &str = "0.24.1";

/// `basic-memory` from the Python package index.
pub struct BasicMemory {
    python: Option<PathBuf>,
}

impl BasicMemory {
    /// With the Python to run it on, or with one that is found.
    pub const fn new(python: Option<PathBuf>) -> Self {
        Self { python }
    }

    fn command(setting: &Setting) -> Command {
        let mut command = setting.command(install::folder(&setting.folder, "basic-memory").join("bin/basic-memory"));
        command.env("BASIC_MEMORY_CONFIG_DIR", setting.home.join(".basic-memory")).env("BASIC_MEMORY_AUTO_UPDATE", "false");
        command.env("BASIC_MEMORY_SEMANTIC_SEARCH_ENABLED", "false").env("BASIC_MEMORY_DISABLE_PERMALINKS", "true");
        command.env("BASIC_MEMORY_ENSURE_FRONTMATTER_ON_SYNC", "false");
        command
    }

    fn reindex(setting: &Setting) -> Command {
        let mut command = Self::command(setting);
        command.args(["reindex", "-p", "library"]);
        command
    }
}

impl Peer for BasicMemory {
    fn name(&self) -> &'static str {
        "basic-memory"
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }

    fn install(&self, folder: &Path) -> Result<()> {
        install::pip(folder, "basic-memory", "basic-memory", VERSION, self.python.as_deref())
    }

    fn index(&self, setting: &Setting) -> Vec<Command> {
        let mut add = Self::command(setting);
        add.args(["project", "add", "library"]).arg(&setting.library);
        vec![add, Self::reindex(setting)]
    }

    fn refresh(&self, setting: &Setting) -> Option<Command> {
        Some(Self::reindex(setting))
    }

    fn server(&self, setting: &Setting) -> Command {
        let mut command = Self::command(setting);
        command.args(["mcp", "--project", "library"]);
        command
    }

    fn search(&self, query: &str, limit: usize, _cursor: Option<&str>) -> (&'static str, Value) {
        ("search_notes", json!({"query": query, "search_type": "text", "page_size": limit}))
    }
}
