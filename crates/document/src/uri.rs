//! Stable names: the uri of a document for machines and its permalink for people. Going from one to the other and back is the identity.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What stays as it is inside a path segment: RFC 3986 unreserved characters and the few others that read well and are always legal there.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'@').remove(b'+').remove(b',');

/// The longest path and section together, in bytes and decoded, so that what can be named can be named back. A longer one names nothing here.
const MAX_DECODED_BYTES: usize = 4_096;

/// The longest text that is looked at: each byte escaped, and the scheme before them.
const MAX_TEXT_BYTES: usize = 3 * MAX_DECODED_BYTES + 64;

/// The first part of a uri: what sort of thing it names. DESIGN §6 has the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// `decision://{+id}`, web path `/d/{id}`.
    Decision,
    /// `note://{collection}/{+path}`, web path `/n/{collection}/{path}`.
    Note,
    /// `conversation://{id}`, web path `/c/{id}`.
    Conversation,
    /// `message://{id}`, web path `/m/{id}`.
    Message,
    /// `kb://{project_id}/{+path}`, web path `/k/{project}/{path}`.
    Page,
    /// `map://node/{+path}` and the fixed graph resources, web path `/map/{path}`.
    Map,
    /// `skill://{+path}`, web path `/skill/{path}`.
    Skill,
    /// `ibid://guide`, web path `/about/{path}`.
    Ibid,
}

impl Scheme {
    const ALL: [Self; 8] = [Self::Decision, Self::Note, Self::Conversation, Self::Message, Self::Page, Self::Map, Self::Skill, Self::Ibid];

    /// The scheme's name and the first segment of its permalinks.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Decision => ("decision", "d"),
            Self::Note => ("note", "n"),
            Self::Conversation => ("conversation", "c"),
            Self::Message => ("message", "m"),
            Self::Page => ("kb", "k"),
            Self::Map => ("map", "map"),
            Self::Skill => ("skill", "skill"),
            Self::Ibid => ("ibid", "about"),
        }
    }
}

/// A text that is no uri of ibid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UriError {
    /// The text.
    pub text: String,
    /// Why it is none, as a clause.
    pub reason: &'static str,
}

impl std::fmt::Display for UriError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "\"{}\" is no uri of ibid: {}.", self.text, self.reason)
    }
}

impl std::error::Error for UriError {}

/// The name of a document, or of a section of it. Holds decoded text; encoding happens when it is written.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uri {
    scheme: Scheme,
    /// Decoded path with `/` between segments; never empty.
    path: String,
    /// Positional path (`1.2`) or slug of a section.
    section: Option<String>,
}

impl Uri {
    /// The uri of a document. `path` is decoded text such as `sre/adr/0001-define-slos`.
    #[must_use]
    pub fn new(scheme: Scheme, path: impl Into<String>) -> Self {
        Self { scheme, path: path.into(), section: None }
    }

    /// The same document's section.
    #[must_use]
    pub fn with_section(mut self, section: impl Into<String>) -> Self {
        self.section = Some(section.into());
        self
    }

    /// The same document without its section.
    #[must_use]
    pub fn without_section(mut self) -> Self {
        self.section = None;
        self
    }

    /// What sort of thing it names.
    #[must_use]
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The decoded path, which for decision records is their id.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The section it names, if it names one.
    #[must_use]
    pub fn section(&self) -> Option<&str> {
        self.section.as_deref()
    }

    /// Reads the canonical, percent-encoded form.
    ///
    /// # Errors
    /// The text has no known scheme, an empty path, or an escape that is no UTF-8.
    pub fn parse(text: &str) -> Result<Self, UriError> {
        let fail = |reason| UriError { text: text.chars().take(200).collect(), reason };
        let too_long = "it is longer than 4096 bytes";
        if text.len() > MAX_TEXT_BYTES {
            return Err(fail(too_long));
        }
        let (scheme, rest) = Self::split_scheme(text).ok_or_else(|| fail("its scheme is unknown"))?;
        let (path, section) = rest.split_once('#').map_or((rest, None), |(path, section)| (path, Some(section)));
        let decode =
            |part: &str| percent_decode_str(part).decode_utf8().map(std::borrow::Cow::into_owned).map_err(|_| fail("an escape in it is no UTF-8"));
        let path = decode(path)?;
        if path.is_empty() {
            return Err(fail("it names nothing after its scheme"));
        }
        let uri = Self { scheme, path, section: section.map(decode).transpose()? };
        if uri.is_too_long() { Err(fail(too_long)) } else { Ok(uri) }
    }

    fn is_too_long(&self) -> bool {
        self.path.len() + self.section.as_ref().map_or(0, String::len) > MAX_DECODED_BYTES
    }

