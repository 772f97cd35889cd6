//! Other programs: found, run with their output shown, and where the workspace is.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Where cargo puts what it builds.
pub fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace().join("target"), Into::into)
}

/// A command that runs in the root of the workspace.
pub fn command(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(workspace());
    command
}

/// `cargo`, the one that runs us.
pub fn cargo(arguments: &[&str]) -> Command {
    command(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()), arguments)
}

/// Runs a command with its output shown; whether it ended well.
pub fn run(command: &mut Command) -> Result<bool> {
    let shown = shown(command);
    println!("$ {shown}");
    Ok(command.status().with_context(|| format!("`{shown}` cannot be started"))?.success())
}

/// Whether a program of this name is on the path.
pub fn exists(program: &str) -> bool {
    std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).is_file()))
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).to_string_lossy();
    command.get_args().fold(name.into_owned(), |line, argument| format!("{line} {}", argument.to_string_lossy()))
}
