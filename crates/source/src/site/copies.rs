//! The texts of a site's records: which must be fetched, what comes of each, and what stands in for one that does not come.

use document::{Problem, Severity, Stamp};
use futures_util::stream::{self, StreamExt as _};

use super::mirror::Mirror;
use super::place::{Placed, Taken};
use super::state::State;
use super::{SiteError, made};
use crate::fetch::{FetchError, Fetched, Fetcher, Validators};
use crate::formats::decisions::RecordFiles;

/// How many copies are fetched at once (seed 000).
const AT_ONCE: usize = 8;

/// The largest copy of a record, in bytes.
const MAX_COPY_BYTES: usize = 8 * 1024 * 1024;

/// After so many failures in a row the site is taken for gone.
const MAX_FAILURES: usize = 16;

/// What a refresh has found out about the records.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The records that the mirror holds from now on.
    pub(super) records: Vec<RecordFiles>,
    /// What is wrong with some.
    pub(super) problems: Vec<Problem>,
}

/// One refresh: what it reads from and what it fills.
pub(super) struct Round<'a> {
    /// The site's client.
    pub(super) fetcher: &'a Fetcher,
    /// The mirror.
    pub(super) mirror: &'a mut Mirror,
    /// Places that are taken.
    pub(super) taken: &'a mut Taken,
    /// What the last refresh knew, and what this one finds out.
    pub(super) states: (&'a State, &'a mut State),
    /// The list is the one that the mirror was made from: what was fetched with it is believed without reading it.
    pub(super) is_same_index: bool,
}

/// A copy that is to be fetched.
struct Wanted {
    /// Which of the placed records it belongs to.
    index: usize,
    /// The parts of its path below the site.
    path: Vec<String>,
    original: Option<Stamp>,
    since: Validators,
}

impl Wanted {
    fn new(index: usize, placed: &Placed<'_>, since: Validators) -> Self {
        Self { index, path: placed.copy(), original: placed.original.clone(), since }
    }
}

/// What came of asking for one copy.
enum Answer {
    /// The bytes of the original.
    Original(Vec<u8>),
    /// The copy of a record of which no original is published.
    Copy(Vec<u8>, Validators),
    NotModified,
    /// Twice the bytes were not those that the site says they are.
    Differs,
    Failed(FetchError),
}

