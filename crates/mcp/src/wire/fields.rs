//! Declared custom metadata.

use engine::decisions;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Standing};

/// A declared field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Field {
    /// Key in the records, and in the `field` argument of search_records.
    pub name: String,
    /// Name for people.
    pub label: Option<String>,
    /// Type as declared, such as `text` or `enum`.
    #[serde(rename = "type")]
    pub field_type: String,
    /// Allowed values, where the field is limited to some.
    pub values: Vec<String>,
    /// Unit of its values.
    pub unit: Option<String>,
    /// What it means.
    pub description: Option<String>,
}

/// What one project declares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProjectFields {
    /// The project.
    pub project: String,
    /// Its own fields.
    pub fields: Vec<Field>,
}

/// All declared fields, and those of each project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fields {
    /// How many entries `fields` and `projects` have together.
    pub total: usize,
    /// First of this answer, from 0: fields count first, then projects.
    pub offset: usize,
    /// Every declared field once; where projects differ, the first declaration with the values of all.
    pub fields: Vec<Field>,
    /// Projects that declare fields.
    pub projects: Vec<ProjectFields>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

enum Entry {
    Field(Field),
    Project(ProjectFields),
}

impl Fields {
    /// The declarations from `offset` on.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(declared: Vec<decisions::ProjectFields>, offset: Option<i64>) -> engine::Result<Self> {
        let projects: Vec<ProjectFields> = declared.into_iter().map(project).collect();
        let mut fields: Vec<Field> = Vec::new();
        for field in projects.iter().flat_map(|project| &project.fields) {
            match fields.iter_mut().find(|known| known.name.eq_ignore_ascii_case(&field.name)) {
                Some(known) => {
                    let further: Vec<String> = field.values.iter().filter(|value| !known.values.contains(value)).cloned().collect();
                    known.values.extend(further);
                }
                None => fields.push(field.clone()),
            }
        }
        let entries = fields.into_iter().map(Entry::Field).chain(projects.into_iter().map(Entry::Project)).collect();
        let (total, offset, entries) = super::paged(entries, offset)?;
        let mut page = Self { total, offset, fields: Vec::new(), projects: Vec::new(), standing: Standing::default() };
        for entry in entries {
            match entry {
                Entry::Field(field) => page.fields.push(field),
                Entry::Project(project) => page.projects.push(project),
            }
        }
        Ok(page)
    }
}

fn project(declared: decisions::ProjectFields) -> ProjectFields {
    let fields = declared.fields.into_iter().map(|field| Field {
        name: field.name,
        label: field.label,
        field_type: field.field_type,
        values: field.values,
        unit: field.unit,
        description: field.description,
    });
    ProjectFields { project: declared.project, fields: fields.collect() }
}

impl Answer for Fields {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.fields.len() + self.projects.len()
    }

    fn cut(&mut self, units: usize) {
        self.projects.truncate(units.saturating_sub(self.fields.len()));
        self.fields.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }

    fn slim(&mut self) {
        let own = self.projects.iter_mut().flat_map(|project| {
            project.fields.truncate(20);
            project.fields.iter_mut()
        });
        for field in self.fields.iter_mut().chain(own) {
            super::clip(&mut field.name, 60);
            super::clip(&mut field.field_type, 40);
            field.values.truncate(10);
            field.values.iter_mut().for_each(|value| super::clip(value, 40));
            for text in [&mut field.label, &mut field.unit, &mut field.description].into_iter().flatten() {
                super::clip(text, 100);
            }
        }
        self.standing.shortened("Long declarations were shortened; the project's _project.yml has all of them.");
    }
}
