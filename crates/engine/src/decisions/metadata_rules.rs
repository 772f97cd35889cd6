//! What is wrong in a record's own metadata and depends on more than its file: on the declarations in force, and on the day. Never stored.

use document::Problem;
use jiff::civil::Date;
use source::formats::decisions::folded_key;
use store::RecordRow;

use super::consistency::{Place, STEP};
use super::fields::DeclaredFields;
use super::{field_rules, review_rules};
use crate::{Desk, Library, Result};

/// A problem of a metadata entry whose line is not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Odd {
    /// Key of the entry, as written.
    pub(super) key: String,
    /// What is wrong with it.
    pub(super) problem: Problem,
}

/// The rules of the moment.
pub(super) struct MetadataRules {
    declared: DeclaredFields,
    today: Date,
}

impl MetadataRules {
    /// Of the library's declarations and the day of its clock.
    pub(super) fn of(library: &Library) -> Self {
        Self { declared: DeclaredFields::of(library), today: library.clock().today() }
    }

    /// What is wrong with a record whose text is at hand.
    pub(super) fn problems(&self, row: &RecordRow, text: &str) -> Vec<Problem> {
        self.find(row).into_iter().map(|odd| odd.placed(text)).collect()
    }

    /// What is wrong with every record of the library.
    ///
    /// # Errors
    /// A store that cannot be read.
    pub(super) async fn of_all(desk: &Desk) -> Result<Vec<(Place, Problem)>> {
        let (rules, store) = (Self::of(&desk.library), desk.library.store());
        let mut problems = Vec::new();
        let mut last = 0;
        loop {
            let rows = store.records_after(last, STEP).await?;
            let Some(newest) = rows.last() else { return Ok(problems) };
            last = newest.document_id;
            let odd: Vec<&RecordRow> = rows.iter().filter(|row| !rules.find(row).is_empty()).collect();
            let ids: Vec<i64> = odd.iter().map(|row| row.document_id).collect();
            let documents = store.documents(&ids).await?;
            for row in odd {
                let text = documents.iter().find(|stored| stored.id == row.document_id).map_or("", |stored| stored.document.text.as_str());
                let place = |problem| (Place { document_id: row.document_id, collection_id: row.collection_id }, problem);
                problems.extend(rules.problems(row, text).into_iter().map(place));
            }
        }
    }

    fn find(&self, row: &RecordRow) -> Vec<Odd> {
        let mut found = field_rules::find(row, &self.declared);
        found.extend(review_rules::find(row, self.today));
        found
    }
}

impl Odd {
    fn placed(self, text: &str) -> Problem {
        match line_of_key(text, &self.key) {
            Some(line_number) => self.problem.at_line(line_number),
            None => self.problem,
        }
    }
}

/// 1-based line on which a metadata entry stands: of a header, a list (`- **Risk**: low`), a table or a field. `None` where it stands beside the
/// text, in a file of its own.
fn line_of_key(text: &str, key: &str) -> Option<u32> {
    let wanted = folded_key(key);
    let at = text.lines().position(|line| {
        let line = line.trim_start_matches([' ', '\t', '-', '*', '+', '>', '|', ':', '_', '`', '"', '\'']);
        let key = line.split([':', '|', '=']).next().filter(|head| head.len() < line.len() && head.len() <= key.len() + 12);
        key.is_some_and(|key| folded_key(key.trim_matches([' ', '*', '_', '`', '"', '\''])) == wanted)
    })?;
    u32::try_from(at + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::line_of_key;

    #[test]
    fn an_entry_is_found_on_its_line_wherever_it_stands() {
        for (text, line) in [
            ("---\ntitle: A\nrisk: low\n---\n", Some(3)),
            ("---\r\ntitle: the risk: none\r\n\"Risk\" : low\r\n---\r\n", Some(3)),
            ("+++\nrisk = \"low\"\n+++\n", Some(2)),
            ("# A\n\n* Status: accepted\n* **Risk**: low\n", Some(4)),
            ("# A\n\n| Status | x |\n| --- | --- |\n| Risk | low |\n", Some(5)),
            ("= A\n:risk: low\n", Some(2)),
            ("# A\n\nNo risk here.\n", None),
            ("", None),
        ] {
            assert_eq!(line_of_key(text, "risk"), line, "{text}");
        }
        assert_eq!(line_of_key("---\npciScope: in\n---\n", "pciScope"), Some(2));
    }
}
