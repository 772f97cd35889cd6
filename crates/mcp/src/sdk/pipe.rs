//! One lane of a stdio pipe: the SDK's service on an in-memory transport, so that each era has its own on one pair of streams.

use std::io;

use rmcp::{
    RoleServer,
    model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage},
    service::serve_server_with_ct,
    transport::Transport,
};
use serde_json::Value;
use tokio::{sync::mpsc, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::Adapter;

/// Messages that may wait in a lane before the reader of the pipe waits too.
const LANE_CAPACITY: usize = 64;

/// One message on its way out.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The id of the request that it answers, if it is an answer.
    pub answers: Option<Value>,
    /// JSON without a line break.
    pub text: String,
}

/// See the module.
pub(crate) struct Lane {
    inbox: mpsc::Sender<ClientJsonRpcMessage>,
    task: JoinHandle<()>,
}

/// Starts a lane. It ends when it is closed, or when its peer broke the handshake; what it has to say goes to `outbox`.
pub(crate) fn open_lane(adapter: Adapter, outbox: mpsc::Sender<Outgoing>) -> Lane {
    let (sender, inbox) = mpsc::channel(LANE_CAPACITY);
    let task = tokio::spawn(async move {
        match serve_server_with_ct(adapter, LaneTransport { inbox, outbox }, CancellationToken::new()).await {
            Ok(running) => {
                let _ = running.waiting().await;
            }
            Err(error) => tracing::debug!(%error, "a lane ended before its handshake"),
        }
    });
    Lane { inbox: sender, task }
}

impl Lane {
    /// Whether it takes no more messages.
    pub(crate) fn is_closed(&self) -> bool {
        self.inbox.is_closed()
    }

    /// Hands a message over.
    ///
    /// # Errors
    /// When the SDK cannot read it as a message.
    pub(crate) async fn send(&self, message: Value) -> Result<(), serde_json::Error> {
        let message = serde_json::from_value(message)?;
        if self.inbox.send(message).await.is_err() {
            tracing::debug!("a lane ended while a message was on its way");
        }
        Ok(())
    }

    /// No more messages; the answers in flight are still sent. Wait for the returned task.
    pub(crate) fn close(self) -> JoinHandle<()> {
        self.task
    }
}

struct LaneTransport {
    inbox: mpsc::Receiver<ClientJsonRpcMessage>,
    outbox: mpsc::Sender<Outgoing>,
}

impl Transport<RoleServer> for LaneTransport {
    type Error = io::Error;

    fn send(&mut self, item: ServerJsonRpcMessage) -> impl Future<Output = Result<(), io::Error>> + Send + 'static {
        let outbox = self.outbox.clone();
        async move {
            let id = match &item {
                JsonRpcMessage::Response(response) => Some(response.id.clone().into_json_value()),
                JsonRpcMessage::Error(error) => error.id.clone().map(rmcp::model::NumberOrString::into_json_value),
                _ => None,
            };
            let text = serde_json::to_string(&item)?;
            outbox.send(Outgoing { answers: id, text }).await.map_err(|_| io::ErrorKind::BrokenPipe.into())
        }
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        self.inbox.recv().await
    }

    async fn close(&mut self) -> Result<(), io::Error> {
        self.inbox.close();
        Ok(())
    }
}
