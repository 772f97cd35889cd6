//! The rules as data: who may use whom, which library has which door, what is banned where. Each with its reason.

/// A crate of ours and what it may see.
pub struct Floor {
    pub name: &'static str,
    /// Floors point down only: a crate sees lower ones, and of its own floor nothing.
    pub floor: u8,
    pub may_use: &'static [&'static str],
    pub why: &'static str,
}

const ALL: &[&str] = &["document", "source", "store", "index", "embed", "engine", "mcp", "web"];

/// The house, as in ARCHITECTURE.md.
pub const FLOORS: [Floor; 11] = [
    Floor { name: "document", floor: 0, may_use: &[], why: "what knowledge is must not depend on where it comes from or goes to" },
    Floor { name: "source", floor: 1, may_use: &["document"], why: "formats turn bytes into documents; they know no database and no protocol" },
    Floor { name: "store", floor: 1, may_use: &["document"], why: "the database knows documents, not the formats they came in" },
    Floor { name: "index", floor: 1, may_use: &["document"], why: "the index is disposable: it is built from the change log that it is handed" },
    Floor { name: "embed", floor: 1, may_use: &["document"], why: "text to vectors, nothing else" },
    Floor {
        name: "engine",
        floor: 2,
        may_use: &["document", "source", "store", "index", "embed"],
        why: "everything the product can do, with no protocol and no terminal",
    },
    Floor {
        name: "mcp",
        floor: 3,
        may_use: &["document", "engine"],
        why: "a face asks the engine; what it could fetch past it would drift from the other faces",
    },
    Floor {
        name: "web",
        floor: 3,
        may_use: &["document", "engine"],
        why: "a face asks the engine; what it could fetch past it would drift from the other faces",
    },
    Floor { name: "app", floor: 4, may_use: ALL, why: "the binary wires everything" },
    Floor {
        name: "testkit",
        floor: 0,
        may_use: &["document"],
        why: "a dev-dependency that depends back on the crate under test yields two copies of each type",
    },
    Floor { name: "xtask", floor: 5, may_use: &["document"], why: "the workshop must build when the product does not" },
];

/// A library that one crate, or few, have alone.
pub struct Owned {
    pub library: &'static str,
    pub crates: &'static [&'static str],
    pub why: &'static str,
}

pub const OWNED: [Owned; 18] = [
    Owned { library: "pulldown-cmark", crates: &["document"], why: "one reading of Markdown: sections, passages and pages must agree" },
    Owned { library: "cap-std", crates: &["source"], why: "one door to the user's files, so that containment is proved once" },
    Owned { library: "ignore", crates: &["source"], why: "one set of ignore rules for walk and watcher" },
    Owned { library: "notify", crates: &["source"], why: "one watcher" },
    Owned { library: "saphyr-parser", crates: &["source"], why: "foreign syntax ends in source" },
    Owned { library: "sqlx", crates: &["store"], why: "SQL text lives in store, where it is tested on both databases" },
    Owned { library: "tantivy", crates: &["index"], why: "the index can be replaced as long as nobody else knows it" },
    Owned { library: "frostem", crates: &["index"], why: "words are folded in one place, for text and for queries" },
    Owned { library: "rayon", crates: &["engine", "index", "embed", "source"], why: "faces do not compute" },
    Owned { library: "rmcp", crates: &["mcp"], why: "the SDK changes; only one room should notice" },
    Owned { library: "schemars", crates: &["mcp"], why: "argument schemas belong to the protocol" },
    Owned { library: "axum", crates: &["mcp", "web", "app"], why: "HTTP is a face" },
    Owned { library: "tower", crates: &["mcp", "web", "app"], why: "HTTP is a face" },
    Owned { library: "askama", crates: &["web"], why: "HTML is for people, and only web speaks to them" },
    Owned { library: "clap", crates: &["app"], why: "arguments end in app" },
    Owned { library: "indicatif", crates: &["app"], why: "only app knows that there is a terminal" },
    Owned { library: "tracing-subscriber", crates: &["app"], why: "libraries write log lines, the binary decides where they go" },
    Owned { library: "anyhow", crates: &["app", "xtask"], why: "library errors are typed, so that callers can tell them apart" },
];

