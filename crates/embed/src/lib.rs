//! Text to vectors: the built-in table, a transformer in a local folder, or an endpoint. Knows nothing of documents, stores or indexes.
//!
//! A vector has length one, so that the dot product of two is their cosine; a text of which a model knows nothing gives zeros, which are near to
//! nothing. Everything here may take its time and blocks: callers stand outside of the asynchronous runtime.

mod built_in;
mod endpoint;
mod error;
mod habits;
mod open;
mod transformer;

pub use built_in::{BuiltIn, Table, TableError, built_in};
pub use endpoint::{Endpoint, EndpointSettings, Key};
pub use error::EmbedError;
pub use open::{Choice, FolderSettings, open};
pub use transformer::Transformer;

/// What a text is embedded for: some models prefix questions and passages differently (e5: `query: `, `passage: `).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What somebody looks for.
    Query,
    /// What may be found.
    Passage,
}

/// How the cosines of a model are brought to the scale of words before the two are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CosineForm {
    /// Cosine over the best one of the query. Damps a model that finds everything alike.
    OfBest,
    /// Place between the lowest and the best cosine of the query: for models whose cosines are all high and close (e5).
    OfRange,
}

/// A model's own default for score fusion: `(1 - weight) * words + weight * meaning`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Blend {
    /// Share of meaning, 0 to 1.
    pub weight: f32,
    /// How its cosines are normalised.
    pub form: CosineForm,
}

/// Turns texts into vectors.
pub trait Model: Send + Sync {
    /// Names the space of its vectors: two models of the same space give comparable vectors, and a changed table or file gives another space.
    /// Short, of letters, digits, `.`, `_` and `-`, fit for a file name and a key in the store.
    fn space(&self) -> &str;

    /// Components of a vector.
    fn dimensions(&self) -> usize;

    /// Whether embedding costs less than keeping the vector, so that it is done while indexing and nothing is stored.
    fn is_instant(&self) -> bool;

    /// How it is blended with words unless the configuration says otherwise.
    fn blend(&self) -> Blend;

    /// One vector of length one (or zeros) per text, in order.
    ///
    /// # Errors
    /// A model that cannot be reached, or that answers nonsense. Never because of a text.
    fn embed(&self, role: Role, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;
}

/// Whether searches look for meaning, and why not. The engine asks none of the models of this crate yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Availability {
    /// Searches rest on words alone.
    Unavailable {
        /// Why, as a sentence for answers.
        reason: &'static str,
    },
}

/// The state of the meaning half.
#[must_use]
pub const fn availability() -> Availability {
    Availability::Unavailable { reason: "Search does not ask an embedding model yet; words alone were searched." }
}
