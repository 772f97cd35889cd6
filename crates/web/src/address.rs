//! Addresses inside the site: queries that are written, and paths that are trusted.

use document::{Scheme, Uri};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The longest path that a sign-in leads back to, in bytes.
const MAX_NEXT_BYTES: usize = 8 * 1_024;

/// What needs no escape in a query or fragment.
const PLAIN: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A path with a query; pairs without a value are left out.
pub(crate) fn with_query<'a>(path: &str, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut address = path.to_owned();
    let mut separator = '?';
    for (name, value) in pairs.into_iter().filter(|(_, value)| !value.is_empty()) {
        address.push(separator);
        address.push_str(name);
        address.push('=');
        address.extend(utf8_percent_encode(value, PLAIN));
        separator = '&';
    }
    address
}

/// A fragment that leads to an anchor of the page.
pub(crate) fn to_anchor(anchor: &str) -> String {
    std::iter::once("#").chain(utf8_percent_encode(anchor, PLAIN)).collect()
}

/// The page of a record.
pub(crate) fn of_record(id: &str) -> String {
    Uri::new(Scheme::Decision, id).permalink()
}

/// `next` if it is a path of this site that is worth going back to, else the home page: a sign-in must not send people elsewhere.
pub(crate) fn local(next: Option<&str>) -> &str {
    let is_local = |path: &&str| {
        path.len() <= MAX_NEXT_BYTES
            && path.starts_with('/')
            // Browsers take a second slash of either sort for the start of a host.
            && !path[1..].starts_with(['/', '\\'])
            // Also keeps out line ends, which would end a header, and blanks, which browsers trim.
            && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\')
            && !path.starts_with("/sign-")
    };
    next.filter(is_local).unwrap_or("/")
}

#[cfg(test)]
mod tests {
    use super::{local, to_anchor, with_query};

    #[test]
    fn queries_are_escaped_and_empty_pairs_left_out() {
        assert_eq!(with_query("/records", [("project", "a b&c"), ("tag", ""), ("query", "ü\"")]), "/records?project=a%20b%26c&query=%C3%BC%22");
        assert_eq!(with_query("/records", [("tag", "")]), "/records");
        assert_eq!(to_anchor("größe \"x"), "#gr%C3%B6%C3%9Fe%20%22x");
    }

    #[test]
    fn a_sign_in_leads_nowhere_else() {
        for path in ["/", "/d/sre/adr/0001-x?lines=1-2&stamp=ab", "/records?query=a//b"] {
            assert_eq!(local(Some(path)), path);
        }
        for path in [
            "https://evil.example",
            "//evil.example",
            "/\\evil.example",
            "\\\\evil.example",
            "javascript:alert(1)",
            "evil",
            "",
            "/a\r\nSet-Cookie: x=1",
            "/ä",
            "/\t/evil.example",
            "/sign-in?code=1",
            "/sign-out",
        ] {
            assert_eq!(local(Some(path)), "/", "{path:?}");
        }
        assert_eq!(local(None), "/");
    }
}
