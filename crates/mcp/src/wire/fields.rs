//! Declared custom metadata.

use engine::decisions::{self, FieldDeclaration};
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
    /// `text`, `number`, `date`, `enum`, `list`, `boolean` or `url`.
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

/// The declared fields of the library, and those of each project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fields {
    /// How many entries `fields` and `projects` have together.
    pub total: usize,
    /// First of this answer, from 0: fields count first, then projects.
    pub offset: usize,
    /// Fields that records of every project may have.
    pub fields: Vec<Field>,
    /// Projects that declare fields of their own. One of the same name takes the place of the library's for the project's records.
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
    pub fn page(declared: decisions::DeclaredFields, offset: Option<i64>) -> engine::Result<Self> {
        let fields = declared.fields.into_iter().map(|declared| Entry::Field(field(declared)));
        let own = declared.projects.into_iter().map(|own| {
            let fields = own.fields.into_iter().map(field).collect();
            Entry::Project(ProjectFields { project: own.project, fields })
        });
        let entries = fields.chain(own).collect();
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

fn field(declared: FieldDeclaration) -> Field {
    Field {
        field_type: declared.kind().as_str().to_owned(),
        name: declared.name,
        label: declared.label,
        values: declared.values,
        unit: declared.unit,
        description: declared.description,
    }
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
        self.standing.shortened("Long declarations were shortened; ibid.toml and the project's _project.yml have all of them.");
    }
}
