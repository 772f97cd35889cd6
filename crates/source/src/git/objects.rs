//! What git prints about trees and objects, taken apart.

use std::ffi::OsString;

use super::error::GitError;
use super::ids::ObjectId;

/// One line of `git ls-tree -z`.
pub(super) struct Entry {
    /// Whether it is an ordinary file: no link, no submodule.
    pub is_file: bool,
    pub id: ObjectId,
    /// With `-l` only.
    pub size_bytes: Option<u64>,
    pub path: Vec<u8>,
}

impl Entry {
    /// Its path as ibid shows it.
    pub(super) fn shown_path(&self) -> String {
        shown(&self.path)
    }
}

/// Reads `<mode> SP <type> SP <id> [SP+ <size>] TAB <path>`, each ended by NUL. What does not read so is left out.
pub(super) fn entries(output: &[u8]) -> impl Iterator<Item = Entry> {
    output.split(|byte| *byte == 0).filter_map(|record| {
        let tab = record.iter().position(|byte| *byte == b'\t')?;
        let (facts, path) = (record.get(..tab)?, record.get(tab + 1..)?);
        let mut facts = std::str::from_utf8(facts).ok()?.split_ascii_whitespace();
        let (mode, kind, id, size) = (facts.next()?, facts.next()?, facts.next()?, facts.next());
        let is_file = kind == "blob" && matches!(mode, "100644" | "100755" | "100664");
        Some(Entry { is_file, id: ObjectId::parse(id)?, size_bytes: size.and_then(|size| size.parse().ok()), path: path.to_vec() })
    })
}

/// A path of git as ibid shows paths: in NFC, bad bytes as U+FFFD.
pub(super) fn shown(path: &[u8]) -> String {
    crate::folder::names::visible(&os(path))
}

/// A path of git as the system has it.
#[cfg(unix)]
pub(super) fn os(path: &[u8]) -> OsString {
    std::os::unix::ffi::OsStringExt::from_vec(path.to_vec())
}

/// A path of git as the system has it.
#[cfg(not(unix))]
pub(super) fn os(path: &[u8]) -> OsString {
    String::from_utf8_lossy(path).into_owned().into()
}

/// The sizes in the output of `git cat-file --batch-check`, in the order of the questions; `None` for what is missing or no file's content.
pub(super) fn sizes(output: &[u8]) -> Vec<Option<u64>> {
    let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    lines.map(|line| std::str::from_utf8(line).ok().and_then(blob_size)).collect()
}

fn blob_size(header: &str) -> Option<u64> {
    let mut words = header.split(' ');
    let (_, kind, size) = (words.next()?, words.next()?, words.next()?);
    (kind == "blob").then(|| size.parse().ok()).flatten()
}

/// The contents in the output of `git cat-file --batch`, in order.
pub(super) fn contents(mut output: &[u8], action: &str) -> Result<Vec<Vec<u8>>, GitError> {
    let broken = || GitError::failed(action, "git answered in a form that is not known");
    let mut all = Vec::new();
    while !output.is_empty() {
        let end = output.iter().position(|byte| *byte == b'\n').ok_or_else(broken)?;
        let header = output.get(..end).and_then(|line| std::str::from_utf8(line).ok());
        let size = header.and_then(blob_size).and_then(|size| usize::try_from(size).ok()).ok_or_else(broken)?;
        let content = output.get(end + 1..).and_then(|rest| rest.get(..size)).ok_or_else(broken)?;
        all.push(content.to_vec());
        // A line break ends each.
        output = output.get(end + 1 + size + 1..).ok_or_else(broken)?;
    }
    Ok(all)
}
