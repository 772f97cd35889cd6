//! Behaviour of the decision-record reader in its parts; whole records stand in `fixtures/decisions`.

use document::{RelationKind, Span, Target};
use proptest::prelude::*;

use super::status::{self, Reading};
use super::{Identity, RecordFiles, date, name, people, plain, read, read_project_file, record_files, title};
use crate::RawFile;

fn ids(paths: &[&str]) -> Vec<String> {
    record_files("acme", paths)
        .into_iter()
        .map(|files| {
            let Identity { project, record_type, slug, number } = files.identity;
            format!("{project}/{record_type}/{slug} {}", number.unwrap_or_else(|| "-".to_owned()))
        })
        .collect()
}

fn record(path: &str, text: &str) -> (document::Document, Vec<document::Problem>) {
    let files = record_files("acme", &[path]).pop().expect("a record's path");
    let mut parsed = read(&files, &RawFile { path: path.to_owned(), bytes: text.as_bytes().to_vec() }, &[]);
    (parsed.documents.remove(0), parsed.problems)
}

#[test]
fn a_tree_of_project_type_and_slug_names_itself() {
    assert_eq!(ids(&["sre/adr/0001-define-slos.md", "sre/rfc/0003-x.md"]), ["sre/adr/0001-define-slos 0001", "sre/rfc/0003-x 0003"]);
    assert_eq!(ids(&["docs/adr/0001-a.md"]), ["acme/adr/0001-a 0001"], "a folder that says nothing is no project");
    assert_eq!(ids(&["0001-a.md", "README.md"]), ["acme/adr/0001-a 0001"], "a flat folder is the collection's");
}

#[test]
fn the_folder_gives_the_type_and_a_neutral_one_leaves_it_to_the_name() {
    assert_eq!(ids(&["text/0401-x.md"]), ["acme/rfc/0401-x 0401"]);
    assert_eq!(ids(&["docs/architecture/rfc-001-x.md"]), ["acme/rfc/rfc-001-x 001"]);
    assert_eq!(ids(&["docs/adr/rfc-001-x.md"]), ["acme/adr/rfc-001-x 001"], "the folder adr is not neutral");
    assert_eq!(ids(&["EIPS/eip-20.md", "peps/pep-0008.rst"]), ["acme/eip/eip-20 20", "acme/pep/pep-0008 0008"]);
}

#[test]
fn folders_below_the_records_folder_stay_in_the_slug() {
    let found = ids(&["docs/decision_records/api/API-012-x.md", "docs/decision_records/architecture/ARC-001-y.md"]);
    assert_eq!(found, ["acme/adr/api/API-012-x 012", "acme/adr/architecture/ARC-001-y 001"], "a doubtful container inside of a sure one is a topic");
    assert_eq!(ids(&["rfd/0077/README.adoc"]), ["acme/rfd/0077 0077"]);
    assert_eq!(ids(&["keps/sig-node/2625-x/README.md", "keps/sig-node/2625-x/kep.yaml"]), ["acme/kep/sig-node/2625-x 2625"]);
}

#[test]
fn two_files_with_one_slug_are_told_apart() {
    assert_eq!(ids(&["adr/0001-a.md", "adr/0001-a.rst"]), ["acme/adr/0001-a 0001", "acme/adr/0001-a.rst 0001"]);
    let found = ids(&["one/docs/adr/0001-a.md", "two/docs/adr/0001-a.md"]);
    assert_eq!(found, ["acme/adr/0001-a 0001", "acme/adr/two/docs/adr/0001-a 0001"]);
    assert_eq!(ids(&["packages/p/docs/adr/0001-a.md", "packages/q/docs/adr/0001-a.md"]), ["acme/adr/p/0001-a 0001", "acme/adr/q/0001-a 0001"]);
}

#[test]
fn no_listing_gives_one_id_twice() {
    let found = ids(&["doc/adr/x.md", "doc/adr/x.md.md", "docs/adr/x.MD", "docs/adr/x.md", "docs/adr/x.md.md"]);
    let expected = ["acme/adr/x -", "acme/adr/x.md -", "acme/adr/docs/adr/x -", "acme/adr/docs/adr/x.md -", "acme/adr/docs/adr/x.md.md -"];
    assert_eq!(found, expected, "whole paths without extension meet whole paths");
}

