//! Plans: a query and a filter as the search library's queries.

use tantivy::query::{AllQuery, BooleanQuery, ConstScoreQuery, Occur, PhraseQuery, Query as EngineQuery, RangeQuery, TermQuery, TermSetQuery};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{Searcher, Term};

use crate::IndexError;
use crate::filter::{Condition, Filter, Test};
use crate::query::{Atom, Clause, Field as Place, Query};
use crate::schema::FIELDS;
use crate::tokenize::{Concept, concepts, phrase_terms};

/// The most different words of a query that are looked up. A pasted page is searched by its rarest words.
const MAX_WORDS: usize = 64;
/// Up to so many words that begin alike are ranked one by one; beyond, they all count the same.
const MAX_RANKED_BEGINNINGS: usize = 16;

/// A word of the query that texts are ranked by.
pub struct RankedWord {
    /// Its term in the index.
    pub term: String,
    /// Weight of its rarity, as BM25 has it.
    pub rarity: f32,
    /// Only tells texts apart that were found by other words.
    pub is_extra: bool,
}

/// Something asked for: met by a text that has one of the words, given by their index.
pub struct RankedConcept {
    pub words: Vec<usize>,
    /// The exact form of it, by index.
    pub exact: Option<usize>,
}

/// What a query means for one state of the index.
#[derive(Default)]
pub struct Plan {
    pub words: Vec<RankedWord>,
    pub concepts: Vec<RankedConcept>,
    /// All must match.
    pub required: Vec<Box<dyn EngineQuery>>,
    /// Optional beside the words, and scored.
    pub optional: Vec<Box<dyn EngineQuery>>,
    /// None may match.
    pub excluded: Vec<Box<dyn EngineQuery>>,
    pub conditions: Vec<Condition>,
    /// Exact words of phrases, to find them in the text.
    pub phrase_words: Vec<String>,
}

impl Plan {
    pub fn new(query: &Query, filter: &Filter, searcher: &Searcher) -> Result<Self, PlanError> {
        let mut plan = Self { conditions: filter.conditions().map_err(PlanError::Filter)?, ..Self::default() };
        for clause in query.clauses() {
            plan.add(clause, searcher)?;
        }
        plan.keep_rarest();
        Ok(plan)
    }

    fn add(&mut self, clause: &Clause, searcher: &Searcher) -> Result<(), PlanError> {
        if let Some(condition) = Condition::of(clause) {
            self.conditions.push(condition);
            return Ok(());
        }
        if clause.is_negated {
            for atom in &clause.alternatives {
                self.excluded.push(strict(atom, searcher)?);
            }
            return Ok(());
        }
        // Alternatives of words alone are words; a phrase alone must be there; a mixture is one optional thing, as words are.
        if let Some(words) = clause.alternatives.iter().map(ranked_text).collect::<Option<Vec<_>>>() {
            return self.add_words(&words, searcher);
        }
        let mut choices = Vec::new();
        for atom in &clause.alternatives {
            if let Atom::Phrase(_, text) | Atom::Words(_, text) = atom {
                for (_, word) in phrase_terms(text) {
                    if !self.phrase_words.contains(&word) {
                        self.phrase_words.push(word);
                    }
                }
            }
            choices.push(strict(atom, searcher)?);
        }
        let is_required = clause.alternatives.iter().all(|atom| ranked_text(atom).is_none());
        let choice = if choices.len() == 1 { choices.swap_remove(0) } else { Box::new(BooleanQuery::union(choices)) };
        if is_required { &mut self.required } else { &mut self.optional }.push(choice);
        Ok(())
    }

    fn add_words(&mut self, texts: &[(&str, bool)], searcher: &Searcher) -> Result<(), PlanError> {
        let mut alternatives = Vec::new();
        for (text, is_beginning) in texts {
            let mut found = concepts(text);
            if let Some(last) = found.last_mut().filter(|_| *is_beginning) {
                last.is_prefix = true;
                last.terms = vec![phrase_terms(text).pop().map_or_else(|| last.terms[0].clone(), |(_, exact)| exact)];
                last.exact = None;
            }
            alternatives.push(found);
        }
        if alternatives.len() > 1 {
            // Either of them meets the same wish.
            let mut joined = RankedConcept { words: Vec::new(), exact: None };
            for concept in alternatives.iter().flatten() {
                let single = self.rank(concept, searcher)?;
                joined.words.extend(single.words);
            }
            self.concepts.push(joined);
            return Ok(());
        }
        for concept in alternatives.iter().flatten() {
            let ranked = self.rank(concept, searcher)?;
            if !self.concepts.iter().any(|other| other.words == ranked.words) {
                self.concepts.push(ranked);
            }
        }
        Ok(())
    }

