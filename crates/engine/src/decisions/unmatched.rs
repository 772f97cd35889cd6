//! Why a listing is empty: which filter matches nothing, and what was probably meant. An empty answer alone would leave an agent guessing.

use document::Severity;
use store::{Label, RecordFilter};

use super::filters::{self, Meaning};
use super::{RecordQuery, problem_filter, relation_filter};
use crate::{Desk, Result};

/// Names that a sentence lists at most.
const NAMED: usize = 20;

/// A sentence about the first filter that matches no record by itself; else that no record matches all of them. `None` without filters.
///
/// # Errors
/// A filter that cannot be used, or a store that cannot be read.
pub async fn unmatched(desk: &Desk, query: &RecordQuery) -> Result<Option<String>> {
    let Meaning { filter, relation, problem } = filters::meaning(desk, query).await?;
    let one = RecordFilter::default;
    let texts = [
        ("project", &query.project, RecordFilter { project: filter.project.clone(), ..one() }),
        ("type", &query.record_type, RecordFilter { record_type: filter.record_type.clone(), ..one() }),
        ("status", &query.status, RecordFilter { status: filter.status.clone(), ..one() }),
        ("tag", &query.tag, RecordFilter { tag: filter.tag.clone(), ..one() }),
        ("author", &query.author, RecordFilter { author: filter.author.clone(), ..one() }),
        ("decider", &query.decider, RecordFilter { decider: filter.decider.clone(), ..one() }),
    ];
    let mut given = usize::from(query.query.is_some()) + usize::from(query.current_only);
    for (name, said, filter) in texts {
        let Some(said) = said else { continue };
        given += 1;
        if is_nowhere(desk, &filter).await? {
            let known = known(desk, name).await?;
            return Ok(Some(sentence(name, said, &known)));
        }
    }
    let ids = match &relation {
        Some(relation_filter::Wanted::To { document_ids, .. }) => Some(document_ids.clone()),
        _ => None,
    };
    let others = [
        (query.field.is_some(), RecordFilter { field: filter.field.clone(), ..one() }),
        (query.date_from.is_some(), RecordFilter { date_from: filter.date_from.clone(), ..one() }),
        (query.date_to.is_some(), RecordFilter { date_to: filter.date_to.clone(), ..one() }),
        (query.relation.is_some(), RecordFilter { relation: filter.relation, document_ids: ids, ..one() }),
    ];
    for (is_given, filter) in others {
        given += usize::from(is_given);
        if is_given && is_nowhere(desk, &filter).await? {
            return Ok(Some(other_sentence(desk, &filter, relation.as_ref()).await?));
        }
    }
    if let Some((wanted, documents)) = problem {
        given += 1;
        if documents.is_empty() {
            return Ok(Some(match wanted {
                problem_filter::Wanted::Code(code) => format!("No record has the problem \"{code}\"."),
                problem_filter::Wanted::Severity(severity) => format!("No record has a problem that is {}.", severity_said(severity)),
            }));
        }
    }
    Ok((given > 1).then(|| "Each filter but the words matches records by itself; none matches all that was asked for.".to_owned()))
}

async fn is_nowhere(desk: &Desk, filter: &RecordFilter) -> Result<bool> {
    Ok(desk.library.store().records(filter, 0, 0).await?.total == 0)
}

async fn known(desk: &Desk, name: &str) -> Result<Vec<String>> {
    let store = desk.library.store();
    let labels = |rows: Vec<(String, i64)>| rows.into_iter().map(|(name, _)| name).collect();
    Ok(match name {
        "project" => store.projects().await?.into_iter().map(|count| count.project).collect(),
        "tag" => labels(store.labels(Label::Tag, None, None).await?),
        "author" => labels(store.labels(Label::Author, None, None).await?),
        "decider" => labels(store.labels(Label::Decider, None, None).await?),
        _ => Vec::new(),
    })
}

/// The sentence for the one filter that `filter` holds, of those that are no plain names.
async fn other_sentence(desk: &Desk, filter: &RecordFilter, relation: Option<&relation_filter::Wanted>) -> Result<String> {
    let store = desk.library.store();
    if let Some((name, values)) = &filter.field {
        let known: Vec<String> = store.field_values(name, 1_000).await?.into_iter().map(|(value, _)| value).collect();
        if known.is_empty() {
            let names: Vec<String> = store.fields(None).await?.into_iter().map(|(name, _)| name).collect();
            return Ok(sentence("field", name, &names));
        }
        return Ok(sentence(&format!("{} of", shown(name)), values.first().map_or("", String::as_str), &known));
    }
    if filter.date_from.is_some() || filter.date_to.is_some() {
        let asked = match (&filter.date_from, &filter.date_to) {
            (Some(from), _) => format!("{} or later", from.trim()),
            (_, to) => format!("{} or earlier", to.as_deref().unwrap_or_default().trim()),
        };
        return Ok(match store.record_dates().await? {
            Some((oldest, newest)) => format!("No record is dated {asked}: their dates run from {oldest} to {newest}."),
            None => format!("No record is dated {asked}: none states a date."),
        });
    }
    Ok(match relation {
        Some(relation_filter::Wanted::To { kind, id, .. }) => format!("No record has the relation \"{}\" to {id}.", relation_filter::argument(*kind)),
        Some(relation_filter::Wanted::Stated(kind)) => format!("No record states the relation \"{}\".", relation_filter::argument(*kind)),
        None => "No record matches.".to_owned(),
    })
}

const fn severity_said(severity: Severity) -> &'static str {
    match severity {
        Severity::Note => "a note",
        Severity::Warning => "a warning",
        Severity::Error => "an error",
    }
}

fn shown(said: &str) -> String {
    said.chars().take(80).collect()
}

fn sentence(name: &str, said: &str, known: &[String]) -> String {
    let mut text = format!("No record has the {name} \"{}\".", shown(said));
    let folded = said.to_lowercase();
    let near =
        known.iter().map(|known| (strsim::jaro_winkler(&known.to_lowercase(), &folded), known)).max_by(|left, right| left.0.total_cmp(&right.0));
    match near {
        Some((closeness, near)) if closeness >= 0.8 => text.push_str(&format!(" Did you mean \"{near}\"?")),
        Some(_) if known.len() <= NAMED => text.push_str(&format!(" There are: {}.", known.join(", "))),
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn the_nearest_name_is_told_else_the_few_that_there_are() {
        let known = ["reliability".to_owned(), "web".to_owned()];
        assert_eq!(sentence("project", "relaibility", &known), "No record has the project \"relaibility\". Did you mean \"reliability\"?");
        assert_eq!(sentence("project", "qqq", &known), "No record has the project \"qqq\". There are: reliability, web.");
        assert_eq!(sentence("status", "qqq", &[]), "No record has the status \"qqq\".");
    }
}
