//! Bringing a library up to date before an answer: one at a time in a process, guarded against other processes by a file lock.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, RwLock};
use std::time::{Duration, Instant};

use source::watch::{Trust, Watcher};

use super::collection::{self, Known};
use super::follow;
use super::remote::{self, Asked};
use crate::state::Lock;
use crate::{Event, Freshness, Library, Result};

/// How long to wait for the kernel to show that every earlier change was reported. Usually it takes less than a tenth of a millisecond.
const SETTLE_WAIT: Duration = Duration::from_secs(2);

/// Keeps one library up to date.
pub(crate) struct Syncer {
    watcher: std::result::Result<Arc<Watcher>, String>,
    /// Why the watcher's word does not suffice, when it does not.
    distrust: RwLock<Option<String>>,
    turn: tokio::sync::Mutex<Turn>,
    lock_path: PathBuf,
    sequence: AtomicI64,
    pub(super) files_done: AtomicU64,
    pub(super) files_in_all: AtomicU64,
}

/// What only the one that is syncing touches.
struct Turn {
    /// When the newest completed round began: whoever arrived before it needs no round of their own.
    round_began: Option<Instant>,
    /// For whom that round was.
    asked: Asked,
    freshness: Freshness,
    /// What each copy of a remote collection was when its files were last compared with the store.
    generations: HashMap<i64, Option<String>>,
    known: HashMap<i64, Known>,
    /// Collections that must be scanned as a whole, with changed paths of the others.
    unscanned: BTreeSet<i64>,
    changed: HashMap<i64, BTreeSet<String>>,
    /// How far subscribers have been told.
    told: i64,
    /// Highest document id seen, to tell new documents from changed ones.
    newest_document: i64,
    is_first: bool,
}

impl Syncer {
    pub(crate) fn new(folder: &Path, roots: &[PathBuf], watch_folder: &Path, sequence: i64, newest_document: i64) -> Self {
        let watcher = Watcher::start(roots, watch_folder).map(Arc::new).map_err(|error| error.to_string());
        let turn = Turn {
            round_began: None,
            asked: Asked::Tick,
            freshness: Freshness::fresh(sequence),
            generations: HashMap::new(),
            known: HashMap::new(),
            unscanned: BTreeSet::new(),
            changed: HashMap::new(),
            told: sequence,
            newest_document,
            is_first: true,
        };
        Self {
            watcher,
            distrust: RwLock::new(None),
            turn: tokio::sync::Mutex::new(turn),
            lock_path: folder.join("sync.lock"),
            sequence: AtomicI64::new(sequence),
            files_done: AtomicU64::new(0),
            files_in_all: AtomicU64::new(0),
        }
    }

    /// Newest change known here.
    pub(crate) fn sequence(&self) -> i64 {
        self.sequence.load(Ordering::Relaxed)
    }

    /// Whether the kernel tells of changes, else why folders must be scanned.
    pub(crate) fn watching(&self) -> std::result::Result<(), String> {
        if let Err(reason) = &self.watcher {
            return Err(reason.clone());
        }
        self.distrust.read().ok().and_then(|reason| reason.clone()).map_or(Ok(()), Err)
    }

    /// What to tell those who do not want to wait longer.
    pub(crate) fn progress_sentence(&self) -> String {
        let (done, all) = (self.files_done.load(Ordering::Relaxed), self.files_in_all.load(Ordering::Relaxed));
        if all > 0 { format!("Files are still being read: {done} of {all} so far.") } else { "Changes in the files are still being read.".to_owned() }
    }

    /// One round: learn what changed, read it, apply it, index it.
    pub(crate) async fn refresh(&self, library: &Arc<Library>, arrived: Instant, asked: Asked) -> Freshness {
        let mut turn = self.turn.lock().await;
        if turn.asked >= asked && turn.round_began.is_some_and(|began| began >= arrived) {
            return turn.freshness.clone();
        }
        let began = Instant::now();
        let failures = self.bring_up_remotes(library, asked).await;
        let round = self.round(library, &mut turn).await;
        // After a failure the next caller tries again.
        turn.round_began = round.is_ok().then_some(began);
        turn.asked = asked;
        turn.freshness = match round {
            Ok(sequence) if failures.is_empty() => Freshness::fresh(sequence),
            Ok(sequence) => Freshness::stale(sequence, failures.join(" ")),
            Err(error) => Freshness::stale(self.sequence(), error.to_string()),
        };
        turn.freshness.clone()
    }

