//! A web server on a real socket that answers as a test says, and keeps what it was asked.
#![allow(dead_code, reason = "each test binary uses its part")]

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// What a client asked.
#[derive(Debug, Clone)]
pub struct Request {
    pub path: String,
    /// Names in lower case.
    pub headers: BTreeMap<String, String>,
}

/// What the server does with the connection.
pub type Handler = dyn Fn(&Request, &mut TcpStream) + Send + Sync;

/// A server that lives as long as the value.
pub struct Server {
    pub port: u16,
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

    /// What was asked since this was last called.
    pub fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut self.requests.lock().expect("a lock"))
    }

    pub fn paths(&self) -> Vec<String> {
        let mut paths: Vec<String> = self.requests().into_iter().map(|request| request.path).collect();
        paths.sort();
        paths
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
    let request = Request { path, headers };
    log.lock().expect("a lock").push(request.clone());
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

/// Files by path, each with an ETag; `None` is answered 404. Files may be changed while the server runs.
pub type Files = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A server of files: what a static site is.
pub fn serve_files(files: &Files) -> Server {
    let files = Arc::clone(files);
    Server::start(move |request, stream| answer_file(&files, request, stream))
}

pub fn answer_file(files: &Files, request: &Request, stream: &mut TcpStream) {
    let path = percent_decoded(&request.path);
    let Some(bytes) = files.lock().expect("a lock").get(path.trim_start_matches('/')).cloned() else {
        return answer(stream, 404, &[("Content-Type", "text/html")], b"<html>nothing here</html>");
    };
    let etag = format!("\"{}\"", document::Stamp::of(&bytes));
    if request.headers.get("if-none-match") == Some(&etag) {
        return answer(stream, 304, &[("ETag", &etag)], b"");
    }
    let kind = if path.ends_with(".json") { "application/json" } else { "text/markdown; charset=utf-8" };
    answer(stream, 200, &[("ETag", &etag), ("Content-Type", kind)], &bytes);
}

fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = path.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let escaped = (*first == b'%').then(|| behind.get(..2)).flatten();
        match escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).expect("paths are UTF-8")
}

/// `zeros` bytes of 0 as gzip: a thousandth of their size.
pub fn gzip_of_zeros(zeros: usize) -> Vec<u8> {
    let mut bits = Bits::default();
    // One last block with the fixed codes (RFC 1951, 3.2.6): a zero, then "258 bytes as the one before" again and again.
    bits.push(0b1, 1);
    bits.push(0b01, 2);
    bits.push_code(0b0011_0000, 8);
    let repeats = zeros.saturating_sub(1) / 258;
    for _ in 0..repeats {
        bits.push_code(0b1100_0101, 8);
        bits.push_code(0, 5);
    }
    for _ in 0..zeros - 1 - repeats * 258 {
        bits.push_code(0b0011_0000, 8);
    }
    bits.push_code(0, 7);
    let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    gzip.extend(bits.done());
    gzip.extend(crc32_of_zeros(zeros).to_le_bytes());
    gzip.extend(u32::try_from(zeros).expect("fits").to_le_bytes());
    gzip
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    fn push(&mut self, value: u32, length: u32) {
        for bit in 0..length {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            let last = self.bytes.last_mut().expect("a byte was pushed");
            *last |= u8::try_from((value >> bit) & 1).expect("a bit") << (self.count % 8);
            self.count += 1;
        }
    }

    /// Codes are packed from their first bit.
    fn push_code(&mut self, code: u32, length: u32) {
        for bit in (0..length).rev() {
            self.push((code >> bit) & 1, 1);
        }
    }

    fn done(self) -> Vec<u8> {
        self.bytes
    }
}

fn crc32_of_zeros(count: usize) -> u32 {
    let mut crc = u32::MAX;
    for _ in 0..count {
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}
