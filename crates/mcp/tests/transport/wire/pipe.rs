//! A stdio server at the other end of an in-memory pipe.

use std::{io, sync::Arc};

use mcp::stdio::{StdioOptions, serve};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use super::{initialize, notification, soon};
use crate::fixtures::Fixtures;

/// See the module.
pub struct Pipe {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    task: JoinHandle<io::Result<()>>,
    pub fixtures: Arc<Fixtures>,
    pub shutdown: CancellationToken,
}

impl Pipe {
    pub fn start() -> Self {
        Self::with(StdioOptions::default())
    }

    pub fn with(options: StdioOptions) -> Self {
        let fixtures = Arc::new(Fixtures::new());
        let shutdown = CancellationToken::new();
        let (input, server_input) = tokio::io::duplex(64 * 1024);
        let (server_output, output) = tokio::io::duplex(64 * 1024);
        let task = tokio::spawn(serve(fixtures.clone(), options, server_input, server_output, shutdown.clone()));
        Self { input, output: BufReader::new(output).lines(), task, fixtures, shutdown }
    }

    /// A pipe after a handshake.
    pub async fn session(version: &str) -> Self {
        let mut pipe = Self::start();
        let agreed = pipe.ask(&initialize(version)).await;
        assert_eq!(agreed["result"]["protocolVersion"], version);
        pipe.send(&notification("notifications/initialized", json!({}))).await;
        pipe
    }

    /// Writes a line as it stands.
    pub async fn line(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).await.expect("the server reads");
        self.input.write_all(b"\n").await.expect("the server reads");
    }

    pub async fn send(&mut self, message: &Value) {
        self.line(&message.to_string()).await;
    }

    /// The next line. Every line is one JSON document, or the test fails.
    pub async fn next(&mut self) -> Option<Value> {
        let line = soon(self.output.next_line()).await.expect("the server writes")?;
        Some(serde_json::from_str(&line).unwrap_or_else(|_| panic!("not JSON: {line}")))
    }

    /// Sends a message and takes the next line for its answer.
    pub async fn ask(&mut self, message: &Value) -> Value {
        self.send(message).await;
        self.next().await.expect("an answer")
    }

    /// Ends the input; returns what was still said and how the server ended.
    pub async fn end(self) -> (Vec<Value>, io::Result<()>) {
        let Self { input, mut output, task, .. } = self;
        drop(input);
        let mut rest = Vec::new();
        while let Some(line) = soon(output.next_line()).await.expect("the server writes") {
            rest.push(serde_json::from_str(&line).expect("JSON"));
        }
        (rest, soon(task).await.expect("no panic"))
    }
}
