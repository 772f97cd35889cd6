//! The five kinds of knowledge that a library holds.

/// What a collection holds. The names are DESIGN's words and appear in configuration, tools and URIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// ADR and RFC records.
    Decisions,
    /// Notes of Markdown folders, vaults and note applications.
    Notes,
    /// Message archives.
    Messages,
    /// Project knowledge bases with versions.
    Pages,
    /// Skills, agents, commands and their graph.
    Skills,
}

impl Kind {
    /// All kinds, in the order in which they are listed everywhere.
    pub const ALL: [Self; 5] = [Self::Decisions, Self::Notes, Self::Messages, Self::Pages, Self::Skills];

    /// The word a user writes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Decisions => "decisions",
            Self::Notes => "notes",
            Self::Messages => "messages",
            Self::Pages => "pages",
            Self::Skills => "skills",
        }
    }

    /// The kind that a user's word names, if it names one.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

impl std::fmt::Display for Kind {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}
