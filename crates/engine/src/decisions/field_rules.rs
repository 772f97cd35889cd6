//! Whether the custom fields of a record are what the declarations in force say. Undeclared fields may hold anything.

use document::{Problem, Severity, Value};
use source::formats::decisions::{FieldDeclaration, FieldType, is_no_value, is_own_key, iso_date};
use store::RecordRow;

use super::field_values::{boolean, entries, is_url, number, same};
use super::fields::DeclaredFields;
use super::metadata_rules::Odd;

/// The most problems that one field gives: a list of a thousand wrong entries is one fault.
const MOST: usize = 3;

/// What is wrong with the custom fields of a record.
pub(super) fn find(row: &RecordRow, declared: &DeclaredFields) -> Vec<Odd> {
    let mut found = Vec::new();
    if declared.is_empty() {
        return found;
    }
    // A site may declare what ibid reads itself.
    for (key, value) in row.record.metadata.iter().filter(|(key, _)| !is_own_key(key)) {
        if let Some(declared) = declared.in_force(&row.project, key) {
            let field = Field { key, path: &row.path, declared };
            found.extend(field.problems(value).into_iter().take(MOST).map(|problem| Odd { key: key.clone(), problem }));
        }
    }
    found
}

/// A field of a record with its declaration.
struct Field<'a> {
    key: &'a str,
    path: &'a str,
    declared: &'a FieldDeclaration,
}

impl Field<'_> {
    fn problems(&self, value: &Value) -> Vec<Problem> {
        let texts: Vec<&str> = value.texts().into_iter().map(str::trim).filter(|text| !is_no_value(text)).collect();
        let kind = self.declared.kind();
        let entries: Vec<&str> = match (kind, value) {
            (FieldType::List, Value::Text(text)) => entries(text).filter(|entry| !is_no_value(entry)).collect(),
            (FieldType::List, _) => texts,
            (FieldType::Text, _) if self.declared.values.is_empty() => return Vec::new(),
            _ if texts.len() > 1 => return vec![self.several(texts.len())],
            _ => texts,
        };
        entries.into_iter().filter_map(|text| self.wrong_type(kind, text).or_else(|| self.not_allowed(text))).collect()
    }

    fn problem(&self, code: &str, text: &str, wanted: &str, hint: String) -> Problem {
        Problem::new(code, Severity::Warning, self.path, format!("{} is \"{}\", but must be {wanted}.", self.key, clipped(text))).hint(hint)
    }

    fn several(&self, count: usize) -> Problem {
        let message = format!("{} has {count} values, but must be one {}.", self.key, self.declared.kind().as_str());
        Problem::new("field-with-several-values", Severity::Warning, self.path, message)
            .hint("A field of several values is declared with type: list.")
    }

    fn wrong_type(&self, kind: FieldType, text: &str) -> Option<Problem> {
        let unit = self.declared.unit.as_deref();
        match kind {
            FieldType::Number if number(text, unit).is_none() => {
                let dotted = number(&text.replace(',', "."), unit).filter(|_| text.matches(',').count() == 1);
                let example = dotted.unwrap_or_else(|| "3.5".to_owned());
                let (wanted, hint) = match unit {
                    Some(unit) => (format!("a number of {unit}"), format!("Write digits and a dot, such as {example} or {example} {unit}.")),
                    None => ("a number".to_owned(), format!("Write digits and a dot, such as {example}.")),
                };
                Some(self.problem("field-not-a-number", text, &wanted, hint))
            }
            FieldType::Date if iso_date(text).is_none() => {
                Some(self.problem("field-not-a-date", text, "a date that exists", "Write it as YYYY-MM-DD.".to_owned()))
            }
            FieldType::Boolean if boolean(text).is_none() => {
                Some(self.problem("field-not-a-boolean", text, "true or false", "yes and no are known too.".to_owned()))
            }
            FieldType::Url if !is_url(text) => {
                let hint = "Write all of it, beginning with https://, http:// or mailto:.".to_owned();
                Some(self.problem("field-not-a-url", text, "a whole address", hint))
            }
            _ => None,
        }
    }

    fn not_allowed(&self, text: &str) -> Option<Problem> {
        let allowed = &self.declared.values;
        let wanted = same(self.declared, text);
        if allowed.is_empty() || allowed.iter().any(|value| same(self.declared, value) == wanted) {
            return None;
        }
        let list = allowed.iter().take(12).map(|value| clipped(value)).collect::<Vec<_>>().join(", ");
        let near = allowed
            .iter()
            .map(|value| (strsim::normalized_damerau_levenshtein(&store::fold(value), &wanted), value))
            .max_by(|left, right| left.0.total_cmp(&right.0))
            .filter(|(likeness, _)| *likeness >= 0.5);
        let hint = near.map_or_else(|| format!("{list} are allowed."), |(_, near)| format!("Did you mean \"{}\"?", clipped(near)));
        Some(self.problem("field-value-not-allowed", text, &format!("one of {list}"), hint))
    }
}

