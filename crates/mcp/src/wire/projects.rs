//! Projects of decision records.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Standing};

/// A project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Project {
    /// First part of its records' ids.
    pub id: String,
    /// Its name; the id where nothing names it.
    pub name: String,
    /// What it is about.
    pub description: String,
    /// Who owns it.
    pub owners: Vec<String>,
    /// How many records it has.
    pub records: i64,
}

/// All projects, in the order of their `_project.yml`, the others after them by id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Projects {
    /// How many projects there are.
    pub total: usize,
    /// First of this answer, from 0.
    pub offset: usize,
    /// The projects.
    pub projects: Vec<Project>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl Projects {
    /// The projects from `offset` on.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(projects: Vec<engine::decisions::Project>, offset: Option<i64>) -> engine::Result<Self> {
        let (total, offset, projects) = super::paged(projects, offset)?;
        let projects = projects.into_iter().map(|one| Project {
            id: one.id,
            name: one.name,
            description: one.description,
            owners: one.owners,
            records: one.records,
        });
        Ok(Self { total, offset, projects: projects.collect(), standing: Standing::default() })
    }
}

impl Answer for Projects {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.projects.len()
    }

    fn cut(&mut self, units: usize) {
        self.projects.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }

    fn slim(&mut self) {
        for project in &mut self.projects {
            super::clip(&mut project.name, 300);
            super::clip(&mut project.description, 500);
            project.owners.truncate(50);
            project.owners.iter_mut().for_each(|owner| super::clip(owner, 60));
        }
    }
}
