//! Answer types that tools share, as they stand on the wire. Names of members are the seeds'; their schemas are what clients see.

mod answer;
mod change;
mod citation;
mod collections;
mod counts;
mod failure;
mod fetched;
mod fields;
mod history;
mod projects;
mod record;
mod related;
mod reviews;
mod search;
mod summary;

pub use answer::{Answer, Standing, paged};
pub use change::{Change, ChangedFile};
pub use citation::Citation;
pub use collections::{Collection, Collections};
pub use counts::{Authors, Count, Tags};
pub use failure::Failure;
pub use fetched::{Fetched, Metadata};
pub use fields::{Field, Fields, ProjectFields};
pub use history::{AsOf, CollectionAsOf, History, StatusChange};
pub use projects::{Project, Projects};
pub use record::{OutlineEntry, Problem, Record, RecordPart, whole_text};
pub use related::{Related, Relation};
pub use reviews::{OpenReview, OpenReviews, Review, Reviewer, Reviews, RfcReview, ScheduledReview};
pub use search::{Retrieval, SearchHit, SearchResults};
pub use summary::{Records, Summary};

use serde_json::{Map, Value as Json};

/// Custom metadata as JSON: texts as written, lists and mappings as such, the first of two entries of one name.
pub(crate) fn fields_json(fields: &[(String, document::Value)]) -> Map<String, Json> {
    let mut map = Map::new();
    for (name, value) in fields {
        map.entry(name.clone()).or_insert_with(|| value_json(value));
    }
    map
}

fn value_json(value: &document::Value) -> Json {
    match value {
        document::Value::Empty => Json::Null,
        document::Value::Text(text) => Json::from(text.as_str()),
        document::Value::List(items) => items.iter().map(value_json).collect(),
        document::Value::Map(entries) => Json::Object(fields_json(entries)),
    }
}

/// Cuts a text for a listing that would not fit otherwise; the whole stands where the listing points.
pub(crate) fn clip(text: &mut String, most_chars: usize) {
    if let Some((at, _)) = text.char_indices().nth(most_chars) {
        text.truncate(at);
        text.push('…');
    }
}

/// The same for custom metadata.
pub(crate) fn clip_fields(fields: &mut Map<String, Json>, most: usize, most_chars: usize) {
    let surplus: Vec<String> = fields.keys().skip(most).cloned().collect();
    for name in surplus {
        fields.remove(&name);
    }
    for value in fields.values_mut() {
        if value.to_string().chars().count() > most_chars {
            let mut text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            clip(&mut text, most_chars);
            *value = Json::from(text);
        }
    }
}
