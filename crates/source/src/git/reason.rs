//! What git prints when it fails, as a short reason: one line, without credentials, control characters and advice.

/// The longest reason, in characters.
const MAX_CHARACTERS: usize = 300;

/// Lines that say nothing which another line does not say better.
const CHATTER: [&str; 5] = [
    "Could not read from remote repository",
    "Please make sure you have the correct access rights",
    "and the repository exists",
    "could not fetch",
    "the remote end hung up unexpectedly",
];

/// The reason in what git wrote to its standard error.
pub(super) fn short(errors: &str) -> String {
    let lines: Vec<&str> = errors
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !["hint:", "warning:"].iter().any(|start| line.starts_with(start)))
        .map(|line| line.strip_prefix("fatal: ").or_else(|| line.strip_prefix("error: ")).unwrap_or(line))
        .collect();
    let telling: Vec<&str> = lines.iter().copied().filter(|line| !CHATTER.iter().any(|chatter| line.contains(chatter))).collect();
    let chosen = if telling.is_empty() { &lines } else { &telling };
    if chosen.is_empty() {
        return "git did not say why".to_owned();
    }
    let joined = chosen.iter().take(2).map(|line| line.trim_end_matches('.')).collect::<Vec<_>>().join("; ");
    clean(&joined)
}

/// Text from outside as it may stand in an error: on one line, of bounded length, without what may be a secret.
pub(super) fn clean(text: &str) -> String {
    let mut kept: String =
        without_credentials(text).chars().map(|character| if is_unprintable(character) { '\u{FFFD}' } else { character }).collect();
    if let Some((end, _)) = kept.char_indices().nth(MAX_CHARACTERS) {
        kept.truncate(end);
        kept.push('…');
    }
    kept
}

/// Control characters, and those that change the direction of what follows.
fn is_unprintable(character: char) -> bool {
    character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Leaves out user and password of every address in the text, and its query: tokens stand in either.
fn without_credentials(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        kept.push_str(before);
        let is_ssh = before.ends_with("ssh://");
        let end = after.find(|character: char| character.is_whitespace() || matches!(character, '\'' | '"' | '`')).unwrap_or(after.len());
        let (address, following) = after.split_at(end);
        let authority_end = address.find(['/', '?', '#']).unwrap_or(address.len());
        let (authority, path) = address.split_at(authority_end);
        let path = if is_ssh { path } else { path.split(['?', '#']).next().unwrap_or_default() };
        // A `/` in a password that was not encoded: what looks like host and port is the user and half of the secret.
        let is_cut_short = authority.split_once(':').is_some_and(|(_, port)| !port.bytes().all(|byte| byte.is_ascii_digit()));
        match (authority.rsplit_once('@'), path.rsplit_once('@')) {
            // A user name of ssh is an address, not a secret; a password is one.
            (Some((user, host)), _) if is_ssh => kept.extend([user.split(':').next().unwrap_or_default(), "@", host, path]),
            (Some((_, host)), _) => kept.extend([host, path]),
            (None, Some((_, address))) if is_cut_short => kept.push_str(address),
            (None, _) => kept.extend([authority, path]),
        }
        rest = following;
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::{clean, short};

    #[test]
    fn the_line_that_tells_something_is_the_reason() {
        let errors = "ssh: connect to host example.org port 22: Connection refused\r\nfatal: Could not read from remote repository.\n\n\
                      Please make sure you have the correct access rights\nand the repository exists.\n";
        assert_eq!(short(errors), "ssh: connect to host example.org port 22: Connection refused");
        assert_eq!(short("fatal: Could not read from remote repository.\n"), "Could not read from remote repository");
        assert_eq!(short("hint: do this\n"), "git did not say why");
    }

    #[test]
    fn secrets_and_control_characters_do_not_pass() {
        let said = clean("unable to access 'https://anna:geheim@example.org/a.git?private_token=s3cret': \u{1b}[31mno\u{202e}");
        assert_eq!(said, "unable to access 'https://example.org/a.git': \u{FFFD}[31mno\u{FFFD}");
        assert_eq!(clean("https://ghp_token@github.com/a/b"), "https://github.com/a/b");
        assert_eq!(clean("ssh://git:pw@example.org/a"), "ssh://git@example.org/a");
        assert_eq!(clean("https://anna:ge/heim@example.org/a.git"), "https://example.org/a.git");
        assert_eq!(clean("https://example.org:8443/@anna/a"), "https://example.org:8443/@anna/a");
        assert!(clean(&"x".repeat(5000)).chars().count() <= 301);
    }
}
