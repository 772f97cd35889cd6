//! The SDK's session manager, with every session entered in our book: counted, bound to its principal, closed when it is reaped.

use std::sync::Arc;

use axum::http::request::Parts;
use futures_util::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, GetExtensions, JsonRpcMessage, ServerJsonRpcMessage},
    transport::{
        common::server_side_http::ServerSseMessage,
        streamable_http_server::session::{
            SessionId, SessionManager,
            local::{LocalSessionManager, LocalSessionManagerError},
        },
    },
};

use crate::{
    http::sessions::{SessionBook, SessionCloser},
    surface::{Boxed, Caller},
};

/// Tells the handler of an `initialize` which session it opens.
#[derive(Debug, Clone)]
pub(super) struct SessionKey(pub String);

/// See the module.
pub(super) struct BookedSessions {
    inner: LocalSessionManager,
    book: Arc<SessionBook>,
}

impl BookedSessions {
    pub(super) fn new(book: Arc<SessionBook>) -> Self {
        let mut inner = LocalSessionManager::default();
        // The SDK would end a session after five quiet minutes, although its client is there and waits for news. Our sweep decides.
        inner.session_config.keep_alive = None;
        Self { inner, book }
    }
}

impl SessionManager for BookedSessions {
    type Error = LocalSessionManagerError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        self.inner.create_session().await
    }

    async fn initialize_session(&self, id: &SessionId, mut message: ClientJsonRpcMessage) -> Result<ServerJsonRpcMessage, Self::Error> {
        let caller = match &message {
            JsonRpcMessage::Request(request) => {
                request.request.extensions().get::<Parts>().and_then(|parts| parts.extensions.get::<Caller>().cloned())
            }
            _ => None,
        };
        if let Some(caller) = caller {
            self.book.created(id, &caller.principal);
        }
        message.insert_extension(SessionKey(id.to_string()));
        self.inner.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        self.inner.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        self.book.forget(id);
        self.inner.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.inner.create_stream(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Self::Error> {
        self.inner.accept_message(id, message).await
    }

    async fn create_standalone_stream(&self, id: &SessionId) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.inner.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.inner.resume(id, last_event_id).await
    }
}

impl SessionCloser for BookedSessions {
    fn close(&self, id: String) -> Boxed<'_, ()> {
        Box::pin(async move {
            if let Err(error) = self.close_session(&id.into()).await {
                tracing::debug!(%error, "a session was closed already");
            }
        })
    }
}
