//! Ignore rules in gitignore syntax: the configuration's patterns first, then the files of each folder, the deepest first.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::Dir;
use document::{Problem, Severity};
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use unicode_normalization::UnicodeNormalization as _;

use super::error::FolderError;
use super::skipped::IGNORE_FILES;

/// An ignore file larger than this is not one.
const MAX_IGNORE_BYTES: u64 = 1024 * 1024;

/// The rules of one folder.
struct Scope {
    /// Where paths relative to that folder begin in a path below the root.
    offset: usize,
    rules: Gitignore,
}

/// The rules that hold at one place of a walk. Cheap to clone, for somebody who goes on from there.
#[derive(Clone)]
pub(super) struct Ignored<'a> {
    configured: &'a Gitignore,
    scopes: Vec<Arc<Scope>>,
}

/// Reads the configuration's patterns.
pub(super) fn configured(patterns: &[String]) -> Result<Gitignore, FolderError> {
    let bad = |pattern: &str, error: ignore::Error| FolderError::BadIgnore { pattern: pattern.to_owned(), reason: error.to_string() };
    let mut builder = GitignoreBuilder::new("");
    for pattern in patterns {
        let normal: String = pattern.nfc().collect();
        builder.add_line(None, &normal).map_err(|error| bad(pattern, error))?;
    }
    builder.build().map_err(|error| bad(&patterns.join(" "), error))
}

impl<'a> Ignored<'a> {
    pub(super) const fn new(configured: &'a Gitignore) -> Self {
        Self { configured, scopes: Vec::new() }
    }

    /// Adds the rules of the folder `relative`, when it has any. Returns whether [`Ignored::leave`] is due.
    pub(super) fn enter(&mut self, dir: &Dir, relative: &str, names: &[&str], problems: &mut Vec<Problem>) -> bool {
        if names.is_empty() {
            return false;
        }
        let mut builder = GitignoreBuilder::new("");
        for name in names {
            let path = if relative.is_empty() { (*name).to_owned() } else { format!("{relative}/{name}") };
            let Some(text) = ignore_text(dir, name) else {
                problems.push(Problem::new(
                    "unreadable",
                    Severity::Warning,
                    &path,
                    format!("The ignore file `{path}` cannot be read; nothing is ignored by it."),
                ));
                continue;
            };
            for (line_index, line) in text.lines().enumerate() {
                let line = if line_index == 0 { line.trim_start_matches('\u{FEFF}') } else { line };
                // Paths are in NFC, so patterns must be too.
                let line: String = line.nfc().collect();
                if let Err(error) = builder.add_line(None, &line) {
                    let line_number = u32::try_from(line_index + 1).unwrap_or(u32::MAX);
                    let message = format!("The ignore pattern `{line}` cannot be read: {error}.");
                    problems.push(Problem::new("bad-ignore-line", Severity::Warning, &path, message).at_line(line_number));
                }
            }
        }
        let Ok(rules) = builder.build() else { return false };
        if rules.is_empty() {
            return false;
        }
        self.scopes.push(Arc::new(Scope { offset: if relative.is_empty() { 0 } else { relative.len() + 1 }, rules }));
        true
    }

    pub(super) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Whether the path below the root is ignored. Its parents are taken to be not ignored.
    pub(super) fn is_ignored(&self, relative: &str, is_folder: bool) -> bool {
        if !self.configured.is_empty() {
            match self.configured.matched(Path::new(relative), is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        for scope in self.scopes.iter().rev() {
            match scope.rules.matched(Path::new(&relative[scope.offset..]), is_folder) {
                Match::Ignore(_) => return true,
                Match::Whitelist(_) => return false,
                Match::None => {}
            }
        }
        false
    }
}

/// Whether `dir` itself holds a regular file of this name. Rules are not followed through links, as git does not.
pub(super) fn holds_file(dir: &Dir, name: &str) -> bool {
    dir.symlink_metadata(name).is_ok_and(|metadata| metadata.is_file())
}

/// Names of the ignore files that `dir` holds, in the order in which they are read.
pub(super) fn ignore_files(dir: &Dir) -> Vec<&'static str> {
    IGNORE_FILES.into_iter().filter(|name| holds_file(dir, name)).collect()
}

fn ignore_text(dir: &Dir, name: &str) -> Option<String> {
    let file = super::open_file(dir, Path::new(name)).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_IGNORE_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
