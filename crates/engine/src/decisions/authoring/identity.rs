//! The files and the identity of the record at a path, in the company in which it stands or would stand.

use source::formats::decisions::{self, RecordFiles};

use crate::library::Collection;

/// The files of the record at `path`, whether it is there yet or not.
pub(super) fn of(collection: &Collection, path: &str) -> Option<RecordFiles> {
    let listing = collection.folder.list();
    let mut paths: Vec<&str> = listing.files.iter().map(|entry| entry.path.as_str()).collect();
    if !paths.contains(&path) {
        paths.push(path);
    }
    decisions::record_files(&collection.config.name, &paths).into_iter().find(|files| files.main == path)
}
