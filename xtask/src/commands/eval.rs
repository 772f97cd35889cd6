//! `cargo xtask eval [decisions | retrieval]`: how well records are read, and how good search is; without a name, both.

use anyhow::Result;

use crate::programs::{self, cargo};

pub fn run(arguments: &[String]) -> Result<bool> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    // xtask does not see the product, so what measures it is an example of the crate that does it.
    let measure = |package: &str, example: &str, rest: &[&str]| {
        programs::run(&mut cargo(&[&["run", "--quiet", "-p", package, "--example", example, "--"], rest].concat()))
    };
    match arguments.as_slice() {
        ["decisions", rest @ ..] => measure("source", "decisions_accuracy", rest),
        ["retrieval", rest @ ..] => measure("engine", "retrieval_quality", rest),
        [name, ..] if !name.starts_with("--") => anyhow::bail!("{name} cannot be measured; `decisions` and `retrieval` can"),
        both => {
            let is_read_well = measure("source", "decisions_accuracy", both)?;
            Ok(measure("engine", "retrieval_quality", both)? && is_read_well)
        }
    }
}