#[test]
fn names_are_excluded_as_a_whole_only() {
    let none = [
        "adr/README.md",
        "adr/index.md",
        "adr/template.md",
        "adr/_template.md",
        "adr/_readme.md",
        "adr/0000-adr-template.md",
        "adr/NNNN-adr-template.md",
        "adr/0000-TEMPLATE.md",
        "adr/YYYY-MM-DD-template.md",
        "adr/ODH-ADR-0000-template.md",
        "adr/backlog.md",
        "adr/assets/x.md",
        "adr/adr.template.md",
        "adr/templates/ADR-nnn_Any.md",
        "adr/adrs-active.md",
        "adr/adr.md",
        "adr/NNNN-kep-template/README.md",
        "adr/LICENSE.md",
        "adr/pic.png",
    ];
    assert_eq!(ids(&none), Vec::<String>::new());
    let all = [
        "adr/0023-handlebars-template-engine.md",
        "adr/0066-index-automatic-group-tree-merges.md",
        "adr/0007-prompt-extract-template-engine.md",
        "adr/adr-014-project-templates.md",
        "adr/0026-store-license-and-readme.md",
        "adr/adr-draft-spectrum-spec.md",
        "adr/0008-example-readme.md",
    ];
    assert_eq!(ids(&all).len(), all.len());
}

#[test]
fn where_a_records_folder_exists_other_files_are_none() {
    let found = ids(&["docs/adr/0001-a.md", "docs/guide.md", "PRDs/plan.md", "notes/adr-7-x.md"]);
    assert_eq!(found, ["acme/adr/0001-a 0001", "acme/adr/notes/adr-7-x 7"], "a name that says adr and a number is one anywhere");
    let root_is_the_folder = ids(&["api/API-001-a.md", "architecture/ARC-001-b.md", "notes.md"]);
    assert_eq!(root_is_the_folder, ["acme/adr/api/API-001-a 001", "acme/adr/ARC-001-b 001"]);
}

#[test]
fn numbers_in_dates_are_no_record_numbers() {
    for (stem, number, date) in [
        ("0001-x", Some("0001"), None),
        ("adr-007-x", Some("007"), None),
        ("ADR-7", Some("7"), None),
        ("ODH-ADR-Operator-0007-auth", Some("0007"), None),
        ("ADR-001_Use_hooks", Some("001"), None),
        ("ARCH-014-x", Some("014"), None),
        ("2021_07_05_x", None, Some("2021_07_05")),
        ("20200101-x", None, Some("20200101")),
        ("2022-27-09-x", None, Some("2022-27-09")),
        ("2021-03-04_029-x", Some("029"), Some("2021-03-04")),
        ("use-http-2-for-x", None, None),
        ("adr-draft-x", None, None),
    ] {
        let read = name::read(stem);
        assert_eq!((read.number, read.date), (number, date), "{stem}");
    }
}

#[test]
fn dates_are_read_in_every_spelling_and_impossible_ones_stay_none() {
    for (text, iso) in [
        ("2021-03-04", Some("2021-03-04")),
        ("2024-6-3", Some("2024-06-03")),
        ("04/07/2023", Some("2023-07-04")),
        ("27/06/23", Some("2023-06-27")),
        ("07/25/2023", Some("2023-07-25")),
        ("05-Aug-2002", Some("2002-08-05")),
        ("11-April-2023", Some("2023-04-11")),
        ("July 9th, 2021", Some("2021-07-09")),
        ("November 2nd 2018", Some("2018-11-02")),
        ("Nov 4,  2022", Some("2022-11-04")),
        ("2nd of March 2020", Some("2020-03-02")),
        ("2023-07-19T00:00:00.000Z", Some("2023-07-19")),
        ("(2015-01-30)", Some("2015-01-30")),
        ("2018-07-05 (Historical)", Some("2018-07-05")),
        ("2020.01.02", Some("2020-01-02")),
        ("01.02.2024", Some("2024-02-01")),
        ("May 2025", Some("2025-05")),
        ("January , 2026", Some("2026-01")),
        ("2022-05", Some("2022-05")),
        ("2019", Some("2019")),
        ("2022-27-09", None),
        ("2023-02-30", None),
    ] {
        assert_eq!(date::find(text).expect(text).iso.as_deref(), iso, "{text}");
    }
    for text in ["", "tomorrow", "insert date", "v1.2.3", "3 of 4", "2024-023-2706", "YYYY-MM-DD"] {
        assert_eq!(date::find(text), None, "{text}");
    }
}

