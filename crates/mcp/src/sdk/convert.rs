//! Our words into the SDK's and back. Plain value to value; nothing here decides anything.

use std::sync::Arc;

use rmcp::model as sdk;
use serde_json::{Map, Value, json};

use crate::surface::{
    About, CacheHint, CacheScope, Completion, Contents, ContentsBody, InputNeeded, Message, Page, PromptAnswer, PromptDescription, ProtocolError,
    ResourceAnswer, ResourceDescription, Speaker, TemplateDescription, ToolAnswer, ToolContent, ToolDescription,
};

/// `_meta` key under which 2026-07-28 wants the server's name on every result.
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

pub(super) fn error(error: ProtocolError) -> sdk::ErrorData {
    sdk::ErrorData::new(sdk::ErrorCode(error.code), error.message, error.data)
}

/// Name, capabilities and instructions. The same for both eras, as the specification asks.
pub(super) fn server_config(about: &About) -> sdk::ServerConfig {
    let mut capabilities = sdk::ServerCapabilities::default();
    capabilities.tools = Some(from_json(json!({ "listChanged": true })));
    capabilities.resources = Some(from_json(json!({ "subscribe": true, "listChanged": true })));
    capabilities.prompts = about.prompts.then(|| from_json(json!({ "listChanged": true })));
    capabilities.completions = about.completions.then(Map::new);
    capabilities.logging = about.logging.then(Map::new);
    let mut info = sdk::Implementation::new(about.name.clone(), about.version.clone());
    info.title = about.title.clone();
    let mut config = sdk::ServerConfig::new(capabilities).with_server_info(info);
    config.instructions = about.instructions.clone();
    config
}

/// Only used on literals whose shape is fixed above.
fn from_json<T: serde::de::DeserializeOwned + Default>(value: Value) -> T {
    serde_json::from_value(value).unwrap_or_default()
}

/// Signs a result with the server's name, on the modern path only: legacy peers know it from the handshake.
pub(super) fn sign(meta: &mut Option<sdk::MetaObject>, about: &About, is_modern: bool) {
    if is_modern {
        let object = meta.get_or_insert_with(sdk::MetaObject::new);
        object.0.insert(SERVER_INFO.to_owned(), json!({ "name": about.name, "version": about.version }));
    }
}

pub(super) fn scope(scope: CacheScope) -> sdk::CacheScope {
    match scope {
        CacheScope::Public => sdk::CacheScope::Public,
        CacheScope::Private => sdk::CacheScope::Private,
    }
}

pub(super) fn tools(page: Page<ToolDescription>, is_modern: bool) -> sdk::ListToolsResult {
    let mut result = sdk::ListToolsResult::with_all_items(page.items.into_iter().map(tool).collect());
    result.next_cursor = page.next_cursor;
    (result.ttl_ms, result.cache_scope) = hints(page.cache, is_modern);
    result
}

/// Legacy listings never had cache hints, and a strict peer may refuse fields that it does not know.
fn hints(cache: CacheHint, is_modern: bool) -> (Option<u64>, Option<sdk::CacheScope>) {
    if is_modern { (Some(cache.ttl_ms), Some(scope(cache.scope))) } else { (None, None) }
}

fn tool(description: ToolDescription) -> sdk::Tool {
    let mut tool = sdk::Tool::new(description.name, description.description, Arc::new(description.input_schema));
    tool.title = description.title;
    tool.output_schema = description.output_schema.map(Arc::new);
    tool.annotations = description.annotations.map(|hints| {
        sdk::ToolAnnotations::new()
            .read_only(hints.read_only)
            .destructive(hints.destructive)
            .idempotent(hints.idempotent)
            .open_world(hints.open_world)
    });
    tool
}

/// A tool that carries nothing but the schema which the SDK checks `Mcp-Param-*` headers against.
pub(super) fn schema_holder(name: &str, input_schema: Map<String, Value>) -> sdk::Tool {
    sdk::Tool::new(name.to_owned(), "", Arc::new(input_schema))
}

pub(super) fn tool_answer(answer: ToolAnswer) -> sdk::CallToolResult {
    let content = answer.content.into_iter().map(content).collect();
    let mut result = if answer.is_error { sdk::CallToolResult::error(content) } else { sdk::CallToolResult::success(content) };
    result.structured_content = answer.structured;
    result
}

fn content(content: ToolContent) -> sdk::ContentBlock {
    match content {
        ToolContent::Text(text) => sdk::ContentBlock::text(text),
        ToolContent::Image { data, mime_type } => sdk::ContentBlock::image(data, mime_type),
        ToolContent::Audio { data, mime_type } => sdk::ContentBlock::audio(data, mime_type),
        ToolContent::Resource(resource) => sdk::ContentBlock::resource(contents(resource)),
        ToolContent::Link(description) => sdk::ContentBlock::resource_link(resource(description)),
    }
}

