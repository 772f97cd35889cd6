//! Where a finding's file lies, as an editor opens it and as a code host finds it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use engine::Library;
use engine::decisions::Finding;

/// The folders that paths are told from.
pub struct Places {
    current: PathBuf,
    /// The work tree around the current folder; the current folder where there is none.
    work_tree: PathBuf,
    /// Folders of collections by name; those that are no folder of the user's have none.
    roots: HashMap<String, PathBuf>,
}

impl Places {
    pub fn of(library: &Library) -> anyhow::Result<Self> {
        let current = std::env::current_dir()?;
        let current = current.canonicalize().unwrap_or(current);
        // A work tree has a folder `.git`, a linked one a file of that name.
        let work_tree = current.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&current).to_path_buf();
        let folder = |collection: &engine::config::CollectionConfig| Some((collection.name.clone(), collection.origin.folder()?.to_path_buf()));
        Ok(Self { roots: library.config().collections.iter().filter_map(folder).collect(), current, work_tree })
    }

    fn absolute(&self, finding: &Finding) -> Option<PathBuf> {
        Some(finding.problem.path.split('/').fold(self.roots.get(&finding.collection)?.clone(), |path, part| path.join(part)))
    }

    /// The file from the current folder where it lies below it, else from the root; the collection and the path in it where there is no such file.
    pub fn shown(&self, finding: &Finding) -> String {
        match self.absolute(finding) {
            Some(path) => path.strip_prefix(&self.current).unwrap_or(&path).display().to_string(),
            None => format!("{}/{}", finding.collection, finding.problem.path),
        }
    }

    /// The file's address: relative to the work tree, or absolute.
    pub fn address(&self, finding: &Finding) -> Address {
        let Some(path) = self.absolute(finding) else {
            return Address::Absolute(format!("ibid:/{}", encoded(&format!("/{}/{}", finding.collection, finding.problem.path))));
        };
        match path.strip_prefix(&self.work_tree) {
            Ok(inner) => Address::InWorkTree(encoded(&slashed(inner))),
            Err(_) => Address::Absolute(format!("file://{}{}", if path.starts_with("/") { "" } else { "/" }, encoded(&slashed(&path)))),
        }
    }
}

/// Where a file is, percent-encoded.
pub enum Address {
    /// Below the work tree.
    InWorkTree(String),
    /// Anywhere else.
    Absolute(String),
}

fn slashed(path: &Path) -> String {
    path.display().to_string().replace(std::path::MAIN_SEPARATOR, "/")
}

/// Percent escapes as uris of ibid have them.
fn encoded(path: &str) -> String {
    let uri = document::Uri::new(document::Scheme::Decision, path).to_string();
    uri.split_once("://").map_or(uri.clone(), |(_, path)| path.to_owned())
}
