//! `ibid connect`: the MCP configuration of a client, printed, or written into the client's own file.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use engine::config::Origin;
use engine::{Error, ErrorKind};
use serde_json::{Map, Value, json};

use crate::arguments::Arguments as Global;
use crate::{commands::serve, exit, open, output};

/// Print or write the MCP configuration of a client.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Which client.
    client: Client,
    /// Write the client's configuration file instead of printing.
    #[arg(long)]
    write: bool,
    /// Connect over HTTP to a running ibid serve instead of starting one process per client.
    #[arg(long)]
    http: bool,
    /// Name of the server in the client.
    #[arg(long, default_value = "ibid")]
    name: String,
}

/// The clients whose configuration is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// OpenCode.
    Opencode,
    /// Visual Studio Code.
    Vscode,
    /// Claude Desktop.
    ClaudeDesktop,
}

impl Client {
    /// All clients, in the order in which `ibid serve` shows them.
    pub const ALL: [Self; 7] = [Self::Claude, Self::Codex, Self::Cursor, Self::Gemini, Self::Opencode, Self::Vscode, Self::ClaudeDesktop];

    /// The word on the command line.
    pub fn word(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// Whether its configuration can name a server by address and token. Claude Desktop's names programs only.
    pub const fn speaks_http(self) -> bool {
        !matches!(self, Self::ClaudeDesktop)
    }

    /// Whether it is configured by a command of its own, which a shell reads, and not by an entry in a file.
    pub const fn is_command(self) -> bool {
        matches!(self, Self::Claude | Self::Codex | Self::Gemini)
    }

    /// The configuration file below the home folder or the project, and the key that holds the servers.
    fn file(self, home: &Path, project: &Path) -> (PathBuf, &'static str) {
        match self {
            Self::Claude => (project.join(".mcp.json"), "mcpServers"),
            Self::Codex => (home.join(".codex/config.toml"), "mcp_servers"),
            Self::Cursor => (project.join(".cursor/mcp.json"), "mcpServers"),
            Self::Gemini => (home.join(".gemini/settings.json"), "mcpServers"),
            Self::Opencode => (project.join("opencode.json"), "mcp"),
            Self::Vscode => (project.join(".vscode/mcp.json"), "servers"),
            Self::ClaudeDesktop => (desktop_folder(home).join("claude_desktop_config.json"), "mcpServers"),
        }
    }
}

fn desktop_folder(home: &Path) -> PathBuf {
    if cfg!(target_os = "macos") { home.join("Library/Application Support/Claude") } else { home.join(".config/Claude") }
}

/// How a client reaches the library.
#[derive(Debug, Clone)]
pub enum Way {
    /// A process of its own.
    Stdio {
        /// The program.
        command: String,
        /// Its arguments.
        arguments: Vec<String>,
    },
    /// A running server.
    Http {
        /// Address of `/mcp`.
        url: String,
        /// The token, unless the server asks for none.
        token: Option<String>,
    },
}

/// The line or file entry for a client, as a person would type or paste it.
pub fn shown(client: Client, name: &str, way: &Way) -> String {
    match (client, way) {
        (Client::Claude, Way::Stdio { command, arguments }) => format!("claude mcp add {name} -- {}", line(command, arguments)),
        (Client::Claude, Way::Http { url, token }) => {
            format!(
                "claude mcp add --transport http {name} {url}{}",
                token.as_ref().map_or_else(String::new, |token| format!(" --header \"Authorization: Bearer {token}\""))
            )
        }
        (Client::Codex, Way::Stdio { command, arguments }) => format!("codex mcp add {name} -- {}", line(command, arguments)),
        (Client::Codex, Way::Http { url, token: Some(_) }) => {
            format!("codex mcp add {name} --url {url} --bearer-token-env-var IBID_TOKEN   # with: export IBID_TOKEN=$(ibid token show)")
        }
        (Client::Codex, Way::Http { url, token: None }) => format!("codex mcp add {name} --url {url}"),
        (Client::Gemini, Way::Stdio { command, arguments }) => format!("gemini mcp add -s user {name} {}", line(command, arguments)),
        (Client::Gemini, Way::Http { url, token }) => {
            format!(
                "gemini mcp add -s user -t http {name} {url}{}",
                token.as_ref().map_or_else(String::new, |token| format!(" -H \"Authorization: Bearer {token}\""))
            )
        }
        (client, way) => {
            let (_, key) = client.file(Path::new(""), Path::new(""));
            json!({ key: { name: entry(client, way) } }).to_string()
        }
    }
}

fn line(command: &str, arguments: &[String]) -> String {
    std::iter::once(command).chain(arguments.iter().map(String::as_str)).map(quoted).collect::<Vec<_>>().join(" ")
}

/// A word as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = !word.is_empty() && word.chars().all(|character| character.is_ascii_alphanumeric() || "-_./:=@%+,".contains(character));
    if is_plain { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// The entry in a client's JSON file.
fn entry(client: Client, way: &Way) -> Value {
    match (client, way) {
        (Client::Opencode, Way::Stdio { command, arguments }) => {
            let words: Vec<&str> = std::iter::once(command.as_str()).chain(arguments.iter().map(String::as_str)).collect();
            json!({"type": "local", "command": words, "enabled": true})
        }
        (Client::Opencode, Way::Http { url, token }) => with_headers(json!({"type": "remote", "url": url, "enabled": true}), token.as_deref()),
        (Client::Vscode, Way::Stdio { command, arguments }) => json!({"type": "stdio", "command": command, "args": arguments}),
        (Client::Vscode, Way::Http { url, token }) => with_headers(json!({"type": "http", "url": url}), token.as_deref()),
        (Client::Gemini, Way::Http { url, token }) => with_headers(json!({"httpUrl": url}), token.as_deref()),
        (Client::Claude, Way::Http { url, token }) => with_headers(json!({"type": "http", "url": url}), token.as_deref()),
        (_, Way::Stdio { command, arguments }) => json!({"command": command, "args": arguments}),
        (_, Way::Http { url, token }) => with_headers(json!({"url": url}), token.as_deref()),
    }
}

fn with_headers(mut entry: Value, token: Option<&str>) -> Value {
    if let Some(token) = token {
        entry["headers"] = json!({"Authorization": format!("Bearer {token}")});
    }
    entry
}

/// Prints or writes the configuration.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let way = way(global, own).await?;
    if !own.write {
        output::print(&shown(own.client, &own.name, &way))?;
        return Ok(exit::DONE);
    }
    let (path, key) = own.client.file(&open::home(), &std::env::current_dir()?);
    if own.client == Client::Codex {
        write_toml(&path, key, &own.name, &way)?;
    } else {
        write_json(&path, key, &own.name, entry(own.client, &way))?;
    }
    output::print(&format!("{} now names the server \"{}\".", path.display(), own.name))?;
    Ok(exit::DONE)
}

async fn way(global: &Global, own: &Arguments) -> anyhow::Result<Way> {
    if own.http && !own.client.speaks_http() {
        let message = format!("{} starts its servers itself and cannot be given an address.", own.client.word());
        return Err(Error::bad_input(message).hint("Leave out --http: it will start its own ibid, which shares the index.").into());
    }
    if own.http {
        let library = open::library(global, &[], None).await?;
        let Some(site) = serve::running(library.folder()) else {
            return Err(Error::new(ErrorKind::Unreachable, "This library is not being served over HTTP.").hint("Start it first: ibid serve").into());
        };
        return Ok(Way::Http { url: format!("{site}/mcp"), token: Some(library.tokens().owner_secret().to_owned()) });
    }
    let config = open::config(global, &[], None)?;
    let command = std::env::current_exe()?.display().to_string();
    let mut arguments = vec!["mcp".to_owned()];
    match config.files.first().filter(|file| !file.starts_with(open::user_folder())) {
        Some(file) => arguments.extend([
            "--root".to_owned(),
            file.parent().map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf())).unwrap_or_default().display().to_string(),
        ]),
        None => arguments.extend(config.collections.iter().flat_map(|collection| match &collection.origin {
            Origin::Site(site) => ["--url".to_owned(), site.address.clone()],
            other => ["--root".to_owned(), other.shown()],
        })),
    }
    Ok(Way::Stdio { command, arguments })
}

