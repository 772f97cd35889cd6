//! Arguments against a tool's schema, once for all tools: each complaint names the argument, what was given and what is legal.

use engine::{Error, Result};
use serde_json::{Map, Value};

/// The arguments as the tool's type reads them: `null` is left out, `5.0` is a whole number.
///
/// # Errors
/// An unknown, missing, empty or wrongly typed argument.
pub(super) fn check(tool: &str, said: Map<String, Value>, schema: &Map<String, Value>) -> Result<Map<String, Value>> {
    let empty = Map::new();
    let known = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let mut arguments = Map::new();
    for (name, value) in said {
        let Some(property) = known.get(&name) else { return Err(unknown(tool, &name, known)) };
        if !value.is_null() {
            let checked = typed(&name, value, property)?;
            arguments.insert(name, checked);
        }
    }
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in required {
        if !arguments.contains_key(name) {
            return Err(with_meaning(Error::bad_input(format!("{name} is missing.")), tool, name, known.get(name)));
        }
    }
    Ok(arguments)
}

fn unknown(tool: &str, name: &str, known: &Map<String, Value>) -> Error {
    let error = Error::bad_input(format!("{tool} has no argument \"{}\".", shown(name)));
    if known.is_empty() {
        return error.hint("It takes no arguments.");
    }
    let names: Vec<&str> = known.keys().map(String::as_str).collect();
    let all = format!("Its arguments are: {}.", names.join(", "));
    let near = names.iter().map(|known| (strsim::jaro_winkler(known, &name.to_lowercase()), known)).max_by(|left, right| left.0.total_cmp(&right.0));
    match near {
        Some((closeness, near)) if closeness >= 0.75 => error.hint(format!("Did you mean \"{near}\"? {all}")),
        _ => error.hint(all),
    }
}

/// The value in the type that the schema asks for.
fn typed(name: &str, value: Value, property: &Value) -> Result<Value> {
    let wanted = property.get("type").and_then(Value::as_str).unwrap_or_default();
    let checked = match (wanted, value) {
        ("string", Value::String(text)) if text.trim().is_empty() => {
            return Err(Error::bad_input(format!("{name} is empty.")).hint("Leave it out, or say something."));
        }
        // JSON Schema counts 5.0 among the integers. Beyond 2^53 a float names no certain one.
        ("integer", Value::Number(number)) if number.as_i64().is_none() => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 9_007_199_254_740_992.0 => Value::from(float as i64),
            _ => return Err(wrong(name, wanted, &Value::Number(number), property)),
        },
        ("string", value @ Value::String(_))
        | ("integer", value @ Value::Number(_))
        | ("boolean", value @ Value::Bool(_))
        | ("array", value @ Value::Array(_)) => value,
        ("string" | "integer" | "boolean" | "array", value) => return Err(wrong(name, wanted, &value, property)),
        (_, value) => value,
    };
    match property.get("enum").and_then(Value::as_array) {
        Some(legal) if !legal.contains(&checked) => {
            let legal: Vec<&str> = legal.iter().filter_map(Value::as_str).collect();
            Err(Error::bad_input(format!("{name} is {}, but must be one of: {}.", spoken(&checked), legal.join(", "))))
        }
        _ => Ok(checked),
    }
}

fn wrong(name: &str, wanted: &str, value: &Value, property: &Value) -> Error {
    let wanted = match wanted {
        "string" => "a text",
        "integer" => "a whole number",
        "boolean" => "true or false",
        _ => "a list",
    };
    let error = Error::bad_input(format!("{name} must be {wanted}, but is {}.", spoken(value)));
    match property.get("description").and_then(Value::as_str) {
        Some(meaning) => error.hint(format!("{name}: {meaning}")),
        None => error,
    }
}

fn with_meaning(error: Error, tool: &str, name: &str, property: Option<&Value>) -> Error {
    match property.and_then(|property| property.get("description")).and_then(Value::as_str) {
        Some(meaning) => error.hint(format!("{tool} needs {name}: {meaning}")),
        None => error.hint(format!("{tool} needs {name}.")),
    }
}

fn spoken(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the text \"{}\"", shown(text)),
        Value::Number(number) => format!("the number {number}"),
        Value::Bool(truth) => truth.to_string(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::Null => "null".to_owned(),
    }
}

fn shown(text: &str) -> String {
    text.chars().take(80).collect()
}
