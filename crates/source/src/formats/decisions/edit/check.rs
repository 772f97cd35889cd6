//! Whether an edited record says what was asked for, and everything else as before. Without this no bytes leave the editor.

use document::{Document, Record, Relation, RelationKind, Span, Target};

use super::draft::{Draft, Patch};
use super::{Edit, EditError, Pointer, phrasing, pointer};
use crate::formats::decisions::entry::{self, Field};
use crate::formats::decisions::status::{self, Reading};

/// What a record is to say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Want<'a> {
    Status { word: &'a str, date: Option<&'a str> },
    Relation { kind: RelationKind, is_partial: bool, pointer: &'a Pointer },
}

impl<'a> Want<'a> {
    /// The want of an edit, its input checked.
    pub(super) fn of(edit: &'a Edit) -> Result<Self, EditError> {
        match edit {
            Edit::Status { word, date } => {
                let word = word.trim();
                let is_plain = !word.is_empty()
                    && word.chars().count() <= 60
                    && word.chars().all(|character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_' | '\'' | '!'));
                let reads_back = matches!(status::read(word), Reading::Word { word: read, note: None, .. } if phrasing::is_same(&read, word));
                if !is_plain || !reads_back {
                    return Err(bad("status", word, "it must be one to three plain words, such as `accepted` or `last call`."));
                }
                let date = date.as_deref();
                if date.is_some_and(|date| crate::formats::decisions::date::find(date).is_none_or(|found| found.iso.as_deref() != Some(date))) {
                    return Err(bad("date", date.unwrap_or_default(), "write it as YYYY-MM-DD."));
                }
                Ok(Self::Status { word, date })
            }
            Edit::Relation { kind, is_partial, target } => {
                pointer::checked(target)?;
                Ok(Self::Relation { kind: *kind, is_partial: *is_partial, pointer: target })
            }
        }
    }

    /// Whether the record says so.
    pub(super) fn holds(&self, draft: &Draft<'_>) -> bool {
        let Some(record) = draft.document.record() else { return false };
        match self {
            Self::Status { word, .. } => phrasing::is_same(&record.status.word, word),
            Self::Relation { kind, is_partial, pointer } => {
                record.relations.iter().any(|relation| is_asked(relation, *kind, *is_partial, pointer, &draft.document.path))
            }
        }
    }
}

/// Input that no file can hold.
pub(in crate::formats::decisions) fn bad(what: &str, given: &str, reason: &str) -> EditError {
    let given: String = given.chars().filter(|character| !character.is_control()).take(80).collect();
    EditError::BadInput { what: what.to_owned(), given, reason: reason.to_owned() }
}

fn is_asked(relation: &Relation, kind: RelationKind, is_partial: bool, pointer: &Pointer, path: &str) -> bool {
    relation.kind == kind && relation.is_partial == is_partial && pointer::names(&relation.target, pointer, path)
}

