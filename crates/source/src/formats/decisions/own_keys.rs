//! Metadata keys that ibid reads into something of its own. Every other key of a record is a custom field.

/// Compared in lower case with `-` and blanks as `_`,
/// and with one before each capital of `camelCase`.
const OWN: &[&str] = &[
    "title",
    "description",
    "status",
    "state",
    "date",
    "created",
    "creation_date",
    "start_date",
    "last_updated",
    "updated",
    "author",
    "authors",
    "owner",
    "owners",
    "deciders",
    "decider",
    "decision_maker",
    "decision_makers",
    "approvers",
    "consulted",
    "informed",
    "tags",
    "tag",
    "related",
    "relates_to",
    "related_to",
    "see_also",
    "supersedes",
    "superseded_by",
    "replaces",
    "replaced_by",
    "requires",
    "amends",
    "amended_by",
    "clarifies",
    "draft",
    "review",
    "reviewers",
    "reviewer",
    "reviewed",
    "last_reviewed",
    "last_review",
    "reviewed_on",
    "review_every",
    "review_interval",
    "review_cadence",
    "review_cycle",
    "review_by",
    "review_date",
    "review_due",
    "review_on",
    "next_review",
    "approvals",
    "approvals_required",
    "approvals_needed",
    "required_approvals",
    "depends_on",
    "parent",
    "layout",
    "nav_order",
];

/// Whether a key is one that ibid reads itself, in any spelling: `supersededBy`, `Superseded by` and `superseded_by` are one.
#[must_use]
pub fn is_own_key(key: &str) -> bool {
    OWN.contains(&folded_key(key).as_str())
}

/// A key in the form in which the keys of records and declarations are compared: `pci_scope` for `pciScope`, `PCI-scope` and `pci scope`.
#[must_use]
pub fn folded_key(key: &str) -> String {
    let mut name = String::with_capacity(key.len() + 4);
    let mut previous = ' ';
    for character in key.trim().chars() {
        if character.is_uppercase() && previous.is_lowercase() {
            name.push('_');
        }
        match character {
            '-' | ' ' => name.push('_'),
            other => name.extend(other.to_lowercase()),
        }
        previous = character;
    }
    name
}
