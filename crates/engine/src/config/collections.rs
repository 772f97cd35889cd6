//! The collections of a configuration: what each entry or path means, and what of it counts.

use std::path::{Path, PathBuf};

use document::Kind;

use super::CollectionConfig;
use super::origin::{Origin, RepositoryConfig, RepositoryReference, SiteConfig};
use super::read::{FileCollection, FileConfig};
use crate::{Error, Result};

/// What seed 000 says to whoever names a site by something else than its address.
const NO_SITE: &str = "--url must be the address of a published site";

/// Minutes until a clone is fetched again where nothing else is said.
const REFRESH_MINUTES: u32 = 15;

/// A folder named on the command line: its kind is what its files say.
pub(super) fn folder_collection(path: &Path) -> Result<CollectionConfig> {
    let origin = Origin::Folder(existing_folder(path)?);
    Ok(CollectionConfig { name: origin.name(), kind: Kind::Decisions, origin, exclude: Vec::new(), template: None })
}

fn existing_folder(path: &Path) -> Result<PathBuf> {
    let path = absolute(path);
    if path.is_dir() {
        return Ok(path);
    }
    let reason = if path.exists() { "is no folder" } else { "does not exist" };
    Err(Error::bad_config(format!("The folder {} {reason}.", path.display())).hint("Name an existing folder with decision records."))
}

pub(super) fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

/// What may be believed of a file: one's own says all; a project's own names only what lies in the project, and no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The user's own file.
    Own,
    /// A project's file below a folder that the user trusts.
    Trusted,
    /// A project's file as a clone brings it.
    Cloned,
}

/// The collection that an entry means; `None`, with a notice, where the file may not name it.
pub(super) fn configured(
    file: &FileConfig,
    entry: &FileCollection,
    standing: Standing,
    notices: &mut Vec<String>,
) -> Result<Option<CollectionConfig>> {
    let Some(origin) = origin(file, entry, standing, notices)? else {
        return Ok(None);
    };
    let kind = match entry.kind.as_deref() {
        None | Some("decisions") => Kind::Decisions,
        Some(word) if Kind::parse(word).is_some() => {
            return Err(Error::bad_config(format!(
                "{}: collections of kind \"{word}\" are not served by this version of ibid.",
                file.path.display()
            ))
            .hint("Only kind = \"decisions\" is served yet."));
        }
        Some(word) => {
            return Err(Error::bad_config(format!("{}: there is no kind \"{word}\".", file.path.display()))
                .hint("The kinds are decisions, notes, messages, pages and skills."));
        }
    };
    let name = entry.name.clone().unwrap_or_else(|| origin.name());
    if name.is_empty() || name.contains('/') {
        return Err(Error::bad_config(format!("{}: \"{name}\" cannot name a collection.", file.path.display())).hint("Use a name without a slash."));
    }
    Ok(Some(CollectionConfig { name, kind, origin, exclude: entry.exclude.clone(), template: entry.template.clone() }))
}

fn origin(file: &FileConfig, entry: &FileCollection, standing: Standing, notices: &mut Vec<String>) -> Result<Option<Origin>> {
    let wrong = |what: &str| Error::bad_config(format!("{}: {what}.", file.path.display()));
    let origin = match (&entry.path, &entry.repository, &entry.source) {
        (Some(path), None, None) => return folder_origin(file, path, standing, notices),
        (None, Some(address), None) => Origin::Repository(repository(file, entry, address)?),
        (None, None, Some(address)) => Origin::Site(site(address, entry.token_variable.clone()).map_err(|_| {
            wrong(&format!("the source \"{address}\" is no address of a published site")).hint("Write source = \"https://decisions.example.org\"")
        })?),
        (None, None, None) => {
            return Err(wrong("a collection has no path, repository or source").hint("Each [[collections]] needs: path = \"folder\""));
        }
        _ => return Err(wrong("a collection has more than one of path, repository and source").hint("Make it two [[collections]].")),
    };
    if standing == Standing::Cloned {
        let base = file.path.parent().unwrap_or(&file.path);
        notices.push(format!(
            "{}: the collection from {} was set aside: a project's file may not reach out by itself. If the project is yours, write trusted_folders = [\"{}\"] in your own configuration.",
            file.path.display(),
            origin.shown(),
            base.display()
        ));
        return Ok(None);
    }
    Ok(Some(origin))
}

