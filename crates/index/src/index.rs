//! The index as the engine sees it: open, ask how far it is, search.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use tantivy::{IndexReader, ReloadPolicy};

use crate::files::{self, Files};
use crate::plan::{Plan, PlanError};
use crate::snapshot::{FileMark, Snapshot};
use crate::writer::Writer;
use crate::{Filter, Found, IndexError, Page, Query, search};

/// The search index of a library. Threads share it; several processes may have the same directory open.
pub struct Index {
    files: Files,
    /// Opens commits; one thread at a time.
    reader: Mutex<Option<IndexReader>>,
    snapshot: RwLock<Arc<Snapshot>>,
}

impl Index {
    /// Opens the index in `directory`, which is created. A missing, damaged or otherwise-versioned index is made anew, empty and with
    /// checkpoint 0.
    ///
    /// # Errors
    /// The directory cannot be read or written.
    pub fn open(directory: &Path) -> Result<Self, IndexError> {
        let files = Files::new(directory)?;
        let (reader, snapshot) = match files.open().and_then(|index| files.check_after_boot(&index)).and_then(|()| load(&files, None, None)) {
            Ok(loaded) => loaded,
            Err(_) => repair(&files)?,
        };
        Ok(Self { files, reader: Mutex::new(Some(reader)), snapshot: RwLock::new(Arc::new(snapshot)) })
    }

    /// The sequence number that the newest commit on disk contains. Notices the commits of other processes by itself and opens them; costs a
    /// look at one file where nothing changed.
    ///
    /// # Errors
    /// The directory cannot be read or written. Damage is no error: the index is then empty and the number 0.
    pub fn checkpoint(&self) -> Result<u64, IndexError> {
        Ok(self.current()?.checkpoint)
    }

    /// Takes the writer lock, waiting at most `wait`; `None` when another process or thread holds it for longer.
    ///
    /// # Errors
    /// The directory cannot be read or written.
    pub fn writer(&self, wait: Duration) -> Result<Option<Writer<'_>>, IndexError> {
        // Mends what is damaged, for which it needs the lock itself.
        self.current()?;
        let Some(lock) = self.files.lock(wait)? else { return Ok(None) };
        let index = match self.files.open() {
            Ok(index) => index,
            Err(_) => {
                self.files.make_empty(&lock)?;
                self.files.open().map_err(IndexError::engine(self.files.root()))?
            }
        };
        Writer::new(self, lock, index).map(Some)
    }

    /// The best passages for a query.
    ///
    /// # Errors
    /// A date of the filter is none, or the directory cannot be read or written.
    pub fn search(&self, query: &Query, filter: &Filter, page: Page) -> Result<Found, IndexError> {
        if query.is_empty() {
            return Ok(Found { hits: Vec::new(), has_more: false });
        }
        self.run(query, filter, |snapshot, plan| search::search(snapshot, plan, page))
    }

    /// All documents that match with the BM25 score of their best passage: best first, ties by id.
    ///
    /// # Errors
    /// As [`Index::search`].
    pub fn matching_documents(&self, query: &Query, filter: &Filter) -> Result<Vec<(i64, f32)>, IndexError> {
        if query.is_empty() {
            return Ok(Vec::new());
        }
        self.run(query, filter, search::matching_documents)
    }

    /// Bytes on disk.
    #[must_use]
    pub fn size_bytes(&self) -> u64 {
        self.files.size_bytes()
    }

    /// Number of passages as of the commit that was last looked at.
    #[must_use]
    pub fn count_passages(&self) -> u64 {
        self.open_snapshot().searcher.num_docs()
    }

    /// Joins segments that many small commits left, however long it takes, so that searches stay fast; gives whether there was anything to do.
    /// For idle moments. Does nothing while another writes.
    ///
    /// # Errors
    /// The directory cannot be read or written.
    pub fn join_segments(&self) -> Result<bool, IndexError> {
        self.writer(Duration::ZERO)?.map_or(Ok(false), Writer::join_segments)
    }

    pub(crate) fn files(&self) -> &Files {
        &self.files
    }

    pub(crate) fn open_snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.snapshot.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The newest commit on disk, open.
    pub(crate) fn current(&self) -> Result<Arc<Snapshot>, IndexError> {
        let mark = FileMark::of(self.files.meta()).ok();
        let open = self.open_snapshot();
        if mark == Some(open.mark) {
            return Ok(open);
        }
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have opened it while this one waited.
        let open = self.open_snapshot();
        if FileMark::of(self.files.meta()).ok() == Some(open.mark) {
            return Ok(open);
        }
        let (fresh_reader, fresh) = match load(&self.files, reader.take(), Some(&open)) {
            Ok(loaded) => loaded,
            Err(error) => {
                tracing::warn!(%error, "the search index is damaged and will be built anew");
                repair(&self.files)?
            }
        };
        *reader = Some(fresh_reader);
        let fresh = Arc::new(fresh);
        *self.snapshot.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&fresh);
        Ok(fresh)
    }

    fn run<T>(&self, query: &Query, filter: &Filter, run: impl Fn(&Snapshot, &Plan) -> tantivy::Result<T>) -> Result<T, IndexError> {
        let attempt = || -> Result<T, IndexError> {
            let snapshot = self.current()?;
            let engine = IndexError::engine(self.files.root());
            let plan = Plan::new(query, filter, &snapshot.searcher).map_err(|error| match error {
                PlanError::Filter(error) => error,
                PlanError::Engine(error) => engine(error),
            })?;
            run(&snapshot, &plan).map_err(engine)
        };
        // The search library panics on some torn files instead of telling.
        let outcome = catch_unwind(AssertUnwindSafe(attempt)).unwrap_or_else(|_| {
            Err(IndexError::Engine { directory: self.files.root().to_owned(), reason: "it broke off in the middle of a search".to_owned() })
        });
        match outcome {
            Err(IndexError::Engine { .. }) if self.mend()? => attempt(),
            outcome => outcome,
        }
    }

    /// Makes the index anew when one of its files is torn; gives whether it did.
    pub(crate) fn mend(&self) -> Result<bool, IndexError> {
        if self.files.open().and_then(|index| files::check_whole(&index)).is_ok() {
            return Ok(false);
        }
        tracing::warn!("a file of the search index is torn; it will be built anew");
        self.files.repair(&|files| files.open().and_then(|index| files::check_whole(&index)).is_ok())?;
        self.current()?;
        Ok(true)
    }
}

/// Opens the newest commit. What is noted as seen is never newer than what is open, so that a commit in between is seen next time.
fn load(files: &Files, reader: Option<IndexReader>, before: Option<&Snapshot>) -> tantivy::Result<(IndexReader, Snapshot)> {
    let mark = FileMark::of(files.meta())?;
    let index = match &reader {
        Some(reader) => reader.searcher().index().clone(),
        None => files.open()?,
    };
    let checkpoint = files::checkpoint(&index)?;
    let reader = match reader {
        Some(reader) => {
            reader.reload()?;
            reader
        }
        None => index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?,
    };
    let snapshot = Snapshot::new(reader.searcher(), checkpoint, mark, before)?;
    Ok((reader, snapshot))
}

fn repair(files: &Files) -> Result<(IndexReader, Snapshot), IndexError> {
    files.repair(&|files| load(files, None, None).and_then(|(reader, _)| files.check_after_boot(reader.searcher().index())).is_ok())?;
    load(files, None, None).map_err(IndexError::engine(files.root()))
}