    fn rank(&mut self, concept: &Concept, searcher: &Searcher) -> Result<RankedConcept, PlanError> {
        let mut words = Vec::new();
        if concept.is_prefix {
            let start = concept.terms.first().map(String::as_str).unwrap_or_default();
            let all = beginnings(FIELDS.words, start, searcher)?;
            if all.len() > MAX_RANKED_BEGINNINGS {
                let terms = all.iter().map(|(term, _)| Term::from_field_text(FIELDS.words, term));
                self.optional.push(Box::new(ConstScoreQuery::new(Box::new(TermSetQuery::new(terms)), 1.0)));
                self.phrase_words.push(format!("{start}*"));
                return Ok(RankedConcept { words, exact: None });
            }
            for (term, _) in all {
                words.push(self.word(&term, false, searcher)?);
            }
            return Ok(RankedConcept { words, exact: None });
        }
        for term in &concept.terms {
            words.push(self.word(term, false, searcher)?);
        }
        let exact = concept.exact.as_ref().map(|exact| self.word(exact, true, searcher)).transpose()?;
        Ok(RankedConcept { words, exact })
    }

    fn word(&mut self, term: &str, is_extra: bool, searcher: &Searcher) -> Result<usize, PlanError> {
        if let Some(index) = self.words.iter().position(|word| word.term == term) {
            self.words[index].is_extra &= is_extra;
            return Ok(index);
        }
        let with_it = searcher.doc_freq(&Term::from_field_text(FIELDS.words, term))? as f32;
        let rarity = (1.0 + (searcher.num_docs() as f32 - with_it + 0.5).max(0.0) / (with_it + 0.5)).ln();
        self.words.push(RankedWord { term: term.to_owned(), rarity, is_extra });
        Ok(self.words.len() - 1)
    }

    /// Forgets the commonest words of an overlong query.
    fn keep_rarest(&mut self) {
        if self.words.len() <= MAX_WORDS {
            return;
        }
        let mut rarities: Vec<f32> = self.words.iter().map(|word| word.rarity).collect();
        rarities.sort_by(|one, other| other.total_cmp(one));
        let least = rarities[MAX_WORDS - 1];
        let mut numbers = vec![None; self.words.len()];
        let mut kept = Vec::new();
        for (index, word) in std::mem::take(&mut self.words).into_iter().enumerate() {
            if word.rarity >= least && kept.len() < MAX_WORDS {
                numbers[index] = Some(kept.len());
                kept.push(word);
            }
        }
        self.words = kept;
        for concept in &mut self.concepts {
            concept.words = concept.words.iter().filter_map(|index| numbers[*index]).collect();
            concept.exact = concept.exact.and_then(|index| numbers[index]);
        }
        self.concepts.retain(|concept| !concept.words.is_empty());
    }

    /// The query to run, and whether it has scores that mean something.
    pub fn engine_query(&self, driver: Option<Vec<Term>>) -> (Box<dyn EngineQuery>, bool) {
        let mut should: Vec<(Occur, Box<dyn EngineQuery>)> = Vec::new();
        for word in self.words.iter().filter(|word| !word.is_extra) {
            should.push((Occur::Should, Box::new(TermQuery::new(Term::from_field_text(FIELDS.words, &word.term), IndexRecordOption::WithFreqs))));
        }
        should.extend(self.optional.iter().map(|query| (Occur::Should, query.box_clone())));
        let mut must: Vec<(Occur, Box<dyn EngineQuery>)> = self.required.iter().map(|query| (Occur::Must, query.box_clone())).collect();
        let is_ranked = !should.is_empty() || !must.is_empty();
        let least = usize::from(must.is_empty() && !should.is_empty());
        if let Some(terms) = driver {
            must.push((Occur::Must, Box::new(ConstScoreQuery::new(Box::new(TermSetQuery::new(terms)), 0.0))));
        }
        if must.is_empty() && should.is_empty() {
            return (Box::new(AllQuery), false);
        }
        must.append(&mut should);
        (Box::new(BooleanQuery::with_minimum_required_clauses(must, least)), is_ranked)
    }
}

/// The text of an atom that ranks rather than confines, and whether its last word is only begun.
fn ranked_text(atom: &Atom) -> Option<(&str, bool)> {
    match atom {
        Atom::Words(Place::Anywhere, text) => Some((text, false)),
        Atom::Prefix(Place::Anywhere, text) => Some((text, true)),
        _ => None,
    }
}

