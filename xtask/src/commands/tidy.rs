//! `cargo xtask tidy [--shrink]`: checks the rules of the house; `--shrink` lowers the figures of the ledger to what is true now.

use anyhow::Result;

use crate::{programs, tidy};

pub fn run(arguments: &[String]) -> Result<bool> {
    let house = tidy::House::read(&programs::workspace())?;
    if arguments.iter().any(|argument| argument == "--shrink") {
        tidy::ledger::shrink(&house)?;
    }
    let findings = tidy::findings(&house)?;
    for finding in &findings {
        println!("{finding}");
    }
    println!("tidy: {} files, {} findings", house.files.len(), findings.len());
    Ok(findings.is_empty())
}
