//! Measuring: every question of a set is asked, its answer judged, and each citation of it followed.

use std::collections::HashMap;

use store::StoredDocument;

use crate::citations::Followed;
use crate::library::{Library, Ranking};
use crate::metrics::{Judged, Means, judge};
use crate::set::{Question, Set};

/// How good one ranking is on one set.
pub struct Row {
    /// Name of the set.
    pub set: String,
    /// How it was ranked.
    pub ranking: Ranking,
    /// How many questions were judged.
    pub questions: usize,
    /// Means over them.
    pub means: Judged,
}

/// All that was measured.
#[derive(Default)]
pub struct Measured {
    /// One per set and ranking.
    pub rows: Vec<Row>,
    /// Every citation of every hit.
    pub citations: Followed,
}

impl Measured {
    /// Measures all rankings on a set of documents.
    pub fn add_set(&mut self, set: &Set) -> Result<(), String> {
        let library = Library::build(&set.documents, &set.people)?;
        for ranking in Ranking::all() {
            let means = self.ask_all(&library, ranking, &set.questions, 1)?;
            self.rows.push(Row { set: set.name.clone(), ranking, questions: means.questions, means: means.of_all() });
        }
        Ok(())
    }

    /// Measures all rankings on documents whose questions are sorted by kind, with as many hits of one document as a page of the product holds.
    pub fn add_own(&mut self, set: &str, documents: &[StoredDocument], kinds: &[(String, Vec<Question>)]) -> Result<(), String> {
        let library = Library::build(documents, &HashMap::new())?;
        for ranking in Ranking::all() {
            for (kind, questions) in kinds {
                let means = self.ask_all(&library, ranking, questions, 2)?;
                self.rows.push(Row { set: format!("{set}: {kind}"), ranking, questions: means.questions, means: means.of_all() });
            }
        }
        Ok(())
    }

    /// Asks the questions, with at most `per_document` hits of one document (0 for no limit), and judges the answers.
    pub fn ask_all<'a>(
        &mut self,
        library: &Library,
        ranking: Ranking,
        questions: impl IntoIterator<Item = &'a Question>,
        per_document: usize,
    ) -> Result<Means, String> {
        let mut means = Means::default();
        for question in questions {
            let hits = library.ask(ranking, &question.text, question.person.as_deref(), per_document)?;
            let mut open: HashMap<_, f64> = question.grades.clone();
            let mut ranked = Vec::new();
            for hit in &hits {
                // What was found once is not found again.
                let whole = open.remove(&(hit.document_id, None));
                ranked.push(whole.or_else(|| open.remove(&(hit.document_id, Some(hit.passage_index)))).unwrap_or_default());
                if let Some((document, original)) = library.document(hit.document_id) {
                    self.citations.follow(document, original, hit);
                }
            }
            let relevant: Vec<f64> = question.grades.values().copied().collect();
            if let Some(judged) = judge(&ranked, &relevant) {
                means.add(judged);
            }
        }
        Ok(means)
    }
}
