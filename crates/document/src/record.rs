//! Decision records: what their metadata says, with what was written kept beside what it was taken to mean.

use crate::Value;

/// The status word of a record that states none, or none that can be read. Never replaced by a guess.
pub const UNKNOWN: &str = "unknown";

/// A decision record's metadata.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Project: first part of the id.
    pub project: String,
    /// Type such as `adr` or `rfc`: second part of the id.
    pub record_type: String,
    /// Rest of the id; may hold `/` where records lie in sub-folders.
    pub slug: String,
    /// The number as the file name writes it, leading zeros included; `None` for dated and free names.
    pub number: Option<String>,
    /// What it says of its standing.
    pub status: Status,
    /// Its date.
    pub date: Option<RecordDate>,
    /// `draft: true`: not served.
    pub is_draft: bool,
    /// Who had a part in it.
    pub people: People,
    /// Relations to other records that it states, in the order of the file.
    pub relations: Vec<Relation>,
    /// Reviewers of an open record with what each said.
    pub reviewers: Vec<Reviewer>,
    /// How many approvals an open record needs, where stated.
    pub approvals_required: Option<u32>,
    /// Periodic review, where one is scheduled.
    pub review: Option<Review>,
    /// Every metadata entry as written, in order: header, table, list or sidecar alike.
    pub metadata: Vec<(String, Value)>,
}

impl Record {
    /// `<project>/<type>/<slug>`.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{}/{}/{}", self.project, self.record_type, self.slug)
    }

    /// Whether it says that another one takes its place as a whole. Superseded in part, it stands.
    #[must_use]
    pub fn is_superseded(&self) -> bool {
        self.relations.iter().any(|relation| relation.kind == RelationKind::SupersededBy && !relation.is_partial)
    }

    /// `<PROJECT>-<TYPE>-<NUMBER>`, for records that have a number.
    #[must_use]
    pub fn reference(&self) -> Option<String> {
        let number = self.number.as_deref()?;
        Some(format!("{}-{}-{number}", self.project, self.record_type).to_uppercase())
    }
}

/// The standing of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Leading status word(s) in lower case without decoration, such as `accepted` or `last call`; [`UNKNOWN`] where none can be read.
    pub word: String,
    /// The whole value as written, decoration included.
    pub raw: Option<String>,
    /// What follows the status word, such as `applied in v7`.
    pub note: Option<String>,
    /// Where it was found: `front matter`, `section`, `list`, `table`, `line`, `header`, `sidecar`, `tags`.
    pub place: Option<String>,
}

impl Status {
    /// The status of a record that states none.
    #[must_use]
    pub fn unknown() -> Self {
        Self { word: UNKNOWN.to_owned(), raw: None, note: None, place: None }
    }
}

/// Where a date was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateSource {
    /// A metadata value.
    Metadata,
    /// A changelog section in the record.
    Changelog,
    /// The file's or folder's name.
    FileName,
}

impl DateSource {
    /// The word in answers and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Metadata => "metadata",
            Self::Changelog => "changelog",
            Self::FileName => "file name",
        }
    }

    /// The source that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Metadata, Self::Changelog, Self::FileName].into_iter().find(|source| source.as_str() == word)
    }
}

/// A date as read, with what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordDate {
    /// `YYYY-MM-DD`, or `YYYY-MM`, or `YYYY`, as exact as the source is. `None` where the text is no date that exists.
    pub iso: Option<String>,
    /// As written.
    pub raw: String,
    /// Where it was found.
    pub source: DateSource,
}

/// The people of a record, by their part in it; each list in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct People {
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who decided (also `decision-makers`, `approvers`).
    pub deciders: Vec<String>,
    /// Who was asked.
    pub consulted: Vec<String>,
    /// Who was told.
    pub informed: Vec<String>,
}

/// How a record relates to another one, as seen from the record that says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RelationKind {
    /// It takes the other's place.
    Supersedes,
    /// The other takes its place.
    SupersededBy,
    /// It changes the other.
    Amends,
    /// The other changes it.
    AmendedBy,
    /// It explains the other.
    Clarifies,
    /// The other explains it.
    ClarifiedBy,
    /// It rests on the other.
    DependsOn,
    /// The other rests on it.
    RequiredBy,
    /// It has to do with the other.
    RelatesTo,
}

