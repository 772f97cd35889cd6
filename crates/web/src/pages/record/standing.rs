//! Sentences about a record's standing: its date, its successors, its reviews. What is not known is said as not known.

use document::{DateSource, RecordDate, RelationKind};
use engine::decisions::{RecordAnswer, Related, ReviewState, RfcReview, StatedBy};

use crate::{address, shown};

/// A record that this one points at.
pub(crate) struct RelatedView {
    /// Its title, or what the text says where the library does not have it.
    pub(crate) title: String,
    /// Reference or id.
    pub(crate) name: String,
    /// Status word, with a remark where only a part is concerned.
    pub(crate) remark: String,
    /// Where it is; `None` where the library does not have it.
    pub(crate) address: Option<String>,
}

impl RelatedView {
    pub(crate) fn of(related: &Related) -> Self {
        let part = if related.is_partial { "in part" } else { "" };
        match &related.known {
            Some(known) => Self {
                title: shown::plain(&known.title),
                name: shown::plain(known.reference.as_deref().unwrap_or(&related.id)),
                remark: joined(&[&shown::plain(&known.status), part, if related.stated_by == StatedBy::Other { "by its own word" } else { "" }]),
                address: Some(address::of_record(&related.id)),
            },
            None => Self {
                title: shown::plain(&related.id),
                name: String::new(),
                remark: joined(&[part, "not in this library"]),
                address: web_address(&related.id),
            },
        }
    }
}

fn joined(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(", ")
}

/// A target outside of the library that is on the web. No other scheme becomes a link.
fn web_address(target: &str) -> Option<String> {
    let is_web = ["https://", "http://"].iter().any(|scheme| target.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
    is_web.then(|| target.to_owned())
}

/// Relations of one kind.
pub(crate) struct RelationGroup {
    pub(crate) label: &'static str,
    pub(crate) items: Vec<RelatedView>,
}

/// All relations by kind, in the order of the kinds.
pub(crate) fn relation_groups(answer: &RecordAnswer) -> Vec<RelationGroup> {
    let group = |kind: RelationKind| RelationGroup { label: label(kind), items: answer.related(kind).map(RelatedView::of).collect() };
    RelationKind::ALL.into_iter().map(group).filter(|group| !group.items.is_empty()).collect()
}

const fn label(kind: RelationKind) -> &'static str {
    match kind {
        RelationKind::Supersedes => "Supersedes",
        RelationKind::SupersededBy => "Superseded by",
        RelationKind::Amends => "Amends",
        RelationKind::AmendedBy => "Amended by",
        RelationKind::Clarifies => "Clarifies",
        RelationKind::ClarifiedBy => "Clarified by",
        RelationKind::DependsOn => "Depends on",
        RelationKind::RequiredBy => "Required by",
        RelationKind::RelatesTo => "Relates to",
    }
}

/// What stands above a record that another one replaced.
pub(crate) struct Successor {
    /// The next records, as the file names them.
    pub(crate) next: Vec<RelatedView>,
    /// The ends of the chain: what holds today. Empty where the chain leads nowhere, or where its end is the next record itself.
    pub(crate) ends: Vec<RelatedView>,
    /// Its own status is in force: only other records say that it was replaced.
    pub(crate) is_contradicted: bool,
}

pub(crate) fn successor(answer: &RecordAnswer) -> Option<Successor> {
    let next: Vec<&Related> = answer.related(RelationKind::SupersededBy).filter(|related| !related.is_partial).collect();
    let ends: Vec<&Related> = answer.current_record.iter().chain(&answer.other_ends).collect();
    if next.is_empty() && ends.is_empty() {
        return None;
    }
    let is_same = ends.iter().map(|end| &end.id).eq(next.iter().map(|related| &related.id));
    Some(Successor {
        next: next.into_iter().map(RelatedView::of).collect(),
        ends: if is_same { Vec::new() } else { ends.into_iter().map(RelatedView::of).collect() },
        is_contradicted: answer.is_current,
    })
}

/// A date, and where it comes from where that is worth saying.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DateView {
    pub(crate) text: String,
    pub(crate) remark: String,
    pub(crate) is_known: bool,
}

impl DateView {
    pub(crate) fn of(date: Option<&RecordDate>) -> Self {
        let unknown = |remark: String| Self { text: "unknown".to_owned(), remark, is_known: false };
        let Some(date) = date else {
            return unknown("the file states none".to_owned());
        };
        let raw = shown::plain(date.raw.trim());
        let Some(iso) = &date.iso else {
            return unknown(format!("the file says “{raw}”, which is no date that exists"));
        };
        let source = match date.source {
            DateSource::Metadata => "",
            DateSource::Changelog => "from its changelog",
            DateSource::FileName => "from its file name",
        };
        let written = if raw == *iso || raw.is_empty() { String::new() } else { format!("written “{raw}”") };
        Self { text: iso.clone(), remark: joined(&[source, &written]), is_known: true }
    }
}

