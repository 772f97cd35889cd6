//! Circles of supersession: records of which each takes the place of the next, and the last that of the first. Then none of them is the current one.

use document::{Problem, RelationKind};

use super::{View, problem};

/// Records that a message lists at most.
const LISTED: usize = 8;

/// How far the walk is with a record.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Seen {
    Not,
    /// It is on the way that is being walked.
    Here,
    Done,
}

/// Walks along successors from every record once. Each circle is told once, at the first of its records by path.
pub(super) fn find(view: &View<'_>, problems: &mut Vec<(usize, Problem)>) {
    let count = view.network.catalogue.cards().len();
    let mut seen = vec![Seen::Not; count];
    for start in 0..count {
        if seen[start] != Seen::Not {
            continue;
        }
        let mut way: Vec<(usize, Vec<usize>)> = vec![(start, successors(view, start))];
        seen[start] = Seen::Here;
        while let Some((here, left)) = way.last_mut() {
            let here = *here;
            match left.pop() {
                Some(next) if seen[next] == Seen::Not => {
                    seen[next] = Seen::Here;
                    way.push((next, successors(view, next)));
                }
                Some(next) if seen[next] == Seen::Here => {
                    let from = way.iter().position(|(at, _)| *at == next).unwrap_or_default();
                    let circle: Vec<usize> = way[from..].iter().map(|(at, _)| *at).collect();
                    problems.push(told(view, circle));
                }
                Some(_) => {}
                None => {
                    seen[here] = Seen::Done;
                    way.pop();
                }
            }
        }
    }
}

fn successors(view: &View<'_>, at: usize) -> Vec<usize> {
    let bonds = view.network.bonds(at);
    bonds.iter().filter(|bond| bond.kind == RelationKind::SupersededBy && !bond.is_partial).map(|bond| bond.other).collect()
}

fn told(view: &View<'_>, mut circle: Vec<usize>) -> (usize, Problem) {
    let place = |at: usize| (view.card(at).collection_id, view.card(at).path.as_str());
    let first = (0..circle.len()).min_by_key(|index| place(circle[*index])).unwrap_or_default();
    circle.rotate_left(first);
    let (at, card) = (circle[0], view.card(circle[0]));
    let mut ids: Vec<&str> = circle.iter().take(LISTED).map(|at| view.card(*at).id.as_str()).collect();
    if circle.len() > LISTED {
        ids.push("…");
    }
    ids.push(&card.id);
    let message = format!("Supersession runs in a circle: {}. None of them is the current one.", ids.join(" → "));
    let is_one = |relation: &&document::Relation| matches!(relation.kind, RelationKind::Supersedes | RelationKind::SupersededBy);
    let mut told = problem("supersession-cycle", &card.path, message).hint("Take out the relation that has the wrong direction.");
    told.line_number = card.relations.iter().find(is_one).map(|relation| relation.line_number);
    (at, told)
}
