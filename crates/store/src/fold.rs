//! Folded text: what is equal for a reader is equal in a column, on both engines and without their functions.

use std::borrow::Cow;

use document::Stamp;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Longest key kept whole, in bytes. PostgreSQL refuses index rows beyond 2,700 bytes, and one index holds several keys.
const KEY_BYTES: usize = 240;

/// The form in which names are compared: composed (NFC) and in lower case.
#[must_use]
pub fn fold(text: &str) -> String {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.to_lowercase(),
        IsNormalized::No | IsNormalized::Maybe => text.nfc().collect::<String>().to_lowercase(),
    }
}

/// The folded text as an index can hold it: long ones keep their beginning and are told apart by a hash of the whole.
pub(crate) fn key(text: &str) -> String {
    let mut folded = fold(text.trim());
    if folded.len() > KEY_BYTES {
        let stamp = Stamp::of(folded.as_bytes());
        let mut end = KEY_BYTES / 2;
        while !folded.is_char_boundary(end) {
            end -= 1;
        }
        folded.truncate(end);
        folded.push_str(stamp.as_str());
    }
    folded
}

/// A number without its leading zeros: `0012` and `12` are one number.
pub(crate) fn number_key(number: &str) -> String {
    let trimmed = number.trim().trim_start_matches('0');
    if trimmed.is_empty() { "0".to_owned() } else { key(trimmed) }
}

/// A reference such as `SRE-ADR-0012` without the leading zeros of its number.
pub(crate) fn reference_key(reference: &str) -> String {
    match reference.trim().rsplit_once('-') {
        Some((head, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            key(&format!("{head}-{}", number_key(number)))
        }
        _ => key(reference),
    }
}

/// Text as both engines can hold it. PostgreSQL has no NUL in text, and SQLite's JSON functions end a string there: NUL travels as SUB and a digit.
pub(crate) fn shield(text: &str) -> Cow<'_, str> {
    if text.bytes().any(|byte| byte == 0 || byte == 0x1a) {
        Cow::Owned(text.replace('\u{1a}', "\u{1a}1").replace('\0', "\u{1a}0"))
    } else {
        Cow::Borrowed(text)
    }
}

/// What [`shield`] was given.
pub(crate) fn unshield(text: String) -> String {
    if !text.contains('\u{1a}') {
        return text;
    }
    let mut whole = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\u{1a}' => whole.push(if characters.next() == Some('0') { '\0' } else { '\u{1a}' }),
            other => whole.push(other),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{fold, key, number_key, reference_key, shield, unshield};

    #[test]
    fn case_composition_and_zeros_do_not_tell_names_apart() {
        assert_eq!(fold("ÄRGER"), fold("a\u{308}rger"));
        assert_eq!(number_key("0012"), number_key("12"));
        assert_eq!(number_key("000"), "0");
        assert_eq!(reference_key("SRE-ADR-0012"), reference_key("sre-adr-12"));
        assert_ne!(reference_key("SRE-ADR-12"), reference_key("SRE-ADR-21"));
    }

    #[test]
    fn long_keys_stay_short_and_different() {
        let long = "ä".repeat(5_000);
        assert!(key(&long).len() < 250);
        assert_ne!(key(&long), key(&(long.clone() + "b")));
    }

    proptest! {
        #[test]
        fn shielding_loses_nothing(text in any::<String>(), tail in "[\0\u{1a}01]{0,6}") {
            let text = text + &tail;
            prop_assert!(!shield(&text).contains('\0'));
            prop_assert_eq!(unshield(shield(&text).into_owned()), text);
        }
    }
}