fn clipped(text: &str) -> String {
    let mut shown: String = text.chars().take(60).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use document::Value;
    use source::formats::decisions::FieldDeclaration;

    use super::Field;

    /// Code, message and hint of what is wrong with a value.
    fn wrong(kind: &str, values: &[&str], unit: Option<&str>, value: &Value) -> Vec<(String, String, String)> {
        let declared = FieldDeclaration {
            name: "x".to_owned(),
            label: None,
            field_type: kind.to_owned(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
            unit: unit.map(str::to_owned),
            description: None,
        };
        let problems = Field { key: "x", path: "a.md", declared: &declared }.problems(value);
        problems.into_iter().map(|problem| (problem.code, problem.message, problem.hint.unwrap_or_default())).collect()
    }

    fn text(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    #[test]
    fn values_of_the_declared_type_are_no_problem() {
        for (kind, values, unit, value) in [
            ("text", vec![], None, "anything: at all"),
            ("number", vec![], Some("days"), "3 days"),
            ("number", vec![], None, "-1.5"),
            ("number", vec!["1", "2"], None, "2.0"),
            ("date", vec![], None, "1 March 2026"),
            ("enum", vec!["low", "High"], None, "HIGH"),
            ("list", vec!["iOS", "web"], None, "ios, WEB"),
            ("boolean", vec![], None, "Yes"),
            ("url", vec![], None, "https://example.org/a"),
            ("colour", vec![], None, "of no known type"),
        ] {
            assert_eq!(wrong(kind, &values, unit, &text(value)), [], "{kind} {value}");
        }
        for none in ["", "-", "n/a", "TBD"] {
            assert_eq!(wrong("number", &[], None, &text(none)), [], "{none}");
        }
        assert_eq!(wrong("number", &[], None, &Value::Empty), []);
        assert_eq!(wrong("enum", &["low"], None, &Value::List(vec![text("low")])), []);
        assert_eq!(wrong("text", &[], None, &Value::List(vec![text("a"), text("b")])), []);
    }

    #[test]
    fn each_wrong_value_names_the_rule_and_the_way_on() {
        for (kind, values, unit, value, code, said, hint) in [
            (
                "number",
                vec![],
                Some("days"),
                "soon",
                "field-not-a-number",
                "x is \"soon\", but must be a number of days.",
                "such as 3.5 or 3.5 days.",
            ),
            ("number", vec![], None, "2,75", "field-not-a-number", "x is \"2,75\", but must be a number.", "such as 2.75."),
            ("number", vec!["1", "2"], None, "3", "field-value-not-allowed", "must be one of 1, 2.", ""),
            ("date", vec![], None, "2026-02-30", "field-not-a-date", "must be a date that exists.", "YYYY-MM-DD"),
            (
                "enum",
                vec!["low", "medium", "high"],
                None,
                "hihg",
                "field-value-not-allowed",
                "must be one of low, medium, high.",
                "Did you mean \"high\"?",
            ),
            ("enum", vec!["low", "high"], None, "purple", "field-value-not-allowed", "must be one of low, high.", "low, high are allowed."),
            ("list", vec!["ios", "web"], None, "ios, wed", "field-value-not-allowed", "x is \"wed\"", "Did you mean \"web\"?"),
            ("boolean", vec![], None, "perhaps", "field-not-a-boolean", "must be true or false.", "yes and no"),
            ("url", vec![], None, "example.org", "field-not-a-url", "must be a whole address.", "https://"),
            ("text", vec!["a"], None, "b", "field-value-not-allowed", "must be one of a.", ""),
        ] {
            let found = wrong(kind, &values, unit, &text(value));
            assert_eq!(found.len(), 1, "{kind} {value}");
            assert!(found[0].0 == code && found[0].1.contains(said) && found[0].2.contains(hint), "{found:?}");
        }
        let several = wrong("enum", &["low", "high"], None, &Value::List(vec![text("low"), text("high")]));
        assert_eq!((several[0].0.as_str(), several[0].1.as_str()), ("field-with-several-values", "x has 2 values, but must be one enum."));
    }
}
