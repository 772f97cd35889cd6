//! Floors: what each crate may depend on, ours and foreign, and that it uses what it names.

use anyhow::{Context as _, Result};
use serde_json::Value;

use super::rules::{FLOORS, OWNED};
use super::{Finding, House};
use crate::programs::cargo;

const UNUSED: &str = "unused-dependency";
const UNUSED_WHY: &str = "what is not used is still built, audited and updated";

pub fn findings(house: &House) -> Result<Vec<Finding>> {
    let output =
        cargo(&["metadata", "--no-deps", "--offline", "--format-version", "1"]).current_dir(&house.root).output().context("cargo metadata")?;
    anyhow::ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let mut findings = Vec::new();
    let mut used = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let name = package["name"].as_str().unwrap_or_default();
        let path = if name == "xtask" { "xtask/Cargo.toml".to_owned() } else { format!("crates/{name}/Cargo.toml") };
        let finding = |rule, message, why| Finding { path: path.clone(), line_number: 0, rule, message, why };
        let Some(floor) = FLOORS.iter().find(|floor| floor.name == name) else {
            findings.push(finding("floors", format!("the crate `{name}` stands on no floor"), "a crate is defined by what it must not see"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let on = dependency["name"].as_str().unwrap_or_default();
            let is_for_tests = dependency["kind"] == "dev";
            if let Some(below) = FLOORS.iter().find(|floor| floor.name == on) {
                // Tests may look further down, never up.
                let is_allowed = floor.may_use.contains(&on) || (is_for_tests && (on == "testkit" || below.floor < floor.floor));
                if !is_allowed {
                    findings.push(finding("floors", format!("`{name}` must not see `{on}`"), floor.why));
                }
            } else if let Some(owned) = OWNED.iter().find(|owned| owned.library == on && !is_for_tests && !owned.crates.contains(&name)) {
                findings.push(finding("floors", format!("`{on}` belongs to {} alone", owned.crates.join(", ")), owned.why));
            }
            if is_mentioned(house, name, on, is_for_tests) {
                continue;
            }
            match house.ledger.exceptions.iter().find(|known| known.rule == UNUSED && known.path == path && known.name.as_deref() == Some(on)) {
                Some(exception) => used.push(exception),
                None => findings.push(finding(UNUSED, format!("`{on}` is named and not used"), UNUSED_WHY)),
            }
        }
    }
    findings.extend(house.ledger.unused(UNUSED, &used));
    findings.extend(reasons(house)?);
    findings.extend(left_in_workspace(house, &metadata)?);
    Ok(findings)
}

/// What the workspace names and no crate asks for.
fn left_in_workspace(house: &House, metadata: &Value) -> Result<Vec<Finding>> {
    let Some(manifest) = house.files.iter().find(|file| file.path == "Cargo.toml") else { return Ok(Vec::new()) };
    let manifest: toml::Table = manifest.text.parse().context("Cargo.toml")?;
    let dependencies =
        || metadata["packages"].as_array().into_iter().flatten().flat_map(|package| package["dependencies"].as_array().into_iter().flatten());
    let is_asked_for = |name: &str| dependencies().any(|dependency| dependency["name"] == name || dependency["rename"] == name);
    let names = manifest["workspace"]["dependencies"].as_table().into_iter().flat_map(toml::Table::keys);
    let left = names.filter(|name| !is_asked_for(name)).map(|name| Finding {
        path: "Cargo.toml".to_owned(),
        line_number: 0,
        rule: UNUSED,
        message: format!("`{name}` is named and no crate asks for it"),
        why: UNUSED_WHY,
    });
    Ok(left.collect())
}

/// Whether any file of the crate writes the library's name.
fn is_mentioned(house: &House, name: &str, library: &str, is_for_tests: bool) -> bool {
    let folder = if name == "xtask" { "xtask/".to_owned() } else { format!("crates/{name}/") };
    let word = library.replace('-', "_");
    house
        .rust()
        .filter(|(file, _)| file.path.starts_with(&folder) && (is_for_tests || name == "testkit" || !file.is_test()))
        .any(|(_, rust)| rust.code.iter().any(|line| line.match_indices(&word).any(|(at, _)| is_word(line, at, word.len()))))
}

/// Whether the stretch of `line` is a word of its own.
pub fn is_word(line: &str, at: usize, length: usize) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    !line[..at].chars().next_back().is_some_and(is_part) && !line[at + length..].chars().next().is_some_and(is_part)
}

/// Every dependency of the workspace has its line, with a reason, in the record about them; and no line is left of one that went.
fn reasons(house: &House) -> Result<Vec<Finding>> {
    const RECORD: &str = "docs/decisions/0002-dependencies.md";
    const WHY: &str = "a dependency saves work that is not ours and brings code that is not ours; both last, so each has a reason";
    let (Some(manifest), Some(record)) =
        (house.files.iter().find(|file| file.path == "Cargo.toml"), house.files.iter().find(|file| file.path == RECORD))
    else {
        return Ok(Vec::new());
    };
    let manifest: toml::Table = manifest.text.parse().context("Cargo.toml")?;
    let names: Vec<&String> = manifest["workspace"]["dependencies"].as_table().into_iter().flat_map(toml::Table::keys).collect();
    let rows: Vec<(usize, &str)> = record
        .text
        .lines()
        .enumerate()
        .filter_map(|(line_index, line)| Some((line_index + 1, line.strip_prefix("| `")?.split_once("` |")?.0)))
        .collect();
    let finding = |line_number, message| Finding { path: RECORD.to_owned(), line_number, rule: "dependency-reasons", message, why: WHY };
    let missing =
        names.iter().filter(|name| !rows.iter().any(|(_, row)| row == *name)).map(|name| finding(0, format!("`{name}` has no row with its reason")));
    let left = rows
        .iter()
        .filter(|(_, row)| !names.iter().any(|name| name.as_str() == *row))
        .map(|(line_number, row)| finding(*line_number, format!("`{row}` is no dependency any more")));
    Ok(missing.chain(left).collect())
}
