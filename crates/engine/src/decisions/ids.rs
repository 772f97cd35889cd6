//! Ids: every form that seed 000 accepts, resolved to one record or to a clear error. Never a first match.

use document::{Scheme, Uri};
use store::{RecordName, RecordRow};

use crate::{Desk, Error, ErrorKind, Result};

/// The record that `text` names: a uri or permalink, a full id, a short id (`sre/adr/1`), a reference (`SRE-ADR-0001`) or a slug that ends an id.
/// A section behind `#` is given back beside it.
///
/// # Errors
/// Nothing or more than one thing of that name, or a store that cannot be read.
pub async fn resolve(desk: &Desk, text: &str) -> Result<(RecordRow, Option<String>)> {
    let text = text.trim();
    let mut readings: Vec<(String, Option<String>)> = Vec::new();
    if text.contains("://") {
        readings.extend(
            Uri::readings(text)
                .into_iter()
                .filter(|uri| uri.scheme() == Scheme::Decision)
                .map(|uri| (uri.path().to_owned(), uri.section().map(str::to_owned))),
        );
    } else if let Some(uri) = text.starts_with("/d/").then(|| Uri::from_permalink(text.split('?').next().unwrap_or(text)).ok()).flatten() {
        readings.push((uri.path().to_owned(), uri.section().map(str::to_owned)));
    } else {
        readings.push((text.to_owned(), None));
        readings.extend(text.rsplit_once('#').map(|(id, section)| (id.to_owned(), Some(section.to_owned()))));
    }
    for (id, section) in readings {
        if id.is_empty() || id.len() > document_id_limit() {
            continue;
        }
        if let Some(row) = by_name(desk, &id, text).await? {
            return Ok((row, section));
        }
    }
    Err(Error::no_record(text))
}

/// Longest id that is looked up; file systems allow 4,096 bytes for a path.
const fn document_id_limit() -> usize {
    4_096
}

async fn by_name(desk: &Desk, id: &str, said: &str) -> Result<Option<RecordRow>> {
    let id = id.trim_end_matches(".md").trim_matches('/');
    // A bare number never matches: in a library of several projects it would be a guess (seed 000).
    if id.is_empty() || id.chars().all(|character| character.is_ascii_digit()) {
        return Ok(None);
    }
    let mut names = vec![RecordName::Id(id.to_owned())];
    if let Some((front, number)) = id.rsplit_once('/')
        && number.chars().all(|character| character.is_ascii_digit())
        && let Some((project, record_type)) = front.split_once('/')
    {
        names.push(RecordName::Numbered {
            project: Some(project.to_owned()),
            record_type: Some(record_type.to_owned()),
            number: number.to_owned(),
            collection_id: None,
        });
    }
    names.push(RecordName::Reference(id.to_owned()));
    names.push(RecordName::SlugEnd(id.to_owned()));
    for name in names {
        let mut rows = desk.library.store().records_named(&name).await?;
        match rows.len() {
            0 => {}
            1 => return Ok(rows.pop()),
            _ => return Err(ambiguous(desk, said, &rows)),
        }
    }
    Ok(None)
}

fn ambiguous(desk: &Desk, said: &str, rows: &[RecordRow]) -> Error {
    let mut candidates: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
    candidates.sort();
    candidates.dedup();
    if candidates.len() == 1 {
        let names: Vec<String> =
            rows.iter().map(|row| format!("{} in collection {}", row.path, desk.library.collection_name(row.collection_id))).collect();
        return Error::new(ErrorKind::Ambiguous, format!("\"{said}\" is ambiguous: {}.", names.join(", ")))
            .hint("Give one of the collections another name, or exclude one of the files.");
    }
    Error::new(ErrorKind::Ambiguous, format!("\"{said}\" is ambiguous: {}.", candidates.join(", "))).hint("Use one of the full ids.")
}
