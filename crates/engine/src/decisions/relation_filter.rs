//! Relations as an argument: a kind, or a kind and a record, whichever of the two records states it.

use document::RelationKind;

use super::ids;
use super::relations::Network;
use crate::{Desk, Error, Result};

/// Relations of others that are looked at, at most.
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
    let id = row.id.clone();
    let mut network = Network::empty(desk, MOST);
    let at = network.look_at(desk, row).await?;
    let bonds = network.bonds(at).into_iter().filter(|bond| bond.kind.inverse() == kind);
    let mut document_ids: Vec<i64> = bonds.map(|bond| network.catalogue.card(bond.other).document_id).collect();
    document_ids.sort_unstable();
    document_ids.dedup();
    Ok(Wanted::To { kind, id, document_ids })
}

/// The kind that a word names, in any spelling of it; `related` is short for `relates_to`.
fn kind(word: &str) -> Option<RelationKind> {
    let word = word.trim().to_lowercase().replace([' ', '-'], "_");
    if word == "related" { Some(RelationKind::RelatesTo) } else { RelationKind::parse(&word) }
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
