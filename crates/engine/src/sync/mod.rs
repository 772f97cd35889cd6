//! Sync: from files to the store to the index. Decides what changed, reads it in parallel, applies it in transactions, and follows with the index.

mod collection;
mod follow;
mod read;
mod refresh;

pub(crate) use read::read_extensions;
pub(crate) use refresh::Syncer;
