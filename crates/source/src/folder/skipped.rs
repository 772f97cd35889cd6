//! Folders that are never knowledge: version control, dependencies, build output, caches, app state. One list for the walk and the watcher.
//!
//! Hidden folders as such are walked (decision records live in `.archgate/adrs`, skills in `.claude/skills`); these are the exceptions. They
//! do not apply to the root itself: who opens `.obsidian/snippets` as a folder gets it.

use std::ffi::OsStr;

/// Names of folders that are skipped wherever they stand.
const SKIPPED: [&str; 53] = [
    // version control
    ".git",
    ".svn",
    ".hg",
    ".bzr",
    ".jj",
    ".sl",
    ".pijul",
    "CVS",
    // dependencies that were fetched, never written here
    "node_modules",
    "bower_components",
    ".venv",
    ".tox",
    ".nox",
    ".direnv",
    ".yarn",
    ".pnpm-store",
    ".bundle",
    ".terraform",
    // build output and caches
    "__pycache__",
    ".cache",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".ipynb_checkpoints",
    ".gradle",
    ".next",
    ".nuxt",
    ".svelte-kit",
    ".parcel-cache",
    ".turbo",
    ".angular",
    ".dart_tool",
    ".eggs",
    // state of editors and note apps
    ".obsidian",
    ".idea",
    ".vs",
    ".fleet",
    ".zk",
    ".foam",
    // bins and old versions that a sync program or a file manager keeps
    ".trash",
    ".Trash",
    ".Trashes",
    ".stversions",
    ".stfolder",
    ".dropbox.cache",
    "$RECYCLE.BIN",
    "System Volume Information",
    "@eaDir",
    ".Spotlight-V100",
    ".fseventsd",
    ".DocumentRevisions-V100",
    ".TemporaryItems",
];

/// Files that say of the folder they stand in that it can be made again: the cache directory tag, and the mark of a Python environment.
pub(crate) const MARKERS: [&str; 2] = ["CACHEDIR.TAG", "pyvenv.cfg"];

/// Build files beside which `target` is build output. A notes folder that happens to be called `target` is read.
pub(crate) const BUILD_FILES: [&str; 3] = ["Cargo.toml", "pom.xml", "build.sbt"];

/// Files with ignore rules; within one folder a later one of this list wins.
pub(crate) const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".ibidignore"];

/// What the temporary files of our own writes begin with.
pub(crate) const TEMPORARY_PREFIX: &str = ".ibid-write-";

/// Whether a folder of this name is skipped. `parent` is the name of the folder it stands in, `beside_build_file` whether that holds one of
/// [`BUILD_FILES`].
pub(crate) fn is_skipped_folder(name: &OsStr, parent: Option<&OsStr>, beside_build_file: bool) -> bool {
    let Some(text) = name.to_str() else { return false };
    match text {
        "target" => beside_build_file,
        // Logseq keeps old versions and deleted pages beside its settings; they would show up as pages twice.
        "bak" | ".recycle" => parent == Some(OsStr::new("logseq")),
        _ => SKIPPED.contains(&text),
    }
}

/// Whether a file of this name is skipped: our own half-written files, a worktree's `.git` pointer, the desktop's view settings.
pub(crate) fn is_skipped_file(name: &OsStr) -> bool {
    name.to_str().is_some_and(|text| text.starts_with(TEMPORARY_PREFIX) || matches!(text, ".git" | ".DS_Store" | "Thumbs.db" | "desktop.ini"))
}

/// Whether a change of this file changes what is listed of its whole folder.
pub(crate) fn is_rule_file(name: &OsStr) -> bool {
    name.to_str().is_some_and(|text| IGNORE_FILES.contains(&text) || MARKERS.contains(&text) || BUILD_FILES.contains(&text))
}
