//! Search: the best passages for a plan.
//!
//! Passages come in blocks by BM25 (the first 64, then 256, …); inside a block they are put in order of BM25 times the share of the query that
//! they cover, and the best of each document gets a share of its second. So the order does not depend on the page that is asked for, and the postings
//! of common words are skipped where they cannot matter.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use tantivy::query::{EnableScoring, Query as EngineQuery, Scorer, TermQuery, Weight};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocId, DocSet as _, Score, Searcher, SegmentReader, TERMINATED, Term};

use crate::company;
use crate::filter::{SegmentFilter, narrowest};
use crate::plan::Plan;
use crate::schema::FIELDS;
use crate::snapshot::Snapshot;
use crate::{Found, Hit, Page};

/// Sizes of the blocks inside which coverage decides: the first, and how much each is larger than the one before.
const FIRST_BLOCK: usize = 64;
const BLOCK_GROWTH: usize = 4;
/// How much of a score depends on coverage.
const COVERAGE_WEIGHT: f32 = 0.5;
/// Up to so many concepts coverage has its full weight; with twice as many it has none.
const FEW_CONCEPTS: usize = 4;
/// What the exact form of a word adds, as a share of the word's rarity.
const EXACT_WEIGHT: f32 = 0.2;

#[derive(Debug, Clone, Copy, PartialEq)]
struct Candidate {
    score: Score,
    address: DocAddress,
    /// Bit per word of the plan.
    words: u128,
}

/// The passages of a page.
pub fn search(snapshot: &Snapshot, plan: &Plan, page: Page) -> tantivy::Result<Found> {
    let mut hits = Vec::new();
    if page.limit == 0 {
        return Ok(Found { hits, has_more: false });
    }
    let run = Run::new(snapshot, plan)?;
    let mut per_document: HashMap<i64, usize> = HashMap::new();
    let mut seen: HashSet<DocAddress> = HashSet::new();
    let mut size = FIRST_BLOCK;
    let mut skipped = 0;
    loop {
        let found = run.best(size)?;
        let is_last = found.len() < size;
        let mut block: Vec<Candidate> = found.into_iter().filter(|candidate| seen.insert(candidate.address)).collect();
        if block.is_empty() {
            return Ok(Found { hits, has_more: false });
        }
        run.put_in_order(&mut block)?;
        for candidate in block {
            let document_id = snapshot.columns(candidate.address.segment_ord).document_id(candidate.address.doc_id);
            let count = per_document.entry(document_id).or_default();
            *count += 1;
            if page.per_document > 0 && *count > page.per_document {
                continue;
            }
            if skipped < page.offset {
                skipped += 1;
            } else if hits.len() == page.limit {
                return Ok(Found { hits, has_more: true });
            } else {
                hits.push(run.hit(&candidate));
            }
        }
        if is_last {
            return Ok(Found { hits, has_more: false });
        }
        size *= BLOCK_GROWTH;
    }
}

/// All documents that match, with their best passage's score.
pub fn matching_documents(snapshot: &Snapshot, plan: &Plan) -> tantivy::Result<Vec<(i64, f32)>> {
    let run = Run::new(snapshot, plan)?;
    let mut best: HashMap<i64, f32> = HashMap::new();
    for (number, segment) in snapshot.searcher.segment_readers().iter().enumerate() {
        let columns = snapshot.columns(number as u32);
        run.visit(segment, None, &mut |passage, score| {
            let entry = best.entry(columns.document_id(passage)).or_insert(score);
            *entry = entry.max(score);
            None
        })?;
    }
    let mut all: Vec<(i64, f32)> = best.into_iter().collect();
    all.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    Ok(all)
}

/// One query on one state of the index.
struct Run<'a> {
    snapshot: &'a Snapshot,
    searcher: &'a Searcher,
    plan: &'a Plan,
    weight: Box<dyn Weight>,
    excluded: Vec<Box<dyn Weight>>,
    is_ranked: bool,
}

