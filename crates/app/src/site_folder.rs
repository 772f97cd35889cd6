//! The folder that `ibid publish` fills: what is ours in it, what has changed, and what must go. Nothing outside of it, and nothing of others, is touched.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};

use engine::{Error, ErrorKind};

/// The list of our files, one a line, sorted.
const MANIFEST: &str = ".ibid-published";

/// What is being written; renamed when it is whole.
const TEMPORARY: &str = ".ibid-published-new-";

/// What a publish came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Files of the site.
    pub files: usize,
    /// Of these, those that were written.
    pub written: usize,
    /// Those that were there already.
    pub unchanged: usize,
    /// Files of an earlier publish that are gone.
    pub removed: usize,
}

/// A folder while it is filled.
pub struct SiteFolder {
    root: PathBuf,
    /// What an earlier publish wrote.
    old: BTreeSet<String>,
    new: BTreeSet<String>,
    is_forced: bool,
    report: Report,
}

/// A file that comes in parts.
pub struct Growing {
    path: String,
    temporary: PathBuf,
    file: fs::File,
}

impl Growing {
    /// Its next part.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.file.write_all(bytes).map_err(|error| failed("written", &self.temporary, &error))
    }
}

impl SiteFolder {
    /// Opens the folder, making it where it is missing. `apart` are folders that it must neither lie in nor hold.
    ///
    /// # Errors
    /// A folder of records inside or around it, files of others in it, or a disk that refuses it.
    pub fn open(out: &Path, apart: &[PathBuf], is_forced: bool) -> Result<Self, Error> {
        let real = real_path(out)?;
        for other in apart {
            let other = other.canonicalize().unwrap_or_else(|_| other.clone());
            if real.starts_with(&other) || other.starts_with(&real) {
                let message = format!("{} lies inside or around {}, which ibid reads or keeps.", out.display(), other.display());
                return Err(Error::new(ErrorKind::Refused, message).hint("Publish into a folder of its own, beside it."));
            }
        }
        fs::create_dir_all(&real).map_err(|error| failed("made", out, &error))?;
        let root = real.canonicalize().map_err(|error| failed("opened", out, &error))?;
        let manifest = root.join(MANIFEST);
        let is_ours = manifest.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
        let entries = fs::read_dir(&root).map_err(|error| failed("read", out, &error))?;
        let mut is_empty = true;
        for entry in entries.flatten() {
            if entry.file_name().to_string_lossy().starts_with(TEMPORARY) {
                // Of a publish that was cut off.
                let _ = fs::remove_file(entry.path());
            } else {
                is_empty = false;
            }
        }
        if !is_empty && !is_ours && !is_forced {
            return Err(Error::new(ErrorKind::Refused, format!("{} holds files that ibid did not publish.", out.display()))
                .hint("Name an empty folder. --force writes into this one all the same, and over files of the same name."));
        }
        let text = if is_ours { fs::read_to_string(&manifest).map_err(|error| failed("read", &manifest, &error))? } else { String::new() };
        // A list that somebody else wrote may say anything.
        let old = text.lines().filter(|path| check(path).is_ok()).map(str::to_owned).collect();
        Ok(Self { root, old, new: BTreeSet::new(), is_forced, report: Report::default() })
    }

