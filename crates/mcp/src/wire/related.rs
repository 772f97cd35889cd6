//! Relations of a record as they stand on the wire: the other record, and who says so.

use document::RelationKind;
use engine::decisions::{RecordAnswer, StatedBy};
use schemars::JsonSchema;
use serde::Serialize;

/// A record that has to do with this one; `missing` where the library has none of that name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Related {
    /// It is in the library.
    Known {
        /// Full id.
        id: String,
        /// `<PROJECT>-<TYPE>-<NUMBER>`, where it has a number.
        #[serde(rename = "ref")]
        reference: Option<String>,
        /// Title.
        title: String,
        /// Status word.
        status: String,
        /// True where only a part is concerned.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
        /// `this` where only this record says so, `other` where only the other one does; absent where both do.
        #[serde(skip_serializing_if = "Option::is_none")]
        stated_by: Option<&'static str>,
    },
    /// It is not.
    Missing {
        /// What the record calls it.
        id: String,
        /// Always true.
        missing: bool,
        /// True where only a part is concerned.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        partial: bool,
    },
}

impl Related {
    pub(super) fn of(related: &engine::decisions::Related) -> Self {
        let (id, partial) = (related.id.clone(), related.is_partial);
        match &related.known {
            Some(known) => Self::Known {
                id,
                reference: known.reference.clone(),
                title: known.title.clone(),
                status: known.status.clone(),
                partial,
                stated_by: match related.stated_by {
                    StatedBy::This => Some("this"),
                    StatedBy::Other => Some("other"),
                    StatedBy::Both => None,
                },
            },
            None => Self::Missing { id, missing: true, partial },
        }
    }
}

/// A relation of another kind than supersession and mere relatedness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Relation {
    /// `amends`, `amended_by`, `clarifies`, `clarified_by`, `depends_on` or `required_by`.
    pub kind: String,
    /// The other record.
    #[serde(flatten)]
    pub record: Related,
}

/// All of them.
pub(super) fn relations(answer: &RecordAnswer) -> Vec<Relation> {
    use RelationKind::{RelatesTo, SupersededBy, Supersedes};
    let others = answer.relations.iter().filter(|related| !matches!(related.kind, Supersedes | SupersededBy | RelatesTo));
    others.map(|related| Relation { kind: related.kind.as_str().to_owned(), record: Related::of(related) }).collect()
}
