//! The library as it stood at a date: the records of that day's commits, opened as a library of their own and asked the same questions.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::Offset;
use source::git::History;

use crate::config::{CollectionConfig, Config, Origin};
use crate::{Desk, Error, ErrorKind, Library, OpenOptions, Result, StateFolder, state};

/// Past libraries that stay open.
const OPEN: usize = 4;

/// Past libraries whose folders stay on disk.
const KEPT: usize = 16;

/// Marks the folder of a past library, so that old ones can be cleared away.
const MARK: &str = "past";

/// Past libraries of one library that are open, the last used at the end.
#[derive(Default)]
pub(crate) struct Pasts(tokio::sync::Mutex<VecDeque<(String, Arc<Library>)>>);

/// A desk over the library of a date.
#[derive(Clone)]
pub struct Past {
    /// The desk: every question may be asked there.
    pub desk: Desk,
    /// The date, as it was understood.
    pub date: String,
    /// The state of each collection.
    pub collections: Vec<PastCollection>,
}

/// A collection at a date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PastCollection {
    /// Its name.
    pub name: String,
    /// The commit that was the newest one then; else why the collection has no part in the answer.
    pub commit: std::result::Result<String, String>,
}

/// The library as its git history has it at the end of a day (UTC): for each collection, the newest commit on its first-parent line until then. What
/// was never committed has no past. Collections that are not under git are left out, and said to be.
///
/// # Errors
/// No date, one that lies ahead, no collection under git, or a history that cannot be read.
pub async fn as_of(desk: &Desk, date: &str) -> Result<Past> {
    let library = &desk.library;
    let day = day(date)?;
    if day > library.clock().today() {
        return Err(Error::bad_input(format!("as_of is {day}, which lies ahead.")).hint("Leave as_of out for the present."));
    }
    let opened = Arc::clone(library);
    let states = tokio::task::spawn_blocking(move || states(&opened, day)).await;
    let states = states.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Reading the history broke off: {error}.")))??;
    let collections: Vec<PastCollection> = states
        .iter()
        .map(|state| PastCollection { name: state.config.name.clone(), commit: state.commit.as_ref().map(ToString::to_string).map_err(Clone::clone) })
        .collect();
    if states.iter().all(|state| state.commit.is_err()) {
        let reasons: Vec<String> = collections.iter().filter_map(|state| Some(format!("{}: {}", state.name, state.commit.as_ref().err()?))).collect();
        return Err(Error::new(ErrorKind::NotFound, format!("Nothing is known of {day}. {}", reasons.join(" ")))
            .hint("Only records under git have a past. Leave as_of out for the present."));
    }
    let past = open(library, states).await?;
    let past_desk = past.desk(desk.caller.clone(), desk.cancelled.clone()).await?;
    // That the present may be newer than what was read of it is no matter here.
    Ok(Past { desk: past_desk, date: day.to_string(), collections })
}

/// A collection with its state: the commit, or why it has none.
struct State {
    config: CollectionConfig,
    root: PathBuf,
    commit: std::result::Result<source::git::CommitId, String>,
}

/// The last day that a date means: `2024` is the last of December.
fn day(text: &str) -> Result<Date> {
    let text = text.trim();
    let bad = || {
        let shown: String = text.chars().take(40).collect();
        Error::bad_input(format!("as_of is \"{shown}\", which is no date.")).hint("Write YYYY-MM-DD, YYYY-MM or YYYY.")
    };
    let whole = match text.len() {
        4 => format!("{text}-12-01"),
        7 => format!("{text}-01"),
        _ => text.to_owned(),
    };
    let date: Date = whole.parse().map_err(|_| bad())?;
    Ok(if text.len() < 10 { date.last_of_month() } else { date })
}

