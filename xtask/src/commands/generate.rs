//! `cargo xtask gen`: what is generated is an expectation of a test, so the tests write it when they are asked to.

use anyhow::Result;

use crate::programs::{self, cargo};

/// Crates whose tests own generated files: schemas and docs tables, transcripts, behaviour cases, format expectations.
const OWNERS: [&str; 4] = ["source", "engine", "mcp", "app"];

fn run_for(owners: &[&str]) -> Result<bool> {
    let mut arguments = vec!["test"];
    for owner in owners {
        arguments.extend(["-p", owner]);
    }
    programs::run(cargo(&arguments).env("UPDATE", "1").env("INSTA_UPDATE", "always"))
}

pub fn run(arguments: &[String]) -> Result<bool> {
    let chosen: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_done = run_for(if chosen.is_empty() { &OWNERS } else { &chosen })?;
    println!("gen: read the diff as code: git diff");
    Ok(is_done)
}
