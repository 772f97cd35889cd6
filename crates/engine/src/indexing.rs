//! Indexing: what the index is told of a stored document. Whoever builds an index, the product or a measurement of it, goes through here.

use index::{IndexDocument, IndexPassage};
use store::StoredDocument;

/// What the index needs of a document; `None` for drafts, which no search may find.
#[must_use]
pub fn index_document(stored: &StoredDocument) -> Option<IndexDocument> {
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
