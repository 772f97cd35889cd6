//! What other branches have below the folder: so that a new record gets a number that nobody has taken yet.

use std::collections::HashMap;

use super::error::GitError;
use super::history::{History, MAX_LIST_BYTES};
use super::objects;

/// Older branches than this many are not looked at.
const MAX_BRANCHES: usize = 200;

/// So many paths of all branches together are enough.
const MAX_PATHS: usize = 1_000_000;

impl History {
    /// The branches, local and remote-tracking, that were committed to last (at most two hundred), each with the paths of its ordinary files
    /// below the folder. A remote-tracking one is named with its remote: `origin/main`. Bounded by a million paths.
    ///
    /// # Errors
    /// As [`History::head`].
    pub fn branch_files(&self) -> Result<Vec<(String, Vec<String>)>, GitError> {
        let run = self.run().arguments(["for-each-ref", "--sort=-committerdate", "--format=%(refname)%00%(objectname)%00%(symref)"]);
        let output = run.argument(format!("--count={MAX_BRANCHES}")).arguments(["refs/heads", "refs/remotes"]).output()?;
        let text = String::from_utf8_lossy(&output);
        let branches = text.lines().filter_map(|line| {
            let mut fields = line.split('\0');
            let (name, commit, target) = (fields.next()?, fields.next()?, fields.next()?);
            // `origin/HEAD` is another name of a branch that is listed.
            target.is_empty().then_some((short(name)?, commit.to_owned()))
        });
        let branches: Vec<(String, String)> = branches.collect();
        let trees = self.trees(&branches)?;
        let mut known: HashMap<String, Vec<String>> = HashMap::new();
        let mut total = 0_usize;
        let mut listed = Vec::new();
        for ((name, _), tree) in branches.into_iter().zip(trees) {
            let paths = match tree {
                None => Vec::new(),
                Some(tree) => match known.get(&tree) {
                    Some(paths) => paths.clone(),
                    None => known.entry(tree.clone()).or_insert(self.paths_of(&tree)?).clone(),
                },
            };
            total = total.saturating_add(paths.len());
            if total > MAX_PATHS {
                break;
            }
            listed.push((name, paths));
        }
        Ok(listed)
    }

    /// For each branch the name of the folder's tree, by which branches that do not differ there are read once; `None` where it has none.
    fn trees(&self, branches: &[(String, String)]) -> Result<Vec<Option<String>>, GitError> {
        let folder = self.prefix().strip_suffix(b"/").unwrap_or_default();
        if folder.contains(&b'\n') {
            // Questions are lines, so this folder cannot be asked for; nobody numbers records in it.
            return Ok(vec![None; branches.len()]);
        }
        if branches.is_empty() {
            return Ok(Vec::new());
        }
        let mut questions = Vec::new();
        for (_, commit) in branches {
            questions.extend_from_slice(commit.as_bytes());
            questions.push(b':');
            questions.extend_from_slice(folder);
            questions.push(b'\n');
        }
        let run = self.run().arguments(["cat-file", "--batch-check=%(objecttype) %(objectname)"]).input(questions);
        let output = run.limit_bytes(MAX_LIST_BYTES).output()?;
        let lines = output.split(|byte| *byte == b'\n').map(|line| String::from_utf8_lossy(line));
        let trees = lines.map(|line| line.strip_prefix("tree ").map(str::to_owned));
        Ok(trees.chain(std::iter::repeat(None)).take(branches.len()).collect())
    }

    fn paths_of(&self, tree: &str) -> Result<Vec<String>, GitError> {
        let output = self.run().arguments(["ls-tree", "-rz", "--full-tree", tree]).limit_bytes(MAX_LIST_BYTES).output()?;
        Ok(objects::entries(&output).filter(|entry| entry.is_file).map(|entry| entry.shown_path()).collect())
    }
}

/// The name of a branch as people write it.
fn short(name: &str) -> Option<String> {
    name.strip_prefix("refs/heads/").or_else(|| name.strip_prefix("refs/remotes/")).map(str::to_owned)
}
