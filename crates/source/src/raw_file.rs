//! What passes between the doors and the formats: bytes with a path in, documents and problems out.

use document::{Document, Problem};

/// A file found by a walk. Nothing of it has been read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Path below the collection's root, with `/`, in NFC as far as Unicode names go; see `stored_path` of the folder for the name on disk.
    pub path: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// Time of the last change in nanoseconds since 1970.
    pub modified_ns: i64,
    /// Inode, 0 where the system has none. A file replaced by rename within one tick of the clock shows here.
    pub inode: u64,
}

/// A file's bytes as read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile {
    /// Path below the collection's root, with `/`.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// What reading came to. Reading cannot fail: what is wrong with a file stands in `problems`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parsed {
    /// Documents found.
    pub documents: Vec<Document>,
    /// What is wrong, with places.
    pub problems: Vec<Problem>,
}