fn states(library: &Library, day: Date) -> Result<Vec<State>> {
    let end = day.tomorrow().and_then(|next| Offset::UTC.to_timestamp(next.at(0, 0, 0, 0)));
    let end_ms = end.map(|end| end.as_millisecond() - 1).map_err(|error| Error::bad_input(format!("as_of is out of range: {error}.")))?;
    let mut states = Vec::new();
    for collection in library.collections() {
        let commit = match &collection.config.origin {
            Origin::Site(_) => Err("A published site has no history.".to_owned()),
            Origin::Folder(_) | Origin::Repository(_) => match History::of(&collection.root)? {
                None => Err("It is not under git.".to_owned()),
                Some(history) => history.commit_at(end_ms)?.ok_or_else(|| "Its history begins later.".to_owned()),
            },
        };
        states.push(State { config: collection.config.clone(), root: collection.root.clone(), commit });
    }
    Ok(states)
}

/// The past library of these states, opened once and kept for the next question.
async fn open(library: &Arc<Library>, states: Vec<State>) -> Result<Arc<Library>> {
    let mut key = format!("as of\n{}", library.config().key);
    for state in &states {
        if let Ok(commit) = &state.commit {
            key.push_str(&format!("\n{}\t{commit}", state.config.name));
        }
    }
    let mut pasts = library.pasts().0.lock().await;
    if let Some(index) = pasts.iter().position(|(known, _)| *known == key)
        && let Some(found) = pasts.remove(index)
    {
        let past = Arc::clone(&found.1);
        pasts.push_back(found);
        return Ok(past);
    }
    let (state_folder, opened, name) = (library.state().clone(), Arc::clone(library), key.clone());
    let config = tokio::task::spawn_blocking(move || unpack(&opened, &state_folder, &name, &states)).await;
    let config = config.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Reading the history broke off: {error}.")))??;
    let options = OpenOptions { clock: library.clock(), ..OpenOptions::new(config, library.state().clone()) };
    // Boxed, because opening a library may come to open a library.
    let past = Box::pin(Library::open(options)).await?;
    pasts.push_back((key, Arc::clone(&past)));
    if pasts.len() > OPEN {
        pasts.pop_front();
    }
    Ok(past)
}

/// Writes the files of all commits below the past library's own folder, and gives the configuration that opens them.
fn unpack(library: &Library, state_folder: &StateFolder, key: &str, states: &[State]) -> Result<Config> {
    let folder = state_folder.library(key)?;
    let tree = folder.join("tree");
    state::fill_folder(&tree, |tree| {
        for (number, past) in states.iter().enumerate() {
            let (Ok(commit), Some(history)) = (&past.commit, History::of(&past.root)?) else { continue };
            let into = tree.join(number.to_string());
            state::make_folder(&into)?;
            history.export(commit, &into, &is_read)?;
        }
        Ok(())
    })?;
    // Written at each opening, so that the least used are the oldest.
    state::replace(&folder.join(MARK), key.as_bytes())?;
    state::clear_away(&folder, MARK, KEPT);
    let collections = states.iter().enumerate().filter(|(_, state)| state.commit.is_ok());
    let collections =
        collections.map(|(number, state)| CollectionConfig { origin: Origin::Folder(tree.join(number.to_string())), ..state.config.clone() });
    Ok(Config { key: key.to_owned(), store: None, collections: collections.collect(), notices: Vec::new(), ..library.config().clone() })
}

fn is_read(path: &str) -> bool {
    let ending = path.rsplit('/').next().and_then(|name| name.rsplit_once('.')).map(|(_, ending)| ending.to_lowercase());
    ending.is_some_and(|ending| crate::sync::read_extensions().contains(&ending)) || path.ends_with("ignore")
}

#[cfg(test)]
mod tests {
    use super::day;

    #[test]
    fn a_date_means_its_last_day() {
        for (text, expected) in [("2024", "2024-12-31"), ("2024-02", "2024-02-29"), (" 2024-05-06 ", "2024-05-06")] {
            assert_eq!(day(text).unwrap().to_string(), expected);
        }
        for text in ["", "soon", "2022-27-09", "20240101x", "99999"] {
            assert!(day(text).unwrap_err().message.contains("is no date"), "{text}");
        }
    }
}
