//! A private PostgreSQL for tests: the system's own programs over a temporary folder, one server per test process, a fresh database per test.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

/// Said where no PostgreSQL is installed. Tests fail with it: a suite that skips half of its engines proves nothing.
const INSTALL: &str = "The contract of the store is tested on PostgreSQL too, and no initdb was found in PATH, in /usr/lib/postgresql/*/bin or by \
    pg_config. Install PostgreSQL 15 or later: `apt-get install postgresql`, `dnf install postgresql-server` or `brew install postgresql`.";

/// The programs of PostgreSQL that a server is made with.
const PROGRAMS: [&str; 3] = ["initdb", "pg_ctl", "createdb"];

/// A running server. It stops and its files are deleted when it is dropped, and also when the test process ends in any other way.
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
    user: Option<&'static str>,
    databases: AtomicU32,
    /// Waits until this process is gone, then stops the server and deletes the folder.
    watchdog: Child,
}

impl Server {
    /// The server of this test process, started when it is first asked for.
    ///
    /// # Panics
    /// PostgreSQL is not installed, or does not start: the test cannot tell anything.
    #[must_use]
    #[allow(clippy::panic, reason = "a test without its engine must fail")]
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(|| Self::start().unwrap_or_else(|reason| panic!("{reason}")))
    }

    /// Starts a server of its own.
    ///
    /// # Errors
    /// A sentence that says what is missing or what the program said.
    pub fn start() -> Result<Self, String> {
        let programs = find_programs().ok_or(INSTALL)?;
        let folder = tempfile::Builder::new().prefix("ibid-postgres-").tempdir().map_err(|error| error.to_string())?.keep();
        let user = server_user(&folder)?;
        let watchdog = watch(&programs, &folder, user)?;
        let server = Self { folder, programs, user, databases: AtomicU32::new(0), watchdog };
        server.initialise()?;
        let log = server.folder.join("log");
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c fsync=off -c synchronous_commit=off -c full_page_writes=off \
             -c max_connections=200 -c shared_buffers=32MB",
            server.folder.display()
        );
        let mut start = server.program("pg_ctl");
        start.arg("-D").arg(server.data()).arg("-l").arg(&log).args(["-w", "-o", &options, "start"]);
        run(&mut start).map_err(|reason| format!("{reason}\n{}", std::fs::read_to_string(&log).unwrap_or_default()))?;
        Ok(server)
    }

    /// Creates an empty database and returns its URL.
    ///
    /// # Panics
    /// The server does not create it.
    #[must_use]
    #[allow(clippy::panic, reason = "a test without its engine must fail")]
    pub fn fresh_database(&self) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut create = self.program("createdb");
        create.arg("-h").arg(&self.folder).args(["-U", "ibid", "-T", "template0", &name]);
        if let Err(reason) = run(&mut create) {
            panic!("{reason}");
        }
        let host: String = self.folder.to_string_lossy().bytes().map(|byte| format!("%{byte:02x}")).collect();
        format!("postgres://ibid@{host}/{name}?sslmode=disable")
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn program(&self, name: &str) -> Command {
        as_user(self.user, &self.programs.join(name))
    }

    /// English collation where it can be had: a statement that forgets to pin byte order then fails here and not at a user's.
    fn initialise(&self) -> Result<(), String> {
        let initdb = |locale: &[&str]| {
            let mut command = self.program("initdb");
            command.arg("-D").arg(self.data()).args(["-U", "ibid", "--auth=trust", "--encoding=UTF8", "--no-sync", "--locale=C"]).args(locale);
            run(&mut command)
        };
        initdb(&["--locale-provider=icu", "--icu-locale=en-US"]).or_else(|_| initdb(&[]))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The end of its input is the watchdog's sign.
        drop(self.watchdog.stdin.take());
        let _ = self.watchdog.wait();
    }
}

