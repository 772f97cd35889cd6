//! What a relation points at: one record of the library, several that fit, none, or something that no library has to know.

use document::{Scheme, Target, Uri, last_name};
use store::{RecordNames, fold};

use super::catalogue::{Card, Catalogue, bare_number, is_number};

/// Where a target leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Resolution {
    /// To one record: its place in the catalogue.
    Record(usize),
    /// To several that fit equally well.
    Several(Vec<usize>),
    /// To nothing. Where a file is meant: its collection and path.
    Missing(Option<(i64, String)>),
    /// Out of the library: the web, or a folder that is no collection.
    Elsewhere,
}

/// How far to look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    /// By exact names: paths, ids, references and numbers.
    Exact,
    /// By the ends of ids and paths too.
    Ends,
}

/// Endings that links leave out.
const ENDINGS: [&str; 6] = ["", ".md", "/README.md", "/index.md", ".rst", ".adoc"];

fn spellings(path: &str) -> impl Iterator<Item = String> {
    let path = path.trim_end_matches('/').to_owned();
    let is_whole = path.rsplit('/').next().is_some_and(|file| last_name(file) != file || last_name(&path) != file);
    ENDINGS.into_iter().take(if is_whole { 1 } else { ENDINGS.len() }).map(move |ending| format!("{path}{ending}"))
}

/// Adds the names by which [`resolve`] looks for a target.
pub(super) fn names(catalogue: &Catalogue, from: &Card, target: &Target, depth: Depth, names: &mut RecordNames) {
    if depth == Depth::Ends {
        if !matches!(target, Target::Number(_)) {
            let file = target.text().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            names.ends.extend([target.last_name(), file.to_owned()]);
        }
        return;
    }
    match target {
        Target::Path(path) => {
            if let Some((collection_id, inner)) = inside(catalogue, from, path) {
                names.paths.extend(spellings(&inner).map(|path| (collection_id, path)));
            }
            names.ids.push(id_of(path));
        }
        Target::Number(number) => names.numbers.push((from.collection_id, from.project.clone(), number.clone())),
        Target::Id(id) => {
            names.ids.push(id.clone());
            names.references.push(id.clone());
            if let Some((_, number)) = id.rsplit_once(['-', '_']).filter(|(_, number)| is_number(number)) {
                names.numbers.push((from.collection_id, from.project.clone(), number.to_owned()));
            }
            if let Some((project, _, number)) = short_id(id) {
                names.numbers.extend(catalogue.roots().keys().map(|collection_id| (*collection_id, project.to_owned(), number.to_owned())));
            }
        }
        Target::Web(address) => names.ids.extend(permalink(address)),
    }
}

/// What a target of `from` means, as far as the catalogue knows.
pub(super) fn resolve(catalogue: &Catalogue, from: &Card, target: &Target, depth: Depth) -> Resolution {
    match target {
        Target::Path(path) => by_path(catalogue, from, path, depth),
        Target::Number(number) => {
            let (own, others): (Vec<usize>, Vec<usize>) = catalogue
                .numbered(from.collection_id, &from.project, number)
                .iter()
                .partition(|at| catalogue.card(**at).record_type == from.record_type);
            one_of(catalogue, from, if own.is_empty() { others } else { own }).unwrap_or(Resolution::Missing(None))
        }
        Target::Id(id) => by_id(catalogue, from, id, depth),
        Target::Web(address) => by_address(catalogue, address, depth),
    }
}

/// The one of some records that is meant: the only one, else the only one on the same shelf, else the only one of the same project.
fn one_of(catalogue: &Catalogue, from: &Card, found: Vec<usize>) -> Option<Resolution> {
    let only = |is_near: &dyn Fn(&Card) -> bool| {
        let mut near = found.iter().filter(|at| is_near(catalogue.card(**at)));
        near.next().filter(|_| near.next().is_none()).copied()
    };
    match found.as_slice() {
        [] => None,
        [one] => Some(Resolution::Record(*one)),
        _ => {
            let near = only(&|card| card.shelf() == from.shelf())
                .or_else(|| only(&|card| (card.collection_id, &card.project) == (from.collection_id, &from.project)));
            Some(near.map_or(Resolution::Several(found), Resolution::Record))
        }
    }
}

