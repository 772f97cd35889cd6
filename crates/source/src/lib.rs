//! Foreign formats to documents and back: the only crate that opens a user's files or a user's address.

pub mod fetch;
pub mod folder;
pub mod formats;
pub mod git;
mod raw_file;
pub mod site;
pub mod watch;

pub use raw_file::{FileEntry, Parsed, RawFile};
