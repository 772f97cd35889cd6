//! One record as its page shows it: a pure value made from the engine's answer.

use document::{Document, Section};
use engine::decisions::{RecordAnswer, Statuses};

use super::cited::{Cited, Place};
use super::standing::{DateView, RelationGroup, Successor, periodic_review, relation_groups, review_by_people, successor};
use super::text::BodyView;
use crate::pages::problems::ProblemRow;
use crate::pages::record_row::Badge;
use crate::{address, shown};

/// The most sections that the outline lists.
const OUTLINE: usize = 200;

/// A record.
pub(crate) struct RecordView {
    pub(crate) title: String,
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) description: String,
    pub(crate) badge: Badge,
    pub(crate) status_note: Option<String>,
    /// The status as written, where that says more than the word.
    pub(crate) status_raw: Option<String>,
    pub(crate) date: DateView,
    pub(crate) project: Named,
    pub(crate) record_type: Named,
    pub(crate) tags: Vec<Named>,
    /// Parts in the record, with who had them.
    pub(crate) people: Vec<(&'static str, Vec<Named>)>,
    pub(crate) relations: Vec<RelationGroup>,
    pub(crate) successor: Option<Successor>,
    pub(crate) review: Option<String>,
    pub(crate) is_review_overdue: bool,
    pub(crate) review_by_people: Option<String>,
    /// Reviewers with what each said.
    pub(crate) reviewers: Vec<(String, String)>,
    pub(crate) fields: Vec<(String, String)>,
    pub(crate) problems: Vec<ProblemRow>,
    pub(crate) outline: Vec<OutlineEntry>,
    pub(crate) sections_left_out: usize,
    pub(crate) body: BodyView,
    /// Whether the first heading of the body is the title once more.
    pub(crate) repeats_title: bool,
    /// What does not follow from its own words and no other part of the page says.
    pub(crate) notes: Vec<String>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) uri: String,
    pub(crate) path: String,
    pub(crate) stamp: String,
    /// Cites the whole record as it is now.
    pub(crate) permalink: String,
}

/// A name that leads to a listing of its records, where there is one.
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) address: Option<String>,
}

/// A section in the outline.
pub(crate) struct OutlineEntry {
    pub(crate) heading: String,
    pub(crate) path: String,
    pub(crate) address: String,
    /// 1 to 6, by position in the outline.
    pub(crate) depth: usize,
}

/// Something to know about the citation that was opened.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Notice {
    pub(crate) sentence: String,
    pub(crate) is_warning: bool,
    /// Cited text that stands nowhere on the page.
    pub(crate) text: Option<String>,
}

impl RecordView {
    pub(crate) fn of(answer: &RecordAnswer, cited: Cited, statuses: &Statuses) -> Self {
        let (row, document) = (&answer.row, &answer.document);
        let place = cited.place(document);
        let body = BodyView::of(document, place.as_ref().and_then(|place| place.span));
        let review = answer.review.as_ref().map(periodic_review);
        let people = answer.people();
        let authors = people.authors.iter().map(|name| listed("author", name)).collect();
        let others = |names: &[String]| names.iter().map(|name| Named { name: shown::plain(name), address: None }).collect::<Vec<_>>();
        let parts = [
            ("Authors", authors),
            ("Deciders", others(&people.deciders)),
            ("Consulted", others(&people.consulted)),
            ("Informed", others(&people.informed)),
        ];
        let status = &row.record.status;
        let fields = answer.fields.iter().map(|(name, value)| (shown::plain(name), shown::plain(&value.texts().join(", "))));
        Self {
            title: shown::plain(&row.title),
            name: shown::plain(row.reference.as_deref().unwrap_or(&row.id)),
            id: shown::plain(&row.id),
            description: shown::plain(&row.description),
            badge: Badge::of(&row.status, answer.is_current, statuses),
            status_note: status.note.as_deref().map(shown::plain),
            status_raw: status.raw.as_deref().map(str::trim).filter(|raw| !raw.eq_ignore_ascii_case(&row.status)).map(shown::plain),
            date: DateView::of(answer.date()),
            project: listed("project", &row.project),
            record_type: listed("type", &row.record_type),
            tags: row.tags.iter().map(|tag| listed("tag", tag)).collect(),
            people: parts.into_iter().filter(|(_, names)| !names.is_empty()).collect(),
            relations: relation_groups(answer),
            successor: successor(answer),
            is_review_overdue: review.as_ref().is_some_and(|(_, is_overdue)| *is_overdue),
            review: review.map(|(sentence, _)| sentence),
            review_by_people: answer.rfc_review.as_ref().map(review_by_people),
            reviewers: answer.reviewers.iter().map(|reviewer| (shown::plain(&reviewer.name), shown::plain(&reviewer.state))).collect(),
            fields: fields.collect(),
            problems: answer.problems.iter().map(|problem| ProblemRow::of("", problem)).collect(),
            outline: outline(document),
            sections_left_out: headed(document).count().saturating_sub(OUTLINE),
            repeats_title: repeats_title(document),
            // Of a record in force the notes say what its successors, shown apart, say already.
            notes: answer.notes.iter().filter(|_| !answer.is_current).map(|note| shown::plain(note)).collect(),
            notices: notices(&cited, document, place.as_ref(), &body),
            body,
            uri: document.uri.to_string(),
            path: shown::plain(&document.path),
            stamp: document.stamp.to_string(),
            permalink: format!("{}?stamp={}", document.uri.permalink(), &document.stamp.as_str()["sha256:".len()..][..12]),
        }
    }
}

