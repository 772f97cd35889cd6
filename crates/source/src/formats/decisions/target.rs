//! What a relation points at: links, paths, numbers and ids as people write them.

use std::collections::HashMap;

use document::{Scheme, Target, Uri};

use super::plain::{self, LinkTarget};
use super::{name, words};

/// What must be known of a record to understand where its links lead.
pub(super) struct Surroundings<'a> {
    /// Path of the record's file.
    pub(super) path: &'a str,
    pub(super) record_type: &'a str,
    /// Reference definitions, labels in lower case.
    pub(super) definitions: HashMap<String, String>,
}

/// The reference definitions (`[label]: address`) of a text.
pub(super) fn definitions(text: &str) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for line in text.lines() {
        let trimmed = line.trim_start();
        if line.len() - trimmed.len() > 3 || !trimmed.starts_with('[') || trimmed.starts_with("[^") {
            continue;
        }
        if let Some(end) = trimmed.find("]:") {
            let label = trimmed[1..end].replace('\\', "").to_lowercase();
            if let Some(address) = trimmed[end + 2..].split_whitespace().next() {
                found.entry(label).or_insert_with(|| address.trim_matches(['<', '>']).to_owned());
            }
        }
    }
    found
}

/// How much may be taken for a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Links and names only.
    Named,
    /// A number alone, too: right behind a verb, or as a metadata value.
    Numbers,
}

