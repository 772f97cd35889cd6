//! Whether a folder lies in a work tree of git, and where in it.

use std::path::Path;

use super::error::GitError;
use super::program::{Reach, Run};
use super::reason;

/// Marks by which git says that there is no work tree around a folder. A repository without one, such as may lie hidden among the files of
/// another, is none: its configuration is not read either.
const NONE: [&str; 3] = ["not a git repository", "cannot use bare repository", "must be run in a work tree"];

/// The path from the top of the work tree to `folder`, as git has it: empty, or ended by a slash. `None` where there is no work tree.
pub(super) fn prefix(folder: &Path) -> Result<Option<Vec<u8>>, GitError> {
    let action = format!("Looking for the repository of `{}`", folder.display());
    let answer = Run::new(&action, Reach::Offline).in_folder(folder).arguments(["rev-parse", "--is-inside-work-tree", "--show-prefix"]).answer()?;
    if answer.is_success {
        let prefix = answer.output.strip_prefix(b"true\n").and_then(|rest| rest.strip_suffix(b"\n"));
        return Ok(prefix.map(<[u8]>::to_vec));
    }
    if NONE.iter().any(|mark| answer.errors.contains(mark)) {
        return Ok(None);
    }
    if answer.errors.contains("dubious ownership") {
        return Err(GitError::Untrusted { folder: reason::clean(&folder.display().to_string()) });
    }
    answer.good(&action).map(|_| None)
}
