//! Doors: what may be done only in some rooms.

use super::floors::is_word;
use super::ledger::Exception;
use super::rules::{DOORS, Door, SQL, SQL_OPEN, SQL_WHY};
use super::{File, Finding, House};

pub fn findings(house: &House) -> Vec<Finding> {
    let mut findings = Vec::new();
    for door in &DOORS {
        let mut used: Vec<&Exception> = Vec::new();
        for (file, rust) in house.rust() {
            if is_open(door, file) {
                continue;
            }
            let end = if door.is_open_in_tests { rust.tests_index } else { rust.code.len() };
            for (line_index, line) in rust.code.iter().enumerate().take(end) {
                let Some(mark) = door.marks.iter().find(|mark| holds(line, mark)) else { continue };
                if let Some(exception) = house.ledger.find(door.rule, &file.path) {
                    used.push(exception);
                    continue;
                }
                let message = format!("`{mark}` may be used only in {}", door.open.join(", "));
                findings.push(Finding { path: file.path.clone(), line_number: line_index + 1, rule: door.rule, message, why: door.why });
            }
        }
        findings.extend(house.ledger.unused(door.rule, &used));
    }
    findings.extend(sql(house));
    findings
}

/// Whether `file` uses the door of this rule, for the ledger.
pub fn uses(rule: &str, file: &File) -> bool {
    let (Some(door), Some(rust)) = (DOORS.iter().find(|door| door.rule == rule), &file.rust) else { return false };
    rust.code.iter().take(rust.tests_index).any(|line| door.marks.iter().any(|mark| holds(line, mark)))
}

fn is_open(door: &Door, file: &File) -> bool {
    let is_build_script = file.path.ends_with("/build.rs");
    (door.is_open_in_tests && file.is_test()) || is_build_script || door.open.iter().any(|open| file.path.starts_with(open))
}

/// Whether `mark` stands in `line` and is not the end of a longer name: `print!` is not in `println!`, nor `print!` in `eprint!`.
fn holds(line: &str, mark: &str) -> bool {
    line.match_indices(mark).any(|(at, _)| {
        let is_whole = mark.ends_with(|last: char| last.is_alphanumeric());
        if is_whole {
            is_word(line, at, mark.len())
        } else {
            !line[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_')
        }
    })
}

fn sql(house: &House) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in house.rust().filter(|(file, _)| !file.is_test() && !SQL_OPEN.iter().any(|open| file.path.starts_with(open))) {
        for (line_index, line) in rust.literals.iter().enumerate().take(rust.tests_index) {
            if SQL.iter().any(|(first, second)| line.contains(first) && line.contains(second)) {
                let message = "SQL text outside of store".to_owned();
                findings.push(Finding { path: file.path.clone(), line_number: line_index + 1, rule: "sql", message, why: SQL_WHY });
            }
        }
    }
    findings
}
