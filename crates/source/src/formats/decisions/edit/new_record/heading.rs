//! A new title in the form of a sample: the number, date and words before it as there, a template's tokens filled.

use crate::formats::decisions::{name, title, words};

/// What goes into a heading.
pub(super) struct Parts<'a> {
    pub(super) title: &'a str,
    pub(super) number: Option<u64>,
    pub(super) date: &'a str,
    /// The number of the sample's own record.
    pub(super) sample_number: Option<&'a str>,
    pub(super) record_type: &'a str,
}

/// `sample` with the parts in the place of its own.
pub(super) fn titled(sample: &str, parts: &Parts<'_>, is_template: bool) -> String {
    let (sample, anchor) = match sample.rfind("{#") {
        Some(at) if sample.ends_with('}') => (sample[..at].trim_end(), Some(&sample[at..])),
        _ => (sample, None),
    };
    let head = if is_template { from_template(sample, parts) } else { from_record(sample, parts) };
    match anchor {
        Some(anchor) => format!("{head} {}", numbered(anchor, parts)),
        None => head,
    }
}

fn from_record(sample: &str, parts: &Parts<'_>) -> String {
    let rest = title::without_number(sample, parts.sample_number, parts.record_type).unwrap_or_default();
    let Some(at) = sample.rfind(&rest).filter(|_| !rest.is_empty()) else { return parts.title.to_owned() };
    let prefix = &sample[..at];
    let has_date = name::date_length(prefix).is_some();
    let prefix =
        if has_date { format!("{}{}", parts.date, &prefix[name::date_length(prefix).unwrap_or_default()..]) } else { numbered(prefix, parts) };
    format!("{prefix}{}", parts.title)
}

/// The last run of digits (or of letters that stand for them) replaced by the number, in its width where it is padded.
fn numbered(text: &str, parts: &Parts<'_>) -> String {
    let Some(number) = parts.number else { return text.to_owned() };
    let stands = |character: char| character.is_ascii_digit() || matches!(character, 'N' | 'X' | 'n' | 'x');
    let mut run: Option<(usize, usize)> = None;
    let mut at = 0;
    for piece in text.split(|character: char| !character.is_alphanumeric()) {
        if !piece.is_empty() && piece.chars().all(stands) {
            run = Some((at, at + piece.len()));
        }
        at += piece.len() + text[at + piece.len()..].chars().next().map_or(0, char::len_utf8);
    }
    let Some((from, to)) = run else { return text.to_owned() };
    let digits = &text[from..to];
    let is_padded = digits.len() > 1 && !digits.starts_with(|first: char| ('1'..='9').contains(&first));
    let width = if is_padded { digits.len() } else { 1 };
    format!("{}{number:0width$}{}", &text[..from], &text[to..])
}

/// `NUMBER. TITLE`, `{short title …}`, `ADR \{ADR-NUMBER\}: \{TITLE\}`, `ADR NNN: Title`.
fn from_template(sample: &str, parts: &Parts<'_>) -> String {
    let mut out = String::new();
    let mut has_title = false;
    let mut rest = sample;
    // `N) Title`: one letter alone stands for the number where it leads.
    if let Some(behind) = rest.strip_prefix(['N', 'X']).filter(|behind| behind.starts_with(['.', ')', ':']))
        && let Some(number) = parts.number
    {
        out = number.to_string();
        rest = behind;
    }
    while let Some(first) = rest.chars().next() {
        // A hint in brackets behind the title says how to write it.
        if has_title && rest.trim_start().starts_with('(') {
            break;
        }
        let escaped = rest.strip_prefix('\\').unwrap_or(rest);
        let close = match escaped.chars().next() {
            Some('{') => Some('}'),
            Some('[') => Some(']'),
            Some('<') => Some('>'),
            _ => None,
        };
        if let Some(end) = close.and_then(|close| escaped.find(close)) {
            let token = escaped[1..end].trim_matches('\\');
            push(&mut out, token, parts, &mut has_title, true);
            rest = &escaped[end + 1..];
            continue;
        }
        let length = rest.find(|character: char| !character.is_alphanumeric() && !matches!(character, '-' | '_')).unwrap_or(rest.len());
        if length == 0 {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        } else {
            push(&mut out, &rest[..length], parts, &mut has_title, false);
            rest = &rest[length..];
        }
    }
    if has_title {
        return out.trim().to_owned();
    }
    // No place is marked for the title: it follows what is surely a number, else it takes all.
    let kept = sample.find([':', '.', ')']).map(|at| &sample[..=at]).filter(|head| head.split([' ', '-', ':', '.', ')']).any(is_number_token));
    kept.map_or_else(|| parts.title.to_owned(), |head| format!("{} {}", numbered(head, parts), parts.title))
}

