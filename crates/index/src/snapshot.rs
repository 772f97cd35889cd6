//! A state of the index as one commit left it, open for reading.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use document::Span;
use tantivy::columnar::Column;
use tantivy::index::SegmentId;
use tantivy::{DocId, Searcher, SegmentReader};

/// What tells one commit's file from another's without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileMark {
    modified: Option<SystemTime>,
    size: u64,
    number: u64,
}

impl FileMark {
    /// The mark of a file as it is now.
    pub fn of(path: &Path) -> std::io::Result<Self> {
        let metadata = std::fs::metadata(path)?;
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&metadata);
        #[cfg(not(unix))]
        let number = 0;
        Ok(Self { modified: metadata.modified().ok(), size: metadata.len(), number })
    }
}

/// One commit, open.
pub struct Snapshot {
    pub searcher: Searcher,
    columns: Vec<Arc<Columns>>,
    pub checkpoint: u64,
    pub mark: FileMark,
}

impl Snapshot {
    /// Opens the columns of a searcher; those of segments that `before` had open already are taken over.
    pub fn new(searcher: Searcher, checkpoint: u64, mark: FileMark, before: Option<&Self>) -> tantivy::Result<Self> {
        let known: HashMap<SegmentId, &Arc<Columns>> = before.map_or_else(HashMap::new, |before| {
            before.searcher.segment_readers().iter().map(SegmentReader::segment_id).zip(&before.columns).collect()
        });
        let columns = searcher
            .segment_readers()
            .iter()
            .map(|segment| known.get(&segment.segment_id()).map_or_else(|| Columns::open(segment).map(Arc::new), |columns| Ok(Arc::clone(columns))))
            .collect::<tantivy::Result<Vec<_>>>()?;
        Ok(Self { searcher, columns, checkpoint, mark })
    }

    /// The columns of a segment by its number in the searcher.
    pub fn columns(&self, segment_ord: u32) -> &Columns {
        &self.columns[segment_ord as usize]
    }
}

/// What a hit tells of its passage.
pub struct Columns {
    document: Column<i64>,
    collection: Column<i64>,
    passage: Column<i64>,
    section: Column<i64>,
    span_start: Column<i64>,
    span_end: Column<i64>,
}

impl Columns {
    fn open(segment: &SegmentReader) -> tantivy::Result<Self> {
        let fields = segment.fast_fields();
        Ok(Self {
            document: fields.i64("document")?,
            collection: fields.i64("collection")?,
            passage: fields.i64("passage")?,
            section: fields.i64("section")?,
            span_start: fields.i64("span_start")?,
            span_end: fields.i64("span_end")?,
        })
    }

    pub fn document_id(&self, passage: DocId) -> i64 {
        self.document.first(passage).unwrap_or_default()
    }

    pub fn collection_id(&self, passage: DocId) -> i64 {
        self.collection.first(passage).unwrap_or_default()
    }

    pub fn passage_index(&self, passage: DocId) -> usize {
        index(&self.passage, passage)
    }

    pub fn section_index(&self, passage: DocId) -> usize {
        index(&self.section, passage)
    }

    pub fn span(&self, passage: DocId) -> Span {
        Span::new(index(&self.span_start, passage), index(&self.span_end, passage))
    }
}

fn index(column: &Column<i64>, passage: DocId) -> usize {
    column.first(passage).and_then(|value| usize::try_from(value).ok()).unwrap_or_default()
}