impl RelationKind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Supersedes,
        Self::SupersededBy,
        Self::Amends,
        Self::AmendedBy,
        Self::Clarifies,
        Self::ClarifiedBy,
        Self::DependsOn,
        Self::RequiredBy,
        Self::RelatesTo,
    ];

    /// The word in answers and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Supersedes => "supersedes",
            Self::SupersededBy => "superseded_by",
            Self::Amends => "amends",
            Self::AmendedBy => "amended_by",
            Self::Clarifies => "clarifies",
            Self::ClarifiedBy => "clarified_by",
            Self::DependsOn => "depends_on",
            Self::RequiredBy => "required_by",
            Self::RelatesTo => "relates_to",
        }
    }

    /// The same relation as seen from the other record.
    #[must_use]
    pub const fn inverse(self) -> Self {
        match self {
            Self::Supersedes => Self::SupersededBy,
            Self::SupersededBy => Self::Supersedes,
            Self::Amends => Self::AmendedBy,
            Self::AmendedBy => Self::Amends,
            Self::Clarifies => Self::ClarifiedBy,
            Self::ClarifiedBy => Self::Clarifies,
            Self::DependsOn => Self::RequiredBy,
            Self::RequiredBy => Self::DependsOn,
            Self::RelatesTo => Self::RelatesTo,
        }
    }

    /// The kind that a word names.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// What a relation points at, as far as the text tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A file: path below the collection's root after following the link from the record's own folder. It begins with `../` where the link leaves
    /// the collection.
    Path(String),
    /// A number in the same folder or type, digits as written.
    Number(String),
    /// An id, reference or slug.
    Id(String),
    /// A web address outside of the collection.
    Web(String),
}

/// Endings of files that may be records; links often leave them out.
const ENDINGS: [&str; 9] = ["md", "markdown", "mdx", "rst", "rest", "adoc", "asciidoc", "asc", "txt"];

impl Target {
    /// The text as the relation has it.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Path(text) | Self::Number(text) | Self::Id(text) | Self::Web(text) => text,
        }
    }

    /// The last part of what it names, as ids end: without the file's ending, and the folder's name where the file is its `README` or `index`.
    /// A web address loses its query and fragment.
    #[must_use]
    pub fn last_name(&self) -> String {
        match self {
            Self::Web(address) => last_name(&crate::percent_decoded(address.split(['?', '#']).next().unwrap_or(address))),
            other => last_name(other.text()),
        }
    }
}

/// The name by which a path's record is known: see [`Target::last_name`].
#[must_use]
pub fn last_name(path: &str) -> String {
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let file = parts.next().unwrap_or_default();
    let ending = file.rsplit_once('.').filter(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending.to_ascii_lowercase().as_str()));
    let stem = ending.map_or(file, |(stem, _)| stem);
    let is_cover = matches!(stem.to_ascii_lowercase().as_str(), "readme" | "index");
    parts.next().filter(|folder| is_cover && !folder.is_empty()).unwrap_or(stem).to_owned()
}

/// One relation that a record states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// How it relates.
    pub kind: RelationKind,
    /// Only a part of the record is concerned; such a relation never makes a record non-current.
    pub is_partial: bool,
    /// What it points at.
    pub target: Target,
    /// The words that state it, as written.
    pub raw: String,
    /// 1-based line of the file that states it.
    pub line_number: u32,
}

/// A reviewer of an open record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reviewer {
    /// Handle or name, without `@`.
    pub name: String,
    /// `approved`, `requested-changes`, `commented`, `abstained` or `pending`.
    pub state: String,
}

/// A periodic review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Interval as written, such as `6 months` or `1y`; `None` where only a due date is stated.
    pub every: Option<String>,
    /// Date of the last review, `YYYY-MM-DD`.
    pub reviewed: Option<String>,
    /// A stated due date, `YYYY-MM-DD`; wins over one that is computed.
    pub due: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::{RelationKind, Target, last_name};

    #[test]
    fn every_relation_has_a_side_of_the_other_record() {
        for kind in RelationKind::ALL {
            assert_eq!(kind.inverse().inverse(), kind);
            assert_eq!(RelationKind::parse(kind.as_str()), Some(kind));
        }
    }

    #[test]
    fn the_last_name_is_how_an_id_ends() {
        assert_eq!(last_name("docs/adr/0003-use-v1.2.md"), "0003-use-v1.2");
        assert_eq!(last_name("docs/adr/0003-a/README.md"), "0003-a");
        assert_eq!(last_name("docs/adr/0003-a/"), "0003-a");
        assert_eq!(last_name("README.md"), "README");
        assert_eq!(Target::Id("sre/adr/1".to_owned()).last_name(), "1");
        let address = "https://github.com/acme/x/blob/main/docs/adr/0003-a%20b.md?plain=1#context";
        assert_eq!(Target::Web(address.to_owned()).last_name(), "0003-a b");
    }
}
