//! Metrics: from the grades of a ranked answer to nDCG, recall and reciprocal rank, as trec_eval defines them.

/// How many places of an answer are judged.
pub const CUT: usize = 10;

/// What a grade is worth in nDCG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gain {
    /// The grade itself: trec_eval's `ndcg_cut`.
    Linear,
    /// 2^grade − 1, as the tables of many papers have it.
    Exponential,
}

impl Gain {
    fn of(self, grade: f64) -> f64 {
        match self {
            Self::Linear => grade,
            Self::Exponential => grade.exp2() - 1.0,
        }
    }
}

/// How good one answer is. All shares lie between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Judged {
    /// nDCG@10 with the gain of `ndcg_cut`.
    pub ndcg: f64,
    /// nDCG@10 with the gain 2^grade − 1.
    pub ndcg_exponential: f64,
    /// Share of what is relevant that stands among the first ten.
    pub recall: f64,
    /// 1 / rank of the first relevant place among ten, else 0.
    pub reciprocal_rank: f64,
    /// 1 where nothing at all was found.
    pub zero_hit: f64,
}

/// Judges one answer. `ranked` holds the grade of each place in order (0 for what is not relevant or was never judged), `relevant` the grades of
/// all that is relevant. `None` where nothing is relevant: then the question cannot tell good from bad.
pub fn judge(ranked: &[f64], relevant: &[f64]) -> Option<Judged> {
    let mut ideal: Vec<f64> = relevant.iter().copied().filter(|grade| *grade > 0.0).collect();
    if ideal.is_empty() {
        return None;
    }
    ideal.sort_by(|one, other| other.total_cmp(one));
    let ndcg = |gain: Gain| discounted(ranked, gain) / discounted(&ideal, gain);
    let first = &ranked[..ranked.len().min(CUT)];
    let found = first.iter().filter(|grade| **grade > 0.0).count();
    Some(Judged {
        ndcg: ndcg(Gain::Linear),
        ndcg_exponential: ndcg(Gain::Exponential),
        recall: found as f64 / ideal.len() as f64,
        reciprocal_rank: first.iter().position(|grade| *grade > 0.0).map_or(0.0, |place| 1.0 / (place + 1) as f64),
        zero_hit: f64::from(u8::from(ranked.is_empty())),
    })
}

/// The sum of gains, each divided by log2(rank + 1).
fn discounted(grades: &[f64], gain: Gain) -> f64 {
    grades.iter().take(CUT).enumerate().map(|(place, grade)| gain.of(*grade) / ((place + 2) as f64).log2()).sum()
}

/// Means over questions.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Means {
    /// How many questions were judged.
    pub questions: usize,
    sums: Judged,
}

impl Means {
    /// Adds one judged answer.
    pub fn add(&mut self, one: Judged) {
        self.questions += 1;
        self.sums.ndcg += one.ndcg;
        self.sums.ndcg_exponential += one.ndcg_exponential;
        self.sums.recall += one.recall;
        self.sums.reciprocal_rank += one.reciprocal_rank;
        self.sums.zero_hit += one.zero_hit;
    }

    /// The means; all 0 where nothing was judged.
    pub fn of_all(&self) -> Judged {
        let count = self.questions.max(1) as f64;
        Judged {
            ndcg: self.sums.ndcg / count,
            ndcg_exponential: self.sums.ndcg_exponential / count,
            recall: self.sums.recall / count,
            reciprocal_rank: self.sums.reciprocal_rank / count,
            zero_hit: self.sums.zero_hit / count,
        }
    }
}
