//! iwec: the MCP server of iwe; it reads all files when it starts and ranks them at each search.

use std::path::Path;
use std::process::Command;

use anyhow::Result;
use serde_json::{Value, json};

use super::install;
use super::peer::{Peer, Setting};

const VERSION: &str = "0.29.3";

/// `iwec` from crates.io.
pub struct Iwec;

impl Peer for Iwec {
    fn name(&self) -> &'static str {
        "iwec"
    }

    fn version(&self) -> String {
        VERSION.to_owned()
    }

    fn install(&self, folder: &Path) -> Result<()> {
        install::cargo(folder, "iwec", VERSION)
    }

    fn server(&self, setting: &Setting) -> Command {
        let mut command = setting.command(install::folder(&setting.folder, "iwec").join("bin/iwec"));
        command.current_dir(&setting.library);
        command
    }

    fn search(&self, query: &str, limit: usize, _cursor: Option<&str>) -> (&'static str, Value) {
        ("iwe_find", json!({"lexical": query, "limit": limit}))
    }
}
