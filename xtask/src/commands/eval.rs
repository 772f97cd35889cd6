//! `cargo xtask eval decisions`: how well records are read; without a name, `eval/run`, which measures retrieval quality on labelled queries.

use anyhow::Result;

use crate::programs::{self, cargo, command, workspace};

pub fn run(arguments: &[String]) -> Result<bool> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if let ["decisions", rest @ ..] = arguments.as_slice() {
        // xtask does not see the product, so what measures it is an example of the crate that reads.
        return programs::run(&mut cargo(&[&["run", "--quiet", "-p", "source", "--example", "decisions_accuracy", "--"], rest].concat()));
    }
    let script = workspace().join("eval/run");
    anyhow::ensure!(script.is_file(), "there is no `eval/run` yet; `cargo xtask eval decisions` measures how well records are read");
    programs::run(&mut command(&script.to_string_lossy(), &arguments))
}
