//! Layers of configuration: flags > environment > project file > user file > defaults, with the trust rules of DESIGN §11.

use std::path::{Path, PathBuf};

use super::collections::{Standing, absolute, configured, folder_collection, push_collection, push_configured, site_collection};
use super::read::{FileConfig, read};
use super::{CollectionConfig, Config, Consent, ServerConfig};
use crate::decisions::{Status, Statuses};
use crate::{Error, Result};

/// Where a configuration comes from. Everything of the outside is here, so that tests need no process environment.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// Paths named on the command line: folders, a folder with an `ibid.toml`, or the address of a published site.
    pub paths: Vec<PathBuf>,
    /// `--url`: addresses of published sites.
    pub sites: Vec<String>,
    /// Where to look for `ibid.toml`, upwards, when no path is named.
    pub start: PathBuf,
    /// The user's configuration folder, such as `~/.config/ibid`.
    pub user_folder: Option<PathBuf>,
    /// Values of `IBID_STORE`, `IBID_BIND` and the like, prefix removed, lower case.
    pub environment: Vec<(String, String)>,
    /// `--bind`.
    pub bind: Option<String>,
}

impl Sources {
    /// Whether the command line says what to open, so that no configuration is looked for.
    fn names_something(&self) -> bool {
        !self.paths.is_empty() || !self.sites.is_empty()
    }
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
    // An address among the paths is a site.
    let is_address = |path: &Path| path.to_str().filter(|text| text.starts_with("http://") || text.starts_with("https://")).map(str::to_owned);
    let addresses = sources.sites.iter().cloned().chain(sources.paths.iter().filter_map(|path| is_address(path)));
    let is_user_project = project.as_ref().map(|file| &file.path) == user.as_ref().map(|file| &file.path);
    let mut notices = Vec::new();
    let mut collections: Vec<CollectionConfig> = Vec::new();
    for path in sources.paths.iter().filter(|path| !path.join("ibid.toml").is_file() && is_address(path).is_none()) {
        push_collection(&mut collections, folder_collection(path)?)?;
    }
    for address in addresses {
        push_collection(&mut collections, site_collection(&address)?)?;
    }
    if let Some(file) = &project {
        let standing = standing(file, user.as_ref(), is_user_project);
        for entry in &file.collections {
            if let Some(collection) = configured(file, entry, standing, &mut notices)? {
                push_configured(&mut collections, collection, file)?;
            }
        }
    }
    if let Some(file) = user.as_ref().filter(|_| !sources.names_something() && !is_user_project) {
        for entry in &file.collections {
            if let Some(collection) = configured(file, entry, Standing::Own, &mut notices)? {
                push_configured(&mut collections, collection, file)?;
            }
        }
    }
    if collections.is_empty() && project.is_none() && !sources.names_something() && user.as_ref().is_none_or(|file| file.collections.is_empty()) {
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
        fields: Vec::new(),
        tools: Vec::new(),
        consent: Vec::new(),
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

/// How far a project's file is believed.
fn standing(file: &FileConfig, user: Option<&FileConfig>, is_user_project: bool) -> Standing {
    let base = file.path.parent().map(absolute).unwrap_or_default();
    let trusted = user.map(|user| user.trusted_folders.as_slice()).unwrap_or_default();
    match trusted.iter().any(|folder| Path::new(folder).is_absolute() && base.starts_with(absolute(Path::new(folder)))) {
        _ if is_user_project => Standing::Own,
        true => Standing::Trusted,
        false => Standing::Cloned,
    }
}

/// The project's `ibid.toml`: of a named folder, else the nearest one upwards from where the command runs.
fn project_file(sources: &Sources) -> Option<PathBuf> {
    if !sources.names_something() {
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
    if sources.names_something() || project.is_none() {
        for collection in collections {
            key.push('\n');
            key.push_str(&collection.origin.key());
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
    for field in &file.fields {
        config.fields.retain(|known| !known.is_named(&field.name));
        config.fields.push(field.clone());
    }
    for (tool, said) in &file.consent {
        if is_user || *said == Consent::Never {
            config.consent.retain(|(name, _)| name != tool);
            config.consent.push((tool.clone(), *said));
        } else {
            refuse(&format!("consent.{tool}"));
        }
    }
    if !is_user && !file.trusted_folders.is_empty() {
        refuse("trusted_folders");
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
            "state_dir" | "config_dir" | "log" | "token" | "site_token" => {}
            other => {
                let known = ["store", "bind", "public_url", "state_dir", "config_dir", "log", "token", "site_token"];
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
