//! What a table of times must say of its circumstances.

use std::process::Command;

use super::corpus::{Corpus, Questions};

/// Machine, date and corpus of one run, as a sentence.
pub struct About {
    /// The machine and the date.
    pub machine: String,
    /// The corpus, in words.
    pub corpus: String,
    /// Searches on the corpus.
    pub queries: usize,
    /// The labelled set, in words.
    pub questions: Option<String>,
}

/// Gathers it; `load` is the load average before the run.
pub fn about(corpus: &Corpus, questions: Option<&Questions>, queries: usize, load: &str) -> About {
    let processor = read("/proc/cpuinfo", "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let memory = read("/proc/meminfo", "MemTotal").and_then(|size| size.split_whitespace().next()?.parse::<u64>().ok());
    let memory = memory.map_or_else(String::new, |kib| format!(", {} GiB", (kib + (1 << 19)) >> 20));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let date = Command::new("date").args(["-u", "+%F"]).output().map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    About {
        machine: format!(
            "{}: {cores} cores of {processor}{memory}, {}; load average {load} before the run",
            date.unwrap_or_default(),
            std::env::consts::OS
        ),
        corpus: format!("{} Markdown files, {:.1} MB", corpus.files, corpus.bytes as f64 / 1e6),
        queries,
        questions: questions.map(|set| format!("{}: {} files, {} questions", set.name, set.documents, set.questions.len())),
    }
}

/// The load average of the last minute.
pub fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

fn read(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