    /// All files that there will be. They are ours from now on, so that a publish that is cut off here can be taken up by the next.
    ///
    /// # Errors
    /// A name that cannot be a file's, two that are one on hosts that do not tell cases apart, or a file of somebody else.
    pub fn plan(&mut self, paths: impl Iterator<Item = String>) -> Result<(), Error> {
        let mut names: HashMap<String, String> = HashMap::new();
        let mut folders: BTreeMap<String, String> = BTreeMap::new();
        for path in paths {
            check(&path).map_err(|reason| {
                Error::new(ErrorKind::Conflict, format!("\"{path}\" cannot be published: {reason}.")).hint("Rename the record's file.")
            })?;
            let folded = path.to_lowercase();
            for (at, _) in folded.match_indices('/') {
                folders.entry(folded[..at].to_owned()).or_insert_with(|| path.clone());
            }
            if let Some(other) = names.insert(folded, path.clone()) {
                return Err(clash(&other, &path));
            }
            self.new.insert(path);
        }
        if let Some((other, path)) = names.iter().find_map(|(folded, path)| folders.get(folded).map(|other| (other, path))) {
            return Err(clash(other, path));
        }
        if !self.is_forced {
            // A folder of our own files may become a file.
            let is_ours = |path: &String| {
                self.old.contains(path) || self.old.iter().any(|old| old.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
            };
            let foreign = self.new.iter().find(|path| self.root.join(path).symlink_metadata().is_ok() && !is_ours(path));
            if let Some(path) = foreign {
                return Err(Error::new(
                    ErrorKind::Refused,
                    format!("{} is there already, and ibid did not publish it.", self.root.join(path).display()),
                )
                .hint("Move it away, or write over it with --force."));
            }
        }
        self.keep_list(&self.old.union(&self.new).cloned().collect())
    }

    /// Makes a planned file hold these bytes.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), Error> {
        let target = self.target(path)?;
        if is_same(&target, bytes.len() as u64, |there| there == bytes) {
            self.report.unchanged += 1;
            return Ok(());
        }
        let mut file = self.begin(path)?;
        file.add(bytes)?;
        self.replace(file, &target)
    }

    /// Begins a planned file that comes in parts.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn begin(&self, path: &str) -> Result<Growing, Error> {
        let temporary = self.root.join(format!("{TEMPORARY}{}", std::process::id()));
        let _ = fs::remove_file(&temporary);
        let file = fs::File::options().write(true).create_new(true).open(&temporary).map_err(|error| failed("written", &temporary, &error))?;
        Ok(Growing { path: path.to_owned(), temporary, file })
    }

    /// Ends it.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn end(&mut self, file: Growing) -> Result<(), Error> {
        let target = self.target(&file.path)?;
        if same_files(&file.temporary, &target).unwrap_or(false) {
            self.report.unchanged += 1;
            let _ = fs::remove_file(&file.temporary);
            return Ok(());
        }
        self.replace(file, &target)
    }

    fn replace(&mut self, file: Growing, target: &Path) -> Result<(), Error> {
        file.file.sync_all().map_err(|error| failed("written", &file.temporary, &error))?;
        if target.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
            // A folder of an earlier publish, where there is now a file: empty by the time, or not ours.
            self.remove_stale_below(&file.path);
        }
        fs::rename(&file.temporary, target).map_err(|error| failed("written", target, &error))?;
        self.report.written += 1;
        Ok(())
    }

    /// Removes what an earlier publish wrote and this one did not.
    ///
    /// # Errors
    /// The disk refuses it.
    pub fn finish(mut self) -> Result<Report, anyhow::Error> {
        let gone: Vec<String> = self.old.difference(&self.new).cloned().collect();
        for path in &gone {
            self.remove(path)?;
        }
        self.keep_list(&self.new.clone())?;
        self.report.files = self.new.len();
        Ok(self.report)
    }

    fn remove_stale_below(&mut self, folder: &str) {
        let below = format!("{folder}/");
        let gone: Vec<String> = self.old.iter().filter(|path| path.starts_with(&below) && !self.new.contains(*path)).cloned().collect();
        for path in gone {
            let _ = self.remove(&path);
            self.old.remove(&path);
        }
    }

    /// Removes a file of ours, and the folders above it that are empty then.
    fn remove(&mut self, path: &str) -> Result<(), Error> {
        // Below a link lies what is not ours.
        if !self.has_plain_folders(path) {
            return Ok(());
        }
        let target = self.root.join(path);
        match target.symlink_metadata() {
            Ok(metadata) if metadata.is_dir() => return Ok(()),
            Err(_) => return Ok(()),
            Ok(_) => {}
        }
        fs::remove_file(&target).map_err(|error| failed("removed", &target, &error))?;
        self.report.removed += 1;
        let mut folder = target.parent();
        while let Some(empty) = folder.filter(|folder| **folder != *self.root) {
            if fs::remove_dir(empty).is_err() {
                break;
            }
            folder = empty.parent();
        }
        Ok(())
    }

    /// Where a file lies, its folders made. A link among them would lead out, so none is followed.
    fn target(&mut self, path: &str) -> Result<PathBuf, Error> {
        let mut folder = self.root.clone();
        let parts: Vec<&str> = path.split('/').collect();
        let (last, above) = parts.split_last().ok_or_else(|| Error::bad_input("A file has no name."))?;
        for (at, part) in above.iter().enumerate() {
            folder.push(part);
            match folder.symlink_metadata() {
                Ok(metadata) if metadata.is_dir() => continue,
                Ok(_) => {
                    // A file of an earlier publish, where there is now a folder.
                    let stale = parts[..=at].join("/");
                    if self.old.contains(&stale) && !self.new.contains(&stale) {
                        self.remove(&stale)?;
                    } else {
                        let message = format!("{} is no folder, and ibid did not publish it.", folder.display());
                        return Err(Error::new(ErrorKind::Refused, message).hint("Move it away."));
                    }
                }
                Err(_) => {}
            }
            fs::create_dir_all(&folder).map_err(|error| failed("made", &folder, &error))?;
        }
        Ok(folder.join(last))
    }

    fn has_plain_folders(&self, path: &str) -> bool {
        let mut folder = self.root.clone();
        let parts: Vec<&str> = path.split('/').collect();
        parts.iter().take(parts.len().saturating_sub(1)).all(|part| {
            folder.push(part);
            folder.symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
        })
    }

    fn keep_list(&self, paths: &BTreeSet<String>) -> Result<(), Error> {
        let text: String = paths.iter().map(|path| format!("{path}\n")).collect();
        let target = self.root.join(MANIFEST);
        if is_same(&target, text.len() as u64, |there| there == text.as_bytes()) {
            return Ok(());
        }
        let mut file = self.begin(MANIFEST)?;
        file.add(text.as_bytes())?;
        file.file.sync_all().map_err(|error| failed("written", &file.temporary, &error))?;
        fs::rename(&file.temporary, &target).map_err(|error| failed("written", &target, &error))
    }
}