/// The folder that holds all programs.
fn find_programs() -> Option<PathBuf> {
    let holds_all = |folder: &PathBuf| PROGRAMS.iter().all(|program| folder.join(program).is_file());
    let mut versions: Vec<PathBuf> =
        std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path().join("bin")).collect();
    versions.sort_by_key(|folder| folder.parent().and_then(Path::file_name).and_then(|name| name.to_str()?.parse::<u32>().ok()));
    let told = Command::new("pg_config").arg("--bindir").output().ok();
    let told = told.and_then(|output| String::from_utf8(output.stdout).ok()).map(|line| PathBuf::from(line.trim()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let in_path: Vec<PathBuf> = std::env::split_paths(&path).collect();
    in_path.into_iter().chain(versions.into_iter().rev()).chain(told).find(holds_all)
}

/// PostgreSQL refuses to run as root; then the folder is given to a user without rights.
fn server_user(folder: &Path) -> Result<Option<&'static str>, String> {
    if number_of("-u", None)? != 0 {
        return Ok(None);
    }
    let user = ["postgres", "nobody"].into_iter().find(|user| number_of("-u", Some(user)).is_ok());
    let user = user.ok_or("PostgreSQL does not run as root, and there is no user \"postgres\" or \"nobody\" to run it as.")?;
    let (owner, group) = (number_of("-u", Some(user))?, number_of("-g", Some(user))?);
    std::os::unix::fs::chown(folder, Some(owner), Some(group)).map_err(|error| format!("The folder cannot be given to {user}: {error}."))?;
    Ok(Some(user))
}

fn number_of(which: &str, user: Option<&str>) -> Result<u32, String> {
    let output = Command::new("id").arg(which).args(user).output().map_err(|error| format!("id: {error}"))?;
    String::from_utf8_lossy(&output.stdout).trim().parse().map_err(|_| format!("There is no user {user:?}."))
}

fn as_user(user: Option<&str>, program: &Path) -> Command {
    let Some(user) = user else {
        return Command::new(program);
    };
    let mut command = Command::new(if has("setpriv") { "setpriv" } else { "runuser" });
    if has("setpriv") {
        command.args([&format!("--reuid={user}"), &format!("--regid={}", group_name(user)), "--clear-groups", "--"]);
    } else {
        command.args(["-u", user, "--"]);
    }
    command.arg(program);
    // The caller's folder may be closed to that user.
    command.current_dir("/");
    command
}

/// The group's name differs from the user's on some systems (`nobody` and `nogroup`).
fn group_name(user: &str) -> String {
    number_of("-g", Some(user)).map_or_else(|_| user.to_owned(), |number| number.to_string())
}

fn has(program: &str) -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join(program).is_file())
}

/// A shell of its own process group whose input ends when this process does, however it does.
fn watch(programs: &Path, folder: &Path, user: Option<&str>) -> Result<Child, String> {
    let stop = as_user(user, &programs.join("pg_ctl"));
    let mut command = Command::new("sh");
    command.arg("-c").arg("folder=$1; shift; cat >/dev/null; \"$@\" -D \"$folder/data\" -m immediate -w stop; rm -rf \"$folder\"");
    command.arg("watchdog").arg(folder).arg(stop.get_program()).args(stop.get_args());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map_err(|error| format!("sh: {error}"))
}

fn run(command: &mut Command) -> Result<(), String> {
    let program = format!("{command:?}");
    // The server inherits what pg_ctl was given: a pipe of ours would stay open for as long as it runs.
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let said = tempfile::tempfile().map_err(|error| error.to_string())?;
    let status = output.stderr(said.try_clone().map_err(|error| error.to_string())?).status().map_err(|error| format!("{program}: {error}"))?;
    if status.success() {
        return Ok(());
    }
    Err(format!("{program} failed with {status}:\n{}", read_back(said)))
}

fn read_back(mut file: std::fs::File) -> String {
    use std::io::{Read as _, Seek as _};
    let mut text = String::new();
    let _ = file.rewind().and_then(|()| file.read_to_string(&mut text));
    text
}
