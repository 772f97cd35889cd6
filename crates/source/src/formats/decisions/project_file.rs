//! `_project.yml`: what a project says about itself and which fields its records may have.

use document::{Problem, Severity, Value};

use super::entry::{Entry, Place};
use super::{decode, people, yaml};
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
    /// The fields that its records may have beyond the known ones.
    pub fields: Vec<FieldDeclaration>,
}

/// A field that records may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDeclaration {
    /// Key in the records' front matter.
    pub name: String,
    /// Name for people.
    pub label: Option<String>,
    /// Type as written, `text` where none is.
    pub field_type: String,
    /// Allowed values, where the field is limited to some.
    pub values: Vec<String>,
    /// Unit of its values.
    pub unit: Option<String>,
    /// What it means.
    pub description: Option<String>,
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
            "fields" => project.fields = fields(entry, &raw.path, &mut problems),
            _ => {
                let message = format!("The key \"{}\" is not known here.", entry.key);
                let problem = Problem::new("unknown-project-key", Severity::Note, &raw.path, message).at_line(entry.line_number);
                problems.push(problem.hint("Known keys: name, description, owners, order, fields."));
            }
        }
    }
    (project, problems)
}

fn one_text(entry: &Entry) -> Option<String> {
    let text = entry.value.texts().join(" ");
    (!text.trim().is_empty()).then(|| text.trim().to_owned())
}

/// `fields` as a list of declarations, or as a mapping from names to declarations or to types.
fn fields(entry: &Entry, path: &str, problems: &mut Vec<Problem>) -> Vec<FieldDeclaration> {
    let mut found: Vec<FieldDeclaration> = Vec::new();
    let items: Vec<(Option<&str>, &Value)> = match &entry.value {
        Value::List(items) => items.iter().map(|item| (None, item)).collect(),
        Value::Map(entries) => entries.iter().map(|(key, value)| (Some(key.as_str()), value)).collect(),
        Value::Empty => Vec::new(),
        other @ Value::Text(_) => vec![(None, other)],
    };
    for (key, value) in items {
        match declaration(key, value) {
            Some(declared) if found.iter().any(|known| known.name.eq_ignore_ascii_case(&declared.name)) => {
                let message = format!("The field \"{}\" is declared twice; the first one counts.", declared.name);
                problems.push(Problem::new("duplicate-field", Severity::Warning, path, message).at_line(entry.line_number));
            }
            Some(declared) => found.push(declared),
            None => {
                let message = "A field under \"fields\" has no name.";
                let problem = Problem::new("nameless-field", Severity::Warning, path, message).at_line(entry.line_number);
                problems.push(problem.hint("Declare it as { name: risk, type: enum, values: [low, high] }."));
            }
        }
    }
    found
}

fn declaration(key: Option<&str>, value: &Value) -> Option<FieldDeclaration> {
    let text = |name: &str| value.get(name).and_then(Value::as_text).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let own = value.as_text().map(str::to_owned);
    let name = key.map(str::to_owned).or_else(|| text("name")).or_else(|| own.clone())?;
    let values: Vec<String> = ["values", "options", "enum"]
        .iter()
        .find_map(|name| value.get(name))
        .map(|values| values.texts().into_iter().map(str::to_owned).collect())
        .unwrap_or_default();
    let short_type = key.and(own);
    let field_type = text("type").or(short_type).unwrap_or_else(|| if values.is_empty() { "text" } else { "enum" }.to_owned());
    Some(FieldDeclaration { name, label: text("label"), field_type, values, unit: text("unit"), description: text("description") })
}
