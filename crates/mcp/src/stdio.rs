//! MCP over stdin and stdout: one message per line, both eras on one pipe, batches, and answers to what is no message.

use std::{io, sync::Arc};

use serde_json::Value;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, BufWriter},
    sync::mpsc,
};
use tokio_util::sync::CancellationToken;

use crate::{
    envelope::{self, Fault, INVALID_REQUEST, Shape},
    sdk::{self, Lane, Outgoing, Shared},
    surface::{Boxed, Caller, ProtocolError, Surface},
};

/// How the pipe behaves.
#[derive(Debug, Clone)]
pub struct StdioOptions {
    /// Who is on the other end: the owner of the process.
    pub caller: Caller,
    /// Longest line; a longer one is answered with an error and skipped.
    pub max_line_bytes: usize,
    /// Messages in one batch.
    pub max_batch_len: usize,
}

impl Default for StdioOptions {
    fn default() -> Self {
        Self { caller: Caller::owner(), max_line_bytes: 16 * 1024 * 1024, max_batch_len: 100 }
    }
}

/// Serves the process's own stdin and stdout until stdin ends. Nothing else may write to stdout.
pub fn serve_process(surface: Arc<dyn Surface>, options: StdioOptions, shutdown: CancellationToken) -> Boxed<'static, io::Result<()>> {
    Box::pin(serve(surface, options, tokio::io::stdin(), tokio::io::stdout(), shutdown))
}

/// Serves any pair of streams until the input ends or `shutdown` fires. Answers in flight are still sent, for five seconds at most.
///
/// # Errors
/// Reading failed, or writing failed for another reason than that the peer is gone.
pub async fn serve(
    surface: Arc<dyn Surface>,
    options: StdioOptions,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin,
    shutdown: CancellationToken,
) -> io::Result<()> {
    // Subscriptions end with the pipe, whether or not the process goes on.
    let closing = shutdown.child_token();
    let shared = Shared::new(surface, None, closing.clone());
    let (line_sender, mut lines) = mpsc::channel(16);
    let reading = tokio::spawn(read_lines(input, options.max_line_bytes, line_sender));
    let (outbox, mut outgoing) = mpsc::channel(64);
    let mut pipe = Pipe {
        shared,
        options,
        outbox: Some(outbox),
        legacy: None,
        modern: None,
        handshake: Handshake::default(),
        batches: Vec::new(),
        ready: Vec::new(),
    };
    let mut writer = BufWriter::new(output);

    let ended = loop {
        tokio::select! {
            () = shutdown.cancelled() => break Ok(()),
            Some(message) = outgoing.recv() => write(&mut writer, pipe.outgoing(message), outgoing.is_empty()).await?,
            line = lines.recv() => match line {
                Some(Ok(line)) => for reply in pipe.line(line).await {
                    write(&mut writer, Some(reply), true).await?;
                },
                Some(Err(error)) => break Err(error),
                None => break Ok(()),
            },
        }
    };
    reading.abort();
    closing.cancel();
    let tasks = pipe.close();
    while let Some(message) = outgoing.recv().await {
        write(&mut writer, pipe.outgoing(message), outgoing.is_empty()).await?;
    }
    for task in tasks {
        let _ = task.await;
    }
    for reply in pipe.unfinished() {
        write(&mut writer, Some(reply), true).await?;
    }
    ended
}