    /// Brings the copies of what lies elsewhere up to date, all at once; gives the reasons why some may be old.
    async fn bring_up_remotes(&self, library: &Library, asked: Asked) -> Vec<String> {
        let remotes = library.collections().iter().filter_map(|collection| collection.remote.as_ref());
        let all = remotes.map(|remote| remote.bring_up(asked, library.clock(), &self.lock_path));
        futures_util::future::join_all(all).await.into_iter().flatten().collect()
    }

    async fn round(&self, library: &Arc<Library>, turn: &mut Turn) -> Result<i64> {
        self.learn(library, turn).await;
        for collection in library.collections() {
            let id = collection.id;
            let changed = turn.changed.remove(&id).unwrap_or_default();
            let generation = collection.remote.as_ref().and_then(|remote| remote.generation());
            if collection.remote.is_some() && turn.generations.get(&id) != Some(&generation) {
                turn.unscanned.insert(id);
            }
            // Until the end is reached nothing that is known of the files counts: a round that breaks off in the middle leaves a scan to the next.
            let must_scan = !turn.unscanned.insert(id);
            if must_scan {
                let known = collection::scan(self, library, collection).await?;
                turn.known.insert(id, known);
            } else if !changed.is_empty() {
                let known = turn.known.entry(id).or_default();
                collection::apply_changes(self, library, collection, known, &changed).await?;
            }
            turn.unscanned.remove(&id);
            turn.generations.insert(id, generation);
        }
        let sequence = follow::follow(library).await?;
        self.sequence.store(sequence, Ordering::Relaxed);
        self.announce(library, turn, sequence).await?;
        Ok(sequence)
    }

    /// Takes the watcher's word for what changed; where it has none to give, everything is scanned.
    async fn learn(&self, library: &Arc<Library>, turn: &mut Turn) {
        let all = || library.collections().iter().map(|collection| collection.id);
        let settled = match &self.watcher {
            Ok(watcher) => {
                let watcher = Arc::clone(watcher);
                tokio::task::spawn_blocking(move || watcher.settle(SETTLE_WAIT)).await.ok()
            }
            Err(_) => None,
        };
        let Some(settled) = settled else {
            turn.unscanned.extend(all());
            return;
        };
        let distrust = match settled.trusted {
            Trust::Yes => None,
            Trust::No(reason) => Some(reason),
        };
        if turn.is_first || settled.overflowed || distrust.is_some() {
            turn.unscanned.extend(all());
            turn.is_first = false;
        }
        if let Ok(mut known) = self.distrust.write() {
            *known = distrust;
        }
        for path in settled.changed {
            for collection in library.collections() {
                if let Ok(below) = path.strip_prefix(&collection.root) {
                    match collection::inner_path(below) {
                        Some(inner) => turn.changed.entry(collection.id).or_default().insert(inner),
                        None => turn.unscanned.insert(collection.id),
                    };
                }
            }
        }
    }

    /// Tells subscribers what the change log says is new.
    async fn announce(&self, library: &Arc<Library>, turn: &mut Turn, sequence: i64) -> Result<()> {
        const MOST: i64 = 1_000;
        if sequence <= turn.told {
            return Ok(());
        }
        let rows = library.store().changes_after(turn.told, MOST).await?;
        turn.told = sequence;
        let mut list_changed = rows.iter().any(|row| row.is_removed || row.document_id > turn.newest_document);
        turn.newest_document = rows.iter().map(|row| row.document_id).max().unwrap_or_default().max(turn.newest_document);
        if rows.len() as i64 == MOST {
            list_changed = true;
        }
        // A bulk change is one announcement: nobody follows a thousand single ones.
        if rows.len() <= 100 {
            let ids: Vec<i64> = rows.iter().filter(|row| !row.is_removed).map(|row| row.document_id).collect();
            for stored in library.store().documents(&ids).await? {
                library.tell(Event::Updated(stored.document.uri));
            }
        }
        if list_changed {
            library.tell(Event::ListChanged);
        }
        Ok(())
    }

    /// The lock that keeps processes from applying what they read in the wrong order: whoever reads files and applies them holds it.
    /// The kernel releases it when a process dies.
    pub(super) async fn lock(&self) -> Result<Lock> {
        let path = self.lock_path.clone();
        remote::off_thread(move || Lock::take(&path)).await
    }
}