impl<'a> Run<'a> {
    fn new(snapshot: &'a Snapshot, plan: &'a Plan) -> tantivy::Result<Self> {
        let searcher = &snapshot.searcher;
        let driver = narrowest(&plan.conditions, searcher)?;
        let (query, is_ranked) = plan.engine_query(driver);
        let scoring = if is_ranked { EnableScoring::enabled_from_searcher(searcher) } else { EnableScoring::disabled_from_searcher(searcher) };
        let weight = query.weight(scoring)?;
        let excluded =
            plan.excluded.iter().map(|query| query.weight(EnableScoring::disabled_from_searcher(searcher))).collect::<tantivy::Result<Vec<_>>>()?;
        Ok(Self { snapshot, searcher, plan, weight, excluded, is_ranked })
    }

    /// Calls `see` for the passages of a segment that may be found, in order of their number. With a threshold, those that do not exceed it may
    /// be left out; `see` then gives the next one.
    fn visit(&self, segment: &SegmentReader, threshold: Option<Score>, see: &mut dyn FnMut(DocId, Score) -> Option<Score>) -> tantivy::Result<()> {
        let Some(filter) = SegmentFilter::new(&self.plan.conditions, segment)? else { return Ok(()) };
        let mut excluded = self.excluded.iter().map(|weight| weight.scorer(segment, 1.0)).collect::<tantivy::Result<Vec<_>>>()?;
        let alive = segment.alive_bitset();
        let mut admits = |passage: DocId| {
            alive.is_none_or(|alive| alive.is_alive(passage)) && filter.admits(passage) && !excluded.iter_mut().any(|scorer| holds(scorer, passage))
        };
        match threshold {
            Some(mut threshold) if self.is_ranked => self.weight.for_each_pruning(threshold, segment, &mut |passage, score| {
                if admits(passage) {
                    threshold = see(passage, score).unwrap_or(threshold);
                }
                threshold
            }),
            _ if self.is_ranked => self.weight.for_each(segment, &mut |passage, score| {
                if admits(passage) {
                    see(passage, score);
                }
            }),
            _ => self.weight.for_each_no_score(segment, &mut |passages| {
                for passage in passages {
                    if admits(*passage) {
                        see(*passage, 1.0);
                    }
                }
            }),
        }
    }

    /// The best `size` passages by BM25; without words, the first by document and place.
    fn best(&self, size: usize) -> tantivy::Result<Vec<Candidate>> {
        let mut best = Best::new(size);
        for (number, segment) in self.searcher.segment_readers().iter().enumerate() {
            let segment_ord = number as u32;
            if self.is_ranked {
                let threshold = best.threshold;
                self.visit(segment, Some(threshold), &mut |passage, score| {
                    best.push(Candidate { score, address: DocAddress::new(segment_ord, passage), words: 0 });
                    Some(best.threshold)
                })?;
            } else {
                let columns = self.snapshot.columns(segment_ord);
                self.visit(segment, None, &mut |passage, score| {
                    // One passage stands for its document.
                    if columns.passage_index(passage) == 0 {
                        best.candidates.push(Candidate { score, address: DocAddress::new(segment_ord, passage), words: 0 });
                    }
                    None
                })?;
            }
        }
        let mut candidates = best.candidates;
        if self.is_ranked {
            candidates.sort_by(by_score);
        } else {
            candidates.sort_by_key(|candidate| self.place(candidate.address));
        }
        candidates.truncate(size);
        Ok(candidates)
    }

    fn place(&self, address: DocAddress) -> (i64, usize) {
        let columns = self.snapshot.columns(address.segment_ord);
        (columns.document_id(address.doc_id), columns.passage_index(address.doc_id))
    }

    /// Finds which words each candidate has, scores coverage, and sorts.
    fn put_in_order(&self, block: &mut [Candidate]) -> tantivy::Result<()> {
        if !self.is_ranked {
            return Ok(());
        }
        block.sort_by_key(|candidate| candidate.address);
        for (index, word) in self.plan.words.iter().enumerate() {
            let query = TermQuery::new(Term::from_field_text(FIELDS.words, &word.term), IndexRecordOption::Basic);
            let weight = query.weight(EnableScoring::disabled_from_searcher(self.searcher))?;
            for candidates in block.chunk_by_mut(|one, other| one.address.segment_ord == other.address.segment_ord) {
                let Some(first) = candidates.first() else { continue };
                let mut scorer = weight.scorer(self.searcher.segment_reader(first.address.segment_ord), 1.0)?;
                for candidate in candidates {
                    if holds(&mut scorer, candidate.address.doc_id) {
                        candidate.words |= 1 << index;
                    }
                }
            }
        }
        let total: f32 = self.plan.concepts.iter().map(|concept| self.rarity(&concept.words)).sum();
        for candidate in block.iter_mut() {
            candidate.score = self.final_score(candidate, total);
        }
        let scores = company::scores(&block.iter().map(|candidate| self.member(candidate)).collect::<Vec<_>>());
        for (candidate, score) in block.iter_mut().zip(scores) {
            candidate.score = score;
        }
        block.sort_by(|one, other| other.score.total_cmp(&one.score).then_with(|| self.place(one.address).cmp(&self.place(other.address))));
        Ok(())
    }

