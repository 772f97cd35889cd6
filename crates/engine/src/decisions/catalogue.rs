//! The catalogue: records in memory, found by every name that a relation may use for them.

use std::collections::HashMap;

use document::{RecordDate, Relation, Status, last_name};
use store::{RecordRow, fold};

use crate::Library;
use crate::config::Origin;

/// What the catalogue keeps of a record.
#[derive(Debug, Clone)]
pub(super) struct Card {
    pub(super) document_id: i64,
    pub(super) collection_id: i64,
    pub(super) path: String,
    pub(super) id: String,
    pub(super) reference: Option<String>,
    pub(super) title: String,
    pub(super) status: Status,
    pub(super) date: Option<RecordDate>,
    pub(super) project: String,
    pub(super) record_type: String,
    pub(super) slug: String,
    pub(super) number: Option<String>,
    pub(super) relations: Vec<Relation>,
}

impl Card {
    pub(super) fn of(row: RecordRow) -> Self {
        let RecordRow { document_id, collection_id, path, id, reference, title, record, .. } = row;
        let document::Record { status, date, project, record_type, slug, number, relations, .. } = record;
        Self { document_id, collection_id, path, id, reference, title, status, date, project, record_type, slug, number, relations }
    }

    /// What people call it: its reference, else its id.
    pub(super) fn name(&self) -> &str {
        self.reference.as_deref().unwrap_or(&self.id)
    }

    /// Where it stands beside others of its kind: collection, project, type, and folder below the type's.
    pub(super) fn shelf(&self) -> (i64, &str, &str, &str) {
        (self.collection_id, &self.project, &self.record_type, self.slug.rsplit_once('/').map_or("", |(place, _)| place))
    }
}

/// Where a collection lies, and what the repository around it may be called.
#[derive(Debug, Clone)]
pub(super) struct Root {
    pub(super) parts: Vec<String>,
    pub(super) names: Vec<String>,
}

/// Records by their names. Names are folded: case and leading zeros of numbers do not count.
#[derive(Debug, Default)]
pub(super) struct Catalogue {
    cards: Vec<Card>,
    roots: HashMap<i64, Root>,
    by_document: HashMap<i64, usize>,
    by_id: HashMap<String, Vec<usize>>,
    by_reference: HashMap<String, Vec<usize>>,
    by_end: HashMap<String, Vec<usize>>,
    by_path: HashMap<(i64, String), usize>,
    by_number: HashMap<(i64, String, String), Vec<usize>>,
}

impl Catalogue {
    /// An empty one that knows where the library's collections lie.
    pub(super) fn of(library: &Library) -> Self {
        let root = |collection: &crate::library::Collection| {
            let parts: Vec<String> = collection.root.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
            let mut names: Vec<String> = parts.iter().map(|part| fold(part)).collect();
            names.push(fold(&collection.config.name));
            if let Origin::Repository(repository) = &collection.config.origin {
                names.extend(repository.address.rsplit(['/', ':']).next().map(|name| fold(name.strip_suffix(".git").unwrap_or(name))));
            }
            (collection.id, Root { parts, names })
        };
        Self { roots: library.collections().iter().map(root).collect(), ..Self::default() }
    }

    /// Takes a record in and says where it stands; one that is known already stays as it is.
    pub(super) fn add(&mut self, card: Card) -> usize {
        if let Some(known) = self.by_document.get(&card.document_id) {
            return *known;
        }
        let at = self.cards.len();
        self.by_document.insert(card.document_id, at);
        self.by_id.entry(fold(&card.id)).or_default().push(at);
        if let Some(reference) = &card.reference {
            self.by_reference.entry(bare_reference(reference)).or_default().push(at);
        }
        self.by_end.entry(fold(card.id.rsplit('/').next().unwrap_or_default())).or_default().push(at);
        self.by_path.insert((card.collection_id, card.path.clone()), at);
        if let Some(number) = &card.number {
            self.by_number.entry((card.collection_id, fold(&card.project), bare_number(number).to_owned())).or_default().push(at);
        }
        self.cards.push(card);
        at
    }

    /// Where the record of a document stands, if it was taken in.
    pub(super) fn place_of(&self, document_id: i64) -> Option<usize> {
        self.by_document.get(&document_id).copied()
    }

    /// All of them, in the order in which they were taken in.
    pub(super) fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// The one at a place that this catalogue gave.
    pub(super) fn card(&self, at: usize) -> &Card {
        &self.cards[at]
    }

    pub(super) const fn roots(&self) -> &HashMap<i64, Root> {
        &self.roots
    }

    pub(super) fn with_id(&self, id: &str) -> &[usize] {
        listed(&self.by_id, &fold(id))
    }

    pub(super) fn with_reference(&self, reference: &str) -> &[usize] {
        listed(&self.by_reference, &bare_reference(reference))
    }

    /// Those whose id ends in this name.
    pub(super) fn with_end(&self, end: &str) -> &[usize] {
        listed(&self.by_end, &fold(end))
    }

    pub(super) fn at_path(&self, collection_id: i64, path: &str) -> Option<usize> {
        self.by_path.get(&(collection_id, path.to_owned())).copied()
    }

    pub(super) fn numbered(&self, collection_id: i64, project: &str, number: &str) -> &[usize] {
        self.by_number.get(&(collection_id, fold(project), bare_number(number).to_owned())).map_or(&[], Vec::as_slice)
    }

    /// Whether a record's file is the one that `tail` ends in, all of its parts: with or without its ending, or as its folder.
    pub(super) fn lies_at(&self, card: &Card, tail: &[&str]) -> bool {
        let Some(root) = self.roots.get(&card.collection_id) else { return false };
        let mut whole: Vec<&str> = root.parts.iter().map(String::as_str).chain(card.path.split('/')).collect();
        if whole.ends_with(tail) {
            return true;
        }
        let name = last_name(&card.path);
        let Some(file) = whole.pop() else { return false };
        if file.starts_with(&format!("{name}.")) {
            whole.push(&name);
        }
        // What is left is a record's folder, or its file without the ending.
        whole.ends_with(tail)
    }
}

fn listed<'a>(map: &'a HashMap<String, Vec<usize>>, key: &str) -> &'a [usize] {
    map.get(key).map_or(&[], Vec::as_slice)
}

/// A number without its leading zeros.
pub(super) fn bare_number(number: &str) -> &str {
    let bare = number.trim().trim_start_matches('0');
    if bare.is_empty() { "0" } else { bare }
}

fn bare_reference(reference: &str) -> String {
    match reference.trim().rsplit_once('-') {
        Some((head, number)) if is_number(number) => format!("{}-{}", fold(head), bare_number(number)),
        _ => fold(reference.trim()),
    }
}

pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
