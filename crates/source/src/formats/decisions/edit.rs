//! Edits of decision records: the status and relations, each where the file states it, as bytes for bytes; either right or refused.
//!
//! Every edit is a handful of replaced stretches. Ways to write it are tried in the order of how well they fit the file; the first counts after which
//! the reader sees what was asked for and everything else as before.

mod check;
mod draft;
mod front_matter;
mod new_record;
mod phrasing;
mod pointer;
mod relations;
mod standing;
#[cfg(test)]
mod tests;
mod unstated;
mod value;

use document::RelationKind;

use self::check::Want;
use self::draft::{Draft, Patch};
use super::RecordFiles;
use crate::RawFile;

pub use self::new_record::{NewRecord, Style, new_record, next_number, style_of, template_among};

/// One change of a record's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// A new status.
    Status {
        /// The status word or words, such as `accepted`; written in the case and decoration that the file uses.
        word: String,
        /// `YYYY-MM-DD`: takes the place of a date that stands beside the status word; elsewhere it changes nothing.
        date: Option<String>,
    },
    /// A relation to another record, added to those that are stated.
    Relation {
        /// How this record relates to the other.
        kind: RelationKind,
        /// Whether a part only is meant.
        is_partial: bool,
        /// The other record.
        target: Pointer,
    },
}

/// Another record, in every form in which a file may name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// Its full id, `<project>/<type>/<slug>`.
    pub id: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    pub reference: Option<String>,
    /// The number of its name, digits as written.
    pub number: Option<String>,
    /// Its title.
    pub title: String,
    /// Path from the edited file's folder to its file, with `/`.
    pub relative_path: String,
}

/// Why an edit was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The file has no place in which it could be said.
    NoPlace,
    /// Several places say it, and not the same.
    Ambiguous,
    /// No way to write it was read back with everything else unchanged.
    NotVerified,
    /// The file is no UTF-8 text.
    NotText,
}

/// What came of an edit that was not made. No bytes were changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The record says so already.
    #[error("{path} already says {what}; nothing was changed.")]
    AlreadySo {
        /// The record's main file.
        path: String,
        /// What was asked for, in words.
        what: String,
    },
    /// The file cannot be edited so.
    #[error("{path} cannot be edited at its {place}: {reason} {hint}")]
    CannotEdit {
        /// The file.
        path: String,
        /// The kind of fault.
        cause: Refusal,
        /// Where the edit would have stood, such as `front matter` or `section`.
        place: String,
        /// Why not, as a sentence.
        reason: String,
        /// The way on, as a sentence.
        hint: String,
    },
    /// What was asked for cannot be written in any file.
    #[error("The {what} \"{given}\" cannot be written: {reason}")]
    BadInput {
        /// Which part of the request, such as `status` or `title`.
        what: String,
        /// As given, shortened.
        given: String,
        /// Why not, and the way on.
        reason: String,
    },
}

/// Changes a record's bytes so that it states `edits`. Returns the files that changed, with their new bytes.
///
/// Only the bytes that must change do: comments, quotes, key order, line ends, byte order marks and bytes that are no UTF-8 stay. The result is read
/// again before it is returned.
///
/// # Errors
///
/// [`EditError`]: nothing to change, no way to say it in this file, or input that no file can hold.
pub fn edit(files: &RecordFiles, main: &RawFile, sidecars: &[RawFile], edits: &[Edit]) -> Result<Vec<RawFile>, EditError> {
    let mut draft = Draft::open(files, main, sidecars)?;
    let mut already = None;
    for step in steps(edits)? {
        let open: Vec<Want<'_>> = step.into_iter().filter(|want| !want.holds(&draft)).collect();
        if open.is_empty() {
            already.get_or_insert_with(|| edits.iter().map(Edit::words).collect::<Vec<_>>().join(" and "));
            continue;
        }
        draft = take(draft, &open)?;
    }
    let changed = draft.changed(main, sidecars);
    match already {
        Some(what) if changed.is_empty() => Err(EditError::AlreadySo { path: files.main.clone(), what }),
        _ => Ok(changed),
    }
}

impl Edit {
    fn words(&self) -> String {
        match self {
            Self::Status { word, .. } => format!("status \"{word}\""),
            Self::Relation { kind, is_partial, target } => {
                format!("{}{} {}", kind.as_str().replace('_', " "), if *is_partial { " in part" } else { "" }, target.id)
            }
        }
    }
}

/// The edits in steps: what is written as one statement (`superseded by …`) is one step.
fn steps(edits: &[Edit]) -> Result<Vec<Vec<Want<'_>>>, EditError> {
    let wants: Vec<Want<'_>> = edits.iter().map(Want::of).collect::<Result<_, _>>()?;
    let is_end = |want: &Want<'_>| matches!(want, Want::Status { word, .. } if matches!(word.to_lowercase().as_str(), "superseded" | "replaced"));
    let is_successor = |want: &Want<'_>| matches!(want, Want::Relation { kind: RelationKind::SupersededBy, is_partial: false, .. });
    let joint = wants.iter().position(is_end).zip(wants.iter().position(is_successor));
    let mut steps = Vec::new();
    if let Some((status, relation)) = joint {
        steps.push(vec![wants[status], wants[relation]]);
    }
    let rest = wants.iter().enumerate().filter(|(index, _)| joint.is_none_or(|(status, relation)| *index != status && *index != relation));
    steps.extend(rest.map(|(_, want)| vec![*want]));
    Ok(steps)
}

/// Makes one step, jointly where that reads well, else one want after the other.
fn take<'a>(draft: Draft<'a>, wants: &[Want<'_>]) -> Result<Draft<'a>, EditError> {
    let tried = attempt(&draft, wants);
    match (tried, wants) {
        (Ok(next), _) => Ok(next),
        (Err(error), [_]) => Err(error),
        (Err(_), wants) => wants.iter().try_fold(draft, |draft, want| if want.holds(&draft) { Ok(draft) } else { attempt(&draft, &[*want]) }),
    }
}

/// Tries every way to write `wants`; the first that reads back right is taken.
fn attempt<'a>(draft: &Draft<'a>, wants: &[Want<'_>]) -> Result<Draft<'a>, EditError> {
    let facts = draft.opened.gathered(draft.files);
    let ways: Vec<Vec<Patch>> = match wants {
        [Want::Status { word, date }] => standing::ways(draft, &facts, word, *date),
        [Want::Relation { kind, is_partial, pointer }] => relations::ways(draft, &facts, *kind, *is_partial, pointer),
        [Want::Status { word, date }, Want::Relation { kind, pointer, .. }] => standing::joint_ways(draft, &facts, word, *date, *kind, pointer),
        _ => Vec::new(),
    };
    let place = draft.place_of_status().unwrap_or("metadata").to_owned();
    let mut cause = Refusal::NoPlace;
    let mut reason = "it has no place in which this could be said.".to_owned();
    for patches in ways {
        let Some(next) = draft.with(&patches) else { continue };
        match check::verify(draft, &next, wants, &patches) {
            Ok(()) => return Ok(next),
            Err(why) => {
                if cause == Refusal::NoPlace {
                    reason = why;
                }
                cause = Refusal::NotVerified;
            }
        }
    }
    if cause == Refusal::NotVerified && standing::disagrees(&facts) {
        cause = Refusal::Ambiguous;
    }
    let hint = "Edit the file by hand; it was left as it is.".to_owned();
    Err(EditError::CannotEdit { path: draft.files.main.clone(), cause, place, reason, hint })
}
