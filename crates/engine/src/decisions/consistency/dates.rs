//! A record that supersedes one which is newer than itself.

use document::{DateSource, Problem, RecordDate, RelationKind};

use super::super::targets::Resolution;
use super::{Subject, View, problem, shown};

pub(super) fn find(view: &View<'_>, subject: &Subject<'_>, problems: &mut Vec<Problem>) {
    let Some(own) = stated(subject.card.date.as_ref()) else { return };
    for (relation, found) in subject.stated() {
        let Resolution::Record(other) = *found else { continue };
        if relation.kind != RelationKind::Supersedes || relation.is_partial || other == subject.at {
            continue;
        }
        let other = view.card(other);
        let Some(date) = stated(other.date.as_ref()) else { continue };
        let length = own.len().min(date.len());
        if own[..length] < date[..length] {
            let message = format!("\"{}\", but it is of {own} and {} of {date}.", shown(&relation.raw), other.name());
            let told = problem("supersedes-newer", &subject.card.path, message).at_line(relation.line_number);
            problems.push(told.hint("Check the direction of the relation, and the dates."));
        }
    }
}

/// A date that the record itself states. All forms of a date are ASCII, so that they can be compared as far as both go.
fn stated(date: Option<&RecordDate>) -> Option<&str> {
    date.filter(|date| date.source != DateSource::Changelog)?.iso.as_deref().filter(|iso| iso.is_ascii())
}
