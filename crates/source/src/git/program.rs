//! One run of `git`: arguments as a list, a cleaned environment, settings that let nothing else run, bounded output, an end in time.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::error::GitError;
use super::ssh;

/// How often a running program is asked whether it should stop, at the latest.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a program that was told to stop may tidy up before it is killed.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long after its end the output of a program is waited for: what it left running (a connection of ssh that is kept) may hold it open.
const AFTERGLOW: Duration = Duration::from_millis(500);

/// How much of what it says about errors is kept, in bytes.
const MAX_ERROR_BYTES: usize = 64 * 1024;

/// Variables of git that say how the user reaches other machines and trusts folders. All others that begin with `GIT_` are taken away: they say
/// which repository is meant, as in a hook, or write traces.
const KEPT: [&str; 9] = [
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSH_VARIANT",
    "GIT_ASKPASS",
    "GIT_EXEC_PATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CEILING_DIRECTORIES",
];

/// Beginnings of more of them.
const KEPT_BEGINNINGS: [&str; 5] = ["GIT_SSL_", "GIT_HTTP_", "GIT_PROXY_SSL_", "GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_"];

/// Settings of every run, above what any repository says. Nothing here can be undone by a configuration file.
const SETTINGS: [&str; 21] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.symlinks=false",
    "core.autocrlf=false",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.logAllRefUpdates=false",
    "core.pager=cat",
    "color.ui=false",
    "credential.interactive=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "filter.lfs.required=false",
    "gc.auto=0",
    "log.showSignature=false",
    "maintenance.auto=false",
    "protocol.ext.allow=never",
    "protocol.fd.allow=never",
    "safe.bareRepository=explicit",
    "submodule.recurse=false",
];

/// Whether a run may leave the machine's own repository.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Local objects only. A repository that lacks some and names a place for them gets nothing from there.
    Offline,
    /// `file`, `https` and `ssh`.
    Network,
}

/// A run that is being put together.
pub(super) struct Run<'a> {
    action: String,
    reach: Reach,
    arguments: Vec<OsString>,
    input: Option<Vec<u8>>,
    lock: Option<&'a File>,
    limit_bytes: usize,
    deadline: Duration,
    cancelled: &'a dyn Fn() -> bool,
}

/// What came of it.
pub(super) struct Answer {
    pub is_success: bool,
    pub output: Vec<u8>,
    pub errors: String,
}

impl Answer {
    /// The output, when git ended well; otherwise what it said.
    pub(super) fn good(self, action: &str) -> Result<Vec<u8>, GitError> {
        if self.is_success { Ok(self.output) } else { Err(GitError::failed(action, super::reason::short(&self.errors))) }
    }
}

impl<'a> Run<'a> {
    /// `action` begins the sentence of an error: *Reading the history of `docs`*.
    pub(super) fn new(action: impl Into<String>, reach: Reach) -> Self {
        let mut arguments: Vec<OsString> =
            ["--no-pager", "--literal-pathspecs", "--no-optional-locks", "--no-replace-objects"].map(Into::into).into();
        for setting in SETTINGS {
            arguments.extend(["-c".into(), setting.into()]);
        }
        Self {
            action: action.into(),
            reach,
            arguments,
            input: None,
            lock: None,
            limit_bytes: 1024 * 1024,
            deadline: Duration::from_secs(60),
            cancelled: &|| false,
        }
    }

    /// Runs in the work tree that `folder`, an absolute path, lies in.
    pub(super) fn in_folder(self, folder: &Path) -> Self {
        self.argument("-C").argument(folder)
    }

