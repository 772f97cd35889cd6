//! Tags and authors with how often they occur.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Answer, Standing};

/// A name and how often it occurs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Count {
    /// As first written.
    pub name: String,
    /// In how many documents.
    pub count: i64,
}

impl From<engine::decisions::Count> for Count {
    fn from(count: engine::decisions::Count) -> Self {
        Self { name: count.name, count: count.count }
    }
}

/// Tags, most used first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Tags {
    /// How many tags there are.
    pub total: usize,
    /// First of this answer, from 0.
    pub offset: usize,
    /// The tags.
    pub tags: Vec<Count>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

/// Authors, most records first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Authors {
    /// How many authors there are.
    pub total: usize,
    /// First of this answer, from 0.
    pub offset: usize,
    /// The authors.
    pub authors: Vec<Count>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl Tags {
    /// The tags from `offset` on; `note` says why there are none.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(tags: Vec<engine::decisions::Count>, offset: Option<i64>, note: Option<String>) -> engine::Result<Self> {
        let (total, offset, tags) = super::paged(tags, offset)?;
        Ok(Self { total, offset, tags: tags.into_iter().map(Count::from).collect(), standing: Standing { note, ..Standing::default() } })
    }
}

impl Authors {
    /// The authors from `offset` on; `note` says why there are none.
    ///
    /// # Errors
    /// A negative offset.
    pub fn page(authors: Vec<engine::decisions::Author>, offset: Option<i64>, note: Option<String>) -> engine::Result<Self> {
        let (total, offset, authors) = super::paged(authors, offset)?;
        Ok(Self { total, offset, authors: authors.into_iter().map(Count::from).collect(), standing: Standing { note, ..Standing::default() } })
    }
}

impl Answer for Tags {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.tags.len()
    }

    fn cut(&mut self, units: usize) {
        self.tags.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }

    fn slim(&mut self) {
        self.tags.iter_mut().for_each(|tag| super::clip(&mut tag.name, 300));
    }
}

impl Answer for Authors {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.authors.len()
    }

    fn cut(&mut self, units: usize) {
        self.authors.truncate(units);
        self.standing.go_on("offset", self.offset + units);
    }

    fn slim(&mut self) {
        self.authors.iter_mut().for_each(|author| super::clip(&mut author.name, 300));
    }
}
