//! One program, measured from outside: how it starts, indexes, answers, and what it needs.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::json;

use super::client::Client;
use super::corpus::{self, Questions};
use super::peer::{Peer, Setting};
use super::process::{self, Memory};
use super::quality::{self, Quality};

/// How often a program is started and refreshed; the table has the median.
const STARTS: usize = 3;

/// How many hits a search asks for.
const HITS: usize = 10;

/// How many hits a labelled question asks for, so that passages of one document leave room for ten documents.
const QUESTION_HITS: usize = 20;

/// The longest that one program is asked timed queries.
const QUERY_BUDGET: Duration = Duration::from_secs(60);

/// Where and how long to measure.
pub struct Bench {
    /// The scratch folder.
    pub folder: PathBuf,
    /// The longest that one step may take.
    pub limit: Duration,
}

/// A time, or what came in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    Time(Duration),
    /// It was ended after this time.
    Over(Duration),
}

/// What was measured of one program.
#[derive(Clone, Debug)]
pub struct Measured {
    /// From the start of the process to the answer to `initialize`.
    pub init: Duration,
    /// From an empty home to an index of all files; where the server makes it, to the first answer over all files.
    pub index: Figure,
    /// From the same beginning to the first answer by meaning, too; nothing where the program does not do so as it is installed.
    pub embedded: Option<Figure>,
    /// Memory at most while it did so, with descendants.
    pub index_peak: u64,
    /// The same once more with nothing changed; nothing where the index was ended before it was complete.
    pub refresh: Option<Figure>,
    /// Searches over the corpus.
    pub searches: Vec<Duration>,
    /// After the searches.
    pub memory: Memory,
    pub tools: usize,
    /// The answer to `tools/list` on the wire.
    pub tools_bytes: usize,
    /// How many documents it says are indexed.
    pub documents: Option<u64>,
    /// Files of its copy that are not as they were.
    pub changed_files: usize,
    /// How it ranks, where there are labelled questions.
    pub judged: Option<Judged>,
}

/// What came of the labelled questions.
#[derive(Clone, Debug)]
pub enum Judged {
    /// Ranking, and the times of the questions.
    Ranked(Quality, Vec<Duration>),
    /// Indexing the documents was ended after this time, so nothing was asked.
    IndexOver(Duration),
}

/// What indexing came to.
struct Indexed {
    setting: Setting,
    index: Figure,
    embedded: Option<Figure>,
    peak: u64,
}

impl Bench {
    /// Measures a program on the corpus, then on the labelled questions.
    ///
    /// # Errors
    /// A program that fails or does not answer.
    pub fn measure(&self, peer: &dyn Peer, files: &Path, queries: &[String], questions: Option<&Questions>) -> Result<Measured> {
        let first_query = queries.first().context("there are no queries")?;
        let Indexed { setting, index, embedded, peak } = self.index(peer, files, "files", first_query)?;
        let has_command = peer.refresh(&setting).is_some();
        let refresh = if has_command && matches!(index, Figure::Time(_)) { Some(self.refresh(peer, &setting)?) } else { None };
        let mut starts = Vec::new();
        let mut inits = Vec::new();
        let mut client = loop {
            let mut client = self.serve(peer, &setting)?;
            inits.push(client.init);
            starts.push(self.first_answer(peer, &mut client, first_query)?);
            if inits.len() == STARTS {
                break client;
            }
        };
        let refresh = if has_command { refresh } else { quality::percentile(&starts, 50).map(Figure::Time) };
        let listed = client.ask("tools/list", &json!({}))?;
        let searches = search_times(peer, &mut client, queries)?;
        let memory = process::memory(client.pid());
        let documents = match peer.count() {
            Some((tool, arguments)) => peer.counted(&client.call(tool, &arguments)?.result),
            None => None,
        };
        drop(client);
        Ok(Measured {
            init: quality::percentile(&inits, 50).unwrap_or_default(),
            index,
            embedded,
            index_peak: peak,
            refresh,
            searches,
            memory,
            tools: listed.result["tools"].as_array().map_or(0, Vec::len),
            tools_bytes: listed.bytes,
            documents,
            changed_files: changed_files(files, &setting.library)?,
            judged: questions.map(|questions| self.judge(peer, questions)).transpose()?,
        })
    }

    /// A new home and a new copy of the files, indexed.
    fn index(&self, peer: &dyn Peer, files: &Path, set: &str, query: &str) -> Result<Indexed> {
        let place = self.folder.join("runs").join(set).join(peer.name());
        if place.exists() {
            std::fs::remove_dir_all(&place).with_context(|| format!("{} cannot be emptied", place.display()))?;
        }
        let setting = Setting { folder: self.folder.clone(), library: place.join("library"), home: place.join("home") };
        std::fs::create_dir_all(&setting.home)?;
        corpus::gather(files, &setting.library)?;
        peer.prepare(&setting)?;
        let commands = peer.index(&setting);
        let indexed = if commands.is_empty() {
            let mut client = self.serve(peer, &setting)?;
            let index = Figure::Time(self.first_answer(peer, &mut client, query)?);
            let embedded = self.first_by_meaning(peer, &mut client, query)?;
            Indexed { setting, index, embedded, peak: process::memory(client.pid()).peak }
        } else {
            let took = process::run(commands, &log(&setting, "index"), self.limit)?;
            Indexed { setting, index: figure(&took), embedded: None, peak: took.peak }
        };
        eprintln!("  {set}: index {:?}, by meaning {:?}", indexed.index, indexed.embedded);
        Ok(indexed)
    }

