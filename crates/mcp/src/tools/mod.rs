//! The tools: one file each, one ordered list per toolset, one list of all. Listing, dispatch, docs and tests are driven by the lists.

mod arguments;
mod budget;
mod consent;
pub mod decisions;
mod desk;
mod dispatch;
pub mod library;
mod reference;
mod spec;
mod tool;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

pub use desk::{Desk, Site};
pub use dispatch::Dispatcher;
pub use reference::reference;
pub use spec::{Spec, Toolset};
pub use tool::{Ran, Tool, Wish, Written};

static ALL: LazyLock<Vec<Tool>> = LazyLock::new(|| library::tools().into_iter().chain(decisions::tools()).collect());

/// All tools, in the order in which they are listed everywhere.
#[must_use]
pub fn all() -> &'static [Tool] {
    &ALL
}

/// Names of all tools, for checking a configuration.
#[must_use]
pub fn names() -> Vec<&'static str> {
    all().iter().map(|tool| tool.spec.name).collect()
}
