//! What a file's or folder's name tells: the record's number, its date, and a title where the text has none.

use super::words;

/// A name's parts that identify a record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Name<'a> {
    /// The number, digits as written.
    pub(super) number: Option<&'a str>,
    /// The date at the name's front, as written; the numbers in it are no record numbers.
    pub(super) date: Option<&'a str>,
    /// The words behind number and date.
    pub(super) words: &'a str,
    /// The name begins with a word for a type, such as `adr-`.
    pub(super) type_word: Option<&'static str>,
}

/// Reads a stem, or the name of a folder that is a record.
pub(super) fn read(stem: &str) -> Name<'_> {
    if let Some(length) = date_length(stem) {
        let rest = &stem[length..];
        let mut name = Name { date: Some(&stem[..length]), words: rest.trim_start_matches(['-', '_', ' ', '.']), ..Name::default() };
        // `2021-03-04_029-slug`: a number of its own stands behind an underscore.
        if let Some(behind) = rest.strip_prefix('_')
            && stem.as_bytes()[4] == b'-'
            && let Some(digits) = leading_number(behind)
            && digits.len() >= 3
        {
            name.number = Some(digits);
            name.words = behind[digits.len()..].trim_start_matches(['-', '_', ' ']);
        }
        return name;
    }
    if let Some(digits) = leading_number(stem) {
        return Name { number: Some(digits), words: stem[digits.len()..].trim_start_matches(['-', '_', '.', ' ']), ..Name::default() };
    }
    prefixed(stem)
}

/// `adr-007-x`, `ADR-7`, `API-012-x`, `ODH-ADR-Operator-0007-x`, `pep-0292`, `adr007-x`.
fn prefixed(stem: &str) -> Name<'_> {
    let mut name = Name { words: stem, ..Name::default() };
    let mut at = 0;
    let mut has_upper_only = true;
    for _ in 0..5 {
        let rest = &stem[at..];
        if at > 0
            && let Some(digits) = leading_number(rest)
        {
            if name.type_word.is_some() || (digits.len() >= 3 && has_upper_only) {
                name.number = Some(digits);
                name.words = rest[digits.len()..].trim_start_matches(['-', '_', '.', ' ']);
            }
            return name;
        }
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = &rest[..length];
        let known = words::type_word(word);
        if let Some(known) = known {
            name.type_word = Some(known);
        } else if !word.starts_with(|character: char| character.is_ascii_uppercase()) || length > 12 {
            return name;
        }
        has_upper_only &= word.len() >= 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
        at += length;
        match stem[at..].chars().next() {
            Some('-' | '_' | ' ') => at += 1,
            Some(digit) if digit.is_ascii_digit() && known.is_some() => {}
            _ => return name,
        }
    }
    name
}

/// Digits at the front that end at a separator or at the end of the name.
fn leading_number(text: &str) -> Option<&str> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let ends = text[length..].chars().next().is_none_or(|next| matches!(next, '-' | '_' | '.' | ' '));
    (length > 0 && length <= 7 && ends).then(|| &text[..length])
}

/// How many bytes of a date (`2021-07-05`, `2021_07_05`, `20210705`, also one that does not exist) stand at the front of a name.
pub(super) fn date_length(stem: &str) -> Option<usize> {
    let bytes = stem.as_bytes();
    let digits = |from: usize, to: usize| bytes.len() >= to && bytes[from..to].iter().all(u8::is_ascii_digit);
    let ends = |at: usize| bytes.get(at).is_none_or(|next| matches!(next, b'-' | b'_' | b'.' | b' '));
    let is_year = bytes.len() >= 4 && (bytes.starts_with(b"19") || bytes.starts_with(b"20"));
    if is_year && digits(0, 4) && digits(5, 7) && digits(8, 10) && matches!(bytes[4], b'-' | b'_' | b'.') && bytes[7] == bytes[4] && ends(10) {
        return Some(10);
    }
    (is_year && digits(0, 8) && ends(8) && (b'0'..=b'1').contains(&bytes[4]) && (b'0'..=b'3').contains(&bytes[6])).then_some(8)
}

/// Whether a name marks its file as a record even outside of the folders that are known for records.
pub(super) fn is_record_like(stem: &str) -> bool {
    let name = read(stem);
    name.number.is_some_and(|number| number.len() >= 2 || name.type_word.is_some()) || name.date.is_some()
}

/// A title from the words of a name: `use-c++-rarely` becomes `Use c++ rarely`; the name itself where it has no words.
pub(super) fn title(stem: &str) -> String {
    let words = read(stem).words;
    let spaced = words.split(['-', '_', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if spaced.is_empty() || spaced.bytes().all(|byte| byte.is_ascii_digit()) {
        return if read(stem).type_word.is_some() { stem.to_uppercase() } else { stem.to_owned() };
    }
    let mut characters = spaced.chars();
    characters.next().map_or(spaced.clone(), |first| first.to_uppercase().chain(characters).collect())
}
