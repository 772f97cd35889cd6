//! What listings consist of: tools, resources, templates, prompts, and how long a client may keep them.

use serde_json::{Map, Value};

/// Who may share a cached answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheScope {
    /// Anybody: the answer is the same for every caller.
    Public,
    /// Only the caller: the answer depends on what the caller may see.
    Private,
}

/// `ttlMs` and `cacheScope` of 2026-07-28.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheHint {
    /// How long the answer may be used without asking again, in milliseconds.
    pub ttl_ms: u64,
    /// By whom.
    pub scope: CacheScope,
}

impl CacheHint {
    /// Only for the caller.
    pub const fn private(ttl_ms: u64) -> Self {
        Self { ttl_ms, scope: CacheScope::Private }
    }

    /// For everybody.
    pub const fn public(ttl_ms: u64) -> Self {
        Self { ttl_ms, scope: CacheScope::Public }
    }
}

/// One page of a listing.
#[derive(Debug, Clone, PartialEq)]
pub struct Page<T> {
    /// What is on the page.
    pub items: Vec<T>,
    /// Where the next page starts; opaque to clients.
    pub next_cursor: Option<String>,
    /// How long it may be cached.
    pub cache: CacheHint,
}

impl<T> Page<T> {
    /// A listing that fits one page.
    pub fn whole(items: Vec<T>, cache: CacheHint) -> Self {
        Self { items, next_cursor: None, cache }
    }
}

impl<T> Default for Page<T> {
    fn default() -> Self {
        Self::whole(Vec::new(), CacheHint::private(0))
    }
}

/// Hints about what a tool does. All four are sent, so that no client has to guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolAnnotations {
    /// It changes nothing.
    pub read_only: bool,
    /// It may destroy something.
    pub destructive: bool,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: bool,
    /// It talks to systems outside the library.
    pub open_world: bool,
}

impl ToolAnnotations {
    /// A tool that only reads the library.
    pub const READS: Self = Self { read_only: true, destructive: false, idempotent: true, open_world: false };
}

/// One tool in `tools/list`.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescription {
    /// 1 to 64 characters of `[A-Za-z0-9_./-]`.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// For models.
    pub description: String,
    /// JSON Schema of the arguments; its root is an object schema.
    pub input_schema: Map<String, Value>,
    /// JSON Schema of `structuredContent`.
    pub output_schema: Option<Map<String, Value>>,
    /// What it does.
    pub annotations: Option<ToolAnnotations>,
}

/// One resource in `resources/list`, or a link to it in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceDescription {
    /// Stable name for machines.
    pub uri: String,
    /// Short name.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Media type of its text.
    pub mime_type: Option<String>,
    /// Size of what a read returns.
    pub size_bytes: Option<u64>,
}

/// One template in `resources/templates/list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateDescription {
    /// RFC 6570 template.
    pub uri_template: String,
    /// Short name.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What it leads to.
    pub description: Option<String>,
    /// Media type, where all matches share it.
    pub mime_type: Option<String>,
}

/// One argument of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its key.
    pub name: String,
    /// What to put there.
    pub description: Option<String>,
    /// Whether the prompt needs it.
    pub required: bool,
}

/// One prompt in `prompts/list`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptDescription {
    /// Its name.
    pub name: String,
    /// For people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Its arguments.
    pub arguments: Vec<PromptArgument>,
}

/// Values for one argument.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Completion {
    /// The best first. The protocol allows 100; the adapter cuts and says so.
    pub values: Vec<String>,
    /// How many there are altogether, if known.
    pub total: Option<u32>,
}
