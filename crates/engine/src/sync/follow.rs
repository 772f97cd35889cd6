//! The index follows the change log: whoever finds it behind takes the writer lock and applies what is missing.

use std::sync::Arc;
use std::time::Duration;

use index::{IndexDocument, IndexPassage, Writer};
use store::StoredDocument;
use tokio::runtime::Handle;

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
    let task = tokio::task::spawn_blocking(move || replay(&library, &handle));
    task.await.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Indexing failed: {error}.")))?
}

fn reached(library: &Library) -> Result<i64> {
    Ok(i64::try_from(library.index().checkpoint()?).unwrap_or(i64::MAX))
}

fn replay(library: &Arc<Library>, handle: &Handle) -> Result<i64> {
    let Some(mut writer) = library.index().writer(WRITER_WAIT)? else {
        return Err(Error::new(ErrorKind::Unreachable, "Another process is writing the index."));
    };
    // What is missing is decided under the lock: another process may have just written it.
    let mut sequence = i64::try_from(writer.checkpoint()).unwrap_or(i64::MAX);
    let mut put = 0;
    loop {
        let rows = handle.block_on(library.store().changes_after(sequence, WINDOW))?;
        let Some(last) = rows.last() else { break };
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
    for id in ids {
        if !documents.iter().any(|stored| stored.id == *id) {
            writer.remove(*id)?;
        }
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

/// What the index needs of a document; `None` for drafts, which no search may find.
fn index_document(stored: &StoredDocument) -> Option<IndexDocument> {
    let document = &stored.document;
    let record = document.record();
    if record.is_some_and(|record| record.is_draft) {
        return None;
    }
    let headings = heading_paths(document);
    let passages: Vec<IndexPassage> = document::passages(document)
        .into_iter()
        .map(|passage| IndexPassage {
            section_index: passage.section_index,
            span: passage.span,
            headings: headings[passage.section_index].clone(),
            text: passage.span.of(&document.text).to_owned(),
        })
        .collect();
    let people = record.map(|record| &record.people);
    Some(IndexDocument {
        document_id: stored.id,
        collection_id: stored.collection_id,
        kind: document.kind,
        uri: document.uri.to_string(),
        title: document.title.clone(),
        project: record.map(|record| record.project.clone()).unwrap_or_default(),
        record_type: record.map(|record| record.record_type.clone()).unwrap_or_default(),
        status: record.map(|record| record.status.word.clone()).unwrap_or_default(),
        date: document.date.clone(),
        tags: document.tags.clone(),
        people: people.map(|people| people.authors.iter().chain(&people.deciders).cloned().collect()).unwrap_or_default(),
        passages: if passages.is_empty() {
            // A record without text is found by its title all the same.
            vec![IndexPassage {
                section_index: 0,
                span: document::Span::new(document.body.start, document.body.start),
                headings: String::new(),
                text: document.description.clone(),
            }]
        } else {
            passages
        },
    })
}

/// For each section its headings from the outermost down, joined.
fn heading_paths(document: &document::Document) -> Vec<String> {
    let mut open: Vec<&document::Section> = Vec::new();
    document
        .sections
        .iter()
        .map(|section| {
            open.retain(|above| above.subtree_end > section.span.start && above.level < section.level);
            open.push(section);
            open.iter().map(|above| above.heading.as_str()).filter(|heading| !heading.is_empty()).collect::<Vec<_>>().join(" > ")
        })
        .collect()
}
