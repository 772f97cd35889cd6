//! Where a repository is, read from what a person wrote. What git would take for an option, a program or an open line is refused here.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::Path;

use super::error::GitError;
use super::reason;

/// The longest address, in bytes.
const MAX_BYTES: usize = 4096;

/// Where a repository is: a folder, `file://`, `https://`, `ssh://`, or `git@host:path`.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    location: OsString,
    shown: String,
}

impl fmt::Debug for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Address").field(&self.shown).finish()
    }
}

impl Address {
    /// Reads an address. A path that is not absolute begins at `base`, one with `~/` in the user's home. Nothing is looked up.
    ///
    /// # Errors
    /// [`GitError::BadAddress`] with the reason.
    pub fn parse(text: &str, base: &Path) -> Result<Self, GitError> {
        let refused = |reason| Err(GitError::BadAddress { address: shown(text), reason });
        if text.is_empty() {
            return refused("it is empty");
        }
        if text.len() > MAX_BYTES {
            return refused("it is too long");
        }
        if text.chars().any(char::is_control) {
            return refused("it holds a line break or another control character");
        }
        if text.trim() != text {
            return refused("it begins or ends with a space");
        }
        if text.starts_with('-') {
            return refused("it begins with `-`, which git takes for an option");
        }
        if is_helper(text) {
            return refused("`name::` runs a program of that name");
        }
        match text.split_once("://") {
            Some((scheme, rest)) if is_scheme(scheme) => match Self::of_url(&scheme.to_ascii_lowercase(), rest) {
                Ok(location) => Ok(Self { shown: shown(&location), location: location.into() }),
                Err(reason) => refused(reason),
            },
            _ => match host_and_path(text) {
                // `user:password@host:path` is no address, but people try it.
                Some((login, path)) if !login.contains('@') && path.split('/').next().unwrap_or_default().contains('@') => {
                    refused("ssh takes no password in an address; use a key")
                }
                Some((login, path)) => match check_login(login).and_then(|()| check_remote_path(path)) {
                    Ok(()) => Ok(Self { location: text.into(), shown: shown(text) }),
                    Err(reason) => refused(reason),
                },
                None => Self::of_folder(text, base),
            },
        }
    }

    /// The address as it may be shown and logged: without password, token and query.
    #[must_use]
    pub fn shown(&self) -> String {
        self.shown.clone()
    }

    /// What git is given. It may hold a password.
    pub(super) fn location(&self) -> &OsStr {
        &self.location
    }

    fn of_url(scheme: &str, rest: &str) -> Result<String, &'static str> {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        match scheme {
            "file" if !authority.is_empty() && authority != "localhost" => {
                return Err("`file://` is followed by a path of this machine, with three slashes");
            }
            "file" => {}
            "https" | "ssh" => {
                let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
                if scheme == "ssh" && user.is_some_and(|user| user.contains(':')) {
                    return Err("ssh takes no password in an address; use a key");
                }
                if user.is_some_and(|user| user.is_empty() || user.starts_with('-')) {
                    return Err("the name of the user is empty or begins with `-`");
                }
                check_host_and_port(host)?;
            }
            "http" => return Err("`http://` is not encrypted, so anybody on the way can read and change it; use `https://`"),
            "git" => return Err("`git://` is not encrypted, so anybody on the way can read and change it; use `https://` or `ssh://`"),
            _ => return Err("ibid fetches by `file://`, `https://` and `ssh://` only"),
        }
        if path.len() < 2 {
            return Err("it names no repository");
        }
        Ok(format!("{scheme}://{rest}"))
    }

    fn of_folder(text: &str, base: &Path) -> Result<Self, GitError> {
        let refused = |reason| GitError::BadAddress { address: shown(text), reason };
        let path = match text.strip_prefix("~/") {
            Some(rest) => std::env::home_dir().ok_or_else(|| refused("the home folder is not known"))?.join(rest),
            None => base.join(text),
        };
        let path = std::path::absolute(path).map_err(|_| refused("it cannot be made an absolute path"))?;
        Ok(Self { shown: reason::clean(&path.display().to_string()), location: path.into_os_string() })
    }
}

/// An address, good or not, as it may stand in an error.
fn shown(text: &str) -> String {
    let cleaned = reason::clean(text);
    match cleaned.split_once('@') {
        Some((login, rest)) if !cleaned.contains("://") && login.contains(':') && !login.contains('/') => rest.to_owned(),
        _ => cleaned,
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|character: char| character.is_ascii_alphabetic())
        && text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '+' | '-' | '.'))
}

/// `name::…`, by which git runs the program `git-remote-name`.
fn is_helper(text: &str) -> bool {
    text.split_once("::")
        .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.' | '_')))
}

/// The two sides of `host:path`, as git tells it from a path: the colon comes before any slash.
fn host_and_path(text: &str) -> Option<(&str, &str)> {
    // A colon within brackets belongs to the host.
    let skip = if text.contains('[') { text.find(']').unwrap_or(0) } else { 0 };
    let colon = skip + text.get(skip..)?.find(':')?;
    let (host, path) = (text.get(..colon)?, text.get(colon + 1..)?);
    let is_drive = cfg!(windows) && host.len() == 1;
    let is_path = host.contains('/') || is_drive || (cfg!(windows) && host.contains('\\'));
    (!is_path).then_some((host, path))
}

/// `user@host` or `host` before the colon of `host:path`.
fn check_login(login: &str) -> Result<(), &'static str> {
    let (user, host) = login.rsplit_once('@').map_or((None, login), |(user, host)| (Some(user), host));
    let is_user = |user: &str| {
        !user.is_empty() && !user.starts_with('-') && user.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '\\'))
    };
    if user.is_some_and(|user| !is_user(user)) {
        return Err("the name of the user holds characters that no user name has");
    }
    check_host(host)
}