    /// From the start of the server to its first answer by meaning.
    fn first_by_meaning(&self, peer: &dyn Peer, client: &mut Client, query: &str) -> Result<Option<Figure>> {
        let (tool, arguments) = peer.search(query, HITS, None);
        loop {
            match peer.is_by_meaning(&client.call(tool, &arguments)?.result) {
                None => return Ok(None),
                Some(true) => return Ok(Some(Figure::Time(client.started.elapsed()))),
                Some(false) if client.started.elapsed() > self.limit => return Ok(Some(Figure::Over(client.started.elapsed()))),
                Some(false) => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// The median of the refreshes with nothing changed; the first that takes too long counts.
    fn refresh(&self, peer: &dyn Peer, setting: &Setting) -> Result<Figure> {
        let mut times = Vec::new();
        for _ in 0..STARTS {
            let command: Vec<Command> = peer.refresh(setting).into_iter().collect();
            let took = process::run(command, &log(setting, "refresh"), self.limit)?;
            times.push(took.time);
            if took.is_cut {
                return Ok(Figure::Over(took.time));
            }
        }
        Ok(Figure::Time(quality::percentile(&times, 50).unwrap_or_default()))
    }

    fn serve(&self, peer: &dyn Peer, setting: &Setting) -> Result<Client> {
        Client::start(peer.server(setting), &log(setting, "server"), self.limit)
    }

    /// From the start of the server to its first answer over all files.
    fn first_answer(&self, peer: &dyn Peer, client: &mut Client, query: &str) -> Result<Duration> {
        let (tool, arguments) = peer.search(query, HITS, None);
        loop {
            let answer = client.call(tool, &arguments)?;
            if peer.is_complete(&answer.result) {
                return Ok(client.started.elapsed());
            }
            anyhow::ensure!(client.started.elapsed() < self.limit, "there is no complete answer within {} s", self.limit.as_secs());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asks the labelled questions.
    fn judge(&self, peer: &dyn Peer, questions: &Questions) -> Result<Judged> {
        let first = questions.questions.first().context("the set has no questions")?;
        let Indexed { setting, index, .. } = self.index(peer, &questions.folder, "questions", &first.text)?;
        if let Figure::Over(limit) = index {
            return Ok(Judged::IndexOver(limit));
        }
        let mut client = self.serve(peer, &setting)?;
        self.first_answer(peer, &mut client, &first.text)?;
        let mut sum = Quality { ndcg: 0.0, recall: 0.0, zero_hits: 0, questions: questions.questions.len() };
        let mut times = Vec::new();
        for question in &questions.questions {
            let (ranking, took) = rank(peer, &mut client, &question.text)?;
            times.push(took);
            sum.ndcg += quality::ndcg(&ranking, &question.grades);
            sum.recall += quality::recall(&ranking, &question.grades);
            sum.zero_hits += usize::from(ranking.is_empty());
        }
        let count = sum.questions as f64;
        let quality = Quality { ndcg: sum.ndcg / count, recall: sum.recall / count, ..sum };
        eprintln!("  questions: nDCG@10 {:.4}", quality.ndcg);
        Ok(Judged::Ranked(quality, times))
    }
}

/// The documents of an answer in order; further pages are asked for until there are ten, and their time counts.
fn rank(peer: &dyn Peer, client: &mut Client, question: &str) -> Result<(Vec<usize>, Duration)> {
    const MOST_PAGES: usize = 4;
    let mut text = String::new();
    let mut took = Duration::ZERO;
    let mut cursor: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let (tool, arguments) = peer.search(question, QUESTION_HITS, cursor.as_deref());
        let answer = client.call(tool, &arguments)?;
        took += answer.took;
        text.push_str(&answer.result.to_string());
        cursor = peer.next_cursor(&answer.result);
        if cursor.is_none() || quality::documents(&text).len() >= HITS {
            break;
        }
    }
    Ok((quality::documents(&text), took))
}

/// Each query once, the first included; at least five, then until the budget is used.
fn search_times(peer: &dyn Peer, client: &mut Client, queries: &[String]) -> Result<Vec<Duration>> {
    let began = Instant::now();
    let mut times = Vec::new();
    for query in queries {
        if times.len() >= 5 && began.elapsed() > QUERY_BUDGET {
            break;
        }
        let (tool, arguments) = peer.search(query, HITS, None);
        times.push(client.call(tool, &arguments)?.took);
    }
    Ok(times)
}

fn figure(took: &process::Took) -> Figure {
    if took.is_cut { Figure::Over(took.time) } else { Figure::Time(took.time) }
}

fn log(setting: &Setting, name: &str) -> PathBuf {
    setting.home.with_file_name(format!("{name}.log"))
}

fn changed_files(files: &Path, copy: &Path) -> Result<usize> {
    let mut changed = 0;
    for path in corpus::markdown(files)? {
        let name = path.strip_prefix(files).unwrap_or(&path);
        changed += usize::from(std::fs::read(copy.join(name)).ok() != std::fs::read(&path).ok());
    }
    Ok(changed)
}
