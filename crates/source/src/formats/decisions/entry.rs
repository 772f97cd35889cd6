//! Metadata entries: what a record states about itself as key and value, wherever it stands.

use document::Value;

/// Where an entry stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    FrontMatter,
    Sidecar,
    Header,
    List,
    Table,
    Line,
    Section,
    Tags,
}

impl Place {
    /// The word for it in [`document::Status::place`].
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::FrontMatter => "front matter",
            Self::Sidecar => "sidecar",
            Self::Header => "header",
            Self::List => "list",
            Self::Table => "table",
            Self::Line => "line",
            Self::Section => "section",
            Self::Tags => "tags",
        }
    }
}

/// One entry as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The key without markup.
    pub(super) key: String,
    /// The key folded for comparison: lower case, words joined by hyphens.
    pub(super) name: String,
    pub(super) value: Value,
    /// The value's source, comments and markup included.
    pub(super) raw: String,
    /// 1-based.
    pub(super) line_number: u32,
    pub(super) place: Place,
}

impl Entry {
    /// An entry whose value is one text.
    pub(super) fn of_text(key: &str, raw: &str, line_number: u32, place: Place) -> Self {
        let shown = super::plain::without_comments(raw).trim().to_owned();
        let value = if shown.is_empty() { Value::Empty } else { Value::Text(shown) };
        let key = super::plain::words(key).trim_end_matches(':').trim().to_owned();
        Self { name: key_name(&key), key, value, raw: raw.trim().to_owned(), line_number, place }
    }

    /// The scalars of the value that say something.
    pub(super) fn texts(&self) -> Vec<&str> {
        self.value.texts().into_iter().map(str::trim).filter(|text| !is_empty_value(text)).collect()
    }

    /// The value as one line; empty where it says nothing.
    pub(super) fn text(&self) -> String {
        self.texts().join(", ")
    }

    /// What the entry is known to state.
    pub(super) fn field(&self) -> Option<Field> {
        field(&self.name)
    }
}

/// A key folded for comparison: `supersededBy`, `Superseded by:` and `superseded_by` are one name.
pub(super) fn key_name(key: &str) -> String {
    let mut name = String::with_capacity(key.len());
    let without_parts = key.replace("(s)", "s");
    let head = without_parts.split('(').next().unwrap_or_default();
    let mut previous = ' ';
    for character in head.trim().chars() {
        if character.is_uppercase() && previous.is_lowercase() {
            name.push('-');
        }
        if character.is_alphanumeric() {
            name.extend(character.to_lowercase());
        } else if matches!(character, ' ' | '_' | '-' | '/') && !name.ends_with('-') && !name.is_empty() {
            name.push('-');
        }
        previous = character;
    }
    name.trim_matches('-').to_owned()
}

/// Whether a value is one of the ways to write that there is none.
pub(super) fn is_empty_value(text: &str) -> bool {
    let core = text.trim().trim_matches(['`', '*', '"', '\'', '(', ')', '<', '>', '.']).trim().to_lowercase();
    matches!(
        core.as_str(),
        "" | "-" | "--" | "—" | "–" | "n/a" | "na" | "n.a" | "none" | "null" | "nil" | "~" | "[]" | "{}" | "tbd" | "tbc" | "todo" | "?" | "unknown"
    )
}

/// What an entry states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Field {
    Status,
    /// A date with its rank: the smaller, the nearer to the decision.
    Date(u8),
    Authors,
    Owners,
    Deciders,
    Consulted,
    Informed,
    Tags,
    Reviewers,
    Approvals,
    ApprovalsRequired,
    Review(ReviewPart),
    Relation(document::RelationKind),
    Title,
    Description,
    Draft,
    /// Seen in headers of records, kept in the metadata, and no more.
    Other,
}

/// What an entry says of a periodic review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReviewPart {
    /// A mapping, an interval or a due date.
    Whole,
    Every,
    Reviewed,
    Due,
}

