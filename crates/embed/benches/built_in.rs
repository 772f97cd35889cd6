//! Speed of the built-in model on one core: loading, one query, and megabytes of text per second. `cargo bench -p embed --bench built_in [-- FILES]`.
#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::Instant;

use embed::{BuiltIn, Model, Role};

const ENGLISH: &str = "We considered three ways to keep the replicas answering while the primary is down. A shared cache was rejected because \
    invalidation across regions proved unreliable; the change log already carries every document with its sequence number, so each process follows \
    it on its own and commits a checkpoint. Throughput on two cores was 4,100 requests per second at a p99 of 38 ms (see `bench/replicas.md`).\n";

fn passages(text: &str) -> Vec<&str> {
    let mut passages = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (passage, after) = rest.split_at(rest.ceil_char_boundary(1_000.min(rest.len())));
        passages.push(passage);
        rest = after;
    }
    passages
}

fn rate(model: &BuiltIn, name: &str, text: &str) {
    let passages = passages(text);
    let best = (0..7)
        .map(|_| {
            let start = Instant::now();
            black_box(model.embed(Role::Passage, black_box(&passages)).map(|vectors| vectors.len()).unwrap_or(0));
            start.elapsed().as_secs_f64()
        })
        .fold(f64::INFINITY, f64::min);
    println!("{name}: {:.1} MB/s in passages of 1,000 bytes ({:.1} MB)", text.len() as f64 / best / 1e6, text.len() as f64 / 1e6);
}

fn main() {
    let start = Instant::now();
    let model = BuiltIn::shipped().unwrap_or_else(|error| panic!("{error}"));
    println!("load, first time: {:.2} ms", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    for _ in 0..20 {
        black_box(BuiltIn::shipped().is_ok());
    }
    println!("load, again: {:.2} ms", start.elapsed().as_secs_f64() * 1e3 / 20.0);
    let start = Instant::now();
    for _ in 0..10_000 {
        black_box(model.embed(Role::Query, black_box(&["how do replicas answer while the primary is down?"])).is_ok());
    }
    println!("one query: {:.2} µs", start.elapsed().as_secs_f64() * 1e6 / 10_000.0);
    rate(&model, "English", &ENGLISH.repeat(4_000));
    rate(&model, "Chinese", &"我们决定让每个副本自行跟随变更日志，并提交检查点。".repeat(20_000));
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        match std::fs::read(&path) {
            Ok(bytes) => rate(&model, &path, &String::from_utf8_lossy(&bytes)),
            Err(error) => println!("{path}: {error}"),
        }
    }
}
