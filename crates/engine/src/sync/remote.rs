//! What lies elsewhere: a repository's clone or a site's mirror in the library's own folder, brought up to date before answers, kept when it fails.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use document::{Problem, Stamp};
use source::git::{Address, Checkout, Reference};
use source::site::{MANIFEST, Manifest, Site};

use crate::config::{Origin, RepositoryConfig, RepositoryReference, SiteConfig};
use crate::state::{self, Lock, create_private};
use crate::{Clock, Error, ErrorKind, Result};

/// How long a site's answers are used before they are asked for again (seed 000).
const SITE_AGE: Duration = Duration::from_secs(30);

/// How long nothing is tried again after a failure; until then answers say what failed.
const RETRY: Duration = Duration::from_secs(30);

/// How long an answer waits for the other side where there is a copy to answer from.
const PATIENCE: Duration = Duration::from_secs(3);

/// How long one fetch of a repository may take.
const FETCH_LIMIT: Duration = Duration::from_secs(600);

/// Who wants the library to be fresh.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Asked {
    /// The clock of a long-running process.
    Tick,
    /// A call that waits for an answer.
    Call,
    /// A person who said `ibid sync`.
    Person,
}

/// How a copy stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteStatus {
    /// When it was last known to be what the other side has, in milliseconds since 1970.
    pub checked_ms: Option<i64>,
    /// The commit, of a repository.
    pub commit: Option<String>,
    /// Why the last try failed, if it did.
    pub failure: Option<String>,
}

/// The copy of one collection.
pub(crate) struct Remote {
    kind: Kind,
    root: PathBuf,
    /// What people call the other side.
    shown: String,
    /// Holds what the copy is now: a commit or a manifest's stamp. Written last, read before every answer.
    generation_path: PathBuf,
    lock_path: PathBuf,
    turn: tokio::sync::Mutex<()>,
    standing: Mutex<Standing>,
}

enum Kind {
    Repository { checkout: Arc<Checkout>, every: Option<Duration> },
    Site(Arc<Site>),
}

#[derive(Default)]
struct Standing {
    tried: Option<Instant>,
    checked_ms: Option<i64>,
    failure: Option<String>,
    /// What is wrong with the site itself, as the last refresh found it.
    problems: Vec<Problem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Due {
    No,
    /// Beside the answer, which uses the copy that there is.
    Beside,
    /// Before the answer.
    Now,
}

impl Remote {
    /// The copy of a collection that does not lie in a folder of the user's; `folder` is the library's own. Nothing is fetched yet.
    ///
    /// # Errors
    /// An address that cannot be used, or a folder that cannot be made.
    pub(crate) fn of(origin: &Origin, folder: &Path) -> Result<Option<Self>> {
        let place = |origin: &Origin| -> Result<PathBuf> {
            let digest = Stamp::of(origin.key().as_bytes());
            let place = folder.join("remotes").join(&digest.as_str()["sha256:".len()..][..16]);
            create_private(&place)?;
            Ok(place)
        };
        let (kind, root, place) = match origin {
            Origin::Folder(_) => return Ok(None),
            Origin::Repository(config) => {
                let place = place(origin)?;
                let checkout = checkout(config, &place.join("clone"))?;
                let root = if config.folder.is_empty() { checkout.tree() } else { checkout.tree().join(&config.folder) };
                let every = (config.refresh_minutes > 0).then(|| Duration::from_secs(u64::from(config.refresh_minutes) * 60));
                (Kind::Repository { checkout: Arc::new(checkout), every }, root, place)
            }
            Origin::Site(config) => {
                let place = place(origin)?;
                (Kind::Site(Arc::new(site(config)?)), place.join("mirror"), place)
            }
        };
        state::make_folder(&root)?;
        let remote = Self {
            kind,
            root,
            shown: origin.shown(),
            generation_path: place.join("generation"),
            lock_path: place.join("lock"),
            turn: tokio::sync::Mutex::new(()),
            standing: Mutex::default(),
        };
        remote.standing().checked_ms = remote.checked_ms();
        if let Kind::Repository { checkout, .. } = &remote.kind
            && remote.generation().is_some()
            && checkout.current()?.is_none()
        {
            // An exchange of files broke off: what is there is no commit, so it counts as nothing until it is one again.
            state::remove(&remote.generation_path)?;
        }
        Ok(Some(remote))
    }