fn word(text: &str) -> String {
    match status::read(text) {
        Reading::Word { word, note, .. } => format!("{word}{}", note.map(|note| format!(" / {note}")).unwrap_or_default()),
        other => format!("{other:?}"),
    }
}

#[test]
fn the_leading_word_is_the_status_and_the_tail_a_note() {
    for (text, expected) in [
        ("Accepted", "accepted"),
        ("**Accepted**.", "accepted"),
        ("✅ Accepted", "accepted"),
        (":white_check_mark: Accepted", "accepted"),
        ("`RFC`", "rfc"),
        ("{ accepted }", "accepted"),
        ("[accepted ] <!-- optional -->", "accepted"),
        ("[PROPOSED](/README.md#proposed)", "proposed"),
        ("Accepted, applied in v7", "accepted / applied in v7"),
        ("implemented (alpha)", "implemented / (alpha)"),
        ("Last Call", "last call"),
        ("In Review.", "in review"),
        ("Partially\nImplemented", "partially implemented"),
        ("April Fool!", "april fool!"),
        ("superseded by [ADR-5](5.md)", "superseded / by ADR-5"),
        ("Superceded by ADR 5", "superseded / by ADR 5"),
        ("superseded in part by ADR 5", "superseded in part / by ADR 5"),
        ("superseded (partially) by ADR 5", "superseded partially / (partially) by ADR 5"),
        ("Parts superseded by ADR 5", "parts superseded / by ADR 5"),
        ("~~proposed~~ accepted", "accepted"),
        ("proposed -> accepted", "accepted"),
        ("imlpemented", "implemented"),
        ("Aceito", "aceito"),
        ("Parked for now", "parked / for now"),
        ("Refinement completed. Later", "refinement completed / Later"),
        ("The points above have been implemented; good", "implemented / The points above have been implemented; good"),
        ("It will be accepted when all agree on it", "Unreadable"),
        ("Nobody can say what is to become of it", "Unreadable"),
        ("N/A", "Empty"),
        ("TBD", "Empty"),
        ("{Deprecated|Proposed|Accepted}", "Template"),
        ("[proposed | rejected | accepted | … ]", "Template"),
        ("proposed, accepted, rejected, deprecated, superseded, ...", "Template"),
        ("{{ status }}", "Template"),
    ] {
        assert_eq!(word(text), expected, "{text}");
    }
}

