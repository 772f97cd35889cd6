//! Layers of configuration: flags > environment > project file > user file > defaults, with the trust rules of DESIGN §11.

use std::path::{Path, PathBuf};

use document::Kind;

use super::read::{FileCollection, FileConfig, read};
use super::{CollectionConfig, Config, ServerConfig};
use crate::decisions::{Status, Statuses};
use crate::{Error, Result};

/// Where a configuration comes from. Everything of the outside is here, so that tests need no process environment.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Paths named on the command line: folders, or a folder with an `ibid.toml`.
    pub paths: Vec<PathBuf>,
    /// Where to look for `ibid.toml`, upwards, when no path is named.
    pub start: PathBuf,
    /// The user's configuration folder, such as `~/.config/ibid`.
    pub user_folder: Option<PathBuf>,
    /// Values of `IBID_STORE`, `IBID_BIND` and the like, prefix removed, lower case.
    pub environment: Vec<(String, String)>,
    /// `--bind`.
    pub bind: Option<String>,
}

/// Reads and joins all layers.
///
/// # Errors
/// A file cannot be read or understood, a folder is missing, two collections have one name, a value is out of range.
pub fn load(sources: &Sources) -> Result<Config> {
    let user = match &sources.user_folder {
        Some(folder) => read_if_there(&folder.join("ibid.toml"))?,
        None => None,
    };
    let project_file = project_file(sources);
    let project = match &project_file {
        Some(path) => read_if_there(path)?,
        None => None,
    };
    let is_user_project = project.as_ref().map(|file| &file.path) == user.as_ref().map(|file| &file.path);
    let mut notices = Vec::new();
    let mut collections: Vec<CollectionConfig> = Vec::new();
    for path in sources.paths.iter().filter(|path| !path.join("ibid.toml").is_file()) {
        push_collection(&mut collections, folder_collection(path)?)?;
    }
    if let Some(file) = &project {
        for entry in &file.collections {
            if let Some(collection) = configured(file, entry, !is_user_project, &mut notices)? {
                push_configured(&mut collections, collection, file)?;
            }
        }
    }
    if let Some(file) = user.as_ref().filter(|_| sources.paths.is_empty() && !is_user_project) {
        for entry in &file.collections {
            if let Some(collection) = configured(file, entry, false, &mut notices)? {
                push_configured(&mut collections, collection, file)?;
            }
        }
    }
    if collections.is_empty() && project.is_none() && sources.paths.is_empty() && user.as_ref().is_none_or(|file| file.collections.is_empty()) {
        push_collection(&mut collections, folder_collection(&sources.start)?)?;
    }
    let files: Vec<PathBuf> = project.iter().chain(user.iter().filter(|_| !is_user_project)).map(|file| file.path.clone()).collect();
    let key = library_key(sources, project.as_ref(), &collections);
    let mut config = Config {
        name: String::new(),
        key,
        store: None,
        collections,
        statuses: Statuses::default(),
        tools: Vec::new(),
        server: ServerConfig::default(),
        notices,
        files,
    };
    if let Some(file) = &user {
        lay(&mut config, file, true);
    }
    if let Some(file) = project.as_ref().filter(|_| !is_user_project) {
        lay(&mut config, file, false);
    }
    lay_environment(&mut config, sources)?;
    if config.name.is_empty() {
        config.name = config
            .collections
            .first()
            .filter(|_| config.collections.len() == 1)
            .map_or_else(|| "library".to_owned(), |collection| collection.name.clone());
    }
    Ok(config)
}

/// The project's `ibid.toml`: of a named folder, else the nearest one upwards from where the command runs.
fn project_file(sources: &Sources) -> Option<PathBuf> {
    if sources.paths.is_empty() {
        return sources.start.ancestors().map(|folder| folder.join("ibid.toml")).find(|path| path.is_file());
    }
    sources.paths.iter().map(|path| path.join("ibid.toml")).find(|path| path.is_file())
}

fn read_if_there(path: &Path) -> Result<Option<FileConfig>> {
    match std::fs::read_to_string(path) {
        Ok(text) => read(path, &text).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::bad_config(format!("The configuration {} cannot be read: {error}.", path.display()))),
    }
}

fn library_key(sources: &Sources, project: Option<&FileConfig>, collections: &[CollectionConfig]) -> String {
    let mut key = project.map_or_else(String::new, |file| absolute(&file.path).display().to_string());
    if !sources.paths.is_empty() || project.is_none() {
        for collection in collections {
            key.push('\n');
            key.push_str(&collection.path.display().to_string());
        }
    }
    key
}

/// Applies what a file says beyond collections. A project's file has its say only where it cannot widen anything.
fn lay(config: &mut Config, file: &FileConfig, is_user: bool) {
    let mut refuse =
        |key: &str| config.notices.push(format!("{}: \"{key}\" counts only in your own configuration and was set aside.", file.path.display()));
    if let Some(name) = &file.name {
        config.name.clone_from(name);
    }
    if !file.statuses.is_empty() {
        config.statuses = Statuses::new(
            file.statuses.iter().map(|status| Status { name: status.name.clone(), is_current: status.is_current, is_open: status.is_open }).collect(),
        );
    }
    match &file.store {
        Some(store) if is_user => config.store = Some(store.clone()),
        Some(_) => refuse("store"),
        None => {}
    }
    for (tool, is_on) in &file.tools {
        if is_user || !is_on {
            config.tools.retain(|(name, _)| name != tool);
            config.tools.push((tool.clone(), *is_on));
        } else {
            refuse(&format!("tools.{tool} = true"));
        }
    }
    if is_user {
        let server = &mut config.server;
        server.bind = file.bind.clone().unwrap_or_else(|| server.bind.clone());
        server.allowed_hosts.extend(file.allowed_hosts.iter().cloned());
        server.allowed_origins.extend(file.allowed_origins.iter().cloned());
        server.public_url = file.public_url.clone().or_else(|| server.public_url.clone());
    } else {
        let said = [
            ("server.bind", file.bind.is_some()),
            ("server.allowed_hosts", !file.allowed_hosts.is_empty()),
            ("server.allowed_origins", !file.allowed_origins.is_empty()),
            ("server.public_url", file.public_url.is_some()),
        ];
        for (key, _) in said.into_iter().filter(|(_, is_said)| *is_said) {
            refuse(key);
        }
    }
}