/// A peer that closed its end has no use for the rest; that is no failure.
async fn write(writer: &mut (impl AsyncWrite + Unpin), text: Option<String>, flush: bool) -> io::Result<()> {
    let Some(text) = text else { return Ok(()) };
    let written = async {
        writer.write_all(text.as_bytes()).await?;
        writer.write_all(b"\n").await?;
        if flush { writer.flush().await } else { Ok(()) }
    };
    match written.await {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// One line of input.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Cuts the input into lines without ever holding more than one of the allowed length.
async fn read_lines(input: impl AsyncRead + Unpin, max_bytes: usize, sender: mpsc::Sender<io::Result<Line>>) {
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let chunk = match input.fill_buf().await {
            Ok(chunk) => chunk,
            Err(error) => {
                let _ = sender.send(Err(error)).await;
                return;
            }
        };
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let part = &chunk[..end.unwrap_or(chunk.len())];
        is_too_long |= line.len() + part.len() > max_bytes;
        if !is_too_long {
            line.extend_from_slice(part);
        }
        let used = end.map_or(chunk.len(), |end| end + 1);
        let is_last = used == 0;
        input.consume(used);
        if end.is_some() || is_last {
            let text = std::mem::take(&mut line);
            let message = if std::mem::take(&mut is_too_long) { Line::TooLong } else { Line::Text(text) };
            if sender.send(Ok(message)).await.is_err() || is_last {
                return;
            }
        }
    }
}

/// How far the legacy handshake is.
#[derive(Default)]
struct Handshake {
    /// Id of the `initialize` that is being answered.
    pending: Option<Value>,
    has_begun: bool,
    /// The agreed revision.
    version: Option<String>,
}

/// An array that waits for its answers.
struct Batch {
    waiting: Vec<Value>,
    replies: Vec<String>,
}

impl Batch {
    fn text(&self) -> Option<String> {
        if self.replies.is_empty() { None } else { Some(format!("[{}]", self.replies.join(","))) }
    }
}

/// One pipe with a lane per era.
struct Pipe {
    shared: Shared,
    options: StdioOptions,
    outbox: Option<mpsc::Sender<Outgoing>>,
    legacy: Option<Lane>,
    modern: Option<Lane>,
    handshake: Handshake,
    batches: Vec<Batch>,
    /// Arrays that were completed by the line at hand.
    ready: Vec<String>,
}

impl Pipe {
    /// Takes a line; returns what can be said at once.
    async fn line(&mut self, line: Line) -> Vec<String> {
        let mut replies = self.answer(line).await;
        replies.append(&mut self.ready);
        replies
    }

    async fn answer(&mut self, line: Line) -> Vec<String> {
        let text = match line {
            Line::Text(text) => text,
            Line::TooLong => {
                let message = format!("Invalid request: a line is longer than {} bytes", self.options.max_line_bytes);
                return vec![Fault::new(INVALID_REQUEST, message).reply().to_string()];
            }
        };
        if text.iter().all(u8::is_ascii_whitespace) {
            return Vec::new();
        }
        match envelope::parse(&text) {
            Ok(Value::Array(elements)) => self.batch(elements).await.into_iter().collect(),
            Ok(message) => self.message(message).await.into_iter().map(|reply| reply.to_string()).collect(),
            Err(fault) => vec![fault.reply().to_string()],
        }
    }

    /// Sends one message to the lane of its era; returns an error that needs no lane.
    async fn message(&mut self, message: Value) -> Option<Value> {
        let shape = match envelope::shape(&message) {
            Ok(shape) => shape,
            Err(fault) => return Some(fault.reply()),
        };
        match shape {
            Shape::Request { id, method } if envelope::is_modern(&message) => {
                // A fresh lane of the SDK would take these two for the start of a legacy handshake.
                if matches!(method.as_str(), "initialize" | "ping") {
                    return Some(envelope::error_reply(id, ProtocolError::METHOD_NOT_FOUND, &format!("Method not found: {method}")));
                }
                self.deliver(Era::Modern, id, message).await
            }
            Shape::Request { id, method } => {
                if method == "initialize" {
                    if let Err(fault) = envelope::check_initialize(&id, &message) {
                        return Some(fault.reply());
                    }
                    self.handshake.pending = Some(id.clone());
                    self.handshake.has_begun = true;
                }
                self.deliver(Era::Legacy, id, message).await
            }
            Shape::Notification { method } => {
                if method == "notifications/cancelled" {
                    self.withdraw(message.pointer("/params/requestId"));
                    if self.modern.is_some() {
                        self.deliver(Era::Modern, Value::Null, message.clone()).await;
                    }
                }
                // Before the handshake there is nobody to notify; the SDK would end the process over it.
                if self.handshake.has_begun { self.deliver(Era::Legacy, Value::Null, message).await } else { None }
            }
            Shape::Response { .. } => {
                if self.handshake.has_begun {
                    self.deliver(Era::Legacy, Value::Null, message).await
                } else {
                    None
                }
            }
        }
    }

    async fn deliver(&mut self, era: Era, id: Value, message: Value) -> Option<Value> {
        let outbox = self.outbox.clone()?;
        let lane = match era {
            Era::Modern => &mut self.modern,
            Era::Legacy => &mut self.legacy,
        };
        if lane.as_ref().is_none_or(Lane::is_closed) {
            *lane = Some(sdk::open_lane(sdk::stdio_adapter(self.shared.clone(), self.options.caller.clone()), outbox));
        }
        match lane.as_ref()?.send(message).await {
            Ok(()) => None,
            Err(error) => Some(envelope::error_reply(id, INVALID_REQUEST, &format!("Invalid request: {error}"))),
        }
    }

    /// Takes an array; returns a refusal, or the answer if it is complete already.
    async fn batch(&mut self, elements: Vec<Value>) -> Option<String> {
        if !self.handshake.version.as_deref().is_some_and(envelope::allows_batches) {
            let fault = Fault::new(INVALID_REQUEST, "Invalid request: batches need a handshake for 2025-03-26 or 2025-06-18");
            return Some(fault.reply().to_string());
        }
        if let Err(fault) = envelope::check_batch(&elements, self.options.max_batch_len) {
            return Some(fault.reply().to_string());
        }
        let ids = elements.iter().filter_map(|element| match envelope::shape(element) {
            Ok(Shape::Request { id, .. }) => Some(id),
            _ => None,
        });
        // The batch must be known before its first element runs: an answer may come at once.
        self.batches.push(Batch { waiting: ids.collect(), replies: Vec::new() });
        for element in elements {
            if let Some(reply) = self.message(element).await
                && let Some(batch) = self.batches.last_mut()
            {
                batch.waiting.retain(|id| Some(id) != reply.get("id"));
                batch.replies.push(reply.to_string());
            }
        }
        let is_complete = self.batches.last().is_some_and(|batch| batch.waiting.is_empty());
        if is_complete { self.batches.pop()?.text() } else { None }
    }

    /// What is to be written now that this message came from a lane.
    fn outgoing(&mut self, message: Outgoing) -> Option<String> {
        let Some(id) = &message.answers else { return Some(message.text) };
        if self.handshake.pending.as_ref() == Some(id) {
            self.handshake.pending = None;
            let answer: Value = serde_json::from_str(&message.text).unwrap_or_default();
            self.handshake.version = answer.pointer("/result/protocolVersion").and_then(Value::as_str).map(str::to_owned);
        }
        let Some(index) = self.batches.iter().position(|batch| batch.waiting.contains(id)) else { return Some(message.text) };
        let batch = &mut self.batches[index];
        batch.waiting.retain(|waiting| waiting != id);
        batch.replies.push(message.text);
        if batch.waiting.is_empty() { self.batches.remove(index).text() } else { None }
    }

    /// A cancelled element of a batch gets no answer, so the batch must not wait for it.
    fn withdraw(&mut self, id: Option<&Value>) {
        let Some(id) = id else { return };
        for batch in &mut self.batches {
            batch.waiting.retain(|waiting| waiting != id);
        }
        let complete = self.batches.extract_if(.., |batch| batch.waiting.is_empty());
        self.ready.extend(complete.filter_map(|batch| batch.text()));
    }

    /// No more input: the lanes finish what they have.
    fn close(&mut self) -> Vec<tokio::task::JoinHandle<()>> {
        self.outbox = None;
        [self.legacy.take(), self.modern.take()].into_iter().flatten().map(Lane::close).collect()
    }

    /// Batches whose last answers never came.
    fn unfinished(&mut self) -> Vec<String> {
        self.batches.drain(..).filter_map(|batch| batch.text()).collect()
    }
}

#[derive(Clone, Copy)]
enum Era {
    Legacy,
    Modern,
}
