//! A fresh store of either engine, and documents to put into it.

use document::{
    Document, Facts, Kind, Link, LinkForm, People, Problem, Record, RecordDate, Relation, RelationKind, Scheme, Section, Severity, Span, Stamp,
    Status, Target, Uri,
};

use crate::{Applied, Change, CollectionRow, FileRow, RecordFilter, Store, Unit};

pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) url: String,
    /// Deleted at the end.
    _folder: Option<tempfile::TempDir>,
}

impl World {
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("store.db").display());
        Self { store: Store::open(&url).await.unwrap(), url, _folder: Some(folder) }
    }

    pub(crate) async fn postgres() -> Self {
        let url = tokio::task::spawn_blocking(|| testkit::postgres::Server::shared().fresh_database()).await.unwrap();
        Self { store: Store::open(&url).await.unwrap(), url, _folder: None }
    }

    /// What another process would have: other connections to the same database.
    pub(crate) async fn second(&self) -> Store {
        Store::open(&self.url).await.unwrap()
    }

    pub(crate) async fn decisions(&self) -> CollectionRow {
        self.store.put_collection("decisions", Kind::Decisions, "/decisions").await.unwrap()
    }

    /// Puts each document into the store as a unit of its own.
    pub(crate) async fn put(&self, collection: &CollectionRow, documents: impl IntoIterator<Item = Document>) -> Applied {
        let replaced = documents.into_iter().map(|document| unit(&document.path.clone(), vec![document])).collect();
        self.store.apply(collection.id, &Change { replaced, ..Change::default() }, 1_000).await.unwrap()
    }

    /// Ids of the records that a filter means, in order; checks the total beside them.
    pub(crate) async fn found(&self, filter: &RecordFilter) -> Vec<String> {
        let page = self.store.records(filter, 1_000, 0).await.unwrap();
        assert_eq!(page.total, i64::try_from(page.records.len()).unwrap(), "the total of {filter:?}");
        page.records.into_iter().map(|row| row.id).collect()
    }
}

pub(crate) fn file(path: &str, unit: &str) -> FileRow {
    FileRow { path: path.to_owned(), size_bytes: 10, modified_ns: 1_700_000_000_123_456_789, inode: 77, unit: unit.to_owned() }
}

pub(crate) fn unit(main: &str, documents: Vec<Document>) -> Unit {
    Unit { main: main.to_owned(), files: vec![file(main, main)], documents, problems: Vec::new() }
}

/// A record `<project>/adr/<slug>`.
pub(crate) fn record(project: &str, slug: &str) -> Document {
    let number = slug.split('-').next().filter(|part| part.bytes().all(|byte| byte.is_ascii_digit())).map(str::to_owned);
    let facts = Record {
        project: project.to_owned(),
        record_type: "adr".to_owned(),
        slug: slug.to_owned(),
        number,
        status: Status { word: "accepted".to_owned(), raw: Some("Accepted".to_owned()), note: None, place: Some("front matter".to_owned()) },
        date: None,
        is_draft: false,
        people: People::default(),
        relations: Vec::new(),
        reviewers: Vec::new(),
        approvals_required: None,
        review: None,
        metadata: Vec::new(),
    };
    let id = facts.id();
    let mut document = plain(Uri::new(Scheme::Decision, id.as_str()), &format!("{id}.md"));
    document.kind = Kind::Decisions;
    document.facts = Facts::Record(Box::new(facts));
    document
}

/// A note `<path>` in the collection `notes`.
pub(crate) fn note(path: &str) -> Document {
    plain(Uri::new(Scheme::Note, format!("notes/{path}")), path)
}

fn plain(uri: Uri, path: &str) -> Document {
    let text = format!("# {path}\n\nSee [there](other.md).\n");
    Document {
        uri,
        kind: Kind::Notes,
        path: path.to_owned(),
        title: path.to_owned(),
        description: String::new(),
        body: Span::new(0, text.len()),
        sections: vec![Section {
            path: "1".to_owned(),
            heading: path.to_owned(),
            slug: "a".to_owned(),
            level: 1,
            span: Span::new(0, text.len()),
            subtree_end: text.len(),
        }],
        links: vec![Link { target: "other.md".to_owned(), text: "there".to_owned(), form: LinkForm::Markdown, span: Span::new(2, 9) }],
        tags: Vec::new(),
        date: None,
        stamp: Stamp::of(text.as_bytes()),
        text,
        facts: Facts::Plain,
    }
}

/// Changes the record inside a document.
pub(crate) fn with(mut document: Document, change: impl FnOnce(&mut Record)) -> Document {
    if let Facts::Record(record) = &mut document.facts {
        change(record);
    }
    document
}

pub(crate) fn dated(document: Document, date: &str) -> Document {
    let mut document = with(document, |record| {
        record.date = Some(RecordDate { iso: Some(date.to_owned()), raw: date.to_owned(), source: document::DateSource::Metadata });
    });
    document.date = Some(date.to_owned());
    document
}

pub(crate) fn draft(document: Document) -> Document {
    with(document, |record| record.is_draft = true)
}

pub(crate) fn tagged(mut document: Document, tags: &[&str]) -> Document {
    document.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    document
}

pub(crate) fn pointing(document: Document, target: Target) -> Document {
    with(document, |record| {
        record.relations.push(Relation { kind: RelationKind::Supersedes, is_partial: false, target, raw: "supersedes".to_owned(), line_number: 3 });
    })
}

pub(crate) fn problem(path: &str, code: &str) -> Problem {
    Problem::new(code, Severity::Warning, path, format!("{path} is odd.")).at_line(3).hint("Mend it.")
}