/// A periodic review as a sentence, and whether it is overdue.
pub(crate) fn periodic_review(review: &ReviewState) -> (String, bool) {
    let days = |count: i64| shown::counted(count, "day");
    let every = review.every.as_deref().map(|every| format!(" Reviewed every {}.", shown::plain(every))).unwrap_or_default();
    let last = review.reviewed.as_deref().map(|day| format!(" Last review {}.", shown::plain(day))).unwrap_or_default();
    let (due, is_overdue) = match (review.due.as_deref(), review.days_left) {
        (Some(due), Some(left)) if left < 0 => (format!("Review overdue since {due}, {} ago.", days(-left)), true),
        (Some(due), Some(0)) => (format!("Review due today, {due}."), true),
        (Some(due), Some(left)) => (format!("Next review due {due}, in {}.", days(left)), false),
        (Some(due), None) => (format!("Next review due {due}."), false),
        (None, _) => ("A review is scheduled, but when it is due cannot be told from the file.".to_owned(), false),
    };
    (format!("{due}{last}{every}"), is_overdue)
}

/// The review of an open record as a sentence.
pub(crate) fn review_by_people(review: &RfcReview) -> String {
    let mut sentence = format!(
        "{}: {} of {}",
        capitalised(&review.status),
        review.approved,
        shown::counted(i64::try_from(review.required).unwrap_or(i64::MAX), "approval")
    );
    if !review.waiting_on.is_empty() {
        sentence.push_str(", waiting on ");
        sentence.push_str(&shown::plain(&review.waiting_on.join(", ")));
    }
    sentence.push('.');
    sentence
}

fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use document::{DateSource, RecordDate, RelationKind};
    use engine::decisions::{Related, ReviewState, RfcReview, StatedBy};

    use super::{DateView, RelatedView, periodic_review, review_by_people};

    fn date(iso: Option<&str>, raw: &str, source: DateSource) -> String {
        let date = RecordDate { iso: iso.map(str::to_owned), raw: raw.to_owned(), source };
        let view = DateView::of(Some(&date));
        format!("{}|{}", view.text, view.remark)
    }

    #[test]
    fn a_date_says_where_it_comes_from_and_is_never_invented() {
        assert_eq!(date(Some("2024-05-02"), "2024-05-02", DateSource::Metadata), "2024-05-02|");
        assert_eq!(date(Some("2024-05-02"), "May 2, 2024", DateSource::Metadata), "2024-05-02|written “May 2, 2024”");
        assert_eq!(date(Some("2024-05"), "2024-05", DateSource::FileName), "2024-05|from its file name");
        assert_eq!(date(None, "31 February 2024", DateSource::Metadata), "unknown|the file says “31 February 2024”, which is no date that exists");
        assert_eq!(DateView::of(None).remark, "the file states none");
    }

    #[test]
    fn a_relation_to_nothing_says_so_and_only_web_targets_are_links() {
        let missing = |id: &str| {
            let (id, stated_by) = (id.to_owned(), StatedBy::This);
            RelatedView::of(&Related { id, known: None, kind: RelationKind::Amends, is_partial: true, stated_by })
        };
        assert_eq!(missing("0009-gone.md").address, None);
        assert_eq!(missing("0009-gone.md").remark, "in part, not in this library");
        assert_eq!(missing("javascript:alert(1)").address, None);
        assert_eq!(missing("https://example.org/a").address.as_deref(), Some("https://example.org/a"));
    }

    #[test]
    fn reviews_are_sentences() {
        let state =
            |due: Option<&str>, days_left| ReviewState { due: due.map(str::to_owned), reviewed: None, every: Some("6 months".to_owned()), days_left };
        assert_eq!(
            periodic_review(&state(Some("2026-01-01"), Some(-1))),
            ("Review overdue since 2026-01-01, 1 day ago. Reviewed every 6 months.".to_owned(), true)
        );
        assert!(!periodic_review(&state(None, None)).1);
        let review = RfcReview { status: "waiting".to_owned(), approved: 1, required: 2, waiting_on: vec!["ann".to_owned()] };
        assert_eq!(review_by_people(&review), "Waiting: 1 of 2 approvals, waiting on ann.");
    }
}
