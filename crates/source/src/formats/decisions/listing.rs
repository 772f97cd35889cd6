//! Which files of a collection are records, and what their paths name them. Pure: works on paths alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Identity, RecordFiles, name, words};

/// A path that may be a record's, cut into what the rules look at.
struct Candidate<'a> {
    path: &'a str,
    folders: Vec<&'a str>,
    stem: &'a str,
    /// Index of the last folder that is known for records.
    container: Option<usize>,
    /// The record is its folder: `0001-x/README.md`.
    is_folder: bool,
}

/// Which of `paths` are records. See [`super::record_files`].
pub(super) fn record_files(collection: &str, paths: &[&str]) -> Vec<RecordFiles> {
    let all: HashSet<&str> = paths.iter().copied().collect();
    let candidates: Vec<Candidate<'_>> = paths.iter().filter_map(|path| candidate(path, &all)).collect();
    let has_container = candidates.iter().any(|candidate| candidate.container.is_some());
    let has_sure_container = candidates.iter().any(|candidate| sure_container(&candidate.folders).is_some());
    let chosen: Vec<Candidate<'_>> = candidates
        .into_iter()
        .filter(|candidate| candidate.container.is_some() || !has_container || is_record_outside(candidate, has_sure_container))
        .collect();
    let mut records: Vec<RecordFiles> = chosen
        .iter()
        .map(|candidate| {
            let sidecar = candidate.is_folder.then(|| format!("{}/kep.yaml", candidate.folders.join("/")));
            RecordFiles {
                main: candidate.path.to_owned(),
                sidecars: sidecar.into_iter().filter(|path| all.contains(path.as_str())).collect(),
                identity: identity(collection, candidate),
            }
        })
        .collect();
    records.sort_by(|left, right| left.main.cmp(&right.main));
    separate_equal_ids(&mut records);
    records
}

/// A file beside the folders known for records is one only where its name says so.
fn is_record_outside(candidate: &Candidate<'_>, has_sure_container: bool) -> bool {
    let own = own_name(candidate);
    let read = name::read(own);
    if has_sure_container { read.type_word.is_some() && read.number.is_some() } else { read.number.is_some() && name::is_record_like(own) }
}

fn candidate<'a>(path: &'a str, all: &HashSet<&str>) -> Option<Candidate<'a>> {
    let mut folders: Vec<&str> = path.split('/').collect();
    let file = folders.pop()?;
    let (stem, extension) = file.rsplit_once('.')?;
    let extension = extension.to_ascii_lowercase();
    let is_text = matches!(extension.as_str(), "md" | "markdown" | "mdx" | "rst" | "rest" | "adoc" | "asciidoc" | "asc");
    let is_old_text = extension == "txt" && name::read(stem).number.is_some_and(|_| name::read(stem).type_word.is_some());
    if !(is_text || is_old_text) || stem.is_empty() || folders.iter().any(|folder| words::is_side_folder(folder)) {
        return None;
    }
    let container = sure_container(&folders).or_else(|| folders.iter().rposition(|folder| words::weak_container(folder).is_some()));
    let is_cover = matches!(words::folded(stem).as_str(), "readme" | "index");
    let is_folder = is_cover
        && folders.last().is_some_and(|folder| {
            container != Some(folders.len() - 1) && (name::is_record_like(folder) || all.contains(format!("{}/kep.yaml", folders.join("/")).as_str()))
        });
    if !is_folder {
        let names_its_folder =
            folders.last().is_some_and(|folder| words::folded(folder) == words::folded(stem)) && container == Some(folders.len() - 1);
        if words::is_side_stem(stem) || words::is_template_name(stem) || names_its_folder {
            return None;
        }
    }
    Some(Candidate { path, folders, stem, container, is_folder })
}

fn sure_container(folders: &[&str]) -> Option<usize> {
    folders.iter().rposition(|folder| words::container(folder).is_some())
}

