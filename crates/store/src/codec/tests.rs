//! What is written is read back, whatever a file says.

use document::{
    DateSource, Link, LinkForm, People, Record, RecordDate, Relation, RelationKind, Review, Reviewer, Section, Span, Status, Target, Value,
};
use proptest::prelude::*;

use super::{links, links_text, record, record_text, sections, sections_text, tags, tags_text};

fn word() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z0-9-]{1,8}", ".{0,12}", Just("\0\u{1a}\"\\\n".to_owned())]
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    prop::option::of(word())
}

fn words() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(word(), 0..4)
}

fn metadata_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(Value::Empty), word().prop_map(Value::Text)];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((word(), inner), 0..4).prop_map(Value::Map),
        ]
    })
}

fn relation() -> impl Strategy<Value = Relation> {
    let target =
        prop_oneof![word().prop_map(Target::Path), word().prop_map(Target::Number), word().prop_map(Target::Id), word().prop_map(Target::Web),];
    (prop::sample::select(RelationKind::ALL.to_vec()), any::<bool>(), target, word(), any::<u32>())
        .prop_map(|(kind, is_partial, target, raw, line_number)| Relation { kind, is_partial, target, raw, line_number })
}

pub(crate) fn any_record() -> impl Strategy<Value = Record> {
    let date = prop::option::of((maybe(), word(), prop::sample::select(vec![DateSource::Metadata, DateSource::Changelog, DateSource::FileName])));
    let date = date.prop_map(|found| found.map(|(iso, raw, source)| RecordDate { iso, raw, source }));
    let status = (word(), maybe(), maybe(), maybe()).prop_map(|(word, raw, note, place)| Status { word, raw, note, place });
    let people =
        (words(), words(), words(), words()).prop_map(|(authors, deciders, consulted, informed)| People { authors, deciders, consulted, informed });
    let reviewers = prop::collection::vec((word(), word()).prop_map(|(name, state)| Reviewer { name, state }), 0..3);
    let review = prop::option::of((maybe(), maybe(), maybe()).prop_map(|(every, reviewed, due)| Review { every, reviewed, due }));
    let metadata = prop::collection::vec((word(), metadata_value()), 0..5);
    let names = (word(), word(), word(), maybe());
    let rest = (any::<bool>(), prop::collection::vec(relation(), 0..4), prop::option::of(any::<u32>()));
    (names, status, date, people, reviewers, review, metadata, rest).prop_map(|(names, status, date, people, reviewers, review, metadata, rest)| {
        let (project, record_type, slug, number) = names;
        let (is_draft, relations, approvals_required) = rest;
        Record { project, record_type, slug, number, status, date, is_draft, people, relations, reviewers, approvals_required, review, metadata }
    })
}

proptest! {
    #[test]
    fn a_record_reads_back_as_it_was(written in any_record()) {
        prop_assert_eq!(record(&record_text(&written)).unwrap(), written);
    }

    #[test]
    fn sections_links_and_tags_read_back_as_they_were(
        outline in prop::collection::vec((word(), word(), word(), 0_u8..7, 0_usize..99, 0_usize..99, 0_usize..99), 0..5),
        targets in prop::collection::vec((word(), word(), 0_usize..3, 0_usize..99, 0_usize..99), 0..5),
        names in words(),
    ) {
        let outline: Vec<Section> = outline.into_iter()
            .map(|(path, heading, slug, level, start, end, subtree_end)| Section { path, heading, slug, level, span: Span::new(start, end), subtree_end })
            .collect();
        let forms = [LinkForm::Markdown, LinkForm::Wikilink, LinkForm::Metadata];
        let targets: Vec<Link> = targets.into_iter()
            .map(|(target, text, form, start, end)| Link { target, text, form: forms[form], span: Span::new(start, end) })
            .collect();
        prop_assert_eq!(sections(&sections_text(&outline)).unwrap(), outline);
        prop_assert_eq!(links(&links_text(&targets)).unwrap(), targets);
        prop_assert_eq!(tags(&tags_text(&names)).unwrap(), names);
    }
}

#[test]
fn metadata_nested_beyond_reason_keeps_its_texts_and_stays_readable() {
    let deep = (0..300).fold(Value::Text("core".to_owned()), |inner, _| Value::List(vec![inner]));
    let mut written = sample();
    written.metadata = vec![("deep".to_owned(), deep)];
    let read = record(&record_text(&written)).unwrap();
    assert_eq!(read.metadata[0].1.texts(), ["core"]);
}

#[test]
fn what_is_no_record_is_named_as_corrupt() {
    let error = record("{\"project\": 7}").unwrap_err().to_string();
    assert!(error.contains("the record of a document"), "{error}");
    assert!(sections("[[1]]").is_err());
    assert!(links("not json").is_err());
}

fn sample() -> Record {
    Record {
        project: "sre".to_owned(),
        record_type: "adr".to_owned(),
        slug: "0001-a".to_owned(),
        number: None,
        status: Status::unknown(),
        date: None,
        is_draft: false,
        people: People::default(),
        relations: Vec::new(),
        reviewers: Vec::new(),
        approvals_required: None,
        review: None,
        metadata: Vec::new(),
    }
}