#[test]
fn titles_lose_their_number_and_nothing_else() {
    for (text, number, expected) in [
        ("1. Record decisions", Some("0001"), "Record decisions"),
        ("12 - T", None, "T"),
        ("0303 — One", Some("0303"), "One"),
        ("7) T", None, "T"),
        ("4 Emoji", Some("004"), "Emoji"),
        ("3 ways to win", Some("0004"), "3 ways to win"),
        ("ADR 007: Naming", Some("007"), "Naming"),
        ("ADR-007 Naming", Some("007"), "Naming"),
        ("RFC 007 : Bytes", Some("007"), "Bytes"),
        ("RFD 1 Container names", Some("0001"), "Container names"),
        ("ADR: T", None, "T"),
        ("ADR - T", None, "T"),
        ("ADR for OCR", None, "ADR for OCR"),
        ("KEP-3156: HTTP3", Some("3156"), "HTTP3"),
        ("Architecture Decision Record: Use ADRs", Some("001"), "Use ADRs"),
        ("API-012: Content type", Some("012"), "Content type"),
        ("ODH-ADR-DR-0001: Registry", Some("0001"), "Registry"),
        ("UTF-8: only", Some("0005"), "UTF-8: only"),
        ("2022-10-11 - Integrate", None, "Integrate"),
        ("ADR 007: ICS-07 client", Some("007"), "ICS-07 client"),
        ("Aries RFC 0023: DID", Some("0023"), "DID"),
        ("Tokens [Replaced by Other tokens]", None, "Tokens"),
        ("1.5 release", None, "1.5 release"),
        ("2-phase commit", None, "2-phase commit"),
    ] {
        assert_eq!(title::without_number(text, number, "adr").as_deref(), Some(expected), "{text}");
    }
    assert_eq!(title::without_number("ADR-001", Some("001"), "adr"), None);
    assert_eq!(name::title("0005-use-c++-rarely"), "Use c++ rarely");
    assert_eq!(name::title("0077"), "0077");
}

#[test]
fn a_status_in_prose_or_code_is_no_status() {
    let (document, problems) =
        record("adr/0001-a.md", "# A\n\nText.\n\n## Context\n\nstatus: rejected\n\n```yaml\nstatus: accepted\n```\n\n- Status: draft\n");
    assert_eq!(document.record().unwrap().status.word, "unknown");
    assert_eq!(problems, []);
}

#[test]
fn relations_keep_direction_part_and_line() {
    let (document, _) = record(
        "docs/adr/0002-b.md",
        "# B\n\n- Status: accepted\n- Supersedes: [A](0001-a.md) and ADR 7\n\n## Status\n\nAccepted\n\nAmended by [C](./sub/0003-c.md#x)\n",
    );
    let found: Vec<_> =
        document.record().unwrap().relations.iter().map(|relation| (relation.kind, relation.target.clone(), relation.line_number)).collect();
    let path = |path: &str| Target::Path(path.to_owned());
    assert_eq!(
        found,
        [
            (RelationKind::Supersedes, path("docs/adr/0001-a.md"), 4),
            (RelationKind::Supersedes, Target::Number("7".to_owned()), 4),
            (RelationKind::AmendedBy, path("docs/adr/sub/0003-c.md"), 10),
        ]
    );
}

#[test]
fn the_word_alone_is_never_a_relation() {
    let (document, _) =
        record("docs/adr/0002-b.md", "# B\n\n## Status\n\nSuperseded\n\n## Context\n\nOther records were superseded by [X](0009-x.md).\n");
    assert_eq!(document.record().unwrap().relations, []);
}

#[test]
fn people_are_names_without_marks_mails_and_remarks() {
    let names = |text: &str| people::names(&document::Value::Text(text.to_owned()));
    assert_eq!(names("Ann Lee (@ann), @bob and Cy Poe <cy@example.org>, et al."), ["Ann Lee", "bob", "Cy Poe"]);
    assert_eq!(names("[Ann](@ann); dee@example.org"), ["Ann", "dee"]);
    assert_eq!(names("N/A"), Vec::<String>::new());
}

#[test]
fn plain_words_drop_markup_only() {
    assert_eq!(plain::words("**A** [b `c`](x_(y)) <!-- no --> ![i](j) snake_case _em_ 1 < 2"), "A b c snake_case em 1 < 2");
}

#[test]
fn a_project_file_says_its_fields_and_its_faults() {
    let text = "name: Site reliability\ndescription: Keeps it up.\nowners: [mira, '@jon']\norder: first\ncolor: red\nfields:\n  - { name: risk, label: Risk, type: enum, values: [low, high] }\n  - { label: nothing }\n  - name: cost\n    type: number\n    unit: EUR\n";
    let (project, problems) = read_project_file(&RawFile { path: "sre/_project.yml".to_owned(), bytes: text.as_bytes().to_vec() });
    assert_eq!((project.name.as_deref(), project.order), (Some("Site reliability"), None));
    assert_eq!(project.owners, ["mira", "jon"]);
    assert_eq!(
        project.fields.iter().map(|field| (field.name.as_str(), field.field_type.as_str())).collect::<Vec<_>>(),
        [("risk", "enum"), ("cost", "number")]
    );
    assert_eq!(project.fields[0].values, ["low", "high"]);
    assert_eq!(project.fields[1].unit.as_deref(), Some("EUR"));
    let found: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line_number)).collect();
    assert_eq!(found, [("bad-project-order", Some(4)), ("unknown-project-key", Some(5)), ("nameless-field", Some(6))]);
}

