//! The reference page of the tools, written from their specs and schemas, so that it cannot lie.

use serde_json::{Map, Value};

use super::{Tool, Toolset, all};

/// `docs/reference/tools.md`.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(
        "# Tools\n\n\
         Written from the tools themselves: `UPDATE=1 cargo test -p mcp` rewrites this page, and a test compares it.\n\n\
         Every answer comes as `structuredContent` with an output schema (`crates/mcp/schemas/<tool>.json`) and as text with the same JSON; the text of\n\
         `get_record` is a YAML block followed by the body. An answer that would not fit its budget is cut at the end of an item or a line: then it says\n\
         `truncated: true`, and `next` names the argument that leads on. `stale: true` with `stale_reason` says that it may be older than the files.\n\
         `note` says why an answer is empty.\n\n\
         What fails as expected is an answer with `isError` and `{ code, message, hint }`. The codes are `bad_input`, `not_found`, `ambiguous`, `conflict`,\n\
         `refused`, `unreachable` and `bad_config`. An unknown tool, and one that is turned off, is the protocol error -32602.\n\n\
         A toolset is offered when the library has a collection of its kind. `tools.<name> = false` in `ibid.toml` turns a tool off.\n",
    );
    for toolset in Toolset::ALL {
        page.push_str(&format!("\n## Toolset `{}`\n\n", toolset.as_str()));
        page.push_str("| tool | does | effect | default | toggle | budget |\n|---|---|---|---|---|---|\n");
        let tools: Vec<&Tool> = all().iter().filter(|tool| tool.spec.toolset == toolset).collect();
        for tool in &tools {
            page.push_str(&row(tool));
        }
        for tool in &tools {
            page.push_str(&section(tool));
        }
    }
    page
}

fn row(tool: &Tool) -> String {
    let spec = tool.spec;
    let default = if spec.default_on { "on" } else { "off" };
    let effect = match spec.effect {
        engine::policy::Effect::Reads => "reads",
        engine::policy::Effect::Writes => "writes",
        engine::policy::Effect::Runs => "runs",
    };
    format!("| [`{0}`](#{0}) | {1} | {effect} | {default} | `{2}` | {3} characters |\n", spec.name, spec.description, spec.toggle, spec.budget_chars)
}

fn section(tool: &Tool) -> String {
    let mut text = format!("\n### `{}`\n\n{} {}\n", tool.spec.name, tool.spec.title.to_owned() + ".", tool.spec.description);
    let required: Vec<&str> = tool.input_schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let arguments = members(&tool.input_schema);
    if !arguments.is_empty() {
        text.push_str("\n| argument | type | needed | meaning |\n|---|---|---|---|\n");
        for (name, schema) in arguments {
            let needed = if required.contains(&name.as_str()) { "yes" } else { "no" };
            text.push_str(&format!("| `{name}` | {} | {needed} | {} |\n", type_words(schema), meaning(schema)));
        }
    }
    text.push_str("\n| answer | type | meaning |\n|---|---|---|\n");
    // What every answer may say of itself stands above, once.
    for (name, schema) in
        members(&tool.output_schema).into_iter().filter(|(name, _)| !["truncated", "next", "note", "stale", "stale_reason"].contains(&name.as_str()))
    {
        text.push_str(&format!("| `{name}` | {} | {} |\n", type_words(schema), meaning(schema)));
        let inner = schema.get("items").unwrap_or(schema);
        for (inner_name, inner) in inner.as_object().map(members).unwrap_or_default() {
            text.push_str(&format!(
                "| `{name}{}.{inner_name}` | {} | {} |\n",
                if schema.get("items").is_some() { "[]" } else { "" },
                type_words(inner),
                meaning(inner)
            ));
        }
    }
    text
}

fn members(schema: &Map<String, Value>) -> Vec<(&String, &Value)> {
    schema.get("properties").and_then(Value::as_object).map(|properties| properties.iter().collect()).unwrap_or_default()
}

fn type_words(schema: &Value) -> String {
    if let Some(legal) = schema.get("enum").and_then(Value::as_array) {
        return legal.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
    }
    let mut words = match schema.get("type") {
        Some(Value::String(word)) => word.clone(),
        Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ if schema.get("anyOf").is_some() => "object or null".to_owned(),
        _ => "any".to_owned(),
    };
    let bound = |name: &str| schema.get(name).and_then(Value::as_i64);
    match (bound("minimum"), bound("maximum")) {
        (Some(least), Some(most)) => words.push_str(&format!(", {least} to {most}")),
        // Counts are never negative; only arguments need to hear it.
        (Some(least), None) if schema.get("default").is_some() || least > 0 => words.push_str(&format!(", {least} or more")),
        _ => {}
    }
    words
}

fn meaning(schema: &Value) -> String {
    schema.get("description").and_then(Value::as_str).unwrap_or_default().replace('\n', " ").replace('|', "\\|")
}
