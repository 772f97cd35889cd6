//! Whether an answer is what a case says: objects may have more members, lists may not, unless they end in "...".

use serde_json::Value;

/// Compares; the reason names the place.
pub fn check(expected: &Value, found: &Value) -> Result<(), String> {
    at("", expected, found)
}

fn at(place: &str, expected: &Value, found: &Value) -> Result<(), String> {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => {
            for (name, wanted) in expected {
                let place = format!("{place}/{name}");
                match (wanted.as_str(), found.get(name)) {
                    (Some("(absent)"), None) => {}
                    (Some("(absent)"), Some(value)) => return Err(format!("{place} is there: {value}")),
                    (_, None) => return Err(format!("{place} is missing")),
                    (_, Some(value)) => at(&place, wanted, value)?,
                }
            }
            Ok(())
        }
        (Value::Array(expected), Value::Array(found)) => {
            let (wanted, is_open) = match expected.split_last() {
                Some((last, rest)) if last == "..." => (rest, true),
                _ => (expected.as_slice(), false),
            };
            if found.len() < wanted.len() || (!is_open && found.len() != wanted.len()) {
                return Err(format!("{place} has {} items, but should have {}", found.len(), wanted.len()));
            }
            wanted.iter().zip(found).enumerate().try_for_each(|(index, (wanted, value))| at(&format!("{place}/{index}"), wanted, value))
        }
        (Value::String(wanted), Value::String(text)) if wanted.starts_with('…') && wanted.ends_with('…') && wanted.len() > '…'.len_utf8() => {
            let part = wanted.trim_matches('…');
            if text.contains(part) { Ok(()) } else { Err(format!("{place} does not hold \"{part}\": \"{text}\"")) }
        }
        (expected, found) if expected == found => Ok(()),
        (expected, found) => Err(format!("{place} is {found}, but should be {expected}")),
    }
}
