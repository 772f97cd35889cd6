//! What a published site says of its records (`decisions.json`) and of its projects (`llms.txt`): written for others, read from anybody.
//!
//! `docs/reference/published-sites.md` tells people the layout. A site of ibid says more than seed 000 asks for: the path, the stamp and the
//! sidecars of each record, its statuses and its projects. Of a foreign site every member but the list of records and their ids may be missing.

mod llms;
mod members;
mod problems;
mod read;
mod record;
#[cfg(test)]
mod tests;
mod write;

use document::{Problem, RelationKind, Reviewer, Value};

use super::{FieldDeclaration, ProjectFile};

pub use llms::{NamedProject, read_projects};

/// The largest `decisions.json` that is read, in bytes.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

/// The most records of one site.
pub const MAX_RECORDS: usize = 200_000;

/// The largest entry of one record in `decisions.json`, in bytes.
pub const MAX_RECORD_BYTES: usize = 4 * 1024 * 1024;

/// A site as `decisions.json` has it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedSite {
    /// The program and its version, such as `ibid 0.1.0`.
    pub generator: Option<String>,
    /// The site's name for people; empty where it states none.
    pub name: String,
    /// Its status words; empty where they are not published.
    pub statuses: Vec<PublishedStatus>,
    /// Fields that the records of all projects may have.
    pub fields: Vec<FieldDeclaration>,
    /// Its projects, each id once.
    pub projects: Vec<PublishedProject>,
    /// Its records, each id once whatever its case.
    pub records: Vec<PublishedRecord>,
}

/// A status word of a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedStatus {
    /// The word, compared without case.
    pub name: String,
    /// Records of this status are in force.
    pub is_current: bool,
    /// Records of this status are still to be decided.
    pub is_open: bool,
}

/// A project of a site.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedProject {
    /// First part of its records' ids.
    pub id: String,
    /// Name for people.
    pub name: Option<String>,
    /// What it is about.
    pub description: Option<String>,
    /// Who answers for it.
    pub owners: Vec<String>,
    /// Its place among the projects; smaller comes first.
    pub order: Option<i64>,
    /// How many approvals its open records need where they do not say so themselves.
    pub approvals_required: Option<u32>,
    /// The fields that its records may have beyond the site's.
    pub fields: Vec<FieldDeclaration>,
}

impl PublishedProject {
    /// A project as its `_project.yml` describes it.
    #[must_use]
    pub fn of(id: String, file: ProjectFile) -> Self {
        let ProjectFile { name, description, owners, order, approvals_required, fields } = file;
        Self { id, name, description, owners, order, approvals_required, fields }
    }
}

/// A record of a site: its metadata, and where its text is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedRecord {
    /// Full id, `<project>/<type>/<slug>`. As hostile as all else: it is checked by whoever makes a path of it.
    pub id: String,
    /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
    pub reference: Option<String>,
    /// Title.
    pub title: String,
    /// A sentence about it; may be empty.
    pub description: String,
    /// Status word; `unknown` where none is stated.
    pub status: String,
    /// Date, as exact as the source is.
    pub date: Option<String>,
    /// Project.
    pub project: String,
    /// Type such as `adr`.
    pub record_type: String,
    /// Who wrote it.
    pub authors: Vec<String>,
    /// Who decided.
    pub deciders: Vec<String>,
    /// Who was asked.
    pub consulted: Vec<String>,
    /// Who was told.
    pub informed: Vec<String>,
    /// Tags.
    pub tags: Vec<String>,
    /// Custom metadata, each name once.
    pub fields: Vec<(String, Value)>,
    /// Periodic review, where one is scheduled.
    pub review: Option<PublishedReview>,
    /// What each reviewer said.
    pub reviewers: Vec<Reviewer>,
    /// Standing of its review by reviewers, where it has some.
    pub rfc_review: Option<PublishedRfcReview>,
    /// Relations of every kind but "related".
    pub relations: PublishedRelations,
    /// Ids of related records.
    pub related: Vec<String>,
    /// Address of its page for people. Never followed.
    pub url: Option<String>,
    /// Address of its `.md` copy. Never followed: the copy is at `<site>/<id>.md`.
    pub markdown: Option<String>,
    /// Path of the original below its collection. Sites of ibid only, like all that follows.
    pub path: Option<String>,
    /// The collection that it belongs to, where the site has several.
    pub collection: Option<String>,
    /// The number as its file's name writes it.
    pub number: Option<String>,
    /// `sha256:` and 64 hex digits over the exact bytes of the `.md` copy.
    pub stamp: Option<String>,
    /// Files beside it that state its metadata, whole.
    pub sidecars: Vec<PublishedSidecar>,
}

