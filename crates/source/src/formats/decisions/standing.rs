//! Which of the places that state a status counts, and whether they agree.

use document::{Problem, Severity, Status};

use super::entry::{Entry, Field, Place};
use super::reader::{Gathered, of};
use super::status::{self, Reading};
use super::{places, plain};

/// A place's statement.
#[derive(Debug, Clone)]
pub(super) struct Statement {
    /// The key before the value as shown; `None` in a section.
    pub(super) key: Option<String>,
    pub(super) raw: String,
    pub(super) line_number: u32,
    pub(super) place: Place,
    pub(super) reading: Reading,
    /// A remark behind the value in the file, such as a YAML comment.
    remark: Option<String>,
}

/// The status, and whether its value is a template's. Order: header and sidecar, then list, line or table, then the status section, then tags.
pub(super) fn read(facts: &Gathered<'_>, problems: &mut Vec<Problem>) -> (Status, bool) {
    let path = &facts.files.main;
    let mut statements = statements(facts);
    if !statements.iter().any(is_word) {
        report_unread(path, &statements, problems);
    }
    let is_template = statements.iter().any(|statement| statement.reading == Reading::Template) && !statements.iter().any(is_word);
    let Some(chosen) = statements.iter().position(is_word) else {
        if statements.iter().all(|statement| statement.reading == Reading::Empty)
            && let Some(status) = of_tags(facts)
        {
            return (status, false);
        }
        let first = statements.into_iter().next();
        let place = first.as_ref().map(|statement| statement.place.as_str().to_owned());
        return (Status { raw: first.map(|statement| statement.raw).filter(|raw| !raw.is_empty()), place, ..Status::unknown() }, is_template);
    };
    report_disagreement(path, &statements, chosen, problems);
    let statement = statements.swap_remove(chosen);
    let Reading::Word { word, note, misspelt, .. } = statement.reading else { return (Status::unknown(), false) };
    if let Some(misspelt) = misspelt {
        let message = format!("The status \"{misspelt}\" is read as \"{word}\".");
        let source = if statement.place == Place::Sidecar { facts.files.sidecars.first().unwrap_or(path) } else { path };
        problems.push(Problem::new("misspelt-status", Severity::Note, source, message).at_line(statement.line_number).hint("Correct the spelling."));
    }
    let note = note.or(statement.remark);
    (Status { word, raw: Some(statement.raw), note, place: Some(statement.place.as_str().to_owned()) }, false)
}

/// Every place's statement in the order in which they count: the first that states a word is the record's status.
pub(super) fn statements(facts: &Gathered<'_>) -> Vec<Statement> {
    let mut statements: Vec<Statement> = of(&facts.entries, Field::Status).map(of_entry).collect();
    for part in places::status_parts(&facts.parts, facts.title) {
        if let Some(said) = places::status_texts(part).into_iter().next() {
            let reading = status::read(&said.text);
            statements.push(Statement { key: None, raw: said.text, line_number: said.line_number, place: Place::Section, reading, remark: None });
        }
    }
    if is_page_header(facts) && statements.iter().any(|statement| statement.place != Place::FrontMatter && is_word(statement)) {
        statements.retain(|statement| statement.place != Place::FrontMatter);
    }
    statements
}

fn of_entry(entry: &Entry) -> Statement {
    let text = entry.value.texts().join(", ");
    let raw = plain::without_comments(&entry.raw).trim().to_owned();
    let remark = match entry.place {
        Place::FrontMatter | Place::Sidecar => entry.raw.split_once(" #").map(|(_, remark)| remark.trim_start_matches('#').trim().to_owned()),
        _ => None,
    };
    // The list of allowed words that templates put into a comment says nothing about this record.
    let remark = remark.filter(|remark| !remark.contains('|') && !remark.is_empty());
    let unquoted = ['"', '\''].iter().find_map(|quote| raw.strip_prefix(*quote)?.strip_suffix(*quote)).map(str::to_owned);
    let key = Some(entry.key.clone());
    Statement { key, raw: unquoted.unwrap_or(raw), line_number: entry.line_number, place: entry.place, reading: status::read(&text), remark }
}

pub(super) const fn is_word(statement: &Statement) -> bool {
    matches!(statement.reading, Reading::Word { .. })
}

/// A header whose `type` says that it describes the page: its `draft` or `stable` is the page's state, not the decision's.
fn is_page_header(facts: &Gathered<'_>) -> bool {
    let header = |name: &str| {
        facts.entries.iter().find(|entry| entry.place == Place::FrontMatter && entry.name == name).map(|entry| entry.text().to_lowercase())
    };
    let describes_page = header("type").is_some_and(|text| text.contains("record") || text.contains("adr") || text.contains("page"));
    let is_page_state = header("status").is_some_and(|text| matches!(text.as_str(), "draft" | "stable" | "published"));
    describes_page && is_page_state
}

fn report_unread(path: &str, statements: &[Statement], problems: &mut Vec<Problem>) {
    for statement in statements {
        let shown: String = statement.raw.chars().take(80).collect();
        let problem = match statement.reading {
            Reading::Template => {
                Problem::new("template-status", Severity::Warning, path, format!("Its status \"{shown}\" is a template's, not filled in."))
                    .hint("Leave the one word that holds, such as `accepted`.")
            }
            Reading::Unreadable => Problem::new("unreadable-status", Severity::Warning, path, format!("No status can be read from \"{shown}\"."))
                .hint("Begin with the word that holds, such as `accepted`."),
            Reading::Word { .. } | Reading::Empty => continue,
        };
        problems.push(problem.at_line(statement.line_number));
    }
}

fn report_disagreement(path: &str, statements: &[Statement], chosen: usize, problems: &mut Vec<Problem>) {
    let Reading::Word { word, .. } = &statements[chosen].reading else { return };
    for statement in statements.iter().skip(chosen + 1) {
        if let Reading::Word { word: other, is_known: true, .. } = &statement.reading
            && other.replace('-', " ") != word.replace('-', " ")
            && statement.place != statements[chosen].place
            && status::begins_with_known(&statement.raw)
        {
            let place = statement.place.as_str();
            let message = format!(
                "The {} says \"{word}\", the {place} \"{other}\"; the {} counts.",
                statements[chosen].place.as_str(),
                statements[chosen].place.as_str()
            );
            problems.push(
                Problem::new("status-disagrees", Severity::Warning, path, message).at_line(statement.line_number).hint("Make the two say the same."),
            );
        }
    }
}

/// A status that stands among the tags, where no other place states one.
fn of_tags(facts: &Gathered<'_>) -> Option<Status> {
    const TAGS: &[&str] = &["accepted", "proposed", "rejected", "superseded", "deprecated", "draft"];
    of(&facts.entries, Field::Tags)
        .filter(|entry| entry.name.starts_with("tag"))
        .flat_map(Entry::texts)
        .flat_map(|text| text.split(','))
        .map(str::trim)
        .find_map(|tag| {
            let word = tag.to_lowercase();
            TAGS.contains(&word.as_str()).then(|| Status {
                word,
                raw: Some(tag.to_owned()),
                note: None,
                place: Some(Place::Tags.as_str().to_owned()),
            })
        })
}
