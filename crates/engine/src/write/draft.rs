//! A draft: what a write would make of which files, for a person to look at. Nothing of it is on disk.

use document::Stamp;
use similar::TextDiff;

use crate::{Desk, Error, ErrorKind, Result};

/// Lines around a change that a diff shows.
const CONTEXT_LINES: usize = 3;

/// What a write would change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The tool that drew it up, for the operations log.
    pub action: &'static str,
    /// The uri of the record that it is about.
    pub target: String,
    /// What it does, in a sentence for the person who is asked.
    pub summary: String,
    /// The files, in the order in which they are written.
    pub files: Vec<FileDraft>,
    /// What the person should know beside the change itself.
    pub notes: Vec<String>,
}

/// What would become of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDraft {
    /// Its collection.
    pub(crate) collection_id: i64,
    /// The collection's name.
    pub collection: String,
    /// Its path below the collection's folder.
    pub path: String,
    /// Its bytes now; `None` for a file that is to be made.
    pub before: Option<Vec<u8>>,
    /// Its bytes then.
    pub after: Vec<u8>,
}

impl FileDraft {
    /// The stamp that the file must still have.
    #[must_use]
    pub fn version(&self) -> Option<Stamp> {
        self.before.as_deref().map(Stamp::of)
    }

    /// The stamp that it will have.
    #[must_use]
    pub fn new_version(&self) -> Stamp {
        Stamp::of(&self.after)
    }

    fn diff(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (before, after) = (text(self.before.as_deref().unwrap_or_default()), text(&self.after));
        let name = format!("{}/{}", self.collection, self.path);
        let old = if self.before.is_some() { format!("a/{name}") } else { "/dev/null".to_owned() };
        let diff = TextDiff::from_lines(&before, &after);
        diff.unified_diff().context_radius(CONTEXT_LINES).header(&old, &format!("b/{name}")).to_string()
    }
}

impl Draft {
    /// All changes as a unified diff, in the form that `patch` and `git apply` read.
    #[must_use]
    pub fn diff(&self) -> String {
        self.files.iter().map(FileDraft::diff).collect()
    }

    /// The stamp of the whole: what `if_version` must be for the draft to be applied. The stamp of the one file that it changes; of several, and of
    /// new ones, a stamp over all that would be replaced and all that would come.
    #[must_use]
    pub fn version(&self) -> Stamp {
        if let [FileDraft { before: Some(before), .. }] = self.files.as_slice() {
            return Stamp::of(before);
        }
        let mut whole = Vec::new();
        for file in &self.files {
            for part in [file.collection.as_bytes(), file.path.as_bytes(), file.before.as_deref().unwrap_or_default()] {
                whole.extend_from_slice(&(part.len() as u64).to_be_bytes());
                whole.extend_from_slice(part);
            }
            if file.before.is_none() {
                whole.extend_from_slice(&file.after);
            }
        }
        Stamp::of(&whole)
    }

    /// Checks that the caller looked at what is there now.
    ///
    /// # Errors
    /// `if_version` is missing, or another than that of the draft.
    pub fn check_version(&self, if_version: Option<&str>) -> Result<()> {
        let version = self.version();
        match if_version.map(str::trim) {
            Some(said) if said == version.as_str() => Ok(()),
            Some(said) => {
                let shown: String = said.chars().take(80).collect();
                Err(Error::new(
                    ErrorKind::Conflict,
                    format!("if_version is {shown}, but the draft now has {version}: something changed since it was read."),
                )
                .hint("Ask for the preview again, look at it, and apply it with its if_version."))
            }
            None => {
                Err(Error::bad_input("if_version is missing.").hint(format!("Look at the preview first; it names the version to apply: {version}")))
            }
        }
    }
}

/// A folder of a collection that may be written to.
///
/// # Errors
/// The collection is a copy of what lies elsewhere.
pub(crate) fn writable(desk: &Desk, collection_id: i64) -> Result<&crate::library::Collection> {
    let collection = desk.library.collections().iter().find(|collection| collection.id == collection_id);
    let collection = collection.ok_or_else(|| Error::new(ErrorKind::NotFound, "The collection is gone."))?;
    if collection.remote.is_some() {
        let message =
            format!("The collection \"{}\" is a copy of {} and cannot be written to.", collection.config.name, collection.config.origin.shown());
        return Err(Error::new(ErrorKind::Refused, message).hint("Make the change where the original lies."));
    }
    Ok(collection)
}

#[cfg(test)]
mod tests {
    use super::{Draft, FileDraft};

    fn file(path: &str, before: Option<&str>, after: &str) -> FileDraft {
        let bytes = |text: &str| text.as_bytes().to_vec();
        FileDraft { collection_id: 1, collection: "adr".into(), path: path.into(), before: before.map(bytes), after: bytes(after) }
    }

    fn draft(files: Vec<FileDraft>) -> Draft {
        Draft { action: "set_record_status", target: "decision://x".into(), summary: "x".into(), files, notes: Vec::new() }
    }

    #[test]
    fn a_diff_is_what_patch_reads() {
        let changed = draft(vec![file("0001-a.md", Some("# A\n\nproposed\n"), "# A\n\naccepted\n"), file("0002-b.md", None, "# B\n")]);
        let expected = "--- a/adr/0001-a.md\n+++ b/adr/0001-a.md\n@@ -1,3 +1,3 @@\n # A\n \n-proposed\n+accepted\n\
                        --- /dev/null\n+++ b/adr/0002-b.md\n@@ -0,0 +1 @@\n+# B\n";
        assert_eq!(changed.diff(), expected);
    }

    #[test]
    fn a_draft_of_one_file_has_its_version_and_others_have_one_over_all() {
        let one = draft(vec![file("a", Some("x"), "y")]);
        assert_eq!(one.version(), document::Stamp::of(b"x"));
        let two = draft(vec![file("a", Some("x"), "y"), file("b", Some("x"), "y")]);
        let other = draft(vec![file("a", Some("x"), "y"), file("b", Some("z"), "y")]);
        assert_ne!(two.version(), other.version());
        assert!(two.check_version(Some(two.version().as_str())).is_ok());
        assert!(two.check_version(Some(other.version().as_str())).unwrap_err().message.contains("something changed"));
        assert!(two.check_version(None).unwrap_err().hint.unwrap().contains(two.version().as_str()));
    }
}