fn contents(contents: Contents) -> sdk::ResourceContents {
    let mut result = match contents.body {
        ContentsBody::Text(text) => sdk::ResourceContents::text(text, contents.uri),
        ContentsBody::Blob(blob) => sdk::ResourceContents::blob(blob, contents.uri),
    };
    if let Some(mime_type) = contents.mime_type {
        result = result.with_mime_type(mime_type);
    }
    result
}

pub(super) fn resources(page: Page<ResourceDescription>, is_modern: bool) -> sdk::ListResourcesResult {
    let mut result = sdk::ListResourcesResult::with_all_items(page.items.into_iter().map(resource).collect());
    result.next_cursor = page.next_cursor;
    (result.ttl_ms, result.cache_scope) = hints(page.cache, is_modern);
    result
}

fn resource(description: ResourceDescription) -> sdk::Resource {
    let mut resource = sdk::Resource::new(description.uri, description.name);
    resource.title = description.title;
    resource.description = description.description;
    resource.mime_type = description.mime_type;
    resource.size = description.size_bytes;
    resource
}

pub(super) fn templates(page: Page<TemplateDescription>, is_modern: bool) -> sdk::ListResourceTemplatesResult {
    let items = page.items.into_iter().map(|description| {
        let mut template = sdk::ResourceTemplate::new(description.uri_template, description.name);
        template.title = description.title;
        template.description = description.description;
        template.mime_type = description.mime_type;
        template
    });
    let mut result = sdk::ListResourceTemplatesResult::with_all_items(items.collect());
    result.next_cursor = page.next_cursor;
    (result.ttl_ms, result.cache_scope) = hints(page.cache, is_modern);
    result
}

pub(super) fn resource_answer(answer: ResourceAnswer, is_modern: bool) -> sdk::ReadResourceResult {
    let mut result = sdk::ReadResourceResult::new(answer.contents.into_iter().map(contents).collect());
    (result.ttl_ms, result.cache_scope) = hints(answer.cache, is_modern);
    result
}

pub(super) fn prompts(page: Page<PromptDescription>, is_modern: bool) -> sdk::ListPromptsResult {
    let items = page.items.into_iter().map(|description| {
        let arguments = description.arguments.into_iter().map(|argument| {
            let mut result = sdk::PromptArgument::new(argument.name).with_required(argument.required);
            result.description = argument.description;
            result
        });
        let mut prompt = sdk::Prompt::new(description.name, description.description, Some(arguments.collect()));
        prompt.title = description.title;
        prompt
    });
    let mut result = sdk::ListPromptsResult::with_all_items(items.collect());
    result.next_cursor = page.next_cursor;
    (result.ttl_ms, result.cache_scope) = hints(page.cache, is_modern);
    result
}

pub(super) fn prompt_answer(answer: PromptAnswer) -> sdk::GetPromptResult {
    let mut result = sdk::GetPromptResult::new(answer.messages.into_iter().map(message).collect());
    result.description = answer.description;
    result
}

fn message(message: Message) -> sdk::PromptMessage {
    let role = match message.speaker {
        Speaker::User => sdk::Role::User,
        Speaker::Assistant => sdk::Role::Assistant,
    };
    sdk::PromptMessage::new(role, content(message.content))
}

/// At most 100 values may be sent; what was cut off is said.
pub(super) fn completion(completion: Completion) -> sdk::CompleteResult {
    let found = completion.values.len();
    let mut values = completion.values;
    values.truncate(sdk::CompletionInfo::MAX_VALUES);
    let mut info = sdk::CompletionInfo::default();
    let total = completion.total.or_else(|| u32::try_from(found).ok());
    info.has_more = Some(total.is_some_and(|total| total as usize > values.len()));
    info.total = total;
    info.values = values;
    sdk::CompleteResult::new(info)
}

/// Questions to the client. `state` is sealed already.
///
/// # Errors
/// Internal, if the product asks something that is no request to a client.
pub(super) fn input_needed(needed: InputNeeded, state: Option<String>) -> Result<sdk::InputRequiredResult, sdk::ErrorData> {
    let mut requests = sdk::InputRequests::new();
    for (key, request) in needed.requests {
        let request = serde_json::from_value(request).map_err(|error| {
            tracing::error!(key, %error, "a question to the client is malformed");
            self::error(ProtocolError::internal())
        })?;
        requests.insert(key, request);
    }
    Ok(sdk::InputRequiredResult::new((!requests.is_empty()).then_some(requests), state))
}
