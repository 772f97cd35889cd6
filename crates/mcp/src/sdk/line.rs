//! The way back to a client: requests and notifications on the stream of one call, and progress beside a running call.

use std::{future::Future, panic::AssertUnwindSafe};

use futures_util::FutureExt;
use rmcp::{
    Peer, RoleServer,
    model::{CustomRequest, ProgressNotificationParam, ProgressToken, ServerNotification, ServerRequest},
    service::ServiceError,
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

use crate::surface::{Answering, ClientLine, Progress, ProgressSink, ProtocolError};

/// The line of one request.
pub(super) struct PeerLine {
    pub peer: Peer<RoleServer>,
    pub protocol_version: String,
    pub is_mute: bool,
}

impl ClientLine for PeerLine {
    fn is_modern(&self) -> bool {
        self.protocol_version.as_str() >= crate::MODERN_VERSION
    }

    fn knows_modes(&self) -> bool {
        self.protocol_version.as_str() >= "2025-11-25"
    }

    fn is_mute(&self) -> bool {
        self.is_mute
    }

    fn request(&self, method: &str, params: Value) -> Answering<'_, Value> {
        // As it stands: the typed requests of the SDK add fields that older clients do not know.
        let request = ServerRequest::CustomRequest(CustomRequest::new(method, Some(params)));
        Box::pin(async move {
            if self.is_mute {
                return Err(ProtocolError::invalid_params("The client cannot be asked anything inside a batch."));
            }
            let answer = self.peer.send_request(request).await.map_err(unreachable)?;
            serde_json::to_value(answer).map_err(|_| ProtocolError::internal())
        })
    }

    fn notify(&self, method: &str, params: Value) -> Answering<'_, ()> {
        let notification = serde_json::from_value::<ServerNotification>(json!({ "method": method, "params": params }));
        Box::pin(async move {
            if self.is_mute {
                return Ok(());
            }
            self.peer.send_notification(notification.map_err(|_| ProtocolError::internal())?).await.map_err(unreachable)
        })
    }
}

fn unreachable(error: ServiceError) -> ProtocolError {
    match error {
        ServiceError::McpError(error) => ProtocolError { code: error.code.0, message: error.message.into_owned(), data: error.data },
        other => {
            tracing::debug!(error = %other, "the client did not answer");
            ProtocolError::new(ProtocolError::INTERNAL, "The client did not answer")
        }
    }
}

/// Progress of one call, on its way to the client that asked for it.
pub(super) struct ProgressPump {
    token: ProgressToken,
    reports: mpsc::UnboundedReceiver<Progress>,
    /// The protocol wants growing numbers; a report that does not grow is dropped.
    last: f64,
}

impl ProgressPump {
    /// A sink for the call, and the pump that empties it.
    pub(super) fn new(token: ProgressToken) -> (ProgressSink, Self) {
        let (sender, reports) = mpsc::unbounded_channel();
        (ProgressSink::new(sender), Self { token, reports, last: f64::NEG_INFINITY })
    }

    async fn forward(&mut self, peer: &Peer<RoleServer>, progress: Progress) {
        if progress.done.is_nan() || progress.done <= self.last {
            return;
        }
        self.last = progress.done;
        let mut param = ProgressNotificationParam::new(self.token.clone(), progress.done);
        param.total = progress.total;
        param.message = progress.message;
        if let Err(error) = peer.notify_progress(param).await {
            tracing::debug!(%error, "progress did not reach the client");
        }
    }
}

/// Runs a call to its end, forwarding its progress in order and before the answer. A panic becomes an internal error: the process and
/// the session live on, and nothing of the inside is told.
pub(super) async fn run<T>(
    call: impl Future<Output = Result<T, ProtocolError>>,
    pump: Option<ProgressPump>,
    peer: &Peer<RoleServer>,
    what: &str,
) -> Result<T, ProtocolError> {
    let call = AssertUnwindSafe(call).catch_unwind();
    let mut call = std::pin::pin!(call);
    let outcome = match pump {
        None => call.await,
        Some(mut pump) => loop {
            tokio::select! {
                biased;
                report = pump.reports.recv(), if !pump.reports.is_closed() || !pump.reports.is_empty() => {
                    if let Some(progress) = report {
                        pump.forward(peer, progress).await;
                    }
                }
                outcome = &mut call => {
                    while let Ok(progress) = pump.reports.try_recv() {
                        pump.forward(peer, progress).await;
                    }
                    break outcome;
                }
            }
        },
    };
    outcome.unwrap_or_else(|_| {
        tracing::error!(what, "panicked");
        Err(ProtocolError::internal())
    })
}
