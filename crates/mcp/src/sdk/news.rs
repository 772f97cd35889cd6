//! Events on their way to peers: to a legacy session over its own stream, to `subscriptions/listen` filtered and tagged.

use std::{collections::HashSet, sync::Arc, time::Duration};

use rmcp::{
    Peer, RoleServer,
    model::{PingRequest, ResourceUpdatedNotificationParam, ServerRequest},
    service::{PeerRequestOptions, ServiceError, SubscriptionContext, SubscriptionSendError},
};
use tokio::sync::broadcast::{Receiver, error::RecvError};

use super::{Shared, adapter::Subscribed};
use crate::{
    http::sessions::Ping,
    surface::{Boxed, Caller, Event, Surface},
};

/// The next events; `None` when the server is gone. A receiver that lagged is told that everything may have changed.
async fn next(receiver: &mut Receiver<Event>, subscribed: impl FnOnce() -> Vec<String>) -> Option<Vec<Event>> {
    match receiver.recv().await {
        Ok(event) => Some(vec![event]),
        Err(RecvError::Lagged(_)) => {
            let mut events = vec![Event::ToolListChanged, Event::PromptListChanged, Event::ResourceListChanged];
            events.extend(subscribed().into_iter().map(Event::ResourceUpdated));
            Some(events)
        }
        Err(RecvError::Closed) => None,
    }
}

/// Tells a legacy peer, until it is gone. `updated` reaches it only for what it subscribed to and may see.
pub(super) async fn forward(
    surface: Arc<dyn Surface>,
    mut receiver: Receiver<Event>,
    caller: Caller,
    peer: Peer<RoleServer>,
    subscribed: Subscribed,
) {
    let uris = || subscribed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    while let Some(events) = next(&mut receiver, || uris().into_iter().collect()).await {
        for event in events {
            if let Event::ResourceUpdated(uri) = &event
                && (!uris().contains(uri) || !surface.may_see(&caller, uri).await)
            {
                continue;
            }
            if tell(&peer, event).await.is_err() {
                return;
            }
        }
    }
}

async fn tell(peer: &Peer<RoleServer>, event: Event) -> Result<(), ServiceError> {
    match event {
        Event::ResourceUpdated(uri) => peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await,
        Event::ResourceListChanged => peer.notify_resource_list_changed().await,
        Event::ToolListChanged => peer.notify_tool_list_changed().await,
        Event::PromptListChanged => peer.notify_prompt_list_changed().await,
    }
}

/// Serves one `subscriptions/listen` until the peer or the server ends it. The acknowledgement was sent already.
pub(super) async fn listen(shared: &Shared, caller: Caller, context: SubscriptionContext) {
    let sink = context.sink();
    let wanted: HashSet<String> = context.accepted().resource_subscriptions.clone().unwrap_or_default().into_iter().collect();
    let mut receiver = shared.surface.events();
    loop {
        let events = tokio::select! {
            () = context.cancelled() => return,
            () = shared.closing.cancelled() => return,
            events = next(&mut receiver, || wanted.iter().cloned().collect()) => events,
        };
        let Some(events) = events else { return };
        for event in events {
            let sent = match event {
                Event::ResourceUpdated(uri) if !wanted.contains(&uri) || !shared.surface.may_see(&caller, &uri).await => continue,
                Event::ResourceUpdated(uri) => sink.notify_resource_updated(uri).await,
                Event::ResourceListChanged => sink.notify_resource_list_changed().await,
                Event::ToolListChanged => sink.notify_tool_list_changed().await,
                Event::PromptListChanged => sink.notify_prompt_list_changed().await,
            };
            // The sink drops what was not asked for; only a lost connection ends the subscription.
            if let Err(SubscriptionSendError::SubscriptionClosed | SubscriptionSendError::Service(_)) = sent {
                return;
            }
        }
    }
}

/// Pings the peer of a session over its own stream.
pub(super) struct PeerPing(pub Peer<RoleServer>);

impl Ping for PeerPing {
    fn ping(&self, deadline: Duration) -> Boxed<'_, bool> {
        Box::pin(async move {
            let request = ServerRequest::PingRequest(PingRequest { method: Default::default(), extensions: Default::default() });
            let answer = async {
                let pending = self.0.send_request_with_option(request, PeerRequestOptions::with_timeout(deadline)).await?;
                pending.await_response().await
            };
            // The deadline covers the sending too: a stream that nobody reads may hold a frame back.
            matches!(tokio::time::timeout(deadline, answer).await, Ok(Ok(_)))
        })
    }
}
