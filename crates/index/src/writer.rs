//! Writing: one process at a time, one commit after the other.

use std::collections::HashSet;

use tantivy::index::SegmentId;
use tantivy::indexer::{IndexWriterOptions, NoMergePolicy, UserOperation};
use tantivy::{IndexWriter, TantivyDocument};

use crate::files::{self, WriterLock};
use crate::schema::{document_term, passages};
use crate::{Index, IndexDocument, IndexError};

/// Up to so many passages are collected before threads are started for them: an edit needs one, a build as many as there are.
const EDIT_PASSAGES: usize = 1_000;
const EDIT_MEMORY_BYTES: usize = 15_000_000;
/// Two threads use both cores of a small machine; more would only make more segments.
const BUILD_THREADS: usize = 2;
const BUILD_MEMORY_BYTES: usize = 48_000_000;
/// Segments of about one size are joined when so many have come together.
const JOINED_SEGMENTS: usize = 8;
/// The most passages that an edit joins on its way; joining more takes too long for somebody who waits.
const EDIT_JOIN_PASSAGES: u32 = 8_000;
/// The same for a build, which makes large segments anyway.
const BUILD_JOIN_PASSAGES: u32 = 100_000;
/// A segment that is mostly deleted is written anew.
const MOST_DELETED: f64 = 0.5;

