//! The library: what one configuration opens. Holds the store, the index and the collections, and hands out desks.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use document::Severity;
use index::Index;
use source::folder::{Folder, WalkRules};
use store::Store;
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;

use crate::collection::CollectionStatus;
use crate::config::{CollectionConfig, Config};
use crate::own_words::AllWords;
use crate::state::create_private;
use crate::sync::{Asked, Remote, Syncer};
use crate::{Caller, Clock, Desk, Error, ErrorKind, Event, Freshness, Result, StateFolder, Tokens};

/// How much longer an answer waits where a site is asked.
const SITE_WAIT: Duration = Duration::from_secs(5);

/// How to open a library.
#[derive(Debug, Clone)]
pub struct OpenOptions {
    /// What to open.
    pub config: Config,
    /// Where ibid's own things lie.
    pub state: StateFolder,
    /// The clock.
    pub clock: Clock,
    /// How long an answer waits for freshness before it says that it may be stale.
    pub freshness_wait: Duration,
}

impl OpenOptions {
    /// The usual way: the machine's clock, ten seconds for freshness.
    #[must_use]
    pub fn new(config: Config, state: StateFolder) -> Self {
        Self { config, state, clock: Clock::System, freshness_wait: Duration::from_secs(10) }
    }
}

/// An open collection.
pub(crate) struct Collection {
    pub(crate) id: i64,
    pub(crate) config: CollectionConfig,
    /// The folder that is read: its own, or ibid's copy of what lies elsewhere.
    pub(crate) root: PathBuf,
    pub(crate) folder: Folder,
    /// How the copy is kept, of a collection that lies elsewhere.
    pub(crate) remote: Option<Arc<Remote>>,
}

/// A library's standing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryStatus {
    /// What it is called.
    pub name: String,
    /// Its collections.
    pub collections: Vec<CollectionStatus>,
    /// Folder of store and index.
    pub folder: PathBuf,
    /// Newest change in the store.
    pub sequence: i64,
    /// Newest change in the index.
    pub indexed_sequence: i64,
    /// Passages in the index.
    pub passages: u64,
    /// Size of the index in bytes.
    pub index_size_bytes: u64,
    /// Whether the kernel tells of changes; else folders are scanned before each answer, for the reason given.
    pub watching: std::result::Result<(), String>,
    /// What the configuration said that was set aside.
    pub notices: Vec<String>,
}

/// What one configuration opens. Shared by all faces; cheap to hand around in an `Arc`.
pub struct Library {
    config: Config,
    folder: PathBuf,
    state: StateFolder,
    pasts: crate::decisions::Pasts,
    store: Store,
    index: Arc<Index>,
    collections: Vec<Collection>,
    syncer: Syncer,
    tokens: Tokens,
    events: broadcast::Sender<Event>,
    /// What each collection says of itself.
    own_words: AllWords,
    clock: Clock,
    freshness_wait: Duration,
}

impl Library {
    /// Opens store, index and folders. Reads no user file yet: the first desk does.
    ///
    /// # Errors
    /// A folder is missing, the store cannot be reached or was written by a newer ibid, the state folder cannot be written.
    pub async fn open(options: OpenOptions) -> Result<Arc<Self>> {
        let OpenOptions { config, state, clock, freshness_wait } = options;
        let folder = state.library(&config.key)?;
        let address = config.store.clone().unwrap_or_else(|| format!("sqlite:{}", folder.join("store.db").display()));
        let store = Store::open(&address).await?;
        let mut collections = Vec::new();
        for collection in &config.collections {
            let rules =
                WalkRules { extra_ignores: collection.exclude.clone(), extensions: Some(crate::sync::read_extensions()), ..WalkRules::default() };
            let remote = Remote::of(&collection.origin, &folder)?.map(Arc::new);
            let root = match (&remote, collection.origin.folder()) {
                (Some(remote), _) => remote.root().to_path_buf(),
                (None, Some(path)) => path.to_path_buf(),
                (None, None) => return Err(Error::bad_config(format!("The collection \"{}\" lies nowhere.", collection.name))),
            };
            let opened = Folder::open(&root, rules)?;
            let row = store.put_collection(&collection.name, collection.kind, &collection.origin.shown()).await?;
            collections.push(Collection { id: row.id, config: collection.clone(), root, folder: opened, remote });
        }
        for row in store.collections().await? {
            if !collections.iter().any(|collection| collection.id == row.id) {
                store.remove_collection(row.id).await?;
            }
        }
        let index = Arc::new(Index::open(&index_folder(&folder, &store).await?)?);
        // Copies are changed by ibid alone, which keeps account of them itself.
        let roots: Vec<PathBuf> =
            collections.iter().filter(|collection| collection.remote.is_none()).map(|collection| collection.root.clone()).collect();
        let watch_folder = folder.join("watch").join(std::process::id().to_string());
        create_private(&watch_folder)?;
        let syncer = Syncer::new(&folder, &roots, &watch_folder, store.last_sequence().await?, store.newest_document().await?);
        let tokens = Tokens::open(&state, store.clone())?;
        let (events, _) = broadcast::channel(1024);
        let library = Arc::new(Self {
            config,
            folder,
            state,
            pasts: crate::decisions::Pasts::default(),
            store,
            index,
            collections,
            syncer,
            tokens,
            events,
            own_words: AllWords::default(),
            clock,
            freshness_wait,
        });
        let opened = Arc::clone(&library);
        let finished = tokio::task::spawn_blocking(move || crate::write::finish(&opened)).await;
        finished.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Opening the library broke off: {error}.")))??;
        Ok(library)
    }

