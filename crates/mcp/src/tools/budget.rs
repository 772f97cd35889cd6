//! The output budget: an answer that is too long is cut at the end of an item or a line, and says how to go on.

use serde_json::Value;

use super::Written;
use crate::wire::Answer;

/// The answer in at most `budget_chars` characters, of its text and of its structured form alike.
pub(super) fn fit<Out: Answer>(mut answer: Out, budget_chars: usize) -> Written {
    loop {
        let written = write(&answer);
        if length(&written) <= budget_chars {
            return written;
        }
        if !answer.tighten() {
            break;
        }
    }
    if let Some(written) = longest(&answer, budget_chars) {
        return written;
    }
    answer.slim();
    if let Some(written) = longest(&answer, budget_chars) {
        return written;
    }
    // Only names of thousands of characters lead here. The least is better than nothing.
    answer.cut(answer.least());
    write(&answer)
}

/// The longest beginning that fits and holds at least the least number of units.
fn longest<Out: Answer>(answer: &Out, budget_chars: usize) -> Option<Written> {
    let beginning = |units: usize| {
        let mut shorter = answer.clone();
        if units < answer.units() {
            shorter.cut(units);
        }
        Some(write(&shorter)).filter(|written| length(written) <= budget_chars)
    };
    let mut best = beginning(answer.least())?;
    // No unit is shorter than a character, so more units than the budget has never fit.
    let (mut fits, mut too_long) = (answer.least(), answer.units().min(budget_chars) + 1);
    while too_long - fits > 1 {
        let middle = fits + (too_long - fits) / 2;
        match beginning(middle) {
            Some(written) => (best, fits) = (written, middle),
            None => too_long = middle,
        }
    }
    Some(best)
}

fn write<Out: Answer>(answer: &Out) -> Written {
    // Wire types hold texts, numbers and lists under text keys: nothing that JSON could refuse.
    let value = serde_json::to_value(answer).unwrap_or(Value::Null);
    Written { text: answer.text(&value), value }
}

fn length(written: &Written) -> usize {
    let structured = written.value.to_string();
    structured.chars().count().max(written.text.chars().count())
}
