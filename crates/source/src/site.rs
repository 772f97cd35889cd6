//! A published site as a source: its records mirrored into a folder of ibid's own, in the form in which the ordinary reader reads them.
//!
//! The mirror holds `site.json` ([`Manifest`]) and the files that it lists. Of a site of ibid these are the originals, byte for byte; of another
//! one each is made from the record's entry in `decisions.json` and the text of its copy. `docs/reference/published-sites.md` has the layout.

mod copies;
mod made;
mod manifest;
mod mirror;
mod place;
mod state;

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use document::{Problem, Severity, Stamp};

use crate::fetch::{FetchError, Fetched, Fetcher, Origin, OriginError, Validators};
use crate::folder::FolderError;
use crate::formats::decisions::ProjectFile;
use crate::formats::decisions::published::{self, PublishedError, PublishedSite};
use copies::Round;
use mirror::{INDEX, LLMS, Mirror};
use place::Placed;
use state::{STATE, State};

pub use manifest::{MANIFEST, Manifest, ManifestError};

/// The largest `llms.txt` that is read, in bytes.
const MAX_LLMS_BYTES: usize = 16 * 1024 * 1024;

/// The most problems of one refresh; of the others only their number is told.
const MAX_PROBLEMS: usize = 2_000;

/// Why a site could not be mirrored. The mirror is then what it was before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SiteError {
    /// The address is not that of a site.
    #[error(transparent)]
    Address(#[from] OriginError),
    /// The site gave no answer that can be used.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// The site's list of records cannot be read.
    #[error("The site {address} cannot be read: {source}")]
    Published {
        /// The site.
        address: String,
        /// What is wrong with its `decisions.json`.
        source: PublishedError,
    },
    /// The mirror's folder cannot be read or written.
    #[error(transparent)]
    Mirror(#[from] FolderError),
}

/// A published site.
#[derive(Debug)]
pub struct Site {
    fetcher: Fetcher,
}

/// What a refresh came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refreshed {
    /// Whether anything that is read from the mirror is another than before.
    pub changed: bool,
    /// All that is wrong with the site, at each refresh anew: not only what is new. Paths are those of the mirror, or `decisions.json`.
    pub problems: Vec<Problem>,
}

impl Site {
    /// The site at `address`, which is asked with `token` where there is one.
    ///
    /// # Errors
    /// [`SiteError::Address`]; [`SiteError::Fetch`] for a token that must not or cannot be sent.
    pub fn new(address: &str, token: Option<String>) -> Result<Self, SiteError> {
        Ok(Self { fetcher: Fetcher::new(Origin::parse(address)?, token.as_deref())? })
    }

    /// The same with another time limit for each request than the seed's 10 seconds.
    #[must_use]
    pub fn with_patience(self, patience: Duration) -> Self {
        Self { fetcher: self.fetcher.with_patience(patience) }
    }

    /// The site's address without a slash at its end.
    #[must_use]
    pub fn address(&self) -> &str {
        self.fetcher.origin().address()
    }

    /// Makes the mirror in the folder `mirror` what the site is now; `now_ms` (since 1970) becomes its `checked_ms`. The folder is made where it is
    /// missing, and belongs to the mirror alone. Only one refresh of a mirror may run at a time: the caller holds the lock. Dropping the future
    /// ends it; the mirror is then what it was.
    ///
    /// A site that answers "not modified" costs one request where it publishes stamps; where it does not, each copy is asked whether it has changed.
    ///
    /// # Errors
    /// [`SiteError`], when the list of records, or every single record, could not be had. A record of which only the text could not be had keeps
    /// the text that it had, with a problem.
    pub async fn refresh(&self, mirror: &Path, now_ms: i64) -> Result<Refreshed, SiteError> {
        let mut mirror = Mirror::open(mirror)?;
        let old = mirror.state(self.address());
        let mut new = State { address: self.address().to_owned(), ..State::default() };
        let (index, is_same_index) = self.index(&mirror, &old, &mut new).await?;
        let read = published::read(&index).map_err(|source| SiteError::Published { address: self.address().to_owned(), source });
        let (site, mut problems) = read?;
        let (placed, mut taken) = place::places(&site, &mut problems);
        let round = Round { fetcher: &self.fetcher, mirror: &mut mirror, taken: &mut taken, states: (&old, &mut new), is_same_index };
        let mut outcome = round.run(&placed).await?;
        problems.append(&mut outcome.problems);
        let llms = self.llms(&site, &placed, &mirror, (&old, &mut new), &mut problems).await;
        let mut records = outcome.records;
        records.sort_by(|left, right| left.main.cmp(&right.main));
        let projects = projects(&site, &placed, llms.as_deref());
        drop(placed);
        let manifest = Manifest { name: site.name, statuses: site.statuses, fields: site.fields, projects, records, checked_ms: now_ms };
        mirror.keep(INDEX, &index)?;
        if let Some(llms) = &llms {
            mirror.keep(LLMS, llms.as_bytes())?;
        }
        let changed = mirror.commit(&manifest)?;
        mirror.keep(STATE, new.write().as_bytes())?;
        Ok(Refreshed { changed, problems: bounded(problems) })
    }

