//! `ibid add`: registers a folder as a collection, in the project's `ibid.toml` where the folder lies in the project, else in the user's own.

use std::path::{Path, PathBuf};

use engine::Error;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Register a folder as a collection of the library.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder.
    path: PathBuf,
    /// Name of the collection; the folder's name by default.
    #[arg(long)]
    name: Option<String>,
}

/// Adds the entry; every other byte of the file stays as it is.
pub fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let folder = own.path.canonicalize().map_err(|error| Error::bad_config(format!("The folder {} cannot be used: {error}.", own.path.display())))?;
    if !folder.is_dir() {
        return Err(Error::bad_config(format!("{} is no folder.", folder.display())).into());
    }
    let file = target(global, &folder)?;
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Error::bad_config(format!("The configuration {} cannot be read: {error}.", file.display())).into()),
    };
    let mut document: DocumentMut = text.parse().map_err(|error| Error::bad_config(format!("{}: {error}", file.display())))?;
    let base = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let name = own.name.clone().or_else(|| folder.file_name().map(|name| name.to_string_lossy().into_owned())).unwrap_or_else(|| "root".to_owned());
    let written = folder.strip_prefix(&base).map_or_else(
        |_| folder.display().to_string(),
        |inner| if inner.as_os_str().is_empty() { ".".to_owned() } else { inner.display().to_string() },
    );
    let collections = document.entry("collections").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
    let Some(collections) = collections.as_array_of_tables_mut() else {
        return Err(Error::bad_config(format!("{}: collections must be written as [[collections]].", file.display())).into());
    };
    for known in collections.iter() {
        let same_name = known.get("name").and_then(Item::as_str) == Some(name.as_str());
        let same_path = known.get("path").and_then(Item::as_str).is_some_and(|path| base.join(path).canonicalize().is_ok_and(|path| path == folder));
        if same_path {
            output::print(&format!("{} is a collection of {} already.", folder.display(), file.display()))?;
            return Ok(exit::DONE);
        }
        if same_name {
            return Err(Error::new(engine::ErrorKind::Conflict, format!("{} has a collection \"{name}\" already.", file.display()))
                .hint("Give this one another name: --name NAME")
                .into());
        }
    }
    let mut entry = Table::new();
    entry["name"] = value(name.as_str());
    entry["kind"] = value("decisions");
    entry["path"] = value(written);
    collections.push(entry);
    std::fs::create_dir_all(&base)?;
    let temporary = file.with_extension("toml.new");
    std::fs::write(&temporary, document.to_string())?;
    std::fs::rename(&temporary, &file)?;
    output::print(&format!("{} is now the collection \"{name}\" of {}.", folder.display(), file.display()))?;
    Ok(exit::DONE)
}

/// The file that gets the entry.
fn target(global: &Global, folder: &Path) -> anyhow::Result<PathBuf> {
    if let Some(library) = global.library.first() {
        return Ok(library.canonicalize()?.join("ibid.toml"));
    }
    let here = std::env::current_dir()?.canonicalize()?;
    let project = here.ancestors().map(|ancestor| ancestor.join("ibid.toml")).find(|path| path.is_file());
    Ok(project.filter(|path| path.parent().is_some_and(|base| folder.starts_with(base))).unwrap_or_else(|| open::user_folder().join("ibid.toml")))
}