/// The right to change the index. Held only while writing; what is not committed is forgotten.
pub struct Writer<'a> {
    index: &'a Index,
    files: tantivy::Index,
    engine: Option<IndexWriter>,
    pending: Vec<UserOperation>,
    /// Documents put since the last commit, whose passages a second `put` must replace.
    put: HashSet<i64>,
    checkpoint: u64,
    is_build: bool,
    lock: WriterLock,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(index: &'a Index, lock: WriterLock, files: tantivy::Index) -> Result<Self, IndexError> {
        // Under the lock nobody else commits: what is open now is what will be changed.
        let checkpoint = index.current()?.checkpoint;
        Ok(Self { index, files, engine: None, pending: Vec::new(), put: HashSet::new(), checkpoint, is_build: false, lock })
    }

    /// The sequence number of the newest commit, read under the lock.
    #[must_use]
    pub const fn checkpoint(&self) -> u64 {
        self.checkpoint
    }

    /// Adds a document, replacing all its passages.
    ///
    /// # Errors
    /// The index's files cannot be written.
    pub fn put(&mut self, document: &IndexDocument) -> Result<(), IndexError> {
        self.delete(document.document_id)?;
        self.put.insert(document.document_id);
        self.pending.extend(passages(document).into_iter().map(UserOperation::Add));
        self.hand_over_when_many()
    }

    /// Removes a document; one that is not there is no error.
    ///
    /// # Errors
    /// The index's files cannot be written.
    pub fn remove(&mut self, document_id: i64) -> Result<(), IndexError> {
        self.delete(document_id)?;
        self.hand_over_when_many()
    }

    /// Makes everything since the last commit visible at once, together with the number of the last change that it contains.
    ///
    /// # Errors
    /// The index's files cannot be written; then the last commit stands. Where that is because one of them is torn, the index is empty afterwards.
    pub fn commit(&mut self, sequence: u64) -> Result<(), IndexError> {
        let outcome = self.write(sequence);
        if let Err(IndexError::Engine { .. }) = &outcome {
            self.engine = None;
            self.put.clear();
            if self.files.load_metas().is_err() || files::check_whole(&self.files).is_err() {
                self.index.files().make_empty(&self.lock)?;
            }
            self.checkpoint = self.index.current()?.checkpoint;
        }
        outcome
    }

    fn write(&mut self, sequence: u64) -> Result<(), IndexError> {
        self.hand_over()?;
        let payload = sequence.to_string();
        let failed = IndexError::engine(self.index.files().root());
        let mut prepared = self.started()?.prepare_commit().map_err(&failed)?;
        prepared.set_payload(&payload);
        prepared.commit().map_err(&failed)?;
        self.put.clear();
        let most = if self.is_build { BUILD_JOIN_PASSAGES } else { EDIT_JOIN_PASSAGES };
        while self.join_once(most)? {}
        self.checkpoint = self.index.current()?.checkpoint;
        Ok(())
    }

    /// Joins whatever should be joined.
    pub(crate) fn join_segments(mut self) -> Result<bool, IndexError> {
        let mut has_joined = false;
        while self.join_once(u32::MAX)? {
            has_joined = true;
        }
        self.index.current()?;
        Ok(has_joined)
    }

    /// Each deletion is looked up in all segments, so documents that are certainly new go without.
    fn delete(&mut self, document_id: i64) -> Result<(), IndexError> {
        let term = document_term(document_id);
        let is_known = self.put.contains(&document_id)
            || self.index.open_snapshot().searcher.doc_freq(&term).map_err(IndexError::engine(self.index.files().root()))? > 0;
        if is_known {
            self.pending.push(UserOperation::Delete(term));
        }
        Ok(())
    }

    fn hand_over_when_many(&mut self) -> Result<(), IndexError> {
        if self.is_build || self.pending.len() > EDIT_PASSAGES {
            self.is_build = true;
            self.hand_over()?;
        }
        Ok(())
    }

    fn hand_over(&mut self) -> Result<(), IndexError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let operations = std::mem::take(&mut self.pending);
        let failed = IndexError::engine(self.index.files().root());
        self.started()?.run(operations).map_err(failed)?;
        Ok(())
    }

    fn started(&mut self) -> Result<&mut IndexWriter, IndexError> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => {
                let (threads, memory) = if self.is_build { (BUILD_THREADS, BUILD_MEMORY_BYTES) } else { (1, EDIT_MEMORY_BYTES) };
                let options = IndexWriterOptions::builder().num_worker_threads(threads).memory_budget_per_thread(memory).num_merge_threads(1).build();
                let engine = self.files.writer_with_options::<TantivyDocument>(options).map_err(IndexError::engine(self.index.files().root()))?;
                // Joining happens while the lock is held, never behind its back.
                engine.set_merge_policy(Box::new(NoMergePolicy));
                engine
            }
        };
        Ok(self.engine.insert(engine))
    }

    fn join_once(&mut self, most: u32) -> Result<bool, IndexError> {
        let failed = IndexError::engine(self.index.files().root());
        // Not kept in a variable: as long as they live, so do the files.
        let sizes: Vec<Size> = self
            .files
            .searchable_segment_metas()
            .map_err(&failed)?
            .iter()
            .map(|meta| Size { id: meta.id(), alive: meta.num_docs(), all: meta.max_doc() })
            .collect();
        let Some(ids) = to_join(sizes, most) else { return Ok(false) };
        self.started()?.merge(&ids).wait().map_err(&failed)?;
        // Only now may the old files go.
        self.started()?.garbage_collect_files().wait().map_err(&failed)?;
        Ok(true)
    }
}

/// How large a segment is, in passages.
#[derive(Debug, Clone, Copy)]
struct Size {
    id: SegmentId,
    alive: u32,
    all: u32,
}

/// The segments to join next: the smallest size of which there are enough, within `most` passages in all.
fn to_join(mut sizes: Vec<Size>, most: u32) -> Option<Vec<SegmentId>> {
    if let Some(size) = sizes.iter().find(|size| size.all <= most && f64::from(size.all - size.alive) > MOST_DELETED * f64::from(size.all)) {
        return Some(vec![size.id]);
    }
    sizes.sort_by_key(|size| size.alive);
    for start in 0..sizes.len() {
        // Sizes within a factor of eight are alike.
        let largest = sizes[start].alive.max(8).saturating_mul(8);
        let alike: Vec<&Size> = sizes[start..].iter().take_while(|size| size.alive <= largest).collect();
        let total = alike.iter().map(|size| u64::from(size.alive)).sum::<u64>();
        if alike.len() >= JOINED_SEGMENTS && total <= u64::from(most) {
            return Some(alike.iter().map(|size| size.id).collect());
        }
    }
    None
}
