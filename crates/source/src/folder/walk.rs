//! The walk: every file once, in the order of its path, by the rules; what cannot be walked becomes a problem.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};

use cap_std::fs::{Dir, DirEntry, FileType, Metadata, MetadataExt as _};
use document::{Problem, Severity};

use super::crew::{Branch, Crew};
use super::ignored::{Ignored, holds_file, ignore_files};
use super::skipped::{BUILD_FILES, IGNORE_FILES, MARKERS, is_skipped_file, is_skipped_folder};
use super::{Folder, FolderError, FolderLink, Listing, is_loop, leads_out, names, special_name, warning};
use crate::FileEntry;

/// Folders nested deeper than this are a problem. One handle is open for each level.
const MAX_DEPTH: usize = 128;

/// Permission to read for anybody at all.
const ANY_READ: u32 = 0o444;

pub(super) struct Walk<'a, 'b> {
    folder: &'a Folder,
    /// Others who may take sub-folders over.
    crew: Option<&'b Crew<'a>>,
    ignored: Ignored<'a>,
    listing: Listing,
    /// Who may read everything, whatever a file's permissions say.
    is_superuser: bool,
}

/// One entry of a folder.
struct Item {
    name: OsString,
    shown: String,
    kind: FileType,
    entry: DirEntry,
}

impl<'a, 'b> Walk<'a, 'b> {
    pub(super) fn new(folder: &'a Folder) -> Self {
        Self { folder, crew: None, ignored: Ignored::new(&folder.configured), listing: Listing::default(), is_superuser: is_superuser() }
    }

    /// A walk that goes on from somewhere, adding to a listing.
    pub(super) fn of_crew(folder: &'a Folder, crew: &'b Crew<'a>, ignored: Ignored<'a>, listing: Listing) -> Self {
        Self { crew: Some(crew), ignored, listing, ..Self::new(folder) }
    }

    pub(super) fn branch(mut self, branch: Branch<'a>) -> Listing {
        self.walk(&branch.dir, &branch.path, branch.own_name.as_deref(), branch.depth);
        self.listing
    }

    pub(super) fn whole(mut self, root: &Dir) -> Listing {
        let Ok(dir) = root.try_clone() else { return self.listing };
        let first = Branch { dir, path: String::new(), own_name: None, depth: 0, ignored: self.ignored.clone() };
        self.listing = Crew::walk(self.folder, first);
        self.finished(root)
    }

    /// Only what lies below the folder `path`.
    pub(super) fn below(mut self, root: &Dir, path: &str) -> Listing {
        let Ok(parts) = names::parts(path) else { return self.listing };
        let Some((dir, depth)) = self.descend(root, &parts) else { return self.listing };
        self.listing = Listing::default();
        self.walk(&dir, path, parts.last().map(OsStr::new), depth);
        self.finished(root)
    }

    fn finished(mut self, root: &Dir) -> Listing {
        self.resolve_links(root);
        self.listing.problems.sort_by(|left, right| (&left.path, left.line_number, &left.code).cmp(&(&right.path, right.line_number, &right.code)));
        self.listing
    }

    /// Only the file `path`.
    pub(super) fn one(mut self, root: &Dir, path: &str) -> Option<FileEntry> {
        let parts = names::parts(path).ok()?;
        let (name, parents) = parts.split_last()?;
        let (dir, _) = self.descend(root, parents)?;
        if MARKERS.iter().any(|marker| !parents.is_empty() && holds_file(&dir, marker)) {
            return None;
        }
        let relative = parents.join("/");
        self.ignored.enter(&dir, &relative, &ignore_files(&dir), &mut self.listing.problems);
        let stored = names::stored(&dir, name);
        let metadata = dir.symlink_metadata(&stored).ok()?;
        if !metadata.is_file() || is_skipped_file(&stored) || self.is_left_out(path, name, false) {
            return None;
        }
        Some(entry_of(path.to_owned(), &metadata))
    }

    /// Goes down to a folder by the rules of the walk, taking up the ignore rules of the folders above it.
    fn descend(&mut self, root: &Dir, parts: &[&str]) -> Option<(Dir, usize)> {
        let mut dir = root.try_clone().ok()?;
        let mut relative = String::new();
        for (depth, part) in parts.iter().enumerate() {
            if depth > 0 && MARKERS.iter().any(|marker| holds_file(&dir, marker)) {
                return None;
            }
            self.ignored.enter(&dir, &relative, &ignore_files(&dir), &mut self.listing.problems);
            let stored = names::stored(&dir, part);
            let parent = depth.checked_sub(1).and_then(|above| parts.get(above)).map(OsStr::new);
            let beside_build_file = *part == "target" && BUILD_FILES.iter().any(|name| holds_file(&dir, name));
            if !relative.is_empty() {
                relative.push('/');
            }
            relative.push_str(part);
            if is_skipped_folder(&stored, parent, beside_build_file) || self.is_left_out(&relative, part, true) {
                return None;
            }
            // A link on the way means that the walk finds this under another path.
            if !dir.symlink_metadata(&stored).ok()?.is_dir() {
                return None;
            }
            dir = dir.open_dir(&stored).ok()?;
        }
        Some((dir, parts.len()))
    }