/// What a folded key states, where it is known.
pub(super) fn field(name: &str) -> Option<Field> {
    use document::RelationKind as Kind;
    Some(match name {
        "status" | "state" | "rfc-status" | "adr-status" | "decision-status" | "current-status" | "statut" | "estado" | "stato" | "situação"
        | "situacao" => Field::Status,
        "date" | "datum" | "data" | "fecha" | "date-decided" | "decision-date" | "date-of-decision" | "decided" | "decided-on" => Field::Date(0),
        "accepted" | "accepted-on" | "accepted-date" | "date-accepted" | "approved-on" | "approval-date" => Field::Date(1),
        "created" | "created-at" | "created-on" | "creation-date" | "date-created" | "start-date" | "date-started" | "date-proposed"
        | "proposed-on" | "published" | "publish-date" | "published-on" | "pubdate" | "revdate" => Field::Date(2),
        "last-updated" | "updated" | "updated-at" | "updated-on" | "last-update" | "last-modified" | "modified" | "lastmod" => Field::Date(3),
        "author" | "authors" | "proposed-by" | "written-by" | "rfc-author" | "rfc-authors" | "co-authors" | "autor" | "autores" | "proposer"
        | "proposers" => Field::Authors,
        "owner" | "owners" => Field::Owners,
        "decider" | "deciders" | "decision-maker" | "decision-makers" | "approver" | "approvers" | "approved-by" | "decided-by" | "accepted-by" => {
            Field::Deciders
        }
        "consulted" | "consultants" => Field::Consulted,
        "informed" => Field::Informed,
        "tag" | "tags" | "label" | "labels" | "keywords" | "keyword" | "topic" | "topics" | "area" | "areas" | "category" | "categories" => {
            Field::Tags
        }
        "reviewer" | "reviewers" => Field::Reviewers,
        "approvals" => Field::Approvals,
        "approvals-required" | "required-approvals" | "approvals-needed" => Field::ApprovalsRequired,
        "review" => Field::Review(ReviewPart::Whole),
        "review-every" | "review-interval" | "review-cadence" | "review-cycle" => Field::Review(ReviewPart::Every),
        "reviewed" | "last-reviewed" | "last-review" | "reviewed-on" => Field::Review(ReviewPart::Reviewed),
        "review-by" | "review-date" | "review-due" | "next-review" | "review-on" => Field::Review(ReviewPart::Due),
        "supersedes" | "supercedes" | "supersede" | "replaces" | "obsoletes" | "replace" => Field::Relation(Kind::Supersedes),
        "superseded-by" | "superceded-by" | "superseded" | "superceded" | "superseeded-by" | "replaced-by" | "obsoleted-by" | "successor" => {
            Field::Relation(Kind::SupersededBy)
        }
        "amends" | "updates" | "extends" | "modifies" | "amend" => Field::Relation(Kind::Amends),
        "amended-by" | "amended-in-part-by" | "refinement" | "updated-by" | "extended-by" | "extended-in-part-by" | "modified-by" => {
            Field::Relation(Kind::AmendedBy)
        }
        "clarifies" => Field::Relation(Kind::Clarifies),
        "clarified-by" => Field::Relation(Kind::ClarifiedBy),
        "depends-on" | "requires" | "builds-on" | "based-on" | "relies-on" => Field::Relation(Kind::DependsOn),
        "required-by" | "needed-by" => Field::Relation(Kind::RequiredBy),
        "related" | "relates-to" | "related-to" | "see-also" | "related-adrs" | "related-adr" | "related-rfcs" | "related-decisions"
        | "related-records" => Field::Relation(Kind::RelatesTo),
        "title" => Field::Title,
        "description" | "summary" | "abstract" => Field::Description,
        "draft" => Field::Draft,
        "technical-story"
        | "discussion"
        | "rfc-pr"
        | "rust-issue"
        | "feature-name"
        | "tickets"
        | "ticket"
        | "scope"
        | "other-docs"
        | "significance"
        | "revision"
        | "version"
        | "issue"
        | "implementation-pr"
        | "implementation"
        | "tracking-issue"
        | "deprecates"
        | "type"
        | "contact"
        | "design-source"
        | "target-major-version"
        | "reference-issues" => Field::Other,
        _ => return None,
    })
}
