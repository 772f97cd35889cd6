//! One collection brought up to date: a scan compares all files with the store; a change touches only the records around the changed files.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use document::Problem;
use rayon::prelude::*;
use source::FileEntry;
use source::formats::decisions::{self, ProjectFile, RecordFiles};
use store::{Change, FileRow};

use super::follow::Beside;
use super::mirror;
use super::read::read_unit;
use super::refresh::Syncer;
use crate::library::Collection;
use crate::own_words::OwnWords;
use crate::{Error, ErrorKind, Library, Result};

/// Records that are read and applied at a time.
const BATCH: usize = 512;

/// The name of a project's own description.
const PROJECT_FILE: &str = "_project.yml";

/// Files of a collection as last seen, so that a change need not list the folder again.
#[derive(Default)]
pub(super) struct Known {
    paths: BTreeSet<String>,
    /// Records among them, by main file. An edit of a known file needs no more than a look in here.
    records: Vec<RecordFiles>,
}

/// The path of a changed file below its root, with `/`; `None` where it is the root itself or cannot be told.
pub(super) fn inner_path(below: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = below.components().map(|part| part.as_os_str().to_str()).collect();
    parts.filter(|parts| !parts.is_empty()).map(|parts| {
        use unicode_normalization::UnicodeNormalization as _;
        parts.join("/").nfc().collect()
    })
}

/// Compares all files with the store and applies the difference.
pub(super) async fn scan(syncer: &Syncer, library: &Arc<Library>, collection: &Collection) -> Result<Known> {
    let stored = library.store().files(collection.id);
    let listed = blocking(library, collection, |collection| {
        if collection.remote.as_ref().is_some_and(|remote| remote.is_site()) { mirror::list(collection) } else { list(collection) }
    });
    // The store reads while the folder is walked: at a start both take their time.
    let (listed, rows) = tokio::join!(listed, stored);
    let (Listed { files, records, own, problems }, rows) = (listed?, rows?);
    library.put_own_words(collection.id, own);
    let difference = Difference::between(&files, &records, &rows);
    let known = Known { paths: files.into_iter().map(|entry| entry.path).collect(), records };
    // A scan that finds everything as it was writes nothing.
    let is_same = library.store().collection_problems(collection.id).await? == problems;
    let problems = (!is_same).then_some(problems);
    apply(syncer, library, collection, difference, problems).await?;
    Ok(known)
}

/// What a collection holds, before anything of it is read.
pub(super) struct Listed {
    pub(super) files: Vec<FileEntry>,
    pub(super) records: Vec<RecordFiles>,
    /// What it says of itself and its projects.
    pub(super) own: OwnWords,
    pub(super) problems: Vec<Problem>,
}

fn list(collection: &Collection) -> Listed {
    let listing = collection.folder.list();
    let paths: Vec<&str> = listing.files.iter().map(|entry| entry.path.as_str()).collect();
    let records = decisions::record_files(&collection.config.name, &paths);
    let (projects, mut problems) = read_project_files(collection, &paths);
    problems.extend(listing.problems);
    Listed { files: listing.files, records, own: OwnWords { projects, ..OwnWords::default() }, problems }
}