/// Compares two readings around an edit; the reason where they differ in more than was asked for.
pub(super) fn verify(before: &Draft<'_>, after: &Draft<'_>, wants: &[Want<'_>], patches: &[Patch]) -> Result<(), String> {
    if let Some(missing) = wants.iter().find(|want| !want.holds(after)) {
        let what = if matches!(missing, Want::Status { .. }) { "status" } else { "relation" };
        return Err(format!("the new {what} would not be read from it."));
    }
    let (Some(old), Some(new)) = (before.document.record(), after.document.record()) else {
        return Err("it would be no record any more.".to_owned());
    };
    let touches_status = wants.iter().any(|want| matches!(want, Want::Status { .. }));
    same_facts(&before.document, &after.document, old, new)?;
    if !touches_status && old.status.word != new.status.word {
        return Err("its status would change too.".to_owned());
    }
    same_tags(before, after, wants)?;
    same_relations(before, old, new, wants)?;
    same_metadata(old, new, wants, touches_status && before.place_of_status() == Some("tags"))?;
    same_sections(before, after, patches)?;
    let count = |draft: &Draft<'_>, code: &str| draft.problems.iter().filter(|problem| problem.code == code).count();
    let worse = after
        .problems
        .iter()
        .find(|problem| problem.code != "superseded-without-target" && count(after, &problem.code) > count(before, &problem.code));
    worse.map_or(Ok(()), |problem| Err(format!("it would get a new problem: {}", problem.message)))
}

fn same_facts(before: &Document, after: &Document, old: &Record, new: &Record) -> Result<(), String> {
    let differs = [
        ("title", before.title != after.title),
        ("description", before.description != after.description),
        ("date", old.date != new.date),
        ("people", old.people != new.people),
        ("reviewers", old.reviewers != new.reviewers),
        ("approvals", old.approvals_required != new.approvals_required),
        ("review", old.review != new.review),
        ("draft mark", old.is_draft != new.is_draft),
        ("id", old.id() != new.id()),
    ];
    differs.iter().find(|(_, differs)| *differs).map_or(Ok(()), |(what, _)| Err(format!("its {what} would change too.")))
}

/// Tags stay, but for a status that stands among them.
fn same_tags(before: &Draft<'_>, after: &Draft<'_>, wants: &[Want<'_>]) -> Result<(), String> {
    let old_word = before.document.record().map(|record| record.status.word.clone()).unwrap_or_default();
    let among = before.place_of_status() == Some("tags");
    let kept = |draft: &Draft<'_>| {
        let is_status = |tag: &str| {
            among
                && (phrasing::is_same(tag, &old_word)
                    || wants.iter().any(|want| matches!(want, Want::Status { word, .. } if phrasing::is_same(tag, word))))
        };
        draft.document.tags.iter().filter(|tag| !is_status(tag)).cloned().collect::<Vec<_>>()
    };
    if kept(before) == kept(after) { Ok(()) } else { Err("its tags would change too.".to_owned()) }
}

fn same_relations(before: &Draft<'_>, old: &Record, new: &Record, wants: &[Want<'_>]) -> Result<(), String> {
    let key = |relation: &Relation| (relation.kind, relation.is_partial, shown(&relation.target));
    let is_new = |relation: &Relation| {
        wants.iter().any(|want| match want {
            Want::Relation { kind, is_partial, pointer } => is_asked(relation, *kind, *is_partial, pointer, &before.document.path),
            Want::Status { .. } => false,
        })
    };
    let mut left: Vec<_> = old.relations.iter().map(key).collect();
    for relation in &new.relations {
        match left.iter().position(|known| *known == key(relation)) {
            Some(at) => drop(left.swap_remove(at)),
            None if is_new(relation) => {}
            None => return Err(format!("it would also say {} {}.", relation.kind.as_str(), shown(&relation.target))),
        }
    }
    left.first().map_or(Ok(()), |(kind, _, target)| Err(format!("its relation {} {target} would be lost.", kind.as_str())))
}

fn shown(target: &Target) -> String {
    match target {
        Target::Path(text) | Target::Number(text) | Target::Id(text) | Target::Web(text) => text.clone(),
    }
}

/// Entries stay in their order, but for those that state what is edited.
fn same_metadata(old: &Record, new: &Record, wants: &[Want<'_>], is_in_tags: bool) -> Result<(), String> {
    let is_edited = |key: &str| {
        let field = entry::field(&entry::key_name(key));
        (is_in_tags && field == Some(Field::Tags))
            || wants.iter().any(|want| match want {
                Want::Status { .. } => field == Some(Field::Status),
                Want::Relation { kind, .. } => {
                    field == Some(Field::Relation(*kind)) || (field == Some(Field::Status) && *kind == RelationKind::SupersededBy)
                }
            })
    };
    let kept = |record: &Record| record.metadata.iter().filter(|(key, _)| !is_edited(key)).cloned().collect::<Vec<_>>();
    let (old, new) = (kept(old), kept(new));
    if old == new {
        return Ok(());
    }
    let first = old.iter().zip(&new).find(|(old, new)| old != new).map(|(old, _)| old.0.clone());
    Err(format!("its entry \"{}\" would change too.", first.or_else(|| old.get(new.len()).map(|entry| entry.0.clone())).unwrap_or_default()))
}

/// Sections stay in their order with their texts; one may come in, and those that were edited may differ.
fn same_sections(before: &Draft<'_>, after: &Draft<'_>, patches: &[Patch]) -> Result<(), String> {
    let touched = |span: Span| patches.iter().any(|patch| patch.file == 0 && patch.span.start <= span.end && patch.span.end >= span.start);
    let (old, new) = (&before.document.sections, &after.document.sections);
    let mut spare = new.len().saturating_sub(old.len());
    if spare > 1 || new.len() < old.len() {
        return Err("its sections would change.".to_owned());
    }
    let mut at = 0;
    for section in old {
        let text = section.span.of(&before.document.text).trim_end();
        loop {
            let Some(other) = new.get(at) else { return Err(format!("its section \"{}\" would be lost.", section.heading)) };
            at += 1;
            let is_same = other.heading == section.heading && other.level == section.level;
            let same_text = other.span.of(&after.document.text).trim_end() == text;
            if is_same && (same_text || touched(section.span)) || (spare == 0 && touched(section.span) && other.level == section.level) {
                break;
            }
            if spare == 0 {
                return Err(format!("its section \"{}\" would change too.", section.heading));
            }
            spare -= 1;
        }
    }
    Ok(())
}