    pub(super) fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    pub(super) fn arguments<T: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = T>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_owned()));
        self
    }

    pub(super) fn input(mut self, bytes: Vec<u8>) -> Self {
        self.input = Some(bytes);
        self
    }

    /// Hands the lock to the program too (as its input, which it does not read): should ibid die, the lock is held until git has ended as well.
    pub(super) const fn holding(mut self, lock: &'a File) -> Self {
        self.lock = Some(lock);
        self
    }

    /// The most that is taken of its output, 1 MiB unless told.
    pub(super) const fn limit_bytes(mut self, limit_bytes: usize) -> Self {
        self.limit_bytes = limit_bytes;
        self
    }

    pub(super) const fn within(mut self, deadline: Duration, cancelled: &'a dyn Fn() -> bool) -> Self {
        self.deadline = deadline;
        self.cancelled = cancelled;
        self
    }

    /// Runs it to its end, well or not.
    pub(super) fn answer(mut self) -> Result<Answer, GitError> {
        if (self.cancelled)() {
            return Err(GitError::Cancelled { action: self.action });
        }
        let mut child = self.command()?.spawn().map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => GitError::NoGit,
            _ => GitError::failed(&self.action, format!("git cannot be started: {error}")),
        })?;
        let output = Pipe::of(child.stdout.take(), self.limit_bytes, true);
        let errors = Pipe::of(child.stderr.take(), MAX_ERROR_BYTES, false);
        if let (Some(bytes), Some(mut input)) = (self.input.take(), child.stdin.take()) {
            // Both directions at once, or each side waits for the other. A program that reads no further has said why.
            std::thread::spawn(move || drop(input.write_all(&bytes)));
        }
        match self.wait(&mut child, &output) {
            Ok(status) => {
                errors.settle();
                Ok(Answer { is_success: status.success(), output: output.take(), errors: String::from_utf8_lossy(&errors.take()).into_owned() })
            }
            Err(error) => {
                stop(&mut child);
                Err(error)
            }
        }
    }

    /// Runs it and wants a good end.
    pub(super) fn output(self) -> Result<Vec<u8>, GitError> {
        let action = self.action.clone();
        self.answer()?.good(&action)
    }

    fn command(&self) -> Result<Command, GitError> {
        let mut command = Command::new("git");
        for (name, _) in std::env::vars_os() {
            let shown = name.to_string_lossy();
            let is_kept = KEPT.contains(&&*shown) || KEPT_BEGINNINGS.iter().any(|start| shown.starts_with(start)) || shown == "GIT_CONFIG_COUNT";
            if shown.starts_with("GIT_") && !is_kept {
                command.env_remove(&name);
            }
        }
        command
            .env("LC_ALL", "C")
            .env("LANGUAGE", "")
            .env("GIT_TERMINAL_PROMPT", "0")
            .env("GIT_OPTIONAL_LOCKS", "0")
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_LFS_SKIP_SMUDGE", "1")
            .env("GCM_INTERACTIVE", "never")
            .env("SSH_ASKPASS_REQUIRE", "never");
        match self.reach {
            Reach::Offline => command.env("GIT_ALLOW_PROTOCOL", "none"),
            Reach::Network => {
                ssh::keep_silent(&mut command);
                command.env("GIT_ALLOW_PROTOCOL", "file:https:ssh")
            }
        };
        if std::env::var_os("GIT_ASKPASS").is_none() {
            // Empty, git asks nobody: no window opens on the screen of whoever runs the server.
            command.env("GIT_ASKPASS", "");
        }
        let input = match (self.lock, &self.input) {
            (Some(lock), _) => {
                let lock = lock.try_clone().map_err(|error| GitError::failed(&self.action, format!("its lock cannot be passed on: {error}")))?;
                Stdio::from(lock)
            }
            (None, Some(_)) => Stdio::piped(),
            (None, None) => Stdio::null(),
        };
        command.args(&self.arguments).stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(command)
    }

    fn wait(&self, child: &mut Child, output: &Pipe) -> Result<ExitStatus, GitError> {
        let started = Instant::now();
        let mut ended: Option<(ExitStatus, Instant)> = None;
        let mut is_read = false;
        let mut pause = Duration::from_millis(1);
        loop {
            if (self.cancelled)() {
                return Err(GitError::Cancelled { action: self.action.clone() });
            }
            if started.elapsed() >= self.deadline {
                return Err(GitError::TimedOut { action: self.action.clone(), seconds: self.deadline.as_secs().max(1) });
            }
            if is_read {
                // The output is whole, so the end is near; there is no call that waits for it for a limited time.
                std::thread::sleep(pause);
            } else {
                match output.finished.recv_timeout(pause) {
                    Ok(End::TooLong) => {
                        return Err(GitError::failed(&self.action, format!("git answered with more than {} bytes", self.limit_bytes)));
                    }
                    Ok(End::Whole) | Err(RecvTimeoutError::Disconnected) => {
                        is_read = true;
                        pause = Duration::from_millis(1);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                }
            }
            pause = (pause * 2).min(PAUSE);
            if ended.is_none() {
                let status = child.try_wait().map_err(|error| GitError::failed(&self.action, format!("git cannot be waited for: {error}")))?;
                ended = status.map(|status| (status, Instant::now()));
            }
            if let Some((status, at)) = ended
                && (is_read || at.elapsed() >= AFTERGLOW)
            {
                return Ok(status);
            }
        }
    }
}

enum End {
    Whole,
    TooLong,
}

/// One output of a program, read by a thread of its own.
struct Pipe {
    bytes: Arc<Mutex<Vec<u8>>>,
    finished: Receiver<End>,
}

impl Pipe {
    /// `is_strict` ends the reading at the limit; otherwise what is more is read and dropped.
    fn of(source: Option<impl Read + Send + 'static>, limit_bytes: usize, is_strict: bool) -> Self {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (send, finished) = channel();
        let Some(mut source) = source else { return Self { bytes, finished } };
        let shared = Arc::clone(&bytes);
        std::thread::spawn(move || {
            let mut chunk = vec![0; 64 * 1024];
            loop {
                let read = match source.read(&mut chunk) {
                    Ok(0) => break,
                    Ok(read) => chunk.get(..read).unwrap_or_default(),
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                    Err(_) => break,
                };
                let mut kept = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let room = limit_bytes.saturating_sub(kept.len());
                if read.len() > room && is_strict {
                    let _ = send.send(End::TooLong);
                    return;
                }
                kept.extend_from_slice(read.get(..room.min(read.len())).unwrap_or_default());
            }
            let _ = send.send(End::Whole);
        });
        Self { bytes, finished }
    }

    /// Waits for the rest of the output of a program that has ended, for a moment only.
    fn settle(&self) {
        let _ = self.finished.recv_timeout(AFTERGLOW);
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Ends the program and all that it started: first politely, so that git removes its half-written files, then for certain.
#[cfg(unix)]
fn stop(child: &mut Child) {
    use rustix::process::{Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

    let group = rustix::process::Pid::from_child(child);
    let _ = kill_process_group(group, Signal::TERM);
    let told = Instant::now();
    // Not yet taken from the system's table, so that its number cannot be given to another process before the last signal.
    let has_ended = || {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        waitid(WaitId::Pid(group), options).map_or(true, |status| status.is_some())
    };
    while !has_ended() && told.elapsed() < FAREWELL {
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
}

#[cfg(not(unix))]
fn stop(child: &mut Child) {
    let _ = (child.kill(), child.wait(), FAREWELL);
}