/// Sets one server in a JSON file and keeps everything else, in its order.
fn write_json(path: &Path, key: &str, name: &str, entry: Value) -> anyhow::Result<()> {
    let text = read_or_empty(path)?;
    let mut whole: Map<String, Value> = if text.trim().is_empty() {
        Map::new()
    } else {
        serde_json::from_str(&text).map_err(|error| {
            Error::bad_config(format!("{} is not plain JSON: {error}.", path.display()))
                .hint("It may hold comments. Add the entry by hand; without --write it is printed.")
        })?
    };
    let servers = whole.entry(key.to_owned()).or_insert_with(|| json!({}));
    let Some(servers) = servers.as_object_mut() else {
        return Err(Error::bad_config(format!("{}: \"{key}\" is no object.", path.display())).into());
    };
    servers.insert(name.to_owned(), entry);
    replace(path, &format!("{}\n", serde_json::to_string_pretty(&whole)?))
}

fn write_toml(path: &Path, key: &str, name: &str, way: &Way) -> anyhow::Result<()> {
    let mut document: toml_edit::DocumentMut =
        read_or_empty(path)?.parse().map_err(|error| Error::bad_config(format!("{}: {error}", path.display())))?;
    let mut entry = toml_edit::Table::new();
    match way {
        Way::Stdio { command, arguments } => {
            entry["command"] = toml_edit::value(command.as_str());
            entry["args"] = toml_edit::value(arguments.iter().map(String::as_str).collect::<toml_edit::Array>());
        }
        Way::Http { url, token } => {
            entry["url"] = toml_edit::value(url.as_str());
            if token.is_some() {
                // The secret itself stays out of the file: Codex reads it from the environment.
                entry["bearer_token_env_var"] = toml_edit::value("IBID_TOKEN");
            }
        }
    }
    let servers = document.entry(key).or_insert_with(|| {
        let mut table = toml_edit::Table::new();
        table.set_implicit(true);
        toml_edit::Item::Table(table)
    });
    let Some(servers) = servers.as_table_mut() else {
        return Err(Error::bad_config(format!("{}: {key} is no table.", path.display())).into());
    };
    servers.insert(name, toml_edit::Item::Table(entry));
    replace(path, &document.to_string())
}

