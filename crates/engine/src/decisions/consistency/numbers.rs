//! Numbers that two records of one folder and type share: their short ids fit both.

use document::Problem;
use store::fold;

use super::super::catalogue::{Card, bare_number};
use super::{Subject, View, problem};

pub(super) fn find(view: &View<'_>, subject: &Subject<'_>, problems: &mut Vec<Problem>) {
    let card = subject.card;
    let Some(number) = card.number.as_deref() else { return };
    let neighbours = view.network.catalogue.numbered(card.collection_id, &card.project, number).iter().map(|at| view.card(*at));
    // The first one may keep it; each of the others is told. `ARCH-001` and `GEN-001` are counted apart.
    let is_before = |other: &&Card| other.path < card.path && other.shelf() == card.shelf() && series(other) == series(card);
    if let Some(first) = neighbours.filter(is_before).min_by(|left, right| left.path.cmp(&right.path)) {
        let message = format!("The number {} is also that of {}.", bare_number(number), first.path);
        let told = problem("duplicate-number", &card.path, message);
        problems.push(told.hint("Ids by number are ambiguous: use full ids, or give one of the records another number."));
    }
}

/// The letters before a record's number, where they say more than its type.
fn series(card: &Card) -> String {
    let name = fold(card.slug.rsplit('/').next().unwrap_or_default());
    let before = name.split(|character: char| character.is_ascii_digit()).next().unwrap_or_default().trim_matches(['-', '_', ' ']);
    if before == fold(&card.record_type) { String::new() } else { before.to_owned() }
}
