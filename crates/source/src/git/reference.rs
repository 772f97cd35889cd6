//! Which line of a repository is followed: its default branch, another branch, or a tag.

use super::error::GitError;
use super::reason;

/// What of a repository is wanted.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Reference {
    /// The branch that the repository itself has as its own.
    #[default]
    Default,
    /// A branch, by its name without `refs/heads/`.
    Branch(String),
    /// A tag, by its name without `refs/tags/`.
    Tag(String),
}

impl Reference {
    /// Checks the name by git's own rules (`git help check-ref-format`), with which it can be no option, pattern or path that climbs.
    ///
    /// # Errors
    /// [`GitError::BadReference`] with the rule that is broken.
    pub fn check(&self) -> Result<(), GitError> {
        let name = match self {
            Self::Default => return Ok(()),
            Self::Branch(name) | Self::Tag(name) => name,
        };
        match fault(name) {
            Some(reason) => Err(GitError::BadReference { name: reason::clean(name), reason }),
            None => Ok(()),
        }
    }

    /// The whole name on the other side.
    pub(super) fn whole_name(&self) -> String {
        match self {
            Self::Default => "HEAD".to_owned(),
            Self::Branch(name) => format!("refs/heads/{name}"),
            Self::Tag(name) => format!("refs/tags/{name}"),
        }
    }

    /// How an error says that it is not there.
    pub(super) fn missing(&self) -> String {
        match self {
            Self::Default => "it has no default branch, as when nothing was ever committed".to_owned(),
            Self::Branch(name) => format!("there is no branch `{name}`"),
            Self::Tag(name) => format!("there is no tag `{name}`"),
        }
    }
}

/// The first rule of git that a name breaks.
fn fault(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.len() > 1000 {
        return Some("it is too long");
    }
    if name.starts_with('-') {
        return Some("it begins with `-`");
    }
    if name.chars().any(|character| character.is_ascii_control()) {
        return Some("it holds a control character");
    }
    if name.contains([' ', '~', '^', ':', '?', '*', '[', '\\']) {
        return Some("it holds a space or one of ~ ^ : ? * [ \\");
    }
    if name.contains("..") || name.contains("@{") || name == "@" {
        return Some("it holds `..` or `@{`, or is `@`");
    }
    if name.ends_with('.') || name.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(".lock")) {
        return Some("one of its parts is empty, begins or ends with `.`, or ends with `.lock`");
    }
    None
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Reference, fault};

    #[test]
    fn names_are_good_and_bad_as_git_itself_says() {
        for name in [
            "main",
            "release/1.0",
            "v1.2.3",
            "größe",
            "a@b",
            "@b",
            "a.b",
            "feature/a-b_c",
            "-x",
            "--upload-pack=x",
            "",
            "a b",
            "a..b",
            "a\nb",
            "a\u{7f}",
            "a~1",
            "a^",
            "a:b",
            "a?b",
            "a*",
            "a[b",
            "a\\b",
            "a@{1}",
            "/a",
            "a/",
            "a//b",
            ".a",
            "a/.b",
            "a.lock",
            "a.lock/b",
            "a.",
            "a/b.",
            "a./b",
            "refs/heads/a",
        ] {
            // `--branch` would also resolve `@{-1}`; the bare form does not know the rule about `-`, which is git's rule for new branches.
            let says = Command::new("git").args(["check-ref-format", &format!("refs/heads/{name}")]).status().expect("git is installed").success();
            let is_good = says && !name.starts_with('-');
            assert_eq!(fault(name).is_none(), is_good, "{name:?}: {:?}", fault(name));
        }
        assert!(Reference::Branch("@".to_owned()).check().is_err());
        assert!(Reference::Default.check().is_ok());
    }
}
