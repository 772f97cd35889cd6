//! What the filters of a listing mean: each argument checked, all of them as one filter of the store.

use store::RecordFilter;

use super::{RecordQuery, dates, problem_filter, relation_filter};
use crate::{Desk, Error, Result};

/// Types of declared fields whose values are numbers.
const NUMBER_TYPES: [&str; 5] = ["number", "integer", "int", "float", "decimal"];

/// Values of one field that are compared with a number at most.
const MOST_VALUES: i64 = 10_000;

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

/// `name=value`, split at the first `=`. Values are compared as text; those of a field that is declared as a number, as numbers: `3` is `3.0` there.
/// Without a declaration that would make release 1.1 out of 1.10.
async fn field(desk: &Desk, project: Option<&str>, text: &str) -> Result<(String, Vec<String>)> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => (name.trim(), value.trim()),
        _ => {
            let shown: String = text.chars().take(80).collect();
            return Err(Error::bad_input(format!("field is \"{shown}\", but must be name=value."))
                .hint("For example: field: \"risk=high\". list_fields shows the declared fields."));
        }
    };
    let mut values = vec![value.to_owned()];
    if let Some(wanted) = number(value)
        && is_declared_number(desk, project, name)
    {
        let known = desk.library.store().field_values(name, MOST_VALUES).await?;
        values.extend(known.into_iter().map(|(known, _)| known).filter(|known| number(known) == Some(wanted)));
    }
    Ok((name.to_owned(), values))
}

fn is_declared_number(desk: &Desk, project: Option<&str>, name: &str) -> bool {
    let name = store::fold(name);
    let files = desk.library.project_files();
    let asked = files.iter().filter(|(id, _)| project.is_none_or(|project| store::fold(project.trim()) == store::fold(id)));
    asked
        .flat_map(|(_, file)| &file.fields)
        .any(|field| store::fold(&field.name) == name && NUMBER_TYPES.contains(&field.field_type.trim().to_lowercase().as_str()))
}

/// A decimal number; words such as `inf` are none.
fn number(text: &str) -> Option<f64> {
    let is_plain = text.bytes().any(|byte| byte.is_ascii_digit()) && text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    text.parse().ok().filter(|number: &f64| is_plain && number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_decimal() {
        assert_eq!(number("3"), number("3.0"));
        assert_eq!(number("-03.50"), Some(-3.5));
        for text in ["", "inf", "nan", "e", "3 days", "1.2.3", "1e999"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