    /// The folder that is read.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether the copy is a site's, whose manifest lists what is in it.
    pub(crate) const fn is_site(&self) -> bool {
        matches!(self.kind, Kind::Site(_))
    }

    /// What the copy is now; `None` before there is one. A small file is read, so that copies made by other processes count at once.
    pub(crate) fn generation(&self) -> Option<String> {
        state::read(&self.generation_path).ok().flatten().and_then(|bytes| String::from_utf8(bytes).ok()).filter(|text| !text.is_empty())
    }

    /// What is wrong with the site itself.
    pub(super) fn problems(&self) -> Vec<Problem> {
        self.standing().problems.clone()
    }

    pub(crate) fn status(&self) -> RemoteStatus {
        let standing = self.standing();
        let commit = matches!(self.kind, Kind::Repository { .. }).then(|| self.generation()).flatten();
        RemoteStatus { checked_ms: standing.checked_ms, commit, failure: standing.failure.clone() }
    }

    /// Brings the copy up to date where that is due; gives the reason why it may be old.
    pub(crate) async fn bring_up(self: &Arc<Self>, asked: Asked, clock: Clock, sync_lock: &Path) -> Option<String> {
        let due = self.due(asked, clock);
        if due == Due::No {
            return self.standing().failure.clone();
        }
        let (remote, sync_lock) = (Arc::clone(self), sync_lock.to_path_buf());
        // A task of its own: it goes on when the answer does not wait for it any longer.
        let work = tokio::spawn(async move { remote.work(asked, clock, &sync_lock).await });
        if due == Due::Beside {
            return self.standing().failure.clone();
        }
        if asked == Asked::Person || self.generation().is_none() {
            let _ = work.await;
        } else if tokio::time::timeout(PATIENCE, work).await.is_err() {
            return Some(format!("{} has not answered yet; what it held before is used.", self.shown));
        }
        self.standing().failure.clone()
    }

    fn due(&self, asked: Asked, clock: Clock) -> Due {
        if asked == Asked::Person {
            return Due::Now;
        }
        let (has_failed_lately, checked_ms) = {
            let standing = self.standing();
            let is_late = standing.tried.is_some_and(|tried| tried.elapsed() < RETRY);
            (standing.failure.is_some() && is_late, standing.checked_ms)
        };
        if has_failed_lately {
            return Due::No;
        }
        let age_ms = checked_ms.map(|checked_ms| clock.now_ms().saturating_sub(checked_ms));
        let is_older = |limit: Duration| age_ms.is_none_or(|age_ms| u128::try_from(age_ms).is_ok_and(|age_ms| age_ms > limit.as_millis()));
        match &self.kind {
            Kind::Repository { .. } if self.generation().is_none() => Due::Now,
            Kind::Repository { every: Some(every), .. } if is_older(*every) => Due::Beside,
            Kind::Site(_) if asked == Asked::Call && is_older(SITE_AGE) => Due::Now,
            Kind::Repository { .. } | Kind::Site(_) => Due::No,
        }
    }

    /// Fetches, unless somebody else has just done so.
    async fn work(&self, asked: Asked, clock: Clock, sync_lock: &Path) {
        let before = self.standing().checked_ms;
        let _turn = self.turn.lock().await;
        if asked != Asked::Person && (self.standing().checked_ms != before || self.due(asked, clock) == Due::No) {
            return;
        }
        let outcome = match self.lock().await {
            // Another process may have been at it while this one waited.
            Ok(_lock) if asked != Asked::Person && self.checked_ms().is_some_and(|checked_ms| Some(checked_ms) != before) => Ok(()),
            Ok(_lock) => self.fetch(clock, sync_lock).await,
            Err(error) => Err(error),
        };
        let mut standing = self.standing();
        standing.tried = Some(Instant::now());
        standing.checked_ms = self.checked_ms();
        standing.failure = outcome.err().map(|error| error.to_string());
    }

