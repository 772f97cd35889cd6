//! Consistency: what records say of each other compared, when somebody asks. Nothing of it is stored: each finding is about more than one file.

mod branches;
mod cycles;
mod dates;
mod line;
mod numbers;
mod one_sided;
mod pointers;
mod standing;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use document::{Problem, Relation, RelationKind, Severity, last_name};
use store::fold;

use super::Statuses;
use super::catalogue::{Card, Catalogue, bare_number};
use super::metadata_rules::MetadataRules;
use super::relations::{Bond, Links, Network, StatedBy};
use super::targets::Resolution;
use crate::config::Origin;
use crate::{Desk, Error, ErrorKind, Library, Result, findings};

/// Records that are read from the store at a time.
pub(super) const STEP: i64 = 2_000;

/// Texts that are read from the store at a time.
const TEXTS: usize = 200;

/// Something wrong in a collection's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The collection.
    pub collection: String,
    /// What is wrong, and where.
    pub problem: Problem,
}

/// What the checks look at.
struct View<'a> {
    network: &'a Network,
    statuses: &'a Statuses,
    /// Files that relations lead to and that are there, though they are no records.
    files: HashSet<(i64, String)>,
    /// Collections of which only the records are known.
    sites: HashSet<i64>,
    /// Records whose text mentions another one.
    mentions: &'a HashSet<(usize, usize)>,
    /// All projects, folded.
    projects: HashSet<String>,
    /// What stands before the numbers of references, folded.
    heads: HashSet<String>,
}

impl<'a> View<'a> {
    fn of(library: &'a Library, network: &'a Network, records: &[usize], mentions: &'a HashSet<(usize, usize)>) -> Self {
        let cards = network.catalogue.cards();
        let is_site = |collection: &&crate::library::Collection| matches!(collection.config.origin, Origin::Site(_));
        let head = |card: &Card| Some(fold(card.reference.as_deref()?.rsplit_once('-')?.0));
        Self {
            network,
            statuses: &library.config().statuses,
            files: files_meant(library, network, records),
            sites: library.collections().iter().filter(is_site).map(|collection| collection.id).collect(),
            mentions,
            projects: cards.iter().map(|card| fold(&card.project)).collect(),
            heads: cards.iter().filter_map(head).collect(),
        }
    }

    fn card(&self, at: usize) -> &Card {
        self.network.catalogue.card(at)
    }
}

/// A record with everything around it.
struct Subject<'a> {
    at: usize,
    card: &'a Card,
    links: &'a Links,
    bonds: Vec<Bond>,
}

impl<'a> Subject<'a> {
    fn of(view: &'a View<'_>, at: usize) -> Option<Self> {
        Some(Self { at, card: view.card(at), links: view.network.links(at)?, bonds: view.network.bonds(at) })
    }

    /// Its own relations with where they lead.
    fn stated(&self) -> impl Iterator<Item = (&'a Relation, &'a Resolution)> {
        self.card.relations.iter().zip(&self.links.stated)
    }
}

/// A check of one record with what leads to it.
type OfOne = fn(&View<'_>, &Subject<'_>, &mut Vec<Problem>);

