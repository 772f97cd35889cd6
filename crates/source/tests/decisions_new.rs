//! New records in the style of each of our own small folders in `fixtures/decisions`, and from templates: path and text as a person has checked them
//! (`fixtures/decision_new`, `UPDATE=1` rewrites). Then: whatever is asked for reads back, or no file is made.

mod decisions_support;

use std::path::{Path, PathBuf};

use decisions_support::{files_of, paths, pointer, record_bytes};
use document::RelationKind;
use proptest::prelude::*;
use source::RawFile;
use source::formats::decisions::{self, EditError, NewRecord, RecordFiles, Style};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

fn record(number: Option<u64>) -> NewRecord {
    NewRecord {
        title: "Keep the log: at most \"90 days\"".to_owned(),
        number,
        date: "2024-05-06".to_owned(),
        status: "proposed".to_owned(),
        authors: vec!["Ann Lee".to_owned(), "@bob".to_owned()],
        deciders: vec!["Cy Poe".to_owned()],
        tags: vec!["storage".to_owned(), "log".to_owned()],
        description: Some("How long what is logged stays.".to_owned()),
        sections: vec![("Context".to_owned(), "The disk is full.".to_owned()), ("Costs".to_owned(), "* None.".to_owned())],
        relations: Vec::new(),
    }
}

/// The folder of the first record and its records.
fn of_format(format: &Path) -> (String, Vec<(RecordFiles, RawFile)>, Vec<String>) {
    let records = record_bytes(format, "acme");
    let parent = |files: &RecordFiles| {
        let mut parts: Vec<&str> = files.main.split('/').collect();
        let file = parts.pop().unwrap();
        if file.to_lowercase().starts_with("readme.") {
            parts.pop();
        }
        parts.join("/")
    };
    let first = parent(&records[0].0);
    let inside = records.iter().filter(|(files, ..)| parent(files) == first).map(|(files, main, _)| (files.clone(), main.clone()));
    (first.clone(), inside.collect(), paths(format))
}

fn made(style: &Style, folder: &str, inside: &[(RecordFiles, RawFile)], all: &[String], mut record: NewRecord) -> Result<RawFile, EditError> {
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let numbers: Vec<&str> = inside.iter().map(|(files, _)| files.main.as_str()).collect();
    record.number = style.has_number().then(|| decisions::next_number(&numbers));
    decisions::new_record(style, "acme", folder, &all, &record)
}

fn check(name: &str, shown: &str, wrong: &mut Vec<String>) {
    let path = folder("decision_new").join(format!("{name}.txt"));
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, shown).unwrap();
    } else if std::fs::read_to_string(&path).unwrap_or_default() != shown {
        wrong.push(format!("{name}:\n{shown}"));
    }
}