    /// A desk for one call, after bringing the library up to date with its files.
    ///
    /// # Errors
    /// Everything that the library opens lies elsewhere and was never reached: there is nothing to answer from.
    pub async fn desk(self: &Arc<Self>, caller: Caller, cancelled: CancellationToken) -> Result<Desk> {
        let freshness = self.freshen().await;
        if let Some(reason) = self.never_reached() {
            return Err(Error::new(ErrorKind::Unreachable, reason).hint("Nothing of it was ever read. ibid status shows what is tried."));
        }
        Ok(Desk { library: Arc::clone(self), caller, freshness, cancelled })
    }

    /// Why there is nothing at all to answer from, if so.
    fn never_reached(&self) -> Option<String> {
        let remotes: Option<Vec<&Arc<Remote>>> = self.collections.iter().map(|collection| collection.remote.as_ref()).collect();
        let failed = remotes.filter(|remotes| !remotes.is_empty() && remotes.iter().all(|remote| remote.generation().is_none()))?;
        let reasons: Vec<String> = failed.iter().filter_map(|remote| remote.status().failure).collect();
        (!reasons.is_empty()).then(|| reasons.join(" "))
    }

    /// Fetches what lies elsewhere now, however fresh the copies are, and applies what changed.
    pub async fn sync_remotes(self: &Arc<Self>) -> Freshness {
        self.syncer.refresh(self, std::time::Instant::now(), Asked::Person).await
    }

    /// A desk for the owner that nobody cancels: the shell's.
    ///
    /// # Errors
    /// As [`Library::desk`].
    pub async fn owner_desk(self: &Arc<Self>) -> Result<Desk> {
        self.desk(Caller::owner(), CancellationToken::new()).await
    }

    /// Applies every change made to the files so far, waiting as long as the options allow.
    pub async fn freshen(self: &Arc<Self>) -> Freshness {
        self.freshen_for(Asked::Call).await
    }

    async fn freshen_for(self: &Arc<Self>, asked: Asked) -> Freshness {
        let library = Arc::clone(self);
        let arrived = std::time::Instant::now();
        // A task of its own: when nobody waits any more, the work goes on and the next call finds it done.
        let task = tokio::spawn(async move { library.syncer.refresh(&library, arrived, asked).await });
        // A site has its own time limit, whose message says more than that it took too long.
        let has_sites = self.collections.iter().any(|collection| collection.remote.as_ref().is_some_and(|remote| remote.is_site()));
        let wait = if has_sites { self.freshness_wait + SITE_WAIT } else { self.freshness_wait };
        match tokio::time::timeout(wait, task).await {
            Ok(Ok(freshness)) => freshness,
            Ok(Err(failed)) => Freshness::stale(self.syncer.sequence(), format!("Reading the files failed: {failed}.")),
            Err(_) => Freshness::stale(self.syncer.sequence(), self.syncer.progress_sentence()),
        }
    }

