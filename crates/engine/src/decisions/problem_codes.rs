//! The codes of problems, as an argument can name them. What each means stands in docs/reference/decision-records.md.

use document::Severity;

use crate::{Desk, Error, Result};

/// All codes of files and folders of decision records.
pub(super) const CODES: &[&str] = &[
    "bad-ignore-line",
    "bad-project-order",
    "binary-file",
    "broken-front-matter",
    "broken-project-file",
    "broken-sidecar",
    "duplicate-field",
    "duplicate-key",
    "duplicate-number",
    "impossible-date",
    "link-broken",
    "link-loop",
    "link-out-of-folder",
    "misspelt-status",
    "name-twice",
    "nameless-field",
    "not-utf-8",
    "number-disagrees",
    "relation-without-target",
    "special-file",
    "status-disagrees",
    "superseded-without-target",
    "template-date",
    "template-status",
    "template-title",
    "toml-front-matter",
    "too-large",
    "unknown-project-key",
    "unreadable",
    "unreadable-date",
    "unreadable-status",
];

/// What the argument `problem` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A problem of this code.
    Code(String),
    /// A problem that is so bad.
    Severity(Severity),
}

/// Reads the argument: a severity, a code that is known, or one that a file of the library has.
///
/// # Errors
/// Any other word, with the nearest code and those that the library has.
pub(super) async fn read(desk: &Desk, text: &str) -> Result<Wanted> {
    let word = text.trim().to_lowercase();
    if let Some(severity) = Severity::parse(&word) {
        return Ok(Wanted::Severity(severity));
    }
    let present = desk.library.store().problem_codes().await?;
    if CODES.contains(&word.as_str()) || present.contains(&word) {
        return Ok(Wanted::Code(word));
    }
    let near = CODES.iter().map(|code| (strsim::jaro_winkler(code, &word), *code)).max_by(|left, right| left.0.total_cmp(&right.0));
    let nearest = near.filter(|(closeness, _)| *closeness >= 0.8).map_or_else(String::new, |(_, code)| format!("Did you mean \"{code}\"? "));
    let shown: String = text.chars().take(80).collect();
    let there = if present.is_empty() { String::new() } else { format!(" Files here have: {}.", short_list(&present)) };
    Err(Error::bad_input(format!("problem is \"{shown}\", which is no code of a problem and no severity."))
        .hint(format!("{nearest}Severities are error, warning and note.{there}")))
}

fn short_list(codes: &[String]) -> String {
    let mut list = codes.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    if codes.len() > 8 {
        list.push_str(", …");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::CODES;

    #[test]
    fn the_codes_are_those_of_the_documents() {
        let text = include_str!("../../../../docs/reference/decision-records.md");
        let table = text.split("\n## Problems").nth(1).unwrap().split("\n## ").next().unwrap();
        let cells = table.lines().filter(|line| line.starts_with("| `")).map(|line| line.split('|').nth(1).unwrap());
        let mut told: Vec<&str> = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).collect();
        told.sort_unstable();
        assert_eq!(told, CODES);
    }
}
