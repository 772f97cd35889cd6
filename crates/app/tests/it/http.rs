//! `ibid serve`: token, hosts, origins, sizes, sign-in; and the same answers as over stdio.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::agent::{World, record};

/// A running `ibid serve` on a free port.
pub struct Server {
    child: Child,
    pub address: String,
    pub sign_in: Option<String>,
    pub token: String,
}

impl Server {
    pub fn start(world: &World, more: &[&str]) -> Self {
        let mut child = world
            .ibid()
            .arg("--json")
            .arg("serve")
            .arg(world.records())
            .args(["--bind", "127.0.0.1:0"])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .expect("ibid starts");
        let mut output = BufReader::new(child.stdout.take().expect("piped"));
        let mut text = String::new();
        let greeting: Value = loop {
            assert!(output.read_line(&mut text).expect("ibid writes") > 0, "ibid serve ended: {text}");
            if let Ok(greeting) = serde_json::from_str(&text) {
                break greeting;
            }
        };
        // Keep reading, so that the pipe never fills.
        std::thread::spawn(move || std::io::copy(&mut output, &mut std::io::sink()));
        let address = greeting["site"].as_str().expect("a site").trim_start_matches("http://").to_owned();
        let token = std::fs::read_to_string(world.state().join("owner-token")).expect("a token").trim().to_owned();
        Self { child, address, sign_in: greeting["sign_in"].as_str().map(str::to_owned), token }
    }

    /// Sends a request as it stands and gives back status and whole answer.
    pub fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("ibid listens");
        stream.write_all(request.as_bytes()).expect("ibid reads");
        let mut answer = Vec::new();
        // A server that refuses a large body may close before all of it is sent.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_else(|| panic!("no status in {answer:?}"));
        (status, answer)
    }

    pub fn post(&self, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut request = format!("POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        let has = |wanted: &str| headers.iter().any(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if !has("Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        if !has("Accept") {
            request.push_str("Accept: application/json, text/event-stream\r\n");
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        request.push_str("\r\n");
        request.push_str(body);
        self.raw(&request)
    }

    fn get(&self, path: &str, headers: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{headers}\r\n", self.address))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn modern(name: &str, arguments: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments,
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}}})
    .to_string()
}

fn world() -> World {
    let world = World::new();
    world.write("sre/adr/0001-define-slos.md", &record("Define SLOs", "accepted", "every service states an availability target"));
    world
}

const MODERN: [(&str, &str); 3] = [("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "search_records")];

#[test]
fn a_token_is_needed_and_only_the_right_one_serves() {
    let world = world();
    let server = Server::start(&world, &[]);
    let body = modern("search_records", &json!({}));
    let (status, answer) = server.post(&MODERN, &body);
    assert_eq!(status, 401, "{answer}");
    assert!(answer.to_lowercase().contains("www-authenticate: bearer"), "{answer}");
    let wrong = format!("Bearer {}", "x".repeat(server.token.len()));
    let (status, _) = server.post(&[&MODERN[..], &[("Authorization", &wrong)]].concat(), &body);
    assert_eq!(status, 401);
    let right = format!("Bearer {}", server.token);
    let (status, answer) = server.post(&[&MODERN[..], &[("Authorization", &right)]].concat(), &body);
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("Define SLOs"), "{answer}");
    // The token file is the owner's alone.
    use std::os::unix::fs::PermissionsExt as _;
    let mode = std::fs::metadata(world.state().join("owner-token")).expect("a token").permissions().mode();
    assert_eq!(mode & 0o077, 0);
    // A named token serves until it is removed.
    let made = world.ibid().args(["token", "add", "ci", "--library"]).arg(world.records()).output().expect("ibid runs");
    let named = format!("Bearer {}", String::from_utf8_lossy(&made.stdout).trim());
    assert_eq!(server.post(&[&MODERN[..], &[("Authorization", &named)]].concat(), &body).0, 200);
    let removed = world.ibid().args(["token", "remove", "ci", "--library"]).arg(world.records()).status().expect("ibid runs");
    assert!(removed.success());
    assert_eq!(server.post(&[&MODERN[..], &[("Authorization", &named)]].concat(), &body).0, 401);
}

#[test]
fn foreign_hosts_and_origins_and_oversized_bodies_are_refused() {
    let world = world();
    let server = Server::start(&world, &["--no-auth"]);
    let body = modern("search_records", &json!({}));
    assert_eq!(server.post(&MODERN, &body).0, 200);
    assert_eq!(server.post(&[&MODERN[..], &[("Host", "evil.example.com")]].concat(), &body).0, 403);
    assert_eq!(server.post(&[&MODERN[..], &[("Origin", "http://evil.example.com")]].concat(), &body).0, 403);
    let own = format!("http://{}", server.address);
    assert_eq!(server.post(&[&MODERN[..], &[("Origin", own.as_str())]].concat(), &body).0, 200);
    // The pages are guarded by the same check.
    let (status, _) = server.raw("GET / HTTP/1.1\r\nHost: evil.example.com\r\nConnection: close\r\n\r\n");
    assert_eq!(status, 403);
    let (status, _) = server.raw(&format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 5000000\r\n\r\n",
        server.address
    ));
    assert_eq!(status, 413);
    let (status, answer) = server.post(&[], "{not json");
    assert_eq!(status, 400);
    assert!(answer.contains("-32700"), "{answer}");
}

