//! Published sites as sources: what ibid publishes is read as the original is, what others publish as far as it goes, and a mirror stays whole
//! whatever the site does.

mod decisions_support;
mod site_support;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use document::{Document, Facts, Problem, Stamp};
use site_support::{Files, Server, answer, answer_file, serve_files};
use source::fetch::FetchError;
use source::formats::decisions::published::{self, PublishedProject, PublishedRecord, PublishedSidecar, PublishedSite, PublishedStatus};
use source::formats::decisions::{self, RecordFiles};
use source::site::{MANIFEST, Manifest, Refreshed, Site, SiteError};
use source::{Parsed, RawFile};

/// Seconds of nothing would hide a hang; no test here is meant to wait this long.
const PATIENCE: Duration = Duration::from_secs(5);

fn site(address: &str) -> Site {
    Site::new(address, None).expect("an address").with_patience(PATIENCE)
}

async fn refresh(address: &str, mirror: &Path) -> Result<Refreshed, SiteError> {
    site(address).refresh(mirror, 1_764_000_000_000).await
}

fn manifest(mirror: &Path) -> Manifest {
    Manifest::read(&std::fs::read(mirror.join(MANIFEST)).expect("a manifest")).expect("it is read")
}

/// What the engine reads of a mirror.
fn documents(mirror: &Path) -> Vec<(Document, Vec<Problem>)> {
    manifest(mirror).records.iter().map(|files| document(mirror, files)).collect()
}

fn document(root: &Path, files: &RecordFiles) -> (Document, Vec<Problem>) {
    let read = |path: &String| RawFile { path: path.clone(), bytes: std::fs::read(root.join(path)).expect("what is listed is there") };
    let sidecars: Vec<RawFile> = files.sidecars.iter().map(read).collect();
    let Parsed { mut documents, problems } = decisions::read(files, &read(&files.main), &sidecars);
    (documents.remove(0), problems)
}

/// All files of a mirror that say what it holds.
fn content(mirror: &Path) -> BTreeMap<String, Vec<u8>> {
    decisions_support::paths(mirror).into_iter().map(|path| (path.clone(), std::fs::read(mirror.join(path)).expect("it is there"))).collect()
}

/// Publishes the records of a folder as ibid does: the files of the site.
fn publish(root: &Path, collection: &str) -> (BTreeMap<String, Vec<u8>>, Vec<RecordFiles>) {
    let paths = decisions_support::paths(root);
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let records = decisions::record_files(collection, &paths);
    let mut files = BTreeMap::new();
    let mut site = PublishedSite { generator: Some("ibid 0.1.0".to_owned()), name: "Acme".to_owned(), ..PublishedSite::default() };
    site.statuses.push(PublishedStatus { name: "trial".to_owned(), is_current: true, is_open: false });
    let mut projects = HashSet::new();
    for record in &records {
        let bytes = std::fs::read(root.join(&record.main)).expect("a record");
        let id = format!("{}/{}/{}", record.identity.project, record.identity.record_type, record.identity.slug);
        let sidecar = |path: &String| PublishedSidecar { path: path.clone(), text: std::fs::read_to_string(root.join(path)).expect("a sidecar") };
        site.records.push(PublishedRecord {
            id: id.clone(),
            path: Some(record.main.clone()),
            number: record.identity.number.clone(),
            stamp: Some(Stamp::of(&bytes).as_str().to_owned()),
            sidecars: record.sidecars.iter().map(sidecar).collect(),
            ..PublishedRecord::default()
        });
        if projects.insert(record.identity.project.clone()) {
            site.projects.push(PublishedProject { id: record.identity.project.clone(), ..PublishedProject::default() });
        }
        files.insert(format!("{id}.md"), bytes);
    }
    files.insert("decisions.json".to_owned(), published::write(&site).into_bytes());
    (files, records)
}

#[tokio::test]
async fn every_format_that_ibid_publishes_is_read_from_the_mirror_as_from_the_folder() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/decisions");
    let mut count = 0;
    for entry in std::fs::read_dir(&fixtures).expect("fixtures").flatten().filter(|entry| entry.path().is_dir()) {
        let (root, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let (files, records) = publish(&root, &name);
        let server = serve_files(&Arc::new(Mutex::new(files)));
        let mirror = tempfile::tempdir().expect("a folder");
        let refreshed = refresh(&server.address(), mirror.path()).await.expect(&name);
        assert_eq!((refreshed.changed, refreshed.problems), (true, vec![]), "{name}");
        let original: Vec<_> = records.iter().map(|files| document(&root, files)).collect();
        assert_eq!(manifest(mirror.path()).records, records, "{name}");
        assert_eq!(documents(mirror.path()), original, "{name}");
        count += original.len();
    }
    assert!(count > 60, "the fixtures lost records: {count}");
}

