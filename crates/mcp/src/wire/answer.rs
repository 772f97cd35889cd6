//! What every answer has in common: how it can be cut to a budget, and what it says of its own completeness and freshness.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// What an answer says of itself. The members are there only when they say something.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Standing {
    /// True when the answer was cut to fit.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// How to go on after a cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
    /// Why the answer is empty, and what was probably meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// True when the answer may be older than the files.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// Why it may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stale_reason: Option<String>,
}

impl Standing {
    /// Says that there is more, and which argument leads to it.
    pub fn go_on(&mut self, argument: &str, value: impl std::fmt::Display) {
        self.truncated = true;
        self.next = Some(format!("Call again with {argument}: {value} and the same other arguments."));
    }

    /// Says that a part was shortened.
    pub fn shortened(&mut self, where_whole: &str) {
        self.truncated = true;
        self.next.get_or_insert_with(|| where_whole.to_owned());
    }

    /// Says that the answer may be old.
    pub fn stale(&mut self, reason: &str) {
        self.stale = true;
        self.stale_reason = Some(reason.to_owned());
    }
}

/// An answer of a tool. Its units are what may be left off from its end: items of a listing, or characters of a text.
pub trait Answer: Serialize + JsonSchema + Clone + Send + 'static {
    /// What it says of itself.
    fn standing(&mut self) -> &mut Standing;

    /// How many units it holds.
    fn units(&self) -> usize;

    /// Fewer units than these are no answer; then something else must give way.
    fn least(&self) -> usize {
        1
    }

    /// Keeps about the first `units`, never more, and says how to go on. A text is cut at the end of a line where one is near.
    fn cut(&mut self, units: usize);

    /// Says the same in fewer words, a step further at each call; false when nothing can be said shorter. Comes before any unit is cut.
    fn tighten(&mut self) -> bool {
        false
    }

    /// Shortens what is not a unit, when even the least does not fit.
    fn slim(&mut self) {}

    /// What a model reads: the same JSON, except where a seed asks for something else.
    fn text(&self, json: &Value) -> String {
        json.to_string()
    }
}

/// The part of a listing from `offset` on, with the number of all. Past the end there is nothing, and no error (as in the seed's search).
///
/// # Errors
/// A negative offset.
pub fn paged<T>(items: Vec<T>, offset: Option<i64>) -> engine::Result<(usize, usize, Vec<T>)> {
    let said = offset.unwrap_or(0);
    let offset = usize::try_from(said).map_err(|_| engine::Error::bad_input(format!("offset is {said}, but must be 0 or more.")))?;
    Ok((items.len(), offset, items.into_iter().skip(offset).collect()))
}
