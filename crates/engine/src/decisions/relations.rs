//! Relations in both directions: what a record states of others and what others state of it, and where the chain of its successors ends.

use std::collections::{HashMap, HashSet};

use document::{RelationKind, UNKNOWN};
use store::{RecordNames, RecordRow};

use super::Statuses;
use super::catalogue::{Card, Catalogue};
use super::targets::{self, Depth, Resolution};
use crate::{Desk, Result};

/// Most records that one walk along successors looks at; real chains have fewer than ten.
const LIMIT: usize = 50;

/// Which of two records states a relation between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatedBy {
    /// The record that was asked for.
    This,
    /// The other one.
    Other,
    /// Both of them.
    Both,
}

/// A record that has to do with another one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Related {
    /// Its id; what the text says where the library has no such record.
    pub id: String,
    /// Reference, title and status; `None` where the library has no such record.
    pub known: Option<Known>,
    /// How it relates, seen from the record that was asked for.
    pub kind: RelationKind,
    /// Only a part is concerned, by the word of either.
    pub is_partial: bool,
    /// Which of the two says so.
    pub stated_by: StatedBy,
}

/// What is known of a related record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    pub reference: Option<String>,
    /// Its title.
    pub title: String,
    /// Its status word.
    pub status: String,
}

impl Related {
    fn of(card: &Card, kind: RelationKind, is_partial: bool, stated_by: StatedBy) -> Self {
        let known = Known { reference: card.reference.clone(), title: card.title.clone(), status: card.status.word.clone() };
        Self { id: card.id.clone(), known: Some(known), kind, is_partial, stated_by }
    }

    /// The end of a chain.
    pub(super) fn end(card: &Card) -> Self {
        Self::of(card, RelationKind::SupersededBy, false, StatedBy::Both)
    }
}

/// The relations around one record.
#[derive(Debug, Clone, Default)]
pub(super) struct Links {
    /// Where each of its own relations leads, in their order.
    pub(super) stated: Vec<Resolution>,
    /// Which relations of others lead here: the record, and the position of the relation in it.
    pub(super) about: Vec<(usize, usize)>,
}

/// A relation between two records of the catalogue, by the word of one or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bond {
    pub(super) other: usize,
    /// Seen from the record whose bonds these are.
    pub(super) kind: RelationKind,
    pub(super) is_partial: bool,
    pub(super) stated_by: StatedBy,
}

/// Relations of others that one record is told of, at most.
pub(super) const MOST_ABOUT: i64 = 2_000;

/// A catalogue with the relations of those records that were looked at.
#[derive(Debug)]
pub(super) struct Network {
    pub(super) catalogue: Catalogue,
    links: HashMap<usize, Links>,
    /// Relations of others that are looked at for each record, at most.
    most: i64,
}

impl Network {
    /// One to which records are added as they are looked at. Of more than `most` relations of others to one record, the rest is left out.
    pub(super) fn empty(desk: &Desk, most: i64) -> Self {
        Self { catalogue: Catalogue::of(&desk.library), links: HashMap::new(), most }
    }

    /// All relations of a whole catalogue.
    pub(super) fn whole(catalogue: Catalogue) -> Self {
        let mut links: HashMap<usize, Links> = (0..catalogue.cards().len()).map(|at| (at, Links::default())).collect();
        for (at, card) in catalogue.cards().iter().enumerate() {
            for (position, relation) in card.relations.iter().enumerate() {
                let found = targets::resolve(&catalogue, card, &relation.target, Depth::Ends);
                if let Resolution::Record(other) = found
                    && other != at
                {
                    links.entry(other).or_default().about.push((at, position));
                }
                links.entry(at).or_default().stated.push(found);
            }
        }
        for links in links.values_mut() {
            links.about.sort_by(|left, right| (&catalogue.card(left.0).id, left).cmp(&(&catalogue.card(right.0).id, right)));
        }
        Self { catalogue, links, most: i64::MAX }
    }