#[test]
fn a_declaration_that_cannot_be_meant_is_a_problem_with_its_line() {
    let text = "approvals_required: two\nfields:\n  - name: risk\n    label: A name\n    type: enum\n  - { name: level, type: colour }\n  - name: status\n  - name: 'RISK'\n    type: text\n";
    let (project, problems) = read_project_file(&RawFile { path: "sre/_project.yml".to_owned(), bytes: text.as_bytes().to_vec() });
    let found: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line_number)).collect();
    assert_eq!(
        found,
        [
            ("unreadable-approvals", Some(1)),
            ("enum-without-values", Some(3)),
            ("unknown-field-type", Some(6)),
            ("field-name-taken", Some(7)),
            ("duplicate-field", Some(8))
        ]
    );
    assert_eq!(problems[2].hint.as_deref(), Some("The types are text, number, date, enum, list, boolean or url."));
    let names: Vec<&str> = project.fields.iter().map(|field| field.name.as_str()).collect();
    assert_eq!(names, ["risk", "level"]);
    assert_eq!(project.fields[1].kind(), super::FieldType::Text);
    let text = "approvals_required: 2\nfields:\n  level: { values: [1, 2] }\n  cost: number\n  # cost: text\n  site: link\n  Tags: list\n";
    let (project, problems) = read_project_file(&RawFile { path: "sre/_project.yml".to_owned(), bytes: text.as_bytes().to_vec() });
    assert_eq!(problems.iter().map(|problem| (problem.code.as_str(), problem.line_number)).collect::<Vec<_>>(), [("field-name-taken", Some(7))]);
    assert_eq!(project.approvals_required, Some(2));
    assert_eq!(
        project.fields.iter().map(|field| (field.name.as_str(), field.kind().as_str())).collect::<Vec<_>>(),
        [("level", "enum"), ("cost", "number"), ("site", "url")]
    );
}

#[test]
fn a_whole_text_may_be_a_date() {
    for (text, iso) in [
        ("2026-03-01", Some("2026-03-01")),
        (" 1 March 2026 ", Some("2026-03-01")),
        ("01.03.2026", Some("2026-03-01")),
        ("March 2026", Some("2026-03")),
        ("2026", Some("2026")),
        ("2026-03-01T10:00:00Z", Some("2026-03-01")),
        ("2026-03-01 10:00", Some("2026-03-01")),
        ("2026-13-45", None),
        ("after 2026-03-01", None),
        ("2026-03-01 or later", None),
        ("soon", None),
        ("", None),
    ] {
        assert_eq!(super::iso_date(text).as_deref(), iso, "{text}");
    }
}