fn read_or_empty(path: &Path) -> anyhow::Result<String> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(Error::bad_config(format!("{} cannot be read: {error}.", path.display())).into()),
    }
}

/// Writes beside and renames, with the permissions of the file that was there; a new file is the owner's alone, since it may hold a token.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let temporary = path.with_extension("ibid-new");
    std::fs::write(&temporary, text)?;
    let permissions = std::fs::metadata(path).map(|metadata| metadata.permissions());
    #[cfg(unix)]
    let permissions = permissions.unwrap_or_else(|_| std::os::unix::fs::PermissionsExt::from_mode(0o600));
    std::fs::set_permissions(&temporary, permissions)?;
    std::fs::rename(&temporary, path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Client, Way, entry, shown, write_json, write_toml};

    fn stdio() -> Way {
        Way::Stdio { command: "/opt/my tools/ibid".to_owned(), arguments: vec!["mcp".to_owned(), "--root".to_owned(), "/srv/lib".to_owned()] }
    }

    #[test]
    fn words_with_blanks_are_quoted_for_the_shell() {
        assert_eq!(shown(Client::Claude, "ibid", &stdio()), "claude mcp add ibid -- '/opt/my tools/ibid' mcp --root /srv/lib");
    }

    #[test]
    fn writing_keeps_what_else_the_file_says() {
        let folder = tempfile::tempdir().unwrap();
        let json = folder.path().join("mcp.json");
        std::fs::write(&json, "{\"theme\": \"dark\", \"mcpServers\": {\"other\": {\"command\": \"x\"}}}").unwrap();
        write_json(&json, "mcpServers", "ibid", entry(Client::Cursor, &stdio())).unwrap();
        let read: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
        assert_eq!(read["theme"], "dark");
        assert_eq!(read["mcpServers"]["other"]["command"], "x");
        assert_eq!(read["mcpServers"]["ibid"]["args"][2], "/srv/lib");
        let toml = folder.path().join("config.toml");
        std::fs::write(&toml, "model = \"m\" # mine\n").unwrap();
        write_toml(&toml, "mcp_servers", "ibid", &stdio()).unwrap();
        let text = std::fs::read_to_string(&toml).unwrap();
        assert!(text.starts_with("model = \"m\" # mine\n"), "{text}");
        assert!(text.contains("[mcp_servers.ibid]"), "{text}");
    }

    #[test]
    fn a_file_with_comments_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        std::fs::write(&path, "{ // mine\n}").unwrap();
        assert!(write_json(&path, "mcpServers", "ibid", entry(Client::Gemini, &stdio())).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{ // mine\n}");
    }
}