    /// Looks at one record: a handful of questions to the store, however many relations it has. Answers with its place.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub(super) async fn look_at(&mut self, desk: &Desk, row: RecordRow) -> Result<usize> {
        let at = self.catalogue.add(Card::of(row));
        self.look_around(desk, at).await?;
        Ok(at)
    }

    async fn look_around(&mut self, desk: &Desk, at: usize) -> Result<()> {
        if self.links.contains_key(&at) {
            return Ok(());
        }
        let store = desk.library.store();
        let own = self.catalogue.card(at).relations.len();
        let mut asked: Vec<(usize, usize)> = (0..own).map(|position| (at, position)).collect();
        for row in store.pointing_to(self.catalogue.card(at).document_id, self.most).await? {
            let other = self.catalogue.add(Card::of(row.record));
            asked.extend(row.positions.into_iter().map(|position| (other, position)));
        }
        let card = self.catalogue.card(at);
        // Neighbours of the same number are asked for as well: they make the number ambiguous.
        let number = card.number.clone().map(|number| (card.collection_id, card.project.clone(), number));
        let mut found: Vec<Option<Resolution>> = vec![None; asked.len()];
        for depth in [Depth::Exact, Depth::Ends] {
            let mut names = RecordNames { numbers: number.iter().filter(|_| depth == Depth::Exact).cloned().collect(), ..RecordNames::default() };
            let open: Vec<usize> =
                (0..asked.len()).filter(|index| !matches!(found[*index], Some(Resolution::Record(_) | Resolution::Several(_)))).collect();
            for index in &open {
                let (from, position) = asked[*index];
                let card = self.catalogue.card(from);
                if let Some(relation) = card.relations.get(position) {
                    targets::names(&self.catalogue, card, &relation.target, depth, &mut names);
                }
            }
            for row in store.records_called(&names).await? {
                self.catalogue.add(Card::of(row));
            }
            for index in open {
                let (from, position) = asked[index];
                let card = self.catalogue.card(from);
                found[index] = card.relations.get(position).map(|relation| targets::resolve(&self.catalogue, card, &relation.target, depth));
            }
        }
        let mut links = Links::default();
        for ((from, position), found) in asked.into_iter().zip(found) {
            match found {
                Some(found) if from == at => links.stated.push(found),
                Some(Resolution::Record(to)) if to == at => links.about.push((from, position)),
                _ => {}
            }
        }
        self.links.insert(at, links);
        Ok(())
    }

    /// The relations around a record that was looked at.
    pub(super) fn links(&self, at: usize) -> Option<&Links> {
        self.links.get(&at)
    }

    /// The relations between a record that was looked at and others of the library, each once: its own in the order of its file, then what only
    /// others state. Its relations to itself are left out.
    pub(super) fn bonds(&self, at: usize) -> Vec<Bond> {
        let mut bonds: Vec<Bond> = Vec::new();
        let mut known: HashMap<(RelationKind, usize), usize> = HashMap::new();
        let Some(links) = self.links.get(&at) else { return bonds };
        for (relation, found) in self.catalogue.card(at).relations.iter().zip(&links.stated) {
            let Resolution::Record(other) = *found else { continue };
            if other == at {
                continue;
            }
            match known.get(&(relation.kind, other)) {
                Some(index) => bonds[*index].is_partial |= relation.is_partial,
                None => {
                    known.insert((relation.kind, other), bonds.len());
                    bonds.push(Bond { other, kind: relation.kind, is_partial: relation.is_partial, stated_by: StatedBy::This });
                }
            }
        }
        for (other, position) in &links.about {
            let Some(relation) = self.catalogue.card(*other).relations.get(*position) else { continue };
            let kind = relation.kind.inverse();
            match known.get(&(kind, *other)) {
                Some(index) => {
                    let bond = &mut bonds[*index];
                    bond.is_partial |= relation.is_partial;
                    if bond.stated_by == StatedBy::This {
                        bond.stated_by = StatedBy::Both;
                    }
                }
                None => {
                    known.insert((kind, *other), bonds.len());
                    bonds.push(Bond { other: *other, kind, is_partial: relation.is_partial, stated_by: StatedBy::Other });
                }
            }
        }
        bonds
    }

    /// All relations of a record that was looked at: as [`Network::bonds`], with those that lead to no record of the library in their places.
    pub(super) fn related(&self, at: usize) -> Vec<Related> {
        let bonds = self.bonds(at);
        let of = |bond: &Bond| Related::of(self.catalogue.card(bond.other), bond.kind, bond.is_partial, bond.stated_by);
        let mut related: Vec<Related> = Vec::new();
        let mut seen: HashSet<(RelationKind, &str)> = HashSet::new();
        let mut own = bonds.iter().filter(|bond| bond.stated_by != StatedBy::Other).peekable();
        let stated = self.links.get(&at).map_or(&[][..], |links| &links.stated);
        for (relation, found) in self.catalogue.card(at).relations.iter().zip(stated) {
            match found {
                Resolution::Record(other) => {
                    if own.peek().is_some_and(|bond| (bond.kind, bond.other) == (relation.kind, *other)) {
                        related.extend(own.next().map(of));
                    }
                }
                _ => {
                    if seen.insert((relation.kind, relation.target.text())) {
                        related.push(Related {
                            id: relation.target.text().to_owned(),
                            known: None,
                            kind: relation.kind,
                            is_partial: relation.is_partial,
                            stated_by: StatedBy::This,
                        });
                    }
                }
            }
        }
        related.extend(bonds.iter().filter(|bond| bond.stated_by == StatedBy::Other).map(of));
        related
    }

    /// The records that take the whole place of one that was looked at. What only another record says counts where that one is or was in force: a
    /// proposal that would supersede something has not done so yet.
    pub(super) fn successors(&self, at: usize, statuses: &Statuses) -> Vec<usize> {
        let counts = |bond: &Bond| bond.stated_by != StatedBy::Other || has_effect(self.catalogue.card(bond.other), statuses);
        let bonds = self.bonds(at).into_iter().filter(|bond| bond.kind == RelationKind::SupersededBy && !bond.is_partial);
        bonds.filter(counts).map(|bond| bond.other).collect()
    }

    /// Where the chain of successors of a record ends.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub(super) async fn chain(&mut self, desk: &Desk, at: usize) -> Result<Chain> {
        let statuses = &desk.library.config().statuses;
        let mut before: HashMap<usize, usize> = HashMap::new();
        let mut waiting = vec![at];
        let mut chain = Chain::default();
        while let Some(here) = waiting.pop() {
            self.look_around(desk, here).await?;
            let successors = self.successors(here, statuses);
            if successors.is_empty() && here != at {
                chain.ends.push(here);
            }
            for successor in successors.into_iter().rev() {
                if chain.circle.is_empty()
                    && let Some(circle) = circle(&before, here, successor)
                {
                    chain.circle = circle;
                } else if successor != at && before.len() < LIMIT && !before.contains_key(&successor) {
                    before.insert(successor, here);
                    waiting.push(successor);
                }
            }
        }
        Ok(chain)
    }
}

/// Where a chain of successors leads.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    /// Its ends, the first that is reached before the others. Empty where there is no successor, and where all ways lead in a circle.
    pub(super) ends: Vec<usize>,
    /// A circle on the way, from one record along its successors, that record not repeated.
    pub(super) circle: Vec<usize>,
}

/// The way from `successor` to `here`, if the walk came that way.
fn circle(before: &HashMap<usize, usize>, here: usize, successor: usize) -> Option<Vec<usize>> {
    let mut way = vec![here];
    while *way.last()? != successor {
        way.push(*before.get(way.last()?)?);
    }
    way.reverse();
    Some(way)
}

/// Whether what a record says of others took effect: it is in force, was once, or states no status, as many archives of accepted records do.
pub(super) fn has_effect(card: &Card, statuses: &Statuses) -> bool {
    let word = card.status.word.as_str();
    let was = ["superseded", "deprecated", "obsolete", "replaced", "retired"].iter().any(|start| word.starts_with(start));
    word == UNKNOWN || was || statuses.is_current(word)
}
