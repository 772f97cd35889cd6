//! What a server answers: tool results, resource contents, prompt messages, or the wish for more input.

use serde_json::{Map, Value};

use super::listing::{CacheHint, ResourceDescription};

/// An answer, or what is needed before there can be one.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply<T> {
    /// It is done.
    Done(T),
    /// A person or the client must say something first (2026-07-28; the client then repeats the request).
    NeedsInput(InputNeeded),
}

impl<T> From<T> for Reply<T> {
    fn from(answer: T) -> Self {
        Self::Done(answer)
    }
}

/// Questions to the client, and what to remember until it answers.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct InputNeeded {
    /// Key and request object `{"method": "elicitation/create", "params": {…}}`.
    pub requests: Map<String, Value>,
    /// Comes back with the answers. The adapter seals it and binds it to the principal, so it may be trusted then.
    pub state: Option<String>,
}

/// One piece of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolContent {
    /// Text.
    Text(String),
    /// An image in base64.
    Image {
        /// base64 of the bytes.
        data: String,
        /// Such as `image/png`.
        mime_type: String,
    },
    /// A sound in base64.
    Audio {
        /// base64 of the bytes.
        data: String,
        /// Such as `audio/wav`.
        mime_type: String,
    },
    /// A resource with its contents.
    Resource(Contents),
    /// A resource to read later.
    Link(ResourceDescription),
}

/// What a tool found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ToolAnswer {
    /// For machines. An object, so that it passes to legacy peers too.
    pub structured: Option<Value>,
    /// For models; the same content as text first.
    pub content: Vec<ToolContent>,
    /// Whether the tool failed.
    pub is_error: bool,
}

impl ToolAnswer {
    /// Only text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { structured: None, content: vec![ToolContent::Text(text.into())], is_error: false }
    }

    /// A value, and the same value as JSON text.
    pub fn structured(value: Value) -> Self {
        Self { content: vec![ToolContent::Text(value.to_string())], structured: Some(value), is_error: false }
    }

    /// A value, with a text of its own (Markdown, say).
    pub fn structured_with_text(value: Value, text: impl Into<String>) -> Self {
        Self { content: vec![ToolContent::Text(text.into())], structured: Some(value), is_error: false }
    }

    /// The same answer as a failure.
    pub fn as_error(mut self) -> Self {
        self.is_error = true;
        self
    }
}

/// Text or bytes of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContentsBody {
    /// Text, verbatim.
    Text(String),
    /// Bytes in base64.
    Blob(String),
}

/// The contents of one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Its name.
    pub uri: String,
    /// Media type.
    pub mime_type: Option<String>,
    /// What it holds.
    pub body: ContentsBody,
}

impl Contents {
    /// A text resource.
    pub fn text(uri: impl Into<String>, mime_type: impl Into<String>, text: impl Into<String>) -> Self {
        Self { uri: uri.into(), mime_type: Some(mime_type.into()), body: ContentsBody::Text(text.into()) }
    }
}

/// What `resources/read` returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceAnswer {
    /// At least one; a missing resource is an error, never an empty list.
    pub contents: Vec<Contents>,
    /// How long it may be cached.
    pub cache: CacheHint,
}

/// Who speaks in a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// Who says it.
    pub speaker: Speaker,
    /// What.
    pub content: ToolContent,
}

/// What `prompts/get` returns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PromptAnswer {
    /// What it is for.
    pub description: Option<String>,
    /// The messages, in order.
    pub messages: Vec<Message>,
}
