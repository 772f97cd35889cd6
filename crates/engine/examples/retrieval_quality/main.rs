//! `cargo xtask eval retrieval [SET…] [--held-out] [--write]`: how good the ranking of search is, on questions whose answers are known, and whether every citation
//! leads back to its quote. Fails when a figure falls below the page's, or a citation is not exact.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program of the workshop talks to the person at the terminal")]

mod citations;
mod library;
mod measure;
mod metrics;
mod own_set;
mod page;
mod set;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use measure::Measured;
use set::{Set, text_of};

/// Name of ibid's own set in the tables.
const OWN: &str = "ibid";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Gives whether all is at least as good as the page says.
fn run(arguments: &[String]) -> Result<bool, String> {
    if let Some(unknown) = arguments.iter().find(|argument| argument.starts_with('-') && !["--write", "--held-out"].contains(&argument.as_str())) {
        return Err(format!("{unknown} is not known here; `--write`, `--held-out` and names of sets are."));
    }
    let is_held_out = arguments.iter().any(|argument| argument == "--held-out");
    let is_write = arguments.iter().any(|argument| argument == "--write");
    let names: Vec<&str> = arguments.iter().map(String::as_str).filter(|argument| !argument.starts_with('-')).collect();
    if is_write && (is_held_out || !names.is_empty()) {
        return Err("--write renews the whole page, so it goes neither with names of sets nor with --held-out.".to_owned());
    }
    let measured = measure_all(&names, is_held_out)?;
    let tables = page::tables(&measured);
    println!("{tables}");
    for wrong in measured.citations.wrong.iter().take(20) {
        eprintln!("not exact: {wrong}");
    }
    let page = text_of(&page::path())?;
    let fallen = page::fallen(&measured, &page);
    for figure in &fallen {
        eprintln!("fallen: {figure}");
    }
    if !fallen.is_empty() {
        eprintln!(
            "Mend the ranking. Where a figure may fall for a reason, take its row out of docs/reference/retrieval-quality.md and write it anew."
        );
    }
    let is_good = fallen.is_empty() && measured.citations.wrong.is_empty();
    if is_write && is_good {
        let renewed = page::renewed(&page, &tables).ok_or("docs/reference/retrieval-quality.md has lost the mark above its tables.")?;
        std::fs::write(page::path(), renewed).map_err(|error| format!("docs/reference/retrieval-quality.md: {error}"))?;
    }
    Ok(is_good)
}

fn measure_all(names: &[&str], is_held_out: bool) -> Result<Measured, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut measured = Measured::default();
    if is_held_out {
        measure_own(&mut measured, &root, "ibid, held out", "held-out.tsv")?;
        return Ok(measured);
    }
    let mut folders = vec![root.join("eval/retrieval/small")];
    match root.join("../shared/data/retrieval").canonicalize() {
        Ok(data) => folders.extend(sets_in(&data)?),
        Err(_) => eprintln!("There are no labelled sets in ../shared/data/retrieval beside this workspace: only the small set is measured."),
    }
    let name_of = |folder: &PathBuf| folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let has_own = root.join("eval/retrieval/questions.tsv").is_file() && root.join("../shared/data/decisions").is_dir();
    let known: Vec<String> = folders.iter().map(name_of).chain(has_own.then(|| OWN.to_owned())).collect();
    if let Some(unknown) = names.iter().find(|name| !known.iter().any(|other| other == *name)) {
        return Err(format!("{unknown} is no set. There are: {}.", known.join(", ")));
    }
    let is_wanted = |name: &str| names.is_empty() || names.contains(&name);
    for folder in folders.iter().filter(|folder| is_wanted(&name_of(folder))) {
        measured.add_set(&Set::read(folder)?)?;
    }
    if has_own && is_wanted(OWN) {
        measure_own(&mut measured, &root, OWN, "questions.tsv")?;
    }
    Ok(measured)
}

/// ibid's own questions, about the real files beside the workspace.
fn measure_own(measured: &mut Measured, root: &Path, name: &str, table: &str) -> Result<(), String> {
    let documents = own_set::documents(&root.join("../shared/data"), &["decisions", "notes", "skills"])?;
    let kinds = own_set::questions(&root.join("eval/retrieval").join(table), &documents)?;
    measured.add_own(name, &documents, &kinds)
}

/// The sets of a folder, by name.
fn sets_in(root: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = std::fs::read_dir(root).map_err(|error| format!("{}: {error}", root.display()))?;
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.join("docs.jsonl").is_file()).collect();
    found.sort();
    Ok(found)
}
