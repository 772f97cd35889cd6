//! The documents cannot lie: every `ibid` command and every `ibid.toml` in them is run.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::agent::World;
use crate::cli::{copy, words};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The README and all guides.
fn documents() -> Vec<(String, String)> {
    let mut paths = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/reference"] {
        let entries = std::fs::read_dir(root().join(folder)).expect("the folder is there");
        paths.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|extension| extension == "md")));
    }
    paths.sort();
    paths
        .into_iter()
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), std::fs::read_to_string(&path).expect("a document")))
        .collect()
}

/// Fenced blocks of one language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if let Some(rest) = trimmed.strip_prefix("```") {
            match open.take() {
                Some((opened, block)) if opened == language => blocks.push(block),
                Some(_) => {}
                None => open = Some((rest.trim().to_owned(), String::new())),
            }
        } else if let Some((_, block)) = &mut open {
            block.push_str(trimmed);
            block.push('\n');
        }
    }
    blocks
}

/// The example library, with the folders that the guides name.
fn world() -> World {
    let world = World::new();
    let example = root().join("examples/library");
    copy(&example, &world.records());
    copy(&example, &world.records().join("examples/library"));
    copy(&example.join("decisions/sre/adr"), &world.records().join("docs/adr"));
    copy(&example.join("decisions/platform/rfc"), &world.records().join("../rfcs/text"));
    world
}

#[test]
fn every_command_in_the_documents_runs() {
    let world = world();
    let mut count = 0;
    for (name, text) in documents() {
        for block in blocks(&text, "sh") {
            for line in block.lines().filter(|line| line.starts_with("ibid ")) {
                let command = line.split("  #").next().unwrap_or(line).trim();
                let words = words(command);
                let mut ibid = world.ibid();
                ibid.args(&words[1..]).current_dir(world.records());
                count += 1;
                if words[1] == "serve" {
                    let mut child = ibid.env("IBID_BIND", "127.0.0.1:0").stdout(Stdio::piped()).spawn().expect("ibid starts");
                    let mut first = String::new();
                    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut first).expect("ibid writes");
                    let _ = child.kill();
                    let _ = child.wait();
                    assert!(first.starts_with("ibid serves"), "{name}: {command}: {first}");
                    continue;
                }
                let output = ibid.stdin(Stdio::null()).output().expect("ibid runs");
                let errors = String::from_utf8_lossy(&output.stderr);
                // `ibid doctor` and `ibid check` say "no" where something is wrong; the example has overdue reviews, not errors.
                assert!(matches!(output.status.code(), Some(0 | 1)), "{name}: {command}: {:?}\n{errors}", output.status.code());
                assert!(!errors.contains("panicked"), "{name}: {command}\n{errors}");
            }
        }
    }
    assert!(count >= 10, "only {count} commands");
}

#[test]
fn every_configuration_in_the_documents_is_understood() {
    let mut count = 0;
    for (name, text) in documents().into_iter().filter(|(name, _)| name != "CONTRIBUTING.md") {
        for block in blocks(&text, "toml").into_iter().filter(|block| !block.contains("[mcp_servers")) {
            let world = world();
            // The database and the folders of the guides are not here; everything else counts as written.
            let block = block.replace("store = \"postgres://", "# store = \"postgres://").replace("/srv/decisions", "decisions");
            let folder = world.state().join("config");
            std::fs::create_dir_all(folder.join("decisions")).expect("a temporary folder can be written");
            std::fs::create_dir_all(folder.join("docs/adr")).expect("a temporary folder can be written");
            std::fs::write(folder.join("ibid.toml"), &block).expect("a temporary file can be written");
            let output = world.ibid().env("IBID_CONFIG_DIR", &folder).arg("tools").output().expect("ibid runs");
            assert!(output.status.success(), "{name}: {}\n{block}", String::from_utf8_lossy(&output.stderr));
            count += 1;
        }
    }
    assert!(count >= 4, "only {count} configurations");
}
