//! Any paths and any bytes as decision records: each becomes exactly one document whose places are all within its text.
//!
//! An input's first line holds the paths of the listing, parted by tabs; the bytes behind it are the records' text, and those behind a byte 0x1E are
//! the text of the sidecars.
#![no_main]

use std::collections::HashSet;

use document::{Document, Lines, Span};
use libfuzzer_sys::fuzz_target;
use source::RawFile;
use source::formats::decisions::{Identity, RecordFiles, read, record_files};

mod swell;

fuzz_target!(|data: &[u8]| {
    let (first, rest) = data.iter().position(|byte| *byte == b'\n').map_or((data, &[][..]), |at| (&data[..at], &data[at + 1..]));
    let line = String::from_utf8_lossy(first);
    let mut paths: Vec<&str> = line.split('\t').filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    let bytes = swell::swell(rest);
    let mut texts = bytes.splitn(2, |byte| *byte == 0x1E);
    let (main, sidecar) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());

    let mut records = record_files("library", &paths);
    let is_listed = !records.is_empty();
    let mut ids = HashSet::new();
    for record in &records {
        assert!(paths.contains(&record.main.as_str()), "a record of no file");
        assert!(record.sidecars.iter().all(|path| paths.contains(&path.as_str())), "a sidecar of no file");
        let Identity { project, record_type, slug, .. } = &record.identity;
        assert!(ids.insert(format!("{project}/{record_type}/{slug}")), "two records have one id: {records:?}");
    }
    assert!(records.is_sorted_by(|left, right| left.main <= right.main), "records stand in no order");
    if !is_listed {
        // A file that nobody lists as a record is read without harm too.
        let identity = Identity { project: "library".to_owned(), record_type: "adr".to_owned(), slug: "x".to_owned(), number: None };
        records.push(RecordFiles {
            main: paths.first().map_or_else(|| "x.md".to_owned(), |path| (*path).to_owned()),
            sidecars: Vec::new(),
            identity,
        });
    }
    for record in records.iter().take(2) {
        let sidecars: Vec<RawFile> = record.sidecars.iter().map(|path| RawFile { path: path.clone(), bytes: sidecar.to_vec() }).collect();
        let parsed = read(record, &RawFile { path: record.main.clone(), bytes: main.to_vec() }, &sidecars);
        assert_eq!(parsed.documents.len(), 1, "a record is one document");
        check(&parsed.documents[0]);
        assert!(!is_listed || !parsed.documents[0].title.trim().is_empty(), "a record without a title: {:?}", record.main);
        for problem in &parsed.problems {
            assert!(problem.line_number != Some(0), "lines count from 1: {problem:?}");
            let is_of_main = problem.path == record.main && !record.sidecars.contains(&problem.path);
            let lines = parsed.documents[0].text.lines().count().max(1);
            assert!(!is_of_main || problem.line_number.is_none_or(|line| line as usize <= lines + 1), "no such line: {problem:?}");
        }
    }
});

fn check(document: &Document) {
    let text = &document.text;
    assert!(is_place(text, document.body), "the body is no place in the text");
    let mut at = document.body.start;
    for section in &document.sections {
        assert_eq!(section.span.start, at, "sections leave a gap");
        assert!(is_place(text, section.span) && text.is_char_boundary(section.subtree_end), "a section cuts a character");
        at = section.span.end;
    }
    assert_eq!(at, document.body.end, "sections end before the body");
    assert!(document.links.iter().all(|link| is_place(text, link.span)), "a link is no place in the text");
    let lines = Lines::of(text);
    let mut end = document.body.start;
    for passage in document::passages(document) {
        assert!(is_place(text, passage.span) && passage.span.start >= end, "passages overlap or cut a character");
        assert!(!passage.span.of(text).trim().is_empty(), "an empty passage");
        assert!(lines.line_number(passage.span.start) >= 1);
        end = passage.span.end;
    }
}

fn is_place(text: &str, span: Span) -> bool {
    span.start <= span.end && text.get(span.start..span.end).is_some()
}