/// Two small records and the server that has them.
fn acme() -> (Files, Server) {
    let folder = tempfile::tempdir().expect("a folder");
    for (path, text) in [
        ("sre/adr/0001-define-slos.md", "---\nstatus: trial\n---\n\n# Define SLOs\n\nText.\n"),
        ("sre/adr/0002-keep-logs.md", "# Keep logs\n\n## Status\n\nAccepted\n"),
    ] {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a record");
    }
    let files: Files = Arc::new(Mutex::new(publish(folder.path(), "acme").0));
    let server = serve_files(&files);
    (files, server)
}

/// Changes one record of a site that ibid published, with its stamp.
fn edit(files: &Files, id: &str, text: &str) {
    let mut files = files.lock().expect("a lock");
    let (mut site, _) = published::read(&files["decisions.json"]).expect("it is read");
    let record = site.records.iter_mut().find(|record| record.id == id).expect("it is there");
    record.stamp = Some(Stamp::of(text.as_bytes()).as_str().to_owned());
    files.insert("decisions.json".to_owned(), published::write(&site).into_bytes());
    files.insert(format!("{id}.md"), text.as_bytes().to_vec());
}

#[tokio::test]
async fn a_site_that_has_not_changed_costs_one_request_and_a_change_one_more() {
    let (files, server) = acme();
    let mirror = tempfile::tempdir().expect("a folder");
    refresh(&server.address(), mirror.path()).await.expect("a mirror");
    assert_eq!(server.paths(), ["/decisions.json", "/sre/adr/0001-define-slos.md", "/sre/adr/0002-keep-logs.md"]);
    let statuses = manifest(mirror.path()).statuses;
    assert_eq!(statuses, [PublishedStatus { name: "trial".to_owned(), is_current: true, is_open: false }]);

    let again = site(&server.address()).refresh(mirror.path(), 1_764_000_030_000).await.expect("nothing new");
    assert_eq!(again, Refreshed { changed: false, problems: vec![] });
    assert_eq!(server.paths(), ["/decisions.json"]);
    assert_eq!(manifest(mirror.path()).checked_ms, 1_764_000_030_000);

    edit(&files, "sre/adr/0001-define-slos", "# Define better SLOs\n");
    let changed = refresh(&server.address(), mirror.path()).await.expect("a change");
    assert_eq!(changed, Refreshed { changed: true, problems: vec![] });
    assert_eq!(server.paths(), ["/decisions.json", "/sre/adr/0001-define-slos.md"]);
    assert_eq!(documents(mirror.path())[0].0.title, "Define better SLOs");

    // What somebody deleted in the mirror comes back.
    std::fs::remove_file(mirror.path().join("sre/adr/0002-keep-logs.md")).expect("it was there");
    refresh(&server.address(), mirror.path()).await.expect("a mirror");
    assert_eq!(server.paths(), ["/decisions.json", "/sre/adr/0002-keep-logs.md"]);
    assert_eq!(documents(mirror.path()).len(), 2);
}

#[tokio::test]
async fn a_record_that_the_site_no_longer_lists_goes_with_its_file() {
    let (files, server) = acme();
    let mirror = tempfile::tempdir().expect("a folder");
    refresh(&server.address(), mirror.path()).await.expect("a mirror");
    {
        let mut files = files.lock().expect("a lock");
        let (mut site, _) = published::read(&files["decisions.json"]).expect("it is read");
        site.records.remove(0);
        files.insert("decisions.json".to_owned(), published::write(&site).into_bytes());
    }
    assert!(refresh(&server.address(), mirror.path()).await.expect("a mirror").changed);
    let paths = decisions_support::paths(mirror.path());
    assert_eq!(paths, ["decisions.json", "fetched.json", "site.json", "sre/adr/0002-keep-logs.md"]);
}

#[tokio::test]
async fn a_site_that_is_gone_is_an_error_and_the_mirror_stays() {
    let (_, server) = acme();
    let mirror = tempfile::tempdir().expect("a folder");
    refresh(&server.address(), mirror.path()).await.expect("a mirror");
    let (address, before) = (server.address(), content(mirror.path()));
    drop(server);
    let error = refresh(&address, mirror.path()).await.expect_err("nobody is there");
    assert!(matches!(error, SiteError::Fetch(FetchError::Unreachable { .. } | FetchError::BrokenOff { .. })), "{error}");
    assert_eq!(content(mirror.path()), before);
}