#[test]
fn a_new_record_looks_like_those_of_its_folder() {
    let mut formats: Vec<PathBuf> =
        std::fs::read_dir(folder("decisions")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    formats.sort();
    assert!(formats.len() >= 20);
    let mut wrong = Vec::new();
    for format in formats {
        let (folder, inside, all) = of_format(&format);
        let style = decisions::style_of(&inside, None);
        let shown = match made(&style, &folder, &inside, &all, record(None)) {
            Ok(file) => format!("{}\n=====\n{}", file.path, String::from_utf8(file.bytes).unwrap().replace('\r', "␍")),
            Err(error) => format!("{error}\n"),
        };
        check(format.file_name().unwrap().to_str().unwrap(), &shown, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const TEMPLATES: &[(&str, &str, &str)] = &[
    (
        "template_nygard",
        "doc/adr/templates/template.md",
        "# NUMBER. TITLE\n\nDate: DATE\n\n## Status\n\nSTATUS\n\n## Context\n\nThe issue motivating this decision.\n\n## Decision\n\nThe change that we are proposing.\n",
    ),
    (
        "template_madr4",
        "docs/decisions/adr-template.md",
        "---\n# These are optional metadata elements. Feel free to remove any of them.\nstatus: \"{proposed | rejected | accepted | deprecated | … | superseded by ADR-0123}\"\ndate: {YYYY-MM-DD when the decision was last updated}\ndecision-makers: {list everyone involved in the decision}\nconsulted: {list everyone whose opinions are sought}\n---\n\n# {short title, representative of solved problem and found solution}\n\n## Context and Problem Statement\n\n{Describe the context.}\n\n## Considered Options\n\n* {title of option 1}\n",
    ),
    (
        "template_madr2",
        "docs/adr/template.md",
        "# [short title of solved problem and solution]\r\n\r\n* Status: [proposed | rejected | accepted | deprecated | … | superseded by [ADR-0005](0005-example.md)] <!-- optional -->\r\n* Deciders: [list everyone involved in the decision] <!-- optional -->\r\n* Date: [YYYY-MM-DD when the decision was last updated] <!-- optional -->\r\n\r\n## Context and Problem Statement\r\n\r\n[Describe.]\r\n",
    ),
    (
        "template_cosmos",
        "docs/architecture/adr-template.md",
        "# ADR \\{ADR-NUMBER\\}: \\{TITLE\\}\n\n## Changelog\n\n- \\{date\\}: \\{changelog\\}\n\n## Status\n\n> A decision may be \"proposed\" if it has not been agreed upon yet.\n\n\\{Deprecated|Proposed|Accepted\\}\n\n## Context\n\n> All that one needs to know.\n",
    ),
    (
        "template_table",
        "adr/0000-template.md",
        "# ADR-0000: Title\n\n| Metadata | Value      |\n|----------|------------|\n| Date     | YYYY-MM-DD |\n| Author   | @name      |\n| Status   | [proposed, accepted, rejected, deprecated] |\n\n## Context\n\nWhy?\n",
    ),
];

#[test]
fn a_projects_own_template_is_filled() {
    let mut wrong = Vec::new();
    for (name, path, text) in TEMPLATES {
        let template = RawFile { path: (*path).to_owned(), bytes: text.as_bytes().to_vec() };
        let folder = path.rsplit_once('/').unwrap().0.trim_end_matches("/templates");
        let style = decisions::style_of(&[], Some(&template));
        let file = made(&style, folder, &[], &[(*path).to_owned()], record(None)).unwrap();
        assert_eq!(file.bytes.contains(&b'\r'), text.contains('\r'), "ends of lines as in the template");
        check(name, &format!("{}\n=====\n{}", file.path, String::from_utf8(file.bytes).unwrap().replace('\r', "␍")), &mut wrong);
    }
    let file = made(&decisions::style_of(&[], None), "docs/adr", &[], &[], record(None)).unwrap();
    check("empty_folder", &format!("{}\n=====\n{}", file.path, String::from_utf8(file.bytes).unwrap()), &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_template_is_found_by_its_whole_name() {
    for (paths, expected) in [
        (&["adr/0023-handlebars-template-engine.md", "adr/adr-014-project-templates.md"][..], None),
        (&["adr/0001-a.md", "adr/adr-template-minimal.md", "adr/adr-template.md"], Some("adr/adr-template.md")),
        (&["adr/0000-TEMPLATE.md"], Some("adr/0000-TEMPLATE.md")),
        (&["adr/_template.md", "adr/templates/other.md"], Some("adr/_template.md")),
        (&["adr/templates/ADR-nnn_Any.md", "adr/README.md", "adr/templates/README.md"], Some("adr/templates/ADR-nnn_Any.md")),
        (&["keps/NNNN-kep-template/README.md", "keps/0001-a/README.md"], Some("keps/NNNN-kep-template/README.md")),
        (&["adr/template.png"], None),
    ] {
        assert_eq!(decisions::template_among(paths), expected, "{paths:?}");
    }
}

#[test]
fn the_next_number_leaves_dates_aside() {
    assert_eq!(decisions::next_number(&[]), 1);
    assert_eq!(decisions::next_number(&["adr/0009-a.md", "adr/0010-b.md", "adr/2024-01-02-c.md", "adr/20240102-d.md"]), 11);
    assert_eq!(decisions::next_number(&["adr/ADR-7.md", "adr/use-http-2-for-x.md", "rfd/0077/README.md"]), 78);
}

#[test]
fn what_no_record_can_say_is_refused() {
    let style = decisions::style_of(&[], None);
    let base = || record(Some(3));
    let refused = |record: NewRecord, paths: &[&str]| match decisions::new_record(&style, "acme", "docs/adr", paths, &record) {
        Err(EditError::BadInput { what, .. }) => what,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(NewRecord { title: "a\nstatus: x".to_owned(), ..base() }, &[]), "title");
    assert_eq!(refused(NewRecord { title: "???".to_owned(), ..base() }, &[]), "title");
    assert_eq!(refused(NewRecord { date: "2024-02-30".to_owned(), ..base() }, &[]), "date");
    assert_eq!(refused(NewRecord { status: "{a | b}".to_owned(), ..base() }, &[]), "status");
    assert_eq!(refused(NewRecord { number: None, ..base() }, &[]), "number");
    assert_eq!(refused(NewRecord { tags: vec!["a, b".to_owned()], ..base() }, &[]), "tag");
    assert_eq!(refused(NewRecord { sections: vec![("Status".to_owned(), String::new())], ..base() }, &[]), "section");
    assert_eq!(refused(base(), &["docs/adr/0003-keep-the-log-at-most-90-days.md"]), "title");
    let escape = decisions::new_record(&style, "acme", "docs/../../etc", &[], &base());
    assert!(matches!(escape, Err(EditError::BadInput { .. })), "{escape:?}");
}

#[test]
fn relations_stand_where_the_folder_states_them() {
    let (folder, inside, all) = of_format(&folder("decisions").join("nygard"));
    let style = decisions::style_of(&inside, None);
    let from = files_of("doc/adr/0099-x.md", &[]);
    let target = pointer(&from, &inside[0].0, "Record decisions");
    let record = NewRecord { relations: vec![(RelationKind::Supersedes, false, target)], ..record(None) };
    let file = made(&style, &folder, &inside, &all, record).unwrap();
    let text = String::from_utf8(file.bytes).unwrap();
    assert!(text.contains("\n## Status\n\nProposed\n\nSupersedes [1. Record decisions](0001-"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn any_title_reads_back_or_is_refused(title in "[ -~äß—]{1,60}", index in any::<prop::sample::Index>(), body in "([#=a-z`|>~: \\-]{0,12}\n){0,6}") {
        let mut formats: Vec<PathBuf> = std::fs::read_dir(folder("decisions")).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
        formats.sort();
        let (folder, inside, all) = of_format(&formats[index.index(formats.len())]);
        let style = decisions::style_of(&inside, None);
        let asked = NewRecord { title: title.clone(), sections: vec![("Context".to_owned(), body)], ..record(None) };
        match made(&style, &folder, &inside, &all, asked) {
            Ok(file) => {
                let below = file.path.strip_prefix(&folder).unwrap();
                prop_assert!(!below.contains("..") && below.matches('/').count() <= 2 && file.path.len() <= folder.len() + 180);
                let paths: Vec<&str> = all.iter().map(String::as_str).chain([file.path.as_str()]).collect();
                let files = decisions::record_files("acme", &paths).into_iter().find(|files| files.main == file.path).unwrap();
                let read = decisions::read(&files, &file, &[]);
                let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                prop_assert_eq!(words(&read.documents[0].title), words(&title));
                prop_assert_eq!(&read.documents[0].record().unwrap().status.word, "proposed");
                prop_assert_eq!(read.documents[0].date.as_deref(), Some("2024-05-06"));
            }
            Err(EditError::BadInput { .. } | EditError::CannotEdit { .. }) => {}
            Err(error) => prop_assert!(false, "{error}"),
        }
    }
}
