//! What collections say of themselves beside their documents: projects, and of a published site its status words and fields.

use std::collections::BTreeMap;
use std::sync::RwLock;

use source::formats::decisions::{FieldDeclaration, ProjectFile};

use crate::Library;
use crate::decisions::Statuses;

/// What one collection says of itself.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnWords {
    /// `_project.yml` files, by project.
    pub(crate) projects: Vec<(String, ProjectFile)>,
    /// Status words, of a site that publishes them.
    pub(crate) statuses: Option<Statuses>,
    /// Fields of all projects, of a site that publishes them.
    pub(crate) fields: Vec<FieldDeclaration>,
}

/// Status words that are in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct InForce {
    /// In any collection.
    pub(crate) words: Vec<String>,
    /// Collections with the words that are in force in them, where not all have the same.
    pub(crate) by_collection: Option<Vec<(Vec<i64>, Vec<String>)>>,
}

/// What all collections said when they were last listed, by collection.
pub(crate) type AllWords = RwLock<BTreeMap<i64, OwnWords>>;

impl Library {
    /// `_project.yml` files by project id.
    pub(crate) fn project_files(&self) -> Vec<(String, ProjectFile)> {
        self.own_words().read().map(|words| words.values().flat_map(|words| words.projects.iter().cloned()).collect()).unwrap_or_default()
    }

    /// What a collection says of itself now, in the place of what it said before.
    pub(crate) fn put_own_words(&self, collection_id: i64, words: OwnWords) {
        if let Ok(mut known) = self.own_words().write() {
            known.insert(collection_id, words);
        }
    }

    /// The status words that count for a collection's records: those of the site that publishes it, else the configuration's.
    pub(crate) fn statuses(&self, collection_id: i64) -> Statuses {
        let published = self.own_words().read().ok().and_then(|words| words.get(&collection_id)?.statuses.clone());
        published.unwrap_or_else(|| self.config().statuses.clone())
    }

    /// Status words that are in force: in any collection, and where collections differ, which words in which.
    pub(crate) fn in_force(&self) -> InForce {
        let groups = self.current_statuses();
        let mut words: Vec<String> = groups.iter().flat_map(|(_, words)| words.iter().cloned()).collect();
        words.sort();
        words.dedup();
        InForce { words, by_collection: (groups.len() > 1).then_some(groups) }
    }

    fn current_statuses(&self) -> Vec<(Vec<i64>, Vec<String>)> {
        let mut groups: Vec<(Vec<i64>, Vec<String>)> = Vec::new();
        for collection in self.collections() {
            let current = self.statuses(collection.id).current();
            match groups.iter_mut().find(|(_, words)| *words == current) {
                Some((ids, _)) => ids.push(collection.id),
                None => groups.push((vec![collection.id], current)),
            }
        }
        groups
    }

    /// Fields that records of every project may have: the configuration's, then those that sites publish.
    pub(crate) fn declared_fields(&self) -> Vec<FieldDeclaration> {
        let mut fields = self.config().fields.clone();
        if let Ok(words) = self.own_words().read() {
            for field in words.values().flat_map(|words| &words.fields) {
                if !fields.iter().any(|known| known.is_named(&field.name)) {
                    fields.push(field.clone());
                }
            }
        }
        fields
    }
}
