//! mcpvault: no index; every search reads all files.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use super::install;
use super::peer::{Peer, Setting};

const VERSION: &str = "0.16.0";

/// `@bitbonsai/mcpvault` from npm.
pub struct Mcpvault;

impl Peer for Mcpvault {
    fn name(&self) -> &'static str {
        "mcpvault"
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }

    fn install(&self, folder: &Path) -> Result<()> {
        install::npm(folder, "mcpvault", "@bitbonsai/mcpvault", VERSION)
    }

    fn server(&self, setting: &Setting) -> Command {
        let mut command = setting.command(install::node(&setting.folder));
        command.arg(install::folder(&setting.folder, "mcpvault").join("node_modules/.bin/mcpvault")).arg(&setting.library);
        command
    }

    fn search(&self, query: &str, limit: usize, _cursor: Option<&str>) -> (&'static str, Value) {
        ("search_notes", json!({"query": query, "limit": limit}))
    }
}