/// Applies the changes of single files. Changed folders, and files whose folder is not known yet, are scanned for.
pub(super) async fn apply_changes(
    syncer: &Syncer,
    library: &Arc<Library>,
    collection: &Collection,
    known: &mut Known,
    changed: &BTreeSet<String>,
) -> Result<()> {
    let mut touched = BTreeSet::new();
    let mut is_other_listing = false;
    for path in changed {
        if needs_scan(collection, known, path) {
            *known = scan(syncer, library, collection).await?;
            return Ok(());
        }
        let is_there = collection.folder.stat(path).is_some();
        let was_there = known.paths.contains(path);
        match (is_there, was_there) {
            (true, false) => is_other_listing |= known.paths.insert(path.clone()),
            (false, true) => is_other_listing |= known.paths.remove(path),
            (true, true) => {}
            // Never seen and not there now: an editor's temporary file.
            (false, false) => continue,
        }
        touched.insert(path.as_str());
    }
    if touched.is_empty() {
        return Ok(());
    }
    let has_touched_sidecar = |record: &RecordFiles| record.sidecars.iter().any(|path| touched.contains(path.as_str()));
    if !is_other_listing {
        // Records are sorted by their main file; the few that have sidecars are looked at one by one.
        let by_main = touched.iter().filter_map(|path| known.records.binary_search_by(|record| record.main.as_str().cmp(path)).ok());
        let by_sidecar = known.records.iter().enumerate().filter(|(_, record)| has_touched_sidecar(record)).map(|(index, _)| index);
        let indexes: BTreeSet<usize> = by_main.chain(by_sidecar).collect();
        let replaced = indexes.into_iter().map(|index| known.records[index].clone()).collect();
        return apply(syncer, library, collection, Difference { replaced, removed: Vec::new() }, None).await;
    }
    // A file that came or went may change what its neighbours are: which are records, what they are called, which sidecars they have.
    let paths: Vec<&str> = known.paths.iter().map(String::as_str).collect();
    let records = decisions::record_files(&collection.config.name, &paths);
    let before: HashMap<&str, &RecordFiles> = known.records.iter().map(|record| (record.main.as_str(), record)).collect();
    let is_touched = |record: &RecordFiles| touched.contains(record.main.as_str()) || has_touched_sidecar(record);
    let replaced = records.iter().filter(|record| is_touched(record) || before.get(record.main.as_str()) != Some(record)).cloned().collect();
    let after: BTreeSet<&str> = records.iter().map(|record| record.main.as_str()).collect();
    let removed = before.keys().filter(|main| !after.contains(*main)).map(|main| (*main).to_owned()).collect();
    known.records = records;
    apply(syncer, library, collection, Difference { replaced, removed }, None).await
}

