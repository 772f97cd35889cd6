//! What a write would do, or did: the diff that a person looks at, and the stamps before and after.

use engine::write::{Applied, Draft};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Answer, Standing};

/// A file of a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedFile {
    /// Its collection.
    pub collection: String,
    /// Its path below the collection's folder.
    pub path: String,
    /// Stamp of its bytes now; null for a file that is not there.
    pub version: Option<String>,
}

/// A change, applied or not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Change {
    /// Whether it was written.
    pub applied: bool,
    /// What it does, in a sentence.
    pub summary: String,
    /// Uri of the record that it is about.
    pub uri: String,
    /// The files.
    pub files: Vec<ChangedFile>,
    /// Of a preview: give this back with apply: true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub if_version: Option<String>,
    /// The change as a unified diff.
    pub diff: String,
    /// What to know beside it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(flatten)]
    pub(crate) standing: Standing,
}

impl Change {
    /// What a draft would do.
    pub fn preview(draft: &Draft) -> Self {
        let file = |file: &engine::write::FileDraft| ChangedFile {
            collection: file.collection.clone(),
            path: file.path.clone(),
            version: file.version().map(|stamp| stamp.as_str().to_owned()),
        };
        Self {
            applied: false,
            summary: draft.summary.clone(),
            uri: draft.target.clone(),
            files: draft.files.iter().map(file).collect(),
            if_version: Some(draft.version().as_str().to_owned()),
            diff: draft.diff(),
            notes: draft.notes.clone(),
            standing: Standing::default(),
        }
    }

    /// What was done.
    pub fn applied(draft: &Draft, applied: Applied) -> Self {
        let files = applied.files.into_iter();
        let files = files.map(|(collection, path, stamp)| ChangedFile { collection, path, version: Some(stamp.as_str().to_owned()) }).collect();
        Self { applied: true, files, if_version: None, ..Self::preview(draft) }
    }
}

impl Answer for Change {
    fn standing(&mut self) -> &mut Standing {
        &mut self.standing
    }

    fn units(&self) -> usize {
        self.diff.len()
    }

    fn least(&self) -> usize {
        0
    }

    fn cut(&mut self, units: usize) {
        let end = (0..=units.min(self.diff.len())).rev().find(|end| self.diff.is_char_boundary(*end)).unwrap_or_default();
        let line = self.diff.get(..end).and_then(|kept| kept.rfind('\n')).map_or(0, |newline| newline + 1);
        self.diff.truncate(line);
        self.standing.shortened("The diff is cut; read the file for the rest.");
    }

    fn text(&self, _: &Value) -> String {
        let mut text =
            if self.applied { format!("Done: {}\n", self.summary) } else { format!("Preview, nothing is written yet: {}\n", self.summary) };
        for note in &self.notes {
            text.push_str(&format!("Note: {note}\n"));
        }
        if let Some(version) = &self.if_version {
            text.push_str(&format!("To apply it, call again with apply: true and if_version: \"{version}\".\n"));
        }
        text.push('\n');
        text.push_str(&self.diff);
        if self.standing.truncated {
            text.push_str("(cut here)\n");
        }
        if let Some(reason) = &self.standing.stale_reason {
            text.push_str(&format!("This answer may be stale: {reason}\n"));
        }
        text
    }
}
