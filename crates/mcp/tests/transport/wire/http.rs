//! HTTP by hand: requests as text on a socket, responses read to their end or event by event.

use std::{net::SocketAddr, sync::Arc};

use mcp::{
    http::{Authenticator, HttpOptions, Refusal, Sessions, endpoint},
    surface::{Boxed, Caller},
};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};
use tokio_util::sync::CancellationToken;

use super::{initialize, soon};
use crate::fixtures::Fixtures;

/// Tokens are the names of their principals; `stranger` is nobody, `narrow` may too little.
pub struct ByName;

impl Authenticator for ByName {
    fn authenticate<'a>(&'a self, token: Option<&'a str>) -> Boxed<'a, Result<Caller, Refusal>> {
        Box::pin(async move {
            match token {
                None => Err(Refusal::Missing),
                Some("stranger") => Err(Refusal::Invalid),
                Some("narrow") => Err(Refusal::InsufficientScope(vec!["read".into(), "write".into()])),
                Some("offline") => Err(Refusal::Unavailable),
                Some(name) => Ok(Caller::new(name, vec!["read".to_owned()])),
            }
        })
    }
}

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    pub fixtures: Arc<Fixtures>,
    pub sessions: Sessions,
    pub shutdown: CancellationToken,
}

/// A whole response.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Reply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The JSON body, or the last message of an event stream.
    pub fn json(&self) -> Value {
        if self.header("content-type").is_some_and(|kind| kind.starts_with("text/event-stream")) {
            return self.messages().pop().unwrap_or_default();
        }
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    /// All messages of an event stream.
    pub fn messages(&self) -> Vec<Value> {
        self.body.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?.trim()).ok()).collect()
    }
}

impl Server {
    /// A server that asks for a token, which is the name of its principal.
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(adapt: impl FnOnce(&mut HttpOptions)) -> Self {
        let fixtures = Arc::new(Fixtures::new());
        let shutdown = CancellationToken::new();
        let mut options = HttpOptions { authenticator: Arc::new(ByName), shutdown: shutdown.clone(), ..HttpOptions::default() };
        adapt(&mut options);
        let mounted = endpoint(fixtures.clone(), options);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move { axum::serve(listener, mounted.router).await });
        Self { address, fixtures, sessions: mounted.sessions, shutdown }
    }

    /// Sends a request as it stands and reads the response to its end.
    pub async fn raw(&self, request: &str) -> Reply {
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        stream.write_all(request.as_bytes()).await.expect("the request is sent");
        let mut bytes = Vec::new();
        // A server that refuses a body may reset the connection after its answer.
        let _ = soon(stream.read_to_end(&mut bytes)).await;
        parse(&bytes)
    }

    /// Any request with a body, on a connection of its own.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        self.raw(&self.request(method, path, headers, body)).await
    }

    /// The text of a request. Headers that are given replace the usual ones; an empty value leaves a header out.
    fn request(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
        let host = self.address.to_string();
        let length = body.len().to_string();
        let usual = [
            ("Host", host.as_str()),
            ("Authorization", "Bearer owner"),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
            ("Content-Length", length.as_str()),
            ("Connection", "close"),
        ];
        let mut text = format!("{method} {path} HTTP/1.1\r\n");
        let replaced = |name: &str| headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name));
        let kept = usual.iter().filter(|(name, _)| !replaced(name));
        for (name, value) in kept.chain(headers).filter(|(_, value)| !value.is_empty()) {
            text.push_str(&format!("{name}: {value}\r\n"));
        }
        text + "\r\n" + body
    }

    /// A POST of one message.
    pub async fn post(&self, headers: &[(&str, &str)], message: &Value) -> Reply {
        self.send("POST", "/mcp", headers, &message.to_string()).await
    }

    /// A modern request with the headers that it needs.
    pub async fn modern(&self, message: &Value) -> Reply {
        self.modern_as("owner", message).await
    }

    pub async fn modern_as(&self, principal: &str, message: &Value) -> Reply {
        let headers = modern_headers(principal, message);
        self.post(&borrowed(&headers), message).await
    }

    /// A modern request whose answer is read event by event.
    pub async fn modern_stream(&self, principal: &str, message: &Value) -> Events {
        let headers = modern_headers(principal, message);
        self.stream("POST", &borrowed(&headers), &message.to_string()).await
    }

    /// Opens a stream.
    pub async fn stream(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Events {
        let mut stream = TcpStream::connect(self.address).await.expect("a connection");
        stream.write_all(self.request(method, "/mcp", headers, body).as_bytes()).await.expect("the request is sent");
        Events { stream, seen: String::new() }
    }

    /// A legacy session of this revision.
    pub async fn session(&self, version: &str) -> Session<'_> {
        self.session_as("owner", version).await
    }

    pub async fn session_as(&self, principal: &str, version: &str) -> Session<'_> {
        let authorization = format!("Bearer {principal}");
        let reply = self.post(&[("Authorization", &authorization)], &initialize(version)).await;
        let id = reply.header("mcp-session-id").unwrap_or_else(|| panic!("a session: {reply:?}")).to_owned();
        let session = Session { server: self, id, authorization, agreed: reply.json() };
        let reply = session.post(&super::notification("notifications/initialized", json!({}))).await;
        assert_eq!(reply.status, 202);
        session
    }
}