    /// All ways to understand a text that a client sent, most literal encoding first: escaped with a section, raw with one, and raw without
    /// (a file name may hold `#` or `%41`). Empty when the scheme is none of ours.
    #[must_use]
    pub fn readings(text: &str) -> Vec<Self> {
        let Some((scheme, rest)) = (text.len() <= MAX_TEXT_BYTES).then(|| Self::split_scheme(text)).flatten() else {
            return Vec::new();
        };
        let mut readings: Vec<Self> = Self::parse(text).into_iter().collect();
        let raw_section = rest.rsplit_once('#').map(|(path, section)| Self { scheme, path: path.to_owned(), section: Some(section.to_owned()) });
        let raw = Self { scheme, path: rest.to_owned(), section: None };
        for reading in raw_section.into_iter().chain([raw]) {
            if !reading.path.is_empty() && !reading.is_too_long() && !readings.contains(&reading) {
                readings.push(reading);
            }
        }
        readings
    }

    fn split_scheme(text: &str) -> Option<(Scheme, &str)> {
        let (name, rest) = text.split_once("://")?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.names().0.eq_ignore_ascii_case(name))?;
        Some((scheme, rest))
    }

    /// Web path of the same place, such as `/d/sre/adr/0001-define-slos#1.2`, relative to the site's base.
    #[must_use]
    pub fn permalink(&self) -> String {
        format!("/{}/{}", self.scheme.names().1, self.encoded())
    }

    /// Reads what [`Uri::permalink`] wrote.
    ///
    /// # Errors
    /// The path begins with none of the known first segments, or is empty after it.
    pub fn from_permalink(path: &str) -> Result<Self, UriError> {
        let fail = |reason| UriError { text: path.chars().take(200).collect(), reason };
        let rest = path.strip_prefix('/').ok_or_else(|| fail("a permalink begins with a slash"))?;
        let (first, rest) = rest.split_once('/').ok_or_else(|| fail("it has one segment only"))?;
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.names().1 == first).ok_or_else(|| fail("its first segment is unknown"))?;
        Self::parse(&format!("{}://{rest}", scheme.names().0))
    }

    fn encoded(&self) -> String {
        let mut out = String::with_capacity(self.path.len() + 8);
        for (index, segment) in self.path.split('/').enumerate() {
            if index > 0 {
                out.push('/');
            }
            out.extend(utf8_percent_encode(segment, ENCODED));
        }
        if let Some(section) = &self.section {
            out.push('#');
            out.extend(utf8_percent_encode(section, ENCODED));
        }
        out
    }
}

/// A text without its percent escapes; unchanged where they are no UTF-8.
#[must_use]
pub fn percent_decoded(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), std::borrow::Cow::into_owned)
}

impl std::fmt::Display for Uri {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}://{}", self.scheme.names().0, self.encoded())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Scheme, Uri};

    #[test]
    fn a_section_stands_behind_a_hash_and_everything_else_is_escaped() {
        let uri = Uri::new(Scheme::Decision, "acme/adr/0024-use-#-as-indicator für").with_section("1.2");
        assert_eq!(uri.to_string(), "decision://acme/adr/0024-use-%23-as-indicator%20f%C3%BCr#1.2");
        assert_eq!(uri.permalink(), "/d/acme/adr/0024-use-%23-as-indicator%20f%C3%BCr#1.2");
    }

    #[test]
    fn raw_and_escaped_forms_are_both_understood() {
        let readings = Uri::readings("decision://acme/adr/0024-use-#-as-indicator");
        assert!(readings.contains(&Uri::new(Scheme::Decision, "acme/adr/0024-use-#-as-indicator")));
        let readings = Uri::readings("decision://acme/adr/a%20b");
        assert_eq!(readings[0], Uri::new(Scheme::Decision, "acme/adr/a b"));
        assert!(readings.contains(&Uri::new(Scheme::Decision, "acme/adr/a%20b")));
    }

    #[test]
    fn other_schemes_empty_paths_and_endless_texts_are_refused() {
        assert!(Uri::parse("https://example.org/a").is_err());
        assert!(Uri::parse("decision://").is_err());
        assert!(Uri::parse("decision://%ff").is_err());
        assert!(Uri::parse(&format!("decision://{}", "a".repeat(5_000))).is_err());
        assert!(Uri::readings("no uri at all").is_empty());
    }

    #[test]
    fn a_long_path_in_any_script_keeps_its_permalink() {
        let path = "設".repeat(1_300);
        let uri = Uri::readings(&format!("decision://{path}")).remove(0);
        assert_eq!(uri.path(), path);
        assert_eq!(Uri::from_permalink(&uri.permalink()), Ok(uri.clone()));
        assert_eq!(Uri::readings(&uri.to_string()), [uri], "its escaped form, taken literally, would be too long for a name");
    }

    proptest! {
        #[test]
        fn uri_to_permalink_to_uri_is_the_identity(
            scheme in prop::sample::select(Scheme::ALL.to_vec()),
            path in "[^/]{1,12}(/[^/]{1,12}){0,3}",
            section in prop::option::of("[a-z0-9.-]{1,8}"),
        ) {
            let mut uri = Uri::new(scheme, path);
            if let Some(section) = section {
                uri = uri.with_section(section);
            }
            prop_assert_eq!(&Uri::from_permalink(&uri.permalink()).unwrap(), &uri);
            prop_assert_eq!(&Uri::parse(&uri.to_string()).unwrap(), &uri);
            prop_assert_eq!(&Uri::readings(&uri.to_string())[0], &uri);
        }
    }
}
