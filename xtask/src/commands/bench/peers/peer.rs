//! What the bench asks of every program, so that it can treat all of them alike.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use serde_json::Value;

/// Where one program runs in one measurement.
pub struct Setting {
    /// The scratch folder of the bench, with the installed programs in it.
    pub folder: PathBuf,
    /// The copy of the corpus that belongs to this program alone.
    pub library: PathBuf,
    /// Its home, empty before it indexes.
    pub home: PathBuf,
}

impl Setting {
    /// A command with this setting's home, and with nothing of the home of the person who runs the bench.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env("HOME", &self.home).env("NO_COLOR", "1").current_dir(&self.home);
        for name in ["XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME"] {
            command.env_remove(name);
        }
        command
    }
}

/// A program that answers searches over MCP.
pub trait Peer {
    /// As people call it.
    fn name(&self) -> &'static str;

    /// The version that is measured.
    fn version(&self) -> String;

    /// Installs it below the scratch folder, unless it is there.
    ///
    /// # Errors
    /// What the installer said.
    fn install(&self, folder: &Path) -> Result<()>;

    /// Writes the configuration that a person would have written; not timed.
    ///
    /// # Errors
    /// Files that cannot be written.
    fn prepare(&self, _setting: &Setting) -> Result<()> {
        Ok(())
    }

    /// What builds the index, in order; empty where the server does it when it starts.
    fn index(&self, _setting: &Setting) -> Vec<Command> {
        Vec::new()
    }

    /// What brings the index up to date after changes, where the server does not do so itself.
    fn refresh(&self, _setting: &Setting) -> Option<Command> {
        None
    }

    /// The server, over standard input and output.
    fn server(&self, setting: &Setting) -> Command;

    /// Name and arguments of the call that searches for words as a person writes them; `cursor` asks for a further page.
    fn search(&self, query: &str, limit: usize, cursor: Option<&str>) -> (&'static str, Value);

    /// Whether an answer is over all files, not over those that are indexed so far.
    fn is_complete(&self, _answer: &Value) -> bool {
        true
    }

    /// Whether an answer was looked for by meaning, too; nothing where the program does not do so as it is installed.
    fn is_by_meaning(&self, _answer: &Value) -> Option<bool> {
        None
    }

    /// The call whose answer says how many documents are indexed, where there is one.
    fn count(&self) -> Option<(&'static str, Value)> {
        None
    }

    /// That number.
    fn counted(&self, _answer: &Value) -> Option<u64> {
        None
    }

    /// The cursor of the next page, where the answer has one.
    fn next_cursor(&self, _answer: &Value) -> Option<String> {
        None
    }
}
