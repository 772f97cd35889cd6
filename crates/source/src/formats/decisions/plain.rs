//! Inline markup to plain words: what a person reads of a metadata value or a title.

/// How far a bracket's partner is searched, in bytes; keeps reading linear on hostile input.
const REACH: usize = 1_000;

/// Text without HTML comments; an unclosed comment takes the rest.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        out.push_str(&rest[..start]);
        match rest[start..].find("-->") {
            Some(end) => rest = &rest[start + end + 3..],
            None => return out,
        }
    }
    out.push_str(rest);
    out
}

/// The longest value that is looked at, in bytes.
const LONGEST: usize = 10_000;

/// Text cut to what is looked at of one value.
pub(super) fn clipped(text: &str) -> &str {
    let mut end = text.len().min(LONGEST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Plain words of inline Markdown or reST: links become their text; images, comments, tags, emphasis and code marks go; white space is joined.
pub(super) fn words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    inline(&without_comments(clipped(text)), &mut out, 0);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn inline(text: &str, out: &mut String, depth: usize) {
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = character.len_utf8();
        match character {
            '\\' => {
                let next = rest[length..].chars().next().filter(char::is_ascii_punctuation);
                out.push(next.unwrap_or('\\'));
                at += length + next.map_or(0, char::len_utf8);
            }
            '!' if rest.starts_with("![") => at += link(&rest[1..]).map_or(length, |link| link.length + 1),
            '[' if depth < 6 => match link(rest) {
                Some(link) if link.target.is_some() => {
                    inline(link.text, out, depth + 1);
                    at += link.length;
                }
                _ => {
                    out.push('[');
                    at += length;
                }
            },
            '<' => at += tag(rest, out),
            '~' if rest.starts_with("~~") => match rest[2..].get(..REACH.min(rest.len() - 2)).and_then(|inner| inner.find("~~")) {
                Some(end) if !rest[2 + end + 2..].trim().is_empty() || !out.trim().is_empty() => at += end + 4,
                _ => at += 2,
            },
            '`' => at += code(rest, out),
            ':' => {
                // A reST role says how to show what follows; its name is no word of the text.
                let name = rest[1..].bytes().take_while(|byte| byte.is_ascii_alphabetic() || *byte == b'-').count();
                let is_role = name > 0 && rest[1 + name..].starts_with(":`");
                if !is_role {
                    out.push(':');
                }
                at += if is_role { name + 2 } else { 1 };
            }
            '*' => at += length,
            '_' if is_emphasis(text, at) => at += length,
            _ => {
                out.push(character);
                at += length;
            }
        }
    }
}

/// Passes a code mark; of reST's `` `text <address>`_ `` only the text is written. Returns how many bytes were read.
fn code(rest: &str, out: &mut String) -> usize {
    let end = rest.bytes().skip(1).take(400).position(|byte| byte == b'`').map(|end| end + 1);
    let Some((end, inner)) = end.map(|end| (end, &rest[1..end])) else { return 1 };
    match inner.strip_suffix('>').and_then(|inner| inner.rsplit_once(" <")) {
        Some((text, _)) => {
            out.push_str(text);
            end + 1 + rest[end + 1..].bytes().take_while(|byte| *byte == b'_').count()
        }
        None => 1,
    }
}

/// An underscore at a word's border marks emphasis; one inside a word belongs to it.
fn is_emphasis(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at + 1..].chars().next();
    let inner = |character: Option<char>| character.is_some_and(|character| character.is_alphanumeric());
    !(inner(before) && inner(after))
        && (before == Some('_') || after == Some('_') || inner(before) != inner(after))
        && text.matches('_').take(2).count() == 2
}