#[test]
fn a_review_is_read_from_a_mapping_and_from_flat_keys() {
    let review = |header: &str| {
        let (document, problems) = record("adr/0001-a.md", &format!("---\nstatus: accepted\n{header}\n---\n# A\n"));
        let review = document.record().unwrap().review.clone();
        let codes: Vec<(String, Option<u32>)> = problems.into_iter().map(|problem| (problem.code, problem.line_number)).collect();
        (review.map(|review| (review.every, review.reviewed, review.due)), codes)
    };
    let read = |every: Option<&str>, reviewed: Option<&str>, due: Option<&str>| {
        Some((every.map(str::to_owned), reviewed.map(str::to_owned), due.map(str::to_owned)))
    };
    let full = read(Some("6 months"), Some("2026-01-01"), None);
    for header in [
        "review: { every: 6 months, reviewed: 2026-01-01 }",
        "review:\n  every: 6 months\n  reviewed: 1 January 2026",
        "review_every: 6 months\nreviewed: 2026-01-01",
        "reviewEvery: 6 months\nlast-reviewed: 2026-01-01",
        "review: 6 months\nreviewed: 2026-01-01",
    ] {
        assert_eq!(review(header), (full.clone(), vec![]), "{header}");
    }
    assert_eq!(review("review: 2026-05-01"), (read(None, None, Some("2026-05-01")), vec![]));
    assert_eq!(review("review_by: 2026-05-01"), (read(None, None, Some("2026-05-01")), vec![]));
    assert_eq!(review("date: 2026-01-01\nreview: quarterly"), (read(Some("quarterly"), None, None), vec![]));
    for header in ["review: https://review.example.org/c/42", "review: none", "review: jon", "review: { every: never }", "review:"] {
        assert_eq!(review(header), (None, vec![]), "{header}");
    }
    let line = |code: &str, line: u32| vec![(code.to_owned(), Some(line))];
    assert_eq!(review("review: { every: sometimes }"), (read(Some("sometimes"), None, None), line("unreadable-interval", 3)));
    assert_eq!(review("risk: low\nreview_every: 6 fortnights"), (read(Some("6 fortnights"), None, None), line("unreadable-interval", 4)));
    assert_eq!(review("review: { reviewed: last spring, due: 2026-02-30 }").1.len(), 2);
    assert_eq!(review("review: { every: 1y }"), (read(Some("1y"), None, None), line("review-without-start", 3)));
}

#[test]
fn what_is_odd_about_reviewers_is_a_problem_with_its_line() {
    let text =
        "---\nstatus: proposed\nreviewers:\n  - { name: ann, state: pondering }\n  - bob\n  - '@Bob (approved)'\napprovals_required: all\n---\n# A\n";
    let (document, problems) = record("rfc/0001-a.md", text);
    let reviewers: Vec<(&str, &str)> =
        document.record().unwrap().reviewers.iter().map(|reviewer| (reviewer.name.as_str(), reviewer.state.as_str())).collect();
    assert_eq!(reviewers, [("ann", "pending"), ("bob", "approved")]);
    assert_eq!(document.record().unwrap().approvals_required, None);
    let found: Vec<_> = problems.iter().map(|problem| (problem.code.as_str(), problem.line_number)).collect();
    assert_eq!(found, [("unknown-review-state", Some(3)), ("duplicate-reviewer", Some(3)), ("unreadable-approvals", Some(7))]);
}

#[test]
fn leading_zeros_stay_text() {
    let (document, _) = record("adr/0001-a.md", "---\nid: 0012\nsuperseded_by: 0303\n---\n# A\n");
    let record = document.record().unwrap();
    assert_eq!(record.metadata[0], ("id".to_owned(), document::Value::Text("0012".to_owned())));
    assert_eq!(record.relations[0].target, Target::Number("0303".to_owned()));
}

#[test]
fn long_hostile_texts_are_read_in_time() {
    for piece in [
        "[",
        "*a",
        "(",
        "superseded by ",
        "`",
        "- a\n",
        "| a ",
        "> ",
        "<!-- ",
        "1. ",
        "_a",
        "a: [",
        "[a](",
        "{",
        "# a\n",
        "\u{1F600}",
        "x\n",
        " x\n",
        "a, ",
        "- [A](1-a.md)\n",
        "This ADR amends [A](1-a.md). ",
    ] {
        let text = format!("# T\n\nStatus: {}\n\n## Status\n\n{}\n", piece.repeat(20_000), piece.repeat(20_000));
        let (document, _) = record("adr/0001-a.md", &text);
        assert!(!document.title.is_empty());
    }
}

pub(super) fn any_files(path: &str) -> RecordFiles {
    let identity = Identity { project: "p".to_owned(), record_type: "adr".to_owned(), slug: "s".to_owned(), number: Some("0001".to_owned()) };
    RecordFiles { main: path.to_owned(), sidecars: vec!["adr/kep.yaml".to_owned()], identity }
}

