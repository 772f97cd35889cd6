//! `cargo xtask eval`: runs `eval/run`, which measures retrieval quality on labelled queries.

use anyhow::Result;

use crate::programs::{self, command, workspace};

pub fn run(arguments: &[String]) -> Result<bool> {
    let script = workspace().join("eval/run");
    anyhow::ensure!(script.is_file(), "there is no `eval/run` yet: quality is measured once meaning joins the search");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    programs::run(&mut command(&script.to_string_lossy(), &arguments))
}
