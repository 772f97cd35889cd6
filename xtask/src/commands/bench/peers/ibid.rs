//! ibid itself, as its release binary; it indexes when the server first starts.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::peer::{Peer, Setting};
use crate::programs::{cargo, run, target_folder};

/// The program of this repository.
pub struct Ibid {
    program: Option<PathBuf>,
}

impl Ibid {
    /// A built program, or the release build of this workspace.
    pub const fn new(program: Option<PathBuf>) -> Self {
        Self { program }
    }

    fn program(&self) -> PathBuf {
        self.program.clone().unwrap_or_else(|| target_folder().join("release/ibid"))
    }
}

impl Peer for Ibid {
    fn name(&self) -> &'static str {
        "ibid"
    }

    fn version(&self) -> String {
        let output = Command::new(self.program()).arg("--version").output().ok();
        let said = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        said.split_whitespace().last().unwrap_or(env!("CARGO_PKG_VERSION")).to_owned()
    }

    fn install(&self, _folder: &Path) -> Result<()> {
        if self.program.is_none() {
            ensure!(run(&mut cargo(&["build", "--release", "-p", "app"]))?, "the release build fails");
        }
        Ok(())
    }

    fn prepare(&self, setting: &Setting) -> Result<()> {
        let path = setting.library.join("ibid.toml");
        std::fs::write(&path, library(&setting.library)?).with_context(|| format!("{} cannot be written", path.display()))
    }

    fn server(&self, setting: &Setting) -> Command {
        let mut command = setting.command(self.program());
        for name in ["IBID_STORE", "IBID_STATE_DIR", "IBID_CONFIG_DIR"] {
            command.env_remove(name);
        }
        command.args(["mcp", "--root"]).arg(&setting.library);
        command
    }

    fn search(&self, query: &str, limit: usize, cursor: Option<&str>) -> (&'static str, Value) {
        let mut arguments = json!({"query": query, "limit": limit});
        if let Some(cursor) = cursor {
            arguments["cursor"] = cursor.into();
        }
        ("search", arguments)
    }

    fn is_complete(&self, answer: &Value) -> bool {
        answer["structuredContent"]["stale"] != true
    }

    fn is_by_meaning(&self, answer: &Value) -> Option<bool> {
        let retrieval = &answer["structuredContent"]["retrieval"];
        let has_model = !retrieval["reason"].as_str().unwrap_or_default().contains("does not ask an embedding model");
        has_model.then(|| retrieval["meaning"] == true)
    }

    fn count(&self) -> Option<(&'static str, Value)> {
        Some(("list_collections", json!({})))
    }

    fn counted(&self, answer: &Value) -> Option<u64> {
        let collections = answer["structuredContent"]["collections"].as_array()?;
        Some(collections.iter().filter_map(|collection| collection["documents"].as_u64()).sum())
    }

    fn next_cursor(&self, answer: &Value) -> Option<String> {
        answer["structuredContent"]["next_cursor"].as_str().map(str::to_owned)
    }
}

/// The configuration that a person writes for folders of Markdown: a collection for each folder at the top, since one collection with records in some of its
/// folders takes those alone; and one for files at the top.
fn library(folder: &Path) -> Result<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = if entry.file_type()?.is_dir() { entry.file_name().to_string_lossy().into_owned() } else { ".".to_owned() };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.sort();
    let exclude = names.iter().filter(|name| *name != ".").map(|name| format!("/{name}/")).collect::<Vec<_>>();
    let mut out = "name = \"library\"\n".to_owned();
    for (number, name) in names.iter().enumerate() {
        out.push_str(&format!("\n[[collections]]\nname = \"part-{number}\"\nkind = \"decisions\"\npath = {}\n", toml::Value::from(name.as_str())));
        if name == "." && !exclude.is_empty() {
            out.push_str(&format!("exclude = {}\n", toml::Value::from(exclude.clone())));
        }
    }
    Ok(out)
}
