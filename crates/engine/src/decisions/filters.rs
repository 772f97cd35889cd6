//! What the filters of a listing mean: each argument checked, all of them as one filter of the store.

use store::RecordFilter;

use super::{RecordQuery, dates, field_values, problem_filter, relation_filter};
use crate::{Desk, Error, Result};

/// The filters of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meaning {
    /// As the store takes them.
    pub(super) filter: RecordFilter,
    /// What `relation` asked for; of one with an id, the filter holds the documents.
    pub(super) relation: Option<relation_filter::Wanted>,
    /// What `problem` asked for, with the documents that have it; the filter holds them.
    pub(super) problem: Option<(problem_filter::Wanted, Vec<i64>)>,
}

/// Checks every filter of a query.
///
/// # Errors
/// A date, range, field, problem or relation that cannot be used, or a store that cannot be read.
pub(super) async fn meaning(desk: &Desk, query: &RecordQuery) -> Result<Meaning> {
    dates::check_range(query.date_from.as_deref(), query.date_to.as_deref())?;
    let field = match &query.field {
        Some(text) => Some(field(desk, query.project.as_deref(), text).await?),
        None => None,
    };
    let problem = match &query.problem {
        Some(text) => {
            let wanted = problem_filter::read(desk, text).await?;
            let documents = problem_filter::documents(desk, &wanted).await?;
            Some((wanted, documents))
        }
        None => None,
    };
    let relation = match &query.relation {
        Some(text) => Some(relation_filter::read(desk, text).await?),
        None => None,
    };
    let in_force = query.current_only.then(|| desk.library.in_force());
    let mut filter = RecordFilter {
        project: query.project.clone(),
        record_type: query.record_type.clone(),
        status: query.status.clone(),
        tag: query.tag.clone(),
        author: query.author.clone(),
        decider: query.decider.clone(),
        field,
        statuses: in_force.as_ref().map(|in_force| in_force.words.clone()),
        statuses_of: in_force.and_then(|in_force| in_force.by_collection),
        is_superseded: query.current_only.then_some(false),
        date_from: query.date_from.clone(),
        date_to: query.date_to.clone(),
        ..RecordFilter::default()
    };
    match &relation {
        Some(relation_filter::Wanted::Stated(kind)) => filter.relation = Some(*kind),
        Some(relation_filter::Wanted::To { document_ids, .. }) => filter.document_ids = Some(document_ids.clone()),
        None => {}
    }
    if let Some((_, documents)) = &problem {
        let mut ids = documents.clone();
        if let Some(related) = &filter.document_ids {
            ids.retain(|id| related.binary_search(id).is_ok());
        }
        filter.document_ids = Some(ids);
    }
    Ok(Meaning { filter, relation, problem })
}

/// `name=value`, split at the first `=`. Values are compared as text; those of a field that is declared as a number, a date, a truth value or a
/// list, as such: `3` is `3.0` there. Without a declaration that would make release 1.1 out of 1.10.
async fn field(desk: &Desk, project: Option<&str>, text: &str) -> Result<(String, Vec<String>)> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => (name.trim(), value.trim()),
        _ => {
            let shown: String = text.chars().take(80).collect();
            return Err(Error::bad_input(format!("field is \"{shown}\", but must be name=value."))
                .hint("For example: field: \"risk=high\". list_fields shows the declared fields."));
        }
    };
    let values = field_values::same_values(desk, project, name, value).await?;
    Ok((name.to_owned(), values))
}
