//! The members of a JSON object by name, each read as the type that is wanted; a wrong type costs that member and becomes a problem.

use document::{Severity, Value};
use serde_json::{Map, Value as Json};

use super::problems::{Problems, shown};
use crate::formats::decisions::entry::key_name;

/// How deep metadata may be nested.
const MAX_DEPTH: usize = 32;

/// An object of the site whose members are taken one by one.
pub(super) struct Members<'a> {
    /// What it is, for problems: `the record "sre/adr/0001-x"`.
    whose: String,
    /// Folded name, name as written, value; in the order of the file.
    members: Vec<(String, String, Json)>,
    problems: &'a mut Problems,
}

impl<'a> Members<'a> {
    pub(super) fn new(whose: String, map: Map<String, Json>, problems: &'a mut Problems) -> Self {
        let members = map.into_iter().map(|(key, value)| (key_name(&key), key, value)).collect();
        Self { whose, members, problems }
    }

    pub(super) fn rename(&mut self, whose: String) {
        self.whose = whose;
    }

    pub(super) fn problem(&mut self, code: &str, what: &str) {
        let whose = &self.whose;
        self.problems.add(code, Severity::Warning, || format!("Of {whose}, {what}."));
    }

    fn wrong_type(&mut self, name: &str, wanted: &str) {
        self.problem("published-member", &format!("\"{}\" is no {wanted} and was left out", shown(name)));
    }

    /// Takes a member by its folded name. One that is null is as good as none.
    pub(super) fn take(&mut self, name: &str) -> Option<Json> {
        let at = self.members.iter().position(|(folded, ..)| folded == name)?;
        Some(self.members.remove(at).2).filter(|value| !value.is_null())
    }

    /// A text; numbers and truth values as JSON writes them.
    pub(super) fn text(&mut self, name: &str) -> Option<String> {
        let value = self.take(name)?;
        let text = scalar(&value);
        if text.is_none() {
            self.wrong_type(name, "text");
        }
        text
    }

    /// A list of texts; a single text is a list of one.
    pub(super) fn texts(&mut self, name: &str) -> Vec<String> {
        let Some(value) = self.take(name) else { return Vec::new() };
        let items = match value {
            Json::Array(items) => items,
            other => vec![other],
        };
        let count = items.len();
        let texts: Vec<String> = items.iter().filter_map(|item| scalar(item).or_else(|| named(item))).collect();
        if texts.len() < count {
            self.wrong_type(name, "list of texts throughout; what is none");
        }
        texts
    }

    /// A whole number of the wanted range, also where it is written as a text.
    pub(super) fn number<N: std::str::FromStr>(&mut self, name: &str) -> Option<N> {
        let value = self.take(name)?;
        let number = scalar(&value).and_then(|text| text.trim().parse().ok());
        if number.is_none() {
            self.wrong_type(name, "whole number");
        }
        number
    }

    /// `true` or `false`; false where it is missing.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        match self.take(name) {
            None => false,
            Some(Json::Bool(is_so)) => is_so,
            Some(_) => {
                self.wrong_type(name, "truth value");
                false
            }
        }
    }

    /// A list; anything else is a problem.
    pub(super) fn list(&mut self, name: &str) -> Vec<Json> {
        match self.take(name) {
            None => Vec::new(),
            Some(Json::Array(items)) => items,
            Some(_) => {
                self.wrong_type(name, "list");
                Vec::new()
            }
        }
    }

    /// An object of its own, with its own members.
    pub(super) fn object(&mut self, name: &str) -> Option<Members<'_>> {
        match self.take(name)? {
            Json::Object(map) => Some(self.inner(name, map)),
            _ => {
                self.wrong_type(name, "object");
                None
            }
        }
    }

    /// Members of an object that stands in this one.
    pub(super) fn inner(&mut self, name: &str, map: Map<String, Json>) -> Members<'_> {
        Members::new(format!("\"{name}\" of {}", self.whose), map, self.problems)
    }

    /// Metadata of an object `name`, then all members that are left except those of the names in `derived`.
    pub(super) fn metadata(&mut self, name: &str, derived: &[&str]) -> Vec<(String, Value)> {
        let mut metadata: Vec<(String, Value)> = Vec::new();
        let declared = match self.take(name) {
            Some(Json::Object(map)) => map,
            Some(_) => {
                self.wrong_type(name, "object");
                Map::new()
            }
            None => Map::new(),
        };
        let mut names: std::collections::HashSet<String> = declared.keys().cloned().collect();
        let left = std::mem::take(&mut self.members).into_iter().filter(|(folded, ..)| !derived.contains(&folded.as_str()));
        let left: Vec<(String, Json)> = left.map(|(_, key, value)| (key, value)).filter(|(key, _)| names.insert(key.clone())).collect();
        for (key, value) in declared.into_iter().chain(left) {
            match metadata_value(value, 0) {
                Some(value) => metadata.push((key, value)),
                None => self.problem("published-member", &format!("\"{}\" is nested too deeply and was left out", shown(&key))),
            }
        }
        metadata
    }
}

/// The text of a scalar.
pub(super) fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(is_so) => Some(is_so.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
}

/// What names an object where a text is wanted, as in a list of people.
fn named(value: &Json) -> Option<String> {
    ["id", "handle", "name", "slug"].iter().find_map(|key| value.get(key).and_then(scalar))
}

/// JSON as metadata; `None` where it is nested too deeply.
pub(super) fn metadata_value(value: Json, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match value {
        Json::Null => Value::Empty,
        Json::Array(items) => Value::List(items.into_iter().map(|item| metadata_value(item, depth + 1)).collect::<Option<_>>()?),
        Json::Object(map) => Value::Map(map.into_iter().map(|(key, value)| Some((key, metadata_value(value, depth + 1)?))).collect::<Option<_>>()?),
        scalar => Value::Text(self::scalar(&scalar).unwrap_or_default()),
    })
}