impl Surroundings<'_> {
    /// The target that begins at byte `at`, and where it ends. The inner `None` is a link that leads to no record, such as an anchor.
    pub(super) fn target_at(&self, text: &str, at: usize, trust: Trust) -> Option<(Option<Target>, usize)> {
        let rest = &text[at..];
        match rest.chars().next()? {
            '[' => self.bracket(rest).map(|(target, length)| (target, at + length)),
            '<' => {
                let inner = rest[1..].split('>').next().filter(|inner| inner.starts_with("http"))?;
                Some((self.address(inner), at + inner.len() + 2))
            }
            '`' => {
                let end = rest[1..].find('`').filter(|end| *end <= 400)? + 1;
                let inner = &rest[1..end];
                let behind = at + end + 1 + rest[end + 1..].bytes().take_while(|byte| *byte == b'_').count();
                if let Some((_, address)) = inner.strip_suffix('>').and_then(|inner| inner.rsplit_once('<')) {
                    return Some((self.address(address), behind));
                }
                let (target, length) = self.word(inner, Trust::Numbers)?;
                (length == inner.len()).then_some((Some(target), behind))
            }
            ':' => self.role(rest).map(|(target, length)| (Some(target), at + length)),
            first if first.is_alphanumeric() || matches!(first, '.' | '/' | '#' | '№') => {
                let (target, length) = self.word(rest, trust)?;
                Some((Some(target), at + length))
            }
            _ => None,
        }
    }

    /// `[text](address)`, `[text][label]`, `[label]`.
    fn bracket(&self, rest: &str) -> Option<(Option<Target>, usize)> {
        let link = plain::link(rest)?;
        let label = |label: &str| self.definitions.get(&label.replace('\\', "").to_lowercase());
        let address = match link.target {
            Some(LinkTarget::Address(address)) => Some(address),
            Some(LinkTarget::Label(name)) => label(name).map(String::as_str),
            None => label(link.text).map(String::as_str),
        };
        match (address, link.target) {
            (Some(address), _) => {
                let target = self.address(address);
                // A link to nowhere yet (`[ADR-0005]()`, `[ADR-0005](#)`) still names its target.
                let named = || self.word(link.text.trim(), Trust::Named).map(|(target, _)| target);
                let is_blank = address.is_empty() || address == "#";
                Some((target.or_else(|| is_blank.then(named).flatten()), link.length))
            }
            // Brackets without an address: a list such as `[0027, 0029]`, or a name in brackets.
            (None, Some(_)) => self.word(link.text.trim(), Trust::Named).map(|(target, _)| (Some(target), link.length)),
            (None, None) => {
                let (target, length) = self.word(link.text.trim(), Trust::Numbers)?;
                (length == link.text.trim().len()).then_some((Some(target), link.length))
            }
        }
    }

    /// `` :pep:`8` ``, `` :ref:`text <label>` ``, `` :doc:`0005-x` ``.
    fn role(&self, rest: &str) -> Option<(Target, usize)> {
        let (name, inner) = rest[1..].split_once(":`")?;
        let fits = !name.is_empty() && name.len() <= 20 && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
        let end = inner.find('`').filter(|end| fits && *end <= 400)?;
        let content = &inner[..end];
        let length = 1 + name.len() + 2 + end + 1;
        let label = content.strip_suffix('>').and_then(|content| content.rsplit_once('<')).map_or(content, |(_, label)| label).trim();
        let target = match words::type_word(name) {
            Some(_) => self.typed(name, label),
            None => self.word(label, Trust::Numbers).map_or_else(|| Target::Id(label.to_owned()), |(target, _)| target),
        };
        Some((target, length))
    }

    /// A target written as a word: a path, a slug, an id, a number.
    fn word(&self, rest: &str, trust: Trust) -> Option<(Target, usize)> {
        if ["http://", "https://", "decision://"].iter().any(|scheme| rest.starts_with(scheme)) {
            let length = rest
                .find(|character: char| character.is_whitespace() || matches!(character, ')' | '>' | ']' | ',' | ';' | '|'))
                .unwrap_or(rest.len());
            let address = rest[..length].trim_end_matches(['.', ':']);
            return self.address(address).map(|target| (target, address.len()));
        }
        let length = rest.find(|character: char| {
            character.is_whitespace()
                || matches!(character, ',' | ';' | '(' | ')' | '[' | ']' | '<' | '>' | '"' | '\'' | '|' | '`' | '*' | ':' | '—' | '–')
        });
        let token = rest[..length.unwrap_or(rest.len())].trim_end_matches(['.', '!', '?', '-']);
        if token.is_empty() {
            return None;
        }
        if let Some(found) = self.path_word(token) {
            return Some((found, token.len()));
        }
        if let Some(digits) = token.strip_prefix(['#', '№']).filter(|digits| is_number(digits)) {
            return (trust == Trust::Numbers).then(|| (Target::Number(digits.to_owned()), token.len()));
        }
        if token.starts_with(|first: char| first.is_ascii_digit()) {
            return numeric_word(token, trust).map(|target| (target, token.len()));
        }
        self.prefixed_word(rest, token)
    }

    fn path_word(&self, token: &str) -> Option<Target> {
        let extension = token.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase());
        let is_file = matches!(extension.as_deref(), Some("md" | "mdx" | "markdown" | "rst" | "adoc"));
        if !is_file && !token.contains('/') {
            return None;
        }
        let last = token.trim_end_matches('/').rsplit('/').next().unwrap_or(token);
        let is_path = token.starts_with('/') || token.starts_with("./") || token.starts_with("../");
        if !is_file && !is_path && !name::is_record_like(last) && !is_number(last) {
            return None;
        }
        let first = token.split('/').next().unwrap_or_default();
        if is_file && first.starts_with('.')
            || token.starts_with('/')
            || token.starts_with("../")
            || token.starts_with("./")
            || (is_file && !token.contains('/'))
        {
            return self.address(token);
        }
        // A path from the root of the collection begins as the record's own path does; anything else with slashes is an id.
        if self.path.split('/').next() == Some(first) && self.path.contains('/') {
            return Some(Target::Path(token.trim_matches('/').to_owned()));
        }
        if is_file { self.address(token) } else { Some(Target::Id(token.trim_matches('/').to_owned())) }
    }

    /// `ADR-0123`, `ADR 0123`, `PEP 8`, `ODH-ADR-0001`, `ARCH-014`, `adr-007-some-words`.
    fn prefixed_word(&self, rest: &str, token: &str) -> Option<(Target, usize)> {
        let singular = token.strip_suffix('s').unwrap_or(token);
        let is_type = words::type_word(singular).is_some() || matches!(singular.to_lowercase().as_str(), "record" | "decision" | "no" | "number");
        if is_type {
            let behind = rest[token.len()..].trim_start_matches('.');
            let gap = behind.len() - behind.trim_start_matches([' ', '\u{a0}']).len();
            let digits = behind[gap..].trim_start_matches(['#', '№']);
            let length = digits.bytes().take_while(u8::is_ascii_digit).count();
            let ends = digits[length..].chars().next().is_none_or(|next| !next.is_alphanumeric() && next != '-');
            let total = rest.len() - digits.len() + length;
            return (length > 0 && length <= 6 && ends && gap <= 2).then(|| (self.typed(singular, &digits[..length]), total));
        }
        let number_at = token.rfind(['-', '_', '#']).map(|at| at + 1)?;
        let (prefix, digits) = (&token[..number_at - 1], &token[number_at..]);
        let prefix_fits = !prefix.is_empty() && prefix.chars().all(|character| character.is_ascii_alphabetic() || matches!(character, '-' | '_'));
        if is_number(digits) && prefix_fits {
            let is_known = prefix.split(['-', '_']).any(|word| words::type_word(word).is_some());
            let is_code = prefix.chars().all(|character| !character.is_lowercase()) && digits.len() >= 2;
            return (is_known || is_code).then(|| (self.typed(prefix, digits), token.len()));
        }
        let read = name::read(token);
        (read.number.is_some() && !read.words.is_empty()).then(|| (Target::Id(token.to_owned()), token.len()))
    }

    /// A number of the record's own type, or an id of another one.
    fn typed(&self, prefix: &str, digits: &str) -> Target {
        let lower = prefix.to_lowercase();
        let is_own =
            lower == self.record_type || matches!(lower.as_str(), "record" | "decision" | "no" | "number") || self.record_type == format!("{lower}s");
        if is_own { Target::Number(digits.to_owned()) } else { Target::Id(format!("{prefix}-{digits}")) }
    }

    /// Where a link's address leads, seen from the record's folder.
    pub(super) fn address(&self, address: &str) -> Option<Target> {
        let address = address.trim();
        if address.starts_with("http://") || address.starts_with("https://") {
            return Some(Target::Web(address.to_owned()));
        }
        if let Some(uri) = Uri::readings(address).into_iter().find(|uri| uri.scheme() == Scheme::Decision) {
            return Some(Target::Id(uri.path().to_owned()));
        }
        if address.is_empty() || address.starts_with(['#', '@']) || address.contains(':') {
            return None;
        }
        let bare = address.split(['#', '?']).next().unwrap_or_default();
        let decoded = document::percent_decoded(bare);
        if let Some(absolute) = decoded.strip_prefix('/') {
            let last = absolute.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
            return Some(if is_number(last) { Target::Number(last.to_owned()) } else { Target::Path(absolute.trim_matches('/').to_owned()) });
        }
        let mut parts: Vec<&str> = self.path.split('/').collect();
        parts.pop();
        for part in decoded.split('/') {
            match part {
                "" | "." => {}
                // Above the collection's root the way up stays in the path: another collection may lie there.
                ".." if parts.last().is_none_or(|last| *last == "..") => parts.push(part),
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.last().is_some_and(|last| *last != "..").then(|| Target::Path(parts.join("/")))
    }
}

/// `0303`, `0005-some-words`, `20200101-some-words`; dates and versions are none.
fn numeric_word(token: &str, trust: Trust) -> Option<Target> {
    let read = name::read(token);
    if is_number(token) {
        return (trust == Trust::Numbers).then(|| Target::Number(token.to_owned()));
    }
    let is_slug = (read.number.is_some() || read.date.is_some()) && read.words.chars().any(char::is_alphabetic) && token.contains(['-', '_']);
    is_slug.then(|| Target::Id(token.to_owned()))
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.len() <= 6 && text.bytes().all(|byte| byte.is_ascii_digit())
}
