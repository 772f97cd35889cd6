//! Configuration: what a library opens and what may be done with it, from flags, environment, project file, user file and defaults.

mod collections;
mod keys;
mod layers;
mod origin;
mod read;

pub use keys::{KEYS, Key, Trust};
pub use layers::{Sources, load};
pub use origin::{Origin, RepositoryConfig, RepositoryReference, Secret, SiteConfig};

use std::path::PathBuf;

use document::Kind;
use source::formats::decisions::FieldDeclaration;

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
    /// Metadata fields that records of every project may have.
    pub fields: Vec<FieldDeclaration>,
    /// Tools that a layer turned on or off, by name.
    pub tools: Vec<(String, bool)>,
    /// Whether a person is asked before a tool writes, by the tool's name; where nothing is said, yes.
    pub consent: Vec<(String, Consent)>,
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
    /// Where it comes from.
    pub origin: Origin,
    /// What is invisible, in the syntax of `.gitignore`.
    pub exclude: Vec<String>,
    /// Template of new records, as a path below its folder; `None`: found among the records.
    pub template: Option<String>,
}

/// Whether a person is asked before a tool writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Consent {
    /// Each time.
    #[default]
    Ask,
    /// Never asked: it is granted.
    Always,
    /// Never asked: it is refused.
    Never,
}

impl Consent {
    /// The word of a configuration.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "ask" => Some(Self::Ask),
            "always" => Some(Self::Always),
            "never" => Some(Self::Never),
            _ => None,
        }
    }
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
