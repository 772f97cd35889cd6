//! Every key of `ibid.toml` with what it does and who may set it: one list for the reader, the error with the nearest key, and the docs.

/// From which files a key counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Any file.
    Anyone,
    /// Only the user's own file: a cloned project must not grant itself writes, network or another folder (DESIGN §11).
    UserOnly,
}

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// Dotted path; `[]` stands for the entries of an array of tables, `*` for any name.
    pub path: &'static str,
    /// Default, as one would write it.
    pub default: &'static str,
    /// What it does, in a sentence.
    pub meaning: &'static str,
    /// From which files it counts.
    pub trust: Trust,
}

const fn key(path: &'static str, default: &'static str, trust: Trust, meaning: &'static str) -> Key {
    Key { path, default, meaning, trust }
}

/// All keys, in the order of the docs.
pub const KEYS: &[Key] = &[
    key("name", "the folder's name", Trust::Anyone, "What the library is called."),
    key("store", "a SQLite file in the state folder", Trust::UserOnly, "Where the store lives: a postgres:// address for teams."),
    key("collections[].name", "the folder's name", Trust::Anyone, "Name of the collection, unique in the library."),
    key("collections[].kind", "recognised from the files", Trust::Anyone, "What it holds: decisions. Other kinds follow in later versions."),
    key(
        "collections[].path",
        "required, or repository or source",
        Trust::Anyone,
        "Its folder, relative to the file. A project's file may only name folders inside the project.",
    ),
    key(
        "collections[].repository",
        "none",
        Trust::UserOnly,
        "In the place of path: a git repository, as a local path, file://, https://, ssh:// or git@host:path. It is kept as a clone of ibid's own.",
    ),
    key("collections[].branch", "the repository's own", Trust::Anyone, "Branch of the repository."),
    key("collections[].tag", "none", Trust::Anyone, "In the place of branch: a tag of the repository."),
    key("collections[].folder", "all of it", Trust::Anyone, "Folder inside the repository that holds the records."),
    key("collections[].refresh_minutes", "15", Trust::Anyone, "How long a clone is used before it is fetched again; 0: only by ibid sync."),
    key("collections[].source", "none", Trust::UserOnly, "In the place of path: the address of a published site, with its base path."),
    key("collections[].token_variable", "none", Trust::UserOnly, "Environment variable that holds the site's access token."),
    key("collections[].template", "found among the records", Trust::Anyone, "Template of new records, as a path below the collection's folder."),
    key("collections[].exclude", "[]", Trust::Anyone, "What is invisible in every tool, search and count, in the syntax of .gitignore."),
    key("statuses[].name", "required", Trust::Anyone, "A status word of decision records. The list replaces the built-in one."),
    key("statuses[].current", "false", Trust::Anyone, "Records of this status are in force."),
    key("statuses[].open", "false", Trust::Anyone, "Records of this status are still to be decided."),
    key("fields[].name", "required", Trust::Anyone, "Key of a metadata field that records of every project may have."),
    key("fields[].label", "the name", Trust::Anyone, "Its name for people."),
    key("fields[].type", "\"text\", with values \"enum\"", Trust::Anyone, "text, number, date, enum, list, boolean or url."),
    key("fields[].values", "[]", Trust::Anyone, "Allowed values; of a list, of each entry."),
    key("fields[].unit", "none", Trust::Anyone, "Unit of a number, which may stand behind it."),
    key("fields[].description", "none", Trust::Anyone, "What it means."),
    key("tools.*", "on for reads, off for writes", Trust::UserOnly, "Turns a tool on or off by name. A project's file may only turn tools off."),
    key(
        "consent.*",
        "\"ask\"",
        Trust::UserOnly,
        "For a tool that writes, by name: \"ask\" a person each time, \"always\" apply, or \"never\". A project's file may only say never.",
    ),
    key(
        "trusted_folders",
        "[]",
        Trust::UserOnly,
        "Folders of your own projects: an ibid.toml below one of them may name repositories and published sites.",
    ),
    key("server.bind", "\"127.0.0.1:4242\"", Trust::UserOnly, "Address and port of ibid serve."),
    key("server.allowed_hosts", "[]", Trust::UserOnly, "Hosts beyond loopback that a request may name."),
    key("server.allowed_origins", "[]", Trust::UserOnly, "Origins beyond loopback that a request may come from."),
    key("server.public_url", "the served address", Trust::UserOnly, "Base of the links that people open."),
];

/// The known key nearest to `path`, when one is near enough to be meant.
pub(super) fn nearest(path: &str) -> Option<&'static str> {
    let last = |path: &'static str| path.rsplit(['.', ']']).find(|part| !part.is_empty()).unwrap_or(path);
    let wanted = path.rsplit(['.', ']']).find(|part| !part.is_empty()).unwrap_or(path);
    KEYS.iter()
        .flat_map(|key| {
            [
                (key.path, strsim::normalized_damerau_levenshtein(path, key.path)),
                (key.path, strsim::normalized_damerau_levenshtein(wanted, last(key.path))),
            ]
        })
        .filter(|(_, closeness)| *closeness >= 0.6)
        .max_by(|left, right| left.1.total_cmp(&right.1))
        .map(|(path, _)| path)
}
