//! The index follows the change log: whoever finds it behind takes the writer lock and applies what is missing.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use index::{IndexDocument, Writer};
use store::StoredDocument;
use tokio::runtime::Handle;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::indexing::index_document;
use crate::{Error, ErrorKind, Library, Result};

/// How long to wait for another process that is writing the index.
const WRITER_WAIT: Duration = Duration::from_secs(8);

/// Change-log rows that are applied at a time.
const WINDOW: i64 = 500;

/// Documents after which a long replay is committed, so that a crash costs little and readers see progress.
const COMMIT_AFTER: usize = 20_000;

/// Applies what the index lacks; gives back the sequence that it now contains.
pub(super) async fn follow(library: &Arc<Library>) -> Result<i64> {
    let target = library.store().last_sequence().await?;
    if reached(library)? >= target {
        return Ok(target);
    }
    let library = Arc::clone(library);
    let handle = Handle::current();
    let task = tokio::task::spawn_blocking(move || replay(&library, &handle, None));
    task.await.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Indexing failed: {error}.")))?
}

/// Indexing beside a large change that is still being applied, so that both processors have work.
pub(super) struct Beside {
    feed: Arc<Feed>,
    task: Option<JoinHandle<Result<i64>>>,
}

/// What the one who applies tells the one who indexes.
#[derive(Default)]
struct Feed {
    more: Notify,
    is_done: AtomicBool,
}

impl Beside {
    /// Begins to index what is applied from now on.
    pub(super) fn start(library: &Arc<Library>) -> Self {
        let feed = Arc::new(Feed::default());
        let (library, handle, fed) = (Arc::clone(library), Handle::current(), Arc::clone(&feed));
        Self { feed, task: Some(tokio::task::spawn_blocking(move || replay(&library, &handle, Some(&fed)))) }
    }

    /// Something was applied.
    pub(super) fn tell(&self) {
        self.feed.more.notify_one();
    }

    /// Waits until all of it is indexed. What went wrong shows when [`follow`] finds the index behind.
    pub(super) async fn finish(mut self) {
        self.end();
        if let Some(task) = self.task.take() {
            let _ = task.await;
        }
    }

    fn end(&self) {
        self.feed.is_done.store(true, Ordering::Release);
        self.feed.more.notify_one();
    }
}

impl Drop for Beside {
    /// Also where applying failed: nobody may wait for more while holding the writer lock.
    fn drop(&mut self) {
        self.end();
    }
}

fn reached(library: &Library) -> Result<i64> {
    Ok(i64::try_from(library.index().checkpoint()?).unwrap_or(i64::MAX))
}

fn replay(library: &Arc<Library>, handle: &Handle, feed: Option<&Feed>) -> Result<i64> {
    let Some(mut writer) = library.index().writer(WRITER_WAIT)? else {
        return Err(Error::new(ErrorKind::Unreachable, "Another process is writing the index."));
    };
    // What is missing is decided under the lock: another process may have just written it.
    let mut sequence = i64::try_from(writer.checkpoint()).unwrap_or(i64::MAX);
    let mut put = 0;
    loop {
        // Asked before the question: what is applied in between is seen in the next round.
        let is_last = feed.is_none_or(|feed| feed.is_done.load(Ordering::Acquire));
        let rows = handle.block_on(library.store().changes_after(sequence, WINDOW))?;
        let Some(last) = rows.last() else {
            match feed {
                Some(feed) if !is_last => handle.block_on(feed.more.notified()),
                _ => break,
            }
            continue;
        };
        sequence = last.sequence;
        let ids: Vec<i64> = rows.iter().filter(|row| !row.is_removed).map(|row| row.document_id).collect();
        for row in rows.iter().filter(|row| row.is_removed) {
            writer.remove(row.document_id)?;
        }
        let documents = handle.block_on(library.store().documents(&ids))?;
        put += put_all(&mut writer, &documents, &ids)?;
        if put >= COMMIT_AFTER {
            writer.commit(u64::try_from(sequence).unwrap_or_default())?;
            put = 0;
        }
    }
    writer.commit(u64::try_from(sequence).unwrap_or_default())?;
    Ok(sequence)
}

fn put_all(writer: &mut Writer<'_>, documents: &[StoredDocument], ids: &[i64]) -> Result<usize> {
    // A row may name a document that a later row removes; then it is not in the store any more and must leave the index.
    let found: HashSet<i64> = documents.iter().map(|stored| stored.id).collect();
    for id in ids.iter().filter(|id| !found.contains(id)) {
        writer.remove(*id)?;
    }
    use rayon::prelude::*;
    let prepared: Vec<Option<IndexDocument>> = documents.par_iter().map(index_document).collect();
    for (stored, prepared) in documents.iter().zip(&prepared) {
        match prepared {
            Some(document) => writer.put(document)?,
            None => writer.remove(stored.id)?,
        }
    }
    Ok(documents.len())
}
