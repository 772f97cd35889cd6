//! `ibid doctor`: what is wrong with the set-up, and how to mend it. Each check says what it looked at.

use std::sync::Arc;

use engine::{Library, OpenOptions, StateFolder};
use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{commands::serve, exit, open, output};

/// The outcome of one check.
struct Check {
    name: &'static str,
    /// What was found; with the way to mend it where it is wrong.
    outcome: Result<String, (String, Option<String>)>,
}

impl Check {
    fn good(name: &'static str, found: impl Into<String>) -> Self {
        Self { name, outcome: Ok(found.into()) }
    }

    fn bad(name: &'static str, found: impl Into<String>, mend: Option<String>) -> Self {
        Self { name, outcome: Err((found.into(), mend)) }
    }

    fn failed(name: &'static str, error: &anyhow::Error) -> Self {
        match error.downcast_ref::<engine::Error>() {
            Some(error) => Self::bad(name, error.message.clone(), error.hint.clone()),
            None => Self::bad(name, error.to_string(), None),
        }
    }
}

/// Looks at everything; exit 1 when something is wrong.
pub async fn run(global: &Global) -> anyhow::Result<u8> {
    let checks = checks(global).await;
    let wrong = checks.iter().filter(|check| check.outcome.is_err()).count();
    if global.json {
        let listed: Vec<_> = checks
            .iter()
            .map(|check| match &check.outcome {
                Ok(found) => json!({"check": check.name, "ok": true, "found": found}),
                Err((found, mend)) => json!({"check": check.name, "ok": false, "found": found, "mend": mend}),
            })
            .collect();
        output::print_json(&json!({"checks": listed, "wrong": wrong}))?;
    } else {
        let lines: String = checks
            .iter()
            .map(|check| match &check.outcome {
                Ok(found) => format!("ok     {:14} {found}\n", check.name),
                Err((found, mend)) => format!(
                    "wrong  {:14} {found}\n{}",
                    check.name,
                    mend.as_ref().map_or_else(String::new, |mend| format!("       {:14} {mend}\n", ""))
                ),
            })
            .collect();
        output::print(&lines)?;
    }
    Ok(if wrong > 0 { exit::ANSWER_IS_NO } else { exit::DONE })
}

async fn checks(global: &Global) -> Vec<Check> {
    let mut checks = Vec::new();
    let config = match open::config(global, &[], None) {
        Ok(config) => config,
        Err(error) => return vec![Check::failed("configuration", &error)],
    };
    let files: Vec<String> = config.files.iter().map(|file| file.display().to_string()).collect();
    checks.push(Check::good("configuration", if files.is_empty() { "no file; defaults and flags".to_owned() } else { files.join(", ") }));
    for notice in &config.notices {
        checks.push(Check::bad("trust", notice.clone(), Some(format!("Move it to {}.", open::user_folder().join("ibid.toml").display()))));
    }
    let state = match StateFolder::at(&open::state_root()) {
        Ok(state) => state,
        Err(error) => {
            checks.push(Check::failed("state folder", &error.into()));
            return checks;
        }
    };
    checks.push(Check::good("state folder", state.root().display().to_string()));
    match Library::open(OpenOptions::new(config, state)).await {
        Ok(library) => {
            checks.push(Check::good("store", "opens, and its schema is known"));
            library_checks(&library, &mut checks).await;
        }
        Err(error) => checks.push(Check::failed("library", &error.into())),
    }
    checks
}

async fn library_checks(library: &Arc<Library>, checks: &mut Vec<Check>) {
    let freshness = output::bring_up_to_date(library).await;
    checks.push(match freshness.stale_reason {
        None => Check::good("freshness", format!("every change up to now is indexed (sequence {})", freshness.sequence)),
        Some(reason) => Check::bad("freshness", reason, Some("Answers say stale: true until this is mended.".to_owned())),
    });
    let status = match library.status().await {
        Ok(status) => status,
        Err(error) => {
            checks.push(Check::failed("status", &error.into()));
            return;
        }
    };
    checks.push(match &status.watching {
        Ok(()) => Check::good("watching", "the system tells of changes"),
        Err(reason) => Check::bad(
            "watching",
            format!("folders are scanned before each answer: {reason}"),
            Some("Answers stay right, but slower. On Linux raise fs.inotify.max_user_watches, or keep the library on a local disk.".to_owned()),
        ),
    });
    checks.push(if status.indexed_sequence >= status.sequence {
        Check::good("index", format!("{} passages, {:.1} MB, up to date", status.passages, status.index_size_bytes as f64 / 1e6))
    } else {
        Check::bad(
            "index",
            format!("it stands at {} of {}", status.indexed_sequence, status.sequence),
            Some(format!("Stop all ibid processes and delete {}; the next start builds it again.", status.folder.join("index").display())),
        )
    });
    for collection in &status.collections {
        if let Some(failure) = collection.remote.as_ref().and_then(|remote| remote.failure.as_ref()) {
            let way_on = "Answers come from the copy of the last time. ibid sync tries again.".to_owned();
            checks.push(Check::bad("remote", format!("{}: {failure}", collection.name), Some(way_on)));
        }
        checks.push(if collection.documents == 0 {
            Check::bad(
                "collection",
                format!("{} has no documents in {}", collection.name, collection.origin.shown()),
                Some("Is it the folder of the records? See docs/reference/decision-records.md for what counts as one.".to_owned()),
            )
        } else {
            Check::good(
                "collection",
                format!("{}: {} documents, {} errors, {} warnings", collection.name, collection.documents, collection.errors, collection.warnings),
            )
        });
    }
    checks.push(Check::good("token", format!("{}, readable by its owner only", library.tokens().owner_path().display())));
    checks.push(Check::good("serving", serve::running(&status.folder).map_or_else(|| "not over HTTP".to_owned(), |site| format!("at {site}"))));
}
