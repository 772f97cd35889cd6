//! Edits stay within what the reader recognised, whatever decorates it.

use proptest::prelude::*;

use super::draft::Draft;
use super::{Edit, EditError, NewRecord, Pointer, edit, new_record, style_of, value};
use crate::RawFile;
use crate::formats::decisions::record_files;
use crate::formats::decisions::standing::{is_word, statements};
use crate::formats::decisions::tests::{any_files, pieces};

/// How many bytes two texts have in common at the front and at the end.
fn common(before: &[u8], after: &[u8]) -> (usize, usize) {
    let front = before.iter().zip(after).take_while(|(before, after)| before == after).count();
    let room = before.len().min(after.len()) - front;
    let end = before.iter().rev().zip(after.iter().rev()).take(room).take_while(|(before, after)| before == after).count();
    (front, end)
}

fn other() -> Pointer {
    Pointer {
        id: "p/adr/0005-y".to_owned(),
        reference: Some("P-ADR-0005".to_owned()),
        number: Some("0005".to_owned()),
        title: "Use [a] log".to_owned(),
        relative_path: "0005-y.md".to_owned(),
    }
}

#[test]
fn long_hostile_texts_are_edited_or_refused_in_time() {
    for piece in [
        "\n",
        "- Status: draft\n",
        "status: draft\n",
        "draft ",
        "| a ",
        "> ",
        "[",
        "## Status\n",
        "superseded by ",
        "- [A](1-a.md)\n",
        "* ",
        "a: [",
        "<!-- ",
    ] {
        let text = format!("# T\n\n- Status: draft\n\n## Status\n\ndraft\n\n{}\n", piece.repeat(4_000));
        let main = RawFile { path: "adr/0001-a.md".to_owned(), bytes: text.into_bytes() };
        let files = record_files("acme", &["adr/0001-a.md"]).remove(0);
        let status = Edit::Status { word: "superseded".to_owned(), date: None };
        let relation = Edit::Relation { kind: document::RelationKind::SupersededBy, is_partial: false, target: other() };
        match edit(&files, &main, &[], &[status, relation]) {
            Ok(changed) => assert_eq!(changed.len(), 1),
            Err(error) => assert!(matches!(error, EditError::CannotEdit { .. }), "{error}"),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn only_bytes_of_the_recognised_value_change(
        place in prop::sample::select(vec![
            ("---\ntitle: A\nstatus: ", "\ndate: 2020-01-02\n---\n\n## Context\n\nText.\n"),
            ("# A\n\n* Status: ", "\n* Date: 2020-01-02\n\n## Context\n\nText.\n"),
            ("# A\n\n**Status:** ", "\n\n## Context\n\nText.\n"),
            ("# A\n\n| Date   | 2020-01-02 |\n|--------|------------|\n| Status | ", "   |\n| Tags   | a, b       |\n\n## Context\n\nText.\n"),
            ("# A\n\nDate: 2020-01-02\n\n## Status\n\n", "\n\nA remark.\n\n## Context\n\nText.\n"),
            ("# A\n\n## Status: ", "\n\n## Context\n\nText.\n"),
        ]),
        old in prop::sample::select(vec!["accepted", "Proposed", "LAST CALL", "in review"]),
        new in prop::sample::select(vec!["rejected", "on hold", "final", "Implemented"]),
        around in prop::sample::select(vec![("", ""), ("**", "**"), ("\"", "\""), ("✅ ", ""), ("{ ", " }"), ("", ", applied in v7"), ("", " <!-- why -->"), ("", "  "), ("`", "`")]),
        has_crlf in any::<bool>(),
        has_mark in any::<bool>(),
        tail in prop::sample::select(vec![&b""[..], b"\xFF\xFE bytes", b"no end"]),
    ) {
        let text = format!("{}{}{}{old}{}{}", if has_mark { "\u{feff}" } else { "" }, place.0, around.0, around.1, place.1);
        let text = if has_crlf { text.replace('\n', "\r\n") } else { text };
        let mut bytes = text.into_bytes();
        bytes.extend(tail);
        let files = record_files("acme", &["adr/0001-a.md"]).remove(0);
        let main = RawFile { path: files.main.clone(), bytes };
        let draft = Draft::open(&files, &main, &[]).unwrap();
        let facts = draft.opened.gathered(&files);
        let stated = statements(&facts);
        let Some(chosen) = stated.iter().find(|statement| is_word(statement)) else { return Ok(()) };
        let span = value::of_statement(&draft, &facts, chosen).unwrap().span;
        let edits = [Edit::Status { word: new.to_owned(), date: None }];
        let changed = edit(&files, &main, &[], &edits).unwrap().remove(0);
        let (front, end) = common(&main.bytes, &changed.bytes);
        prop_assert!(front >= span.start, "before the value: {:?}", String::from_utf8_lossy(&changed.bytes));
        // Blanks that fill a table's cell may give way.
        let blanks = main.bytes[span.end..].iter().take_while(|byte| **byte == b' ').count();
        prop_assert!(main.bytes.len() - end <= span.end + blanks, "behind the value: {:?}", String::from_utf8_lossy(&changed.bytes));
    }

    #[test]
    fn no_text_makes_an_edit_panic_and_what_it_makes_reads_back(
        text in pieces(),
        path in prop::sample::select(vec!["adr/0001-a.md", "adr/0001-a.rst", "adr/0001-a.adoc", "pep-1.txt"]),
        sidecar in prop::option::of("(status|title|replaces|superseded-by|see-also): ?(a|\\[\\]|\\[a|draft # x)?\n"),
        kind in prop::sample::select(document::RelationKind::ALL.to_vec()),
        is_partial in any::<bool>(),
        word in prop::option::of(prop::sample::select(vec!["accepted", "superseded", "last call"])),
    ) {
        let mut files = any_files(path);
        if sidecar.is_none() {
            files.sidecars.clear();
        }
        let main = RawFile { path: path.to_owned(), bytes: text.into_bytes() };
        let sidecars: Vec<RawFile> = sidecar.into_iter().map(|text| RawFile { path: "adr/kep.yaml".to_owned(), bytes: text.into_bytes() }).collect();
        let status = word.map(|word| Edit::Status { word: word.to_owned(), date: Some("2024-05-06".to_owned()) });
        let edits: Vec<Edit> = status.into_iter().chain([Edit::Relation { kind, is_partial, target: other() }]).collect();
        if let Ok(changed) = edit(&files, &main, &sidecars, &edits) {
            let now = |old: &RawFile| changed.iter().find(|file| file.path == old.path).unwrap_or(old).clone();
            let again = edit(&files, &now(&main), &sidecars.iter().map(now).collect::<Vec<_>>(), &edits);
            prop_assert!(matches!(again, Err(EditError::AlreadySo { .. })), "{again:?}");
        }
        for template in [None, Some(&main)] {
            let style = style_of(&[(files.clone(), main.clone())], template);
            let record = NewRecord { title: "Use a log".to_owned(), number: Some(7), date: "2024-05-06".to_owned(), status: "proposed".to_owned(), ..NewRecord::default() };
            if let Ok(file) = new_record(&style, "p", "adr", &[], &record) {
                prop_assert!(file.path.starts_with("adr/"));
            }
        }
    }
}
