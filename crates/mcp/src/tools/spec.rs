//! What a tool says of itself: the data that drives listing, policy, budget, docs and tests.

use engine::policy::Effect;

/// A family of tools: a folder here, a heading in the docs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Toolset {
    /// What works over all kinds.
    Library,
    /// Decision records.
    Decisions,
}

impl Toolset {
    /// All toolsets, in the order of the list.
    pub const ALL: [Self; 2] = [Self::Library, Self::Decisions];

    /// Its folder and its name in docs.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Library => "library",
            Self::Decisions => "decisions",
        }
    }

    /// The kind that a library must hold for this toolset to be offered; `None`: any.
    #[must_use]
    pub const fn kind(self) -> Option<document::Kind> {
        match self {
            Self::Library => None,
            Self::Decisions => Some(document::Kind::Decisions),
        }
    }
}

/// What a tool says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// Its name, a promise.
    pub name: &'static str,
    /// Its family.
    pub toolset: Toolset,
    /// What it does to the world.
    pub effect: Effect,
    /// Whether it is on where no configuration speaks.
    pub default_on: bool,
    /// For people.
    pub title: &'static str,
    /// One sentence for models.
    pub description: &'static str,
    /// The configuration key that turns it on or off.
    pub toggle: &'static str,
    /// The most characters of an answer's text.
    pub budget_chars: usize,
}
