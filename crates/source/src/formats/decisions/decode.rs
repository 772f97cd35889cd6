//! Bytes to text, with every oddity said.

use document::{Problem, Severity};

/// The text of a file's bytes. Bytes that are no UTF-8 become replacement characters; a file with NUL bytes has no text.
pub(super) fn text(path: &str, bytes: &[u8]) -> (String, Vec<Problem>) {
    if let Some(wide) = utf16(bytes) {
        let problem = Problem::new("not-utf-8", Severity::Warning, path, "The file is UTF-16; it was decoded.").at_line(1);
        return (wide, vec![problem.hint("Save it as UTF-8.")]);
    }
    if bytes.contains(&0) {
        let problem = Problem::new("binary-file", Severity::Error, path, "The file holds NUL bytes, so it is binary and has no text to read.");
        return (String::new(), vec![problem.hint("Move it out of the records folder, or restore the text file.")]);
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), Vec::new()),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = u32::try_from(before.iter().filter(|byte| **byte == b'\n').count() + 1).unwrap_or(u32::MAX);
            let problem =
                Problem::new("not-utf-8", Severity::Warning, path, format!("Bytes on line {line} are no UTF-8; they read as U+FFFD.")).at_line(line);
            (String::from_utf8_lossy(bytes).into_owned(), vec![problem.hint("Save the file as UTF-8.")])
        }
    }
}

/// Text behind a UTF-16 byte order mark.
fn utf16(bytes: &[u8]) -> Option<String> {
    let is_little = match bytes {
        [0xFF, 0xFE, ..] => true,
        [0xFE, 0xFF, ..] => false,
        _ => return None,
    };
    let units = bytes[2..]
        .chunks_exact(2)
        .map(|pair| if is_little { u16::from_le_bytes([pair[0], pair[1]]) } else { u16::from_be_bytes([pair[0], pair[1]]) });
    Some(char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect::<String>().replace('\0', "\u{FFFD}"))
}
