//! What a piece of knowledge is: documents, their names, sections, passages and citations. Pure values: no files, no clock, no SQL.

mod citation;
mod document;
mod kind;
mod link;
mod markdown;
mod outline;
mod passage;
mod problem;
mod record;
mod span;
mod stamp;
mod uri;
mod value;

pub use citation::Citation;
pub use document::{Document, Facts};
pub use kind::Kind;
pub use link::{Link, LinkForm};
pub use markdown::{Event, blocks, first_heading, links, to_html};
pub use outline::{Section, Syntax, outline, section_at, slugify, split_front_matter};
pub use passage::{PASSAGE_TOKENS, Passage, estimated_tokens, passages};
pub use problem::{Problem, Severity};
pub use record::{DateSource, People, Record, RecordDate, Relation, RelationKind, Review, Reviewer, Status, Target, UNKNOWN, last_name};
pub use span::{Lines, Place, Span};
pub use stamp::Stamp;
pub use uri::{Scheme, Uri, UriError, percent_decoded};
pub use value::Value;
