//! The session cookie: out of reach of scripts, not sent along by other sites' forms.

use axum::http::{HeaderMap, header};

use crate::sign_in::SESSION_LIFE_MS;

/// The value of the cookie of that name.
pub(crate) fn read<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
}

/// A `Set-Cookie` value that keeps a session.
pub(crate) fn keep(name: &str, id: &str, is_secure: bool) -> String {
    // Lax and not Strict: a permalink that is clicked in a chat must open signed in.
    format!("{name}={id}; Path=/; HttpOnly; SameSite=Lax; Max-Age={}{}", SESSION_LIFE_MS / 1_000, secure(is_secure))
}

/// A `Set-Cookie` value that forgets it.
pub(crate) fn forget(name: &str, is_secure: bool) -> String {
    format!("{name}=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0{}", secure(is_secure))
}

const fn secure(is_secure: bool) -> &'static str {
    if is_secure { "; Secure" } else { "" }
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderMap, HeaderValue, header};

    use super::read;

    #[test]
    fn a_cookie_is_found_among_others_by_its_whole_name() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("xibid-1=no; ibid-1=yes; theme=dark"));
        headers.append(header::COOKIE, HeaderValue::from_static("other=1"));
        assert_eq!(read(&headers, "ibid-1"), Some("yes"));
        assert_eq!(read(&headers, "other"), Some("1"));
        assert_eq!(read(&headers, "ibid"), None);
    }
}