#[test]
fn no_auth_is_for_loopback_only() {
    let world = world();
    let refused = world.ibid().arg("serve").arg(world.records()).args(["--bind", "0.0.0.0:0", "--no-auth"]).output().expect("ibid runs");
    assert_eq!(refused.status.code(), Some(77));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--no-auth is refused for 0.0.0.0:0"));
}

#[test]
fn the_printed_url_signs_in_once_and_a_citation_opens() {
    let world = world();
    let server = Server::start(&world, &[]);
    let (status, answer) = server.get("/", "");
    assert_eq!(status, 303, "{answer}");
    let url = server.sign_in.clone().expect("a sign-in url");
    let path = url.split_once(&server.address).expect("the url leads here").1.to_owned();
    let (status, answer) = server.get(&path, "");
    assert_eq!(status, 303, "{answer}");
    let lower = answer.to_lowercase();
    let cookie = answer
        .lines()
        .zip(lower.lines())
        .find(|(_, lower)| lower.starts_with("set-cookie:"))
        .map(|(line, _)| line["set-cookie:".len()..].trim().split(';').next().unwrap_or_default().to_owned())
        .expect("a cookie");
    assert!(lower.contains("httponly"), "{answer}");
    let cookie = format!("Cookie: {cookie}\r\n");
    let (status, home) = server.get("/", &cookie);
    assert_eq!(status, 200);
    assert!(home.contains("Content-Security-Policy") || home.contains("content-security-policy"), "{home}");
    // The same url does not sign in again.
    let (_, again) = server.get(&path, "");
    assert!(!again.to_lowercase().contains("set-cookie:"), "{again}");
    // Who lost the link asks for another one.
    let status = world.ibid().arg("status").arg("--library").arg(world.records()).output().expect("ibid runs");
    let status = String::from_utf8_lossy(&status.stdout).into_owned();
    let link =
        status.lines().find_map(|line| line.strip_prefix("sign in (works once, for ten minutes): ")).unwrap_or_else(|| panic!("no link in {status}"));
    let path = link.split_once(&server.address).expect("the link leads here").1;
    assert!(server.get(path, "").1.to_lowercase().contains("set-cookie:"));
    // The permalink of a hit opens and marks what was quoted.
    let right = format!("Bearer {}", server.token);
    let body = modern("search", &json!({"query": "availability"}));
    let (status, answer) = server.post(
        &[("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"), ("Mcp-Name", "search"), ("Authorization", right.as_str())],
        &body,
    );
    assert_eq!(status, 200, "{answer}");
    let at = answer.find("/d/sre/adr/0001-define-slos").expect("a permalink");
    let link: String = answer[at..].chars().take_while(|character| !matches!(character, '"' | '\\' | '#')).collect();
    let (status, page) = server.get(&link, &cookie);
    assert_eq!(status, 200, "{link}");
    let marked = page.split_once("class=\"cited\"").expect("a marked range").1;
    assert!(marked.contains("availability"), "{page}");
}