impl Round<'_> {
    /// Brings the file of every record up to date.
    pub(super) async fn run(mut self, placed: &[Placed<'_>]) -> Result<Outcome, SiteError> {
        let mut outcome = Outcome::default();
        let mut wanted: Vec<Wanted> = Vec::new();
        for (index, placed) in placed.iter().enumerate() {
            for (path, sidecar) in placed.files.sidecars.iter().zip(&placed.entry.sidecars) {
                self.mirror.put(path, sidecar.text.clone().into_bytes())?;
            }
            match &placed.original {
                Some(stamp) if self.is_here(placed, stamp) => outcome.records.push(placed.files.clone()),
                Some(_) => wanted.push(Wanted::new(index, placed, Validators::default())),
                None => {
                    let path = &placed.files.main;
                    let known = self.states.0.copies.get(&placed.entry.id).filter(|_| self.mirror.lists(path) && self.mirror.has(path));
                    wanted.push(Wanted::new(index, placed, known.cloned().unwrap_or_default()));
                }
            }
        }
        let (mut failures, mut in_a_row, mut last_failure) = (0, 0, None);
        let fetcher = self.fetcher;
        let mut answers = stream::iter(wanted).map(|wanted| ask(fetcher, wanted)).buffer_unordered(AT_ONCE);
        while let Some((wanted, answer)) = answers.next().await {
            let Some(placed) = placed.get(wanted.index) else { continue };
            match &answer {
                Answer::Failed(error) if !is_missing(error) => {
                    in_a_row += 1;
                    failures += 1;
                    last_failure = Some(error.clone());
                    if in_a_row >= MAX_FAILURES {
                        break;
                    }
                }
                _ => in_a_row = 0,
            }
            self.take(placed, answer, wanted.since, &mut outcome)?;
        }
        match last_failure {
            Some(error) if in_a_row >= MAX_FAILURES || failures == placed.len() => Err(error.into()),
            _ => Ok(outcome),
        }
    }

    /// Whether the mirror has the original already.
    fn is_here(&self, placed: &Placed<'_>, stamp: &Stamp) -> bool {
        let path = &placed.files.main;
        if self.is_same_index && !self.states.0.pending.contains(&placed.entry.id) && self.mirror.lists(path) {
            return self.mirror.has(path);
        }
        self.mirror.read(path).is_some_and(|bytes| Stamp::of(&bytes) == *stamp)
    }

    /// Puts one answer into the mirror.
    fn take(&mut self, placed: &Placed<'_>, answer: Answer, since: Validators, outcome: &mut Outcome) -> Result<(), SiteError> {
        let (entry, path) = (placed.entry, &placed.files.main);
        let (code, severity, message) = match answer {
            Answer::Original(bytes) => {
                self.mirror.put(path, bytes)?;
                outcome.records.push(placed.files.clone());
                return Ok(());
            }
            Answer::Copy(bytes, validators) => {
                let text = String::from_utf8_lossy(&bytes);
                self.mirror.put(path, made::file(entry, made::body(&text)).into_bytes())?;
                if !validators.is_empty() {
                    self.states.1.copies.insert(entry.id.clone(), validators);
                }
                outcome.records.push(placed.files.clone());
                return Ok(());
            }
            Answer::NotModified => {
                self.states.1.copies.insert(entry.id.clone(), since);
                self.with_old_text(placed)?;
                outcome.records.push(placed.files.clone());
                return Ok(());
            }
            Answer::Differs => ("copy-differs", Severity::Warning, "Its text on the site is not the one that decisions.json speaks of.".to_owned()),
            Answer::Failed(error) if is_missing(&error) => ("copy-missing", Severity::Error, format!("The site does not have its text: {error}")),
            Answer::Failed(error) => ("copy-failed", Severity::Warning, format!("Its text could not be fetched: {error}")),
        };
        self.states.1.pending.insert(entry.id.clone());
        let has_old_text = self.mirror.lists(path) && self.mirror.has(path) && !self.states.0.textless.contains(&entry.id);
        let (files, hint) = if has_old_text {
            if placed.original.is_none() {
                self.with_old_text(placed)?;
            }
            (Some(placed.files.clone()), "The text that was fetched before stays until it can be.")
        } else {
            self.states.1.textless.insert(entry.id.clone());
            (self.without_text(placed)?, "Until it can be, the record has its metadata and no text.")
        };
        let (shown, hint) = files.as_ref().map_or((path, "The record is left out until it can be."), |files| (&files.main, hint));
        outcome.problems.push(Problem::new(code, severity, shown, message).hint(hint));
        outcome.records.extend(files);
        Ok(())
    }

    /// Makes the file anew from the entry, with the text that it has.
    fn with_old_text(&mut self, placed: &Placed<'_>) -> Result<(), SiteError> {
        let there = self.mirror.read(&placed.files.main).unwrap_or_default();
        let there = String::from_utf8_lossy(&there);
        self.mirror.put(&placed.files.main, made::file(placed.entry, made::body(&there)).into_bytes())
    }

    /// A file with the record's metadata and no text; `None` where another record has its place. It is Markdown, whatever the original is.
    fn without_text(&mut self, placed: &Placed<'_>) -> Result<Option<RecordFiles>, SiteError> {
        let mut files = placed.files.clone();
        if !files.main.to_ascii_lowercase().ends_with(".md") {
            files.main.push_str(".md");
            if self.taken.take(std::iter::once(files.main.as_str())).is_err() {
                return Ok(None);
            }
        }
        self.mirror.put(&files.main, made::file(placed.entry, "").into_bytes())?;
        Ok(Some(files))
    }
}

async fn ask(fetcher: &Fetcher, wanted: Wanted) -> (Wanted, Answer) {
    let parts: Vec<&str> = wanted.path.iter().map(String::as_str).collect();
    // A copy that is not what the list says may be one of a site that is just being published: the second answer counts.
    for _ in 0..2 {
        let answer = match fetcher.get(&parts, &wanted.since, MAX_COPY_BYTES).await {
            Err(error) => Answer::Failed(error),
            Ok(Fetched::NotModified) => Answer::NotModified,
            Ok(Fetched::Found(bytes, validators)) => match &wanted.original {
                None => Answer::Copy(bytes, validators),
                Some(stamp) if Stamp::of(&bytes) == *stamp => Answer::Original(bytes),
                Some(_) => continue,
            },
        };
        return (wanted, answer);
    }
    (wanted, Answer::Differs)
}

fn is_missing(error: &FetchError) -> bool {
    matches!(error, FetchError::NotThere { .. })
}
