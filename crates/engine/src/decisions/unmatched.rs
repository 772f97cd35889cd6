//! Why a listing is empty: which filter matches nothing, and what was probably meant. An empty answer alone would leave an agent guessing.

use store::{Label, RecordFilter};

use super::RecordQuery;
use crate::{Desk, Result};

/// Names that a sentence lists at most.
const NAMED: usize = 20;

/// A sentence about the first filter that matches no record by itself; else that no record matches all of them. `None` without filters.
///
/// # Errors
/// A store that cannot be read.
pub async fn unmatched(desk: &Desk, query: &RecordQuery) -> Result<Option<String>> {
    let one = RecordFilter::default;
    let filters = [
        ("project", &query.project, RecordFilter { project: query.project.clone(), ..one() }),
        ("type", &query.record_type, RecordFilter { record_type: query.record_type.clone(), ..one() }),
        ("status", &query.status, RecordFilter { status: query.status.clone(), ..one() }),
        ("tag", &query.tag, RecordFilter { tag: query.tag.clone(), ..one() }),
        ("author", &query.author, RecordFilter { author: query.author.clone(), ..one() }),
    ];
    let mut given = usize::from(query.field.is_some()) + usize::from(query.query.is_some()) + usize::from(query.current_only);
    for (name, said, filter) in filters {
        let Some(said) = said else { continue };
        given += 1;
        if desk.library.store().records(&filter, 0, 0).await?.total == 0 {
            let known = known(desk, name).await?;
            return Ok(Some(sentence(name, said, &known)));
        }
    }
    Ok((given > 1).then(|| "Each filter but the words and fields matches records by itself; none matches all that was asked for.".to_owned()))
}

async fn known(desk: &Desk, name: &str) -> Result<Vec<String>> {
    let store = desk.library.store();
    let labels = |rows: Vec<(String, i64)>| rows.into_iter().map(|(name, _)| name).collect();
    Ok(match name {
        "project" => store.projects().await?.into_iter().map(|count| count.project).collect(),
        "tag" => labels(store.labels(Label::Tag, None, None).await?),
        "author" => labels(store.labels(Label::Author, None, None).await?),
        _ => Vec::new(),
    })
}

fn sentence(name: &str, said: &str, known: &[String]) -> String {
    let shown: String = said.chars().take(80).collect();
    let mut text = format!("No record has the {name} \"{shown}\".");
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
