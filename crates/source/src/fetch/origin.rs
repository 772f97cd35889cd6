//! The one site that may be asked: its address as a person gives it, and the addresses below it.

use reqwest::Url;

/// The longest address that is accepted, in bytes.
const MAX_LENGTH: usize = 2_000;

/// Why an address is not that of a published site.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OriginError {
    /// It is no address that begins with `http://` or `https://` and names a host.
    #[error("--url must be the address of a published site")]
    NotASite,
    /// It holds a user name or a password.
    #[error("the address of a published site must hold no user name and no password; a token goes into a variable")]
    Userinfo,
    /// It has a query or a fragment.
    #[error("the address of a published site must have no `?` and no `#`; give it up to its base path")]
    QueryOrFragment,
}

/// A site's scheme, host, port and base path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Its path ends with `/`.
    base: Url,
}

impl Origin {
    /// Reads an address such as `https://example.org/decisions`. Slashes at its end do not count.
    ///
    /// # Errors
    /// [`OriginError`].
    pub fn parse(address: &str) -> Result<Self, OriginError> {
        let address = address.trim();
        if address.len() > MAX_LENGTH || address.chars().any(|character| character.is_control() || character.is_whitespace() || character == '\\') {
            return Err(OriginError::NotASite);
        }
        let has_scheme =
            ["http://", "https://"].iter().any(|scheme| address.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        let mut base = Url::parse(address).ok().filter(|url| has_scheme && url.has_host()).ok_or(OriginError::NotASite)?;
        // Between scheme and host, an empty user name is one too.
        let authority = address.split("//").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
        if authority.contains('@') || !base.username().is_empty() || base.password().is_some() {
            return Err(OriginError::Userinfo);
        }
        if base.query().is_some() || base.fragment().is_some() {
            return Err(OriginError::QueryOrFragment);
        }
        let path = format!("{}/", base.path().trim_end_matches('/'));
        base.set_path(&path);
        Ok(Self { base })
    }

    /// The address without a slash at its end, to which `/decisions.json` is appended.
    #[must_use]
    pub fn address(&self) -> &str {
        self.base.as_str().trim_end_matches('/')
    }

    /// The address below the base whose path has these parts, percent-encoded. `None` where a part is empty, `.` or `..`.
    pub(super) fn below(&self, parts: &[&str]) -> Option<Url> {
        let is_part = |part: &&str| !part.is_empty() && *part != "." && *part != ".." && !part.chars().any(char::is_control);
        if parts.is_empty() || !parts.iter().all(is_part) {
            return None;
        }
        let mut url = self.base.clone();
        url.path_segments_mut().ok()?.pop_if_empty().extend(parts);
        url.path().starts_with(self.base.path()).then_some(url)
    }

    /// Whether a redirect from `from` to `to` stays on the site: the same scheme, host and port, or from http to https on the same host.
    pub(super) fn stays(&self, from: &Url, to: &Url) -> bool {
        let is_same_host = to.host() == self.base.host() && to.host().is_some() && to.username().is_empty() && to.password().is_none();
        let is_upgrade = from.scheme() == "http" && to.scheme() == "https" && to.port_or_known_default() == Some(443);
        let is_same = from.scheme() == to.scheme() && from.port_or_known_default() == to.port_or_known_default();
        is_same_host && (is_same || is_upgrade)
    }

    /// Whether what is sent there can be read by others on the way.
    pub(super) fn is_in_clear(&self) -> bool {
        let is_here = self.base.host_str().is_some_and(|host| {
            let bare = host.trim_matches(['[', ']']);
            host == "localhost" || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        });
        self.base.scheme() == "http" && !is_here
    }
}

#[cfg(test)]
mod tests {
    use super::{Origin, OriginError};

    #[test]
    fn an_address_keeps_its_base_path_and_loses_its_slashes() {
        for (given, address) in [
            ("https://decisions.example.org", "https://decisions.example.org"),
            ("HTTPS://Decisions.Example.org:443///", "https://decisions.example.org"),
            ("http://127.0.0.1:8080/base/path//", "http://127.0.0.1:8080/base/path"),
            ("https://münchen.example/a b".replace(' ', "%20").as_str(), "https://xn--mnchen-3ya.example/a%20b"),
        ] {
            assert_eq!(Origin::parse(given).expect(given).address(), address);
        }
    }

    #[test]
    fn what_is_no_address_of_a_site_is_refused() {
        for given in ["", "decisions.example.org", "ftp://example.org", "file:///etc/passwd", "https://", "http:example.org", "javascript:alert(1)"] {
            assert_eq!(Origin::parse(given), Err(OriginError::NotASite), "{given}");
        }
        assert_eq!(OriginError::NotASite.to_string(), "--url must be the address of a published site");
        for given in ["https://me:secret@example.org", "https://@example.org/", "https://me@example.org"] {
            assert_eq!(Origin::parse(given), Err(OriginError::Userinfo), "{given}");
        }
        for given in ["https://example.org/?a", "https://example.org/a#b"] {
            assert_eq!(Origin::parse(given), Err(OriginError::QueryOrFragment), "{given}");
        }
    }

    #[test]
    fn parts_of_a_path_never_leave_the_base() {
        let origin = Origin::parse("https://example.org/base").expect("an address");
        let below = |parts: &[&str]| origin.below(parts).map(|url| url.to_string());
        assert_eq!(below(&["sre", "adr", "0001-a b?#%2f.md"]).as_deref(), Some("https://example.org/base/sre/adr/0001-a%20b%3F%23%252f.md"));
        assert_eq!(below(&["a/b"]).as_deref(), Some("https://example.org/base/a%2Fb"));
        for parts in [&["..", "x"][..], &["."], &[""], &[], &["a", "\0"], &["a", "", "b"]] {
            assert_eq!(below(parts), None, "{parts:?}");
        }
    }

    #[test]
    fn a_redirect_stays_on_the_host_and_never_goes_back_to_http() {
        let url = |text: &str| reqwest::Url::parse(text).expect("an address");
        let origin = Origin::parse("http://example.org/base").expect("an address");
        let stays = |from: &str, to: &str| origin.stays(&url(from), &url(to));
        assert!(stays("http://example.org/base/a", "http://example.org/other"));
        assert!(stays("http://example.org/base/a", "https://example.org/base/a"));
        assert!(!stays("https://example.org/base/a", "http://example.org/base/a"));
        assert!(!stays("http://example.org/a", "http://example.org:8080/a"));
        assert!(!stays("http://example.org/a", "https://example.org:8443/a"));
        assert!(!stays("http://example.org/a", "http://example.org.evil.test/a"));
        assert!(!stays("http://example.org/a", "http://me@example.org/a"));
        assert!(!stays("http://example.org/a", "file:///etc/passwd"));
    }
}
