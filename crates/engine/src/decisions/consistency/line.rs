//! The exact line that a record lacks, in the form in which it states its other metadata.

use document::RelationKind;

use super::super::catalogue::Card;

/// A sentence with the line by which `card` would state a relation to `other`.
pub(super) fn line_to_add(card: &Card, kind: RelationKind, is_partial: bool, other: &Card) -> String {
    let place = card.status.place.as_deref().unwrap_or_default();
    let link = format!("[{}]({})", other.title.replace(['[', ']'], ""), address(card, other));
    let (key, label) = match kind {
        RelationKind::SupersededBy => ("superseded_by", if is_partial { "Superseded in part by" } else { "Superseded by" }),
        RelationKind::Supersedes => ("supersedes", if is_partial { "Supersedes in part" } else { "Supersedes" }),
        RelationKind::AmendedBy => ("amended_by", "Amended by"),
        _ => ("amends", "Amends"),
    };
    match place {
        "front matter" | "sidecar" => {
            let value = if is_partial && key.starts_with("supersede") { format!("\"(in part) {}\"", other.id) } else { other.id.clone() };
            let file = if place == "sidecar" { "the file beside it that states its status" } else { "its front matter" };
            format!("Add to {file}: `{key}: {value}`")
        }
        "header" => {
            let number = other.number.as_deref().unwrap_or(&other.id);
            let label = if key == "superseded_by" {
                "Superseded-By"
            } else if key == "supersedes" {
                "Replaces"
            } else {
                label
            };
            format!("Add to its header: `{label}: {number}`")
        }
        "list" => format!("Add to its list: `- {label}: {link}`"),
        "table" => format!("Add to its table: `| {label} | {link} |`"),
        "line" => format!("Add below its status: `{label}: {link}`"),
        _ => format!("Add to its section Status: `{label} {link}`"),
    }
}

/// How `card` links to `other`: by the way from file to file, and across collections by its uri.
fn address(card: &Card, other: &Card) -> String {
    if card.collection_id != other.collection_id {
        return document::Uri::new(document::Scheme::Decision, other.id.as_str()).to_string();
    }
    let from: Vec<&str> = card.path.split('/').collect();
    let to: Vec<&str> = other.path.split('/').collect();
    let most = from.len().min(to.len()).saturating_sub(1);
    let shared = (0..most).take_while(|index| from[*index] == to[*index]).count();
    let mut parts = vec![".."; from.len() - 1 - shared];
    parts.extend(&to[shared..]);
    parts.join("/").replace(' ', "%20").replace('(', "%28").replace(')', "%29")
}
