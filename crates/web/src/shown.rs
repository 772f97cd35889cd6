//! Text of a library as it is shown: what would deceive the eye is made visible, and numbers agree with their nouns.

/// The text with the two controls that turn the order of letters around made visible. Without this `gpj.exe` can look like `exe.jpg`.
///
/// Marks and isolates stay: right-to-left languages need them, and every element of a page is isolated from its neighbours.
pub(crate) fn plain(text: &str) -> String {
    text.replace('\u{202d}', "[U+202D]").replace('\u{202e}', "[U+202E]")
}

/// `1 record`, `2 records`.
pub(crate) fn counted(count: impl Into<i64>, noun: &str) -> String {
    let count: i64 = count.into();
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {noun}{plural}", grouped(count))
}

/// Digits in groups of three: `12,345`.
pub(crate) fn grouped(count: i64) -> String {
    let digits = count.unsigned_abs().to_string();
    let mut shown = String::with_capacity(digits.len() * 4 / 3 + 1);
    if count < 0 {
        shown.push('-');
    }
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped, plain};

    #[test]
    fn numbers_read_well() {
        assert_eq!([0, 7, 999, 1_000, 1_234_567].map(grouped), ["0", "7", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "record"), "1 record");
        assert_eq!(counted(0, "record"), "0 records");
    }

    #[test]
    fn overrides_of_direction_are_seen() {
        assert_eq!(plain("invoice-\u{202e}gpj.exe"), "invoice-[U+202E]gpj.exe");
        assert_eq!(plain("שלום"), "שלום");
    }
}
