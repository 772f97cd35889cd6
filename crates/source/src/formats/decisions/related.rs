//! All relations of a record: gathered from metadata, status, title, sections of links and sentences about itself, each once.

use document::{Problem, Relation, RelationKind, Severity, Target};

use super::block::{self, Block};
use super::entry::{Entry, Field, Place};
use super::reader::Gathered;
use super::target::Surroundings;
use super::{name, places, plain, relation, status, title, words};

/// All relations, each once, in the order of the places: metadata, status, title, sections of links, sentences.
pub(super) fn relations(
    facts: &Gathered<'_>,
    surroundings: &Surroundings<'_>,
    blocks: &[Block],
    is_template: bool,
    problems: &mut Vec<Problem>,
) -> Vec<Relation> {
    let mut found: Vec<Relation> = Vec::new();
    for entry in &facts.entries {
        match entry.field() {
            Some(Field::Relation(kind)) => {
                let stated = relation::of_entry(surroundings, entry, kind);
                if stated.is_empty() && !entry.texts().is_empty() && kind != RelationKind::RelatesTo {
                    let message =
                        format!("\"{}: {}\" names no record that can be found.", entry.key, entry.text().chars().take(120).collect::<String>());
                    problems.push(Problem::new("relation-without-target", Severity::Note, &facts.files.main, message).at_line(entry.line_number));
                }
                found.extend(stated);
            }
            // `Other docs: Related: [ADR-14](…)` states the kind in the value.
            Some(Field::Other) if entry.name == "other-docs" => {
                let text = entry.text();
                let Some((key, value)) = places::key_and_value(&text) else { continue };
                let Some(Field::Relation(kind)) = super::entry::field(&super::entry::key_name(key)) else { continue };
                found.extend(relation::of_entry(surroundings, &Entry::of_text(key, value, entry.line_number, entry.place), kind));
            }
            Some(Field::Status) if !is_template => found.extend(relation::scan(surroundings, &entry.raw, entry.line_number, 12)),
            _ => {}
        }
    }
    let status_parts = places::status_parts(&facts.parts, facts.title);
    for said in status_parts.iter().flat_map(|part| places::status_texts(part)) {
        if !status::is_template(&plain::words(&said.text)) {
            found.extend(relation::scan(surroundings, &said.text, said.line_number, 12));
        }
    }
    let heading = facts.title.and_then(|index| facts.parts[index].heading);
    if let Some(heading) = heading {
        let number = facts.files.identity.number.as_deref();
        let shown = title::without_number(heading.text, number, surroundings.record_type).unwrap_or_default();
        found.extend(relation::title(surroundings, &shown, heading.line_number));
    }
    if let Some(heading) = heading
        && let Some(at) = heading.raw.find(" (").or_else(|| heading.raw.find(" ["))
    {
        found.extend(relation::scan(surroundings, &heading.raw[at..], heading.line_number, 2));
    }
    found.extend(linked(facts, surroundings));
    found.extend(changed_by(facts, surroundings));
    for (text, line_number) in places::changelog_texts(&facts.parts) {
        found.extend(relation::changes(surroundings, text, line_number));
    }
    for block in blocks {
        if let block::Kind::Paragraph { text, .. } | block::Kind::Item { text, .. } = &block.kind {
            found.extend(relation::own_statements(surroundings, text, block.line_number));
        }
    }
    merged(found)
}

/// Relations in a column of a changelog that is named after one: `| Revision | Description | Refinement |`.
fn changed_by(facts: &Gathered<'_>, surroundings: &Surroundings<'_>) -> Vec<Relation> {
    let mut found = Vec::new();
    for part in facts.parts.iter().filter(|part| part.heading.is_some_and(|heading| places::is_changelog_name(heading.text))) {
        let mut columns: Vec<(usize, &str, RelationKind)> = Vec::new();
        for block in part.blocks {
            let block::Kind::Row { cells, is_head } = &block.kind else { continue };
            if *is_head {
                let kinds = cells.iter().enumerate().filter_map(|(index, head)| match super::entry::field(&super::entry::key_name(head)) {
                    Some(Field::Relation(kind)) => Some((index, head.as_str(), kind)),
                    _ => None,
                });
                columns = kinds.collect();
                continue;
            }
            for (index, head, kind) in &columns {
                let entry = cells.get(*index).map(|cell| Entry::of_text(head, cell, block.line_number, Place::Table));
                found.extend(entry.into_iter().flat_map(|entry| relation::of_entry(surroundings, &entry, *kind)));
            }
        }
    }
    found
}

/// Relations of the items under `Links`, `Related decisions` and the like: by their verb, else to records of this collection only.
fn linked(facts: &Gathered<'_>, surroundings: &Surroundings<'_>) -> Vec<Relation> {
    let mut found = Vec::new();
    for part in &facts.parts {
        let Some(heading) = part.heading.filter(|heading| heading.level >= 2 && places::is_links_name(heading.text)) else { continue };
        let kind = match super::entry::field(&super::entry::key_name(&words::folded_heading(heading.text))) {
            Some(Field::Relation(kind)) => kind,
            _ => RelationKind::RelatesTo,
        };
        for block in part.blocks {
            let text = match &block.kind {
                block::Kind::Item { text, .. } | block::Kind::Paragraph { text, .. } => text.clone(),
                block::Kind::Row { cells, is_head: false } => cells.join(", "),
                _ => continue,
            };
            let by_verb = relation::scan(surroundings, &text, block.line_number, 4);
            if !by_verb.is_empty() && kind == RelationKind::RelatesTo {
                found.extend(by_verb);
                continue;
            }
            let entry = Entry::of_text("related", &text, block.line_number, Place::Section);
            let stated = relation::of_entry(surroundings, &entry, kind);
            let is_record = |relation: &Relation| match &relation.target {
                Target::Path(path) => name::is_record_like(stem_of(path)),
                Target::Id(_) | Target::Number(_) => true,
                Target::Web(_) => kind != RelationKind::RelatesTo,
            };
            found.extend(stated.into_iter().filter(is_record));
        }
    }
    found
}

fn stem_of(path: &str) -> &str {
    let last = path.rsplit('/').next().unwrap_or(path);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    if matches!(stem.to_lowercase().as_str(), "readme" | "index") { path.rsplit('/').nth(1).unwrap_or(stem) } else { stem }
}

/// How many statements of relations one record may make; what lies beyond is no record any more.
const MOST: usize = 1_000;

/// Each relation once. A number or id that a path with the same number names again gives way to the path.
fn merged(found: Vec<Relation>) -> Vec<Relation> {
    let mut kept: Vec<Relation> = Vec::new();
    for relation in found.into_iter().take(MOST) {
        match kept.iter_mut().find(|known| known.kind == relation.kind && names_same(&known.target, &relation.target)) {
            Some(known) => {
                if matches!(relation.target, Target::Path(_)) && !matches!(known.target, Target::Path(_)) {
                    known.target = relation.target;
                }
            }
            None => kept.push(relation),
        }
    }
    kept
}

fn names_same(left: &Target, right: &Target) -> bool {
    let bare = |digits: &str| digits.trim_start_matches('0').to_owned();
    match (left, right) {
        (Target::Path(path), Target::Number(number)) | (Target::Number(number), Target::Path(path)) => {
            name::read(stem_of(path)).number.is_some_and(|found| bare(found) == bare(number))
        }
        (Target::Number(left), Target::Number(right)) => bare(left) == bare(right),
        (Target::Path(path), Target::Id(id)) | (Target::Id(id), Target::Path(path)) => stem_of(path) == id,
        _ => left == right,
    }
}
