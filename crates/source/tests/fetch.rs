//! What is asked of a site, and what is made of its answers: over real sockets, from servers that mean well and from others.

mod site_support;

use std::io::Write as _;
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use site_support::{Request, Server, answer, gzip_of_zeros};
use source::fetch::{FetchError, Fetched, Fetcher, Origin, Validators};

const LIMIT: usize = 64 * 1024;

fn fetcher(address: &str, token: Option<&str>) -> Fetcher {
    Fetcher::new(Origin::parse(address).expect("an address"), token).expect("a client")
}

async fn get(address: &str) -> Result<Fetched, FetchError> {
    fetcher(address, None).get(&["decisions.json"], &Validators::default(), LIMIT).await
}

fn bytes(fetched: Result<Fetched, FetchError>) -> Vec<u8> {
    match fetched.expect("an answer") {
        Fetched::Found(bytes, _) => bytes,
        Fetched::NotModified => panic!("nothing was said of an earlier answer"),
    }
}

#[tokio::test]
async fn a_file_is_read_below_the_base_path_with_the_token_and_without_cookies() {
    let server = Server::start(|_, stream| answer(stream, 200, &[("Set-Cookie", "a=b"), ("ETag", "\"1\"")], b"[]"));
    let fetcher = fetcher(&format!("{}/base/", server.address()), Some("s3cret"));
    for _ in 0..2 {
        let found = fetcher.get(&["sre", "adr", "0001 ä?.md"], &Validators::default(), LIMIT).await;
        assert_eq!(found, Ok(Fetched::Found(b"[]".to_vec(), Validators { etag: Some("\"1\"".to_owned()), last_modified: None })));
    }
    for request in server.requests() {
        assert_eq!(request.path, "/base/sre/adr/0001%20%C3%A4%3F.md");
        assert_eq!(request.headers["authorization"], "Bearer s3cret");
        assert_eq!(request.headers["accept-encoding"], "gzip");
        assert!(!request.headers.contains_key("cookie"));
        assert!(request.headers["user-agent"].starts_with("ibid/"));
    }
    assert!(!format!("{fetcher:?}").contains("s3cret"), "a token is never shown");
}

#[tokio::test]
async fn what_has_not_changed_is_not_sent_again() {
    let server = Server::start(|request, stream| match request.headers.get("if-none-match").map(String::as_str) {
        Some("\"1\"") if request.headers["if-modified-since"] == "yesterday" => answer(stream, 304, &[], b""),
        _ => answer(stream, 200, &[("ETag", "\"1\""), ("Last-Modified", "yesterday")], b"text"),
    });
    let fetcher = fetcher(&server.address(), None);
    let Ok(Fetched::Found(_, validators)) = fetcher.get(&["x"], &Validators::default(), LIMIT).await else { panic!("it was there") };
    assert_eq!(fetcher.get(&["x"], &validators, LIMIT).await, Ok(Fetched::NotModified));
}

#[tokio::test]
async fn a_site_that_does_not_answer_in_time_is_told_with_the_seeds_words() {
    // Whoever listens and never reads.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}/base", listener.local_addr().expect("an address"));
    let slow = fetcher(&address, None).with_patience(Duration::from_millis(200));
    let error = slow.get(&["decisions.json"], &Validators::default(), LIMIT).await.expect_err("nobody answers");
    assert_eq!(error.to_string(), format!("{address}/decisions.json did not answer within 200ms"));
    let seconds = FetchError::TimedOut { address: "https://x.example/decisions.json".to_owned(), patience: source::fetch::PATIENCE };
    assert_eq!(seconds.to_string(), "https://x.example/decisions.json did not answer within 10s");
}

#[tokio::test]
async fn a_body_that_never_ends_is_ended_by_its_size_or_by_the_time() {
    let endless = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 X\r\n\r\n");
        while stream.write_all(&[b' '; 4096]).is_ok() {}
    });
    let address = format!("{}/decisions.json", endless.address());
    assert_eq!(get(&endless.address()).await, Err(FetchError::TooLarge { address, limit_bytes: LIMIT }));

    let (hold, held) = std::sync::mpsc::channel::<()>();
    let held = Mutex::new(held);
    let trickle = Server::start(move |_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\n12345");
        // Until the test is over.
        let _ = held.lock().expect("a lock").recv();
    });
    let patient = fetcher(&trickle.address(), None).with_patience(Duration::from_millis(200));
    let found = patient.get(&["x"], &Validators::default(), LIMIT).await;
    drop(hold);
    assert!(matches!(found, Err(FetchError::TimedOut { .. })), "{found:?}");
}

#[tokio::test]
async fn a_size_is_believed_only_when_it_is_too_large() {
    let huge = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 9999999999999\r\n\r\n");
    });
    assert!(matches!(get(&huge.address()).await, Err(FetchError::TooLarge { .. })));
    let cut = Server::start(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 100\r\nConnection: close\r\n\r\n[]");
    });
    let found = get(&cut.address()).await;
    assert!(matches!(found, Err(FetchError::BrokenOff { .. })), "{found:?}");
}

#[tokio::test]
async fn what_is_compressed_counts_by_what_comes_out_of_it() {
    let server = Server::start(|request, stream| {
        let zeros = if request.path.ends_with("bomb") { 1 << 30 } else { LIMIT };
        // The checksum of a bomb is never reached.
        let body = if zeros > LIMIT { gzip_of_zeros(LIMIT * 64) } else { gzip_of_zeros(zeros) };
        answer(stream, 200, &[("Content-Encoding", "gzip")], &body);
    });
    let fetcher = fetcher(&server.address(), None);
    assert_eq!(bytes(fetcher.get(&["fits"], &Validators::default(), LIMIT).await), vec![0; LIMIT]);
    let bomb = fetcher.get(&["bomb"], &Validators::default(), LIMIT).await;
    assert!(matches!(bomb, Err(FetchError::TooLarge { limit_bytes: LIMIT, .. })), "{bomb:?}");
    let broken = Server::start(|_, stream| answer(stream, 200, &[("Content-Encoding", "gzip")], b"no gzip"));
    assert!(matches!(get(&broken.address()).await, Err(FetchError::BrokenOff { .. })));
}

