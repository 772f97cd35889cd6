//! `cargo xtask eval decisions [--against adrs] [--write]`: how often ibid, or beside it the program `adrs`, reads of real records what their labels
//! say. Fails when a share of ibid's falls below the page's.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of the workshop talks to the person at the terminal")]

mod against_adrs;
#[path = "../../tests/decisions_support/mod.rs"]
mod decisions_support;

use std::process::ExitCode;

use decisions_support::{accuracy, labels, real_records};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(data) = real_records() else {
        eprintln!("There are no real records in ../shared/data/decisions beside this workspace, so nothing can be measured.");
        return ExitCode::FAILURE;
    };
    let labelled = labels::read(&std::fs::read_to_string(labels::path()).expect("eval/decisions/labels.tsv can be read"));
    let is_write = arguments.iter().any(|argument| argument == "--write");
    if let [.., against, other] = arguments.iter().filter(|argument| *argument != "--write").collect::<Vec<_>>()[..]
        && against == "--against"
    {
        if other != "adrs" {
            eprintln!("{other} is not known here; `--against adrs` is.");
            return ExitCode::FAILURE;
        }
        return against_adrs::run(&data, &labelled, is_write);
    }
    let accuracy = accuracy::measure(&data, &labelled);
    let tables = accuracy::tables(&accuracy);
    println!("{tables}");
    let page = std::fs::read_to_string(accuracy::page()).expect("docs/reference/decision-accuracy.md can be read");
    let fallen = accuracy::fallen(&accuracy, &page);
    for share in &fallen {
        eprintln!("fallen: {share}");
    }
    if !fallen.is_empty() {
        eprintln!(
            "Mend the reader. Where new labels are the reason, take the old table out of docs/reference/decision-accuracy.md and write it anew."
        );
        return ExitCode::FAILURE;
    }
    if is_write {
        let (head, _) = page.split_once(accuracy::BEGIN).expect("the page has its mark");
        std::fs::write(accuracy::page(), format!("{head}{}\n{tables}", accuracy::BEGIN)).expect("the page can be written");
    }
    ExitCode::SUCCESS
}