pub(super) fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "---\n",
        "+++\n",
        "# ",
        "## Status\n\n",
        "status: ",
        "Status: ",
        "* Date: ",
        "accepted",
        "superseded by ",
        "[ADR-1](0001-a.md)",
        "ADR ",
        "12",
        "2022-27-09",
        " | ",
        "\n",
        "\n\n",
        "|a|b|\n|-|-|\n",
        "> ",
        "```\n",
        "<!--",
        "-->",
        "**",
        "`",
        "é",
        "—",
        "\u{1F600}",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ":",
        "- ",
        "  - ",
        "Changelog\n---\n",
        "\r\n",
        "amends",
        "in part ",
        "'s",
        "\\",
        "#",
        "\t",
        "Title: x\nStatus: y\n",
        ".. ",
        "=====\n",
        "+--+\n",
        "| x | y |\n",
        ":a: b\n",
        "\u{0}",
        "_",
        "<a@b>",
        ", ",
        " and ",
        "the",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

#[test]
fn a_header_on_one_line_keeps_each_key_to_its_own_value() {
    let (document, problems) = record("adr/0001-a.md", "---\n{status: accepted, date: 2020-05-06}\n---\n# A\n");
    let record_facts = document.record().unwrap();
    assert_eq!((record_facts.status.word.as_str(), record_facts.status.raw.as_deref()), ("accepted", Some("accepted")), "{problems:?}");
    assert_eq!(document.date.as_deref(), Some("2020-05-06"));
    // A copy of the line for each of its keys would be gigabytes.
    let keys: String = (0..20_000).map(|number| format!("k{number}: v, ")).collect();
    let (document, _) = record("adr/0001-a.md", &format!("---\n{{{keys}}}\n---\n# A\n"));
    assert_eq!(document.record().unwrap().metadata.len(), 20_000);
}

proptest! {
    #[test]
    fn any_bytes_become_one_document(bytes in prop::collection::vec(any::<u8>(), 0..400), path in prop::sample::select(vec!["adr/0001-a.md", "adr/0001-a.rst", "adr/a.adoc", "pep-1.txt"])) {
        let sidecar = RawFile { path: "adr/kep.yaml".to_owned(), bytes: bytes.clone() };
        let parsed = read(&any_files(path), &RawFile { path: path.to_owned(), bytes }, &[sidecar]);
        prop_assert_eq!(parsed.documents.len(), 1);
    }

    #[test]
    fn sections_cover_the_body_and_nothing_panics(text in pieces(), path in prop::sample::select(vec!["adr/0001-a.md", "adr/0001-a.rst", "adr/0001-a.adoc", "pep-1.txt"])) {
        let parsed = read(&any_files(path), &RawFile { path: path.to_owned(), bytes: text.into_bytes() }, &[]);
        let document = &parsed.documents[0];
        prop_assert!(!document.title.trim().is_empty());
        let mut at = document.body.start;
        for section in &document.sections {
            prop_assert_eq!(section.span.start, at);
            at = section.span.end;
        }
        prop_assert_eq!(at, document.body.end);
        let record = document.record().unwrap();
        prop_assert!(!record.status.word.is_empty());
        let lines = document::Lines::of(&document.text).line_number(document.text.len());
        for relation in &record.relations {
            prop_assert!(relation.line_number >= 1 && relation.line_number <= lines);
        }
        prop_assert!(Span::new(0, document.text.len()).len() >= document.body.len());
    }

    #[test]
    fn any_listing_gives_distinct_ids(paths in prop::collection::vec("(docs/|p/|)(adr/|rfc/|text/|)([0-9]{1,2}-|adr-[0-9]-|)(a|b|readme|template)(/README|)\\.(md|rst|MD)", 0..12)) {
        let mut paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        paths.sort_unstable();
        paths.dedup();
        let found = ids(&paths);
        let distinct: std::collections::HashSet<&String> = found.iter().collect();
        prop_assert_eq!(distinct.len(), found.len());
    }
}
