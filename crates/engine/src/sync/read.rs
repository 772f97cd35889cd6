//! Reading units: the files of one record, read together into documents and problems. Nothing here can fail; what goes wrong becomes a problem.

use document::{Problem, Severity};
use source::RawFile;
use source::folder::{Folder, FolderError};
use source::formats::decisions::{self, RecordFiles};
use store::{FileRow, Unit};

/// Endings of files that are looked at. Everything else in a folder is invisible.
pub(crate) fn read_extensions() -> Vec<String> {
    ["md", "markdown", "mdown", "mkd", "mdx", "rst", "adoc", "asciidoc", "txt", "yaml", "yml"].into_iter().map(str::to_owned).collect()
}

/// Reads one record's files. Times and sizes are taken before the bytes, so that a change in between is seen as a change later.
pub(super) fn read_unit(folder: &Folder, files: &RecordFiles, now_ms: i64) -> Unit {
    let mut problems = Vec::new();
    let mut rows = Vec::new();
    let mut take = |path: &str| {
        let entry = folder.stat(path);
        let raw = match folder.read(path) {
            Ok(raw) => raw,
            Err(error) => {
                problems.push(problem(path, &error));
                RawFile { path: path.to_owned(), bytes: Vec::new() }
            }
        };
        if let Some(entry) = entry {
            let (size_bytes, inode) = (i64::try_from(entry.size_bytes).unwrap_or(i64::MAX), entry.inode.cast_signed());
            rows.push(FileRow {
                path: path.to_owned(),
                size_bytes,
                modified_ns: trusted_time(entry.modified_ns, now_ms),
                inode,
                unit: files.main.clone(),
            });
        }
        raw
    };
    let main = take(&files.main);
    let sidecars: Vec<RawFile> = files.sidecars.iter().map(|path| take(path)).collect();
    let parsed = decisions::read(files, &main, &sidecars);
    problems.extend(parsed.problems);
    Unit { main: files.main.clone(), files: rows, documents: parsed.documents, problems }
}

/// A file changed in the very tick of the clock in which it was read can change again without its time moving; such a time is not kept, so that
/// the next scan reads the file again (git calls such entries racy).
fn trusted_time(modified_ns: i64, now_ms: i64) -> i64 {
    const TICK_MS: i64 = 100;
    if modified_ns / 1_000_000 >= now_ms - TICK_MS { 0 } else { modified_ns }
}

fn problem(path: &str, error: &FolderError) -> Problem {
    let code = match error {
        FolderError::TooLarge { .. } => "too-large",
        _ => "unreadable",
    };
    Problem::new(code, Severity::Error, path, error.to_string()).hint("The record is listed by its name only.")
}