/// A check along chains through the whole library; each finding with its record.
type OfAll = fn(&View<'_>, &mut Vec<(usize, Problem)>);

const OF_ONE: [OfOne; 5] = [pointers::find, one_sided::find, standing::find, numbers::find, dates::find];

const OF_ALL: [OfAll; 2] = [cycles::find, branches::find];

/// Everything that is wrong: in the files of all collections, or of one, and between the records of the library. Sorted by collection, path, line, code
/// and message.
///
/// # Errors
/// No such collection, or a store that cannot be read.
pub async fn check(desk: &Desk, collection: Option<&str>) -> Result<Vec<Finding>> {
    let library = &desk.library;
    let id = collection.map(|name| library.collection_id(name)).transpose()?;
    let stored = library.store().problems(id).await?.into_iter().map(|row| (row.collection_id, row.problem));
    let between = between(desk).await?.into_iter().map(|(place, problem)| (place.collection_id, problem));
    let metadata = MetadataRules::of_all(desk).await?.into_iter().map(|(place, problem)| (place.collection_id, problem));
    let found = stored.chain(between.chain(metadata).filter(|(collection_id, _)| id.is_none_or(|id| id == *collection_id)));
    let mut findings: Vec<Finding> = found.map(|(id, problem)| Finding { collection: library.collection_name(id).to_owned(), problem }).collect();
    findings.sort_by(|left, right| order(left).cmp(&order(right)));
    Ok(findings)
}

/// Whose a finding is.
pub(super) struct Place {
    pub(super) document_id: i64,
    pub(super) collection_id: i64,
}

/// All records of the library with all their relations.
///
/// # Errors
/// A store that cannot be read.
pub(super) async fn network(desk: &Desk) -> Result<Network> {
    let library = &desk.library;
    let mut catalogue = Catalogue::of(library);
    let mut last = 0;
    loop {
        let rows = library.store().records_after(last, STEP).await?;
        let Some(newest) = rows.last() else { break };
        last = newest.document_id;
        for row in rows {
            catalogue.add(Card::of(row));
        }
    }
    blocking(library, move |_| Network::whole(catalogue)).await
}

/// What is wrong between the records of the whole library, in no order.
///
/// # Errors
/// A store that cannot be read.
pub(super) async fn between(desk: &Desk) -> Result<Vec<(Place, Problem)>> {
    let library = &desk.library;
    let network = network(desk).await?;
    let mentions = mentions(desk, &network).await?;
    blocking(library, move |library| {
        let all: Vec<usize> = (0..network.catalogue.cards().len()).collect();
        let view = View::of(library, &network, &all, &mentions);
        let mut problems: Vec<(usize, Problem)> = Vec::new();
        for at in all {
            problems.extend(of_one(&view, at).into_iter().map(|problem| (at, problem)));
        }
        for check in OF_ALL {
            check(&view, &mut problems);
        }
        let place = |at: usize| Place { document_id: view.card(at).document_id, collection_id: view.card(at).collection_id };
        problems.into_iter().map(|(at, problem)| (place(at), problem)).collect()
    })
    .await
}

fn order(finding: &Finding) -> (&str, &str, Option<u32>, &str, &str) {
    let Problem { path, line_number, code, message, .. } = &finding.problem;
    (&finding.collection, path, *line_number, code, message)
}

/// What is wrong between one record, which the network has looked at, and others. `text` is the record's own.
///
/// # Errors
/// Files that cannot be looked for.
pub(super) async fn of_record(desk: &Desk, network: Network, at: usize, text: &str) -> Result<Vec<Problem>> {
    let mentions: HashSet<(usize, usize)> = mentioned(&network, at, text).map(|other| (at, other)).collect();
    blocking(&desk.library, move |library| of_one(&View::of(library, &network, &[at], &mentions), at)).await
}

/// Which records mention those that they amend, or that amend them, by the other one's word only. Only their texts are read.
async fn mentions(desk: &Desk, network: &Network) -> Result<HashSet<(usize, usize)>> {
    let asked: HashMap<i64, usize> = (0..network.catalogue.cards().len())
        .filter(|at| claims(network, *at).next().is_some())
        .map(|at| (network.catalogue.card(at).document_id, at))
        .collect();
    let mut ids: Vec<i64> = asked.keys().copied().collect();
    ids.sort_unstable();
    let mut found = HashSet::new();
    for ids in ids.chunks(TEXTS) {
        for stored in desk.library.store().documents(ids).await? {
            if let Some(at) = asked.get(&stored.id) {
                found.extend(mentioned(network, *at, &stored.document.text).map(|other| (*at, other)));
            }
        }
    }
    Ok(found)
}

/// The records that only by their own word amend a record or are amended by it.
fn claims(network: &Network, at: usize) -> impl Iterator<Item = usize> {
    let is_claim = |bond: &Bond| bond.stated_by == StatedBy::Other && matches!(bond.kind, RelationKind::AmendedBy | RelationKind::Amends);
    network.bonds(at).into_iter().filter(is_claim).map(|bond| bond.other)
}

/// Which of these a text mentions: by file name, reference, or type and number.
fn mentioned(network: &Network, at: usize, text: &str) -> impl Iterator<Item = usize> {
    let mut claims = claims(network, at).peekable();
    let text = claims.peek().map(|_| fold(text)).unwrap_or_default();
    claims.filter(move |other| {
        let card = network.catalogue.card(*other);
        let mut names = vec![last_name(&card.path), card.id.clone()];
        if let Some(number) = &card.number {
            let bare = bare_number(number);
            names.extend([number.as_str(), bare].into_iter().flat_map(|number| ["-", " "].map(|gap| format!("{}{gap}{number}", card.record_type))));
        }
        names.iter().any(|name| holds_word(&text, &fold(name)))
    })
}

/// Whether a word stands in a text with no letter or digit around it.
fn holds_word(text: &str, word: &str) -> bool {
    let is_free = |next: Option<char>| next.is_none_or(|next| !next.is_alphanumeric());
    text.match_indices(word).any(|(at, _)| is_free(text[..at].chars().next_back()) && is_free(text[at + word.len()..].chars().next()))
}

fn of_one(view: &View<'_>, at: usize) -> Vec<Problem> {
    let mut problems = Vec::new();
    if let Some(subject) = Subject::of(view, at) {
        for check in OF_ONE {
            check(view, &subject, &mut problems);
        }
    }
    problems
}

/// The files that relations of these records lead to, that are no records, and that are there.
fn files_meant(library: &Library, network: &Network, records: &[usize]) -> HashSet<(i64, String)> {
    let targets = records.iter().filter_map(|at| network.links(*at)).flat_map(|links| &links.stated);
    let missing: HashSet<&(i64, String)> =
        targets.filter_map(|target| if let Resolution::Missing(file) = target { file.as_ref() } else { None }).collect();
    let is_there = |(id, path): &&(i64, String)| {
        let collection = library.collections().iter().find(|collection| collection.id == *id);
        collection.is_some_and(|collection| collection.folder.holds(path) || collection.folder.holds(&format!("{path}.md")))
    };
    missing.into_iter().filter(is_there).cloned().collect()
}

/// Runs what takes a while off the async threads.
async fn blocking<T: Send + 'static>(library: &Arc<Library>, work: impl FnOnce(&Library) -> T + Send + 'static) -> Result<T> {
    let library = Arc::clone(library);
    let task = tokio::task::spawn_blocking(move || work(&library));
    task.await.map_err(|error| Error::new(ErrorKind::Unreachable, format!("Comparing the records failed: {error}.")))
}

/// A finding of a kind that is listed, as bad as the list says.
fn problem(code: &str, path: &str, message: impl Into<String>) -> Problem {
    Problem::new(code, findings::kind_of(code).map_or(Severity::Error, |kind| kind.severity), path, message)
}

/// A piece of a file for a message: one line of no more than 120 characters.
fn shown(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(120) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
