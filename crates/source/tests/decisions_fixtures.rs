//! Every form of decision record, from our own small examples in `fixtures/decisions`: what is read of each, and every problem, as text that a
//! person has checked. `UPDATE=1` rewrites the expectations.

mod decisions_support;

use std::path::Path;

use decisions_support::{described, records};

#[test]
fn each_format_reads_as_its_expectation_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/decisions");
    let mut formats: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()).collect();
    formats.sort();
    assert!(formats.len() >= 20, "the fixture folder lost formats");
    let mut wrong = Vec::new();
    for format in formats {
        let name = format.file_name().unwrap().to_str().unwrap().to_owned();
        let shown: Vec<String> = records(&format, &name).iter().map(|(path, document, problems)| described(path, document, problems)).collect();
        let shown = shown.join("\n");
        let expected_path = root.join(format!("{name}.txt"));
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&expected_path, &shown).unwrap();
        }
        let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
        for (shown, expected) in shown.lines().zip(expected.lines().chain(std::iter::repeat(""))).filter(|(shown, expected)| shown != expected) {
            wrong.push(format!("{name}:\n  read     {shown}\n  expected {expected}"));
        }
        assert_eq!(shown.lines().count(), expected.lines().count(), "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