    /// Keeps the library warm and tells subscribers of changes, until `stop` fires.
    pub async fn keep_warm(self: Arc<Self>, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(Duration::from_millis(300));
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        // Small commits leave small files; they are joined when nothing has happened for some seconds, so that it is in nobody's way.
        let (mut joined, mut quiet_ticks, mut last) = (self.syncer.sequence(), 0, self.syncer.sequence());
        while stop.run_until_cancelled(ticks.tick()).await.is_some() {
            let sequence = self.syncer.sequence();
            quiet_ticks = if sequence == last { quiet_ticks + 1 } else { 0 };
            last = sequence;
            if quiet_ticks == 30 && sequence != joined {
                self.join_segments().await;
                joined = sequence;
            }
            // Folders that cannot be watched are scanned when somebody asks, not all the time.
            if self.syncer.watching().is_ok() || self.events.receiver_count() > 0 {
                self.freshen_for(Asked::Tick).await;
            }
        }
    }

    /// Joins what small commits left in the index. What cannot be joined now stays as it is: right, only a little slower.
    pub async fn join_segments(&self) {
        let index = Arc::clone(&self.index);
        let _ = tokio::task::spawn_blocking(move || index.join_segments()).await;
    }

    /// What changes from now on.
    #[must_use]
    pub fn events(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    pub(crate) fn tell(&self, event: Event) {
        // Nobody listening is no failure.
        let _ = self.events.send(event);
    }

    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The clock.
    #[must_use]
    pub const fn clock(&self) -> Clock {
        self.clock
    }

    /// The tokens.
    #[must_use]
    pub const fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    /// Folder of store and index.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) const fn state(&self) -> &StateFolder {
        &self.state
    }

    /// Past states of it that are open.
    pub(crate) const fn pasts(&self) -> &crate::decisions::Pasts {
        &self.pasts
    }

    pub(crate) const fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn index(&self) -> &Arc<Index> {
        &self.index
    }

    pub(crate) fn collections(&self) -> &[Collection] {
        &self.collections
    }

    pub(crate) fn collection_name(&self, id: i64) -> &str {
        self.collections.iter().find(|collection| collection.id == id).map_or("", |collection| collection.config.name.as_str())
    }

    pub(crate) const fn own_words(&self) -> &AllWords {
        &self.own_words
    }

    /// How the library stands, without bringing it up to date first.
    ///
    /// # Errors
    /// A store or index that cannot be read.
    pub async fn status(&self) -> Result<LibraryStatus> {
        let counts = self.store.count_problems().await?;
        let count = |id: i64, wanted: Severity| {
            counts.iter().filter(|(collection, severity, _)| *collection == id && *severity == wanted).map(|(.., count)| count).sum()
        };
        let mut collections = Vec::new();
        for collection in &self.collections {
            collections.push(CollectionStatus {
                name: collection.config.name.clone(),
                kind: collection.config.kind,
                origin: collection.config.origin.clone(),
                remote: collection.remote.as_ref().map(|remote| remote.status()),
                documents: self.store.count_documents(collection.id).await?,
                errors: count(collection.id, Severity::Error),
                warnings: count(collection.id, Severity::Warning),
                notes: count(collection.id, Severity::Note),
            });
        }
        Ok(LibraryStatus {
            name: self.config.name.clone(),
            collections,
            folder: self.folder.clone(),
            sequence: self.store.last_sequence().await?,
            indexed_sequence: i64::try_from(self.index.checkpoint()?).unwrap_or(i64::MAX),
            passages: self.index.count_passages(),
            index_size_bytes: self.index.size_bytes(),
            watching: self.syncer.watching(),
            notices: self.config.notices.clone(),
        })
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        // Cookies of this process; nobody else uses the folder.
        let _ = std::fs::remove_dir_all(self.folder.join("watch").join(std::process::id().to_string()));
    }
}

/// The index belongs to one store: a new store gets a new index, and what belonged to an older one is deleted.
async fn index_folder(folder: &Path, store: &Store) -> Result<PathBuf> {
    let identity = match store.setting("identity").await? {
        Some(identity) => identity,
        None => {
            let mut bytes = [0_u8; 8];
            getrandom::fill(&mut bytes)
                .map_err(|error| Error::new(ErrorKind::Unreachable, format!("The system gives no random numbers: {error}.")))?;
            let made: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            store.put_setting_if_absent("identity", &made).await?
        }
    };
    let parent = folder.join("index");
    create_private(&parent)?;
    if let Ok(entries) = std::fs::read_dir(&parent) {
        for entry in entries.flatten().filter(|entry| entry.file_name().to_string_lossy() != identity) {
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
    Ok(parent.join(identity))
}
