//! `ibid status`: what is indexed, how fresh, and where it lies.

use std::fmt::Write as _;

use engine::{Freshness, LibraryStatus, RemoteStatus};
use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{commands::serve, exit, open, output};

/// Prints the library's standing.
pub async fn run(global: &Global) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    let freshness = output::bring_up_to_date(&library).await;
    let status = library.status().await?;
    let served = serve::running(&status.folder);
    let sign_in = served.as_deref().and_then(|site| serve::sign_in_link(site, library.tokens().owner_secret()));
    if global.json {
        let collections: Vec<_> = status
            .collections
            .iter()
            .map(|collection| {
                json!({"name": collection.name, "kind": collection.kind.as_str(), "path": collection.origin.shown(), "remote": collection.remote.as_ref().map(remote_json), "documents": collection.documents,
                "errors": collection.errors, "warnings": collection.warnings, "notes": collection.notes})
            })
            .collect();
        output::print_json(
            &json!({"name": status.name, "collections": collections, "stale": freshness.is_stale(), "stale_reason": freshness.stale_reason,
            "sequence": status.sequence, "indexed_sequence": status.indexed_sequence, "passages": status.passages, "index_size_bytes": status.index_size_bytes,
            "watched": status.watching.is_ok(), "folder": status.folder, "served_at": served, "sign_in": sign_in}),
        )?;
    } else {
        let mut text = shown(&status, &freshness, served.as_deref());
        if let Some(link) = sign_in {
            let _ = writeln!(text, "sign in (works once, for ten minutes): {link}");
        }
        output::print(&text)?;
    }
    Ok(exit::DONE)
}

fn remote_json(remote: &RemoteStatus) -> serde_json::Value {
    json!({"checked": remote.checked_ms.map(engine::rfc3339), "commit": remote.commit, "failure": remote.failure})
}

/// Since when the copy is what the other side had, and what went wrong since.
fn remote_line(remote: &RemoteStatus) -> String {
    let mut line = match (remote.checked_ms, &remote.commit) {
        (Some(checked_ms), Some(commit)) => format!("commit {}, fetched {}", commit.get(..12).unwrap_or(commit), engine::rfc3339(checked_ms)),
        (Some(checked_ms), None) => format!("asked {}", engine::rfc3339(checked_ms)),
        (None, _) => "never reached".to_owned(),
    };
    if let Some(failure) = &remote.failure {
        line.push_str("; ");
        line.push_str(failure);
    }
    line
}

fn shown(status: &LibraryStatus, freshness: &Freshness, served: Option<&str>) -> String {
    let mut out = format!("{}\n", status.name);
    let width = status.collections.iter().map(|collection| collection.name.len()).max().unwrap_or_default();
    for collection in &status.collections {
        let _ = writeln!(
            out,
            "  {:width$}  {}  {} documents, {} errors, {} warnings  {}",
            collection.name,
            collection.kind,
            collection.documents,
            collection.errors,
            collection.warnings,
            collection.origin.shown()
        );
        if let Some(remote) = &collection.remote {
            let _ = writeln!(out, "  {:width$}  {}", "", remote_line(remote));
        }
    }
    let _ = match &freshness.stale_reason {
        None => {
            writeln!(out, "fresh: every change up to now is indexed ({} passages, {:.1} MB)", status.passages, status.index_size_bytes as f64 / 1e6)
        }
        Some(reason) => writeln!(out, "stale: {reason}"),
    };
    let _ = match &status.watching {
        Ok(()) => writeln!(out, "changes: told by the system"),
        Err(reason) => writeln!(out, "changes: found by scanning before each answer ({reason})"),
    };
    let _ = writeln!(out, "state: {}", status.folder.display());
    let _ = match served {
        Some(address) => writeln!(out, "served at: {address}"),
        None => writeln!(out, "served: not by ibid serve"),
    };
    out
}
