//! `ibid check` for editors and code hosts: paths that can be opened, and SARIF with everything that its readers require.

use serde_json::Value;

use crate::agent::World;

const OLD: &str = "# 1. Queue\n\n## Status\n\nAccepted\n";
const NEW: &str = "# 2. Log\n\n## Status\n\nAccepted\n\nSupersedes [the queue](0001-queue%20a.md)\n\nAmends [nothing](0009-x.md)\n";

fn world() -> World {
    let world = World::new();
    world.write("docs/adr/0001-queue a.md", OLD);
    world.write("docs/adr/0002-log.md", NEW);
    world
}

fn check(world: &World, from: &str, format: &str) -> (String, i32) {
    let folder = world.records().join(from);
    let output =
        world.ibid().current_dir(folder).arg("--library").arg(world.records()).args(["check", "--format", format]).output().expect("ibid runs");
    (String::from_utf8(output.stdout).expect("UTF-8"), output.status.code().unwrap_or(-1))
}

fn sarif(world: &World, from: &str) -> Value {
    let (text, code) = check(world, from, "sarif");
    assert_eq!(code, 1, "{text}");
    serde_json::from_str(&text).expect("SARIF is JSON")
}

#[test]
fn paths_open_from_where_the_command_ran() {
    let world = world();
    let (text, code) = check(&world, "docs", "text");
    assert_eq!(code, 1);
    assert!(text.starts_with("adr/0001-queue a.md: warning [missing-superseded-by] "), "{text}");
    assert!(text.contains("\nadr/0002-log.md:9: error [dangling-relation] "), "{text}");
    for line in text.lines().filter(|line| line.contains(": ")) {
        let path = line.split(':').next().expect("a path");
        assert!(world.records().join("docs").join(path).is_file(), "{line}");
    }
}

/// The members that section 3 of SARIF 2.1.0 requires, and those that code hosts read.
#[test]
fn sarif_has_what_its_readers_require() {
    let world = world();
    std::fs::create_dir(world.records().join(".git")).expect("a temporary folder can be written");
    let log = sarif(&world, "docs");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().expect("a schema").contains("sarif-2.1.0"));
    let [run] = log["runs"].as_array().expect("runs").as_slice() else { panic!("one run: {log}") };
    let driver = &run["tool"]["driver"];
    assert_eq!((driver["name"].as_str(), driver["version"].as_str()), (Some("ibid"), Some(env!("CARGO_PKG_VERSION"))));
    let rules = driver["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{log}");
    for rule in rules {
        for text in [&rule["id"], &rule["shortDescription"]["text"], &rule["help"]["text"]] {
            assert!(text.as_str().is_some_and(|text| !text.is_empty()), "{rule}");
        }
    }
    for result in results {
        let index = usize::try_from(result["ruleIndex"].as_u64().expect("an index")).expect("small");
        assert_eq!(result["ruleId"], rules[index]["id"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(!result["message"]["text"].as_str().expect("a message").is_empty());
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64().is_some_and(|line| line >= 1), "{place}");
        assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
        assert!(result["partialFingerprints"]["ibidFinding/v1"].as_str().is_some_and(|text| text.len() > 16), "{result}");
    }
    // From the work tree's root, though the command ran below it, and percent-encoded.
    let uri = |result: &Value| result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!(uri(&results[0]), "docs/adr/0001-queue%20a.md");
    assert_eq!(uri(&results[1]), "docs/adr/0002-log.md");
    // A finding stays the same one when its line moves, and is another one when it says something else.
    let prints = |log: &Value| {
        let results = log["runs"][0]["results"].as_array().expect("results").clone();
        results.iter().map(|result| result["partialFingerprints"]["ibidFinding/v1"].clone()).collect::<Vec<_>>()
    };
    let before = prints(&log);
    world.write("docs/adr/0002-log.md", &NEW.replace("Accepted", "\n\nAccepted"));
    let moved = sarif(&world, "docs");
    assert_eq!(prints(&moved), before);
    assert_ne!(moved["runs"][0]["results"][1]["locations"], log["runs"][0]["results"][1]["locations"]);
    world.write("docs/adr/0002-log.md", &NEW.replace("0009-x", "0010-y"));
    let other = prints(&sarif(&world, "docs"));
    assert_eq!((other[0] == before[0], other[1] == before[1]), (true, false));
}

#[test]
fn a_file_outside_of_the_work_tree_has_an_absolute_address() {
    let world = world();
    std::fs::create_dir_all(world.records().join("elsewhere/.git")).expect("a temporary folder can be written");
    let log = sarif(&world, "elsewhere");
    let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    let real = world.records().canonicalize().expect("the folder is there");
    assert_eq!(place["uri"].as_str().expect("a uri"), format!("file://{}/docs/adr/0001-queue%20a.md", real.display()));
    assert_eq!(place["uriBaseId"], Value::Null);
}
