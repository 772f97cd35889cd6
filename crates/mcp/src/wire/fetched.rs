//! A document's text, in the shape that connector clients expect.

use document::{Scheme, Uri};
use schemars::JsonSchema;
use serde::Serialize;

use super::citation::{cut_at_line, of_beginning};
use super::{Answer, Citation, Standing};
use crate::tools::Site;

/// What is known of a fetched document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Metadata {
    /// Its collection.
    pub collection: String,
    /// Its kind, such as `decisions`.
    pub kind: String,
    /// Status word of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// Whether that status is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current: Option<bool>,
    /// Its own date.
    pub date: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// A sentence about it.
    pub description: String,
}

/// A document's text, or a stretch of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Fetched {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Verbatim text.
    pub text: String,
    /// Address for people.
    pub url: String,
    /// What is known of it.
    pub metadata: Metadata,
    /// Where exactly the text stands.
    pub citation: Citation,
    #[serde(flatten)]
    pub(crate) standing: Standing,
    /// The citation of the whole stretch, for a cut.
    #[serde(skip)]
    whole: document::Citation,
}

/// What `get_record` and `fetch` call a document.
pub(super) fn id_of(uri: &Uri) -> String {
    match uri.scheme() {
        Scheme::Decision => uri.path().to_owned(),
        _ => uri.clone().without_section().to_string(),
    }
}

impl Fetched {
    /// What was fetched.
    pub fn of(fetched: engine::search::Fetched, site: &Site) -> Self {
        let status = fetched.document.record().map(|record| record.status.word.clone());
        let metadata = Metadata {
            collection: fetched.collection,
            kind: fetched.document.kind.as_str().to_owned(),
            current: fetched.is_current,
            status,
            date: fetched.document.date,
            tags: fetched.document.tags,
            description: fetched.document.description,
        };
        let mut standing = Standing::default();
        if let Some(next) = fetched.next_char {
            standing.go_on("from_char", next);
        }
        Self {
            id: fetched.id,
            title: fetched.document.title,
            text: fetched.text,
            url: site.url(&fetched.document.uri.permalink()),
            metadata,
            citation: Citation::from(&fetched.citation),
            standing,
            whole: fetched.citation,
        }
    }
}

impl Answer for Fetched {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.text.chars().count()
    }

    fn least(&self) -> usize {
        self.units().min(1_000)
    }

    fn cut(&mut self, units: usize) {
        cut_at_line(&mut self.text, units);
        let cited = of_beginning(&self.whole, &self.text);
        self.standing.go_on("from_char", cited.char_end);
        self.citation = Citation::from(&cited);
    }

    fn slim(&mut self) {
        super::clip(&mut self.title, 300);
        super::clip(&mut self.whole.title, 300);
        self.whole.headings.iter_mut().for_each(|heading| super::clip(heading, 200));
        self.whole.headings.truncate(6);
        self.citation = Citation::from(&self.whole);
        super::clip(&mut self.metadata.description, 500);
        self.metadata.tags.truncate(20);
        self.metadata.tags.iter_mut().for_each(|tag| super::clip(tag, 60));
    }
}
