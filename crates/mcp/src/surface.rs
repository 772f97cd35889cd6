//! What an MCP server offers, in our own words: the trait between the transports (`http`, `stdio`) and the product. Nothing here names the SDK.

mod answer;
mod ask;
mod error;
mod listing;

use std::{future::Future, pin::Pin};

use serde_json::{Map, Value};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

pub use answer::{Contents, ContentsBody, InputNeeded, Message, PromptAnswer, Reply, ResourceAnswer, Speaker, ToolAnswer, ToolContent};
pub use ask::{AskFailure, Client, ClientLine, HumanAnswer, Progress, ProgressSink};
pub use error::ProtocolError;
pub use listing::{
    CacheHint, CacheScope, Completion, Page, PromptArgument, PromptDescription, ResourceDescription, TemplateDescription, ToolAnnotations,
    ToolDescription,
};

/// A boxed future: it keeps [`Surface`] object-safe, so that the generics of the SDK are instantiated in this crate only.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The future of one request: an answer, or an error that becomes a JSON-RPC error.
pub type Answering<'a, T> = Boxed<'a, Result<T, ProtocolError>>;

/// How the server introduces itself, and which optional parts it has. The same in both eras.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// `serverInfo.name`.
    pub name: String,
    /// `serverInfo.title`, for people.
    pub title: Option<String>,
    /// `serverInfo.version`.
    pub version: String,
    /// What a model should know before the first call.
    pub instructions: Option<String>,
    /// Whether prompts are offered.
    pub prompts: bool,
    /// Whether arguments of templates and prompts are completed.
    pub completions: bool,
    /// Whether log messages are sent. Deprecated by 2026-07-28; only the conformance fixtures turn it on.
    pub logging: bool,
    /// How long `server/discover` may be cached.
    pub cache: CacheHint,
}

impl About {
    /// A server with tools, resources, prompts and completions, and nothing else.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            title: None,
            version: version.into(),
            instructions: None,
            prompts: true,
            completions: true,
            logging: false,
            cache: CacheHint::private(0),
        }
    }
}

/// Who asks. Made by the transport: on stdio the owner, on HTTP what the `Authenticator` says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    /// Stable name of the principal. Sessions, handles and sealed state are bound to it.
    pub principal: String,
    /// What the credential allows, in the product's own words. Empty for the owner, who needs none.
    pub scopes: Vec<String>,
}

impl Caller {
    /// The person whose machine this is.
    pub fn owner() -> Self {
        Self { principal: "owner".to_owned(), scopes: Vec::new() }
    }

    /// A named principal with the scopes of its credential.
    pub fn new(principal: impl Into<String>, scopes: Vec<String>) -> Self {
        Self { principal: principal.into(), scopes }
    }
}

/// Who asks, with what: the part that every request has.
#[derive(Debug, Clone)]
pub struct Visitor {
    /// The authenticated principal.
    pub caller: Caller,
    /// The protocol revision of this very request, such as `2026-07-28`.
    pub protocol_version: String,
    /// What the client calls itself. For logs only: it is unauthenticated, and behaviour must not rest on it.
    pub client_name: Option<String>,
    /// Fires when the peer cancelled the request, hung up (2026-07-28 over HTTP), or the server stops.
    pub cancelled: CancellationToken,
}

impl Visitor {
    /// Whether the request speaks 2026-07-28 or later: stateless, and the server cannot send requests.
    pub fn is_modern(&self) -> bool {
        self.protocol_version.as_str() >= crate::MODERN_VERSION
    }
}

/// One `tools/call`.
#[derive(Debug)]
pub struct Call {
    /// Name of the tool.
    pub name: String,
    /// Its arguments, unchecked.
    pub arguments: Map<String, Value>,
    /// Who asks.
    pub visitor: Visitor,
    /// Where progress goes; silent when the client sent no token.
    pub progress: ProgressSink,
    /// The way back to the client: questions to a person, log lines.
    pub client: Client,
}

