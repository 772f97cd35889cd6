//! A status that does not fit what the record says of its successors.

use document::{Problem, RelationKind};

use super::super::relations::StatedBy;
use super::super::targets::Resolution;
use super::{Subject, View, problem, shown};

pub(super) fn find(view: &View<'_>, subject: &Subject<'_>, problems: &mut Vec<Problem>) {
    let card = subject.card;
    let word = card.status.word.as_str();
    let mut successors = subject.stated().filter(|(relation, _)| relation.kind == RelationKind::SupersededBy);
    let is_claimed = || subject.bonds.iter().any(|bond| bond.kind == RelationKind::SupersededBy && bond.stated_by == StatedBy::Other);
    if word.starts_with("superseded") && successors.next().is_none() && !is_claimed() {
        let told = problem("superseded-without-target", &card.path, "It says superseded, but not by which record.");
        problems.push(told.hint("Name the record that takes its place: `Superseded by [Title](file.md)`, or `superseded_by` in its front matter."));
    }
    // `Implemented. Superseded by …` says both in one breath.
    let raw = card.status.raw.as_deref().unwrap_or_default().to_lowercase();
    let says_so = ["supersed", "superced", "superseed", "replac", "obsolet", "deprecat", "retire"].iter().any(|stem| raw.contains(stem));
    if !view.statuses.is_current(word) || says_so {
        return;
    }
    let whole = subject.stated().find(|(relation, found)| {
        relation.kind == RelationKind::SupersededBy && !relation.is_partial && matches!(found, Resolution::Record(other) if *other != subject.at)
    });
    if let Some((relation, _)) = whole {
        let message = format!("It says \"{}\", but its status is still \"{}\".", shown(&relation.raw), shown(word));
        let told = problem("superseded-but-current", &card.path, message).at_line(relation.line_number);
        problems.push(told.hint("Change its status to `superseded`, or say which part is superseded."));
    }
}