/// The name that identifies the record: its file's stem, or its folder's name.
fn own_name<'a>(candidate: &Candidate<'a>) -> &'a str {
    if candidate.is_folder { candidate.folders.last().copied().unwrap_or(candidate.stem) } else { candidate.stem }
}

fn identity(collection: &str, candidate: &Candidate<'_>) -> Identity {
    let own = own_name(candidate);
    let read = name::read(own);
    let below = candidate.container.map_or(0, |index| index + 1);
    let mut parts: Vec<&str> = candidate.folders[below..].to_vec();
    if !candidate.is_folder {
        parts.push(candidate.stem);
    }
    let folder = candidate.container.map(|index| candidate.folders[index]);
    let folder_type = folder.and_then(|name| words::container(name).or_else(|| words::weak_container(name))).flatten();
    let tree_project = candidate.container.filter(|_| folder_type.is_some() && folder.and_then(words::container).is_some()).and_then(|index| {
        let project = candidate.folders.get(index.checked_sub(1)?)?;
        (!words::is_generic_folder(project)).then_some(*project)
    });
    let (project, record_type) = match (tree_project, folder) {
        // `<project>/<type>/<slug>`: the id is the path, so the type stays as the folder writes it.
        (Some(project), Some(folder)) => (project.to_owned(), folder.trim_start_matches('_').to_lowercase()),
        _ => {
            let record_type = folder_type.or(read.type_word).unwrap_or("adr");
            if let Some(package) = package(&candidate.folders[..below]) {
                parts.insert(0, package);
            }
            (collection.to_owned(), record_type.to_owned())
        }
    };
    // Numbers of sub-pages in a record's folder are positions, not record numbers.
    let is_sub_page = !candidate.is_folder && candidate.folders[below..].last().is_some_and(|folder| name::is_record_like(folder));
    let number = if is_sub_page { None } else { read.number.map(str::to_owned) };
    Identity { project, record_type, slug: parts.join("/"), number }
}

/// `packages/<package>/docs/adr/x`: the package keeps records of several packages apart.
fn package<'a>(folders: &[&'a str]) -> Option<&'a str> {
    let at = folders.iter().position(|folder| matches!(folder.to_lowercase().as_str(), "packages" | "apps" | "libs" | "modules" | "services"))?;
    folders.get(at + 1).copied().filter(|name| !words::is_generic_folder(name))
}

/// Two files with one id: Markdown keeps it, others keep their extension in the slug; what is still equal takes its whole path.
fn separate_equal_ids(records: &mut [RecordFiles]) {
    let id = |record: &RecordFiles| {
        let identity = &record.identity;
        format!("{}/{}/{}", identity.project, identity.record_type, identity.slug).to_lowercase()
    };
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        groups.entry(id(record)).or_default().push(index);
    }
    for group in groups.into_values().filter(|group| group.len() > 1) {
        let keeper = group.iter().copied().find(|index| extension(&records[*index].main) == "md").unwrap_or(group[0]);
        for index in group.into_iter().filter(|index| *index != keeper) {
            let extension = extension(&records[index].main);
            let own_extension = extension != "md";
            if own_extension {
                records[index].identity.slug = format!("{}.{extension}", records[index].identity.slug);
            } else {
                let whole = records[index].main.rsplit_once('.').map_or(records[index].main.as_str(), |(stem, _)| stem);
                records[index].identity.slug = whole.to_owned();
            }
        }
    }
    let mut seen: HashSet<String> = HashSet::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for record in records.iter_mut() {
        while !seen.insert(id(record)) {
            // A whole path can be another one's slug too: that of `x.md` is what is left of `x.md.md`.
            let number = numbers.entry(record.main.to_lowercase()).or_default();
            *number += 1;
            record.identity.slug = if *number == 1 { record.main.clone() } else { format!("{}~{number}", record.main) };
        }
    }
}

fn extension(path: &str) -> String {
    path.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}
