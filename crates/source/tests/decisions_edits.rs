//! Edits of every form of decision record, from our own small cases in `fixtures/decision_edits`: what each file looks like afterwards, checked by a
//! person. `UPDATE=1` rewrites the expectations. Then: whatever is edited reads back, and no line is lost that was not edited.

mod decisions_support;

use std::path::{Path, PathBuf};

use decisions_support::{files_of, lost_lines, pointer, superseded_by};
use document::RelationKind;
use proptest::prelude::*;
use source::RawFile;
use source::formats::decisions::{self, Edit, EditError, RecordFiles};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// `status accepted 2020-01-02`, `superseded_by docs/adr/0002-b.md Its title`, `part amends docs/adr/0002-b.md Its title`.
fn edit_of(files: &RecordFiles, words: &str) -> Edit {
    let (is_partial, words) = words.strip_prefix("part ").map_or((false, words), |rest| (true, rest));
    let (kind, rest) = words.split_once(' ').unwrap();
    if kind == "status" {
        let (word, date) = rest.rsplit_once(' ').filter(|(_, date)| date.starts_with("20")).map_or((rest, None), |(word, date)| (word, Some(date)));
        return Edit::Status { word: word.to_owned(), date: date.map(str::to_owned) };
    }
    let (path, title) = rest.split_once(' ').unwrap();
    let target = pointer(files, &files_of(path, &[]), title);
    Edit::Relation { kind: RelationKind::parse(kind).unwrap(), is_partial, target }
}

/// What comes of a case, as its expectation says it.
fn outcome(text: &str) -> String {
    let (head, rest) = text.split_once("=== before\n").unwrap();
    let given = rest.split("=== after").next().unwrap();
    let given = given.split("=== refused").next().unwrap();
    let (before, sidecar) = given.split_once("=== sidecar\n").map_or((given, None), |(before, sidecar)| (before, Some(sidecar)));
    let value = |key: &str| head.lines().filter_map(|line| line.strip_prefix(key)).map(str::to_owned).collect::<Vec<_>>();
    let path = value("path: ").remove(0);
    let sidecars: Vec<RawFile> = value("sidecar: ").into_iter().map(|path| RawFile { path, bytes: sidecar.unwrap().as_bytes().to_vec() }).collect();
    let files = files_of(&path, &sidecars.iter().map(|file| file.path.as_str()).collect::<Vec<_>>());
    let edits: Vec<Edit> = value("edit: ").iter().map(|words| edit_of(&files, words)).collect();
    let main = RawFile { path, bytes: before.as_bytes().to_vec() };
    match decisions::edit(&files, &main, &sidecars, &edits) {
        Ok(changed) => {
            changed.into_iter().map(|file| format!("=== after {}\n{}", file.path, String::from_utf8(file.bytes).unwrap())).collect::<String>()
        }
        Err(error) => format!("=== refused\n{error}\n"),
    }
}