fn check_remote_path(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("it names no repository");
    }
    if path.starts_with('-') {
        return Err("its path begins with `-`, which may be taken for an option");
    }
    Ok(())
}

fn check_host_and_port(text: &str) -> Result<(), &'static str> {
    let brackets_end = text.rfind(']').map_or(0, |at| at + 1);
    let (host, port) = match text.get(brackets_end..).and_then(|rest| rest.split_once(':')) {
        Some((before, port)) => (text.get(..brackets_end + before.len()).unwrap_or_default(), Some(port)),
        None => (text, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().is_err()) {
        return Err("its port is no number from 0 to 65535");
    }
    check_host(host)
}

/// Letters, digits, `.`, `-`, `_`, or an address of the sixth version in brackets. Git decodes `%2D`, so `%` is no part of a host.
fn check_host(host: &str) -> Result<(), &'static str> {
    if let Some(inner) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return if inner.parse::<std::net::Ipv6Addr>().is_ok() { Ok(()) } else { Err("what stands in brackets is no address") };
    }
    if host.is_empty() {
        return Err("it names no host");
    }
    if host.starts_with('-') {
        return Err("its host begins with `-`, which ssh takes for an option");
    }
    if !host.chars().all(|character| character.is_alphanumeric() || matches!(character, '.' | '-' | '_')) {
        return Err("its host holds characters that no host has");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Address;

    fn parse(text: &str) -> Result<String, String> {
        Address::parse(text, Path::new("/home/anna/notes"))
            .map(|address| format!("{} | {}", address.location().to_string_lossy(), address.shown()))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_forms_that_people_write_are_read() {
        for (text, location, shown) in [
            ("/srv/git/handbook", "/srv/git/handbook", "/srv/git/handbook"),
            ("../handbook", "/home/anna/notes/../handbook", "/home/anna/notes/../handbook"),
            ("a folder/with:colon", "/home/anna/notes/a folder/with:colon", "/home/anna/notes/a folder/with:colon"),
            ("file:///srv/git/a%20b", "file:///srv/git/a%20b", "file:///srv/git/a%20b"),
            ("HTTPS://example.org/a.git", "https://example.org/a.git", "https://example.org/a.git"),
            ("https://example.org:8443/a/b", "https://example.org:8443/a/b", "https://example.org:8443/a/b"),
            ("https://anna:geheim@example.org/a", "https://anna:geheim@example.org/a", "https://example.org/a"),
            ("https://ghp_0123@github.com/a/b", "https://ghp_0123@github.com/a/b", "https://github.com/a/b"),
            ("ssh://git@example.org:2222/~anna/a", "ssh://git@example.org:2222/~anna/a", "ssh://git@example.org:2222/~anna/a"),
            ("ssh://[::1]:22/a", "ssh://[::1]:22/a", "ssh://[::1]:22/a"),
            ("git@github.com:adr/madr.git", "git@github.com:adr/madr.git", "git@github.com:adr/madr.git"),
            ("example.org:a/b", "example.org:a/b", "example.org:a/b"),
        ] {
            assert_eq!(parse(text), Ok(format!("{location} | {shown}")), "{text}");
        }
    }

    #[test]
    fn what_could_run_a_program_or_be_changed_on_the_way_is_refused() {
        for (text, why) in [
            ("", "is empty"),
            ("-oProxyCommand=x", "begins with `-`"),
            ("--upload-pack=touch x", "begins with `-`"),
            ("ext::sh -c touch% x", "runs a program"),
            ("fd::17", "runs a program"),
            ("https::http://example.org/a", "runs a program"),
            ("https://example.org/a\nb", "control character"),
            ("/srv/a\0b", "control character"),
            (" /srv/a", "with a space"),
            ("http://example.org/a", "not encrypted"),
            ("git://example.org/a", "not encrypted"),
            ("ftp://example.org/a", "only"),
            ("svn+ssh://example.org/a", "only"),
            ("ssh://-oProxyCommand=x/a", "begins with `-`"),
            ("ssh://%2DoProxyCommand=x/a", "no host has"),
            ("ssh://-x@example.org/a", "begins with `-`"),
            ("ssh://git:pw@example.org/a", "takes no password"),
            ("ssh://example.org", "names no repository"),
            ("https:///a", "names no host"),
            ("https://example.org:port/a", "no number"),
            ("file://example.org/a", "three slashes"),
            ("-x@example.org:a", "begins with `-`"),
            ("git@-example.org:a", "begins with `-`"),
            ("git@example.org:-a", "begins with `-`"),
            ("git@example.org:", "names no repository"),
            ("a b@example.org:a", "no user name has"),
            ("git@exa mple.org:a", "no host has"),
        ] {
            let said = parse(text).expect_err(text);
            assert!(said.contains(why), "{text:?}: {said}");
        }
    }

    #[test]
    fn no_error_and_no_log_line_tells_a_password() {
        for text in ["http://anna:geheim@example.org/a", "https://anna:geheim@exa mple.org/a", "anna:geheim@example.org:a", "ssh://anna:geheim@h/a"] {
            let said = parse(text).expect_err(text);
            assert!(!said.contains("geheim"), "{said}");
        }
        let address = Address::parse("https://anna:geheim@example.org/a", Path::new("/")).expect("a good address");
        assert_eq!(format!("{address:?}"), "Address(\"https://example.org/a\")");
    }
}
