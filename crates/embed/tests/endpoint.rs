//! What is asked of an endpoint and what is made of its answers, over real sockets: from servers that mean well and from others.

mod server_support;

use std::io::Write as _;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use embed::{Choice, CosineForm, EmbedError, Endpoint, EndpointSettings, Key, Model as _, Role};
use serde_json::json;
use server_support::{Request, Server, answer};

/// Two components of a text, so that each can be told from the others.
fn vector(text: &str) -> [f32; 2] {
    [text.len() as f32, 1.0]
}

fn good(request: &Request, stream: &mut TcpStream) {
    let data: Vec<_> = request.texts().iter().enumerate().map(|(index, text)| json!({"index": index, "embedding": vector(text)})).collect();
    answer(stream, 200, &[], json!({"object": "list", "data": data}).to_string().as_bytes());
}

/// Good for the first question, by which it is learnt whether somebody answers; then `later`.
fn good_at_first(later: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Server {
    Server::start(move |request, stream| if request.number == 0 { good(request, stream) } else { later(request, stream) })
}

fn settings(server: &Server) -> EndpointSettings {
    EndpointSettings { pause: Duration::from_millis(1), ..EndpointSettings::new(&server.address(), "a-model") }
}

fn connected(server: &Server) -> Endpoint {
    Endpoint::connect(&settings(server)).expect("an endpoint")
}

/// The error of embedding one passage.
fn failure(server: &Server) -> String {
    let error = connected(server).embed(Role::Passage, &["text"]).expect_err("no vectors");
    assert!(matches!(error, EmbedError::NoAnswer { .. }), "{error:?}");
    error.to_string()
}

fn assert_is_of(found: &[f32], text: &str) {
    let [first, second] = vector(text);
    let length = first.hypot(second);
    assert!((found[0] - first / length).abs() < 1e-6 && (found[1] - second / length).abs() < 1e-6, "{found:?} is not the vector of {text:?}");
}

#[test]
fn texts_go_in_batches_and_vectors_come_back_in_their_order_whatever_the_servers() {
    let server = Server::start(|request, stream| {
        let texts = request.texts();
        let data: Vec<_> = texts.iter().enumerate().rev().map(|(index, text)| json!({"index": index, "embedding": vector(text)})).collect();
        answer(stream, 200, &[], json!({"data": data}).to_string().as_bytes());
    });
    let own = EndpointSettings { batch_size: 4, batch_characters: 25, dimensions: Some(2), ..settings(&server) };
    let endpoint = Endpoint::connect(&own).expect("an endpoint");
    assert_eq!(endpoint.dimensions(), 2);
    assert!(endpoint.space().starts_with("endpoint-a-model-2-"), "{}", endpoint.space());
    let texts: Vec<String> = (1..=10).map(|count| "x".repeat(count)).collect();
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    texts.insert(3, "");
    texts.insert(5, " \n\u{0}");
    let vectors = endpoint.embed(Role::Passage, &texts).expect("vectors");
    for (vector, text) in vectors.iter().zip(&texts) {
        if text.starts_with('x') { assert_is_of(vector, text) } else { assert_eq!(vector, &[0.0, 0.0]) }
    }
    let requests = server.requests();
    let sizes: Vec<usize> = requests.iter().skip(1).map(|request| request.texts().len()).collect();
    assert_eq!(sizes, [4, 3, 2, 1], "four at most, and 25 characters at most");
    for request in requests {
        assert_eq!(request.path, "/v1/embeddings");
        let body: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
        assert_eq!((&body["model"], &body["encoding_format"], &body["dimensions"]), (&json!("a-model"), &json!("float"), &json!(2)));
        assert!(!request.headers.contains_key("authorization"));
    }
}

#[test]
fn a_key_goes_to_the_server_and_into_no_message() {
    let server = Server::start(|_, stream| answer(stream, 401, &[], br#"{"error":{"message":"Incorrect key: s3cret-key. See https://x.example"}}"#));
    let own = EndpointSettings { key: Some(Key::new(" s3cret-key\n")), ..settings(&server) };
    let error = Endpoint::connect(&own).expect_err("no vectors");
    assert_eq!(server.requests()[0].headers["authorization"], "Bearer s3cret-key");
    assert_eq!(server.requests().len(), 1, "a key that is refused is not tried again");
    let shown = format!("{error} {error:?} {own:?}");
    assert!(!shown.contains("s3cret") && shown.contains("Incorrect key"), "{shown}");
    let broken = EndpointSettings { key: Some(Key::new("s3cret key")), ..settings(&server) };
    let error = Endpoint::connect(&broken).expect_err("no key has a blank");
    assert!(matches!(error, EmbedError::Unusable { .. }) && !error.to_string().contains("s3cret"), "{error}");
    let in_clear = EndpointSettings { key: Some(Key::new("s3cret-key")), ..EndpointSettings::new("http://embeddings.invalid", "a-model") };
    let error = Endpoint::connect(&in_clear).expect_err("others could read it");
    assert!(error.to_string().contains("use https"), "{error}");
}

#[test]
fn too_many_requests_and_faults_of_a_moment_are_overcome() {
    for status in [429, 500, 502, 503] {
        let server = good_at_first(move |request, stream| match request.number {
            1 => answer(stream, status, &[("Retry-After", "0")], b"later"),
            // Closed without a word.
            2 => {}
            _ => good(request, stream),
        });
        let vectors = connected(&server).embed(Role::Passage, &["text"]).expect("vectors");
        assert_is_of(&vectors[0], "text");
        assert_eq!(server.requests().len(), 4, "{status}");
    }
}

#[test]
fn a_server_that_asks_for_more_patience_than_there_is_gets_no_second_request() {
    let server = good_at_first(|_, stream| answer(stream, 429, &[("Retry-After", "86400")], b"tomorrow"));
    let own = EndpointSettings { timeout: Duration::from_secs(5), ..settings(&server) };
    let endpoint = Endpoint::connect(&own).expect("an endpoint");
    let error = endpoint.embed(Role::Query, &["text"]).expect_err("no vectors").to_string();
    assert!(error.contains("429: tomorrow") && error.contains("tried once"), "{error}");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_server_that_stays_broken_is_given_up_with_its_own_words_shortened() {
    let long = format!(r#"{{"error":{{"message":"disk full \u0007{}"}}}}"#, "x".repeat(10_000));
    let server = good_at_first(move |_, stream| answer(stream, 500, &[], long.as_bytes()));
    let error = failure(&server);
    assert!(error.contains("500: disk full") && error.contains("tried 5 times") && error.len() < 400, "{error}");
    assert!(!error.contains('\u{7}'));
    assert_eq!(server.requests().len(), 6);
}

#[test]
fn somebody_who_asks_waits_for_two_attempts_at_most() {
    let server = good_at_first(|_, stream| answer(stream, 500, &[], b""));
    let endpoint = connected(&server);
    assert!(endpoint.embed(Role::Query, &["text"]).is_err());
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn where_nobody_listens_or_answers_it_is_said_in_time() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let own = EndpointSettings { timeout: Duration::from_millis(100), pause: Duration::from_millis(1), ..EndpointSettings::new(&address, "a-model") };
    let error = Endpoint::connect(&own).expect_err("nobody answers").to_string();
    assert!(error.contains("did not answer within 100ms"), "{error}");
    drop(listener);
    // With time to spare: a busy machine may take more than a tenth of a second to be refused.
    let patient = EndpointSettings { timeout: EndpointSettings::new(&address, "a-model").timeout, ..own };
    let error = embed::open(&Choice::Endpoint(patient)).err().expect("nobody listens");
    assert!(matches!(error, EmbedError::NoAnswer { .. }) && error.to_string().contains("cannot be reached"), "{error}");
}

#[test]
fn a_body_that_trickles_or_never_ends_is_ended() {
    let (hold, held) = std::sync::mpsc::channel::<()>();
    let held = Mutex::new(held);
    let server = good_at_first(move |_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 10\r\n\r\n12345");
        // Until the test is over.
        let _ = held.lock().expect("a lock").recv();
    });
    let endpoint = Endpoint::connect(&EndpointSettings { timeout: Duration::from_secs(4), ..settings(&server) }).expect("an endpoint");
    let error = endpoint.embed(Role::Query, &["text"]).expect_err("no end").to_string();
    drop(hold);
    assert!(error.contains("did not answer within"), "{error}");

    let huge = good_at_first(|_, stream| drop(stream.write_all(b"HTTP/1.1 200 X\r\nContent-Length: 9999999999999\r\n\r\n")));
    assert!(failure(&huge).contains("which is the limit"));
    let endless = good_at_first(|_, stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 X\r\nConnection: close\r\n\r\n");
        while stream.write_all(&[b' '; 65_536]).is_ok() {}
    });
    assert!(failure(&endless).contains("which is the limit"));
}

#[test]
fn nonsense_is_an_error_and_never_a_vector() {
    for (body, part) in [
        ("<html>", "no list of embeddings"),
        ("{}", "no list of embeddings"),
        (r#"{"data":[]}"#, "0 vectors for 1 texts"),
        (r#"{"data":[{"index":0,"embedding":[1,2,3]}]}"#, "3 components where the others have 2"),
        (r#"{"data":[{"index":0,"embedding":[NaN,1]}]}"#, "no list of embeddings"),
        (r#"{"data":[{"index":0,"embedding":[1e39,1]}]}"#, "not finite"),
        (r#"{"data":[{"index":5,"embedding":[1,2]}]}"#, "index 5"),
    ] {
        let server = good_at_first(move |_, stream| answer(stream, 200, &[], body.as_bytes()));
        let error = failure(&server);
        assert!(error.contains(part), "{body}: {error}");
        assert_eq!(server.requests().len(), 2, "nonsense is not asked for again");
    }
}

#[test]
fn a_redirect_is_not_followed() {
    let other = Server::start(good);
    let to = format!("{}/v1/embeddings", other.address());
    let server = good_at_first(move |_, stream| answer(stream, 307, &[("Location", &to)], b""));
    let error = failure(&server);
    assert!(error.contains(&other.address()) && error.contains("not followed"), "{error}");
    assert!(other.requests().is_empty());
}

#[test]
fn a_text_that_is_too_long_is_cut_and_holds_up_no_other() {
    for status in [400, 500] {
        let server = Server::start(move |request, stream| {
            if request.texts().iter().any(|text| text.len() > 100) {
                return answer(stream, status, &[], br#"{"error":"input length exceeds the context length"}"#);
            }
            good(request, stream);
        });
        let long = "ü".repeat(400);
        let texts = ["one", "three", long.as_str(), "seven letters"];
        let vectors = connected(&server).embed(Role::Passage, &texts).expect("vectors");
        for (vector, text) in vectors.iter().zip(["one", "three", &long[..100], "seven letters"]) {
            assert_is_of(vector, text);
        }
    }
}

#[test]
fn a_short_text_that_is_refused_gets_zeros_but_a_server_that_refuses_all_is_an_error() {
    let picky =
        Server::start(
            |request, stream| {
                if request.texts().iter().any(|text| text == "evil") { answer(stream, 400, &[], b"no") } else { good(request, stream) }
            },
        );
    let vectors = connected(&picky).embed(Role::Passage, &["evil", "good"]).expect("vectors");
    assert_eq!(vectors[0], [0.0, 0.0]);
    assert_is_of(&vectors[1], "good");

    let closed = good_at_first(|_, stream| answer(stream, 400, &[], br#"{"error":"the model was unloaded"}"#));
    let long = "word ".repeat(2_000);
    let error = connected(&closed).embed(Role::Passage, &vec![long.as_str(); 64]).expect_err("no vectors").to_string();
    assert!(error.contains("the model was unloaded"), "{error}");
    assert!(closed.requests().len() < 20, "{} requests", closed.requests().len());
}

#[test]
fn what_is_missing_is_named_with_the_way_on() {
    let server = Server::start(|_, stream| answer(stream, 404, &[], br#"{"error":{"message":"model \"a-model\" not found"}}"#));
    let error = Endpoint::connect(&settings(&server)).expect_err("no vectors").to_string();
    assert!(error.contains("no model a-model") && error.contains("check both"), "{error}");
    for own in [
        EndpointSettings { model: " ".to_owned(), ..settings(&server) },
        EndpointSettings { batch_size: 0, ..settings(&server) },
        EndpointSettings { dimensions: Some(usize::MAX), ..settings(&server) },
        EndpointSettings { timeout: Duration::ZERO, ..settings(&server) },
        EndpointSettings { address: "localhost:11434".to_owned(), ..settings(&server) },
    ] {
        let error = Endpoint::connect(&own).expect_err("cannot be right");
        assert!(matches!(error, EmbedError::Unusable { .. }), "{error}");
    }
}

#[test]
fn prefixes_and_blend_go_with_the_models_name() {
    let server = Server::start(good);
    let own = EndpointSettings { model: "multilingual-e5-large".to_owned(), ..settings(&server) };
    let endpoint = Endpoint::connect(&own).expect("an endpoint");
    assert_eq!(endpoint.blend().form, CosineForm::OfRange);
    endpoint.embed(Role::Query, &["a"]).expect("vectors");
    endpoint.embed(Role::Passage, &["a"]).expect("vectors");
    let asked: Vec<_> = server.requests().iter().skip(1).flat_map(Request::texts).collect();
    assert_eq!(asked, ["query: a", "passage: a"]);
    let plain = EndpointSettings { query_prefix: Some(String::new()), ..own };
    let other = Endpoint::connect(&plain).expect("an endpoint");
    assert_ne!(other.space(), endpoint.space());
}

#[test]
fn several_threads_may_ask_and_it_may_be_dropped_inside_of_a_runtime() {
    let server = Server::start(good);
    let endpoint = Arc::new(connected(&server));
    std::thread::scope(|scope| {
        for count in 1..=8 {
            let endpoint = Arc::clone(&endpoint);
            scope.spawn(move || {
                let text = "x".repeat(count);
                assert_is_of(&endpoint.embed(Role::Passage, &[&text]).expect("vectors")[0], &text);
            });
        }
    });
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async move { drop(endpoint) });
}
