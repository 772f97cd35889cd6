//! Relations that lead to nothing, to several records, or back to the record itself.

use document::{Problem, Relation, RelationKind, Target};
use store::fold;

use super::super::catalogue::is_number;
use super::super::targets::Resolution;
use super::{Subject, View, problem, shown};

/// Records that a message lists at most.
const LISTED: usize = 6;

pub(super) fn find(view: &View<'_>, subject: &Subject<'_>, problems: &mut Vec<Problem>) {
    let path = &subject.card.path;
    for (relation, target) in subject.stated() {
        let said = shown(&relation.raw);
        let told = match target {
            Resolution::Record(at) if *at == subject.at && relation.kind != RelationKind::RelatesTo => {
                let message = format!("\"{said}\" points at the record itself.");
                problem("self-reference", path, message).hint("Name the other record.")
            }
            Resolution::Several(found) => {
                let mut ids: Vec<&str> = found.iter().map(|at| view.card(*at).id.as_str()).collect();
                ids.sort_unstable();
                let more = if ids.len() > LISTED { format!(" and {} more", ids.len() - LISTED) } else { String::new() };
                ids.truncate(LISTED);
                let message = format!("\"{said}\" fits several records: {}{more}.", ids.join(", "));
                problem("ambiguous-target", path, message).hint("Write the full id, or link to the file.")
            }
            Resolution::Missing(file) if is_sure(view, subject, relation, file.as_ref()) => {
                let what = match &relation.target {
                    Target::Number(number) => format!("there is no {} {number} in {}", subject.card.record_type, subject.card.project),
                    Target::Path(path) => format!("there is no file {}", shown(path)),
                    Target::Id(id) | Target::Web(id) => format!("there is no record {}", shown(id)),
                };
                let told = problem("dangling-relation", path, format!("\"{said}\" leads nowhere: {what}."));
                told.hint(meant(view, subject, relation).unwrap_or_else(|| "Correct the name, or take the relation out.".to_owned()))
            }
            _ => continue,
        };
        problems.push(told.at_line(relation.line_number));
    }
}

/// Whether a target that was not found is surely a mistake. Old names of things, documents that are no records, and records of other archives are not.
fn is_sure(view: &View<'_>, subject: &Subject<'_>, relation: &Relation, file: Option<&(i64, String)>) -> bool {
    let is_weak = matches!(relation.kind, RelationKind::RelatesTo | RelationKind::DependsOn | RelationKind::RequiredBy);
    match &relation.target {
        Target::Path(_) => {
            // `/adr/0005-x` is an address on some website, not a file; and of published sites only the records are known.
            let is_address = relation.raw.contains("(/") || relation.raw.starts_with('/');
            let is_known = file.is_some_and(|file| !view.files.contains(file) && !view.sites.contains(&file.0));
            !is_address && is_known && (!is_weak || is_numbered(&relation.target.last_name()))
        }
        Target::Number(_) => true,
        Target::Id(id) => {
            let project = &subject.card.project;
            if let Some((first, rest)) = id.split_once('/') {
                return rest.contains('/') && view.projects.contains(&fold(first));
            }
            let typed = id.rsplit_once(['-', '_']).filter(|(_, number)| is_number(number)).map(|(front, _)| fold(front));
            match typed {
                Some(front) => view.heads.contains(&front) || view.heads.contains(&format!("{}-{front}", fold(project))),
                None => id.starts_with(|first: char| first.is_ascii_digit()) && is_numbered(id.as_str()) && id.contains(char::is_alphabetic),
            }
        }
        Target::Web(_) => false,
    }
}

/// `0005-use-x`, `adr-5`: names with a number in front, as those of records.
fn is_numbered(name: &str) -> bool {
    name.split(['-', '_']).take(4).any(is_number)
}

/// The record that was probably meant: the only one of the number with which the wrong name begins.
fn meant(view: &View<'_>, subject: &Subject<'_>, relation: &Relation) -> Option<String> {
    let name = relation.target.last_name();
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    match view.network.catalogue.numbered(subject.card.collection_id, &subject.card.project, name.get(..digits).filter(|digits| !digits.is_empty())?)
    {
        [one] if *one != subject.at => Some(format!("Number {} is {}.", &name[..digits], view.card(*one).path)),
        _ => None,
    }
}
