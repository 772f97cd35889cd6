//! The clauses of a query while it is read: what widens what, and how much is kept.

use std::collections::{HashMap, HashSet};
use std::mem::{Discriminant, discriminant};

use super::{Atom, Clause, Fact, Query, is_searchable};

/// The most words that are kept: a pasted page is ranked by its rarest words, and a pasted book need not be gone through to its end for them.
pub(super) const MAX_KEPT_WORDS: usize = 4_096;

/// A query while it is read, with what keeps a long one from being gone through again at each of its words.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) query: Query,
    /// Alternatives that are there, with their clause's number.
    known: HashSet<(usize, Atom)>,
    /// Numbers of the clauses that filters of one field widen.
    widened: HashMap<Discriminant<Fact>, usize>,
}

impl Gathered {
    /// Adds what is searchable; filters of a field with one value per document widen an earlier one.
    pub(super) fn push(&mut self, is_negated: bool, atom: Atom, joins_previous: bool) {
        let clauses = &mut self.query.clauses;
        if !is_searchable(&atom) {
            return;
        }
        let field = widening_field(&atom);
        let last = clauses.len().checked_sub(1);
        let earlier = if joins_previous { last } else { field.and_then(|field| self.widened.get(&field).copied()) };
        let earlier = earlier.filter(|index| !is_negated && !clauses[*index].is_negated);
        if let Some(index) = earlier {
            // A clause that holds another thing too is no filter of one field any more.
            self.widened.retain(|widened, known| *known != index || Some(*widened) == field);
            if self.known.insert((index, atom.clone())) {
                clauses[index].alternatives.push(atom);
            }
            return;
        }
        if let Some(field) = field.filter(|_| !is_negated) {
            self.widened.entry(field).or_insert(clauses.len());
        }
        self.known.insert((clauses.len(), atom.clone()));
        clauses.push(Clause { is_negated, alternatives: vec![atom] });
    }

    /// The query, its surplus of words left out. Those are wished for, never required, so that no text is found wrongly.
    pub(super) fn finish(self) -> Query {
        let mut query = self.query;
        let is_word = |atom: &Atom| matches!(atom, Atom::Words(..) | Atom::Prefix(..));
        let mut words = 0;
        for clause in query.clauses.iter_mut().filter(|clause| !clause.is_negated) {
            // A phrase beside a word is a wish too, and stays one.
            let mut needs_word = !clause.alternatives.iter().all(is_word);
            clause.alternatives.retain(|atom| {
                let is_kept = !is_word(atom) || words < MAX_KEPT_WORDS || needs_word;
                if is_word(atom) {
                    words += 1;
                    needs_word = false;
                }
                is_kept
            });
        }
        query.clauses.retain(|clause| !clause.alternatives.is_empty());
        query
    }
}

/// The field of a filter that a document has one value of: naming two values can only mean either.
fn widening_field(atom: &Atom) -> Option<Discriminant<Fact>> {
    match atom {
        Atom::Fact(fact @ (Fact::Kind(_) | Fact::Project(_) | Fact::RecordType(_) | Fact::Status(_))) => Some(discriminant(fact)),
        _ => None,
    }
}
