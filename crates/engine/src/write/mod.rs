//! The one way of a write: a draft that changes nothing, a permission, the stamps once more, the files, the operations log.

mod apply;
mod draft;
mod journal;

pub use apply::{Applied, Permission, apply, refuse};
pub(crate) use draft::writable;
pub use draft::{Draft, FileDraft};
pub(crate) use journal::finish;

#[cfg(test)]
mod tests;
