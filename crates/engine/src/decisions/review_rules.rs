//! Whether what a record says of its periodic review can be, on the day of the answer.

use document::{Problem, Severity};
use jiff::civil::Date;
use source::formats::decisions::folded_key;
use store::RecordRow;

use super::metadata_rules::Odd;

/// Keys under which the last review may stand, folded; the nearest first.
const KEYS: [&str; 5] = ["reviewed", "last_reviewed", "last_review", "reviewed_on", "review"];

/// A last review that is still to come.
pub(super) fn find(row: &RecordRow, today: Date) -> Option<Odd> {
    let reviewed = row.record.review.as_ref()?.reviewed.as_deref()?;
    let day: Date = reviewed.parse().ok().filter(|day| *day > today)?;
    let keys = row.record.metadata.iter().map(|(key, _)| key);
    let key = KEYS.iter().find_map(|known| keys.clone().find(|key| folded_key(key) == *known)).cloned().unwrap_or_default();
    let message = format!("The last review is said to have been on {day}, which is still to come.");
    let problem = Problem::new("review-in-the-future", Severity::Warning, &row.path, message);
    Some(Odd { key, problem: problem.hint("reviewed is the day of the last review; the day of the next one is due.") })
}
