//! `_project.yml`: what a project says about itself and which fields its records may have.

use document::{Problem, Severity, Value};

use super::entry::{Entry, Place, key_name};
use super::{DeclarationFault, FieldDeclaration, decode, people, reviewers, yaml};
use crate::RawFile;

/// A project's own description.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ProjectFile {
    /// Name for people.
    pub name: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Who answers for it.
    pub owners: Vec<String>,
    /// Its place among the projects; smaller comes first.
    pub order: Option<i64>,
    /// How many approvals its open records need where they do not say so themselves.
    pub approvals_required: Option<u32>,
    /// The fields that its records may have beyond the known ones.
    pub fields: Vec<FieldDeclaration>,
}

/// Reads a `_project.yml`. What is wrong with it becomes a problem; the rest is used.
#[must_use]
pub fn read_project_file(raw: &RawFile) -> (ProjectFile, Vec<Problem>) {
    let (text, mut problems) = decode::text(&raw.path, &raw.bytes);
    let mapping = yaml::read(text.trim_start_matches('\u{feff}'), 1, Place::FrontMatter);
    if let Some((line, reason)) = mapping.fault {
        let message = format!("It is no valid YAML ({reason}); it was read line by line.");
        problems.push(Problem::new("broken-project-file", Severity::Warning, &raw.path, message).at_line(line));
    }
    let mut project = ProjectFile::default();
    for entry in &mapping.entries {
        match entry.name.as_str() {
            "name" | "title" => project.name = one_text(entry),
            "description" => project.description = one_text(entry),
            "owners" | "owner" => project.owners = people::names(&entry.value),
            "order" => {
                project.order = entry.text().parse().ok();
                if project.order.is_none() && !entry.text().is_empty() {
                    let message = format!("order \"{}\" is no whole number.", entry.text());
                    problems.push(Problem::new("bad-project-order", Severity::Warning, &raw.path, message).at_line(entry.line_number));
                }
            }
            "approvals-required" | "required-approvals" => {
                project.approvals_required = reviewers::leading_number(&entry.text());
                if project.approvals_required.is_none() && !entry.text().is_empty() {
                    problems.push(reviewers::no_number_of_approvals(&entry.key, &entry.text(), &raw.path, entry.line_number));
                }
            }
            "fields" => {
                let source = Source { path: &raw.path, lines: text.lines().collect() };
                project.fields = fields(entry, &source, &mut problems);
            }
            _ => {
                let message = format!("The key \"{}\" is not known here.", entry.key);
                let problem = Problem::new("unknown-project-key", Severity::Note, &raw.path, message).at_line(entry.line_number);
                problems.push(problem.hint("Known keys: name, description, owners, order, approvals_required, fields."));
            }
        }
    }
    (project, problems)
}

fn one_text(entry: &Entry) -> Option<String> {
    let text = entry.value.texts().join(" ");
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// The file, to find the lines of single declarations in.
struct Source<'a> {
    path: &'a str,
    lines: Vec<&'a str>,
}

impl Source<'_> {
    /// 1-based line of the declaration of `name` that stands on line `from` or below; `from` where it cannot be found.
    fn line_number(&self, name: &str, from: u32) -> u32 {
        let declares = |line: &&str| {
            let shown = line.trim_start_matches([' ', '\t', '-', '{']).replace(['"', '\''], "");
            shown.split([',', '{']).any(|part| {
                let (key, value) = part.split_once(':').unwrap_or((part, ""));
                let is_value =
                    key_name(key) == "name" && value.split('#').next().unwrap_or_default().trim().trim_end_matches(['}', ']']).trim_end() == name;
                is_value || key.trim().trim_end_matches(['}', ']']) == name
            })
        };
        let above = from.saturating_sub(1) as usize;
        let found = self.lines.iter().skip(above).position(declares).and_then(|below| u32::try_from(below).ok());
        from + found.unwrap_or_default()
    }
}

/// `fields` as a list of declarations, or as a mapping from names to declarations or to types.
fn fields(entry: &Entry, source: &Source<'_>, problems: &mut Vec<Problem>) -> Vec<FieldDeclaration> {
    let mut found: Vec<FieldDeclaration> = Vec::new();
    let items: Vec<(Option<&str>, &Value)> = match &entry.value {
        Value::List(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Map(entries) => entries.iter().map(|(key, value)| (Some(key.as_str()), value)).collect(),
        Value::Empty => Vec::new(),
        other @ Value::Text(_) => vec![(None, other)],
    };
    let mut line_number = entry.line_number;
    for (key, value) in items.into_iter().take(MOST) {
        let Some(declared) = declaration(key, value) else {
            let message = "A field under \"fields\" has no name.";
            let problem = Problem::new("nameless-field", Severity::Warning, source.path, message).at_line(entry.line_number);
            problems.push(problem.hint("Declare it as { name: risk, type: enum, values: [low, high] }."));
            continue;
        };
        let is_again = found.iter().any(|known| known.is_named(&declared.name));
        // The second declaration of a name stands below the first.
        line_number = source.line_number(&declared.name, if is_again { line_number + 1 } else { line_number });
        if is_again {
            let message = format!("The field \"{}\" is declared twice; the first one counts.", declared.name);
            problems.push(Problem::new("duplicate-field", Severity::Warning, source.path, message).at_line(line_number));
            continue;
        }
        let fault = declared.fault();
        if let Some(fault) = fault {
            let problem = Problem::new(fault.code(), Severity::Warning, source.path, fault.message(&declared)).at_line(line_number);
            problems.push(problem.hint(fault.hint()));
        }
        if fault != Some(DeclarationFault::NameTaken) {
            found.push(declared);
        }
    }
    found
}

/// The most fields that one project may declare.
const MOST: usize = 500;

fn declaration(key: Option<&str>, value: &Value) -> Option<FieldDeclaration> {
    let text = |name: &str| value.get(name).and_then(Value::as_text).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let own = value.as_text().map(|text| text.trim().to_owned());
    let name = key.map(|key| key.trim().to_owned()).or_else(|| text("name")).or_else(|| own.clone()).filter(|name| !name.is_empty())?;
    let values: Vec<String> = ["values", "options", "enum"]
        .iter()
        .find_map(|name| value.get(name))
        .map(|values| values.texts().into_iter().map(str::to_owned).collect())
        .unwrap_or_default();
    let short_type = key.and(own);
    let field_type = FieldDeclaration::type_or_default(text("type").or(short_type), &values);
    Some(FieldDeclaration { name, label: text("label"), field_type, values, unit: text("unit"), description: text("description") })
}