    fn is_left_out(&self, relative: &str, name: &str, is_folder: bool) -> bool {
        let rules = &self.folder.rules;
        (!rules.include_hidden && name.starts_with('.')) || (!is_folder && !rules.admits_file(name)) || self.ignored.is_ignored(relative, is_folder)
    }

    fn walk(&mut self, dir: &Dir, relative: &str, own_name: Option<&OsStr>, depth: usize) {
        if depth > MAX_DEPTH {
            self.listing.problems.push(warning(
                "too-deep",
                relative,
                format!("`{relative}` is more than {MAX_DEPTH} folders deep and was not walked."),
            ));
            return;
        }
        let items = match self.items(dir, relative, depth) {
            Ok(Some(items)) => items,
            Ok(None) => return,
            Err(error) => {
                self.listing.problems.push(super::read_error(relative, &error).problem(relative));
                return;
            }
        };
        let present: Vec<&str> =
            IGNORE_FILES.into_iter().filter(|name| items.iter().any(|item| item.kind.is_file() && item.shown == *name)).collect();
        let entered = self.ignored.enter(dir, relative, &present, &mut self.listing.problems);
        let has_target = items.iter().any(|item| item.shown == "target");
        let beside_build_file = has_target && items.iter().any(|item| item.kind.is_file() && BUILD_FILES.contains(&item.shown.as_str()));
        for item in items {
            let path = if relative.is_empty() { item.shown.clone() } else { [relative, "/", &item.shown].concat() };
            if item.kind.is_dir() {
                if is_skipped_folder(&item.name, own_name, beside_build_file) || self.is_left_out(&path, &item.shown, true) {
                    continue;
                }
                match dir.open_dir(&item.name) {
                    Ok(dir) => {
                        drop(item.entry);
                        match self.crew.filter(|crew| crew.is_hungry()) {
                            Some(crew) => crew.give(Branch { dir, path, own_name: Some(item.name), depth: depth + 1, ignored: self.ignored.clone() }),
                            None => self.walk(&dir, &path, Some(&item.name), depth + 1),
                        }
                    }
                    Err(error) => self.gone_or_problem(&path, &error),
                }
            } else {
                self.leaf(item, path);
            }
        }
        if entered {
            self.ignored.leave();
        }
    }

    /// The entries in the order of their paths; `None` when a marker says that the folder can be made again.
    fn items(&mut self, dir: &Dir, relative: &str, depth: usize) -> std::io::Result<Option<Vec<Item>>> {
        let mut items = Vec::new();
        let mut is_plain = true;
        for entry in dir.entries()? {
            let Ok(entry) = entry else { continue };
            let name = entry.file_name();
            let Ok(kind) = entry.file_type() else { continue };
            if depth > 0 && kind.is_file() && MARKERS.iter().any(|marker| name == *marker) {
                return Ok(None);
            }
            let shown = names::visible(&name);
            is_plain &= shown.is_ascii();
            items.push(Item { name, shown, kind, entry });
        }
        // `a.md` comes before `a/b.md` in the order of whole paths, so a folder sorts as if its name ended in `/`.
        let key = |item: &Item| (item.kind.is_dir(), item.name.as_os_str() != OsStr::new(&item.shown));
        items.sort_unstable_by(|left, right| {
            let bytes = |item: &'_ Item| item.kind.is_dir().then_some(b'/');
            left.shown.bytes().chain(bytes(left)).cmp(right.shown.bytes().chain(bytes(right))).then_with(|| key(left).cmp(&key(right)))
        });
        if !is_plain {
            self.report_names(&mut items, relative);
        }
        Ok(Some(items))
    }

    /// Drops the second of two names that show alike, and reports names that are no text.
    fn report_names(&mut self, items: &mut Vec<Item>, relative: &str) {
        let mut seen = HashSet::new();
        let problems = &mut self.listing.problems;
        // Where two show alike, the one that is stored as it is shown is found by `read`, so it is the one to keep.
        let exact: HashSet<String> = items.iter().filter(|item| item.name == *item.shown).map(|item| item.shown.clone()).collect();
        items.retain(|item| {
            if item.shown.is_ascii() {
                return true;
            }
            let path = if relative.is_empty() { item.shown.clone() } else { format!("{relative}/{}", item.shown) };
            if item.name.to_str().is_none() {
                let message = format!("The name of `{path}` is not UTF-8; it is shown with U+FFFD in place of the bytes that are no text.");
                problems.push(warning("name-not-utf8", &path, message).hint("Rename the file."));
            }
            let is_kept = (item.name == *item.shown || !exact.contains(&item.shown)) && seen.insert(item.shown.clone());
            if !is_kept {
                let message = format!("Two entries are called `{path}` once their names are in NFC; only one of them is read.");
                problems.push(warning("name-twice", &path, message).hint("Rename one of them."));
            }
            is_kept
        });
    }