#[tokio::test]
async fn a_list_that_cannot_be_read_is_an_error_and_the_mirror_stays() {
    let (files, server) = acme();
    let mirror = tempfile::tempdir().expect("a folder");
    refresh(&server.address(), mirror.path()).await.expect("a mirror");
    let before = content(mirror.path());
    let whole = files.lock().expect("a lock")["decisions.json"].clone();
    for broken in [&whole[..whole.len() / 2], b"<html>", b"", b"{}", b"[1,]", b"\xff\xfe"] {
        files.lock().expect("a lock").insert("decisions.json".to_owned(), broken.to_vec());
        let error = refresh(&server.address(), mirror.path()).await.expect_err("it is broken");
        assert!(matches!(error, SiteError::Published { .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("The site {} cannot be read: decisions.json ", server.address())), "{error}");
        assert_eq!(content(mirror.path()), before);
    }
}

#[tokio::test]
async fn one_text_that_fails_costs_itself_and_all_of_them_the_refresh() {
    let (files, _) = acme();
    let is_down = Arc::new(AtomicBool::new(false));
    let (flag, served) = (Arc::clone(&is_down), Arc::clone(&files));
    let server = Server::start(move |request, stream| {
        let fails = request.path.contains("0001") || (flag.load(Ordering::SeqCst) && request.path.ends_with(".md"));
        if fails { answer(stream, 503, &[], b"") } else { answer_file(&served, request, stream) }
    });
    let mirror = tempfile::tempdir().expect("a folder");
    let refreshed = refresh(&server.address(), mirror.path()).await.expect("one is there");
    assert_eq!(refreshed.problems.len(), 1);
    assert_eq!((refreshed.problems[0].code.as_str(), refreshed.problems[0].path.as_str()), ("copy-failed", "sre/adr/0001-define-slos.md"));
    assert_eq!(documents(mirror.path()).len(), 2, "the one without its text has its metadata");

    let again = refresh(&server.address(), mirror.path()).await.expect("one is there");
    assert_eq!((again.changed, again.problems), (false, refreshed.problems), "the problem is told again, and the text asked for again");

    is_down.store(true, Ordering::SeqCst);
    edit(&files, "sre/adr/0002-keep-logs", "# Keep fewer logs\n");
    let before = content(mirror.path());
    let error = refresh(&server.address(), mirror.path()).await.expect_err("none is there");
    assert!(matches!(error, SiteError::Fetch(FetchError::Status { status: 503, .. })), "{error}");
    assert_eq!(content(mirror.path()), before);
}

#[tokio::test]
async fn a_site_that_is_just_being_published_is_asked_twice_and_keeps_the_old_text() {
    let (files, server) = acme();
    let mirror = tempfile::tempdir().expect("a folder");
    refresh(&server.address(), mirror.path()).await.expect("a mirror");
    server.requests();
    // The list is new, the text is not there yet.
    let old = files.lock().expect("a lock")["sre/adr/0001-define-slos.md"].clone();
    edit(&files, "sre/adr/0001-define-slos", "# New\n");
    let new = files.lock().expect("a lock").insert("sre/adr/0001-define-slos.md".to_owned(), old).expect("it was there");
    let refreshed = refresh(&server.address(), mirror.path()).await.expect("a mirror");
    assert_eq!(refreshed.problems.iter().map(|problem| problem.code.as_str()).collect::<Vec<_>>(), ["copy-differs"]);
    assert_eq!(server.paths(), ["/decisions.json", "/sre/adr/0001-define-slos.md", "/sre/adr/0001-define-slos.md"]);
    assert_eq!(documents(mirror.path())[0].0.title, "Define SLOs");
    files.lock().expect("a lock").insert("sre/adr/0001-define-slos.md".to_owned(), new);
    let refreshed = refresh(&server.address(), mirror.path()).await.expect("a mirror");
    assert_eq!(refreshed, Refreshed { changed: true, problems: vec![] });
    assert_eq!(documents(mirror.path())[0].0.title, "New");
}

const FOREIGN: &str = r#"{ "records": [
  { "id": "sre/adr/0001-define-slos", "ref": "SRE-ADR-0001", "title": "Define service objectives", "status": "accepted", "date": "2026-03-02",
    "authors": ["mira"], "tags": ["slo"], "risk": "high", "review": { "due": "2027-03-02", "reviewed": null, "every": "1y" },
    "md": "http://localhost:1/sre/adr/0001-define-slos.md", "supersededBy": [{ "id": "sre/adr/0002-better", "title": "Better" }] },
  { "id": "sre/adr/0002-better", "title": "Better objectives", "status": "proposed", "reviewers": [{ "name": "ann", "state": "pending" }] },
  { "id": "ai/rfc/0001-mcp", "title": "MCP over decisions", "status": "rejected" }
] }"#;

