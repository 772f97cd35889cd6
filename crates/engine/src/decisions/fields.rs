//! Custom metadata: what a record carries beyond the entries that ibid knows, and what library and projects declare of it.

use document::{Record, Value};
use source::formats::decisions::{FieldDeclaration, is_own_key};

use crate::{Desk, Library, Result};

/// A project's own declared fields.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectFields {
    /// The project.
    pub project: String,
    /// Its declarations.
    pub fields: Vec<FieldDeclaration>,
}

/// All declarations of a library.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DeclaredFields {
    /// Those of the library, and of the sites that it reads: for the records of every project.
    pub fields: Vec<FieldDeclaration>,
    /// Those of each project that declares some, by project. One of the same name takes the place of the library's for the project's records.
    pub projects: Vec<ProjectFields>,
}

impl DeclaredFields {
    /// As configuration and project files say at present.
    #[must_use]
    pub fn of(library: &Library) -> Self {
        let mut projects: Vec<ProjectFields> = library
            .project_files()
            .into_iter()
            .filter(|(_, file)| !file.fields.is_empty())
            .map(|(project, file)| ProjectFields { project, fields: file.fields })
            .collect();
        projects.sort_by(|left, right| left.project.cmp(&right.project));
        Self { fields: library.declared_fields(), projects }
    }

    /// The declaration of a field that is in force for the records of a project.
    #[must_use]
    pub fn in_force(&self, project: &str, name: &str) -> Option<&FieldDeclaration> {
        let own =
            self.projects.iter().filter(|known| store::fold(known.project.trim()) == store::fold(project.trim())).flat_map(|known| &known.fields);
        own.chain(&self.fields).find(|declared| declared.is_named(name))
    }

    /// All declarations of a field, or those that may be in force in one project.
    pub(super) fn named<'a>(&'a self, project: Option<&'a str>, name: &'a str) -> Vec<&'a FieldDeclaration> {
        match project {
            Some(project) => self.in_force(project, name).into_iter().collect(),
            None => self.projects.iter().flat_map(|known| &known.fields).chain(&self.fields).filter(|declared| declared.is_named(name)).collect(),
        }
    }

    /// Whether nothing is declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.projects.is_empty()
    }
}

/// The custom metadata of a record, in the order of its file, empty entries left out.
#[must_use]
pub fn custom_fields(record: &Record) -> Vec<(String, Value)> {
    record.metadata.iter().filter(|(name, value)| *value != Value::Empty && !is_own_key(name)).cloned().collect()
}

/// The declared fields of the library, and those of each project.
///
/// # Errors
/// None at present; the signature leaves room for declarations of other sources.
pub async fn list_fields(desk: &Desk) -> Result<DeclaredFields> {
    Ok(DeclaredFields::of(&desk.library))
}
