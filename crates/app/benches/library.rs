//! Speed of a whole library on generated records, with DESIGN §12's targets beside the figures. `cargo xtask bench` runs it; tests never time.
//!
//! Arguments: the sizes, 1000 10000 100000 by default. Prints a Markdown table.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::config::{Sources, load};
use engine::search::{SearchQuery, search};
use engine::{Library, OpenOptions, StateFolder};

/// A small generator with a fixed seed (splitmix64), so that every run makes the same records.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A word number with the skew of language: low numbers often, high ones seldom.
    fn skewed(&mut self, limit: usize) -> usize {
        let unit = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((limit as f64).powf(unit) - 1.0) as usize % limit
    }
}

/// Invented words of two to four syllables, each always the same.
fn word(number: usize) -> String {
    const SYLLABLES: [&str; 24] = [
        "ka", "lo", "mi", "ren", "sta", "tor", "ve", "quo", "dan", "fil", "gri", "hus", "jel", "ner", "ob", "pra", "ul", "xi", "bra", "cen", "dro",
        "em", "fa", "gu",
    ];
    let mut rest = number + 7;
    let mut out = String::new();
    for _ in 0..2 + number % 3 {
        out.push_str(SYLLABLES[rest % SYLLABLES.len()]);
        rest = rest / SYLLABLES.len() + number % 11;
    }
    out
}

const VOCABULARY: usize = 20_000;

fn text(random: &mut Random, words: usize) -> String {
    let mut out = String::new();
    for index in 0..words {
        out.push_str(&word(random.skewed(VOCABULARY)));
        out.push_str(if index % 13 == 12 { ". " } else { " " });
    }
    out
}

/// Writes `count` records in projects of 500; gives back the bytes written.
fn generate(folder: &Path, count: usize) -> u64 {
    const STATUSES: [&str; 4] = ["accepted", "proposed", "superseded", "rejected"];
    let mut random = Random(42);
    let mut bytes = 0;
    for number in 0..count {
        let project = folder.join(format!("project-{:03}", number / 500)).join("adr");
        std::fs::create_dir_all(&project).expect("a temporary folder can be written");
        let title = text(&mut random, 5);
        let mut body = format!(
            "---\ntitle: {}\nstatus: {}\ndate: 20{:02}-{:02}-{:02}\nauthors: [{}]\ntags: [{}, {}]\n---\n\n",
            title.trim().trim_end_matches('.'),
            STATUSES[random.below(4)],
            10 + random.below(16),
            1 + random.below(12),
            1 + random.below(28),
            word(random.below(50)),
            word(random.below(200)),
            word(random.below(200))
        );
        for heading in ["Context", "Decision", "Consequences", "Rejected"] {
            body.push_str(&format!("## {heading}\n\n"));
            for _ in 0..2 {
                let length = 40 + random.below(60);
                body.push_str(&text(&mut random, length));
                body.push_str("\n\n");
            }
        }
        bytes += body.len() as u64;
        std::fs::write(project.join(format!("{:04}-{}.md", number % 500, word(number))), body).expect("a temporary file can be written");
    }
    bytes
}

fn percentile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    times[(times.len() - 1) * percent / 100]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3} ms", time.as_secs_f64() * 1e3)
}

