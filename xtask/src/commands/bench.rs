//! `cargo xtask bench [NAME…]`: every bench of the workspace prints its table; names choose some of them, and `peers` drives other programs beside ibid.

mod peers;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::programs::{self, cargo};

pub fn run(arguments: &[String]) -> Result<bool> {
    if let Some(("peers", rest)) = arguments.split_first().map(|(name, rest)| (name.as_str(), rest)) {
        return peers::run(rest);
    }
    let output = cargo(&["metadata", "--no-deps", "--format-version", "1"]).output().context("cargo metadata")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let mut is_good = true;
    let mut count = 0;
    for package in metadata["packages"].as_array().into_iter().flatten() {
        for target in package["targets"].as_array().into_iter().flatten() {
            let is_bench = target["kind"].as_array().is_some_and(|kinds| kinds.iter().any(|kind| kind == "bench"));
            let (Some(package), Some(bench)) = (package["name"].as_str(), target["name"].as_str()) else { continue };
            if is_bench && (arguments.is_empty() || arguments.iter().any(|name| name == bench || name == package)) {
                count += 1;
                is_good &= programs::run(&mut cargo(&["bench", "-p", package, "--bench", bench]))?;
            }
        }
    }
    anyhow::ensure!(count > 0, "no bench is called {}", arguments.join(" or "));
    Ok(is_good)
}
