//! Supersession: targets resolved to records, and the end of the chain, guarded against cycles and honest about branches.

use std::collections::HashSet;

use document::{Relation, RelationKind, Target};
use store::{RecordName, RecordRow};

use super::answer::Related;
use crate::{Desk, Result};

/// The most records that one walk looks at; real chains have fewer than ten.
const LIMIT: usize = 100;

/// The record that a relation points at, where the library has exactly one that fits.
pub(super) async fn target(desk: &Desk, from: &RecordRow, relation: &Relation) -> Result<Option<RecordRow>> {
    let collection_id = from.collection_id;
    let names = match &relation.target {
        Target::Path(path) => by_path(collection_id, path),
        // A bare number means a neighbour: same collection and project, first of the same type.
        Target::Number(number) => vec![
            RecordName::Numbered {
                project: Some(from.project.clone()),
                record_type: Some(from.record_type.clone()),
                number: number.clone(),
                collection_id: Some(collection_id),
            },
            RecordName::Numbered {
                project: Some(from.project.clone()),
                record_type: None,
                number: number.clone(),
                collection_id: Some(collection_id),
            },
        ],
        Target::Id(id) => vec![RecordName::Id(id.clone()), RecordName::Reference(id.clone()), RecordName::SlugEnd(id.clone())],
        Target::Web(_) => Vec::new(),
    };
    for name in names {
        let mut rows = desk.library.store().records_named(&name).await?;
        if rows.len() == 1 {
            return Ok(rows.pop());
        }
        // Of several with one number, those in the same folder are meant if that leaves one.
        let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
        rows.retain(|row| row.collection_id == collection_id && folder(&row.path) == folder(&from.path));
        if rows.len() == 1 {
            return Ok(rows.pop());
        }
    }
    Ok(None)
}

/// A path as written; without an extension it may name a file or a record's folder all the same, or be an id, which looks like a path from the
/// collection's root.
fn by_path(collection_id: i64, path: &str) -> Vec<RecordName> {
    let path = path.trim_end_matches('/');
    let stem = path.strip_suffix(".md").unwrap_or(path);
    let endings: &[&str] = if stem == path { &["", ".md", "/README.md", ".rst", ".adoc"] } else { &[""] };
    let mut names: Vec<RecordName> = endings.iter().map(|ending| RecordName::Path { collection_id, path: format!("{path}{ending}") }).collect();
    names.push(RecordName::Id(stem.to_owned()));
    names
}

/// What a relation's target is called when the library does not have it.
pub(super) fn said(relation: &Relation) -> String {
    match &relation.target {
        Target::Path(text) | Target::Number(text) | Target::Id(text) | Target::Web(text) => text.clone(),
    }
}

/// Whether following the successors of `from` leads to `to`.
///
/// # Errors
/// A store that cannot be read.
pub(super) async fn leads_to(desk: &Desk, from: &RecordRow, to: &RecordRow) -> Result<bool> {
    Ok(chain_ends(desk, from).await?.iter().any(|end| end.id == to.id))
}

/// The ends of the `superseded_by` chain of a record, nearest first. Partial supersession is not followed. Empty where there is no successor, and
/// where all ways lead in a circle.
pub(super) async fn chain_ends(desk: &Desk, from: &RecordRow) -> Result<Vec<Related>> {
    let mut seen = HashSet::from([from.document_id]);
    let mut waiting = vec![from.clone()];
    let mut ends = Vec::new();
    while let Some(row) = waiting.pop() {
        let mut successors = Vec::new();
        for relation in row.record.relations.iter().filter(|relation| relation.kind == RelationKind::SupersededBy && !relation.is_partial) {
            successors.extend(target(desk, &row, relation).await?);
        }
        if successors.is_empty() && row.document_id != from.document_id {
            ends.push(Related::of(&row));
        }
        for successor in successors.into_iter().rev() {
            if seen.len() < LIMIT && seen.insert(successor.document_id) {
                waiting.push(successor);
            }
        }
    }
    Ok(ends)
}
