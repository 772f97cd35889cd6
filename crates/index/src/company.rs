//! Company: a document that answers in two places is better than one that does in one. Passages are ranked one by one, so the best passage of a
//! document is given a share of what its second says.

use std::collections::HashMap;

/// The share of the second passage's score: the least at which words reach plain BM25 on all eight sets of docs/reference/retrieval-quality.md (MTRAG
/// needs it). More makes searches for one particular passage of long documents worse: by 0.004 in nDCG@10 so, by 0.02 at 0.3.
const SHARE: f32 = 0.15;
/// What a passage that is all of its document counts as having beside it, as a share of its own score: a short document is not worse than a long
/// one of which two places speak of the matter almost equally.
const ALONE: f32 = 0.8;

/// A passage as it is ranked.
pub struct Member {
    /// Its document.
    pub document_id: i64,
    /// Whether the document has no other passage.
    pub is_alone: bool,
    /// Its own score.
    pub score: f32,
}

/// The scores with company, in the order of `members`. No two passages of one document change places.
pub fn scores(members: &[Member]) -> Vec<f32> {
    let mut best: HashMap<i64, (usize, f32)> = HashMap::new();
    for (index, member) in members.iter().enumerate() {
        best.entry(member.document_id)
            .and_modify(|(first, second)| {
                if member.score > members[*first].score {
                    (*first, *second) = (index, members[*first].score);
                } else {
                    *second = second.max(member.score);
                }
            })
            .or_insert((index, 0.0));
    }
    let with_company = |(index, member): (usize, &Member)| match best.get(&member.document_id) {
        Some((first, second)) if *first == index && !member.is_alone => SHARE.mul_add(*second, member.score),
        // Further passages count as those that are alone would, or they would fall behind all of other documents.
        _ => {
            let alone = member.score * SHARE.mul_add(ALONE, 1.0);
            let most = best.get(&member.document_id).map_or(alone, |(first, second)| SHARE.mul_add(*second, members[*first].score));
            if member.is_alone { alone } else { alone.min(most) }
        }
    };
    members.iter().enumerate().map(with_company).collect()
}

#[cfg(test)]
mod tests {
    use super::{Member, scores};

    fn member(document_id: i64, is_alone: bool, score: f32) -> Member {
        Member { document_id, is_alone, score }
    }

    #[test]
    fn a_document_that_answers_twice_comes_before_one_that_does_once() {
        let scores = scores(&[member(1, false, 5.0), member(2, false, 4.8), member(2, false, 4.0)]);
        assert!(scores[1] > scores[0], "{scores:?}");
    }

    #[test]
    fn a_short_document_is_no_worse_than_a_long_one_that_speaks_of_it_once() {
        let scores = scores(&[member(1, true, 5.0), member(2, false, 5.0)]);
        assert!(scores[0] > scores[1], "{scores:?}");
    }

    #[test]
    fn passages_of_one_document_keep_their_order() {
        let scores = scores(&[member(1, false, 3.0), member(1, false, 5.0), member(1, false, 4.9), member(1, false, 1.0)]);
        assert!(scores[1] >= scores[2] && scores[2] > scores[0] && scores[0] > scores[3], "{scores:?}");
    }
}