fn resident_mb(pid: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

/// An `ibid mcp` process, spoken to line by line.
struct Agent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start(root: &Path, state: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ibid"))
            .arg("mcp")
            .arg("--root")
            .arg(root)
            .env("IBID_STATE_DIR", state)
            .env("IBID_CONFIG_DIR", state.join("config"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("ibid starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, input, output }
    }

    fn ask(&mut self, id: usize, query: &str) -> String {
        let meta = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;
        writeln!(
            self.input,
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"search","arguments":{{"query":"{query}"}},{meta}}}}}"#
        )
        .expect("ibid reads");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("ibid answers");
        line
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Row {
    name: &'static str,
    target: &'static str,
    figures: Vec<String>,
}

fn main() {
    let sizes: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sizes = if sizes.is_empty() { vec![1_000, 10_000, 100_000] } else { sizes };
    let mut rows: Vec<Row> = [
        ("text", ""),
        ("index from nothing", "over 20 MB/s"),
        ("start to first answer, p50 of 7", "under 40 ms at 100,000"),
        ("word search p50", "under 1.5 ms at 100,000"),
        ("word search p99", "under 8 ms at 100,000"),
        ("freshness check, nothing changed, p50", "under 0.2 ms"),
        ("an edit seen in the next call, p50 of 15", "under 50 ms"),
        ("memory while serving", "under 150 MB at 100,000"),
        ("index size", ""),
        ("store size", ""),
    ]
    .into_iter()
    .map(|(name, target)| Row { name, target, figures: Vec::new() })
    .collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("threads");
    for size in &sizes {
        let figures = runtime.block_on(measure(*size));
        for (row, figure) in rows.iter_mut().zip(figures) {
            row.figures.push(figure);
        }
    }
    println!("| what | {} | target (2 cores) |", sizes.iter().map(|size| format!("{size} records")).collect::<Vec<_>>().join(" | "));
    println!("|---|{}---|", "---:|".repeat(sizes.len()));
    for row in rows {
        println!("| {} | {} | {} |", row.name, row.figures.join(" | "), row.target);
    }
}

async fn measure(size: usize) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (records, state) = (folder.path().join("records"), folder.path().join("state"));
    std::fs::create_dir_all(&records).expect("a temporary folder can be written");
    let bytes = generate(&records, size);
    let config = load(&Sources { paths: vec![records.clone()], ..Sources::default() }).expect("a configuration");
    let mut options = OpenOptions::new(config, StateFolder::at(&state).expect("a state folder"));
    options.freshness_wait = Duration::from_secs(3_600);
    let library = Library::open(options).await.expect("a library");
    let began = Instant::now();
    let freshness = library.freshen().await;
    let took = began.elapsed();
    assert!(!freshness.is_stale(), "{freshness:?}");
    // As `ibid serve` and `ibid mcp` do when nothing has happened for some seconds.
    library.join_segments().await;
    let status = library.status().await.expect("a status");
    let mut figures =
        vec![format!("{:.1} MB", bytes as f64 / 1e6), format!("{:.1} MB/s ({:.1} s)", bytes as f64 / 1e6 / took.as_secs_f64(), took.as_secs_f64())];
    let (searches, checks, edits) = in_process(&library, &records).await;
    let sizes = (status.index_size_bytes, folder_size(&status.folder) - status.index_size_bytes);
    drop(library);
    figures.push(starts(&records, &state));
    figures.extend(searches);
    figures.push(checks);
    figures.push(edits);
    figures.push(served_memory(&records, &state));
    figures.push(format!("{:.1} MB", sizes.0 as f64 / 1e6));
    figures.push(format!("{:.1} MB", sizes.1 as f64 / 1e6));
    figures
}

/// Search and freshness in this process: the engine without a transport.
async fn in_process(library: &Arc<Library>, records: &Path) -> (Vec<String>, String, String) {
    let mut random = Random(7);
    let desk = library.owner_desk().await.expect("a desk");
    let mut times = Vec::new();
    for round in 0..600 {
        let count = 1 + round % 4;
        let words: Vec<String> = (0..count).map(|_| word(random.skewed(VOCABULARY))).collect();
        let query = SearchQuery { query: words.join(" "), ..SearchQuery::default() };
        let began = Instant::now();
        let _ = search(&desk, &query).await.expect("a search");
        if round >= 100 {
            times.push(began.elapsed());
        }
    }
    let searches = vec![milliseconds(percentile(&mut times, 50)), milliseconds(percentile(&mut times, 99))];
    let mut checks: Vec<Duration> = Vec::new();
    for _ in 0..500 {
        let began = Instant::now();
        let _ = library.freshen().await;
        checks.push(began.elapsed());
    }
    let mut edits: Vec<Duration> = Vec::new();
    let path = records.join("project-000/adr").join(format!("0000-{}.md", word(0)));
    for round in 0..15 {
        let text = format!("---\ntitle: Edited\nstatus: accepted\n---\n\nzyzzyva{round} stands here now\n");
        std::fs::write(&path, text).expect("a temporary file can be written");
        let began = Instant::now();
        let desk = library.owner_desk().await.expect("a desk");
        let found = search(&desk, &SearchQuery { query: format!("zyzzyva{round}"), ..SearchQuery::default() }).await.expect("a search");
        edits.push(began.elapsed());
        assert_eq!(found.hits.len(), 1, "the edit is seen");
    }
    (searches, milliseconds(percentile(&mut checks, 50)), milliseconds(percentile(&mut edits, 50)))
}

/// From starting the process to the first complete answer of a search.
fn starts(records: &Path, state: &Path) -> String {
    let mut times = Vec::new();
    for _ in 0..7 {
        let began = Instant::now();
        let mut agent = Agent::start(records, state);
        let answer = agent.ask(1, &word(3));
        times.push(began.elapsed());
        assert!(answer.contains("results"), "{answer}");
        assert!(!answer.contains("\"stale\":true"), "{answer}");
    }
    milliseconds(percentile(&mut times, 50))
}

fn served_memory(records: &Path, state: &Path) -> String {
    let mut agent = Agent::start(records, state);
    let mut random = Random(9);
    for id in 0..200 {
        let query = word(random.skewed(VOCABULARY));
        let _ = agent.ask(id, &query);
    }
    resident_mb(agent.child.id()).map_or_else(|| "unknown".to_owned(), |size| format!("{size:.0} MB"))
}

fn folder_size(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    entries
        .flatten()
        .map(|entry| match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => folder_size(&entry.path()),
            Ok(metadata) => metadata.len(),
            Err(_) => 0,
        })
        .sum()
}
