//! Configuration: what a library opens and what may be done with it, from flags, environment, project file, user file and defaults.

mod keys;
mod layers;
mod read;

pub use keys::{KEYS, Key, Trust};
pub use layers::{Sources, load};

use std::path::PathBuf;

use document::Kind;

use crate::decisions::Statuses;

/// What one configuration opens, all layers applied and checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// What the library is called.
    pub name: String,
    /// What tells this library from others of the same user: the configuration file, or the served paths.
    pub key: String,
    /// `None`: a SQLite file in the state folder. Else a `postgres://` address.
    pub store: Option<String>,
    /// The collections, in the order of the configuration.
    pub collections: Vec<CollectionConfig>,
    /// Status words of decision records.
    pub statuses: Statuses,
    /// Tools that a layer turned on or off, by name.
    pub tools: Vec<(String, bool)>,
    /// How HTTP is served.
    pub server: ServerConfig,
    /// What was set aside and why: keys of a project file that only the user's own file may set.
    pub notices: Vec<String>,
    /// Configuration files that were read, project first.
    pub files: Vec<PathBuf>,
}

/// One collection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectionConfig {
    /// Its name, unique in the library.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// Its folder, absolute.
    pub path: PathBuf,
    /// What is invisible, in the syntax of `.gitignore`.
    pub exclude: Vec<String>,
}

/// How HTTP is served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerConfig {
    /// Address and port.
    pub bind: String,
    /// Hosts beyond loopback that a request may name.
    pub allowed_hosts: Vec<String>,
    /// Origins beyond loopback that a request may come from.
    pub allowed_origins: Vec<String>,
    /// Base of links for people, such as `https://ibid.example.org`; `None`: the address that is served.
    pub public_url: Option<String>,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self { bind: "127.0.0.1:4242".to_owned(), allowed_hosts: Vec::new(), allowed_origins: Vec::new(), public_url: None }
    }
}

#[cfg(test)]
mod tests;
