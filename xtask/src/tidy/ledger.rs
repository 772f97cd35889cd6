//! The ledger: exceptions to the rules, each with its reason. It can only shrink: a figure above what is true, or an exception nobody needs, is
//! a finding itself.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::{Finding, House};

/// Where it stands.
pub const PATH: &str = "xtask/ledger.toml";

/// Why it can only shrink.
pub const WHY: &str = "exceptions that nobody needs any more hide the next one";

/// All exceptions.
#[derive(Debug, Default)]
pub struct Ledger {
    pub exceptions: Vec<Exception>,
}

/// One exception.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exception {
    /// `file-length`, `folder-entries`, `crate-length`, `unused-dependency`, or the rule of a door.
    pub rule: String,
    /// The file, the folder, or for a dependency the crate's manifest.
    pub path: String,
    /// Lines or entries, for the rules that count.
    pub figure: Option<usize>,
    /// The dependency, for the rule that names one.
    pub name: Option<String>,
    pub reason: String,
}

impl Ledger {
    pub fn read(root: &Path) -> Result<Self> {
        match std::fs::read_to_string(root.join(PATH)) {
            Ok(text) => Self::parse(&text).context(PATH),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(error).context(PATH),
        }
    }

    pub fn parse(text: &str) -> Result<Self> {
        let table: toml::Table = text.parse()?;
        let mut exceptions = Vec::new();
        for (rule, entries) in &table {
            for entry in entries.as_array().with_context(|| format!("`{rule}` is not a list"))? {
                let text = |key: &str| entry.get(key).and_then(toml::Value::as_str).map(str::to_owned);
                let figure = entry.get("figure").and_then(toml::Value::as_integer).and_then(|figure| usize::try_from(figure).ok());
                let path = text("path").with_context(|| format!("an entry of `{rule}` has no path"))?;
                let reason = text("reason").filter(|reason| !reason.is_empty()).with_context(|| format!("{path} has no reason"))?;
                exceptions.push(Exception { rule: rule.clone(), path, figure, name: text("name"), reason });
            }
        }
        Ok(Self { exceptions })
    }

    pub fn find(&self, rule: &str, path: &str) -> Option<&Exception> {
        self.exceptions.iter().find(|exception| exception.rule == rule && exception.path == path)
    }

    /// Findings for exceptions of `rule` that are not in `used`.
    pub fn unused(&self, rule: &'static str, used: &[&Exception]) -> Vec<Finding> {
        let is_unused = |exception: &&Exception| exception.rule == rule && !used.contains(exception);
        self.exceptions
            .iter()
            .filter(is_unused)
            .map(|exception| Finding {
                path: PATH.to_owned(),
                line_number: 0,
                rule,
                message: format!("the exception for {} is not needed; remove it", exception.path),
                why: WHY,
            })
            .collect()
    }

    /// Compares a count with its limit and its exception.
    pub fn count<'a>(
        &'a self,
        rule: &'static str,
        path: &str,
        count: usize,
        limit: usize,
        why: &'static str,
        used: &mut Vec<&'a Exception>,
    ) -> Option<Finding> {
        let finding = |message| Some(Finding { path: path.to_owned(), line_number: 0, rule, message, why });
        if count <= limit {
            return None;
        }
        let Some(exception) = self.find(rule, path) else { return finding(format!("{count}; the limit is {limit}")) };
        used.push(exception);
        let allowed = exception.figure.unwrap_or(limit);
        match allowed {
            allowed if count > allowed => finding(format!("{count}; the limit is {limit}, and the exception in {PATH} ends at {allowed}")),
            // A little air, so that not every edit must touch the ledger.
            allowed if count + 20 < allowed => {
                finding(format!("{count}, less than the exception of {allowed}: `cargo xtask tidy --shrink` lowers it"))
            }
            _ => None,
        }
    }
}

/// Lowers figures to what is true and drops what is not needed. Never raises one.
pub fn shrink(house: &House) -> Result<()> {
    let mut text = String::from(
        "# Exceptions to the rules that `cargo xtask tidy` checks, each with its reason. This list can only shrink: `cargo xtask tidy --shrink`.\n",
    );
    let mut exceptions = house.ledger.exceptions.clone();
    exceptions.sort_by(|left, right| (&left.rule, &left.path, &left.name).cmp(&(&right.rule, &right.path, &right.name)));
    for exception in exceptions {
        let Some(figure) = super::rooms::still_needed(house, &exception) else { continue };
        write!(text, "\n[[{}]]\npath = {:?}\n", exception.rule, exception.path)?;
        if let Some(name) = &exception.name {
            writeln!(text, "name = {name:?}")?;
        }
        if let Some(figure) = figure {
            writeln!(text, "figure = {figure}")?;
        }
        writeln!(text, "reason = {}", toml::Value::String(exception.reason.clone()))?;
    }
    std::fs::write(house.root.join(PATH), text).context(PATH)
}