fn folder_origin(file: &FileConfig, said: &str, standing: Standing, notices: &mut Vec<String>) -> Result<Option<Origin>> {
    let base = file.path.parent().map_or_else(PathBuf::new, absolute);
    let wanted = base.join(said);
    if !wanted.is_dir() {
        let reason = if wanted.exists() { "is no folder" } else { "does not exist" };
        return Err(Error::bad_config(format!("{}: the collection folder {} {reason}.", file.path.display(), wanted.display()))
            .hint("Mend collections.path or make the folder."));
    }
    let path = absolute(&wanted);
    if standing != Standing::Own && !path.starts_with(&base) {
        notices.push(format!(
            "{}: the collection folder \"{said}\" lies outside of the project and was set aside; name it in your own configuration.",
            file.path.display(),
        ));
        return Ok(None);
    }
    Ok(Some(Origin::Folder(path)))
}

fn repository(file: &FileConfig, entry: &FileCollection, address: &str) -> Result<RepositoryConfig> {
    let wrong = |what: &str| Error::bad_config(format!("{}: {what}.", file.path.display()));
    let reference = match (&entry.branch, &entry.tag) {
        (None, None) => RepositoryReference::Default,
        (Some(branch), None) => RepositoryReference::Branch(branch.clone()),
        (None, Some(tag)) => RepositoryReference::Tag(tag.clone()),
        (Some(_), Some(_)) => return Err(wrong("a repository has both a branch and a tag").hint("Name one of them.")),
    };
    let folder = entry.folder.as_deref().unwrap_or_default().trim_matches('/');
    if folder.split('/').any(|part| part == "..") || folder.contains(['\\', '\0']) {
        return Err(
            wrong(&format!("the folder \"{folder}\" does not lie in the repository")).hint("Write it from the repository's root, with slashes.")
        );
    }
    Ok(RepositoryConfig {
        address: address.to_owned(),
        base: file.path.parent().map_or_else(PathBuf::new, absolute),
        reference,
        folder: folder.split('/').filter(|part| !part.is_empty() && *part != ".").collect::<Vec<_>>().join("/"),
        refresh_minutes: entry.refresh_minutes.unwrap_or(REFRESH_MINUTES),
    })
}

/// The published site of an address; seed 000 has the sentence for everything else.
pub(super) fn site(address: &str, token_variable: Option<String>) -> Result<SiteConfig> {
    let address = address.trim().trim_end_matches('/');
    let host = address.strip_prefix("http://").or_else(|| address.strip_prefix("https://"));
    if host.is_none_or(|host| host.is_empty() || host.starts_with('/') || host.contains(['@', '?', '#']) || host.contains(char::is_whitespace)) {
        return Err(
            Error::bad_config(NO_SITE).hint("It starts with http:// or https:// and has the site's base path, without user, query or fragment.")
        );
    }
    Ok(SiteConfig { address: address.to_owned(), token_variable, token: None })
}

/// The collection of a site that the command line names.
pub(super) fn site_collection(address: &str) -> Result<CollectionConfig> {
    let origin = Origin::Site(site(address, Some("IBID_SITE_TOKEN".to_owned()))?);
    Ok(CollectionConfig { name: origin.name(), kind: Kind::Decisions, origin, exclude: Vec::new(), template: None })
}

pub(super) fn push_configured(collections: &mut Vec<CollectionConfig>, collection: CollectionConfig, file: &FileConfig) -> Result<()> {
    if collections.iter().any(|other| other.name == collection.name) {
        return Err(Error::bad_config(format!("{}: two collections are named \"{}\".", file.path.display(), collection.name))
            .hint("Give one of them another name."));
    }
    collections.push(collection);
    Ok(())
}

/// Folders of the command line get their parent's name in front where two have one name; the same folder twice is one collection.
pub(super) fn push_collection(collections: &mut Vec<CollectionConfig>, mut collection: CollectionConfig) -> Result<()> {
    if collections.iter().any(|other| other.origin == collection.origin) {
        return Ok(());
    }
    let folder = collection.origin.folder().map(Path::to_path_buf).unwrap_or_default();
    for ancestor in folder.ancestors().skip(1) {
        if !collections.iter().any(|other| other.name == collection.name) {
            break;
        }
        let Some(name) = ancestor.file_name() else { break };
        collection.name = format!("{}-{}", name.to_string_lossy(), collection.name);
    }
    if collections.iter().any(|other| other.name == collection.name) {
        return Err(Error::bad_config(format!("Two collections would both be called \"{}\".", collection.name)).hint("Name them in an ibid.toml."));
    }
    collections.push(collection);
    Ok(())
}
