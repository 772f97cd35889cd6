//! Any bytes as a record that is edited: nothing panics, a refusal changes nothing, and what is changed reads back.
//!
//! An input's first byte says what is asked for, its first line behind it is the title of the other record; the bytes behind that line are the record's
//! text, and those behind a byte 0x1E are its sidecar's.
#![no_main]

use document::RelationKind;
use libfuzzer_sys::fuzz_target;
use source::RawFile;
use source::formats::decisions::{self, Edit, EditError, NewRecord, Pointer, record_files};

mod swell;

const PATHS: [&str; 4] = ["docs/adr/0002-x.md", "docs/adr/0002-x.rst", "docs/adr/0002-x.adoc", "keps/0002-x/README.md"];
const WORDS: [&str; 5] = ["accepted", "Rejected", "superseded", "last call", "geparkt"];

fuzz_target!(|data: &[u8]| {
    let Some((ask, rest)) = data.split_first() else { return };
    let (first, rest) = rest.iter().position(|byte| *byte == b'\n').map_or((rest, &[][..]), |at| (&rest[..at], &rest[at + 1..]));
    let title = String::from_utf8_lossy(first).into_owned();
    let bytes = swell::swell(rest);
    let mut texts = bytes.splitn(2, |byte| *byte == 0x1E);
    let (text, beside) = (texts.next().unwrap_or_default(), texts.next());
    let path = PATHS[usize::from(ask & 3)];
    let mut paths = vec![path];
    if path.starts_with("keps") && beside.is_some() {
        paths.push("keps/0002-x/kep.yaml");
    }
    let Some(files) = record_files("library", &paths).into_iter().find(|files| files.main == path) else { return };
    let main = RawFile { path: path.to_owned(), bytes: text.to_vec() };
    let sidecars: Vec<RawFile> = files.sidecars.iter().map(|path| RawFile { path: path.clone(), bytes: beside.unwrap_or_default().to_vec() }).collect();
    let target = Pointer {
        id: "library/adr/0005-y".to_owned(),
        reference: Some("LIBRARY-ADR-0005".to_owned()),
        number: Some("0005".to_owned()),
        title: title.clone(),
        relative_path: "0005-y.md".to_owned(),
    };
    let status = Edit::Status { word: WORDS[usize::from(ask >> 2) % WORDS.len()].to_owned(), date: (ask & 64 != 0).then(|| "2024-05-06".to_owned()) };
    let relation = Edit::Relation { kind: RelationKind::ALL[usize::from(ask >> 3) % 8], is_partial: ask & 4 != 0, target };
    let edits = match ask >> 6 {
        0 | 1 => vec![status],
        2 => vec![relation],
        _ => vec![status, relation],
    };
    let before = decisions::read(&files, &main, &sidecars);
    match decisions::edit(&files, &main, &sidecars, &edits) {
        Ok(changed) => {
            assert!(!changed.is_empty(), "an edit that changes nothing says so");
            let now = |old: &RawFile| changed.iter().find(|file| file.path == old.path).unwrap_or(old).clone();
            let (main, sidecars) = (now(&main), sidecars.iter().map(now).collect::<Vec<_>>());
            let after = decisions::read(&files, &main, &sidecars);
            let (old, new) = (&before.documents[0], &after.documents[0]);
            assert_eq!(old.title, new.title, "the title stays");
            assert_eq!(old.date, new.date, "the date stays");
            assert_eq!(old.record().map(|record| &record.people), new.record().map(|record| &record.people), "people stay");
            let again = decisions::edit(&files, &main, &sidecars, &edits);
            assert!(matches!(again, Err(EditError::AlreadySo { .. })), "it is so now: {again:?}");
        }
        Err(EditError::AlreadySo { .. } | EditError::CannotEdit { .. } | EditError::BadInput { .. }) => {}
    }
    // The same text as a template, and as the folder from which a new record learns.
    let style = decisions::style_of(&[(files.clone(), main.clone())], (ask & 32 != 0).then_some(&main));
    let record = NewRecord { title, number: Some(7), date: "2024-05-06".to_owned(), status: "proposed".to_owned(), ..NewRecord::default() };
    if let Ok(file) = decisions::new_record(&style, "library", "docs/adr", &paths, &record) {
        assert!(file.path.starts_with("docs/adr/") && !file.path.contains(".."), "a new record lies in its folder: {}", file.path);
    }
});