/// A query for texts of which an atom is true.
fn strict(atom: &Atom, searcher: &Searcher) -> Result<Box<dyn EngineQuery>, PlanError> {
    Ok(match atom {
        Atom::Phrase(place, text) => phrase(field(*place), text, None, searcher)?,
        Atom::Prefix(place, text) => {
            let start = phrase_terms(text).pop().map(|(_, exact)| exact).unwrap_or_default();
            phrase(field(*place), text, Some(&start), searcher)?
        }
        Atom::Words(place, text) => {
            let field = field(*place);
            let mut all: Vec<Box<dyn EngineQuery>> = Vec::new();
            for concept in concepts(text) {
                all.push(if concept.is_prefix { prefix(field, &concept.terms[0], searcher)? } else { any_of(field, &concept.terms) });
            }
            if all.len() == 1 { all.swap_remove(0) } else { Box::new(BooleanQuery::intersection(all)) }
        }
        Atom::Fact(fact) => fact_query(&Test::of(fact)),
    })
}

fn field(place: Place) -> Field {
    match place {
        Place::Anywhere => FIELDS.words,
        Place::Title => FIELDS.title,
        Place::Headings => FIELDS.headings,
    }
}

/// Exact forms one after the other; the last one only begun where `start` is given.
fn phrase(field: Field, text: &str, start: Option<&str>, searcher: &Searcher) -> Result<Box<dyn EngineQuery>, PlanError> {
    let mut terms = phrase_terms(text);
    let mut all: Vec<Box<dyn EngineQuery>> = Vec::new();
    if let Some(start) = start {
        terms.pop();
        all.push(prefix(field, start, searcher)?);
    }
    match terms.as_slice() {
        [] => {}
        [(_, single)] if single.chars().count() == 1 && !single.is_ascii() => all.push(prefix(field, single, searcher)?),
        [(_, single)] => all.push(any_of(field, std::slice::from_ref(single))),
        _ => {
            let terms = terms.iter().map(|(position, term)| (*position, Term::from_field_text(field, term))).collect();
            all.push(Box::new(PhraseQuery::new_with_offset(terms)));
        }
    }
    Ok(if all.len() == 1 { all.swap_remove(0) } else { Box::new(BooleanQuery::intersection(all)) })
}

fn any_of(field: Field, terms: &[String]) -> Box<dyn EngineQuery> {
    let mut queries: Vec<Box<dyn EngineQuery>> = terms
        .iter()
        .map(|term| -> Box<dyn EngineQuery> { Box::new(TermQuery::new(Term::from_field_text(field, term), IndexRecordOption::WithFreqs)) })
        .collect();
    if queries.len() == 1 { queries.swap_remove(0) } else { Box::new(BooleanQuery::union(queries)) }
}

fn prefix(field: Field, start: &str, searcher: &Searcher) -> Result<Box<dyn EngineQuery>, PlanError> {
    let terms = beginnings(field, start, searcher)?.into_iter().map(|(term, _)| Term::from_field_text(field, &term));
    Ok(Box::new(ConstScoreQuery::new(Box::new(TermSetQuery::new(terms)), 1.0)))
}

/// All terms of a field that begin so, the commonest first.
fn beginnings(field: Field, start: &str, searcher: &Searcher) -> Result<Vec<(String, u64)>, PlanError> {
    let mut counts: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for segment in searcher.segment_readers() {
        let inverted = segment.inverted_index(field)?;
        let mut stream = inverted.terms().range().ge(start.as_bytes()).into_stream()?;
        while stream.advance() {
            if !stream.key().starts_with(start.as_bytes()) {
                break;
            }
            if let Ok(term) = std::str::from_utf8(stream.key()) {
                *counts.entry(term.to_owned()).or_default() += u64::from(stream.value().doc_freq);
            }
        }
    }
    let mut all: Vec<(String, u64)> = counts.into_iter().collect();
    all.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    Ok(all)
}

fn fact_query(test: &Test) -> Box<dyn EngineQuery> {
    use std::ops::Bound::{Included, Unbounded};
    let query: Box<dyn EngineQuery> = match test {
        Test::Number(field, _, values) => Box::new(TermSetQuery::new(values.iter().map(|value| Term::from_field_i64(*field, *value)))),
        Test::Text(field, _, value) => Box::new(TermQuery::new(Term::from_field_text(*field, value), IndexRecordOption::Basic)),
        Test::From(day) => Box::new(RangeQuery::new(Included(Term::from_field_i64(FIELDS.date_last, *day)), Unbounded)),
        Test::To(day) => Box::new(RangeQuery::new(Unbounded, Included(Term::from_field_i64(FIELDS.date_first, *day)))),
    };
    Box::new(ConstScoreQuery::new(query, 1.0))
}

/// Why a plan could not be made.
pub enum PlanError {
    Filter(IndexError),
    Engine(tantivy::TantivyError),
}

impl From<tantivy::TantivyError> for PlanError {
    fn from(error: tantivy::TantivyError) -> Self {
        Self::Engine(error)
    }
}

impl From<std::io::Error> for PlanError {
    fn from(error: std::io::Error) -> Self {
        Self::Engine(error.into())
    }
}