    fn leaf(&mut self, item: Item, path: String) {
        if is_skipped_file(&item.name) {
            return;
        }
        if item.kind.is_symlink() {
            // A link may lead to a folder, so what only holds for files is not asked yet; patterns that name folders hold for it as for git.
            if (self.folder.rules.include_hidden || !item.shown.starts_with('.')) && !self.ignored.is_ignored(&path, false) {
                self.listing.links.push(FolderLink { path, target: String::new(), is_folder: false });
            }
            return;
        }
        if self.is_left_out(&path, &item.shown, false) {
            return;
        }
        if !item.kind.is_file() {
            let what = special_name(item.kind);
            let message = format!("`{path}` is {what}; it is not read.");
            self.listing.problems.push(Problem::new("special-file", Severity::Note, &path, message));
            return;
        }
        let metadata = match item.entry.metadata() {
            Ok(metadata) => metadata,
            Err(error) => return self.gone_or_problem(&path, &error),
        };
        let limit_bytes = self.folder.rules.max_file_bytes;
        if metadata.len() > limit_bytes {
            let error = FolderError::TooLarge { path: path.clone(), size_bytes: metadata.len(), limit_bytes };
            self.listing.problems.push(error.problem(&path));
        }
        if !self.is_superuser && mode(&metadata) & ANY_READ == 0 {
            let error = FolderError::Unreadable { path: path.clone(), reason: "nobody has permission to read it".to_owned() };
            self.listing.problems.push(error.problem(&path));
        }
        self.listing.files.push(entry_of(path, &metadata));
    }

    /// What went away during the walk is no problem: the listing is of the folder without it.
    fn gone_or_problem(&mut self, path: &str, error: &std::io::Error) {
        if error.kind() != std::io::ErrorKind::NotFound {
            self.listing.problems.push(super::read_error(path, error).problem(path));
        }
    }

    /// Finds out where the links lead, and turns those that lead nowhere good into problems.
    fn resolve_links(&mut self, root: &Dir) {
        for mut link in std::mem::take(&mut self.listing.links) {
            match self.target_of(root, &link.path) {
                Ok((target, is_folder)) => {
                    let holds_the_link =
                        is_folder && (target.is_empty() || link.path.strip_prefix(&target).is_some_and(|rest| rest.starts_with('/')));
                    if holds_the_link {
                        let error = FolderError::LinkLoop { path: link.path.clone() };
                        self.listing.problems.push(Problem { severity: Severity::Warning, ..error.problem(&link.path) });
                        continue;
                    }
                    link.target = target;
                    link.is_folder = is_folder;
                    self.listing.links.push(link);
                }
                Err(FolderError::NotFound { .. }) => {
                    let message = format!("The link `{}` leads to nothing.", link.path);
                    self.listing.problems.push(warning("link-broken", &link.path, message));
                }
                Err(error) => self.listing.problems.push(Problem { severity: Severity::Warning, ..error.problem(&link.path) }),
            }
        }
    }

    fn target_of(&self, root: &Dir, path: &str) -> Result<(String, bool), FolderError> {
        let mut stored = super::stored_path(root, path)?;
        for _ in 0..8 {
            match root.canonicalize(&stored) {
                Ok(target) => {
                    let is_folder = root.metadata(&target).is_ok_and(|metadata| metadata.is_dir());
                    let shown: Vec<String> = target.iter().filter(|part| *part != ".").map(names::visible).collect();
                    return Ok((shown.join("/"), is_folder));
                }
                Err(error) if is_loop(&error) => return Err(FolderError::LinkLoop { path: path.to_owned() }),
                Err(error) if leads_out(&error) => match self.folder.inner_target(root, &stored) {
                    Some(target) => stored = target,
                    None if root.read_link_contents(&stored).is_ok_and(|target| target == self.folder.root) => return Ok((String::new(), true)),
                    None => return Err(FolderError::LinkOut { path: path.to_owned() }),
                },
                Err(error) => return Err(super::read_error(path, &error)),
            }
        }
        Err(FolderError::LinkLoop { path: path.to_owned() })
    }
}

fn entry_of(path: String, metadata: &Metadata) -> FileEntry {
    FileEntry { path, size_bytes: metadata.len(), modified_ns: modified_ns(metadata), inode: inode(metadata) }
}

#[cfg(unix)]
fn modified_ns(metadata: &Metadata) -> i64 {
    metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec())
}

#[cfg(not(unix))]
fn modified_ns(metadata: &Metadata) -> i64 {
    let since_1970 = metadata.modified().ok().and_then(|time| time.into_std().duration_since(std::time::UNIX_EPOCH).ok());
    since_1970.and_then(|duration| i64::try_from(duration.as_nanos()).ok()).unwrap_or(0)
}

#[cfg(unix)]
fn inode(metadata: &Metadata) -> u64 {
    metadata.ino()
}

#[cfg(not(unix))]
const fn inode(_: &Metadata) -> u64 {
    0
}

#[cfg(unix)]
fn mode(metadata: &Metadata) -> u32 {
    metadata.mode()
}

#[cfg(not(unix))]
const fn mode(_: &Metadata) -> u32 {
    ANY_READ
}

#[cfg(unix)]
fn is_superuser() -> bool {
    rustix::process::geteuid().is_root()
}

#[cfg(not(unix))]
const fn is_superuser() -> bool {
    false
}
