//! `ibid sync`: fetches repositories and published sites now, and says what came of it.

use std::fmt::Write as _;

use engine::RemoteStatus;
use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Fetches what lies elsewhere; exit 69 when something could not be reached, whose copy stays as it was.
pub async fn run(global: &Global) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    library.sync_remotes().await;
    let status = library.status().await?;
    let remotes: Vec<(&str, String, &RemoteStatus, i64)> = status
        .collections
        .iter()
        .filter_map(|collection| {
            let remote = collection.remote.as_ref()?;
            Some((collection.name.as_str(), collection.origin.shown(), remote, collection.documents))
        })
        .collect();
    let has_failed = remotes.iter().any(|(_, _, remote, _)| remote.failure.is_some());
    if global.json {
        let listed: Vec<_> = remotes
            .iter()
            .map(|(name, origin, remote, documents)| {
                json!({"name": name, "origin": origin, "checked": remote.checked_ms.map(engine::rfc3339), "commit": remote.commit,
                    "failure": remote.failure, "documents": documents})
            })
            .collect();
        output::print_json(&json!({ "collections": listed }))?;
    } else if remotes.is_empty() {
        output::print("Nothing to fetch: every collection is a folder of this machine, and those are never out of date.")?;
    } else {
        let mut out = String::new();
        for (name, origin, remote, documents) in &remotes {
            let _ = match (&remote.failure, &remote.commit) {
                (Some(failure), _) => writeln!(out, "{name}  failed: {failure} The copy stays: {documents} documents."),
                (None, Some(commit)) => writeln!(out, "{name}  {origin}  commit {}, {documents} documents", commit.get(..12).unwrap_or(commit)),
                (None, None) => writeln!(out, "{name}  {origin}  {documents} documents"),
            };
        }
        output::print(out.trim_end())?;
    }
    Ok(if has_failed { exit::UNREACHABLE } else { exit::DONE })
}