const LLMS: &str = "# Decisions\n\n## Site reliability\n\n> What keeps us up.\n\n- [Define](http://localhost:1/base/sre/adr/0001-define-slos.md)\n";

fn foreign() -> Files {
    let file = |path: &str, text: &str| (format!("base/{path}"), text.as_bytes().to_vec());
    Arc::new(Mutex::new(BTreeMap::from([
        file("decisions.json", FOREIGN),
        file("llms.txt", LLMS),
        file("sre/adr/0001-define-slos.md", "---\ntitle: Another title\nstatus: draft\n---\n\n## Context\n\nWe promise.\n"),
        file("sre/adr/0002-better.md", "## Context\n\nWe promise more.\n"),
    ])))
}

#[tokio::test]
async fn a_foreign_site_is_read_by_its_list_and_the_texts_of_its_copies() {
    let files = foreign();
    let server = serve_files(&files);
    let address = format!("{}/base/", server.address());
    let mirror = tempfile::tempdir().expect("a folder");
    let refreshed = refresh(&address, mirror.path()).await.expect("a mirror");
    assert_eq!(
        refreshed.problems.iter().map(|problem| (problem.code.as_str(), problem.path.as_str())).collect::<Vec<_>>(),
        [("copy-missing", "ai/rfc/0001-mcp.md")]
    );
    let manifest = manifest(mirror.path());
    let sre = &manifest.projects[0];
    assert_eq!((sre.0.as_str(), sre.1.name.as_deref(), sre.1.description.as_deref()), ("sre", Some("Site reliability"), Some("What keeps us up.")));
    assert_eq!((manifest.projects[1].0.as_str(), manifest.projects[1].1.name.as_deref()), ("ai", None));
    assert_eq!(manifest.statuses, []);
    let documents = documents(mirror.path());
    let ids: Vec<&str> = documents.iter().map(|(document, _)| document.uri.path()).collect();
    assert_eq!(ids, ["ai/rfc/0001-mcp", "sre/adr/0001-define-slos", "sre/adr/0002-better"]);
    assert_eq!(documents[0].0.title, "MCP over decisions", "without a text it has its metadata");
    let (slos, problems) = &documents[1];
    assert_eq!(*problems, []);
    assert_eq!(slos.title, "Define service objectives", "the list wins over the copy's own header");
    assert!(slos.text.ends_with("---\n\n## Context\n\nWe promise.\n"), "{}", slos.text);
    let Facts::Record(record) = &slos.facts else { panic!("a record") };
    assert_eq!(
        (record.status.word.as_str(), record.number.as_deref(), record.reference().as_deref()),
        ("accepted", Some("0001"), Some("SRE-ADR-0001"))
    );
    assert!(record.is_superseded());
    assert_eq!(record.review.as_ref().and_then(|review| review.due.as_deref()), Some("2027-03-02"));

    server.requests();
    let again = refresh(&address, mirror.path()).await.expect("a mirror");
    assert!(!again.changed);
    let conditional: Vec<bool> = server.requests().iter().map(|request| request.headers.contains_key("if-none-match")).collect();
    assert_eq!(conditional.iter().filter(|is| **is).count(), 4, "the list, the names and both texts are only asked whether they changed");

    // Only the list says something new; the text stays, from the mirror.
    let text = FOREIGN.replace("\"accepted\"", "\"deprecated\"");
    files.lock().expect("a lock").insert("base/decisions.json".to_owned(), text.into_bytes());
    assert!(refresh(&address, mirror.path()).await.expect("a mirror").changed);
    let (slos, _) = &self::documents(mirror.path())[1];
    assert_eq!(slos.record().map(|record| record.status.word.as_str()), Some("deprecated"));
    assert!(slos.text.ends_with("We promise.\n"));
    // And the other way round.
    files.lock().expect("a lock").insert("base/sre/adr/0001-define-slos.md".to_owned(), b"We try.\n".to_vec());
    assert!(refresh(&address, mirror.path()).await.expect("a mirror").changed);
    assert!(self::documents(mirror.path())[1].0.text.ends_with("---\nWe try.\n"));
}

