//! A web server on a real socket that answers as a test says, and keeps what it was asked.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What a client asked.
#[derive(Debug, Clone)]
pub struct Request {
    /// Which one it is, from 0.
    pub number: usize,
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
    pub body: String,
}

impl Request {
    /// The texts that it wants vectors of.
    pub fn texts(&self) -> Vec<String> {
        let body: serde_json::Value = serde_json::from_str(&self.body).expect("a question is JSON");
        body["input"].as_array().expect("texts").iter().map(|text| text.as_str().expect("a text").to_owned()).collect()
    }
}

type Handler = dyn Fn(&Request, &mut TcpStream) + Send + Sync;

/// A server that lives as long as the value.
pub struct Server {
    port: u16,
    requests: Arc<Mutex<Vec<Request>>>,
    is_over: Arc<Mutex<bool>>,
}

impl Server {
    pub fn start(handler: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let (requests, is_over) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(false)));
        let handler: Arc<Handler> = Arc::new(handler);
        let (log, over) = (Arc::clone(&requests), Arc::clone(&is_over));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                if *over.lock().expect("a lock") {
                    break;
                }
                let (Ok(stream), handler, log) = (stream, Arc::clone(&handler), Arc::clone(&log)) else { continue };
                std::thread::spawn(move || serve(stream, &*handler, &log));
            }
        });
        Self { port, requests, is_over }
    }

    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// All that was asked so far.
    pub fn requests(&self) -> Vec<Request> {
        self.requests.lock().expect("a lock").clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        *self.is_over.lock().expect("a lock") = true;
        // The listener is waiting for a connection, not for this.
        let _ = TcpStream::connect(SocketAddr::from(([127, 0, 0, 1], self.port)));
    }
}

fn serve(mut stream: TcpStream, handler: &Handler, log: &Mutex<Vec<Request>>) {
    let mut reader = BufReader::new(stream.try_clone().expect("a second handle"));
    let mut line = String::new();
    if reader.read_line(&mut line).unwrap_or(0) == 0 {
        return;
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or(0) == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.trim().to_lowercase(), value.trim().to_owned());
        }
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    let _ = reader.read_exact(&mut body);
    let body = String::from_utf8(body).expect("a question is UTF-8");
    let request = {
        let mut log = log.lock().expect("a lock");
        let request = Request { number: log.len(), path, headers, body };
        log.push(request.clone());
        request
    };
    handler(&request, &mut stream);
}

/// A whole answer. Its connection ends with it.
pub fn answer(stream: &mut TcpStream, status: u16, headers: &[(&str, &str)], body: &[u8]) {
    let mut head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}
