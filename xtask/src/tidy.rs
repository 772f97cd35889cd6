//! Tidy: the rules of the house as tests. Each rule is data with its reason, and a violation prints both.

mod doors;
mod floors;
pub mod ledger;
mod leftovers;
mod links;
mod migrations;
mod rooms;
mod rules;
mod rust_text;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::programs::command;
use ledger::Ledger;
use rust_text::RustText;

/// One violation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Path below the workspace.
    pub path: String,
    /// 1-based; 0 where the fault has no line.
    pub line_number: usize,
    /// The rule's name, as the ledger names it.
    pub rule: &'static str,
    /// What is wrong.
    pub message: String,
    /// Why the rule is there.
    pub why: &'static str,
}

impl std::fmt::Display for Finding {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.path)?;
        if self.line_number > 0 {
            write!(formatter, ":{}", self.line_number)?;
        }
        write!(formatter, ": [{}] {}\n    why: {}", self.rule, self.message, self.why)
    }
}

/// The workspace as tidy sees it.
pub struct House {
    /// Its root.
    pub root: PathBuf,
    /// Its text files, sorted by path.
    pub files: Vec<File>,
    /// The exceptions.
    pub ledger: Ledger,
}

/// A text file.
pub struct File {
    /// Path below the workspace, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
    /// Code, comments and literals apart, when it is Rust.
    pub rust: Option<RustText>,
}

impl House {
    /// Reads what git knows of, and what it would add.
    pub fn read(root: &Path) -> Result<Self> {
        let output =
            command("git", &["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root).output().context("git ls-files")?;
        anyhow::ensure!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
        let mut paths: Vec<String> = String::from_utf8_lossy(&output.stdout).split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
        paths.sort_unstable();
        paths.dedup();
        // What is deleted and not yet committed, and what is no text, is not read.
        let files = paths.into_iter().filter_map(|path| std::fs::read_to_string(root.join(&path)).ok().map(|text| File::new(path, text))).collect();
        Ok(Self { root: root.to_path_buf(), files, ledger: Ledger::read(root)? })
    }

    /// Files whose names end so.
    pub fn files_of(&self, suffix: &'static str) -> impl Iterator<Item = &File> {
        self.files.iter().filter(move |file| file.path.ends_with(suffix))
    }

    /// Rust files with their parts.
    pub fn rust(&self) -> impl Iterator<Item = (&File, &RustText)> {
        self.files.iter().filter_map(|file| file.rust.as_ref().map(|rust| (file, rust)))
    }
}

impl File {
    pub fn new(path: String, text: String) -> Self {
        let rust = path.ends_with(".rs").then(|| RustText::read(&text));
        Self { path, text, rust }
    }

    /// Whether the whole file is for tests, benches or demonstrations.
    pub fn is_test(&self) -> bool {
        let path = &self.path;
        path.starts_with("crates/testkit/")
            || path.ends_with("/tests.rs")
            || ["/tests/", "/benches/", "/examples/", "/contract/"].iter().any(|part| path.contains(part))
    }
}

/// Everything that is wrong, by path.
pub fn findings(house: &House) -> Result<Vec<Finding>> {
    let mut findings = floors::findings(house)?;
    findings.extend(doors::findings(house));
    findings.extend(rooms::findings(house));
    findings.extend(leftovers::findings(house));
    findings.extend(links::findings(house));
    findings.extend(migrations::findings(house));
    findings.sort_by(|left, right| (&left.path, left.line_number, left.rule).cmp(&(&right.path, right.line_number, right.rule)));
    Ok(findings)
}