#[tokio::test]
async fn a_redirect_is_followed_on_the_site_and_nowhere_else() {
    let others = Arc::new(Server::start(|_, stream| answer(stream, 200, &[], b"secrets of another service")));
    let other_port = others.port;
    let server = Server::start(move |request, stream| {
        let to = match request.path.as_str() {
            "/site/decisions.json" => "/moved/decisions.json?v=2".to_owned(),
            "/moved/decisions.json?v=2" => return answer(stream, 200, &[], b"[]"),
            "/loop/decisions.json" => "/loop/decisions.json".to_owned(),
            "/port/decisions.json" => format!("http://127.0.0.1:{other_port}/decisions.json"),
            "/name/decisions.json" => format!("http://localhost:{other_port}/decisions.json"),
            "/host/decisions.json" => "https://evil.example/decisions.json?token=1".to_owned(),
            "/scheme/decisions.json" => "file:///etc/passwd".to_owned(),
            "/meta/decisions.json" => "//169.254.169.254/latest/meta-data".to_owned(),
            _ => return answer(stream, 302, &[], b""),
        };
        answer(stream, 302, &[("Location", &to)], b"");
    });
    let at = |base: &str| format!("{}/{base}", server.address());
    assert_eq!(bytes(get(&at("site")).await), b"[]");
    assert!(matches!(get(&at("loop")).await, Err(FetchError::RedirectsWithoutEnd { .. })));
    assert_eq!(server.paths().iter().filter(|path| path.starts_with("/loop")).count(), 6, "the first request and five redirects");
    for base in ["port", "name", "host", "scheme", "meta"] {
        let found = fetcher(&at(base), Some("s3cret")).get(&["decisions.json"], &Validators::default(), LIMIT).await;
        assert!(matches!(found, Err(FetchError::LeadsAway { .. })), "{base}: {found:?}");
    }
    assert_eq!(others.requests().len(), 0, "nobody else is asked");
    assert!(matches!(get(&at("nowhere")).await, Err(FetchError::RedirectsNowhere { .. })));
    let error = get(&at("host")).await.expect_err("it leads away");
    assert!(error.to_string().contains("redirects to https://evil.example, which"), "{error}");
}

#[tokio::test]
async fn each_refusal_says_what_can_be_done() {
    let page = b"  <!doctype html><title>Sign in</title>";
    let server = Server::start(move |request: &Request, stream| match request.path.split('/').nth(1) {
        Some("page") => answer(stream, 200, &[("Content-Type", "Text/HTML; charset=utf-8")], page),
        Some(status) => answer(stream, status.parse().unwrap_or(400), &[], b""),
        None => answer(stream, 400, &[], b""),
    });
    for (base, token, said) in [
        ("401", None, "set IBID_SITE_TOKEN, or name a variable with `token_variable`"),
        ("403", Some("t"), "refuses the token (it answered 403)"),
        ("404", None, "Is the address right, with the base path"),
        ("500", None, "answered 500. Try again later."),
        ("429", None, "answered 429. Try again later."),
        ("204", None, "answered 204. Check the address."),
        ("304", None, "answered 304"),
        ("page", None, "answered with a page for people"),
    ] {
        let address = format!("{}/{base}", server.address());
        let error = fetcher(&address, token).get(&["decisions.json"], &Validators::default(), LIMIT).await.expect_err(base).to_string();
        assert!(error.contains(said) && error.contains(&address), "{error}");
    }
}

#[tokio::test]
async fn a_connection_that_cannot_be_made_is_told_by_its_cause() {
    let closed = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port that is free again");
    let found = get(&format!("http://{closed}")).await;
    assert!(matches!(&found, Err(FetchError::Unreachable { reason, .. }) if reason.contains("refused")), "{found:?}");
    let found = get("http://no-such-host.invalid").await;
    assert!(matches!(found, Err(FetchError::NoSuchHost { .. })), "{found:?}");
    let no_http = Server::start(|_, stream| drop(stream.write_all(b"SSH-2.0-OpenSSH\r\n")));
    assert!(matches!(get(&no_http.address()).await, Err(FetchError::BrokenOff { .. })));
    // A server that speaks no TLS where TLS is wanted.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        // Read to the end: a connection that is closed with bytes unread takes the answer with it.
        let _ = std::io::copy(&mut stream, &mut std::io::sink());
    });
    let found = get(&format!("https://{address}")).await;
    assert!(matches!(found, Err(FetchError::Untrusted { .. })), "{found:?}");
}

#[test]
fn a_token_is_sent_over_https_or_to_this_machine() {
    let of = |address: &str, token: &str| Fetcher::new(Origin::parse(address).expect("an address"), Some(token)).map(drop);
    for address in ["https://example.org", "http://localhost:8080", "http://127.0.0.1", "http://[::1]:80/base"] {
        assert_eq!(of(address, "token"), Ok(()), "{address}");
    }
    for address in ["http://example.org", "http://10.0.0.1", "http://localhost.example.org"] {
        assert!(matches!(of(address, "token"), Err(FetchError::TokenInClear { .. })), "{address}");
    }
    for token in ["two words", "line\r\nX-Other: 1", "ü"] {
        assert!(matches!(of("https://example.org", token), Err(FetchError::BadToken { .. })));
    }
}