/// Whether a path may be that of a file below the folder.
fn check(path: &str) -> Result<(), &'static str> {
    for part in path.split('/') {
        match part {
            "" | "." | ".." => return Err("a part of its path is empty or climbs"),
            part if part.chars().any(|character| character.is_control() || character == '\\') => {
                return Err("its path holds a character that no address may hold");
            }
            MANIFEST => return Err("its name is reserved"),
            part if part.starts_with(TEMPORARY) => return Err("its name is reserved"),
            _ => {}
        }
    }
    Ok(())
}

fn clash(one: &str, other: &str) -> Error {
    Error::new(ErrorKind::Conflict, format!("\"{one}\" and \"{other}\" cannot both be published: many hosts and disks take them for one name."))
        .hint("Rename one of the records, or exclude it.")
}

/// The path with links resolved, as far as it is there.
fn real_path(path: &Path) -> Result<PathBuf, Error> {
    let absolute = std::path::absolute(path).map_err(|error| failed("found", path, &error))?;
    let mut missing = Vec::new();
    for ancestor in absolute.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return Ok(missing.iter().rev().fold(real, |path, name| path.join(name)));
        }
        match ancestor.file_name() {
            Some(name) => missing.push(name.to_owned()),
            None => return Err(Error::bad_input(format!("{} is no folder to publish into.", path.display()))),
        }
    }
    Ok(absolute)
}

fn is_same(path: &Path, size_bytes: u64, is_it: impl Fn(&[u8]) -> bool) -> bool {
    let has_size = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() == size_bytes);
    has_size && fs::read(path).is_ok_and(|there| is_it(&there))
}

/// Whether two files hold the same bytes, read a little at a time.
fn same_files(one: &Path, other: &Path) -> std::io::Result<bool> {
    let metadata = other.symlink_metadata()?;
    if !metadata.is_file() || metadata.len() != one.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(fs::File::open(one)?).bytes(), BufReader::new(fs::File::open(other)?).bytes());
    loop {
        match (one.next().transpose()?, other.next().transpose()?) {
            (None, None) => return Ok(true),
            (left, right) if left != right => return Ok(false),
            _ => {}
        }
    }
}

