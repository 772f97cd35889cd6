//! One `ibid.toml`: parsed, unknown keys refused with the nearest known one, wrong types named. What was said, not yet what is meant.

use std::path::{Path, PathBuf};

use source::formats::decisions::FieldDeclaration;
use toml::{Table, Value};

use super::Consent;
use super::keys::{self, KEYS};
use crate::{Error, Result};

/// What one file says.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FileConfig {
    pub(super) path: PathBuf,
    pub(super) name: Option<String>,
    pub(super) store: Option<String>,
    pub(super) collections: Vec<FileCollection>,
    pub(super) statuses: Vec<FileStatus>,
    pub(super) fields: Vec<FieldDeclaration>,
    pub(super) tools: Vec<(String, bool)>,
    pub(super) consent: Vec<(String, Consent)>,
    pub(super) trusted_folders: Vec<String>,
    pub(super) bind: Option<String>,
    pub(super) allowed_hosts: Vec<String>,
    pub(super) allowed_origins: Vec<String>,
    pub(super) public_url: Option<String>,
}

/// A `[[collections]]` table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FileCollection {
    pub(super) name: Option<String>,
    pub(super) kind: Option<String>,
    pub(super) path: Option<String>,
    pub(super) repository: Option<String>,
    pub(super) branch: Option<String>,
    pub(super) tag: Option<String>,
    pub(super) folder: Option<String>,
    pub(super) refresh_minutes: Option<u32>,
    pub(super) source: Option<String>,
    pub(super) token_variable: Option<String>,
    pub(super) template: Option<String>,
    pub(super) exclude: Vec<String>,
}

/// A `[[statuses]]` table.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct FileStatus {
    pub(super) name: String,
    pub(super) is_current: bool,
    pub(super) is_open: bool,
}

/// Reads a configuration text; `path` is for messages and for relative folders.
pub(super) fn read(path: &Path, text: &str) -> Result<FileConfig> {
    let table: Table = toml::from_str(text).map_err(|error| {
        let line_number = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
        Error::bad_config(format!("{}:{line_number}: {}.", path.display(), error.message()))
    })?;
    let reader = Reader { path };
    reader.check_keys("", &Value::Table(table.clone()))?;
    let mut config = FileConfig { path: path.to_path_buf(), ..FileConfig::default() };
    config.name = reader.text(&table, "name", "name")?;
    config.store = reader.text(&table, "store", "store")?;
    for (number, entry) in reader.tables(&table, "collections")?.into_iter().enumerate() {
        let place = format!("collections[{number}]");
        let text = |name: &str| reader.text(entry, name, &format!("{place}.{name}"));
        config.collections.push(FileCollection {
            name: text("name")?,
            kind: text("kind")?,
            path: text("path")?,
            repository: text("repository")?,
            branch: text("branch")?,
            tag: text("tag")?,
            folder: text("folder")?,
            refresh_minutes: reader.minutes(entry, "refresh_minutes", &format!("{place}.refresh_minutes"))?,
            source: text("source")?,
            token_variable: text("token_variable")?,
            template: text("template")?,
            exclude: reader.texts(entry, "exclude", &format!("{place}.exclude"))?,
        });
    }
    for (number, entry) in reader.tables(&table, "statuses")?.into_iter().enumerate() {
        let place = format!("statuses[{number}]");
        let name = reader.text(entry, "name", &format!("{place}.name"))?;
        config.statuses.push(FileStatus {
            name: name.ok_or_else(|| Error::bad_config(format!("{}: {place} has no name.", path.display())))?,
            is_current: reader.boolean(entry, "current", &format!("{place}.current"))?.unwrap_or(false),
            is_open: reader.boolean(entry, "open", &format!("{place}.open"))?.unwrap_or(false),
        });
    }
    config.fields = reader.fields(&table)?;
    if let Some(consent) = reader.table(&table, "consent")? {
        for name in consent.keys() {
            let place = format!("consent.{name}");
            let word = reader.text(consent, name, &place)?.unwrap_or_default();
            let said = Consent::parse(&word).ok_or_else(|| {
                Error::bad_config(format!("{}: {place} is \"{word}\".", path.display())).hint("Write \"ask\", \"always\" or \"never\".")
            })?;
            config.consent.push((name.clone(), said));
        }
    }
    config.trusted_folders = reader.texts(&table, "trusted_folders", "trusted_folders")?;
    if let Some(tools) = reader.table(&table, "tools")? {
        for name in tools.keys() {
            let is_on = reader.boolean(tools, name, &format!("tools.{name}"))?.unwrap_or(false);
            config.tools.push((name.clone(), is_on));
        }
    }
    if let Some(server) = reader.table(&table, "server")? {
        config.bind = reader.text(server, "bind", "server.bind")?;
        config.allowed_hosts = reader.texts(server, "allowed_hosts", "server.allowed_hosts")?;
        config.allowed_origins = reader.texts(server, "allowed_origins", "server.allowed_origins")?;
        config.public_url = reader.text(server, "public_url", "server.public_url")?;
    }
    Ok(config)
}

