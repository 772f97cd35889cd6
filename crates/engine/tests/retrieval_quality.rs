//! The measure of retrieval itself is right, and the small set that every clone has is answered well, with exact citations.
#![allow(dead_code, reason = "the program that measures all sets uses the rest")]

#[path = "../examples/retrieval_quality/citations.rs"]
mod citations;
#[path = "../examples/retrieval_quality/library.rs"]
mod library;
#[path = "../examples/retrieval_quality/measure.rs"]
mod measure;
#[path = "../examples/retrieval_quality/metrics.rs"]
mod metrics;
#[path = "../examples/retrieval_quality/own_set.rs"]
mod own_set;
#[path = "../examples/retrieval_quality/set.rs"]
mod set;

use std::path::Path;

use citations::stands_in_lines;
use measure::Measured;
use metrics::judge;
use set::Set;

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 5e-5, "{found} is not {expected}");
}

/// Grades 3, 2, 3, 0, 1, 2 in order; a 3 and a 2 were not found. Sums by hand: 3 + 2/1.58496 + 3/2 + 1/2.58496 + 2/2.80735 = 6.86113, and for the
/// best order 3, 3, 3, 2, 2, 2, 1: 3 + 3/1.58496 + 3/2 + 2/2.32193 + 2/2.58496 + 2/2.80735 + 1/3 = 9.07377.
#[test]
fn graded_answers_are_judged_as_trec_eval_judges_them() {
    let judged = judge(&[3.0, 2.0, 3.0, 0.0, 1.0, 2.0], &[3.0, 2.0, 3.0, 1.0, 2.0, 3.0, 2.0]).unwrap();
    near(judged.ndcg, 6.86113 / 9.07377);
    // 7 + 3/1.58496 + 7/2 + 1/2.58496 + 3/2.80735 = 13.84826; 7 + 7/1.58496 + 7/2 + 3/2.32193 + 3/2.58496 + 3/2.80735 + 1/3 = 18.77107.
    near(judged.ndcg_exponential, 13.84826 / 18.77107);
    near(judged.recall, 5.0 / 7.0);
    near(judged.reciprocal_rank, 1.0);
}

#[test]
fn what_is_not_found_counts_as_nothing_and_what_is_not_judged_as_wrong() {
    let judged = judge(&[0.0, 0.0, 1.0], &[1.0]).unwrap();
    near(judged.ndcg, 0.5);
    near(judged.recall, 1.0);
    near(judged.reciprocal_rank, 1.0 / 3.0);
    let nothing = judge(&[], &[1.0, 2.0]).unwrap();
    assert_eq!((nothing.ndcg, nothing.recall, nothing.reciprocal_rank, nothing.zero_hit), (0.0, 0.0, 0.0, 1.0));
    assert!(judge(&[0.0], &[]).is_none() && judge(&[0.0], &[0.0]).is_none(), "a question without an answer is not judged");
}

#[test]
fn the_eleventh_place_counts_no_more() {
    let mut ranked = vec![0.0; 10];
    ranked.push(2.0);
    let judged = judge(&ranked, &[2.0]).unwrap();
    assert_eq!((judged.ndcg, judged.recall, judged.reciprocal_rank, judged.zero_hit), (0.0, 0.0, 0.0, 0.0));
    // Of twelve answers the best ten make the ideal.
    near(judge(&[1.0; 10], &[1.0; 12]).unwrap().ndcg, 1.0);
}

/// Equal grades may change places.
#[test]
fn ties_of_grade_are_worth_the_same_in_any_order() {
    let relevant = [2.0, 2.0, 1.0];
    assert_eq!(judge(&[2.0, 1.0, 2.0], &relevant), judge(&[2.0, 1.0, 2.0], &[1.0, 2.0, 2.0]));
    near(judge(&[2.0, 2.0, 1.0], &relevant).unwrap().ndcg, 1.0);
}

#[test]
fn a_quote_on_another_line_is_noticed() {
    let text = "one\ntwo three\nfour";
    assert!(stands_in_lines(text, 2, 2, "two three"));
    assert!(stands_in_lines(text, 2, 3, "three\nfour"));
    assert!(!stands_in_lines(text, 1, 2, "two"), "it begins on the second line");
    assert!(!stands_in_lines(text, 2, 3, "three"), "it ends on the second line");
    assert!(!stands_in_lines(text, 3, 3, "three"));
    assert!(!stands_in_lines(text, 4, 4, "four"), "there is no fourth line");
}

#[test]
fn the_small_set_is_answered_with_exact_citations() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/retrieval/small");
    let set = Set::read(&folder).unwrap();
    assert_eq!((set.documents.len(), set.questions.len()), (12, 10));
    let mut measured = Measured::default();
    measured.add_set(&set).unwrap();
    let words = &measured.rows[0].means;
    assert!(words.ndcg > 0.9, "nDCG@10 of words is {:.4}", words.ndcg);
    assert_eq!(words.zero_hit, 0.0);
    for row in &measured.rows {
        assert!(row.ranking.name() != "hybrid" || row.means.ndcg >= words.ndcg, "meaning makes it worse: {:.4}, {:.4}", row.means.ndcg, words.ndcg);
    }
    assert!(measured.citations.count > 10);
    assert!(measured.citations.wrong.is_empty(), "{:?}", measured.citations.wrong);
}

#[test]
fn a_passage_is_right_only_when_it_holds_the_quote() {
    let root = tempfile::tempdir().unwrap();
    let notes = root.path().join("notes");
    std::fs::create_dir(&notes).unwrap();
    std::fs::write(notes.join("tea.md"), "# Tea\n\nTea is drunk hot.\n\n## Green\n\nGreen tea wants water of 70 degrees.\n").unwrap();
    std::fs::write(notes.join("kettle.txt"), "Green tea water degrees, in a file that is not read.").unwrap();
    let documents = own_set::documents(root.path(), &["notes"]).unwrap();
    assert_eq!(documents.iter().map(|stored| stored.document.title.as_str()).collect::<Vec<_>>(), ["Tea"]);
    let table = root.path().join("questions.tsv");
    std::fs::write(&table, "q1\tnatural\thow hot should water for green tea be\tnotes/tea.md\t2\t70 degrees\n").unwrap();
    let kinds = own_set::questions(&table, &documents).unwrap();
    let mut measured = Measured::default();
    measured.add_own("own", &documents, &kinds).unwrap();
    let row = &measured.rows[0];
    assert_eq!((row.set.as_str(), row.questions, row.means.ndcg), ("own: natural", 1, 1.0));
    assert_eq!(kinds[0].1[0].grades.keys().copied().collect::<Vec<_>>(), [(1, Some(1))], "the second section, not the first");
}

#[test]
fn a_quote_that_no_file_holds_is_named() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("tea.md"), "# Tea\n").unwrap();
    let documents = own_set::documents(root.path(), &["."]).unwrap();
    let table = root.path().join("questions.tsv");
    std::fs::write(&table, "q1\tnatural\twhich\tcoffee.md\t1\tCoffee\nq2\tnatural\twhich\tonly four\n").unwrap();
    let complaint = own_set::questions(&table, &documents).err().unwrap();
    assert!(complaint.contains("line 1: coffee.md is no document") && complaint.contains("line 2: there are not six columns"), "{complaint}");
}
