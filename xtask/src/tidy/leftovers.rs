//! Leftovers: marks of unfinished work, and paths of the machine of whoever wrote it.

use super::rules::{CODE_MARKS, COMMENT_MARKS};
use super::{Finding, House};

const MARKS_WHY: &str = "unfinished work lands as an issue, not as a mark that nobody reads";
const PATHS_WHY: &str = "it works on one machine only, and tells about it";

pub fn findings(house: &House) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in house.rust() {
        for (lines, marks) in [(&rust.comments, &COMMENT_MARKS[..]), (&rust.code, &CODE_MARKS[..])] {
            for (line_index, line) in lines.iter().enumerate() {
                if let Some(mark) = marks.iter().find(|mark| line.contains(*mark)) {
                    let message = format!("`{mark}` is left over");
                    findings.push(Finding { path: file.path.clone(), line_number: line_index + 1, rule: "leftovers", message, why: MARKS_WHY });
                }
            }
        }
    }
    let machine = machine_paths(house);
    for file in house.files.iter().filter(|file| file.path != "Cargo.lock") {
        for (line_index, line) in file.text.lines().enumerate() {
            if let Some(path) = machine.iter().find(|path| holds_path(line, path)) {
                let message = format!("`{path}` is a path of this machine");
                findings.push(Finding { path: file.path.clone(), line_number: line_index + 1, rule: "machine-paths", message, why: PATHS_WHY });
            }
        }
    }
    findings
}

/// The workspace, what it stands in, and the home folder of whoever runs this: known only here, so that this file need not name them.
fn machine_paths(house: &House) -> Vec<String> {
    let root = house.root.canonicalize().unwrap_or_else(|_| house.root.clone());
    let home = std::env::var_os("HOME").map(std::path::PathBuf::from);
    let parent = root.parent().map(std::path::Path::to_path_buf);
    // A folder that every machine has tells nothing.
    let is_telling = |path: &String| path.len() > 2 && !["/tmp", "/home", "/usr", "/opt", "/srv", "/var", "/mnt"].contains(&path.as_str());
    [Some(root), parent, home].into_iter().flatten().map(|path| path.display().to_string()).filter(is_telling).collect()
}

/// Whether an absolute path at or below `path` stands in `line`.
pub fn holds_path(line: &str, path: &str) -> bool {
    line.match_indices(path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + path.len()..].chars().next();
        let is_part = |character: char| character.is_alphanumeric() || "._-~*…}>)/".contains(character);
        !before.is_some_and(is_part) && after == Some('/')
    })
}
