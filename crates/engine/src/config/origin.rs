//! Where a collection comes from: a folder, a git repository, or a published site.

use std::path::{Path, PathBuf};

/// Where a collection comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A folder of this machine, absolute.
    Folder(PathBuf),
    /// A git repository, of which ibid keeps a clone.
    Repository(RepositoryConfig),
    /// A published site, of which ibid keeps a mirror.
    Site(SiteConfig),
}

/// A git repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryConfig {
    /// As written: a path, `file://`, `https://`, `ssh://` or `git@host:path`.
    pub address: String,
    /// What relative paths are relative to.
    pub base: PathBuf,
    /// Which state of it.
    pub reference: RepositoryReference,
    /// Folder inside it with the records, `/` between its parts; empty for all of it.
    pub folder: String,
    /// Minutes until the clone is fetched again; 0: only when a person says so.
    pub refresh_minutes: u32,
}

/// Which state of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum RepositoryReference {
    /// The branch that the repository itself names.
    #[default]
    Default,
    /// A branch.
    Branch(String),
    /// A tag.
    Tag(String),
}

/// A published site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteConfig {
    /// Its address, base path included, without a slash at its end.
    pub address: String,
    /// Environment variable that holds its access token.
    pub token_variable: Option<String>,
    /// The token itself, once somebody has looked.
    pub token: Option<Secret>,
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps a text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The text, for the one that sends it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret")
    }
}

impl Origin {
    /// The folder, of a collection that is one.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Folder(path) => Some(path),
            Self::Repository(_) | Self::Site(_) => None,
        }
    }

    /// What people call the place: a path or an address, never a password.
    #[must_use]
    pub fn shown(&self) -> String {
        match self {
            Self::Folder(path) => path.display().to_string(),
            Self::Repository(repository) => {
                let mut text = without_password(&repository.address);
                match &repository.reference {
                    RepositoryReference::Default => {}
                    RepositoryReference::Branch(name) | RepositoryReference::Tag(name) => text = format!("{text} at {name}"),
                }
                if !repository.folder.is_empty() {
                    text = format!("{text}, folder {}", repository.folder);
                }
                text
            }
            Self::Site(site) => site.address.clone(),
        }
    }

    /// What tells this place from others, for the name of the library's own folder.
    pub(crate) fn key(&self) -> String {
        match self {
            Self::Folder(path) => path.display().to_string(),
            Self::Repository(repository) => format!("{}\t{:?}\t{}", repository.address, repository.reference, repository.folder),
            Self::Site(site) => site.address.clone(),
        }
    }

    /// The name of a collection that has none of its own.
    pub(super) fn name(&self) -> String {
        let last = |text: &str| text.rsplit(['/', ':']).find(|part| !part.is_empty()).map(str::to_owned);
        match self {
            Self::Folder(path) => path.file_name().map(|name| name.to_string_lossy().into_owned()),
            Self::Repository(repository) => last(&repository.address).map(|name| name.strip_suffix(".git").unwrap_or(&name).to_owned()),
            Self::Site(_) => Some("decisions".to_owned()),
        }
        .unwrap_or_else(|| "root".to_owned())
    }
}

/// `https://user:password@host` without what stands before the `@`.
fn without_password(address: &str) -> String {
    match address.split_once("://") {
        Some((scheme, rest)) => {
            let (host, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
            let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
            path.map_or_else(|| format!("{scheme}://{host}"), |path| format!("{scheme}://{host}/{path}"))
        }
        None => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Secret, without_password};

    #[test]
    fn what_is_secret_is_never_shown() {
        assert_eq!(without_password("https://me:secret@example.org/a.git"), "https://example.org/a.git");
        assert_eq!(without_password("git@example.org:a/b.git"), "git@example.org:a/b.git");
        assert!(!format!("{:?}", Secret::new("hidden")).contains("hidden"));
    }
}
