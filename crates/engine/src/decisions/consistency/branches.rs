//! Records that were replaced as a whole by several others, of which more than one is still the last of its chain.

use std::collections::{BTreeSet, HashSet};

use document::{Problem, RelationKind};

use super::{View, problem};

/// Records that one walk looks at.
const LIMIT: usize = 100;

pub(super) fn find(view: &View<'_>, problems: &mut Vec<(usize, Problem)>) {
    for (at, card) in view.network.catalogue.cards().iter().enumerate() {
        let successors: BTreeSet<usize> = view.network.successors(at, view.statuses).into_iter().collect();
        if successors.len() < 2 {
            continue;
        }
        let ends: BTreeSet<usize> = successors.iter().flat_map(|successor| ends(view, at, *successor)).collect();
        if ends.len() < 2 {
            continue;
        }
        let ids: Vec<&str> = ends.iter().map(|end| view.card(*end).id.as_str()).collect();
        let message = format!("It is superseded as a whole by several records: {}.", ids.join(", "));
        let mut told = problem("several-successors", &card.path, message).hint("If each takes over a part, say `superseded in part by`.");
        told.line_number = card.relations.iter().find(|relation| relation.kind == RelationKind::SupersededBy).map(|relation| relation.line_number);
        problems.push((at, told));
    }
}

/// The ends of the chain that goes on from a successor.
fn ends(view: &View<'_>, from: usize, successor: usize) -> BTreeSet<usize> {
    let mut seen = HashSet::from([from, successor]);
    let mut waiting = vec![successor];
    let mut ends = BTreeSet::new();
    while let Some(here) = waiting.pop() {
        let next = view.network.successors(here, view.statuses);
        if next.is_empty() {
            ends.insert(here);
        }
        waiting.extend(next.into_iter().filter(|at| seen.len() < LIMIT && seen.insert(*at)));
    }
    ends
}
