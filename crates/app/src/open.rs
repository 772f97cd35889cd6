//! Opening the library that a command names: the process's environment becomes values here and nowhere else.

use std::path::PathBuf;
use std::sync::Arc;

use engine::config::{Config, Origin, Secret, Sources, load};
use engine::{Library, OpenOptions, StateFolder};

use crate::arguments::Arguments;

/// The home folder, for client configurations and the defaults below.
pub fn home() -> PathBuf {
    std::env::var_os("HOME").map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// Folder of the user's own `ibid.toml`.
pub fn user_folder() -> PathBuf {
    let named = std::env::var_os("IBID_CONFIG_DIR").map(PathBuf::from);
    named
        .or_else(|| std::env::var_os("XDG_CONFIG_HOME").map(|folder| PathBuf::from(folder).join("ibid")))
        .unwrap_or_else(|| home().join(".config/ibid"))
}

/// Folder of ibid's own files.
pub fn state_root() -> PathBuf {
    let named = std::env::var_os("IBID_STATE_DIR").map(PathBuf::from);
    named
        .or_else(|| std::env::var_os("XDG_STATE_HOME").map(|folder| PathBuf::from(folder).join("ibid")))
        .unwrap_or_else(|| home().join(".local/state/ibid"))
}

/// Where the configuration comes from, for `paths` beyond those of `--library`.
pub fn sources(arguments: &Arguments, paths: &[PathBuf], bind: Option<&str>) -> anyhow::Result<Sources> {
    let environment = std::env::vars().filter_map(|(name, value)| name.strip_prefix("IBID_").map(|name| (name.to_lowercase(), value)));
    Ok(Sources {
        paths: paths.iter().chain(&arguments.library).cloned().collect(),
        sites: Vec::new(),
        start: std::env::current_dir()?,
        user_folder: Some(user_folder()),
        environment: environment.collect(),
        bind: bind.map(str::to_owned),
    })
}

/// The configuration of the library that a command names.
pub fn config(arguments: &Arguments, paths: &[PathBuf], bind: Option<&str>) -> anyhow::Result<Config> {
    config_of(load(&sources(arguments, paths, bind)?)?)
}

/// The same for the site that `--url` names, beside the paths.
pub fn config_with_sites(arguments: &Arguments, paths: &[PathBuf], sites: &[String]) -> anyhow::Result<Config> {
    config_of(load(&Sources { sites: sites.to_vec(), ..sources(arguments, paths, None)? })?)
}

fn config_of(mut config: Config) -> anyhow::Result<Config> {
    for collection in &mut config.collections {
        if let Origin::Site(site) = &mut collection.origin
            && let Some(name) = &site.token_variable
        {
            site.token = std::env::var(name).ok().filter(|token| !token.is_empty()).map(Secret::new);
        }
    }
    let names: Vec<&str> = ::mcp::tools::names();
    engine::policy::check_names(&config, &names)?;
    for notice in &config.notices {
        eprintln!("ibid: {notice}");
    }
    Ok(config)
}

/// The library that a command names, open.
pub async fn library(arguments: &Arguments, paths: &[PathBuf], bind: Option<&str>) -> anyhow::Result<Arc<Library>> {
    library_of(config(arguments, paths, bind)?).await
}

/// The library of a configuration, open.
pub async fn library_of(config: Config) -> anyhow::Result<Arc<Library>> {
    let state = StateFolder::at(&state_root())?;
    Ok(Library::open(OpenOptions::new(config, state)).await?)
}
