//! How good a ranking is, and which documents an answer names.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Means over questions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// nDCG@10 as trec_eval's `ndcg_cut` computes it: the gain is the grade.
    pub ndcg: f64,
    /// The share of the relevant documents that is among the first ten.
    pub recall: f64,
    /// How many questions found nothing at all.
    pub zero_hits: usize,
    pub questions: usize,
}

/// The numbers in `doc-N`, in the order in which an answer first names them. Every program writes the names of files in another form, but all write them.
pub fn documents(answer: &str) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let numbers = answer.split("doc-").skip(1).filter_map(|rest| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        rest.get(..end)?.parse().ok()
    });
    numbers.filter(|number| seen.insert(*number)).collect()
}

/// nDCG@10 of one ranking.
pub fn ndcg(ranking: &[usize], grades: &BTreeMap<usize, u32>) -> f64 {
    let discounted = |gains: &mut dyn Iterator<Item = u32>| -> f64 {
        gains.take(10).enumerate().map(|(rank, gain)| f64::from(gain) / (rank as f64 + 2.0).log2()).sum()
    };
    let mut ideal: Vec<u32> = grades.values().copied().collect();
    ideal.sort_unstable_by(|left, right| right.cmp(left));
    let best = discounted(&mut ideal.into_iter());
    let gained = discounted(&mut ranking.iter().map(|number| grades.get(number).copied().unwrap_or_default()));
    if best > 0.0 { gained / best } else { 0.0 }
}

/// Recall among the first ten.
pub fn recall(ranking: &[usize], grades: &BTreeMap<usize, u32>) -> f64 {
    let found = ranking.iter().take(10).filter(|number| grades.contains_key(number)).count();
    found as f64 / grades.len().max(1) as f64
}

/// The time that `percent` of the times do not exceed (nearest rank); nothing without times.
pub fn percentile(times: &[Duration], percent: usize) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
