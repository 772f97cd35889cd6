//! Sync: from files to the store to the index. Decides what changed, reads it in parallel, applies it in transactions, and follows with the index.

mod collection;
mod follow;
mod mirror;
mod read;
mod refresh;
mod remote;

pub(crate) use read::read_extensions;
pub(crate) use refresh::Syncer;
pub use remote::RemoteStatus;
pub(crate) use remote::{Asked, Remote};
