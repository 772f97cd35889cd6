//! A plain MCP client over standard input and output, which times what it asks.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::process;

/// A server and the conversation with it. Ends with the server when it is dropped.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    limit: Duration,
    last_id: u64,
    /// From before the start of the process to the answer to `initialize`.
    pub init: Duration,
    /// Before the start of the process.
    pub started: Instant,
}

/// An answer, its size on the wire in bytes, and how long it took.
pub struct Answer {
    pub result: Value,
    pub bytes: usize,
    pub took: Duration,
}

impl Client {
    /// Starts a server and says hello.
    ///
    /// # Errors
    /// A server that cannot be started, ends, or does not answer within `limit`.
    pub fn start(mut command: Command, log: &std::path::Path, limit: Duration) -> Result<Self> {
        let log = std::fs::File::create(log).with_context(|| format!("{} cannot be written", log.display()))?;
        let started = Instant::now();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn().context("the server cannot be started")?;
        let output = child.stdout.take().context("the server has no output")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { break };
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        let mut client = Self { child, input, lines, limit, last_id: 0, init: Duration::ZERO, started };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "ibid-bench", "version": "1"}});
        client.ask("initialize", &hello)?;
        client.init = started.elapsed();
        client.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    /// The process of the server.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Calls a tool.
    ///
    /// # Errors
    /// A protocol error, an error result, no answer within the limit.
    pub fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer> {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        if answer.result["isError"] == true {
            bail!("{tool} answers with an error: {}", answer.result["content"]);
        }
        Ok(answer)
    }

    /// Sends a request and waits for its answer; time is from before it is written to after it is parsed.
    ///
    /// # Errors
    /// A protocol error, no answer within the limit.
    pub fn ask(&mut self, method: &str, params: &Value) -> Result<Answer> {
        self.last_id += 1;
        let id = self.last_id;
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let began = Instant::now();
        self.write(&request)?;
        loop {
            let line = match self.lines.recv_timeout(self.limit.saturating_sub(began.elapsed())) {
                Ok(line) => line,
                Err(RecvTimeoutError::Timeout) => bail!("{method} is not answered within {} s", self.limit.as_secs()),
                Err(RecvTimeoutError::Disconnected) => bail!("the server has ended before it answered {method}"),
            };
            // Other lines on standard output are a fault of the server that the bench lives with.
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else { continue };
            if message.get("method").is_some() {
                if let Some(asked) = message.get("id") {
                    self.write(&json!({"jsonrpc": "2.0", "id": asked, "result": {}}))?;
                }
                continue;
            }
            if message["id"] != id {
                continue;
            }
            if let Some(error) = message.get("error") {
                bail!("{method} fails: {error}");
            }
            return Ok(Answer { result: message["result"].take(), bytes: line.len(), took: began.elapsed() });
        }
    }

    fn write(&mut self, message: &Value) -> Result<()> {
        let input = self.input.as_mut().context("the server has no input")?;
        writeln!(input, "{message}").and_then(|()| input.flush()).context("the server does not read")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A server whose input ends leaves by itself, with its files in order.
        self.input = None;
        process::leave(&mut self.child);
    }
}