    fn member(&self, candidate: &Candidate) -> company::Member {
        let DocAddress { segment_ord, doc_id } = candidate.address;
        let columns = self.snapshot.columns(segment_ord);
        let document_id = columns.document_id(doc_id);
        // The passages of a document lie side by side.
        let has_next = doc_id + 1 < self.searcher.segment_reader(segment_ord).max_doc() && columns.document_id(doc_id + 1) == document_id;
        company::Member { document_id, is_alone: columns.passage_index(doc_id) == 0 && !has_next, score: candidate.score }
    }

    /// A concept is as rare as the commonest of its words.
    fn rarity(&self, words: &[usize]) -> f32 {
        words
            .iter()
            .map(|index| self.plan.words[*index].rarity)
            .fold(None, |least: Option<f32>, rarity| Some(least.map_or(rarity, |least| least.min(rarity))))
            .unwrap_or_default()
    }

    fn final_score(&self, candidate: &Candidate, total: f32) -> f32 {
        if total <= 0.0 {
            return candidate.score;
        }
        let mut covered = 0.0;
        let mut exact = 0.0;
        for concept in &self.plan.concepts {
            if concept.words.iter().any(|index| candidate.words & (1 << index) != 0) {
                let rarity = self.rarity(&concept.words);
                covered += rarity;
                if concept.exact.is_some_and(|index| candidate.words & (1 << index) != 0) {
                    exact += rarity;
                }
            }
        }
        // A few words are all meant; of the many of a question, most are only its grammar.
        let excess = self.plan.concepts.len().saturating_sub(FEW_CONCEPTS) as f32;
        let weight = COVERAGE_WEIGHT * (1.0 - excess / FEW_CONCEPTS as f32).max(0.0);
        candidate.score.mul_add(1.0 - weight + weight * covered / total, EXACT_WEIGHT * exact)
    }

    fn hit(&self, candidate: &Candidate) -> Hit {
        let columns = self.snapshot.columns(candidate.address.segment_ord);
        let passage = candidate.address.doc_id;
        let words = self.plan.words.iter().enumerate().filter(|(index, _)| candidate.words & (1 << index) != 0).map(|(_, word)| &word.term);
        let mut terms: Vec<String> = words.cloned().collect();
        for word in &self.plan.phrase_words {
            if !terms.contains(word) {
                terms.push(word.clone());
            }
        }
        Hit {
            document_id: columns.document_id(passage),
            collection_id: columns.collection_id(passage),
            passage_index: columns.passage_index(passage),
            section_index: columns.section_index(passage),
            span: columns.span(passage),
            score: candidate.score,
            terms,
        }
    }
}

/// Whether a document is in the set; asked for in ascending order.
fn holds(scorer: &mut Box<dyn Scorer>, passage: DocId) -> bool {
    let at = scorer.doc();
    if at < passage && at != TERMINATED { scorer.seek(passage) == passage } else { at == passage }
}

fn by_score(one: &Candidate, other: &Candidate) -> Ordering {
    other.score.total_cmp(&one.score).then(one.address.cmp(&other.address))
}

/// The best so far: kept up to twice as many as are wanted, so that each costs little.
struct Best {
    size: usize,
    candidates: Vec<Candidate>,
    threshold: Score,
}

impl Best {
    fn new(size: usize) -> Self {
        Self { size, candidates: Vec::with_capacity(2 * size), threshold: Score::MIN }
    }

    fn push(&mut self, candidate: Candidate) {
        self.candidates.push(candidate);
        if self.candidates.len() == 2 * self.size {
            self.candidates.select_nth_unstable_by(self.size - 1, by_score);
            self.candidates.truncate(self.size);
            self.threshold = self.candidates[self.size - 1].score;
        }
    }
}
