//! Long inputs from short ones: what takes more than linear time shows only on texts that libFuzzer would seldom grow by itself.

/// As long as a text is made.
const SWOLLEN_BYTES: usize = 48 * 1024;

/// The line that parts what is repeated from what stands before and after it.
const MARK: &[u8] = b"~~~~\n";

/// The input itself, or, where it ends in the byte 0xFF (which no text holds), the part before it repeated up to 48 KiB. A line `~~~~` ends a beginning
/// that stands once, such as the fence of a front matter; a second one begins an end that does too.
pub fn swell(data: &[u8]) -> Vec<u8> {
    let Some(pattern) = data.strip_suffix(&[0xFF]) else { return data.to_vec() };
    let (first, rest) = split(pattern).unwrap_or((&[], pattern));
    let (repeated, last) = split(rest).unwrap_or((rest, &[]));
    let mut out = first.to_vec();
    if !repeated.is_empty() {
        while out.len() + repeated.len() <= SWOLLEN_BYTES {
            out.extend_from_slice(repeated);
        }
    }
    out.extend_from_slice(last);
    out
}

fn split(pattern: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = pattern.windows(MARK.len()).position(|window| window == MARK)?;
    Some((&pattern[..at], &pattern[at + MARK.len()..]))
}