#[test]
fn each_case_comes_out_as_its_expectation_says() {
    let mut cases: Vec<PathBuf> = std::fs::read_dir(folder("decision_edits")).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    assert!(cases.len() >= 50, "the fixture folder lost cases");
    let mut wrong = Vec::new();
    for case in cases {
        let text = std::fs::read_to_string(&case).unwrap();
        let given = text.split("=== after").next().unwrap().split("=== refused").next().unwrap().to_owned();
        let shown = outcome(&text);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&case, format!("{given}{shown}")).unwrap();
        } else if text != format!("{given}{shown}") {
            wrong.push(format!("{}:\n{shown}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn line_ends_marks_and_foreign_bytes_survive() {
    let files = files_of("docs/adr/0001-a.md", &[]);
    let status = |bytes: &[u8]| {
        let main = RawFile { path: files.main.clone(), bytes: bytes.to_vec() };
        let edit = Edit::Status { word: "rejected".to_owned(), date: None };
        decisions::edit(&files, &main, &[], &[edit]).unwrap().remove(0).bytes
    };
    assert_eq!(
        status(b"\xEF\xBB\xBF---\r\nstatus: accepted\t\r\n---\r\n# A\n\ntext  "),
        b"\xEF\xBB\xBF---\r\nstatus: rejected\t\r\n---\r\n# A\n\ntext  "
    );
    assert_eq!(status(b"# A \xFF\xFE\n\n* Status: accepted \xE9t\xE9\r\n\n\xC3 b"), b"# A \xFF\xFE\n\n* Status: rejected \xE9t\xE9\r\n\n\xC3 b");
    assert_eq!(status(b"# A\r\n\r\n## Context\r\n\r\nText"), b"# A\r\n\r\n## Status\r\n\r\nRejected\r\n\r\n## Context\r\n\r\nText");
    assert_eq!(status(b"# A\n\n## Status\n\nAccepted"), b"# A\n\n## Status\n\nRejected");
}

#[test]
fn what_no_file_can_hold_is_refused() {
    let files = files_of("docs/adr/0001-a.md", &[]);
    let main = RawFile { path: files.main.clone(), bytes: b"# A\n\n## Status\n\nAccepted\n".to_vec() };
    for word in ["", "a\nb", "accepted | rejected", "[x](y)", "n/a", "\u{0}", "it will be accepted when all agree on it some day"] {
        let edits = [Edit::Status { word: word.to_owned(), date: None }];
        assert!(matches!(decisions::edit(&files, &main, &[], &edits), Err(EditError::BadInput { .. })), "{word:?}");
    }
    let mut target = pointer(&files, &files_of("docs/adr/0002-b.md", &[]), "Two\n## Status");
    let edits = [Edit::Relation { kind: RelationKind::SupersededBy, is_partial: false, target: target.clone() }];
    assert!(matches!(decisions::edit(&files, &main, &[], &edits), Err(EditError::BadInput { .. })));
    target.title = "A ](x) <!-- | `title` [y".to_owned();
    let edits = [Edit::Relation { kind: RelationKind::SupersededBy, is_partial: false, target }];
    let changed = decisions::edit(&files, &main, &[], &edits).unwrap().remove(0);
    assert!(changed.bytes.starts_with(b"# A\n\n## Status\n\nAccepted\n\nSuperseded by ["), "{}", String::from_utf8_lossy(&changed.bytes));
    let binary = RawFile { path: files.main.clone(), bytes: b"\xFF\xFE#\0".to_vec() };
    let error = decisions::edit(&files, &binary, &[], &edits).unwrap_err();
    assert!(matches!(error, EditError::CannotEdit { .. }), "{error}");
}

/// Every record of the fixtures with its sidecars.
fn fixtures() -> Vec<(RecordFiles, RawFile, Vec<RawFile>)> {
    let root = folder("decisions");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders.iter().flat_map(|folder| decisions_support::record_bytes(folder, folder.file_name().unwrap().to_str().unwrap())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn an_edit_reads_back_or_changes_nothing(
        index in any::<prop::sample::Index>(),
        word in prop::sample::select(vec!["accepted", "Rejected", "superseded", "last call", "on hold", "geparkt", "partially implemented"]),
        with_successor in any::<bool>(),
        is_crlf in any::<bool>(),
    ) {
        let all = fixtures();
        let (files, mut main, sidecars) = all[index.index(all.len())].clone();
        if is_crlf {
            main.bytes = String::from_utf8_lossy(&main.bytes).replace("\r\n", "\n").replace('\n', "\r\n").into_bytes();
        }
        let target = pointer(&files, &files_of("adr/0077-next.md", &[]), "Next");
        let edits = if with_successor { superseded_by(target) } else { vec![Edit::Status { word: word.to_owned(), date: None }] };
        if let Ok(changed) = decisions::edit(&files, &main, &sidecars, &edits) {
            let now = |old: &RawFile| changed.iter().find(|file| file.path == old.path).unwrap_or(old).clone();
            let after = decisions::read(&files, &now(&main), &sidecars.iter().map(now).collect::<Vec<_>>());
            let record = after.documents[0].record().unwrap();
            let wanted = if with_successor { "superseded" } else { word };
            prop_assert_eq!(&record.status.word, &wanted.to_lowercase());
            for old in std::iter::once(&main).chain(&sidecars) {
                let new = now(old);
                prop_assert!(lost_lines(&old.bytes, &new.bytes) <= 3, "{}", files.main);
            }
            let new = now(&main);
            let lone = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count() - bytes.windows(2).filter(|pair| pair == b"\r\n").count();
            prop_assert!(!is_crlf || main.bytes.is_empty() || lone(&main.bytes) == lone(&new.bytes), "{}: {:?}", files.main, String::from_utf8_lossy(&new.bytes));
            let again = decisions::edit(&files, &now(&main), &sidecars.iter().map(now).collect::<Vec<_>>(), &edits);
            let is_settled = matches!(again, Err(EditError::AlreadySo { .. }));
            prop_assert!(is_settled, "a second time there is nothing to change: {:?}", again);
        }
    }
}
