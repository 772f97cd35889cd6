//! The periodic review that a record schedules: how often, when last, and by when.

use document::{Problem, RecordDate, Review, Severity, Value};

use super::entry::{Entry, Field, ReviewPart, is_empty_value};
use super::reader::Gathered;
use super::{Interval, date, when};

/// See the file's head. The interval is counted from the last review, else from the record's date.
pub(super) fn read(facts: &Gathered<'_>, record_date: Option<&RecordDate>, problems: &mut Vec<Problem>) -> Option<Review> {
    let mut reading = Reading { path: &facts.files.main, problems, review: Review { every: None, reviewed: None, due: None } };
    let mut line_number = 1;
    for entry in &facts.entries {
        let Some(Field::Review(part)) = entry.field() else { continue };
        line_number = entry.line_number;
        reading.path = when::source_of(facts, entry);
        let text = entry.text();
        match part {
            ReviewPart::Every => reading.every(&entry.key, &text, line_number),
            ReviewPart::Reviewed => reading.reviewed(&entry.key, &text, line_number),
            ReviewPart::Due => reading.due(&entry.key, &text, line_number),
            ReviewPart::Whole => reading.whole(entry, &text),
        }
    }
    let Reading { path, review, problems } = reading;
    let is_dated = record_date.is_some_and(|date| date.iso.is_some());
    if review.due.is_none() && review.reviewed.is_none() && !is_dated && review.every.as_deref().and_then(Interval::parse).is_some() {
        let message = "A review is scheduled, but neither a date nor a last review tells from when on.";
        let problem = Problem::new("review-without-start", Severity::Note, path, message).at_line(line_number);
        problems.push(problem.hint("Add the day of the last review: reviewed: 2026-03-01."));
    }
    (review.every.is_some() || review.reviewed.is_some() || review.due.is_some()).then_some(review)
}

struct Reading<'a> {
    path: &'a str,
    problems: &'a mut Vec<Problem>,
    review: Review,
}

impl Reading<'_> {
    /// `review: 6 months`, `review: 2026-03-01`, or a mapping. Other words (a link, a name) are no schedule.
    fn whole(&mut self, entry: &Entry, text: &str) {
        let line_number = entry.line_number;
        if let Value::Map(_) = entry.value {
            let inner = |keys: &[&str]| keys.iter().find_map(|key| entry.value.get(key)).and_then(Value::as_text).unwrap_or_default().to_owned();
            self.every("every", &inner(&["every", "interval", "cadence", "frequency"]), line_number);
            self.reviewed("reviewed", &inner(&["reviewed", "last", "last_reviewed", "last-reviewed", "lastReviewed"]), line_number);
            self.due("due", &inner(&["due", "next", "by", "on", "date"]), line_number);
        } else if Interval::parse(text).is_some() || text.to_lowercase().starts_with("every ") {
            self.every(&entry.key, text, line_number);
        } else if let Some(due) = day(text) {
            self.review.due.get_or_insert(due);
        } else if text.starts_with(|first: char| first.is_ascii_digit()) {
            self.every(&entry.key, text, line_number);
        }
    }

    fn every(&mut self, key: &str, text: &str, line_number: u32) {
        if self.review.every.is_some() || is_empty_value(text) || matches!(text.trim().to_lowercase().as_str(), "never" | "no" | "false") {
            return;
        }
        self.review.every = Some(text.trim().to_owned());
        if Interval::parse(text).is_none() {
            let shown: String = text.chars().take(60).collect();
            let message = format!("{key} is \"{shown}\", which is no interval: when the review is due cannot be told.");
            let problem = Problem::new("unreadable-interval", Severity::Warning, self.path, message).at_line(line_number);
            self.problems.push(problem.hint(Interval::LEGAL));
        }
    }

    fn reviewed(&mut self, key: &str, text: &str, line_number: u32) {
        let found = self.day(key, text, line_number);
        self.review.reviewed = self.review.reviewed.take().or(found);
    }

    fn due(&mut self, key: &str, text: &str, line_number: u32) {
        let found = self.day(key, text, line_number);
        self.review.due = self.review.due.take().or(found);
    }

    /// The day in a text; words without one are a problem.
    fn day(&mut self, key: &str, text: &str, line_number: u32) -> Option<String> {
        if is_empty_value(text) {
            return None;
        }
        let found = day(text);
        if found.is_none() {
            let shown: String = text.chars().take(60).collect();
            let message = format!("{key} is \"{shown}\", in which no day that exists can be found.");
            let problem = Problem::new("unreadable-review-date", Severity::Warning, self.path, message).at_line(line_number);
            self.problems.push(problem.hint(format!("Write {key}: 2026-03-01.")));
        }
        found
    }
}

/// A date that names a day.
fn day(text: &str) -> Option<String> {
    date::find(text).and_then(|found| found.iso).filter(|iso| iso.len() == 10)
}