/// Takes typed values out of a table; each error names file, key and what was found.
struct Reader<'a> {
    path: &'a Path,
}

impl Reader<'_> {
    fn check_keys(&self, place: &str, value: &Value) -> Result<()> {
        match value {
            Value::Table(table) => {
                for (name, inner) in table {
                    let path = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                    self.check_keys(&path, inner)?;
                }
                if table.is_empty() && !place.is_empty() && !is_prefix(place) { Err(self.unknown(place)) } else { Ok(()) }
            }
            Value::Array(items) if !items.is_empty() && items.iter().all(Value::is_table) => {
                items.iter().try_for_each(|item| self.check_keys(&format!("{place}[]"), item))
            }
            _ if is_known(place) || is_prefix(place) => Ok(()),
            _ => Err(self.unknown(place)),
        }
    }

    fn unknown(&self, place: &str) -> Error {
        let error = Error::bad_config(format!("{}: there is no key \"{place}\".", self.path.display()));
        match keys::nearest(place) {
            Some(near) => error.hint(format!("Did you mean \"{near}\"?")),
            None => error.hint("The keys are listed in docs/reference/configuration.md."),
        }
    }

    fn wrong(&self, place: &str, wanted: &str, found: &Value) -> Error {
        Error::bad_config(format!("{}: {place} must be {wanted}, but is {} {found}.", self.path.display(), found.type_str()))
    }

    /// `[[fields]]`: what cannot be meant is refused, for here nobody else's records would suffer from it.
    fn fields(&self, table: &Table) -> Result<Vec<FieldDeclaration>> {
        let mut fields: Vec<FieldDeclaration> = Vec::new();
        for (number, entry) in self.tables(table, "fields")?.into_iter().enumerate() {
            let place = format!("fields[{number}]");
            let text = |name: &str| self.text(entry, name, &format!("{place}.{name}"));
            let refused = |message: String| Error::bad_config(format!("{}: {place}: {message}", self.path.display()));
            let values = self.texts(entry, "values", &format!("{place}.values"))?;
            let declared = FieldDeclaration {
                name: text("name")?.filter(|name| !name.trim().is_empty()).ok_or_else(|| refused("It has no name.".to_owned()))?,
                label: text("label")?,
                field_type: FieldDeclaration::type_or_default(text("type")?, &values),
                values,
                unit: text("unit")?,
                description: text("description")?,
            };
            if let Some(fault) = declared.fault() {
                return Err(refused(fault.message(&declared)).hint(fault.hint()));
            }
            if fields.iter().any(|known| known.is_named(&declared.name)) {
                return Err(refused(format!("The field \"{}\" is declared twice.", declared.name)).hint("Leave one of the two out."));
            }
            fields.push(declared);
        }
        Ok(fields)
    }

    fn text(&self, table: &Table, name: &str, place: &str) -> Result<Option<String>> {
        match table.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(self.wrong(place, "a text", other)),
        }
    }

    fn boolean(&self, table: &Table, name: &str, place: &str) -> Result<Option<bool>> {
        match table.get(name) {
            None => Ok(None),
            Some(Value::Boolean(value)) => Ok(Some(*value)),
            Some(other) => Err(self.wrong(place, "true or false", other)),
        }
    }

    fn minutes(&self, table: &Table, name: &str, place: &str) -> Result<Option<u32>> {
        match table.get(name) {
            None => Ok(None),
            Some(value) => match value.as_integer().and_then(|number| u32::try_from(number).ok()) {
                Some(minutes) => Ok(Some(minutes)),
                None => Err(self.wrong(place, "a whole number of minutes, 0 or more", value)),
            },
        }
    }

    fn texts(&self, table: &Table, name: &str, place: &str) -> Result<Vec<String>> {
        match table.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => {
                items.iter().map(|item| item.as_str().map(str::to_owned).ok_or_else(|| self.wrong(place, "a list of texts", item))).collect()
            }
            Some(other) => Err(self.wrong(place, "a list of texts", other)),
        }
    }

    fn table<'t>(&self, table: &'t Table, name: &str) -> Result<Option<&'t Table>> {
        match table.get(name) {
            None => Ok(None),
            Some(Value::Table(inner)) => Ok(Some(inner)),
            Some(other) => Err(self.wrong(name, "a table", other)),
        }
    }

    fn tables<'t>(&self, table: &'t Table, name: &str) -> Result<Vec<&'t Table>> {
        match table.get(name) {
            None => Ok(Vec::new()),
            Some(Value::Array(items)) => items.iter().map(|item| item.as_table().ok_or_else(|| self.wrong(name, "a list of tables", item))).collect(),
            Some(other) => Err(self.wrong(name, "a list of tables", other)),
        }
    }
}

fn is_known(place: &str) -> bool {
    KEYS.iter().any(|key| key.path == place || key.path.strip_suffix('*').is_some_and(|prefix| place.starts_with(prefix)))
}

fn is_prefix(place: &str) -> bool {
    KEYS.iter().any(|key| key.path.strip_prefix(place).is_some_and(|rest| rest.starts_with(['.', '['])))
}
