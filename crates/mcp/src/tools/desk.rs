//! What a tool works with: the engine's desk, and where people read.

use engine::decisions;

/// The running web site that permalinks belong to, where one is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Site {
    base: Option<String>,
}

impl Site {
    /// A site at `base`, such as `http://127.0.0.1:4242`.
    #[must_use]
    pub fn new(base: Option<String>) -> Self {
        Self { base: base.map(|base| base.trim_end_matches('/').to_owned()).filter(|base| !base.is_empty()) }
    }

    /// The address of a permalink; the permalink itself where no site is known.
    #[must_use]
    pub fn url(&self, permalink: &str) -> String {
        format!("{}{permalink}", self.base.as_deref().unwrap_or_default())
    }
}

/// What a call is handed.
#[derive(Clone)]
pub struct Desk {
    /// The engine's desk: library, caller, freshness, cancellation.
    pub engine: engine::Desk,
    /// Where people read.
    pub site: Site,
}

impl Desk {
    /// What to say of an empty listing that was narrowed to a project: that there is none of that name, if so.
    pub(super) async fn note_on_project(&self, is_empty: bool, project: Option<String>) -> engine::Result<Option<String>> {
        if !is_empty || project.is_none() {
            return Ok(None);
        }
        let query = decisions::RecordQuery { project, ..decisions::RecordQuery::default() };
        decisions::unmatched(&self.engine, &query).await
    }
}

impl std::ops::Deref for Desk {
    type Target = engine::Desk;

    fn deref(&self) -> &engine::Desk {
        &self.engine
    }
}
