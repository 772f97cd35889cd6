//! The command line as transcripts: `tests/cli/*.txt` hold what is typed (`$`), what is written into files (`%`) and what is seen, exit code included.
//! `UPDATE=1` rewrites them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::agent::World;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli")
}

pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a temporary folder can be written");
    for entry in std::fs::read_dir(from).expect("the folder is there").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            std::fs::copy(entry.path(), target).map(drop).expect("a file can be copied")
        }
    }
}

/// Splits a line as a shell would: blanks, single and double quotes.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), close) if open == close => quote = None,
            (None, '\'' | '"') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, blank) if blank.is_whitespace() => words.extend(word.take()),
            (_, other) => word.get_or_insert_default().push(other),
        }
    }
    words.extend(word);
    words
}

fn run(world: &World, line: &str) -> String {
    let words = words(line);
    assert_eq!(words.first().map(String::as_str), Some("ibid"), "{line}");
    let library = world.records();
    let output = world.ibid().args(&words[1..]).current_dir(&library).output().expect("ibid runs");
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    let real = library.canonicalize().expect("the folder is there");
    let parent = real.parent().expect("a parent").display().to_string();
    let text = text
        .replace(&real.display().to_string(), "$LIBRARY")
        .replace(&parent, "$WORLD")
        .replace(env!("CARGO_BIN_EXE_ibid"), "$IBID")
        .replace(env!("CARGO_PKG_VERSION"), "$VERSION");
    format!("{}\n[exit {}]\n", text.trim_end(), output.status.code().unwrap_or(-1))
}

#[test]
fn transcripts_say_what_is_seen() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library");
    let is_update = std::env::var_os("UPDATE").is_some();
    let mut wrong = Vec::new();
    let mut count = 0;
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder()).expect("transcripts").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let world = World::new();
        copy(&example, &world.records());
        let text = std::fs::read_to_string(&path).expect("a transcript");
        let mut seen = String::new();
        for line in text.lines() {
            if let Some(command) = line.strip_prefix("$ ") {
                let _ = write!(seen, "$ {command}\n{}\n", run(&world, command));
            } else if let Some((path, text)) = line.strip_prefix("% ").and_then(|rest| rest.split_once(": ")) {
                world.write(path, &format!("{}\n", text.replace("\\n", "\n")));
                let _ = writeln!(seen, "{line}");
            } else if line.starts_with('#') {
                let _ = writeln!(seen, "{line}");
            }
        }
        count += 1;
        if is_update {
            std::fs::write(&path, &seen).expect("the transcript can be written");
        } else if seen != text {
            wrong.push(format!("{}:\n{}", path.display(), seen));
        }
    }
    assert!(count >= 5, "no transcripts");
    assert!(wrong.is_empty(), "transcripts differ (UPDATE=1 rewrites them):\n{}", wrong.join("\n"));
}
