//! Problems as an argument: a code or a severity. What stands between records is stored nowhere, so it is looked for when it is asked for.

use document::Severity;
use store::RecordFilter;

use super::consistency;
use super::metadata_rules::MetadataRules;
use crate::{Desk, Error, Result, findings};

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
    if findings::kind_of(&word).is_some() || present.contains(&word) {
        return Ok(Wanted::Code(word));
    }
    let codes = findings::GROUPS.iter().flat_map(|group| group.kinds).map(|kind| kind.code);
    let near = codes.map(|code| (strsim::jaro_winkler(code, &word), code)).max_by(|left, right| left.0.total_cmp(&right.0));
    let nearest = near.filter(|(closeness, _)| *closeness >= 0.8).map_or_else(String::new, |(_, code)| format!("Did you mean \"{code}\"? "));
    let shown: String = text.chars().take(80).collect();
    let there = if present.is_empty() { String::new() } else { format!(" Files here have: {}.", short_list(&present)) };
    Err(Error::bad_input(format!("problem is \"{shown}\", which is no code of a problem and no severity."))
        .hint(format!("{nearest}Severities are error, warning and note.{there}")))
}

/// The documents with what is wanted.
///
/// # Errors
/// A store that cannot be read.
pub(super) async fn documents(desk: &Desk, wanted: &Wanted) -> Result<Vec<i64>> {
    let stored = match wanted {
        Wanted::Code(code) => RecordFilter { problem_code: Some(code.clone()), ..RecordFilter::default() },
        Wanted::Severity(severity) => RecordFilter { problem_severity: Some(*severity), ..RecordFilter::default() },
    };
    let mut ids = desk.library.store().record_ids(&stored).await?;
    if !matches!(wanted, Wanted::Code(code) if !findings::is_looked_for(code)) {
        let metadata = MetadataRules::of_all(desk).await?;
        let between = consistency::between(desk).await?.into_iter().chain(metadata).filter(|(_, problem)| match wanted {
            Wanted::Code(code) => problem.code == *code,
            Wanted::Severity(severity) => problem.severity == *severity,
        });
        ids.extend(between.map(|(place, _)| place.document_id));
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

fn short_list(codes: &[String]) -> String {
    let mut list = codes.iter().take(8).cloned().collect::<Vec<_>>().join(", ");
    if codes.len() > 8 {
        list.push_str(", …");
    }
    list
}
