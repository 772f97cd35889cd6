//! Findings over real archives of public projects: what is found, and what is not. Needs `../shared/data` beside the workspace.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use engine::config::{Sources, load};
use engine::decisions::{Finding, check};
use engine::{Library, OpenOptions, StateFolder};

/// Read in the files: each is so.
const TRUE: [(&str, &str); 14] = [
    ("kubernetes__enhancements/keps/sig-apps/2232-suspend-jobs/README.md", "number-disagrees"),
    ("wmde__wikibase-release-pipeline/docs/adr/0002-tarball-hosting.md", "number-disagrees"),
    ("alphagov__govuk-aws/docs/architecture/decisions/0033-ip-ranges.md", "number-disagrees"),
    // 3299 replaces it; its own status says "replaced" and not by what.
    ("kubernetes__enhancements/keps/sig-auth/3130-kms-observability/README.md", "missing-superseded-by"),
    ("python__peps/peps/pep-3124.rst", "missing-superseded-by"),
    ("stump-wtf__msgbrowse/docs/adr/0010-security-privacy-posture.md", "missing-superseded-by"),
    ("nats-io__nats-architecture-and-design/adr/ADR-59.md", "missing-amended-by"),
    ("microsoft__semantic-kernel/docs/decisions/0038-completion-service-selection.md", "missing-supersedes"),
    // The link leads to the web, into the repository that the folder is a copy of.
    ("alphagov__govuk-design-system-architecture/decision-records/006-javascript-compatibility.md", "missing-supersedes"),
    ("microsoft__semantic-kernel/docs/decisions/0046-java-repository-separation.md", "duplicate-number"),
    ("shopware__shopware/adr/2022-27-09-vue-2.7-update.md", "impossible-date"),
    ("cometbft__cometbft/docs/references/architecture/tendermint-core/adr-038-non-zero-start-height.md", "template-status"),
    ("shopware__shopware/adr/_superseded/2023-09-22-catalog-import-api.md", "superseded-without-target"),
    ("kubernetes__enhancements/keps/sig-cli/2377-Kustomize/README.md", "superseded-but-current"),
];

/// Read in the files: none of it is so, though it looks like it.
const FALSE: [(&str, &str); 14] = [
    // Each area counts for itself: ARCH-001, CI-001, GEN-001, LEGAL-001.
    ("archgate__cli/.archgate/adrs/GEN-001-documentation-site.md", "duplicate-number"),
    ("archgate__cli/.archgate/adrs/LEGAL-001-spdx-license-headers.md", "duplicate-number"),
    // Its table of releases names ADR-48, which updates it.
    ("nats-io__nats-architecture-and-design/adr/ADR-8.md", "missing-amended-by"),
    ("stump-wtf__msgbrowse/docs/adr/0017-desktop-shell-wails.md", "missing-amended-by"),
    ("stump-wtf__msgbrowse/docs/adr/0010-security-privacy-posture.md", "missing-amended-by"),
    // `Implemented. Superseded by …` in one value, and a part only.
    ("celestiaorg__celestia-app/docs/architecture/adr-009-non-interactive-default-rules-for-reduced-padding.md", "superseded-but-current"),
    ("celestiaorg__celestia-app/docs/architecture/adr-006-non-interactive-defaults.md", "superseded-but-current"),
    // The old name of a program, a specification, and files that are no records.
    ("kubernetes__enhancements/keps/sig-cli/2377-Kustomize/README.md", "dangling-relation"),
    ("stump-wtf__msgbrowse/docs/adr/0027-telegram-tg-export-exporter.md", "dangling-relation"),
    ("stump-wtf__msgbrowse/docs/adr/0017-desktop-shell-wails.md", "dangling-relation"),
    // Links to the web, one of them to a record that is not in this copy of the archive.
    ("rust-lang__rfcs/text/0505-api-comment-conventions.md", "dangling-relation"),
    (
        "opendatahub-io__architecture-decision-records/architecture-decision-records/operator/ODH-ADR-Operator-0005-configure-resources.md",
        "dangling-relation",
    ),
    // Both sides say it.
    ("python__peps/peps/pep-0102.rst", "missing-superseded-by"),
    ("stump-wtf__msgbrowse/docs/adr/0018-device-pairing-archive-sync.md", "missing-superseded-by"),
];

fn archives() -> Option<Vec<PathBuf>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/decisions");
    let Ok(entries) = std::fs::read_dir(&root) else {
        eprintln!("skipped: {} is not there", root.display());
        return None;
    };
    let mut archives: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    archives.sort();
    Some(archives)
}

async fn found(paths: Vec<PathBuf>, state: &Path) -> Vec<Finding> {
    let config = load(&Sources { paths, ..Sources::default() }).unwrap();
    let library = Library::open(OpenOptions::new(config, StateFolder::at(state).unwrap())).await.unwrap();
    let desk = loop {
        let desk = library.owner_desk().await.unwrap();
        if !desk.freshness.is_stale() {
            break desk;
        }
    };
    let first = check(&desk, None).await.unwrap();
    assert_eq!(first, check(&desk, None).await.unwrap(), "the order of findings changes");
    first
}

#[tokio::test(flavor = "multi_thread")]
async fn findings_are_true_and_few() {
    let Some(archives) = archives() else { return };
    let state = tempfile::tempdir().unwrap();
    let findings = found(archives, state.path()).await;
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for Finding { collection, problem } in &findings {
        *counts.entry((&problem.code, collection)).or_default() += 1;
        if std::env::var_os("SHOW").is_some() {
            eprintln!("{collection}/{problem}");
        }
    }
    for ((code, collection), count) in counts {
        eprintln!("{code:28} {count:4} {collection}");
    }
    let is_found = |path: &str, code: &str| {
        findings.iter().any(|Finding { collection, problem }| problem.code == code && format!("{collection}/{}", problem.path) == path)
    };
    for (path, code) in TRUE {
        assert!(is_found(path, code), "not found: {code} in {path}");
    }
    for (path, code) in FALSE {
        assert!(!is_found(path, code), "wrongly found: {code} in {path}");
    }
}