/// Passes a tag, or writes an autolink's address. Returns how many bytes were read.
fn tag(rest: &str, out: &mut String) -> usize {
    let end = rest.bytes().take(REACH).position(|byte| byte == b'>');
    match end.map(|end| &rest[1..end]) {
        Some(inner) if inner.starts_with("http") => {
            out.push_str(inner);
            inner.len() + 2
        }
        Some(inner)
            if inner.starts_with(|first: char| first.is_ascii_alphabetic() || first == '/') && !inner.contains('@') && !inner.contains("  ") =>
        {
            if inner.to_lowercase().starts_with("br") {
                out.push(' ');
            }
            inner.len() + 2
        }
        _ => {
            out.push('<');
            1
        }
    }
}

/// A link as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct InlineLink<'a> {
    /// Between the brackets.
    pub(super) text: &'a str,
    /// Address, or the label of a reference; `None` for brackets alone.
    pub(super) target: Option<LinkTarget<'a>>,
    /// Bytes from the opening bracket to the end.
    pub(super) length: usize,
}

/// Where an inline link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkTarget<'a> {
    /// `(address)`.
    Address(&'a str),
    /// `[label]`.
    Label(&'a str),
}

/// The link whose opening bracket begins `rest`.
pub(super) fn link(rest: &str) -> Option<InlineLink<'_>> {
    let close = partner(rest, b'[', b']')?;
    let text = &rest[1..close];
    let behind = &rest[close + 1..];
    if behind.starts_with('(')
        && let Some(end) = partner(behind, b'(', b')')
    {
        let inside = behind[1..end].trim();
        let address =
            inside.strip_prefix('<').and_then(|inner| inner.split('>').next()).unwrap_or_else(|| inside.split_whitespace().next().unwrap_or(""));
        return Some(InlineLink { text, target: Some(LinkTarget::Address(address)), length: close + 1 + end + 1 });
    }
    if behind.starts_with('[')
        && let Some(end) = partner(behind, b'[', b']')
    {
        let label = &behind[1..end];
        let label = if label.trim().is_empty() { text } else { label };
        return Some(InlineLink { text, target: Some(LinkTarget::Label(label)), length: close + 1 + end + 1 });
    }
    Some(InlineLink { text, target: None, length: close + 1 })
}

/// Index of the bracket that closes the one at the front.
pub(super) fn partner(rest: &str, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (index, byte) in rest.bytes().enumerate().take(REACH) {
        if is_escaped {
            is_escaped = false;
        } else if byte == b'\\' {
            is_escaped = true;
        } else if byte == open {
            depth += 1;
        } else if byte == close {
            depth -= 1;
            if depth == 0 {
                return Some(index);
            }
        }
    }
    None
}

/// Whether a character is an emoji or one of the marks that join them.
pub(super) fn is_emoji(character: char) -> bool {
    matches!(u32::from(character),
        0x00A9 | 0x00AE | 0x200D | 0x203C | 0x2049 | 0x20E3 | 0x2122 | 0x2139 | 0x2190..=0x21FF | 0x2300..=0x27BF | 0x2900..=0x297F | 0x2B00..=0x2BFF
        | 0x3030 | 0x303D | 0x3297 | 0x3299 | 0xFE00..=0xFE0F | 0x1F000..=0x1FAFF | 0xE0020..=0xE007F)
}

/// Text without emoji, arrows kept, and without `:shortcodes:`.
pub(super) fn without_emoji(text: &str) -> String {
    let kept: String = text.chars().filter(|character| !is_emoji(*character) || matches!(character, '→' | '⇒')).collect();
    let mut out = String::with_capacity(kept.len());
    let mut rest = kept.as_str();
    while let Some(start) = rest.find(':') {
        let inner = &rest[start + 1..];
        let length =
            inner.bytes().take_while(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'+' | b'-')).count();
        let is_code = length >= 2 && inner[length..].starts_with(':') && inner[..length].contains(|character: char| character.is_ascii_lowercase());
        out.push_str(&rest[..start]);
        if is_code {
            rest = &inner[length + 1..];
        } else {
            out.push(':');
            rest = inner;
        }
    }
    out.push_str(rest);
    out
}
