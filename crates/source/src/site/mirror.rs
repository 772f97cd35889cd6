//! The folder of a mirror: what is in it, and how it changes without ever listing what is not there.
//!
//! Files that nobody lists yet are written at once. Files that the manifest in force lists are replaced together, at the end, right before the new
//! manifest; a refresh that fails before then has changed nothing that anybody reads.

use std::collections::HashSet;
use std::path::Path;

use super::SiteError;
use super::manifest::{MANIFEST, Manifest};
use super::state::{STATE, State};
use crate::folder::{Folder, FolderError, WalkRules};

/// The copies of `decisions.json` and `llms.txt` in the mirror.
pub(super) const INDEX: &str = "decisions.json";
pub(super) const LLMS: &str = "llms.txt";

/// How many bytes of replacements are held back. Beyond it they are written early: newer than the manifest in force, and still whole.
const MAX_HELD_BYTES: usize = 256 * 1024 * 1024;

/// A mirror while it is refreshed.
#[derive(Debug)]
pub(super) struct Mirror {
    folder: Folder,
    /// What is in force.
    pub(super) old: Option<Manifest>,
    listed: HashSet<String>,
    held: Vec<(String, Vec<u8>)>,
    held_bytes: usize,
    /// Whether any file that somebody reads is another one than before.
    pub(super) has_changed: bool,
}

impl Mirror {
    /// Opens the mirror at `root`, making the folder where there is none.
    pub(super) fn open(root: &Path) -> Result<Self, SiteError> {
        std::fs::create_dir_all(root)
            .map_err(|error| FolderError::Unwritable { path: root.display().to_string(), reason: error.kind().to_string() })?;
        let rules = WalkRules { max_file_bytes: 512 * 1024 * 1024, ..WalkRules::default() };
        let folder = Folder::open(root, rules)?;
        let old = folder.read(MANIFEST).ok().and_then(|raw| Manifest::read(&raw.bytes).ok());
        let listed = old.iter().flat_map(paths).map(str::to_owned).collect();
        Ok(Self { folder, old, listed, held: Vec::new(), held_bytes: 0, has_changed: false })
    }

    /// What is known of the last refresh from `address`.
    pub(super) fn state(&self, address: &str) -> State {
        State::read(&self.read(STATE).unwrap_or_default(), address)
    }

    /// The bytes of a file, where it is there.
    pub(super) fn read(&self, path: &str) -> Option<Vec<u8>> {
        self.folder.read(path).ok().map(|raw| raw.bytes)
    }

    /// Whether a file is there, unread.
    pub(super) fn has(&self, path: &str) -> bool {
        std::fs::symlink_metadata(self.folder.root().join(path)).is_ok_and(|metadata| metadata.is_file())
    }

    /// Whether the manifest in force lists this path.
    pub(super) fn lists(&self, path: &str) -> bool {
        self.listed.contains(path)
    }

    /// Makes `bytes` the content of a record's file, at once or at the end.
    pub(super) fn put(&mut self, path: &str, bytes: Vec<u8>) -> Result<(), SiteError> {
        if self.read(path).is_some_and(|there| there == bytes) {
            return Ok(());
        }
        self.has_changed = true;
        if !self.lists(path) {
            self.folder.write_atomic(path, &bytes, None)?;
            return Ok(());
        }
        self.held_bytes += bytes.len();
        self.held.push((path.to_owned(), bytes));
        if self.held_bytes > MAX_HELD_BYTES { self.release() } else { Ok(()) }
    }

    /// Writes what is held back.
    fn release(&mut self) -> Result<(), SiteError> {
        for (path, bytes) in std::mem::take(&mut self.held) {
            self.folder.write_atomic(&path, &bytes, None)?;
        }
        self.held_bytes = 0;
        Ok(())
    }

    /// Writes one of the mirror's own files.
    pub(super) fn keep(&self, name: &str, bytes: &[u8]) -> Result<(), SiteError> {
        if self.read(name).is_none_or(|there| there != bytes) {
            self.folder.write_atomic(name, bytes, None)?;
        }
        Ok(())
    }

    /// Lets the new manifest take force: replacements, then the manifest, then the removal of what it does not list. True when anything that is
    /// read from the mirror has changed.
    pub(super) fn commit(&mut self, manifest: &Manifest) -> Result<bool, SiteError> {
        self.release()?;
        self.keep(MANIFEST, manifest.write().as_bytes())?;
        let is_same_list = self.old.as_ref().is_some_and(|old| Manifest { checked_ms: manifest.checked_ms, ..old.clone() } == *manifest);
        if !is_same_list || self.has_changed {
            self.sweep(manifest);
        }
        Ok(self.has_changed || !is_same_list)
    }

    /// Removes what nobody lists any more. What cannot be removed is in nobody's way.
    fn sweep(&self, manifest: &Manifest) {
        let listed: HashSet<&str> = paths(manifest).chain([MANIFEST, STATE, INDEX, LLMS]).collect();
        let old = self.listed.iter().map(String::as_str);
        let strays = self.folder.list().files;
        let unlisted: HashSet<&str> = old.chain(strays.iter().map(|file| file.path.as_str())).filter(|path| !listed.contains(path)).collect();
        for path in unlisted {
            let _ = self.folder.remove(path, None);
        }
    }
}

fn paths(manifest: &Manifest) -> impl Iterator<Item = &str> {
    manifest.records.iter().flat_map(|files| std::iter::once(&files.main).chain(&files.sidecars)).map(String::as_str)
}
