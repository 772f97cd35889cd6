//! The first record that words find is the one that a reader of the archive would name, and its snippet stands word for word where it says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::config::{Sources, load};
use engine::decisions::{RecordQuery, get, search_records};
use engine::{Library, OpenOptions, StateFolder};

async fn open(records: &Path, state: &Path) -> Arc<Library> {
    let config = load(&Sources { paths: vec![records.to_owned()], ..Sources::default() }).unwrap();
    Library::open(OpenOptions::new(config, StateFolder::at(state).unwrap())).await.unwrap()
}

/// Asks each question, expects the id that ends so to come first, and checks every snippet against the text of its record.
async fn check(records: &Path, expected: &[(&str, &str)]) {
    let state = tempfile::tempdir().unwrap();
    let library = open(records, state.path()).await;
    let desk = library.owner_desk().await.unwrap();
    let mut wrong = Vec::new();
    for (words, first) in expected {
        let query = RecordQuery { query: Some((*words).to_owned()), ..RecordQuery::default() };
        let page = search_records(&desk, &query).await.unwrap();
        let found = page.records.first().map(|record| record.id.clone()).unwrap_or_default();
        if !found.ends_with(first) {
            wrong.push(format!("\"{words}\" finds {found} first, not {first}"));
        }
        for record in &page.records {
            let Some(snippet) = record.matched.as_ref().and_then(|matched| matched.snippet.as_ref()) else { continue };
            let document = get(&desk, &record.id).await.unwrap().document;
            let citation = &snippet.citation;
            let cited: String = document.text.chars().skip(citation.char_start).take(citation.char_end - citation.char_start).collect();
            assert_eq!(snippet.quote, cited, "{} for \"{words}\"", record.id);
            assert_eq!(citation.stamp, document.stamp, "{}", record.id);
            assert!(snippet.text().chars().count() <= 240 && !snippet.quote.is_empty(), "{} for \"{words}\"", record.id);
            assert_eq!(snippet.text().trim_matches('…'), snippet.quote.trim_matches('…'), "{}", record.id);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_the_example_library() {
    let records = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/library/decisions");
    let expected = [
        ("retry budget", "sre/adr/0002-retry-budgets"),
        ("error budget policy", "sre/rfc/0001-error-budget-policy"),
        ("how long do we keep idempotency keys", "payments/adr/0006-retention-of-idempotency-keys"),
        ("UUID primary key", "platform/adr/0008-uuidv7-primary-keys"),
        ("rabbitmq", "platform/adr/0003-rabbitmq-for-messaging"),
        ("restore backups", "sre/adr/0005-backups-and-restore-drills"),
        ("automatic rollback", "sre/adr/0003-progressive-delivery"),
        ("double entry", "payments/adr/0003-double-entry-ledger"),
        ("stale feature flags", "platform/adr/0005-feature-flags-expire"),
        ("trace id in logs", "platform/adr/0004-structured-logs-and-trace-ids"),
    ];
    check(&records, &expected).await;
}

/// Records of public archives that lie beside the checkout; skipped where they do not.
#[tokio::test(flavor = "multi_thread")]
async fn of_real_archives() {
    let archives = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    let archives: PathBuf = if archives.is_dir() {
        archives
    } else {
        eprintln!("skipped: no archives in ../shared/data/decisions");
        return;
    };
    let expected: [(&str, &[(&str, &str)]); 6] = [
        (
            "JabRef__jabref",
            &[
                ("pluralization of strings", "0041-use-one-form-for-singular-and-plural"),
                ("stop words", "0022-remove-stop-words-during-query-transformation"),
            ],
        ),
        (
            "alphagov__govuk-aws",
            &[("why elasticsearch", "0022-remove-the-elasticsearch-proxy"), ("certificates of puppet", "0007-puppet-cert-management")],
        ),
        ("cosmos__ibc-go", &[("passive channels", "adr-025-ibc-passive-channels")]),
        ("nats-io__nats-architecture-and-design", &[("jetstream direct get", "ADR-31"), ("ttl for key value buckets", "ADR-48")]),
        ("python__peps", &[("structural pattern matching", "pep-0634"), ("safer subprocess with template strings", "pep-0787")]),
        ("Sylius__Sylius", &[("api translation", "2020_03_03_api_translations")]),
    ];
    for (archive, expected) in expected {
        check(&archives.join(archive), expected).await;
    }
}