/// A periodic review.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedReview {
    /// `YYYY-MM-DD`.
    pub due: Option<String>,
    /// Date of the last review, `YYYY-MM-DD`.
    pub reviewed: Option<String>,
    /// Interval as written.
    pub every: Option<String>,
}

/// Standing of a review by reviewers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedRfcReview {
    /// `approved`, `changes requested` or `waiting`.
    pub status: String,
    /// Approvals so far.
    pub approved: u64,
    /// Approvals needed.
    pub required: u64,
    /// Who has not approved, while approvals are missing.
    pub waiting_on: Vec<String>,
}

/// Relations by kind.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedRelations {
    /// Records whose place it takes.
    pub supersedes: Vec<PublishedTarget>,
    /// Records that take its place.
    pub superseded_by: Vec<PublishedTarget>,
    /// Records that it changes.
    pub amends: Vec<PublishedTarget>,
    /// Records that change it.
    pub amended_by: Vec<PublishedTarget>,
    /// Records that it explains.
    pub clarifies: Vec<PublishedTarget>,
    /// Records that explain it.
    pub clarified_by: Vec<PublishedTarget>,
    /// Records that it rests on.
    pub depends_on: Vec<PublishedTarget>,
}

impl PublishedRelations {
    /// The list of a kind; `None` for [`RelationKind::RelatesTo`], and for a record that others rest on, which have [`PublishedRecord::related`].
    #[must_use]
    pub const fn of_mut(&mut self, kind: RelationKind) -> Option<&mut Vec<PublishedTarget>> {
        Some(match kind {
            RelationKind::Supersedes => &mut self.supersedes,
            RelationKind::SupersededBy => &mut self.superseded_by,
            RelationKind::Amends => &mut self.amends,
            RelationKind::AmendedBy => &mut self.amended_by,
            RelationKind::Clarifies => &mut self.clarifies,
            RelationKind::ClarifiedBy => &mut self.clarified_by,
            RelationKind::DependsOn => &mut self.depends_on,
            RelationKind::RequiredBy | RelationKind::RelatesTo => return None,
        })
    }

    /// The lists with the names of their members in `decisions.json`, in the order in which they are written.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &Vec<PublishedTarget>); 7] {
        [
            ("supersedes", &self.supersedes),
            ("supersededBy", &self.superseded_by),
            ("amends", &self.amends),
            ("amendedBy", &self.amended_by),
            ("clarifies", &self.clarifies),
            ("clarifiedBy", &self.clarified_by),
            ("dependsOn", &self.depends_on),
        ]
    }
}

/// A record that another one points at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PublishedTarget {
    /// Full id; where it is missing, what the record calls it.
    pub id: String,
    /// Its reference.
    pub reference: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// Its status word.
    pub status: Option<String>,
    /// Only a part is concerned.
    pub is_partial: bool,
    /// The site has no such record.
    pub is_missing: bool,
}

/// A file beside a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedSidecar {
    /// Path below the collection.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Why a `decisions.json` could not be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    /// It is too large.
    #[error("decisions.json has {size_bytes} bytes; the limit is {limit_bytes}.")]
    TooLarge {
        /// Its size.
        size_bytes: usize,
        /// The limit.
        limit_bytes: usize,
    },
    /// It is no JSON, or cut off.
    #[error("decisions.json is no valid JSON: {reason}.")]
    NotJson {
        /// What the parser said, with line and column.
        reason: String,
    },
    /// It is JSON and has no list of records.
    #[error("decisions.json has no list of records: it must be a list, or an object with a list \"records\".")]
    NoRecords,
    /// It has more records than one site may have.
    #[error("decisions.json has more than {limit} records.")]
    TooManyRecords {
        /// The limit.
        limit: usize,
    },
}

/// The text of `decisions.json`: indented JSON, its members always in the same order, a line end at its end.
#[must_use]
pub fn write(site: &PublishedSite) -> String {
    write::write(site)
}

/// Reads a `decisions.json`, as `{ "records": [...] }` or as a bare list of records. A member of a wrong type costs that member, a broken record
/// that record; members that are not known become custom metadata. What [`write()`] wrote reads back as it was.
///
/// # Errors
/// [`PublishedError`], when there is nothing that could be read.
pub fn read(bytes: &[u8]) -> Result<(PublishedSite, Vec<Problem>), PublishedError> {
    read::read(bytes)
}
