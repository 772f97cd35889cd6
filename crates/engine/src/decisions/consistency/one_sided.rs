//! One-sided pointers: a record says something of another one, and the other one says nothing about it.

use document::{Problem, RelationKind, UNKNOWN};

use super::super::Statuses;
use super::super::catalogue::Card;
use super::super::relations::{StatedBy, has_effect};
use super::super::targets::Resolution;
use super::line::line_to_add;
use super::{Subject, View, problem};

/// Which statement of this record is missing, where another one makes its counterpart.
const fn code(kind: RelationKind) -> Option<(&'static str, &'static str)> {
    match kind {
        RelationKind::SupersededBy => Some(("missing-superseded-by", "supersedes")),
        RelationKind::AmendedBy => Some(("missing-amended-by", "amends")),
        RelationKind::Supersedes => Some(("missing-supersedes", "is superseded by")),
        RelationKind::Amends => Some(("missing-amends", "is amended by")),
        _ => None,
    }
}

pub(super) fn find(view: &View<'_>, subject: &Subject<'_>, problems: &mut Vec<Problem>) {
    for bond in subject.bonds.iter().filter(|bond| bond.stated_by == StatedBy::Other) {
        let Some((code, verb)) = code(bond.kind) else { continue };
        let other = view.card(bond.other);
        let is_forward = matches!(bond.kind, RelationKind::SupersededBy | RelationKind::AmendedBy);
        // A proposal that would change something has not done so yet; a rejected one never will.
        if is_forward && !has_effect(other, view.statuses) {
            continue;
        }
        let is_amendment = matches!(bond.kind, RelationKind::AmendedBy | RelationKind::Amends);
        // What a replaced record amended is the matter of its successor; and text that mentions the other one tells its reader enough.
        if is_amendment && (!holds(other, view.statuses) || view.mentions.contains(&(subject.at, bond.other))) {
            continue;
        }
        // It names the other in another way: part for whole, amending for superseding.
        let is_strong = |kind: RelationKind| !matches!(kind, RelationKind::RelatesTo | RelationKind::DependsOn | RelationKind::RequiredBy);
        if subject.bonds.iter().any(|own| own.other == bond.other && own.stated_by != StatedBy::Other && is_strong(own.kind)) {
            continue;
        }
        // It names something of the kind that cannot be found, or leads out of the library: probably that is meant.
        let is_unfound = |found: &Resolution| !matches!(found, Resolution::Record(_));
        if subject.stated().any(|(relation, found)| relation.kind == bond.kind && is_unfound(found)) {
            continue;
        }
        // It names one that took its place; that a later one replaced both is the later one's to say.
        let is_replaced =
            subject.bonds.iter().any(|own| own.kind == RelationKind::SupersededBy && !own.is_partial && own.stated_by != StatedBy::Other);
        if bond.kind == RelationKind::SupersededBy && is_replaced {
            continue;
        }
        let part = if bond.is_partial { " in part" } else { "" };
        let message = format!("{} says that it {verb} this record{part}; this record does not say so.", other.name());
        let told = problem(code, &subject.card.path, message);
        problems.push(told.hint(line_to_add(subject.card, bond.kind, bond.is_partial, other)));
    }
}

/// Whether a record is in force by its own status, or states none.
fn holds(card: &Card, statuses: &Statuses) -> bool {
    card.status.word == UNKNOWN || statuses.is_current(&card.status.word)
}