/// A path without a file's ending, as an id from the library's root is written.
fn id_of(path: &str) -> String {
    let path = path.trim_end_matches('/');
    path.strip_suffix(".md").unwrap_or(path).to_owned()
}

/// The collection, and the path in it, that a path leads to; `None` where that is outside of all of them.
fn inside(catalogue: &Catalogue, from: &Card, path: &str) -> Option<(i64, String)> {
    if !path.starts_with("../") {
        return Some((from.collection_id, path.to_owned()));
    }
    let mut parts: Vec<&str> = catalogue.roots().get(&from.collection_id)?.parts.iter().map(String::as_str).collect();
    for part in path.split('/') {
        match part {
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    let holds = |root: &[String]| root.len() < parts.len() && root.iter().zip(&parts).all(|(left, right)| left == right);
    let (collection_id, root) = catalogue
        .roots()
        .iter()
        .filter(|(_, root)| !root.parts.is_empty() && holds(&root.parts))
        .max_by_key(|(id, root)| (root.parts.len(), std::cmp::Reverse(**id)))?;
    Some((*collection_id, parts[root.parts.len()..].join("/")))
}

fn by_path(catalogue: &Catalogue, from: &Card, path: &str, depth: Depth) -> Resolution {
    let inner = inside(catalogue, from, path);
    if let Some((collection_id, inner)) = &inner
        && let Some(at) = spellings(inner).find_map(|path| catalogue.at_path(*collection_id, &path))
    {
        return Resolution::Record(at);
    }
    if let Some(found) = one_of(catalogue, from, catalogue.with_id(&id_of(path)).to_vec()) {
        return found;
    }
    if depth == Depth::Ends {
        let tail: Vec<&str> = path.split('/').filter(|part| !matches!(*part, ".." | "")).collect();
        let found = by_tail(catalogue, &tail);
        let own: Vec<usize> = found.iter().copied().filter(|at| catalogue.card(*at).collection_id == from.collection_id).collect();
        if let Some(found) = one_of(catalogue, from, if own.is_empty() { found } else { own }) {
            return found;
        }
    }
    match inner {
        Some(inner) => Resolution::Missing(Some(inner)),
        None => Resolution::Elsewhere,
    }
}

/// The records whose whole path ends in these parts.
fn by_tail(catalogue: &Catalogue, tail: &[&str]) -> Vec<usize> {
    let (Some(file), joined) = (tail.last(), tail.join("/")) else { return Vec::new() };
    let name = last_name(&joined);
    let mut found: Vec<usize> = catalogue.with_end(&name).to_vec();
    if name != **file {
        found.extend(catalogue.with_end(file));
    }
    found.retain(|at| catalogue.lies_at(catalogue.card(*at), tail));
    found
}

fn by_id(catalogue: &Catalogue, from: &Card, id: &str, depth: Depth) -> Resolution {
    let of = |found: &[usize]| one_of(catalogue, from, found.to_vec());
    if let Some(found) = of(catalogue.with_id(id)).or_else(|| of(catalogue.with_reference(id))) {
        return found;
    }
    if let Some((prefix, number)) = id.rsplit_once(['-', '_']).filter(|(_, number)| is_number(number)) {
        let numbered = catalogue.numbered(from.collection_id, &from.project, number);
        let is_code = |card: &Card| is_called(card, prefix, number);
        let is_type = |card: &Card| fold(&card.record_type) == fold(prefix);
        let code: Vec<usize> = numbered.iter().copied().filter(|at| is_code(catalogue.card(*at))).collect();
        let typed: Vec<usize> = numbered.iter().copied().filter(|at| is_type(catalogue.card(*at))).collect();
        if let Some(found) = of(&code).or_else(|| of(&typed)) {
            return found;
        }
    }
    if let Some((project, record_type, number)) = short_id(id) {
        let mut collections: Vec<i64> = catalogue.roots().keys().copied().collect();
        collections.sort_unstable();
        let numbered = collections.iter().flat_map(|collection_id| catalogue.numbered(*collection_id, project, number));
        let found: Vec<usize> = numbered.copied().filter(|at| fold(&catalogue.card(*at).record_type) == fold(record_type)).collect();
        if let Some(found) = of(&found) {
            return found;
        }
    }
    if depth == Depth::Ends {
        let wanted = fold(id.trim_matches('/'));
        let is_end = |at: &usize| {
            let whole = fold(&catalogue.card(*at).id);
            whole.strip_suffix(&wanted).is_some_and(|head| head.is_empty() || head.ends_with('/'))
        };
        let found: Vec<usize> = catalogue.with_end(wanted.rsplit('/').next().unwrap_or_default()).iter().copied().filter(is_end).collect();
        if let Some(found) = of(&found) {
            return found;
        }
    }
    Resolution::Missing(None)
}

/// Whether a record's name begins with these letters and its number: `ARCH-014-use-x` is called `ARCH-014`.
fn is_called(card: &Card, prefix: &str, number: &str) -> bool {
    let name = fold(card.slug.rsplit('/').next().unwrap_or_default());
    let rest = name.strip_prefix(&fold(prefix)).and_then(|rest| rest.strip_prefix(['-', '_']));
    rest.is_some_and(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && bare_number(&rest[..digits]) == bare_number(number)
    })
}

/// `sre/adr/1`, in its three parts.
fn short_id(id: &str) -> Option<(&str, &str, &str)> {
    let (front, number) = id.rsplit_once('/').filter(|(_, number)| is_number(number))?;
    let (project, record_type) = front.split_once('/')?;
    Some((project, record_type, number))
}

/// The id behind the permalink of an ibid site.
fn permalink(address: &str) -> Option<String> {
    let path = address.split(['?', '#']).next()?;
    let at = path.find("/d/")?;
    Uri::from_permalink(&path[at..]).ok().filter(|uri| uri.scheme() == Scheme::Decision).map(|uri| uri.path().to_owned())
}

/// A web address means a record where it is the permalink of one, or a file in a repository of which exactly one collection has that file.
fn by_address(catalogue: &Catalogue, address: &str, depth: Depth) -> Resolution {
    if let Some([one]) = permalink(address).as_deref().map(|id| catalogue.with_id(id)) {
        return Resolution::Record(*one);
    }
    let file = (depth == Depth::Ends).then(|| file_in_repository(address)).flatten();
    if let Some(file) = file {
        let (owner, repository) = (fold(&file.owner), fold(&file.repository));
        let mut found = by_tail(catalogue, &file.path.split('/').filter(|part| !part.is_empty()).collect::<Vec<_>>());
        // Every second repository has a `docs/adr/0001-record-architecture-decisions.md`: the repository must be this one, by its name or by one
        // such as `owner-repository`.
        let is_named = |name: &str| name == repository || (name.starts_with(&owner) && name.ends_with(&repository));
        found.retain(|at| {
            let card = catalogue.card(*at);
            let root = catalogue.roots().get(&card.collection_id);
            is_named(&fold(&card.project)) || root.is_some_and(|root| root.names.iter().any(|name| is_named(name)))
        });
        if let [one] = found.as_slice() {
            return Resolution::Record(*one);
        }
    }
    Resolution::Elsewhere
}

/// A file in a repository on the web.
struct RepositoryFile {
    owner: String,
    repository: String,
    path: String,
}

/// The file that `https://host/owner/repository/blob/branch/path` names, with `tree`, `raw` or `src` for `blob`, and `-/` before it on some hosts.
fn file_in_repository(address: &str) -> Option<RepositoryFile> {
    let path = address.split_once("://")?.1.split(['?', '#']).next()?;
    let parts: Vec<&str> = path.split('/').filter(|part| *part != "-").collect();
    let view = parts.iter().position(|part| matches!(*part, "blob" | "tree" | "raw" | "src")).filter(|at| *at >= 3)?;
    // Gitea writes `src/branch/main/path`.
    let first = view + if matches!(parts.get(view + 1), Some(&"branch" | &"tag" | &"commit")) { 3 } else { 2 };
    let inner = parts.get(first..).filter(|inner| !inner.is_empty())?.join("/");
    let decoded = |at: usize| parts.get(at).map(|part| document::percent_decoded(part));
    Some(RepositoryFile { owner: decoded(view - 2)?, repository: decoded(view - 1)?, path: document::percent_decoded(&inner) })
}
