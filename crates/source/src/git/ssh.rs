//! Keeps ssh from asking: no password, no passphrase, no unknown host. What the user has set for it stays.

use std::ffi::OsString;
use std::process::{Command, Stdio};

/// Has git start ssh so that it fails where it would ask. A program of the user's that is no OpenSSH is left as it is; the deadline ends it.
pub(super) fn keep_silent(command: &mut Command) {
    if let Some(ssh) = silent(std::env::var("GIT_SSH_COMMAND").ok().or_else(configured), std::env::var_os("GIT_SSH")) {
        command.env("GIT_SSH_COMMAND", ssh);
    }
}

fn silent(set: Option<String>, program: Option<OsString>) -> Option<String> {
    match set {
        Some(set) if is_open_ssh(&set) => Some(format!("{set} -o BatchMode=yes")),
        Some(_) => None,
        None if program.is_some() => None,
        None => Some("ssh -o BatchMode=yes".to_owned()),
    }
}

fn is_open_ssh(set: &str) -> bool {
    let program = set.split_whitespace().next().unwrap_or_default();
    matches!(program.rsplit(['/', '\\']).next(), Some("ssh" | "ssh.exe"))
}

/// `core.sshCommand` of the user or the system; never that of a repository.
fn configured() -> Option<String> {
    let read = |scope: &str| {
        let output =
            Command::new("git").args(["config", scope, "--get", "core.sshCommand"]).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
        (output.status.success() && !text.is_empty()).then_some(text)
    };
    read("--global").or_else(|| read("--system"))
}

#[cfg(test)]
mod tests {
    use super::silent;

    #[test]
    fn ssh_is_told_not_to_ask_and_other_programs_are_left_alone() {
        assert_eq!(silent(None, None).as_deref(), Some("ssh -o BatchMode=yes"));
        assert_eq!(silent(Some("/usr/bin/ssh -i key".to_owned()), None).as_deref(), Some("/usr/bin/ssh -i key -o BatchMode=yes"));
        assert_eq!(silent(Some("plink -batch".to_owned()), None), None);
        assert_eq!(silent(None, Some("tortoiseplink".into())), None);
    }
}