fn failed(what: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Unreachable, format!("{} cannot be {what}: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use engine::ErrorKind;

    use super::{Report, SiteFolder};

    fn publish(out: &std::path::Path, files: &[(&str, &str)], is_forced: bool) -> Result<Report, anyhow::Error> {
        let mut folder = SiteFolder::open(out, &[], is_forced)?;
        folder.plan(files.iter().map(|(path, _)| (*path).to_owned()))?;
        for (path, text) in files {
            folder.put(path, text.as_bytes())?;
        }
        folder.finish()
    }

    fn kind(outcome: Result<Report, anyhow::Error>) -> ErrorKind {
        outcome.unwrap_err().downcast::<engine::Error>().unwrap().kind
    }

    #[test]
    fn what_is_the_same_is_left_and_what_is_gone_goes() {
        let world = tempfile::tempdir().unwrap();
        let out = world.path().join("site");
        let all = [("index.html", "1"), ("a/adr/x.md", "2"), ("a/adr/y.md", "3")];
        assert_eq!(publish(&out, &all, false).unwrap(), Report { files: 3, written: 3, unchanged: 0, removed: 0 });
        assert_eq!(publish(&out, &all, false).unwrap(), Report { files: 3, written: 0, unchanged: 3, removed: 0 });
        fs::write(out.join("CNAME"), "decisions.example.org").unwrap();
        assert_eq!(publish(&out, &[("index.html", "new")], false).unwrap(), Report { files: 1, written: 1, unchanged: 0, removed: 2 });
        assert!(!out.join("a").exists() && out.join("CNAME").exists(), "folders that are empty go, files of others stay");
        // A file becomes a folder, and a folder a file.
        publish(&out, &[("x.md", "1"), ("y.md/z.md", "2")], false).unwrap();
        assert_eq!(publish(&out, &[("x.md/a.md", "1"), ("y.md", "2")], false).unwrap().written, 2);
        assert_eq!(fs::read_to_string(out.join("y.md")).unwrap(), "2");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 4, "no temporary file is left");
    }

    #[test]
    fn files_of_others_are_safe() {
        let world = tempfile::tempdir().unwrap();
        let out = world.path().join("site");
        fs::create_dir(&out).unwrap();
        fs::write(out.join("index.html"), "mine").unwrap();
        assert_eq!(kind(publish(&out, &[("index.html", "1")], false)), ErrorKind::Refused);
        assert_eq!(fs::read_to_string(out.join("index.html")).unwrap(), "mine");
        publish(&out, &[("index.html", "1")], true).unwrap();
        fs::write(out.join("llms.txt"), "mine").unwrap();
        assert_eq!(kind(publish(&out, &[("index.html", "1"), ("llms.txt", "2")], false)), ErrorKind::Refused);
        // A list that was written by somebody else removes nothing outside.
        fs::write(world.path().join("precious"), "x").unwrap();
        fs::write(out.join(".ibid-published"), "../precious\n/etc/hostname\nindex.html\nlink/precious\n").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(world.path(), out.join("link")).unwrap();
        publish(&out, &[("other.html", "1")], false).unwrap();
        assert!(world.path().join("precious").exists() && !out.join("index.html").exists());
        #[cfg(unix)]
        assert_eq!(kind(publish(&out, &[("link/x.md", "1")], false)), ErrorKind::Refused);
        assert!(!world.path().join("x.md").exists());
    }

    #[test]
    fn names_that_are_one_on_some_disk_are_both_named() {
        let world = tempfile::tempdir().unwrap();
        for pair in [["a/ADR/x.md", "a/adr/X.md"], ["a/x.md", "a/x.md/y.md"]] {
            let error = publish(&world.path().join("site"), &pair.map(|path| (path, "")), false).unwrap_err();
            assert!(pair.iter().all(|path| error.to_string().contains(path)), "{error}");
        }
        for path in ["../x.md", "/x.md", "a//x.md", "a\\x.md", "a/\n.md", ".ibid-published"] {
            assert_eq!(kind(publish(&world.path().join("site"), &[(path, "")], false)), ErrorKind::Conflict, "{path:?}");
        }
    }

    #[test]
    fn folders_of_records_stay_apart() {
        let world = tempfile::tempdir().unwrap();
        let records = world.path().join("records");
        fs::create_dir(&records).unwrap();
        for out in [records.clone(), records.join("site"), records.join("a/b"), world.path().to_path_buf(), records.join("../records/site")] {
            let refused = SiteFolder::open(&out, std::slice::from_ref(&records), true).err().map(|error| error.kind);
            assert_eq!(refused, Some(ErrorKind::Refused), "{}", out.display());
        }
        assert!(SiteFolder::open(&world.path().join("records-site"), &[records], false).is_ok());
    }
}