/// One `prompts/get`.
#[derive(Debug)]
pub struct PromptCall {
    /// Name of the prompt.
    pub name: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Who asks.
    pub visitor: Visitor,
    /// The way back to the client.
    pub client: Client,
}

/// What an argument to complete belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CompletionTarget {
    /// The prompt of this name.
    Prompt(String),
    /// The resource template with this URI template.
    Template(String),
}

/// One `completion/complete`.
#[derive(Debug)]
pub struct CompletionCall {
    /// What the argument belongs to.
    pub target: CompletionTarget,
    /// Name of the argument.
    pub argument: String,
    /// What was typed so far.
    pub typed: String,
    /// Arguments that are already filled in.
    pub resolved: Vec<(String, String)>,
    /// Who asks.
    pub visitor: Visitor,
}

/// Something that peers may want to hear of. Each goes to legacy sessions and to `subscriptions/listen` streams alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The resource of this URI reads differently now. Reaches only those who subscribed to that URI and may see it.
    ResourceUpdated(String),
    /// Resources came or went.
    ResourceListChanged,
    /// Tools came or went.
    ToolListChanged,
    /// Prompts came or went.
    PromptListChanged,
}

/// What a server offers. One value serves all transports, sessions and eras at the same time.
///
/// Listings may depend on the caller, never on the connection or on earlier requests (2026-07-28).
pub trait Surface: Send + Sync + 'static {
    /// Name, version, instructions. Cheap: it is read on every request.
    fn about(&self) -> About;

    /// Tools that the caller may use, in a fixed order.
    fn list_tools<'a>(&'a self, visitor: &'a Visitor) -> Answering<'a, Page<ToolDescription>>;

    /// The input schema of a tool, for checking `Mcp-Param-*` headers. Needed only where a schema uses `x-mcp-header`.
    fn input_schema(&self, _tool: &str) -> Option<Map<String, Value>> {
        None
    }

    /// Runs a tool. Expected failures are answers with `is_error`; an unknown tool is [`ProtocolError::unknown_tool`].
    fn call_tool(&self, call: Call) -> Answering<'_, Reply<ToolAnswer>>;

    /// One page of resources, strictly after `cursor`. A cursor that is not ours is [`ProtocolError::bad_cursor`].
    fn list_resources<'a>(&'a self, visitor: &'a Visitor, cursor: Option<&'a str>) -> Answering<'a, Page<ResourceDescription>>;

    /// URI templates.
    fn list_templates<'a>(&'a self, visitor: &'a Visitor) -> Answering<'a, Page<TemplateDescription>>;

    /// Reads a resource. Missing and denied are one answer: [`ProtocolError::resource_not_found`].
    fn read_resource<'a>(&'a self, visitor: &'a Visitor, uri: &'a str) -> Answering<'a, ResourceAnswer>;

    /// Whether the caller may hear of changes of this URI. Asked before each `notifications/resources/updated`.
    fn may_see<'a>(&'a self, caller: &'a Caller, uri: &'a str) -> Boxed<'a, bool>;

    /// Values for an argument. Must not name anything that the caller may not see.
    fn complete(&self, _call: CompletionCall) -> Answering<'_, Completion> {
        Box::pin(async { Ok(Completion::default()) })
    }

    /// Prompts that the caller may use.
    fn list_prompts<'a>(&'a self, _visitor: &'a Visitor) -> Answering<'a, Page<PromptDescription>> {
        Box::pin(async { Ok(Page::default()) })
    }

    /// Renders a prompt. An unknown one is [`ProtocolError::unknown_prompt`].
    fn get_prompt(&self, call: PromptCall) -> Answering<'_, Reply<PromptAnswer>> {
        Box::pin(async move { Err(ProtocolError::unknown_prompt(&call.name)) })
    }

    /// A new receiver of events. A receiver that lags is told that everything changed, so no event is lost for good.
    fn events(&self) -> broadcast::Receiver<Event>;
}
