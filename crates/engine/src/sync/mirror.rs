//! The mirror of a published site, as the manifest lists it: ids, projects, statuses and fields are the site's own.

use document::{Problem, Severity};
use source::FileEntry;
use source::site::{MANIFEST, Manifest};

use super::collection::Listed;
use crate::decisions::{Status, Statuses};
use crate::library::Collection;
use crate::own_words::OwnWords;

/// What the mirror holds; nothing while there is none.
pub(super) fn list(collection: &Collection) -> Listed {
    let read = collection.folder.read(MANIFEST).ok().map(|raw| Manifest::read(&raw.bytes));
    let manifest = match read {
        None => Manifest::default(),
        Some(Ok(manifest)) => manifest,
        Some(Err(error)) => {
            let problem = Problem::new("unreadable", Severity::Error, MANIFEST, error.to_string());
            let problems = vec![problem.hint("ibid sync makes the mirror anew.")];
            return Listed { files: Vec::new(), records: Vec::new(), own: OwnWords::default(), problems };
        }
    };
    let paths = manifest.records.iter().flat_map(|record| std::iter::once(&record.main).chain(&record.sidecars));
    let files: Vec<FileEntry> = paths.filter_map(|path| collection.folder.stat(path)).collect();
    let published =
        manifest.statuses.iter().map(|status| Status { name: status.name.clone(), is_current: status.is_current, is_open: status.is_open });
    let own = OwnWords {
        projects: manifest.projects,
        statuses: (!manifest.statuses.is_empty()).then(|| Statuses::new(published.collect())),
        fields: manifest.fields,
    };
    let problems = collection.remote.as_ref().map(|remote| remote.problems()).unwrap_or_default();
    Listed { files, records: manifest.records, own, problems }
}
