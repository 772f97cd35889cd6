//! What a configuration says of an endpoint.

use std::fmt;
use std::time::Duration;

use crate::Blend;

/// How an endpoint is reached and asked.
#[derive(Debug, Clone, PartialEq)]
pub struct EndpointSettings {
    /// `http://localhost:11434`, `https://api.openai.com/v1`, or the whole address that ends in `/embeddings`.
    pub address: String,
    /// The model's name as the server knows it, such as `nomic-embed-text`.
    pub model: String,
    /// Shown to the server, and to nobody else.
    pub key: Option<Key>,
    /// Asks for vectors of so many components, of models that can be cut.
    pub dimensions: Option<usize>,
    /// Texts in one request, at most; 1 to 2,048.
    pub batch_size: usize,
    /// Characters in one request, at most. One longer text goes alone.
    pub batch_characters: usize,
    /// How long one request may take, connection and answer included.
    pub timeout: Duration,
    /// The first pause before a request is made again; each later one is twice as long, up to eight seconds.
    pub pause: Duration,
    /// Put before what is looked for, instead of what goes with the model's name.
    pub query_prefix: Option<String>,
    /// Put before what may be found, instead of what goes with the model's name.
    pub passage_prefix: Option<String>,
    /// Instead of the blend that goes with the model's name.
    pub blend: Option<Blend>,
}

impl EndpointSettings {
    /// The defaults for a model at an address.
    #[must_use]
    pub fn new(address: &str, model: &str) -> Self {
        Self {
            address: address.to_owned(),
            model: model.to_owned(),
            key: None,
            dimensions: None,
            batch_size: 64,
            batch_characters: 100_000,
            timeout: Duration::from_secs(30),
            pause: Duration::from_millis(500),
            query_prefix: None,
            passage_prefix: None,
            blend: None,
        }
    }
}

/// A secret that cannot be printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// Blanks around it do not count.
    #[must_use]
    pub fn new(secret: &str) -> Self {
        Self(secret.trim().to_owned())
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(not shown)")
    }
}
