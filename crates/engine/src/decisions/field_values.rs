//! Values of custom fields as their declared type reads them: which texts are a number, a truth value, an address, and which say the same.

use source::formats::decisions::{FieldDeclaration, FieldType, iso_date};

use super::fields::DeclaredFields;
use crate::{Desk, Result};

/// Every value that some record has in the field and that says the same as `wanted`: the text itself, and where the field is declared as a number, a
/// date, a truth value or a list, its other spellings (`3.0` and `3 days` for `3`, `yes` for `true`, `ios, web` for `ios`).
///
/// # Errors
/// A store that cannot be read.
pub(super) async fn same_values(desk: &Desk, project: Option<&str>, name: &str, wanted: &str) -> Result<Vec<String>> {
    let declared = DeclaredFields::of(&desk.library);
    let typed: Vec<&FieldDeclaration> = declared
        .named(project, name)
        .into_iter()
        .filter(|declared| matches!(declared.kind(), FieldType::Number | FieldType::Date | FieldType::Boolean | FieldType::List))
        .collect();
    let mut values = vec![wanted.to_owned()];
    if !typed.is_empty() {
        let known = desk.library.store().field_values(name, i64::MAX).await?;
        values.extend(known.into_iter().map(|(value, _)| value).filter(|value| typed.iter().any(|declared| says(declared, value, wanted))));
    }
    Ok(values)
}

/// Whether a value of the field says what is wanted.
fn says(declared: &FieldDeclaration, value: &str, wanted: &str) -> bool {
    let wanted = same(declared, wanted);
    match declared.kind() {
        FieldType::List => entries(value).any(|entry| same(declared, entry) == wanted),
        _ => same(declared, value) == wanted,
    }
}

/// The form in which texts that say the same are equal; folded, where the text is not of the declared type.
pub(super) fn same(declared: &FieldDeclaration, text: &str) -> String {
    let typed = match declared.kind() {
        FieldType::Number => number(text, declared.unit.as_deref()),
        FieldType::Date => iso_date(text),
        FieldType::Boolean => boolean(text).map(|is_so| is_so.to_string()),
        FieldType::Text | FieldType::Enum | FieldType::List | FieldType::Url => None,
    };
    typed.unwrap_or_else(|| store::fold(text.trim()))
}

/// The entries of a list that was written as one text.
pub(super) fn entries(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ';', '\n']).map(str::trim).filter(|entry| !entry.is_empty())
}

/// A number in its shortest form: `3` for `3.0`, `+03`, `3e0`, and for `3 days` where the unit is days.
pub(super) fn number(text: &str, unit: Option<&str>) -> Option<String> {
    let text = without_unit(text.trim(), unit).replace('_', "");
    let (sign, digits) = match text.strip_prefix(['-', '+', '−']) {
        Some(digits) => (if text.starts_with('+') { "" } else { "-" }, digits),
        None => ("", text.as_str()),
    };
    if let Some((_, exponent)) = digits.split_once(['e', 'E']) {
        // `f64` writes all digits and no exponent.
        let value: f64 = exponent.parse::<i16>().ok().filter(|exponent| exponent.abs() <= 30).and_then(|_| digits.parse().ok())?;
        return number(&format!("{sign}{value}"), None);
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(fraction) || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let shown = match (whole, fraction) {
        ("", "") => return Some("0".to_owned()),
        (whole, "") => whole.to_owned(),
        ("", fraction) => format!("0.{fraction}"),
        (whole, fraction) => format!("{whole}.{fraction}"),
    };
    Some(format!("{sign}{shown}"))
}

/// The text without the unit before or behind it, in singular or plural.
fn without_unit<'a>(text: &'a str, unit: Option<&str>) -> &'a str {
    let singular = |word: &str| store::fold(word.trim()).trim_end_matches('s').to_owned();
    let Some(unit) = unit.map(singular).filter(|unit| !unit.is_empty()) else { return text };
    let is_of_number = |character: char| character.is_ascii_digit() || ".+-−_".contains(character);
    let behind =
        text.rfind(is_of_number).and_then(|at| text.get(at..)).and_then(|rest| rest.chars().next().map(|last| rest.split_at(last.len_utf8()).1));
    if let Some(behind) = behind.filter(|behind| singular(behind) == unit) {
        return text[..text.len() - behind.len()].trim_end();
    }
    let before = text.find(is_of_number).map_or("", |at| &text[..at]);
    if !before.is_empty() && singular(before) == unit { text[before.len()..].trim_start() } else { text }
}