/// Whether a changed path may stand for more than itself: a folder, a project's description, or rules of what to ignore.
fn needs_scan(collection: &Collection, known: &Known, path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let below = format!("{path}/");
    let was_folder = known.paths.range(below.clone()..).next().is_some_and(|next| next.starts_with(&below));
    name == PROJECT_FILE || (name.starts_with('.') && name.ends_with("ignore")) || was_folder || collection.root.join(path).is_dir()
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// What must be read again and what must go.
struct Difference {
    replaced: Vec<RecordFiles>,
    removed: Vec<String>,
}

impl Difference {
    fn between(files: &[FileEntry], records: &[RecordFiles], rows: &[FileRow]) -> Self {
        let entries: HashMap<&str, &FileEntry> = files.iter().map(|entry| (entry.path.as_str(), entry)).collect();
        let mut stored: BTreeMap<&str, Vec<&FileRow>> = BTreeMap::new();
        for row in rows {
            stored.entry(row.unit.as_str()).or_default().push(row);
        }
        let mut removed: BTreeSet<&str> = stored.keys().copied().collect();
        let mut replaced = Vec::new();
        for record in records {
            removed.remove(record.main.as_str());
            let known = stored.get(record.main.as_str()).map_or(&[][..], Vec::as_slice);
            let paths = std::iter::once(&record.main).chain(&record.sidecars);
            let is_same = known.len() == 1 + record.sidecars.len()
                && paths.into_iter().all(|path| {
                    let row = known.iter().find(|row| row.path == *path);
                    let entry = entries.get(path.as_str());
                    row.zip(entry).is_some_and(|(row, entry)| {
                        i64::try_from(entry.size_bytes) == Ok(row.size_bytes)
                            && entry.modified_ns == row.modified_ns
                            && entry.inode.cast_signed() == row.inode
                    })
                });
            if !is_same {
                replaced.push(record.clone());
            }
        }
        Self { replaced, removed: removed.into_iter().map(str::to_owned).collect() }
    }
}

/// Reads and applies in batches, the next one read while one is written; all of it happens under the lock, so that two processes never apply an older reading over a newer one.
async fn apply(
    syncer: &Syncer,
    library: &Arc<Library>,
    collection: &Collection,
    difference: Difference,
    problems: Option<Vec<Problem>>,
) -> Result<()> {
    let Difference { replaced, removed } = difference;
    if replaced.is_empty() && removed.is_empty() && problems.is_none() {
        return Ok(());
    }
    syncer.files_in_all.store(replaced.len() as u64, Ordering::Relaxed);
    syncer.files_done.store(0, Ordering::Relaxed);
    let lock = syncer.lock().await?;
    let beside = (replaced.len() > 2 * BATCH).then(|| Beside::start(library));
    let mut batches = replaced.chunks(BATCH);
    let mut next = Some(read_batch(library, collection, batches.next().unwrap_or_default(), removed, problems).await?);
    while let Some(change) = next.take() {
        let now_ms = library.clock().now_ms();
        let applied = library.store().apply(collection.id, &change, now_ms);
        // The next batch is read while this one is written.
        let (applied, read) = match batches.next() {
            Some(batch) => tokio::join!(applied, async { read_batch(library, collection, batch, Vec::new(), None).await.map(Some) }),
            None => (applied.await, Ok(None)),
        };
        applied?;
        next = read?;
        syncer.files_done.fetch_add(change.replaced.len() as u64, Ordering::Relaxed);
        if let Some(beside) = &beside {
            beside.tell();
        }
    }
    drop(lock);
    if let Some(beside) = beside {
        beside.finish().await;
    }
    syncer.files_in_all.store(0, Ordering::Relaxed);
    Ok(())
}

/// Reads the files of some records, in parallel.
async fn read_batch(
    library: &Arc<Library>,
    collection: &Collection,
    batch: &[RecordFiles],
    removed: Vec<String>,
    problems: Option<Vec<Problem>>,
) -> Result<Change> {
    let batch = batch.to_vec();
    let now_ms = library.clock().now_ms();
    let change = blocking(library, collection, move |collection| {
        let replaced = batch.par_iter().map(|files| read_unit(&collection.folder, files, now_ms)).collect();
        Change { replaced, removed: still_removed(collection, removed), collection_problems: problems }
    });
    change.await
}

/// Of the records that were gone, those that still are: what came back in the meantime is not removed. A file that is there may be no record any more
/// by the company that it keeps; then one look at the whole folder decides for all.
fn still_removed(collection: &Collection, mut removed: Vec<String>) -> Vec<String> {
    if removed.iter().any(|main| collection.folder.stat(main).is_some()) {
        let listing = collection.folder.list();
        let paths: Vec<&str> = listing.files.iter().map(|entry| entry.path.as_str()).collect();
        let records = decisions::record_files(&collection.config.name, &paths);
        removed.retain(|main| records.binary_search_by(|record| record.main.cmp(main)).is_err());
    }
    removed
}

/// `_project.yml` files: of a project's folder, or of the root, which then describes the project named like the collection.
fn read_project_files(collection: &Collection, paths: &[&str]) -> (Vec<(String, ProjectFile)>, Vec<Problem>) {
    let mut files = Vec::new();
    let mut problems = Vec::new();
    for path in paths.iter().filter(|path| path.rsplit('/').next() == Some(PROJECT_FILE)) {
        match collection.folder.read(path) {
            Ok(raw) => {
                let (file, found) = decisions::read_project_file(&raw);
                problems.extend(found);
                let folder = folder_of(path);
                let project = if folder.is_empty() { collection.config.name.clone() } else { folder.rsplit('/').next().unwrap_or(folder).to_owned() };
                files.push((project, file));
            }
            Err(error) => problems.push(Problem::new("unreadable", document::Severity::Error, path, error.to_string())),
        }
    }
    (files, problems)
}

/// Runs file work off the async threads.
async fn blocking<T: Send + 'static>(
    library: &Arc<Library>,
    collection: &Collection,
    work: impl FnOnce(&Collection) -> T + Send + 'static,
) -> Result<T> {
    let library = Arc::clone(library);
    let id = collection.id;
    let task = tokio::task::spawn_blocking(move || library.collections().iter().find(|collection| collection.id == id).map(work));
    let failed = |reason: String| Error::new(ErrorKind::Unreachable, format!("Reading files failed: {reason}."));
    task.await.map_err(|error| failed(error.to_string()))?.ok_or_else(|| failed("the collection is gone".to_owned()))
}
