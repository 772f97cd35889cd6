//! Custom metadata: what a record carries beyond the entries that ibid knows, and what projects declare of it.

use document::{Record, Value};
use source::formats::decisions::FieldDeclaration;

use crate::{Desk, Result};

/// Entries that are read into something of their own; everything else is a custom field. Compared in lower case with `-` and blanks as `_`,
/// and with one before each capital of `camelCase`.
const KNOWN: &[&str] = &[
    "title",
    "description",
    "status",
    "state",
    "date",
    "created",
    "creation_date",
    "start_date",
    "last_updated",
    "updated",
    "author",
    "authors",
    "owner",
    "owners",
    "deciders",
    "decider",
    "decision_maker",
    "decision_makers",
    "approvers",
    "consulted",
    "informed",
    "tags",
    "tag",
    "related",
    "relates_to",
    "related_to",
    "see_also",
    "supersedes",
    "superseded_by",
    "replaces",
    "replaced_by",
    "requires",
    "amends",
    "amended_by",
    "clarifies",
    "draft",
    "review",
    "reviewers",
    "reviewer",
    "reviewed",
    "last_reviewed",
    "last_review",
    "reviewed_on",
    "review_every",
    "review_interval",
    "review_cadence",
    "review_cycle",
    "review_by",
    "review_date",
    "review_due",
    "review_on",
    "next_review",
    "approvals",
    "approvals_required",
    "approvals_needed",
    "required_approvals",
    "depends_on",
    "parent",
    "layout",
    "nav_order",
];

/// A project's own declared fields.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectFields {
    /// The project.
    pub project: String,
    /// Its declarations.
    pub fields: Vec<FieldDeclaration>,
}

/// The custom metadata of a record, in the order of its file, empty entries left out.
#[must_use]
pub fn custom_fields(record: &Record) -> Vec<(String, Value)> {
    record.metadata.iter().filter(|(name, value)| *value != Value::Empty && !KNOWN.contains(&folded(name).as_str())).cloned().collect()
}

fn folded(key: &str) -> String {
    let mut name = String::with_capacity(key.len() + 4);
    let mut previous = ' ';
    for character in key.trim().chars() {
        if character.is_uppercase() && previous.is_lowercase() {
            name.push('_');
        }
        match character {
            '-' | ' ' => name.push('_'),
            other => name.extend(other.to_lowercase()),
        }
        previous = character;
    }
    name
}

/// Declared fields of each project that declares some.
///
/// # Errors
/// None at present; the signature leaves room for declarations of other sources.
pub async fn list_fields(desk: &Desk) -> Result<Vec<ProjectFields>> {
    let mut projects: Vec<ProjectFields> = desk
        .library
        .project_files()
        .into_iter()
        .filter(|(_, file)| !file.fields.is_empty())
        .map(|(project, file)| ProjectFields { project, fields: file.fields })
        .collect();
    projects.sort_by(|left, right| left.project.cmp(&right.project));
    Ok(projects)
}
