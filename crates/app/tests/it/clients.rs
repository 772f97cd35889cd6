//! Real clients: the official Python client and the Inspector's command line, legacy and modern, over stdio and HTTP.
//!
//! `tests/clients/install` puts them into a cache folder outside of the repository. Where they are missing the tests say so and pass, in CI they fail.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::agent::{World, record};
use crate::http::Server;

fn tools() -> Option<PathBuf> {
    let cache =
        std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
    let tools = std::env::var_os("IBID_TEST_TOOLS").map(PathBuf::from).or_else(|| Some(cache?.join("ibid-test-tools")))?;
    if tools.join("python/.installed").is_file() && tools.join("node/.installed").is_file() {
        return Some(tools);
    }
    assert!(std::env::var_os("CI").is_none(), "the clients are missing in {}: run tests/clients/install", tools.display());
    eprintln!("skipped: no clients in {}; tests/clients/install puts them there", tools.display());
    None
}

fn scripts() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients")
}

fn world() -> World {
    let world = World::new();
    world.write("sre/adr/0001-define-slos.md", &record("Define SLOs", "accepted", "every service states an availability target"));
    world.write("sre/adr/0002-page-on-symptoms.md", &record("Page on symptoms", "proposed", "availability again"));
    world
}

/// Runs a client and reads the JSON that it prints.
fn run(world: &World, mut command: Command) -> Value {
    let shown = format!("{command:?}");
    let output = command.env("IBID_STATE_DIR", world.state()).env("IBID_CONFIG_DIR", world.state().join("none")).output().expect("the client starts");
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{shown}\n{text}\n{errors}");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{shown}: {error}\n{text}\n{errors}"))
}

fn target(world: &World, server: Option<&Server>) -> Vec<String> {
    match server {
        Some(server) => vec![format!("http://{}/mcp", server.address)],
        None => vec![env!("CARGO_BIN_EXE_ibid").to_owned(), "mcp".to_owned(), "--root".to_owned(), world.records().display().to_string()],
    }
}

#[test]
fn the_official_python_client_works_in_both_eras_on_both_transports() {
    let Some(tools) = tools() else { return };
    let world = world();
    let server = Server::start(&world, &[]);
    for (mode, version) in [("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")] {
        for over_http in [false, true] {
            let mut command = Command::new(tools.join("python/bin/python"));
            command.arg(scripts().join("python_client.py")).args([
                "--mode",
                mode,
                "--call",
                "search_records",
                "--arguments",
                "{\"status\": \"accepted\"}",
            ]);
            if over_http {
                command.args(["--token", &server.token]);
            }
            if mode != "legacy" {
                command.arg("--listen");
            }
            command.args(target(&world, over_http.then_some(&server)));
            let seen = run(&world, command);
            assert_eq!(seen["protocol_version"], version, "{mode}");
            assert!(seen["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool == "get_record")), "{seen}");
            assert_eq!(seen["call"]["structuredContent"]["total"], 1, "{mode}: {seen}");
            assert!(seen["resources"].as_array().is_some_and(|uris| uris.iter().any(|uri| uri == "decision://sre/adr/0001-define-slos")), "{seen}");
            assert_eq!(seen["templates"][0], "decision://{+id}", "{seen}");
            if mode != "legacy" {
                assert_eq!(seen["listening"], true, "{mode}: {seen}");
            }
        }
    }
}

#[test]
fn the_inspector_works_in_both_eras_on_both_transports() {
    if tools().is_none() {
        return;
    }
    let world = world();
    let server = Server::start(&world, &["--no-auth"]);
    for era in ["legacy", "modern"] {
        for over_http in [false, true] {
            let inspector = |arguments: &[&str]| {
                let mut command = Command::new(scripts().join("inspector"));
                // The target comes first: the Inspector takes what follows a method for values of the method.
                command.args(target(&world, over_http.then_some(&server))).args(["--protocol-era", era]).args(arguments);
                run(&world, command)
            };
            let listed = inspector(&["--method", "tools/list"]);
            assert!(listed["tools"].as_array().is_some_and(|tools| tools.iter().any(|tool| tool["name"] == "search")), "{era}: {listed}");
            let called = inspector(&["--method", "tools/call", "--tool-name", "get_record", "--tool-arg", "id=sre/adr/1"]);
            assert_eq!(called["structuredContent"]["title"], "Define SLOs", "{era}: {called}");
        }
    }
}
