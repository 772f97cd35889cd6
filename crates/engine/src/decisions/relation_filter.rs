//! Relations as an argument: a kind, or a kind and a record, whichever of the two records states it.

use document::{Relation, RelationKind};
use store::{RecordFilter, RecordRow};

use super::{ids, successors};
use crate::{Desk, Error, Result};

/// Records that state one kind of relation, at most so many of which are looked at.
const MOST: i64 = 100_000;

/// What the argument `relation` asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Records that state a relation of this kind to anything.
    Stated(RelationKind),
    /// Records, by document, that have this relation to one record.
    To {
        /// How they relate to it.
        kind: RelationKind,
        /// Its full id.
        id: String,
        /// Them.
        document_ids: Vec<i64>,
    },
}

/// Reads the argument: `kind` or `kind:id`.
///
/// # Errors
/// A word that is no kind, nothing or more than one record of that name, or a store that cannot be read.
pub(super) async fn read(desk: &Desk, text: &str) -> Result<Wanted> {
    let (word, id) = text.split_once(':').map_or((text, None), |(word, id)| (word, Some(id.trim())));
    let kind = kind(word).ok_or_else(|| unknown(word))?;
    let Some(id) = id else {
        return Ok(Wanted::Stated(kind));
    };
    if id.is_empty() {
        return Err(Error::bad_input(format!("relation is \"{}\", but no id stands behind the colon.", text.trim())).hint(format!(
            "Write {}, or {}:ID with the id of a record.",
            word.trim(),
            word.trim()
        )));
    }
    let (row, _) = ids::resolve(desk, id).await?;
    let mut document_ids = Vec::new();
    // What others say of it.
    let stating = RecordFilter { relation: Some(kind), ..RecordFilter::default() };
    for from in desk.library.store().records(&stating, MOST, 0).await?.records {
        for relation in from.record.relations.iter().filter(|relation| relation.kind == kind && may_mean(relation, &row)) {
            if successors::target(desk, &from, relation).await?.is_some_and(|target| target.document_id == row.document_id) {
                document_ids.push(from.document_id);
            }
        }
    }
    // What it says of others.
    for relation in row.record.relations.iter().filter(|relation| inverse(relation.kind) == Some(kind)) {
        document_ids.extend(successors::target(desk, &row, relation).await?.map(|target| target.document_id));
    }
    document_ids.sort_unstable();
    document_ids.dedup();
    Ok(Wanted::To { kind, id: row.id, document_ids })
}

/// Whether a target names the record's number or the end of its id; only then is it worth looking up.
fn may_mean(relation: &Relation, row: &RecordRow) -> bool {
    let said = store::fold(&successors::said(relation));
    let number = row.number.as_deref().map(|number| number.trim_start_matches('0')).filter(|number| !number.is_empty());
    number.is_some_and(|number| said.contains(&store::fold(number))) || said.contains(&store::fold(row.slug.rsplit('/').next().unwrap_or_default()))
}

/// The kind that a word names, in any spelling of it; `related` is short for `relates_to`.
fn kind(word: &str) -> Option<RelationKind> {
    let word = word.trim().to_lowercase().replace([' ', '-'], "_");
    if word == "related" { Some(RelationKind::RelatesTo) } else { RelationKind::parse(&word) }
}

/// The same relation as seen from the other record; `None` where it has no word of its own.
const fn inverse(kind: RelationKind) -> Option<RelationKind> {
    Some(match kind {
        RelationKind::Supersedes => RelationKind::SupersededBy,
        RelationKind::SupersededBy => RelationKind::Supersedes,
        RelationKind::Amends => RelationKind::AmendedBy,
        RelationKind::AmendedBy => RelationKind::Amends,
        RelationKind::Clarifies => RelationKind::ClarifiedBy,
        RelationKind::ClarifiedBy => RelationKind::Clarifies,
        RelationKind::RelatesTo => RelationKind::RelatesTo,
        RelationKind::DependsOn => return None,
    })
}

fn unknown(word: &str) -> Error {
    let shown: String = word.trim().chars().take(80).collect();
    let legal: Vec<&str> = RelationKind::ALL.into_iter().map(argument).collect();
    Error::bad_input(format!("relation is \"{shown}\", which is no kind of relation."))
        .hint(format!("Kinds are {}; kind:ID asks for one record.", legal.join(", ")))
}

/// The word of a kind as the argument has it.
pub(super) const fn argument(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::RelatesTo => "related",
        kind => kind.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use document::RelationKind;

    use super::{argument, kind, unknown};

    #[test]
    fn every_kind_is_read_from_its_own_word_in_any_spelling() {
        for known in RelationKind::ALL {
            assert_eq!(kind(argument(known)), Some(known));
            assert_eq!(kind(&argument(known).to_uppercase().replace('_', "-")), Some(known));
        }
        assert_eq!(kind("replaces"), None);
        assert!(unknown("replaces").hint.unwrap().contains("superseded_by, amends"));
    }
}
