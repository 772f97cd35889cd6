//! The stamp: which bytes exactly were read.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// `sha256:` and 64 hex digits, over the exact bytes of a file. What `if_version` compares.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stamp(String);

impl Stamp {
    /// The stamp of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut text = String::with_capacity(71);
        text.push_str("sha256:");
        for byte in Sha256::digest(bytes) {
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// Reads a stamp as it was written by [`Stamp::as_str`]; `None` where it is not of that form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("sha256:")?;
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        (digits.len() == 64 && is_hex).then(|| Self(text.to_owned()))
    }

    /// The text form.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Stamp {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Stamp;

    #[test]
    fn a_stamp_is_the_sha256_of_the_bytes_and_reads_back() {
        // The well-known digest of the empty string (FIPS 180-4 examples).
        let empty = Stamp::of(b"");
        assert_eq!(empty.as_str(), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(Stamp::parse(empty.as_str()), Some(empty));
        assert_eq!(Stamp::parse("sha256:XYZ"), None);
        assert_eq!(Stamp::parse("md5:00"), None);
    }
}