impl RecordView {
    /// Hands out every address on the page but those of its own sections, to be put right where the page lies elsewhere.
    pub(crate) fn for_each_address(&mut self, mut put_right: impl FnMut(&mut Option<String>)) {
        let named = std::iter::once(&mut self.project).chain(std::iter::once(&mut self.record_type)).chain(&mut self.tags);
        for named in named.chain(self.people.iter_mut().flat_map(|(_, names)| names)) {
            put_right(&mut named.address);
        }
        let related = self.relations.iter_mut().flat_map(|group| &mut group.items);
        for related in related.chain(self.successor.iter_mut().flat_map(|successor| successor.next.iter_mut().chain(&mut successor.ends))) {
            put_right(&mut related.address);
        }
    }
}

/// A name that leads to the records that share it.
fn listed(filter: &str, name: &str) -> Named {
    Named { name: shown::plain(name), address: Some(address::with_query("/records", [(filter, name)])) }
}

fn headed(document: &Document) -> impl Iterator<Item = &Section> {
    document.sections.iter().filter(|section| section.level > 0)
}

fn outline(document: &Document) -> Vec<OutlineEntry> {
    let entry = |section: &Section| OutlineEntry {
        heading: shown::plain(if section.heading.is_empty() { "(no heading)" } else { &section.heading }),
        path: section.path.clone(),
        address: address::to_anchor(if section.slug.is_empty() { &section.path } else { &section.slug }),
        depth: section.path.split('.').count().min(6),
    };
    headed(document).take(OUTLINE).map(entry).collect()
}

fn repeats_title(document: &Document) -> bool {
    let before = document.sections.first().map_or("", |section| section.span.of(&document.text));
    let is_first = before.trim().is_empty();
    is_first && headed(document).next().is_some_and(|section| section.level == 1 && is_title(&section.heading, &document.title))
}

/// Whether a heading is the title once more, be it behind a number such as `7.` or `ADR-0007:`.
fn is_title(heading: &str, title: &str) -> bool {
    let before = heading.trim().strip_suffix(title.trim()).map(str::trim_end);
    before.is_some_and(|before| {
        before.is_empty()
            || (before.len() <= 16 && before.ends_with(['.', ':', '-', '–', ')']) && before.contains(|letter: char| letter.is_ascii_digit()))
    })
}

/// What whoever opens a citation must know: that the text changed, that the lines are gone, or that they stand nowhere on the page.
fn notices(cited: &Cited, document: &Document, place: Option<&Place>, body: &BodyView) -> Vec<Notice> {
    let mut notices = Vec::new();
    if cited.is_changed(document) {
        let marked = if place.is_some() { " What is marked is what stands on the cited lines now, which may not be what was cited." } else { "" };
        notices.push(Notice { sentence: format!("This text changed since it was cited.{marked}"), is_warning: true, text: None });
    }
    let Some(place) = place else {
        return notices;
    };
    let lines = if place.first == place.last { format!("line {}", place.first) } else { format!("lines {}–{}", place.first, place.last) };
    match place.span {
        None => notices.push(Notice {
            sentence: format!("The citation names {lines}, but the text has only {}.", shown::counted(place.line_count, "line")),
            is_warning: true,
            text: None,
        }),
        Some(_) if body.shows_cited() => {
            notices.push(Notice { sentence: format!("You opened a citation of {lines}, marked below."), is_warning: false, text: None })
        }
        Some(span) => notices.push(Notice {
            sentence: format!("The citation names {lines}, which belong to the record's metadata or show nothing on this page. They say:"),
            is_warning: false,
            text: Some(shown::plain(span.of(&document.text))),
        }),
    }
    notices
}

#[cfg(test)]
mod tests {
    use super::is_title;

    #[test]
    fn a_heading_repeats_the_title_with_or_without_a_number() {
        for heading in ["Use a queue", "7. Use a queue", "ADR-0007: Use a queue", "7) Use a queue"] {
            assert!(is_title(heading, "Use a queue"), "{heading}");
        }
        for heading in ["Do not use a queue", "Why: Use a queue", "Use a queue 2"] {
            assert!(!is_title(heading, "Use a queue"), "{heading}");
        }
    }
}