fn is_number_token(word: &str) -> bool {
    let upper = word.to_uppercase();
    upper == "NUMBER" || (word.len() >= 2 && ["N", "X", "0"].iter().any(|letter| upper.chars().all(|character| letter.starts_with(character))))
}

fn push(out: &mut String, token: &str, parts: &Parts<'_>, has_title: &mut bool, is_wrapped: bool) {
    let lower = token.to_lowercase();
    let number = parts.number.map(|number| number.to_string()).unwrap_or_default();
    if is_number_token(token) {
        let width = if lower == "number" { 1 } else { token.len() };
        out.push_str(&parts.number.map(|number| format!("{number:0width$}")).unwrap_or_default());
    } else if is_wrapped && (lower.contains("number") || lower.contains("nnn") || lower == "id" || lower == "n") {
        out.push_str(&number);
    } else if lower.contains("yyyy") || (is_wrapped && lower == "date") {
        out.push_str(parts.date);
    } else if (is_wrapped || matches!(token, "TITLE" | "Title" | "title")) && !*has_title {
        out.push_str(parts.title);
        *has_title = true;
    } else if let Some((head, tail)) = token.rsplit_once('-').filter(|(head, tail)| words::type_word(head).is_some() && is_number_token(tail)) {
        let width = tail.len();
        out.push_str(&format!("{head}-{}", parts.number.map(|number| format!("{number:0width$}")).unwrap_or_default()));
    } else if !is_wrapped {
        out.push_str(token);
    }
}

#[cfg(test)]
mod tests {
    use super::{Parts, titled};

    fn shown(sample: &str, sample_number: Option<&str>, is_template: bool) -> String {
        titled(sample, &Parts { title: "Use a log", number: Some(12), date: "2024-01-02", sample_number, record_type: "adr" }, is_template)
    }

    #[test]
    fn headings_keep_the_form_of_a_records_heading() {
        for (sample, number, expected) in [
            ("7. Use a queue", Some("0007"), "12. Use a log"),
            ("0007 - Use a queue", Some("0007"), "0012 - Use a log"),
            ("ADR 007: Use a queue", Some("007"), "ADR 012: Use a log"),
            ("ADR-7 — Use a queue", Some("7"), "ADR-12 — Use a log"),
            ("7) Use a queue {#adr_0007}", Some("0007"), "12) Use a log {#adr_0012}"),
            ("2020-02-03 - Use a queue", None, "2024-01-02 - Use a log"),
            ("Use a queue", Some("0007"), "Use a log"),
        ] {
            assert_eq!(shown(sample, number, false), expected);
        }
    }

    #[test]
    fn a_templates_tokens_are_filled() {
        for (sample, expected) in [
            ("NUMBER. TITLE", "12. Use a log"),
            ("{short title, representative of solved problem}", "Use a log"),
            ("[short title of solved problem and solution]", "Use a log"),
            ("ADR \\{ADR-NUMBER\\}: \\{TITLE\\}", "ADR 12: Use a log"),
            ("ADR NNN: Title", "ADR 012: Use a log"),
            ("ADR-NNN: Any Decision Record Template", "ADR-012: Use a log"),
            ("N) Title (short noun phrase) {#adr_nnnn}", "12) Use a log {#adr_0012}"),
            ("template", "Use a log"),
        ] {
            assert_eq!(shown(sample, None, true), expected);
        }
    }
}