/// `true`, `yes`, `on`, `y`, `1`, and the opposites.
pub(super) fn boolean(text: &str) -> Option<bool> {
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" | "y" | "1" => Some(true),
        "false" | "no" | "off" | "n" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a text is a whole `http`, `https` or `mailto` address.
pub(super) fn is_url(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(text);
    if text.chars().any(|character| character.is_whitespace() || character.is_control() || "<>\"".contains(character)) {
        return false;
    }
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => {
            let host = rest.strip_prefix("//").and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
            host.rsplit('@').next().is_some_and(|host| host.starts_with(|first: char| first.is_alphanumeric() || first == '['))
        }
        "mailto" => {
            rest.split('?').next().and_then(|address| address.split_once('@')).is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use source::formats::decisions::FieldDeclaration;

    use super::{boolean, is_url, number, says};

    #[test]
    fn numbers_are_equal_in_every_spelling() {
        for text in ["3", "3.0", "03", "+3", " 3 ", "3.", "3e0", "0.3e1", "30e-1"] {
            assert_eq!(number(text, None).as_deref(), Some("3"), "{text}");
        }
        for text in ["3 days", "3days", "3 day", "3 Days", "days 3", "3"] {
            assert_eq!(number(text, Some("days")).as_deref(), Some("3"), "{text}");
        }
        assert_eq!(number("-0.50", None).as_deref(), Some("-0.5"));
        assert_eq!(number("1_000", None).as_deref(), Some("1000"));
        assert_eq!(number("-0", None).as_deref(), Some("0"));
        assert_eq!(number("EUR 12.50", Some("EUR")).as_deref(), Some("12.5"));
        assert_eq!(number("40%", Some("%")).as_deref(), Some("40"));
        assert_eq!(number("12345678901234567890123", None).as_deref(), Some("12345678901234567890123"));
        for text in ["", ".", "-", "three", "3-5", "3,5", "1e999", "NaN", "inf", "0x10", "3 weeks", "e", "1.2.3", "٣"] {
            assert_eq!(number(text, Some("days")), None, "{text}");
        }
    }

    #[test]
    fn truth_values_and_addresses() {
        assert_eq!(
            ["Yes", "TRUE", "on", "no", "0", "maybe", ""].map(boolean),
            [Some(true), Some(true), Some(true), Some(false), Some(false), None, None]
        );
        for text in ["https://example.org", "HTTP://localhost:8080/a?b#c", "<https://example.org/a>", "mailto:ann@example.org", "https://[::1]/"] {
            assert!(is_url(text), "{text}");
        }
        for text in [
            "example.org",
            "/docs/a",
            "ftp://example.org",
            "https://",
            "https:example.org",
            "javascript:alert(1)",
            "https://a b",
            "mailto:ann",
            "",
            "https:///a",
        ] {
            assert!(!is_url(text), "{text}");
        }
    }

    #[test]
    fn a_wanted_value_is_found_in_the_spellings_of_its_type_only() {
        let declared = |kind: &str| FieldDeclaration {
            name: "x".to_owned(),
            label: None,
            field_type: kind.to_owned(),
            values: Vec::new(),
            unit: None,
            description: None,
        };
        assert!(says(&declared("number"), "3.0", "3") && !says(&declared("text"), "3.0", "3"));
        assert!(says(&declared("date"), "1 March 2026", "2026-03-01") && !says(&declared("text"), "1 March 2026", "2026-03-01"));
        assert!(says(&declared("boolean"), "yes", "TRUE") && !says(&declared("boolean"), "no", "true"));
        assert!(says(&declared("list"), "iOS, web", "ios") && !says(&declared("enum"), "iOS, web", "ios"));
        assert!(says(&declared("number"), "Unknown", "unknown"));
    }
}
