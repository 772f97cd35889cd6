//! Names as people see them and as the disk has them: NFC outside, whatever was stored inside.

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};

use cap_std::fs::Dir;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use super::error::FolderError;

/// The name that ibid shows for a name on disk: NFC, so that the same word typed on two systems is the same path.
/// A name that is no UTF-8 shows its bad bytes as U+FFFD.
pub(crate) fn visible(name: &OsStr) -> String {
    match name.to_string_lossy() {
        Cow::Borrowed(text) if text.is_ascii() => text.to_owned(),
        text if is_nfc_quick(text.chars()) == IsNormalized::Yes => text.into_owned(),
        text => text.nfc().collect(),
    }
}

/// The parts of a path below the root. Compared part by part, never as a prefix of text (CVE-2025-53110).
pub(crate) fn parts(path: &str) -> Result<Vec<&str>, FolderError> {
    let refused = |reason| FolderError::Refused { path: path.replace('\0', "\u{FFFD}"), reason };
    if path.is_empty() {
        return Err(refused("it is empty"));
    }
    if path.contains('\0') {
        return Err(refused("it holds a NUL character"));
    }
    if path.starts_with('/') || (cfg!(windows) && (path.contains(':') || path.contains('\\'))) {
        return Err(refused("it is absolute; paths begin at the root of the folder"));
    }
    let parts: Vec<&str> = path.split('/').collect();
    for part in &parts {
        match *part {
            ".." => return Err(refused("it climbs with `..`")),
            "." | "" => return Err(refused("it holds an empty or `.` part")),
            _ => {}
        }
    }
    Ok(parts)
}

/// The name on disk of `part` in `dir`: the very bytes where they are there, else an entry that shows as `part`.
/// Without an entry, `part` itself: the name that a new file gets.
pub(super) fn stored(dir: &Dir, part: &str) -> OsString {
    if dir.symlink_metadata(part).is_ok() {
        return OsString::from(part);
    }
    let Ok(entries) = dir.entries() else { return OsString::from(part) };
    let mut candidates: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).filter(|name| visible(name) == part).collect();
    candidates.sort_unstable();
    candidates.into_iter().next().unwrap_or_else(|| OsString::from(part))
}
