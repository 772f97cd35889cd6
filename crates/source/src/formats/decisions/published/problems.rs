//! Problems of one `decisions.json`: said of a record by its id, and never more than a person could read.

use document::{Problem, Severity};

/// How many problems are kept; of the others only their number is told.
const MOST: usize = 1_000;

/// What is wrong with a `decisions.json`, as it is read.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<Problem>,
    beyond: usize,
}

impl Problems {
    /// Adds a problem of the file `decisions.json`; `message` is made only where it is kept.
    pub(super) fn add(&mut self, code: &str, severity: Severity, message: impl FnOnce() -> String) {
        if self.found.len() < MOST {
            self.found.push(Problem::new(code, severity, "decisions.json", message()));
        } else {
            self.beyond += 1;
        }
    }

    /// All of them.
    pub(super) fn done(mut self) -> Vec<Problem> {
        if self.beyond > 0 {
            let message = format!("It has {} more problems of these kinds.", self.beyond);
            self.found.push(Problem::new("more-problems", Severity::Note, "decisions.json", message));
        }
        self.found
    }
}

/// A text of the site as it is shown in a problem.
pub(super) fn shown(text: &str) -> String {
    let clipped: String = text.chars().take(120).map(|character| if character.is_control() { '\u{FFFD}' } else { character }).collect();
    if clipped.len() < text.len() { format!("{clipped}…") } else { clipped }
}
