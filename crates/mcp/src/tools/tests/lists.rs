//! What the tools say of themselves: specs, schemas, files and docs agree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use engine::policy::Effect;
use serde_json::{Value, json};

use crate::tools::{Toolset, all, reference};

fn crate_folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a generated file, or writes it where `UPDATE=1` says so.
fn agrees(path: &PathBuf, made: &str) {
    if std::env::var("UPDATE").is_ok() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, made).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(kept == made, "{} is not what the tools say; UPDATE=1 cargo test -p mcp rewrites it, then read the difference", path.display());
}

fn stems(folder: &Path, extension: &str) -> BTreeSet<String> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|found| found == extension));
    files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).filter(|stem| stem != "mod").collect()
}

#[test]
fn folder_list_and_schemas_are_the_same_set() {
    for toolset in Toolset::ALL {
        let listed: BTreeSet<String> = all().iter().filter(|tool| tool.spec.toolset == toolset).map(|tool| tool.spec.name.to_owned()).collect();
        assert_eq!(stems(&crate_folder().join("src/tools").join(toolset.as_str()), "rs"), listed, "{}", toolset.as_str());
    }
    let listed: BTreeSet<String> = all().iter().map(|tool| tool.spec.name.to_owned()).collect();
    assert_eq!(listed.len(), all().len(), "no name stands twice");
    for tool in all() {
        let surface = crate::product::describe(tool);
        let made = json!({
            "name": surface.name, "title": surface.title, "description": surface.description, "readOnly": tool.spec.effect == Effect::Reads,
            "inputSchema": surface.input_schema, "outputSchema": surface.output_schema,
        });
        agrees(&crate_folder().join("schemas").join(format!("{}.json", tool.spec.name)), &format!("{made:#}\n"));
    }
    assert_eq!(stems(&crate_folder().join("schemas"), "json"), listed);
}

#[test]
fn the_reference_page_is_fresh() {
    agrees(&crate_folder().join("../../docs/reference/tools.md"), &reference());
}

#[test]
fn every_spec_keeps_the_rules() {
    for tool in all() {
        let spec = tool.spec;
        let name = spec.name;
        assert!(name.chars().all(|character| character.is_ascii_lowercase() || character == '_') && name.len() <= 64, "{name}");
        assert_eq!(spec.toggle, format!("tools.{name}"));
        assert_eq!(spec.default_on, spec.effect.is_on_by_default(), "{name}");
        assert!(spec.description.ends_with('.') && !spec.description.contains(". ") && spec.description.len() < 160, "{name}: one sentence");
        assert!(!spec.title.is_empty() && !spec.title.ends_with('.'), "{name}");
        assert!((1_000..=8_000).contains(&spec.budget_chars), "{name}");
    }
}

#[test]
fn every_schema_is_a_plain_object_that_all_clients_can_read() {
    for tool in all() {
        for (what, schema) in [("input", &tool.input_schema), ("output", &tool.output_schema)] {
            let name = format!("{} of {}", what, tool.spec.name);
            assert_eq!(schema.get("type"), Some(&json!("object")), "{name}");
            for word in ["anyOf", "oneOf", "allOf", "not", "$ref", "$defs"] {
                assert!(!schema.contains_key(word), "{name} has {word} at its top");
            }
            assert!(!Value::Object(schema.clone()).to_string().contains("$ref"), "{name} is not self-contained");
            assert!(jsonschema::meta::is_valid(&Value::Object(schema.clone())), "{name}");
        }
        assert_eq!(tool.input_schema.get("additionalProperties"), Some(&json!(false)), "{}", tool.spec.name);
        for (argument, schema) in tool.input_schema["properties"].as_object().unwrap() {
            assert!(schema.get("description").and_then(Value::as_str).is_some_and(|text| !text.is_empty()), "{}.{argument}", tool.spec.name);
            assert!(schema.get("type").is_some_and(Value::is_string), "{}.{argument} has one type", tool.spec.name);
        }
    }
}

#[test]
fn what_a_model_sees_of_the_list_is_small() {
    let seen: Vec<Value> =
        all().iter().map(|tool| json!({ "name": tool.spec.name, "description": tool.spec.description, "inputSchema": tool.input_schema })).collect();
    let size = Value::from(seen).to_string().len();
    assert!(size < 12 * 1024, "{size} bytes");
}
