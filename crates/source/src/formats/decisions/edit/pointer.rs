//! The other record of a relation, written as the file writes its other links, and recognised when it is read again.

use document::{Syntax, Target};

use super::check::bad;
use super::draft::Draft;
use super::{EditError, Pointer};
use crate::formats::decisions::reader::Gathered;
use crate::formats::decisions::{name, words};

/// Refuses a pointer that would break out of the line in which it is written.
pub(super) fn checked(pointer: &Pointer) -> Result<(), EditError> {
    let parts = [
        ("id", Some(pointer.id.as_str())),
        ("reference", pointer.reference.as_deref()),
        ("number", pointer.number.as_deref()),
        ("title", Some(pointer.title.as_str())),
        ("path", Some(pointer.relative_path.as_str())),
    ];
    for (what, text) in parts {
        let Some(text) = text else { continue };
        if text.trim().is_empty() || text.len() > 2_000 || text.chars().any(char::is_control) {
            return Err(bad(what, text, "it must be one line that says something."));
        }
    }
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if let Some(number) = pointer.number.as_deref().filter(|number| !is_number(number)) {
        return Err(bad("number", number, "it must be digits."));
    }
    if pointer.relative_path.starts_with('/') || pointer.relative_path.contains(['\\', ':']) {
        return Err(bad("path", &pointer.relative_path, "it must lead from the edited file's folder to the other file, with `/`."));
    }
    Ok(())
}

/// Whether a target that the reader found in `path` is the record that `pointer` means.
pub(super) fn names(target: &Target, pointer: &Pointer, path: &str) -> bool {
    let stem = stem(&pointer.relative_path);
    let digits = |text: &str| text.trim_start_matches('0').to_owned();
    match target {
        Target::Path(found) => resolved(path, &pointer.relative_path).is_some_and(|own| {
            // A record that is its folder goes by the folder's path, too.
            own == *found || own.rsplit_once('/').is_some_and(|(folder, file)| folder == found && is_cover(file))
        }),
        Target::Number(number) => pointer.number.as_deref().is_some_and(|own| digits(own) == digits(number)),
        Target::Id(id) => {
            let is_typed = id.rsplit_once('-').is_some_and(|(kind, number)| {
                let own_kind = pointer.id.split('/').nth(1).unwrap_or_default();
                pointer.number.as_deref().is_some_and(|own| digits(own) == digits(number)) && kind.eq_ignore_ascii_case(own_kind)
            });
            *id == pointer.id || *id == stem || is_typed || pointer.reference.as_deref().is_some_and(|reference| reference.eq_ignore_ascii_case(id))
        }
        Target::Web(_) => false,
    }
}

fn resolved(path: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn stem(path: &str) -> &str {
    let last = path.rsplit('/').next().unwrap_or(path);
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    path.rsplit('/').nth(1).filter(|_| is_cover(last)).unwrap_or(stem)
}

/// Whether a file's name is that of the page by which its folder goes.
pub(super) fn is_cover(file: &str) -> bool {
    matches!(file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_lowercase().as_str(), "readme" | "index")
}

/// A link in the markup of the file: its text in the form of the file's own heading or of its other links.
pub(super) fn link(draft: &Draft<'_>, facts: &Gathered<'_>, pointer: &Pointer) -> String {
    let label = label(draft, facts, pointer);
    let address = address(&pointer.relative_path);
    match draft.opened.syntax {
        Syntax::Markdown => format!("[{}]({address})", escaped(&label)),
        Syntax::Rest => format!("`{} <{address}>`_", label.replace(['`', '<', '>'], "'")),
        Syntax::AsciiDoc => pointer.number.as_deref().map_or(address, |number| format!("{} {number}", kind(pointer))),
    }
}

/// The words of a link: `2. Title` where the file's own heading is so, `ADR-0002` where its links or its kind of metadata are.
fn label(draft: &Draft<'_>, facts: &Gathered<'_>, pointer: &Pointer) -> String {
    let title = pointer.title.trim();
    let Some(number) = pointer.number.as_deref() else { return title.to_owned() };
    let short = number.trim_start_matches('0');
    let short = if short.is_empty() { "0" } else { short };
    let heading = facts.title.and_then(|index| facts.parts.get(index)).and_then(|part| part.heading).map(|heading| heading.text);
    let digits = heading.map_or(0, |heading| heading.bytes().take_while(u8::is_ascii_digit).count());
    if let Some(heading) = heading.filter(|_| digits > 0)
        && let Some(mark) = [". ", ") ", " - ", " — ", ": "].into_iter().find(|mark| heading[digits..].starts_with(mark))
    {
        let own = if heading.starts_with('0') { number } else { short };
        return format!("{own}{mark}{title}");
    }
    // Texts of other links to records: `ADR-0005`, `ADR 5`, `0005`.
    let sample = draft.document.record().and_then(|record| {
        record
            .relations
            .iter()
            .filter_map(|relation| relation.raw.split_once('[').and_then(|(_, rest)| rest.split_once(']')))
            .map(|(text, _)| text)
            .next()
    });
    if let Some(sample) = sample {
        let letters = sample.bytes().take_while(u8::is_ascii_alphabetic).count();
        let separator = sample[letters..].chars().next().filter(|mark| matches!(mark, '-' | ' '));
        let digits: &str = separator.map_or("", |mark| &sample[letters + mark.len_utf8()..]);
        let is_code =
            letters > 0 && words::type_word(&sample[..letters]).is_some() && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(mark) = separator.filter(|_| is_code) {
            let own = if digits.starts_with('0') { number } else { short };
            return format!("{}{mark}{own}", &sample[..letters]);
        }
        if !sample.is_empty() && sample.bytes().all(|byte| byte.is_ascii_digit()) {
            return number.to_owned();
        }
        if sample == stem_of_links(sample) && name::read(sample).words.len() < sample.len() {
            return stem(&pointer.relative_path).to_owned();
        }
    }
    if heading.is_none() { format!("{}-{number}", kind(pointer)) } else { code_or_title(draft, pointer, number) }
}

/// A slug in a link's text has no blanks.
fn stem_of_links(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// MADR's lists and headers write `ADR-0005`; other files the title.
fn code_or_title(draft: &Draft<'_>, pointer: &Pointer, number: &str) -> String {
    let is_list = matches!(draft.place_of_status(), Some("list" | "front matter" | "table" | "line"));
    if is_list || pointer.title.trim().is_empty() { format!("{}-{number}", kind(pointer)) } else { pointer.title.trim().to_owned() }
}

/// The pointer's type in upper case, such as `ADR`.
pub(super) fn kind(pointer: &Pointer) -> String {
    let kind = pointer.id.split('/').nth(1).filter(|kind| words::type_word(kind).is_some());
    kind.unwrap_or("adr").to_uppercase()
}

/// A path as a link's address: what would end the link is escaped.
pub(super) fn address(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, ' ' | '(' | ')' | '<' | '>' | '|' | '"' | '%' | '#' | '?' | '`' | '[' | ']' | '*') {
            let mut bytes = [0; 4];
            out.extend(character.encode_utf8(&mut bytes).bytes().map(|byte| format!("%{byte:02X}")));
        } else {
            out.push(character);
        }
    }
    // Without a folder or an extension a path is a word among others.
    if out.contains(['/', '.']) { out } else { format!("./{out}") }
}

/// A title as a link's text.
fn escaped(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for character in title.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '[' | ']' | '|' | '\\' | '`' => out.extend(['\\', character]),
            _ => out.push(character),
        }
    }
    out
}
