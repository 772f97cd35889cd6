//! What may stand behind `cargo xtask bench peers`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, Result};

use crate::programs::{target_folder, workspace};

const USAGE: &str = "usage: cargo xtask bench peers [--folder DIR] [--corpus DIR] [--questions DIR] [--only NAME,NAME] [--queries COUNT] [--limit SECONDS] \
                     [--ibid PROGRAM] [--python PROGRAM] [--write]";

/// All programs, in the order of the tables.
pub const NAMES: [&str; 5] = ["ibid", "qmd", "basic-memory", "iwec", "mcpvault"];

/// The choices of one run.
pub struct Options {
    /// Where everything is installed, copied and indexed.
    pub folder: PathBuf,
    /// A folder of Markdown files.
    pub corpus: PathBuf,
    /// A folder with `docs.jsonl`, `queries.jsonl` and `qrels.tsv`; without one ranking is not judged.
    pub questions: Option<PathBuf>,
    /// Names of the programs to run; empty means all.
    pub only: Vec<String>,
    /// How many searches are timed on the corpus.
    pub queries: usize,
    /// The longest that one step of one program may take.
    pub limit: Duration,
    /// A built ibid; without one the release build is made.
    pub ibid: Option<PathBuf>,
    /// A Python of 3.12 or later.
    pub python: Option<PathBuf>,
    /// Whether the tables go into the documents.
    pub write: bool,
}

impl Options {
    /// Reads the arguments.
    ///
    /// # Errors
    /// An unknown argument, or one without its value.
    pub fn of(arguments: &[String]) -> Result<Self> {
        let data = workspace().join("../shared/data");
        let cranfield = data.join("retrieval/cranfield");
        let mut options = Self {
            folder: target_folder().join("peers"),
            corpus: if data.is_dir() { data } else { workspace().join("examples/library") },
            questions: cranfield.is_dir().then_some(cranfield),
            only: Vec::new(),
            queries: 50,
            limit: Duration::from_secs(900),
            ibid: None,
            python: None,
            write: false,
        };
        let mut rest = arguments.iter();
        while let Some(name) = rest.next() {
            let mut value = || rest.next().with_context(|| format!("{name} has no value\n{USAGE}"));
            match name.as_str() {
                "--folder" => options.folder = std::path::absolute(value()?)?,
                "--corpus" => options.corpus = std::path::absolute(value()?)?,
                "--questions" => options.questions = Some(std::path::absolute(value()?)?),
                "--only" => options.only = value()?.split(',').map(str::to_owned).collect(),
                "--queries" => options.queries = value()?.parse().context("--queries takes a number")?,
                "--limit" => options.limit = Duration::from_secs(value()?.parse().context("--limit takes seconds")?),
                "--ibid" => options.ibid = Some(std::path::absolute(value()?)?),
                "--python" => options.python = Some(PathBuf::from(value()?)),
                "--write" => options.write = true,
                other => anyhow::bail!("{other} is not known\n{USAGE}"),
            }
        }
        if let Some(name) = options.only.iter().find(|name| !NAMES.contains(&name.as_str())) {
            anyhow::bail!("{name} is not among the programs: {}", NAMES.join(", "));
        }
        Ok(options)
    }

    /// Whether the run has this program in it.
    pub fn names(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == name)
    }
}
