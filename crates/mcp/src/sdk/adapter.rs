//! The SDK's handler over a [`Surface`]: one instance per legacy session, per stdio lane, and per stateless request.

#![expect(deprecated, reason = "logging/setLevel is deprecated by 2026-07-28, and still part of the revisions before it")]

use std::{
    borrow::Cow,
    collections::HashSet,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::http::request::Parts;
use rmcp::{
    Peer, RoleServer, ServerHandler, model as sdk,
    model::{ErrorData, ProtocolVersion},
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use tokio_util::sync::{CancellationToken, DropGuard};

use super::{Mute, STATE_TTL, Shared, convert, line, line::ProgressPump, news, round::Round, sessions::SessionKey, wording};
use crate::{
    http::sessions::SessionBook,
    surface::{About, Call, Caller, Client, CompletionCall, CompletionTarget, InputNeeded, ProgressSink, PromptCall, ProtocolError, Reply, Visitor},
};

/// What a peer subscribed to with `resources/subscribe`.
pub(super) type Subscribed = Arc<Mutex<HashSet<String>>>;

/// See the module.
pub(crate) struct Adapter {
    shared: Shared,
    /// Who asks, where the transport knows it once and for all (stdio). On HTTP each request says so itself.
    caller: Option<Caller>,
    /// Where HTTP sessions are kept.
    book: Option<Arc<SessionBook>>,
    subscribed: Subscribed,
    is_forwarding: AtomicBool,
    /// What `logging/setLevel` asked for.
    log_level: Mutex<Option<String>>,
    /// Ends the task that forwards events when the session ends.
    gone: CancellationToken,
    _gone_guard: DropGuard,
}

impl Adapter {
    pub(super) fn new(shared: Shared, caller: Option<Caller>, book: Option<Arc<SessionBook>>) -> Self {
        let gone = shared.closing.child_token();
        Self {
            shared,
            caller,
            book,
            subscribed: Subscribed::default(),
            is_forwarding: AtomicBool::new(false),
            log_level: Mutex::default(),
            _gone_guard: gone.clone().drop_guard(),
            gone,
        }
    }

    fn about(&self) -> About {
        self.shared.surface.about()
    }

    /// Fails closed: a request over HTTP that no authenticator has seen is not served.
    fn caller(&self, extensions: &sdk::Extensions) -> Result<Caller, ErrorData> {
        let authenticated = extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Caller>()).cloned();
        authenticated.or_else(|| self.caller.clone()).ok_or_else(|| {
            tracing::error!("a request came past authentication");
            convert::error(ProtocolError::internal())
        })
    }

    fn visitor(&self, context: &RequestContext<RoleServer>) -> Result<Visitor, ErrorData> {
        Ok(Visitor {
            caller: self.caller(&context.extensions)?,
            protocol_version: version_of(context),
            client_name: context.client_info().map(|client| client.name),
            cancelled: context.ct.clone(),
        })
    }

    /// The client of a call, with what it answered in an earlier round.
    fn client(&self, context: &RequestContext<RoleServer>, visitor: &Visitor, round: Round<'_>) -> Result<Client, ErrorData> {
        let is_mute = context.extensions.get::<Parts>().is_some_and(|parts| parts.extensions.get::<Mute>().is_some());
        let line = line::PeerLine { peer: context.peer.clone(), protocol_version: visitor.protocol_version.clone(), is_mute };
        let mut client = Client::new(Arc::new(line));
        client.capabilities = context.client_capabilities().and_then(|declared| serde_json::to_value(declared).ok()).unwrap_or_default();
        client.log_level = if visitor.is_modern() {
            context.meta.log_level().and_then(|level| serde_json::to_value(level).ok()?.as_str().map(str::to_owned))
        } else {
            lock(&self.log_level).clone()
        };
        client.input_responses = round.responses.clone().unwrap_or_default().into_iter().collect();
        if let Some(sealed) = round.state {
            let binding = round.binding(&visitor.caller);
            let opened = self.shared.codec.open_with(sealed, &binding).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            // One message for every reason, so that nothing can be learned about the key.
            let opened = opened.ok_or_else(|| convert::error(ProtocolError::invalid_params("requestState is not valid for this request")))?;
            client.state = Some(opened);
        }
        Ok(client)
    }

    /// Once per session, at the first sign that the peer is ready for news. The receiver exists before this returns, so nothing that
    /// happens after a subscription was confirmed is missed.
    fn start_forwarding(&self, caller: Caller, peer: Peer<RoleServer>) {
        if self.is_forwarding.swap(true, Ordering::SeqCst) {
            return;
        }
        let receiver = self.shared.surface.events();
        let forwarding = news::forward(self.shared.surface.clone(), receiver, caller, peer, self.subscribed.clone());
        tokio::spawn(self.gone.clone().run_until_cancelled_owned(forwarding));
    }

    fn ask(&self, needed: InputNeeded, visitor: &Visitor, round: Round<'_>) -> Result<sdk::InputRequiredResult, ErrorData> {
        let sealed = needed.state.as_ref().map(|state| {
            let binding = round.binding(&visitor.caller);
            self.shared.codec.seal_with(state.as_bytes(), &sdk::SealOptions::new().associated_data(&binding).ttl(STATE_TTL))
        });
        let mut result = convert::input_needed(needed, sealed)?;
        convert::sign(&mut result.meta, &self.about(), true);
        Ok(result)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The revision of this request. Without any word on it, the specification says 2025-03-26.
fn version_of(context: &RequestContext<RoleServer>) -> String {
    context.protocol_version().map_or_else(|| "2025-03-26".to_owned(), |version| version.as_str().to_owned())
}

impl ServerHandler for Adapter {
    fn get_info(&self) -> sdk::ServerConfig {
        convert::server_config(&self.about())
    }

    async fn initialize(
        &self,
        request: sdk::InitializeRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::InitializeResult, ErrorData> {
        context.peer.set_peer_info(request.clone());
        let result = self.negotiate_initialize(&request)?;
        if let (Some(book), Some(SessionKey(id))) = (&self.book, context.extensions.get::<SessionKey>()) {
            book.opened(id, result.protocol_version.as_str(), &request.client_info.name, Arc::new(news::PeerPing(context.peer.clone())));
        }
        Ok(result)
    }

    async fn discover(&self, _context: RequestContext<RoleServer>) -> Result<sdk::DiscoverResult, ErrorData> {
        let about = self.about();
        let config = convert::server_config(&about);
        Ok(sdk::DiscoverResult::from_server_info(self.supported_protocol_versions().into_owned(), config)
            .with_ttl_ms(about.cache.ttl_ms)
            .with_cache_scope(convert::scope(about.cache.scope)))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::KNOWN_VERSIONS)
    }

    async fn set_level(&self, request: sdk::SetLevelRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        if !self.about().logging || self.visitor(&context)?.is_modern() {
            return Err(ErrorData::new(sdk::ErrorCode::METHOD_NOT_FOUND, "logging/setLevel", None));
        }
        *lock(&self.log_level) = serde_json::to_value(request.level).ok().and_then(|level| level.as_str().map(str::to_owned));
        Ok(())
    }

    async fn list_tools(
        &self,
        request: Option<sdk::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::ListToolsResult, ErrorData> {
        let visitor = self.visitor(&context)?;
        single_page(request)?;
        let page = line::run(self.shared.surface.list_tools(&visitor), None, &context.peer, "tools/list").await.map_err(convert::error)?;
        let mut result = convert::tools(page, visitor.is_modern());
        convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
        Ok(result)
    }

    fn get_tool(&self, name: &str) -> Option<sdk::Tool> {
        Some(convert::schema_holder(name, self.shared.surface.input_schema(name)?))
    }

    async fn call_tool(&self, request: sdk::CallToolRequestParams, context: RequestContext<RoleServer>) -> Result<sdk::CallToolResponse, ErrorData> {
        let visitor = self.visitor(&context)?;
        let arguments = request.arguments.unwrap_or_default();
        let round = Round {
            method: "tools/call",
            target: &request.name,
            arguments: Some(&arguments),
            responses: &request.input_responses,
            state: request.request_state.as_ref(),
        };
        let client = self.client(&context, &visitor, round)?;
        let (progress, pump) = match context.meta.get_progress_token() {
            Some(token) => {
                let (sink, pump) = ProgressPump::new(token);
                (sink, Some(pump))
            }
            None => (ProgressSink::silent(), None),
        };
        let call = Call { name: request.name.to_string(), arguments: arguments.clone(), visitor: visitor.clone(), progress, client };
        let reply = line::run(self.shared.surface.call_tool(call), pump, &context.peer, &request.name).await.map_err(convert::error)?;
        match reply {
            Reply::Done(answer) => {
                let mut result = convert::tool_answer(answer);
                convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
                Ok(result.into())
            }
            Reply::NeedsInput(needed) => Ok(self.ask(needed, &visitor, round)?.into()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<sdk::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::ListResourcesResult, ErrorData> {
        let visitor = self.visitor(&context)?;
        let cursor = request.and_then(|request| request.cursor);
        let listing = self.shared.surface.list_resources(&visitor, cursor.as_deref());
        let page = line::run(listing, None, &context.peer, "resources/list").await.map_err(convert::error)?;
        let mut result = convert::resources(page, visitor.is_modern());
        convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        request: Option<sdk::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::ListResourceTemplatesResult, ErrorData> {
        let visitor = self.visitor(&context)?;
        single_page(request)?;
        let listing = self.shared.surface.list_templates(&visitor);
        let page = line::run(listing, None, &context.peer, "resources/templates/list").await.map_err(convert::error)?;
        let mut result = convert::templates(page, visitor.is_modern());
        convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: sdk::ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::ReadResourceResponse, ErrorData> {
        let visitor = self.visitor(&context)?;
        let reading = self.shared.surface.read_resource(&visitor, &request.uri);
        let answer = line::run(reading, None, &context.peer, "resources/read").await.map_err(convert::error)?;
        let mut result = convert::resource_answer(answer, visitor.is_modern());
        convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
        Ok(result.into())
    }

    async fn complete(&self, request: sdk::CompleteRequestParams, context: RequestContext<RoleServer>) -> Result<sdk::CompleteResult, ErrorData> {
        let visitor = self.visitor(&context)?;
        let is_modern = visitor.is_modern();
        let target = match request.r#ref {
            sdk::Reference::Prompt(prompt) => CompletionTarget::Prompt(prompt.name),
            sdk::Reference::Resource(template) => CompletionTarget::Template(template.uri),
            _ => return Err(convert::error(ProtocolError::invalid_params("Unknown kind of reference"))),
        };
        let resolved = request.context.and_then(|context| context.arguments).unwrap_or_default().into_iter().collect();
        let call = CompletionCall { target, argument: request.argument.name, typed: request.argument.value, resolved, visitor };
        let completing = self.shared.surface.complete(call);
        let completion = line::run(completing, None, &context.peer, "completion/complete").await.map_err(convert::error)?;
        let mut result = convert::completion(completion);
        convert::sign(&mut result.meta, &self.about(), is_modern);
        Ok(result)
    }

    async fn list_prompts(
        &self,
        request: Option<sdk::PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::ListPromptsResult, ErrorData> {
        if !self.about().prompts {
            return Err(ErrorData::new(sdk::ErrorCode::METHOD_NOT_FOUND, "prompts/list", None));
        }
        let visitor = self.visitor(&context)?;
        single_page(request)?;
        let listing = self.shared.surface.list_prompts(&visitor);
        let page = line::run(listing, None, &context.peer, "prompts/list").await.map_err(convert::error)?;
        let mut result = convert::prompts(page, visitor.is_modern());
        convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
        Ok(result)
    }

    async fn get_prompt(
        &self,
        request: sdk::GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<sdk::GetPromptResponse, ErrorData> {
        let visitor = self.visitor(&context)?;
        let arguments = request.arguments.unwrap_or_default();
        let round = Round {
            method: "prompts/get",
            target: &request.name,
            arguments: Some(&arguments),
            responses: &request.input_responses,
            state: request.request_state.as_ref(),
        };
        let client = self.client(&context, &visitor, round)?;
        let call = PromptCall { name: request.name.clone(), arguments: arguments.clone(), visitor: visitor.clone(), client };
        let reply = line::run(self.shared.surface.get_prompt(call), None, &context.peer, "prompts/get").await.map_err(convert::error)?;
        match reply {
            Reply::Done(answer) => {
                let mut result = convert::prompt_answer(answer);
                convert::sign(&mut result.meta, &self.about(), visitor.is_modern());
                Ok(result.into())
            }
            Reply::NeedsInput(needed) => Ok(self.ask(needed, &visitor, round)?.into()),
        }
    }

    async fn subscribe(&self, request: sdk::SubscribeRequestParams, context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        // Whether the caller may see the resource is asked when there is news: subscribing must not tell whether it exists.
        lock(&self.subscribed).insert(request.uri);
        self.start_forwarding(self.caller(&context.extensions)?, context.peer);
        Ok(())
    }

    async fn unsubscribe(&self, request: sdk::UnsubscribeRequestParams, _context: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        lock(&self.subscribed).remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &sdk::SubscriptionFilter) -> Option<sdk::SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let caller = self.caller(&context.request_context().extensions)?;
        news::listen(&self.shared, caller, context).await;
        Ok(())
    }

    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        if let Ok(caller) = self.caller(&context.extensions) {
            self.start_forwarding(caller, context.peer);
        }
    }

    async fn on_custom_request(&self, request: sdk::CustomRequest, context: RequestContext<RoleServer>) -> Result<sdk::CustomResult, ErrorData> {
        let is_modern = version_of(&context).as_str() >= crate::MODERN_VERSION;
        if wording::is_known(&request.method, is_modern) {
            return Err(convert::error(ProtocolError::invalid_params(format!("Invalid params for {}", request.method))));
        }
        Err(ErrorData::new(sdk::ErrorCode::METHOD_NOT_FOUND, format!("Method not found: {}", request.method), None))
    }
}

/// These listings have one page, so no cursor can be ours.
fn single_page(request: Option<sdk::PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        Some(cursor) => Err(convert::error(ProtocolError::bad_cursor(&cursor))),
        None => Ok(()),
    }
}
