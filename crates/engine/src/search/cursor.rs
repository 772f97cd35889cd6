//! Cursors: opaque and stateless. They hold where to go on and a fingerprint of the question, so that one cannot be used for another.

use document::Stamp;

use crate::{Error, Result};

/// A cursor for `offset` of the question with this fingerprint.
pub(super) fn write(offset: usize, fingerprint: &str) -> String {
    format!("{offset:x}-{}", check(offset, fingerprint))
}

/// The offset in a cursor.
pub(super) fn read(cursor: &str, fingerprint: &str) -> Result<usize> {
    let shown: String = cursor.chars().take(80).collect();
    let bad = |reason: &str| {
        Error::bad_input(format!("cursor \"{shown}\" {reason}."))
            .hint("Use next_cursor of the last answer with the same other arguments, or leave cursor out to begin again.")
    };
    let (offset, check_sum) = cursor.split_once('-').ok_or_else(|| bad("is none of ours"))?;
    let offset = usize::from_str_radix(offset, 16).map_err(|_| bad("is none of ours"))?;
    if check_sum == check(offset, fingerprint) { Ok(offset) } else { Err(bad("belongs to another question")) }
}

fn check(offset: usize, fingerprint: &str) -> String {
    Stamp::of(format!("{offset}\n{fingerprint}").as_bytes()).as_str()["sha256:".len()..][..12].to_owned()
}

#[cfg(test)]
mod tests {
    use super::{read, write};

    #[test]
    fn a_cursor_serves_its_own_question_only() {
        assert_eq!(read(&write(40, "kafka"), "kafka"), Ok(40));
        assert!(read(&write(40, "kafka"), "pulsar").unwrap_err().message.contains("another question"));
        for cursor in ["", "x", "zz-00", "10", "28-"] {
            assert!(read(cursor, "kafka").is_err(), "{cursor}");
        }
    }
}
