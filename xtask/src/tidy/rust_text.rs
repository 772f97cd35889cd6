//! Rust source taken apart into code, comments and literals, line by line, so that a rule about code does not trip over a sentence.

/// The parts of a file; the same number of lines in each, with blanks where another part stands.
pub struct RustText {
    pub code: Vec<String>,
    pub comments: Vec<String>,
    pub literals: Vec<String>,
    /// 0-based line at which an inline module of tests begins; the number of lines where there is none.
    pub tests_index: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    LineComment,
    /// With its depth: block comments nest.
    BlockComment(u32),
    Text,
    /// With the number of `#`.
    RawText(usize),
}

impl RustText {
    pub fn read(text: &str) -> Self {
        let mut parts = [String::with_capacity(text.len()), String::new(), String::new()];
        let characters: Vec<char> = text.chars().collect();
        let mut part = Part::Code;
        let mut at = 0;
        while at < characters.len() {
            let rest = &characters[at..];
            let (length, next) = step(rest, part, at.checked_sub(1).map(|before| characters[before]));
            // The marks that open and close a part belong to it.
            let owner = if part == Part::Code { next } else { part };
            for character in &rest[..length] {
                let index = match owner {
                    Part::Code => 0,
                    Part::LineComment | Part::BlockComment(_) => 1,
                    Part::Text | Part::RawText(_) => 2,
                };
                for (other, target) in parts.iter_mut().enumerate() {
                    target.push(if *character == '\n' || other == index { *character } else { ' ' });
                }
            }
            part = next;
            at += length;
        }
        let [code, comments, literals] = parts.map(|part| part.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>());
        let tests_index = tests_index(&code);
        Self { code, comments, literals, tests_index }
    }
}

/// How many characters to take, and what the part is after them.
fn step(rest: &[char], part: Part, before: Option<char>) -> (usize, Part) {
    let starts = |mark: &str| mark.chars().enumerate().all(|(at, wanted)| rest.get(at) == Some(&wanted));
    match part {
        Part::Code if starts("//") => (2, Part::LineComment),
        Part::Code if starts("/*") => (2, Part::BlockComment(1)),
        Part::Code if starts("\"") => (1, Part::Text),
        Part::Code if starts("r\"") || starts("r#") => {
            let hashes = rest[1..].iter().take_while(|character| **character == '#').count();
            // `r#type` is a name, and the `r` of `for"` would be no prefix.
            let is_raw =
                rest.get(1 + hashes) == Some(&'"') && !before.is_some_and(|before| before.is_alphanumeric() && before != 'b' || before == '_');
            if is_raw { (2 + hashes, Part::RawText(hashes)) } else { (1, Part::Code) }
        }
        Part::Code if starts("'") => (character_length(rest), Part::Code),
        Part::LineComment if starts("\n") => (1, Part::Code),
        Part::BlockComment(depth) if starts("/*") => (2, Part::BlockComment(depth + 1)),
        Part::BlockComment(1) if starts("*/") => (2, Part::Code),
        Part::BlockComment(depth) if starts("*/") => (2, Part::BlockComment(depth - 1)),
        Part::Text if starts("\\") => (rest.len().min(2), Part::Text),
        Part::Text if starts("\"") => (1, Part::Code),
        Part::RawText(hashes) if starts("\"") && rest[1..].iter().take_while(|character| **character == '#').count() >= hashes => {
            (1 + hashes, Part::Code)
        }
        part => (1, part),
    }
}

/// Length of a character literal, so that `'"'` opens no text; 1 for a lifetime.
fn character_length(rest: &[char]) -> usize {
    if rest.get(1) == Some(&'\\') {
        return rest.iter().skip(3).position(|character| *character == '\'').map_or(1, |at| at + 4).min(rest.len());
    }
    if rest.get(2) == Some(&'\'') { 3 } else { 1 }
}

fn tests_index(code: &[String]) -> usize {
    let is_inline = |line: &String| line.trim_start().starts_with("mod ") && line.ends_with('{');
    (0..code.len()).find(|at| code[*at].trim_start().starts_with("#[cfg(test)]") && code.get(at + 1).is_some_and(is_inline)).unwrap_or(code.len())
}
