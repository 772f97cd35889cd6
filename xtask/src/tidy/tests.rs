//! The house is tidy, and each rule finds what it is for.

use std::path::PathBuf;

use super::ledger::Ledger;
use super::rust_text::RustText;
use super::{File, Finding, House, doors, findings, leftovers, links, migrations, rooms};
use crate::programs::workspace;

#[test]
fn the_house_is_tidy() {
    let house = House::read(&workspace()).expect("the workspace reads");
    let findings = findings(&house).expect("the rules run");
    let shown: Vec<String> = findings.iter().map(Finding::to_string).collect();
    assert!(shown.is_empty(), "{}\n{} findings", shown.join("\n"), shown.len());
}

fn house(files: &[(&str, &str)]) -> House {
    let files = files.iter().map(|(path, text)| File::new((*path).to_owned(), (*text).to_owned())).collect();
    House { root: PathBuf::from("/nowhere/house"), files, ledger: Ledger::default() }
}

fn told(findings: &[Finding]) -> Vec<(&str, usize, &str)> {
    findings.iter().map(|finding| (finding.path.as_str(), finding.line_number, finding.rule)).collect()
}

#[test]
fn code_comments_and_literals_are_told_apart() {
    let text =
        "let a = \"// no comment\"; // \"no text\"\n/* a /* b */ println! */ let c = '\"';\nlet d = r#\"x\"y\"#; fn e<'a>() {} let q = '\\'';\n";
    let rust = RustText::read(text);
    assert_eq!(rust.code[0].trim_end(), "let a =                ;");
    assert_eq!(rust.comments[0].trim_start(), "// \"no text\"");
    assert_eq!(rust.literals[0].trim(), "\"// no comment\"");
    assert_eq!(rust.code[1].trim(), "let c = '\"';");
    assert_eq!(rust.code[2].split_whitespace().collect::<Vec<_>>().join(" "), "let d = ; fn e<'a>() {} let q = '\\'';");
}

#[test]
fn a_door_is_found_in_code_and_not_in_words_or_tests() {
    let house = house(&[
        (
            "crates/engine/src/a.rs",
            "//! a\n// std::fs is not used\nlet x = \"println!\";\nstd::fs::read(x);\neprintln!();\n#[cfg(test)]\nmod tests {\n    std::fs::read(x);\n}\n",
        ),
        ("crates/engine/src/b/tests.rs", "//! b\nprintln!();\n"),
        ("crates/app/src/main.rs", "//! c\nprintln!();\nSystemTime::now();\n"),
        ("crates/mcp/src/d.rs", "//! d\nuse rmcp::x;\nlet q = \"SELECT a FROM b\";\nSystemTime::now();\n"),
        ("crates/mcp/src/sdk/e.rs", "//! e\nuse rmcp::x;\n"),
    ]);
    let expected = [
        ("crates/engine/src/a.rs", 4, "files"),
        ("crates/engine/src/a.rs", 5, "print"),
        ("crates/mcp/src/d.rs", 2, "sdk"),
        ("crates/mcp/src/d.rs", 3, "sql"),
        ("crates/mcp/src/d.rs", 4, "clock"),
    ];
    let mut found = doors::findings(&house);
    found.sort_by(|left, right| (&left.path, left.line_number).cmp(&(&right.path, right.line_number)));
    assert_eq!(told(&found), expected);
}

#[test]
fn an_exception_opens_a_door_and_must_be_needed() {
    let mut house = house(&[("crates/engine/src/a.rs", "//! a\nstd::fs::read(x);\n")]);
    house.ledger = Ledger::parse(
        "[[files]]\npath = \"crates/engine/src/a.rs\"\nreason = \"r\"\n[[files]]\npath = \"crates/engine/src/gone.rs\"\nreason = \"r\"\n",
    )
    .expect("parses");
    assert_eq!(told(&doors::findings(&house)), [("xtask/ledger.toml", 0, "files")]);
    assert!(Ledger::parse("[[files]]\npath = \"a\"\n").is_err(), "an exception without a reason is none");
}

#[test]
fn rooms_have_a_header_a_telling_name_and_a_budget() {
    let long = format!("//! long\n{}", "let a = 1;\n".repeat(400));
    let mut house = house(&[
        ("crates/web/src/a.rs", "let a = 1;\n"),
        ("crates/web/src/utils.rs", "//! b\nmod helpers {}\n"),
        ("crates/web/src/long.rs", &long),
        ("crates/web/tests/long.rs", &long),
    ]);
    let expected = [
        ("crates/web/src/a.rs", 1, "header"),
        ("crates/web/src/utils.rs", 0, "names"),
        ("crates/web/src/utils.rs", 2, "names"),
        ("crates/web/src/long.rs", 0, "file-length"),
    ];
    assert_eq!(told(&rooms::findings(&house)), expected);
    let ledger =
        |figure| Ledger::parse(&format!("[[file-length]]\npath = \"crates/web/src/long.rs\"\nfigure = {figure}\nreason = \"r\"\n")).expect("parses");
    house.files.drain(..2);
    for (figure, count) in [(400, 1), (401, 0), (421, 0), (422, 1)] {
        house.ledger = ledger(figure);
        assert_eq!(rooms::findings(&house).len(), count, "{figure}");
    }
}

#[test]
fn unfinished_work_and_paths_of_this_machine_are_found() {
    let house = house(&[
        ("a.rs", "//! a\n// TODO: later\nlet a = \"TODO: said by a note\";\ndbg!(a);\n"),
        ("b.md", "see `/nowhere/house/x` and notes/nowhere/house/x and https://e.org/nowhere/house/x\n"),
    ]);
    assert_eq!(told(&leftovers::findings(&house)), [("a.rs", 2, "leftovers"), ("a.rs", 4, "leftovers"), ("b.md", 1, "machine-paths")]);
}

#[test]
fn links_lead_to_files_and_headings() {
    let root = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(root.path().join("docs")).expect("made");
    let files = [
        ("docs/a.md", "# One\n\n[b](b.md#two-words), [up](../c.md), [x](x.md), [y](b.md#no), [here](#one), [web](https://e.org)\n"),
        ("docs/b.md", "## Two words\n"),
        ("c.md", ""),
    ];
    for (path, text) in files {
        std::fs::write(root.path().join(path), text).expect("written");
    }
    let mut house = house(&files);
    house.root = root.path().to_path_buf();
    let found = links::findings(&house);
    assert_eq!(told(&found), [("docs/a.md", 3, "links"), ("docs/a.md", 3, "links")]);
    assert_eq!(found[0].message, "`x.md` leads to nothing");
    assert_eq!(found[1].message, "`docs/b.md` has no heading `#no`");
}

#[test]
fn migrations_have_no_gaps() {
    let house = house(&[("crates/store/migrations/0001_a.sql", ""), ("crates/store/migrations/0003_b.sql", ""), ("other/9.sql", "")]);
    assert_eq!(told(&migrations::findings(&house)), [("crates/store/migrations/0003_b.sql", 0, "migrations")]);
}
