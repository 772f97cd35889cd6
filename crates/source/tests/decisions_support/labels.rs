//! The labels of real records that `eval/decisions/labels.tsv` holds, and whether what was read says the same.

use std::path::{Path, PathBuf};

use document::{Document, Relation, Target, UNKNOWN};

/// Where the labels lie.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../eval/decisions/labels.tsv")
}

/// What a careful reader says of one record. Empty where the record says nothing.
#[derive(Debug, Clone, Default)]
pub struct Label {
    pub source: String,
    /// Path below the source's root.
    pub path: String,
    pub status: String,
    pub date: String,
    pub title: String,
    /// `kind:target`, with ` part` behind it where a part only is meant.
    pub relations: Vec<String>,
}

/// The labels of a table, in its order.
pub fn read(text: &str) -> Vec<Label> {
    let mut labels = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')).skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [source, path, status, date, title, relations] = columns[..] else { panic!("six columns expected: {line}") };
        let stated = |text: &str| if text == "-" { String::new() } else { text.to_owned() };
        let label = Label {
            source: source.to_owned(),
            path: path.to_owned(),
            status: stated(status),
            date: stated(date),
            title: stated(title),
            relations: stated(relations).split("; ").filter(|relation| !relation.is_empty()).map(str::to_owned).collect(),
        };
        labels.push(label);
    }
    labels
}

/// What ibid read of a record, in the form of the labels.
pub fn of_document(source: &str, path: &str, document: &Document) -> Label {
    let record = document.record().unwrap();
    let word = record.status.word.as_str();
    Label {
        source: source.to_owned(),
        path: path.to_owned(),
        status: if word == UNKNOWN { String::new() } else { word.to_owned() },
        date: document.date.clone().unwrap_or_default(),
        title: document.title.clone(),
        relations: record.relations.iter().map(relation_label).collect(),
    }
}

/// A relation as its label; a path in full.
fn relation_label(relation: &Relation) -> String {
    let target = match &relation.target {
        Target::Path(text) | Target::Id(text) | Target::Web(text) => text.as_str(),
        Target::Number(number) => number.trim_start_matches('0'),
    };
    format!("{}:{target}{}", relation.kind.as_str(), if relation.is_partial { " part" } else { "" })
}

/// Statuses are the same without regard to case and hyphens.
pub fn is_same_status(left: &str, right: &str) -> bool {
    left.to_lowercase().replace('-', " ") == right.to_lowercase().replace('-', " ")
}

/// Titles are the same without regard to case.
pub fn is_same_title(left: &str, right: &str) -> bool {
    left.to_lowercase() == right.to_lowercase()
}

/// Whether a read relation is the labelled one, which names a record by its file or folder alone. An address names one where it is that of a file in a
/// repository; whether that repository is this archive's is found out when all records are known.
pub fn is_same_relation(labelled: &str, read: &str) -> bool {
    let part = |relation: &'_ str| relation.ends_with(" part");
    let is_file = |target: &str| !target.contains("://") || ["/blob/", "/tree/"].iter().any(|view| target.contains(view));
    let bare = |relation: &str| relation.trim_end_matches(" part").to_owned();
    let (labelled_bare, read_bare) = (bare(labelled), bare(read));
    let (Some((labelled_kind, wanted)), Some((kind, target))) = (labelled_bare.split_once(':'), read_bare.split_once(':')) else { return false };
    part(labelled) == part(read) && labelled_kind == kind && (target == wanted || (is_file(target) && record_name(target) == wanted))
}

/// The name of a record's file without extension, or of its folder.
fn record_name(path: &str) -> &str {
    let mut segments = path.trim_end_matches('/').rsplit('/');
    let last = segments.next().unwrap_or_default();
    let stem = ["md", "rst", "adoc"].iter().find_map(|extension| last.strip_suffix(extension)?.strip_suffix('.')).unwrap_or(last);
    if matches!(stem.to_lowercase().as_str(), "readme" | "index") { segments.next().unwrap_or(stem) } else { stem }
}