fn lay_environment(config: &mut Config, sources: &Sources) -> Result<()> {
    for (name, value) in &sources.environment {
        match name.as_str() {
            "store" => config.store = Some(value.clone()),
            "bind" => config.server.bind.clone_from(value),
            "public_url" => config.server.public_url = Some(value.clone()),
            // Read elsewhere: where state and the user's configuration lie, and how much is logged.
            "state_dir" | "config_dir" | "log" | "token" => {}
            other => {
                let known = ["store", "bind", "public_url", "state_dir", "config_dir", "log", "token"];
                let near = known.iter().max_by(|left, right| strsim::jaro(left, other).total_cmp(&strsim::jaro(right, other)));
                let error = Error::bad_config(format!("There is no environment variable IBID_{}.", other.to_uppercase()));
                return Err(near.map_or(error.clone(), |near| error.hint(format!("Did you mean IBID_{}?", near.to_uppercase()))));
            }
        }
    }
    if let Some(bind) = &sources.bind {
        config.server.bind.clone_from(bind);
    }
    if let Some(store) = &config.store
        && !["postgres://", "postgresql://", "sqlite:"].iter().any(|scheme| store.starts_with(scheme))
    {
        let scheme: String = store.chars().take_while(|character| *character != ':').take(20).collect();
        return Err(Error::bad_config(format!("The store \"{scheme}:…\" is of no known sort."))
            .hint("Write store = \"postgres://user@host/database\", or leave it out for SQLite."));
    }
    Ok(())
}

/// A folder named on the command line: its kind is what its files say.
fn folder_collection(path: &Path) -> Result<CollectionConfig> {
    let path = existing_folder(path)?;
    let name = path.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned());
    Ok(CollectionConfig { name, kind: Kind::Decisions, path, exclude: Vec::new() })
}

fn existing_folder(path: &Path) -> Result<PathBuf> {
    let path = absolute(path);
    if path.is_dir() {
        return Ok(path);
    }
    let reason = if path.exists() { "is no folder" } else { "does not exist" };
    Err(Error::bad_config(format!("The folder {} {reason}.", path.display())).hint("Name an existing folder with decision records."))
}

fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_path_buf())
}

fn configured(file: &FileConfig, entry: &FileCollection, is_confined: bool, notices: &mut Vec<String>) -> Result<Option<CollectionConfig>> {
    let base = file.path.parent().map_or_else(PathBuf::new, absolute);
    let wanted = base.join(&entry.path);
    if !wanted.is_dir() {
        let reason = if wanted.exists() { "is no folder" } else { "does not exist" };
        return Err(Error::bad_config(format!("{}: the collection folder {} {reason}.", file.path.display(), wanted.display()))
            .hint("Mend collections.path or make the folder."));
    }
    let path = absolute(&wanted);
    if is_confined && !path.starts_with(&base) {
        notices.push(format!(
            "{}: the collection folder \"{}\" lies outside of the project and was set aside; name it in your own configuration.",
            file.path.display(),
            entry.path
        ));
        return Ok(None);
    }
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
    let name = entry.name.clone().unwrap_or_else(|| path.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned()));
    if name.is_empty() || name.contains('/') {
        return Err(Error::bad_config(format!("{}: \"{name}\" cannot name a collection.", file.path.display())).hint("Use a name without a slash."));
    }
    Ok(Some(CollectionConfig { name, kind, path, exclude: entry.exclude.clone() }))
}

fn push_configured(collections: &mut Vec<CollectionConfig>, collection: CollectionConfig, file: &FileConfig) -> Result<()> {
    if collections.iter().any(|other| other.name == collection.name) {
        return Err(Error::bad_config(format!("{}: two collections are named \"{}\".", file.path.display(), collection.name))
            .hint("Give one of them another name."));
    }
    collections.push(collection);
    Ok(())
}

/// Folders of the command line get their parent's name in front where two have one name; the same folder twice is one collection.
fn push_collection(collections: &mut Vec<CollectionConfig>, mut collection: CollectionConfig) -> Result<()> {
    if collections.iter().any(|other| other.path == collection.path) {
        return Ok(());
    }
    for ancestor in collection.path.clone().ancestors().skip(1) {
        if !collections.iter().any(|other| other.name == collection.name) {
            break;
        }
        let Some(name) = ancestor.file_name() else { break };
        collection.name = format!("{}-{}", name.to_string_lossy(), collection.name);
    }
    if collections.iter().any(|other| other.name == collection.name) {
        return Err(
            Error::bad_config(format!("Two folders would both be the collection \"{}\".", collection.name)).hint("Name them in an ibid.toml.")
        );
    }
    collections.push(collection);
    Ok(())
}
