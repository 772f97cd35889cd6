//! The git door: other repositories as cached checkouts, and the history of a folder that lies in a work tree.
//!
//! It runs the user's own `git` with a list of arguments and without a shell, so that every transport, credential helper and certificate of
//! their set-up works; see `docs/decisions/0010-git-by-its-own-program.md`. All calls block. What holds for every one of them stands in
//! `git/program.rs`: no prompts, no hooks, no filters, a cleaned environment, an end in time.
//!
//! A [`Checkout`] goes to the network, and only in [`Checkout::fetch`]. [`History`] never does, and runs nothing that the repository it reads
//! has configured: that repository may be a stranger's.

mod address;
mod branches;
mod checkout;
mod discovery;
mod error;
mod export;
mod history;
mod ids;
mod locks;
mod objects;
mod program;
mod reason;
mod reference;
mod repository;
mod ssh;
mod versions;

pub use address::Address;
pub use checkout::Checkout;
pub use error::GitError;
pub use history::{History, TreeFile};
pub use ids::{CommitId, ObjectId};
pub use reference::Reference;
pub use versions::FileVersion;