/// What may be written only in some places.
pub struct Door {
    pub rule: &'static str,
    /// Any of these in code (not in comments or literals) is a use.
    pub marks: &'static [&'static str],
    /// Paths that may, by their beginnings.
    pub open: &'static [&'static str],
    /// Whether tests, benches and examples may too.
    pub is_open_in_tests: bool,
    pub why: &'static str,
}

pub const DOORS: [Door; 7] = [
    Door {
        rule: "sdk",
        marks: &["rmcp::", "use rmcp"],
        open: &["crates/mcp/src/sdk"],
        is_open_in_tests: true,
        why: "the SDK changes; only crates/mcp/src/sdk should notice",
    },
    Door {
        rule: "print",
        marks: &["println!", "print!", "eprintln!", "eprint!"],
        open: &["crates/app/", "xtask/"],
        is_open_in_tests: true,
        why: "stdout of `ibid mcp` is the protocol, and only app knows that there is a terminal; libraries use tracing",
    },
    Door {
        rule: "files",
        marks: &["std::fs", "tokio::fs", "File::open", "File::create"],
        open: &["crates/source/", "crates/store/", "crates/index/", "crates/embed/", "crates/app/", "xtask/"],
        is_open_in_tests: true,
        why: "user files are opened by source alone, through a door that cannot be led out of the folder",
    },
    Door {
        rule: "network",
        marks: &["TcpListener", "TcpStream", "UdpSocket", "UnixListener", "UnixStream", "reqwest::"],
        open: &["crates/source/src/fetch", "crates/embed/", "crates/app/"],
        is_open_in_tests: true,
        why: "no network but what the user configured: every way out or in is in a place where that is checked",
    },
    Door {
        rule: "clock",
        marks: &["SystemTime::now", "Timestamp::now", "Zoned::now", "Utc::now", "Local::now"],
        open: &["crates/engine/src/clock.rs", "crates/app/", "xtask/"],
        is_open_in_tests: true,
        why: "what depends on today is tested with a day of the test's choice, so the time comes through engine::clock",
    },
    Door {
        rule: "process",
        marks: &["process::Command", "Command::new"],
        open: &["crates/source/src/git", "crates/source/src/formats/git", "crates/app/", "xtask/"],
        is_open_in_tests: true,
        why: "starting a program is the largest door of all; arguments are passed as a list, never through a shell",
    },
    Door {
        rule: "exit",
        marks: &["process::exit", "process::abort"],
        open: &["crates/app/", "xtask/"],
        is_open_in_tests: true,
        why: "a library that ends the process takes locks and half-written answers with it",
    },
];

/// Words that make a literal SQL: both must occur.
pub const SQL: [(&str, &str); 5] =
    [("SELECT ", " FROM "), ("INSERT INTO ", " VALUES"), ("UPDATE ", " SET "), ("DELETE FROM ", " WHERE "), ("CREATE TABLE ", "(")];

/// Where SQL may stand.
pub const SQL_OPEN: [&str; 2] = ["crates/store/", "xtask/"];

/// Why it may stand nowhere else.
pub const SQL_WHY: &str = "SQL text lives in store, where one contract suite runs it on both databases";

/// Drawer names: a name must say what is inside.
pub const BANNED_NAMES: [&str; 8] = ["util", "utils", "helper", "helpers", "common", "misc", "manager", "managers"];

/// The longest file, in lines.
pub const MAX_FILE_LINES: usize = 400;

/// The longest file of tests: a list of cases is read one at a time.
pub const MAX_TEST_FILE_LINES: usize = 600;

/// The largest crate, in lines without tests.
pub const MAX_CRATE_LINES: usize = 10_000;

/// The fullest folder of Rust files, in entries.
pub const MAX_FOLDER_ENTRIES: usize = 20;

/// Marks of unfinished work in comments.
pub const COMMENT_MARKS: [&str; 6] = ["TODO:", "TODO(", "FIXME", "XXX:", "XXX(", "HACK:"];

/// Marks of unfinished work in code.
pub const CODE_MARKS: [&str; 5] = ["todo!", "unimplemented!", "dbg!", "#[ignore]", "#[ignore ="];
