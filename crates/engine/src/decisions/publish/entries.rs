//! The entries of `decisions.json`: what each record says, with all that a mirror needs to say the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use document::RelationKind;
use source::formats::decisions::published::{
    PublishedRecord, PublishedRelations, PublishedReview, PublishedRfcReview, PublishedSidecar, PublishedTarget,
};
use store::RecordRow;

use super::Place;
use crate::decisions::answer::relations_of;
use crate::decisions::relations::Related;
use crate::decisions::reviews::project_approvals;
use crate::decisions::{custom_fields, review_state, rfc_review};
use crate::{Desk, Error, ErrorKind, Result};

/// The entries of these records, in their order.
pub(super) async fn entries(desk: &Desk, place: &Place, rows: &[RecordRow]) -> Result<Vec<PublishedRecord>> {
    let mut sidecars = sidecars(desk).await?;
    let relations = relations_of(desk, rows).await?;
    let has_collections = desk.library.collections().len() > 1;
    let entry = |(row, related): (&RecordRow, Vec<Related>)| {
        let collection = has_collections.then(|| desk.library.collection_name(row.collection_id).to_owned());
        let sidecars = sidecars.remove(&(row.collection_id, row.path.clone())).unwrap_or_default();
        PublishedRecord { collection, sidecars, ..entry(desk, place, row, related) }
    };
    Ok(rows.iter().zip(relations).map(entry).collect())
}

fn entry(desk: &Desk, place: &Place, row: &RecordRow, related: Vec<Related>) -> PublishedRecord {
    let people = row.record.people.clone();
    let has_address = place.address.is_some();
    let mut relations = PublishedRelations::default();
    let mut others = Vec::new();
    for related in related {
        match relations.of_mut(related.kind) {
            Some(list) => list.push(target(related)),
            None if related.kind == RelationKind::RelatesTo => others.push(related.id),
            None => {}
        }
    }
    PublishedRecord {
        id: row.id.clone(),
        reference: row.reference.clone(),
        title: row.title.clone(),
        description: row.description.clone(),
        status: row.status.clone(),
        date: row.date.clone(),
        project: row.project.clone(),
        record_type: row.record_type.clone(),
        authors: people.authors,
        deciders: people.deciders,
        consulted: people.consulted,
        informed: people.informed,
        tags: row.tags.clone(),
        fields: custom_fields(&row.record),
        review: review_state(row, desk.library.clock()).map(|review| PublishedReview {
            due: review.due,
            reviewed: review.reviewed,
            every: review.every,
        }),
        reviewers: row.record.reviewers.clone(),
        rfc_review: rfc_review(&row.record, project_approvals(&desk.library, &row.project)).map(|review| PublishedRfcReview {
            status: review.status,
            approved: review.approved as u64,
            required: review.required as u64,
            waiting_on: review.waiting_on,
        }),
        relations,
        related: others,
        url: has_address.then(|| place.of_page(&row.id)),
        markdown: has_address.then(|| place.of_copy(&row.id)),
        path: Some(row.path.clone()),
        number: row.number.clone(),
        stamp: Some(row.stamp.clone()),
        ..PublishedRecord::default()
    }
}

fn target(related: Related) -> PublishedTarget {
    let is_missing = related.known.is_none();
    let known = related.known.map(|known| (known.reference, known.title, known.status));
    let (reference, title, status) = known.map_or((None, None, None), |(reference, title, status)| (reference, Some(title), Some(status)));
    PublishedTarget { id: related.id, reference, title, status, is_partial: related.is_partial, is_missing }
}

/// Files beside records, by collection and main file. They are read as they are now: whatever they say has been read into the records already.
async fn sidecars(desk: &Desk) -> Result<BTreeMap<(i64, String), Vec<PublishedSidecar>>> {
    let mut found: BTreeMap<(i64, String), Vec<PublishedSidecar>> = BTreeMap::new();
    for collection in desk.library.collections() {
        let id = collection.id;
        let rows = desk.library.store().files(id).await?;
        let beside: Vec<(String, String)> = rows.into_iter().filter(|row| row.path != row.unit).map(|row| (row.unit, row.path)).collect();
        if beside.is_empty() {
            continue;
        }
        let library = Arc::clone(&desk.library);
        let read = move || -> Result<Vec<(String, PublishedSidecar)>> {
            let Some(collection) = library.collections().iter().find(|collection| collection.id == id) else { return Ok(Vec::new()) };
            let text = |(unit, path): (String, String)| {
                let raw = collection.folder.read(&path)?;
                Ok((unit, PublishedSidecar { path, text: String::from_utf8_lossy(&raw.bytes).into_owned() }))
            };
            beside.into_iter().map(text).collect()
        };
        let failed = |error: tokio::task::JoinError| Error::new(ErrorKind::Unreachable, format!("Reading files failed: {error}."));
        for (unit, sidecar) in tokio::task::spawn_blocking(read).await.map_err(failed)?? {
            found.entry((id, unit)).or_default().push(sidecar);
        }
    }
    Ok(found)
}