#[tokio::test]
async fn names_of_projects_are_no_condition() {
    let files = foreign();
    files.lock().expect("a lock").remove("base/llms.txt");
    let server = serve_files(&files);
    let mirror = tempfile::tempdir().expect("a folder");
    let refreshed = refresh(&format!("{}/base", server.address()), mirror.path()).await.expect("a mirror");
    assert!(refreshed.problems.iter().all(|problem| problem.code == "copy-missing"), "{:?}", refreshed.problems);
    let ids: Vec<String> = manifest(mirror.path()).projects.into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["sre", "ai"]);
}

#[tokio::test]
async fn hostile_ids_and_paths_stay_outside_and_the_others_in() {
    let outside = tempfile::tempdir().expect("a folder");
    let mirror = outside.path().join("mirror");
    let stamp = Stamp::of(b"text");
    let list = format!(
        r##"[{{"id": "a/adr/0001-good"}}, {{"id": "../../adr/escaped"}}, {{"id": "/etc/adr/x"}}, {{"id": "a/adr/..%2f..%2fescaped"}},
        {{"id": "a/adr/0002-path", "path": "../escaped.md", "stamp": "{stamp}"}}, {{"id": "a/adr/0003-list", "path": "site.json", "stamp": "{stamp}"}},
        {{"id": "a/adr/0004-side", "path": "x.md", "stamp": "{stamp}", "sidecars": [{{"path": "../kep.yaml", "text": "a: b"}}]}},
        {{"id": "A/ADR/0001-GOOD.md"}}, {{"id": "a/adr/nul"}}, {{"id": "a\\adr\\x"}}, {{"id": "a/adr/\u0000"}}]"##
    );
    let server = Server::start(move |request, stream| {
        let body = if request.path == "/decisions.json" { list.as_bytes() } else { b"text" };
        answer(stream, 200, &[], body);
    });
    let refreshed = refresh(&server.address(), &mirror).await.expect("the good ones are there");
    let listed: Vec<String> = manifest(&mirror).records.into_iter().map(|files| files.main).collect();
    assert_eq!(listed, ["A/ADR/0001-GOOD.md.md", "a/adr/..%2f..%2fescaped.md", "a/adr/0001-good.md"]);
    assert_eq!(refreshed.problems.len(), 8, "{:#?}", refreshed.problems);
    assert_eq!(std::fs::read_dir(outside.path()).expect("a folder").count(), 1, "nothing lies beside the mirror");
    assert!(server.paths().iter().all(|path| !path.contains("..") || path.contains("%252f")), "nothing outside was asked for");
}

#[tokio::test]
async fn what_is_no_site_is_an_error_of_the_seed() {
    let error = Site::new("decisions.acme.dev", None).expect_err("no address");
    assert_eq!(error.to_string(), "--url must be the address of a published site");
    let slow = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", slow.local_addr().expect("an address"));
    let mirror = tempfile::tempdir().expect("a folder");
    let site = site(&address).with_patience(Duration::from_millis(200));
    let error = site.refresh(mirror.path(), 0).await.expect_err("nobody answers");
    assert_eq!(error.to_string(), format!("{address}/decisions.json did not answer within 200ms"));
    assert!(!mirror.path().join(MANIFEST).exists());
}

#[tokio::test]
async fn a_refresh_can_be_given_up_at_any_time_and_run_on_any_thread() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let (files, _) = acme();
    let served = Arc::clone(&files);
    let (asked, was_asked) = std::sync::mpsc::channel();
    let server = Server::start(move |request, stream| {
        if request.path.contains("0002") && asked.send(()).is_ok() {
            // Never answered: the connection is held until the client lets go of it.
            let _ = std::io::Read::read(stream, &mut [0; 1]);
            return;
        }
        answer_file(&served, request, stream);
    });
    let mirror = tempfile::tempdir().expect("a folder");
    let path = mirror.path().to_owned();
    let site = site(&server.address());
    let task = tokio::spawn(is_send(async move { site.refresh(&path, 0).await }));
    tokio::task::spawn_blocking(move || was_asked.recv()).await.expect("a thread").expect("it was asked for");
    task.abort();
    assert!(task.await.expect_err("it was given up").is_cancelled());
    assert!(!mirror.path().join(MANIFEST).exists(), "nothing half is listed");
}
