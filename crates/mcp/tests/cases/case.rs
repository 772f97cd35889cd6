//! A case as it is written: a title, prose, and blocks that say what they are in their first line.

use serde_json::Value;

/// One step of a case.
pub enum Step {
    /// A file of the library, written or replaced.
    File { path: String, text: String },
    /// A file that goes away.
    Delete { path: String },
    /// A tool, or a method with a slash in its name.
    Call { what: String, arguments: Value },
    /// What the last call answers: a subset.
    Answers(Value),
    /// How the last call fails: a subset.
    Fails(Value),
    /// What stands in the text of the last answer, in this order.
    Reads(Vec<String>),
}

/// A case.
pub struct Case {
    pub name: String,
    pub today: Option<String>,
    pub steps: Vec<(usize, Step)>,
}

impl Case {
    /// Reads a case; `name` is for messages.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let mut case = Self { name: name.to_owned(), today: None, steps: Vec::new() };
        if !text.starts_with("# ") {
            return Err(format!("{name}:1: a case begins with a title"));
        }
        let mut lines = text.lines().enumerate();
        while let Some((index, line)) = lines.next() {
            if let Some(today) = line.strip_prefix("today: ") {
                case.today = Some(today.trim().to_owned());
            }
            let fence: String = line.chars().take_while(|character| *character == '`').collect();
            if fence.len() < 3 {
                continue;
            }
            let mut body = String::new();
            loop {
                let Some((_, line)) = lines.next() else { return Err(format!("{name}:{}: this block is not closed", index + 1)) };
                if line.trim_end() == fence {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            for step in steps(line[fence.len()..].trim(), &body).map_err(|reason| format!("{name}:{}: {reason}", index + 1))? {
                case.steps.push((index + 1, step));
            }
        }
        Ok(case)
    }
}

fn steps(head: &str, body: &str) -> Result<Vec<Step>, String> {
    let json = || serde_json::from_str::<Value>(body).map_err(|error| format!("this is no JSON: {error}"));
    let words: Vec<&str> = head.split_whitespace().collect();
    Ok(match words.as_slice() {
        ["json", "call", what] => vec![Step::Call { what: (*what).to_owned(), arguments: json()? }],
        ["json", "answers"] => vec![Step::Answers(json()?)],
        ["json", "fails"] => vec![Step::Fails(json()?)],
        ["text", "reads"] => vec![Step::Reads(body.lines().map(str::to_owned).collect())],
        ["delete", path] => vec![Step::Delete { path: (*path).to_owned() }],
        [_, path] => files(path, body)?,
        _ => return Err(format!("\"{head}\" says not what this block is")),
    })
}

/// `{0001..0120}` in a path makes a file for each number, `{n}` in its text is that number; a line behind `{x400}` stands there 400 times.
fn files(path: &str, body: &str) -> Result<Vec<Step>, String> {
    let text = repeated(body)?;
    let Some((head, rest)) = path.split_once('{') else {
        return Ok(vec![Step::File { path: path.to_owned(), text }]);
    };
    let (range, tail) = rest.split_once('}').ok_or("the path has no }")?;
    let (first, last) = range.split_once("..").ok_or("the path has no range")?;
    let number = |text: &str| text.parse::<usize>().map_err(|error| format!("{text}: {error}"));
    let one = |n: usize| {
        let n = format!("{n:0width$}", width = first.len());
        Step::File { path: format!("{head}{n}{tail}"), text: text.replace("{n}", &n) }
    };
    Ok((number(first)?..=number(last)?).map(one).collect())
}

fn repeated(body: &str) -> Result<String, String> {
    let mut text = String::new();
    for line in body.split_inclusive('\n') {
        match line.strip_prefix("{x").and_then(|rest| rest.split_once('}')) {
            Some((times, rest)) => text.push_str(&rest.trim_start().repeat(times.parse().map_err(|error| format!("{times}: {error}"))?)),
            None => text.push_str(line),
        }
    }
    Ok(text)
}
