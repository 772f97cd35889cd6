//! `site.json`: which records a mirror holds and what the site says of them as a whole. Written last, so that what it lists is there.

use serde_json::{Value as Json, json};

use crate::formats::decisions::published::{self, PublishedProject, PublishedSite, PublishedStatus};
use crate::formats::decisions::{FieldDeclaration, Identity, ProjectFile, RecordFiles};

/// Its name in the mirror.
pub const MANIFEST: &str = "site.json";

/// What this version writes. A mirror of another version is made anew.
const VERSION: u64 = 1;

/// What a mirror holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manifest {
    /// The site's name; may be empty.
    pub name: String,
    /// Its status words; empty where they are not published.
    pub statuses: Vec<PublishedStatus>,
    /// Fields that the records of all projects may have.
    pub fields: Vec<FieldDeclaration>,
    /// Projects by the first part of their records' ids.
    pub projects: Vec<(String, ProjectFile)>,
    /// The records, sorted by their main path, to be read with [`crate::formats::decisions::read`].
    pub records: Vec<RecordFiles>,
    /// When the site was last asked, in milliseconds since 1970.
    pub checked_ms: i64,
}

/// Why a manifest could not be read. The mirror is then as good as empty; the next refresh makes it anew.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ManifestError {
    /// It is no manifest.
    #[error("site.json is no manifest of a mirror: {reason}.")]
    NotReadable {
        /// What is wrong.
        reason: String,
    },
    /// Another version of ibid wrote it.
    #[error("site.json has version {found}; this ibid reads version {VERSION}.")]
    OtherVersion {
        /// Its version.
        found: u64,
    },
}

impl Manifest {
    /// Reads the bytes of `site.json`.
    ///
    /// # Errors
    /// [`ManifestError`].
    pub fn read(bytes: &[u8]) -> Result<Self, ManifestError> {
        let unreadable = |reason: String| ManifestError::NotReadable { reason };
        let json: Json = serde_json::from_slice(bytes).map_err(|error| unreadable(error.to_string()))?;
        match json.get("version").and_then(Json::as_u64) {
            Some(VERSION) => {}
            Some(found) => return Err(ManifestError::OtherVersion { found }),
            None => return Err(unreadable("it has no version".to_owned())),
        }
        let site = json.get("site").map(Json::to_string).unwrap_or_default();
        let (site, _) = published::read(site.as_bytes()).map_err(|error| unreadable(error.to_string()))?;
        let records = json.get("records").and_then(Json::as_array).ok_or_else(|| unreadable("it has no records".to_owned()))?;
        let records: Option<Vec<RecordFiles>> = records.iter().map(record).collect();
        Ok(Self {
            name: site.name,
            statuses: site.statuses,
            fields: site.fields,
            projects: site.projects.into_iter().map(project_file).collect(),
            records: records.ok_or_else(|| unreadable("one of its records is incomplete".to_owned()))?,
            checked_ms: json.get("checkedMs").and_then(Json::as_i64).unwrap_or_default(),
        })
    }

    /// The text of `site.json`.
    pub(super) fn write(&self) -> String {
        let projects = self.projects.iter().cloned().map(|(id, file)| PublishedProject::of(id, file)).collect();
        let (name, statuses, fields) = (self.name.clone(), self.statuses.clone(), self.fields.clone());
        let site = PublishedSite { name, statuses, fields, projects, ..PublishedSite::default() };
        let site: Json = serde_json::from_str(&published::write(&site)).unwrap_or_default();
        let record = |files: &RecordFiles| {
            let Identity { project, record_type, slug, number } = &files.identity;
            json!({ "main": files.main, "sidecars": files.sidecars, "project": project, "type": record_type, "slug": slug, "number": number })
        };
        let records: Vec<Json> = self.records.iter().map(record).collect();
        format!("{}\n", json!({ "version": VERSION, "checkedMs": self.checked_ms, "site": site, "records": records }))
    }
}

fn record(json: &Json) -> Option<RecordFiles> {
    let text = |name: &str| json.get(name).and_then(Json::as_str).map(str::to_owned);
    let sidecars = json.get("sidecars")?.as_array()?.iter().map(|path| path.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    let identity = Identity { project: text("project")?, record_type: text("type")?, slug: text("slug")?, number: text("number") };
    Some(RecordFiles { main: text("main")?, sidecars, identity })
}

/// A project of a site as its `_project.yml` would say it.
pub(super) fn project_file(project: PublishedProject) -> (String, ProjectFile) {
    let PublishedProject { id, name, description, owners, order, approvals_required, fields } = project;
    (id, ProjectFile { name, description, owners, order, approvals_required, fields })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_reads_back_as_it_was_written() {
        let identity =
            Identity { project: "sre".to_owned(), record_type: "adr".to_owned(), slug: "a/0001-b".to_owned(), number: Some("0001".to_owned()) };
        let manifest = Manifest {
            name: "Acme".to_owned(),
            statuses: vec![PublishedStatus { name: "trial".to_owned(), is_current: true, is_open: false }],
            fields: vec![FieldDeclaration {
                name: "risk".to_owned(),
                label: None,
                field_type: "enum".to_owned(),
                values: vec!["low".to_owned()],
                unit: None,
                description: None,
            }],
            projects: vec![("sre".to_owned(), ProjectFile { name: Some("Site".to_owned()), order: Some(-2), ..ProjectFile::default() })],
            records: vec![RecordFiles { main: "sre/adr/a/0001-b.md".to_owned(), sidecars: vec!["sre/adr/a/kep.yaml".to_owned()], identity }],
            checked_ms: 1_764_000_000_123,
        };
        assert_eq!(Manifest::read(manifest.write().as_bytes()), Ok(manifest));
    }

    #[test]
    fn what_is_no_manifest_is_an_error() {
        for bytes in [&b""[..], b"[]", b"{}", br#"{"version": 1}"#, br#"{"version": 1, "site": {"records": []}, "records": [{}]}"#] {
            assert!(matches!(Manifest::read(bytes), Err(ManifestError::NotReadable { .. })), "{}", String::from_utf8_lossy(bytes));
        }
        assert_eq!(Manifest::read(br#"{"version": 2}"#), Err(ManifestError::OtherVersion { found: 2 }));
    }
}