    async fn fetch(&self, clock: Clock, sync_lock: &Path) -> Result<()> {
        match &self.kind {
            Kind::Repository { checkout, .. } => {
                self.use_what_was_fetched(checkout, sync_lock).await?;
                let (checkout, root, sync_lock) = (Arc::clone(checkout), self.root.clone(), sync_lock.to_path_buf());
                let fetched = off_thread(move || {
                    checkout.prepare()?;
                    let wanted = checkout.fetch(FETCH_LIMIT, &|| false)?;
                    if checkout.current()?.as_ref() != Some(&wanted) {
                        // Nobody reads and applies files while they are being exchanged.
                        let _lock = Lock::take(&sync_lock)?;
                        checkout.switch(&wanted)?;
                    }
                    state::make_folder(&root)?;
                    Ok(wanted.to_string())
                });
                let commit = fetched.await?;
                self.keep_generation(&commit)
            }
            Kind::Site(site) => {
                let refreshed = site.refresh(&self.root, clock.now_ms()).await?;
                let before = std::mem::replace(&mut self.standing().problems, refreshed.problems.clone());
                if refreshed.changed || before != refreshed.problems || self.generation().is_none() {
                    self.keep_generation(&clock.now_ms().to_string())?;
                }
                Ok(())
            }
        }
    }

    /// A clone that was fetched and whose files were never, or not wholly, put in place needs no network to be used.
    async fn use_what_was_fetched(&self, checkout: &Arc<Checkout>, sync_lock: &Path) -> Result<()> {
        if self.generation().is_some() {
            return Ok(());
        }
        let (checkout, root, sync_lock) = (Arc::clone(checkout), self.root.clone(), sync_lock.to_path_buf());
        let found = off_thread(move || {
            checkout.prepare()?;
            let Some(fetched) = checkout.fetched()? else { return Ok(None) };
            let _lock = Lock::take(&sync_lock)?;
            checkout.switch(&fetched)?;
            state::make_folder(&root)?;
            Ok(Some(fetched.to_string()))
        });
        found.await?.map_or(Ok(()), |commit| self.keep_generation(&commit))
    }

    fn keep_generation(&self, generation: &str) -> Result<()> {
        if self.generation().as_deref() == Some(generation) {
            return Ok(());
        }
        state::replace(&self.generation_path, generation.as_bytes())
    }

    /// When the copy was last known to be current, as the copy itself remembers.
    fn checked_ms(&self) -> Option<i64> {
        match &self.kind {
            Kind::Repository { checkout, .. } => checkout.fetched_ms(),
            Kind::Site(_) => {
                let bytes = state::read(&self.root.join(MANIFEST)).ok()??;
                Manifest::read(&bytes).ok().map(|manifest| manifest.checked_ms)
            }
        }
    }

    /// The lock that lets one process at a time fetch.
    async fn lock(&self) -> Result<Lock> {
        let path = self.lock_path.clone();
        off_thread(move || Lock::take(&path)).await
    }

    fn standing(&self) -> std::sync::MutexGuard<'_, Standing> {
        self.standing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn checkout(config: &RepositoryConfig, cache: &Path) -> Result<Checkout> {
    let reference = match &config.reference {
        RepositoryReference::Default => Reference::Default,
        RepositoryReference::Branch(name) => Reference::Branch(name.clone()),
        RepositoryReference::Tag(name) => Reference::Tag(name.clone()),
    };
    let bad = |error: source::git::GitError| Error::bad_config(error.to_string());
    let address = Address::parse(&config.address, &config.base).map_err(bad)?;
    Checkout::at(cache, address, reference).map_err(bad)
}

fn site(config: &SiteConfig) -> Result<Site> {
    let token = config.token.as_ref().map(|token| token.reveal().to_owned());
    Site::new(&config.address, token).map_err(|error| Error::bad_config(error.to_string()))
}

pub(super) async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let failed = |error: tokio::task::JoinError| Error::new(ErrorKind::Unreachable, format!("The work broke off: {error}."));
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}
