//! Behaviour that a user could have written down: each `cases/**/*.md` is files, calls and what they answer, run over a real library.

mod archive;
mod case;
mod fit;
mod world;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use case::{Case, Step};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use world::World;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
}

fn case_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        if entry.path().is_dir() {
            files.extend(case_files(&entry.path()));
        } else if entry.path().extension().is_some_and(|extension| extension == "md") && entry.file_name() != "README.md" {
            files.push(entry.path());
        }
    }
    files.sort();
    files
}

/// Runs one case; what differs is a sentence with the line of the block.
async fn run(case: &Case) -> Result<(), String> {
    let mut world = World::new(case.today.as_deref());
    for (line, step) in &case.steps {
        let at = |reason: String| format!("{}:{line}: {reason}", case.name);
        match step {
            Step::File { path, text } => world.write(path, text),
            Step::Delete { path } => world.delete(path),
            Step::Call { what, arguments } => world.call(what, arguments.clone()).await.map_err(at)?,
            Step::Answers(expected) => {
                let found = world.answer().map_err(at)?;
                fit::check(expected, found).map_err(|reason| at(format!("{reason}\nThe whole answer: {found:#}")))?;
            }
            Step::Fails(expected) => {
                let found = world.failure().map_err(at)?;
                fit::check(expected, found).map_err(|reason| at(format!("{reason}\nThe whole failure: {found:#}")))?;
            }
            Step::Reads(lines) => {
                let text = world.text().map_err(at)?;
                let mut rest = text;
                for wanted in lines {
                    let place = rest.find(wanted.as_str()).ok_or_else(|| at(format!("\"{wanted}\" does not stand there (any more) in:\n{text}")))?;
                    rest = &rest[place + wanted.len()..];
                }
            }
        }
    }
    Ok(())
}

/// Cases have nothing in common, so they run side by side; a few at a time, because each opens a library.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_case_holds() {
    let only = std::env::var("CASE").ok();
    let places = Arc::new(Semaphore::new(8));
    let mut running = JoinSet::new();
    for path in case_files(&folder()) {
        let name = path.strip_prefix(folder()).unwrap().display().to_string();
        if only.as_ref().is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let case = Case::parse(&name, &std::fs::read_to_string(&path).unwrap()).unwrap_or_else(|reason| panic!("{reason}"));
        let places = Arc::clone(&places);
        running.spawn(async move {
            let _place = places.acquire_owned().await;
            run(&case).await
        });
    }
    let outcomes = running.join_all().await;
    let count = outcomes.len();
    let mut failures: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    failures.sort();
    assert!(failures.is_empty(), "{} of {count} cases fail:\n\n{}", failures.len(), failures.join("\n\n"));
    assert!(only.is_some() || count >= 35, "only {count} cases were found");
}
