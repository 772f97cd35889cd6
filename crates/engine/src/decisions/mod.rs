//! Decision records: the questions of seed 000 answered over a library.

mod answer;
mod authoring;
mod catalogue;
mod consistency;
mod dates;
mod field_rules;
mod field_values;
mod fields;
mod filters;
mod history;
mod ids;
mod listing;
mod metadata_rules;
mod past;
mod problem_filter;
pub mod publish;
mod ranked;
mod relation_filter;
mod relations;
mod resources;
mod review_rules;
mod reviews;
mod statuses;
mod targets;
mod unmatched;

pub use answer::{Body, RecordAnswer, get, header_text};
pub use authoring::{NewRecord, create, set_status, supersede};
pub use consistency::{Finding, check};
pub use fields::{DeclaredFields, ProjectFields, custom_fields, list_fields};
pub use history::{StatusChange, StatusHistory, history};
pub use ids::resolve;
pub use listing::{Author, Count, Project, RecordPage, RecordQuery, RecordSummary, list_authors, list_projects, list_tags, search_records};
pub(crate) use past::Pasts;
pub use past::{Past, PastCollection, as_of};
pub use ranked::Match;
pub use relations::{Known, Related, StatedBy};
pub use resources::{IdCompletion, ResourceEntry, complete_id, is_served, resource_page};
pub use reviews::{DueReview, OpenReview, ReviewState, ReviewWindow, RfcReview, due_reviews, review_state, rfc_review, rfc_reviews};
pub use statuses::{Status, Statuses};
pub use unmatched::unmatched;

pub use source::formats::decisions::FieldDeclaration;