    /// The bytes of `decisions.json`, and whether the mirror was made from them.
    async fn index(&self, mirror: &Mirror, old: &State, new: &mut State) -> Result<(Vec<u8>, bool), SiteError> {
        let is_known = |bytes: &Vec<u8>| mirror.old.is_some() && Stamp::of(bytes).as_str() == old.index_stamp;
        let copy = mirror.read(INDEX).filter(is_known);
        let since = if copy.is_some() { old.index.clone() } else { Validators::default() };
        let (bytes, validators) = match (self.fetcher.get(&[INDEX], &since, published::MAX_BYTES).await?, &copy) {
            (Fetched::Found(bytes, validators), _) => (bytes, validators),
            (Fetched::NotModified, Some(copy)) => (copy.clone(), since),
            (Fetched::NotModified, None) => return Err(FetchError::Status { address: format!("{}/{INDEX}", self.address()), status: 304 }.into()),
        };
        let is_same = copy.is_some_and(|copy| copy == bytes);
        new.index = validators;
        new.index_stamp = Stamp::of(&bytes).as_str().to_owned();
        Ok((bytes, is_same))
    }

    /// The text of `llms.txt`, where `decisions.json` leaves projects without a word. That there is none is no problem.
    async fn llms(
        &self,
        site: &PublishedSite,
        placed: &[Placed<'_>],
        mirror: &Mirror,
        states: (&State, &mut State),
        problems: &mut Vec<Problem>,
    ) -> Option<String> {
        let (old, new) = states;
        let described: HashSet<&str> = site.projects.iter().map(|project| project.id.as_str()).collect();
        if placed.iter().all(|placed| described.contains(placed.files.identity.project.as_str())) {
            return None;
        }
        let copy = mirror.read(LLMS).and_then(|bytes| String::from_utf8(bytes).ok());
        let since = if copy.is_some() { old.llms.clone() } else { Validators::default() };
        match self.fetcher.get(&[LLMS], &since, MAX_LLMS_BYTES).await {
            Ok(Fetched::Found(bytes, validators)) => {
                new.llms = validators;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            Ok(Fetched::NotModified) => {
                new.llms = since;
                copy
            }
            // A page for people where there is no file: so do sites that answer everything.
            Err(FetchError::NotThere { .. } | FetchError::IsAPage { .. }) => None,
            Err(error) => {
                let message = format!("Names of projects could not be fetched: {error}");
                problems.push(Problem::new("projects-failed", Severity::Note, LLMS, message));
                copy
            }
        }
    }
}

/// The projects of the records: as the site describes them, else as `llms.txt` does, else by their ids alone.
fn projects(site: &PublishedSite, placed: &[Placed<'_>], llms: Option<&str>) -> Vec<(String, ProjectFile)> {
    let mut projects: Vec<(String, ProjectFile)> = site.projects.iter().cloned().map(manifest::project_file).collect();
    let mut known: HashSet<String> = projects.iter().map(|(id, _)| id.clone()).collect();
    for placed in placed {
        let id = &placed.files.identity.project;
        if known.insert(id.clone()) {
            projects.push((id.clone(), ProjectFile::default()));
        }
    }
    for named in llms.map(|text| published::read_projects(text, &site.records)).unwrap_or_default() {
        if let Some((_, project)) = projects.iter_mut().find(|(id, _)| *id == named.id) {
            project.name = project.name.take().or(Some(named.name));
            project.description = project.description.take().or(named.description);
        }
    }
    projects
}

fn bounded(mut problems: Vec<Problem>) -> Vec<Problem> {
    if problems.len() > MAX_PROBLEMS {
        let beyond = problems.len() - MAX_PROBLEMS;
        problems.truncate(MAX_PROBLEMS);
        problems.push(Problem::new("more-problems", Severity::Note, INDEX, format!("The site has {beyond} more problems of these kinds.")));
    }
    problems
}