fn modern_headers(principal: &str, message: &Value) -> Vec<(String, String)> {
    let mut headers = vec![
        ("Authorization".to_owned(), format!("Bearer {principal}")),
        ("MCP-Protocol-Version".to_owned(), "2026-07-28".to_owned()),
        ("Mcp-Method".to_owned(), message["method"].as_str().unwrap_or_default().to_owned()),
    ];
    let name = if message["method"] == "resources/read" { &message["params"]["uri"] } else { &message["params"]["name"] };
    headers.extend(name.as_str().map(|name| ("Mcp-Name".to_owned(), name.to_owned())));
    headers
}

fn borrowed(headers: &[(String, String)]) -> Vec<(&str, &str)> {
    headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// A legacy session.
pub struct Session<'a> {
    pub server: &'a Server,
    pub id: String,
    authorization: String,
    /// The answer to `initialize`.
    pub agreed: Value,
}

impl Session<'_> {
    fn headers(&self) -> [(&str, &str); 2] {
        [("Mcp-Session-Id", &self.id), ("Authorization", &self.authorization)]
    }

    pub async fn post(&self, message: &Value) -> Reply {
        self.server.post(&self.headers(), message).await
    }

    pub async fn call(&self, message: &Value) -> Value {
        self.post(message).await.json()
    }

    pub async fn delete(&self) -> Reply {
        self.server.send("DELETE", "/mcp", &self.headers(), "").await
    }

    /// The stream for notifications. It is there when this returns.
    pub async fn listen(&self) -> Events {
        let mut events = self.server.stream("GET", &self.headers(), "").await;
        events.head().await;
        events
    }

    /// A request whose answer is read event by event.
    pub async fn stream(&self, message: &Value) -> Events {
        self.server.stream("POST", &self.headers(), &message.to_string()).await
    }
}

/// An open event stream. Dropping it hangs up.
pub struct Events {
    stream: TcpStream,
    seen: String,
}

impl Events {
    /// The next message, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.seen.find('\n') {
                let line: String = self.seen.drain(..=end).collect();
                if let Some(message) = line.strip_prefix("data:").and_then(|data| serde_json::from_str(data.trim()).ok()) {
                    return Some(message);
                }
            }
            if !self.fill().await {
                return None;
            }
        }
    }

    /// Reads the status line and headers.
    async fn head(&mut self) {
        while !self.seen.contains("\r\n\r\n") {
            assert!(self.fill().await, "the stream opens: {}", self.seen);
        }
        assert!(self.seen.starts_with("HTTP/1.1 200"), "{}", self.seen);
    }

    async fn fill(&mut self) -> bool {
        let mut chunk = [0; 4096];
        let read = soon(self.stream.read(&mut chunk)).await.unwrap_or(0);
        self.seen.push_str(&String::from_utf8_lossy(&chunk[..read]));
        read > 0
    }
}

fn parse(bytes: &[u8]) -> Reply {
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {text:?}"));
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).expect("a status");
    let headers: Vec<(String, String)> =
        lines.filter_map(|line| line.split_once(": ")).map(|(key, value)| (key.to_lowercase(), value.to_owned())).collect();
    let is_chunked = headers.iter().any(|(key, value)| key == "transfer-encoding" && value == "chunked");
    Reply { status, headers, body: if is_chunked { unchunk(body) } else { body.to_owned() } }
}

fn unchunk(mut body: &str) -> String {
    let mut whole = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let Ok(size @ 1..) = usize::from_str_radix(size, 16) else { break };
        whole.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    whole
}
