//! Files of a commit, written below a folder: how a library of the past comes onto the disk without a work tree being changed.

use std::io::Write as _;
use std::path::Path;

use cap_std::ambient_authority;
use cap_std::fs::Dir;

use super::error::GitError;
use super::history::{History, TreeFile};
use super::ids::CommitId;
use crate::folder::names;

/// Larger files are not written.
const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// How much is held in memory at a time.
const MAX_BATCH_BYTES: u64 = 32 * 1024 * 1024;

impl History {
    /// Writes those ordinary files of a commit that `keep` wants, by their paths below the folder, below `into`, which is made if need be.
    /// Returns how many were written. Left out are links and submodules, files of more than 64 MiB, contents that are missing, and paths with
    /// which a tree made by hand could do harm: `..`, absolute ones, any part that git could take for a repository, and names that are taken, as
    /// by a link that lies there. Nothing is ever written outside of `into`. `into` is best a new folder.
    ///
    /// # Errors
    /// [`GitError::Files`] when the disk refuses; what was written until then stays. Otherwise as [`History::files`].
    pub fn export(&self, commit: &CommitId, into: &Path, keep: &dyn Fn(&str) -> bool) -> Result<usize, GitError> {
        let failed = |error: std::io::Error| GitError::files(into, &error);
        let mut wanted = self.files(commit)?;
        wanted.retain(|file| file.size_bytes <= MAX_FILE_BYTES && is_harmless(&file.path) && keep(&file.path));
        std::fs::create_dir_all(into).map_err(failed)?;
        let folder = Dir::open_ambient_dir(into, ambient_authority()).map_err(failed)?;
        let mut written = 0;
        let mut rest = wanted.as_slice();
        while !rest.is_empty() {
            let (batch, following) = rest.split_at(batch_length(rest));
            rest = following;
            let ids: Vec<_> = batch.iter().map(|file| file.object_id.clone()).collect();
            for (file, content) in batch.iter().zip(self.read(&ids, MAX_FILE_BYTES)?) {
                let Some(content) = content else { continue };
                if write(&folder, &file.path, &content).map_err(|error| GitError::files(&into.join(&file.path), &error))? {
                    written += 1;
                }
            }
        }
        Ok(written)
    }
}

/// How many files fit into memory together; at least one.
fn batch_length(files: &[TreeFile]) -> usize {
    let mut sum = 0_u64;
    let fitting = files.iter().take_while(|file| {
        sum = sum.saturating_add(file.size_bytes).saturating_add(256);
        sum <= MAX_BATCH_BYTES
    });
    fitting.count().max(1)
}

/// Whether it was written: a name that stands for a file and a folder at once, as only a tree made by hand has it, is left out.
fn write(folder: &Dir, path: &str, content: &[u8]) -> std::io::Result<bool> {
    let open = || {
        if let Some((parent, _)) = path.rsplit_once('/') {
            folder.create_dir_all(parent)?;
        }
        folder.create(path)
    };
    let file = match open() {
        Ok(file) => Ok(file),
        Err(error) if is_clash(&error) => return Ok(false),
        Err(error) => Err(error),
    };
    file.and_then(|mut file| file.write_all(content)).map(|()| true)
}

fn is_clash(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{AlreadyExists, InvalidFilename, IsADirectory, NotADirectory};
    matches!(error.kind(), AlreadyExists | InvalidFilename | IsADirectory | NotADirectory)
}

fn is_harmless(path: &str) -> bool {
    names::parts(path).is_ok_and(|parts| !parts.into_iter().any(may_be_repository))
}

/// Whether some file system takes this name for `.git`: in any case, with characters that it drops, as a short name or with a stream.
fn may_be_repository(part: &str) -> bool {
    let is_dropped = |character: char| matches!(character, '\u{200C}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{206A}'..='\u{206F}' | '\u{FEFF}');
    let plain: String = part.chars().filter(|character| !is_dropped(*character)).collect();
    let plain = plain.split([':', '\\']).next().unwrap_or_default().trim_end_matches([' ', '.']).to_lowercase();
    plain == ".git" || plain == "git~1"
}

#[cfg(test)]
mod tests {
    use super::is_harmless;

    #[test]
    fn paths_that_a_tree_made_by_hand_may_hold_are_refused() {
        for path in [
            "../a",
            "a/../../b",
            "/etc/a",
            "",
            "a//b",
            "./a",
            ".git/config",
            "a/.GIT/hooks/x",
            ".git ./x",
            "git~1/x",
            ".g\u{200c}it/x",
            ".git::$INDEX/x",
        ] {
            assert!(!is_harmless(path), "{path:?}");
        }
        for path in ["docs/adr/0001-größe.md", ".github/x.md", "git/x", "a\nb.md", ".gitignore"] {
            assert!(is_harmless(path), "{path:?}");
        }
    }
}
