//! Programs from the registries of npm, Python and Rust, each at its pinned version and below the scratch folder.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

/// The Node.js that the npm programs run on. npm takes an older version of a program without a word when the system's own Node.js does not suit it.
const NODE: &str = "22.23.5";

/// The folder of one program.
pub fn folder(scratch: &Path, name: &str) -> PathBuf {
    scratch.join("install").join(name)
}

/// The folder with the `node` program, from the npm package of this system.
pub fn node_folder(scratch: &Path) -> PathBuf {
    folder(scratch, "node").join("node_modules").join(node_package()).join("bin")
}

/// A program that Node.js runs.
pub fn node(scratch: &Path) -> PathBuf {
    node_folder(scratch).join("node")
}

fn node_package() -> String {
    let system = if std::env::consts::OS == "macos" { "darwin" } else { std::env::consts::OS };
    let processor = if std::env::consts::ARCH == "x86_64" { "x64" } else { "arm64" };
    format!("node-{system}-{processor}")
}

/// Installs an npm package, and Node.js before the first of them.
///
/// # Errors
/// npm is absent, fails, or has installed another version.
pub fn npm(scratch: &Path, name: &str, package: &str, version: &str) -> Result<()> {
    npm_package(scratch, "node", &node_package(), NODE)?;
    npm_package(scratch, name, package, version)
}

fn npm_package(scratch: &Path, name: &str, package: &str, version: &str) -> Result<()> {
    let folder = folder(scratch, name);
    let manifest = folder.join("node_modules").join(package).join("package.json");
    if installed(&manifest).is_some_and(|found| found == version) {
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    let mut path = std::ffi::OsString::from(node_folder(scratch));
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let mut install = Command::new("npm");
    install.args(["install", "--no-fund", "--no-audit", &format!("{package}@{version}")]).current_dir(&folder).env("PATH", path);
    succeed(&mut install)?;
    let found = installed(&manifest);
    ensure!(found.as_deref() == Some(version), "npm has installed {package} {} in the place of {version}", found.unwrap_or_default());
    Ok(())
}

fn installed(manifest: &Path) -> Option<String> {
    let manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(manifest).ok()?).ok()?;
    manifest["version"].as_str().map(str::to_owned)
}

/// Installs a Python package into an environment of its own.
///
/// # Errors
/// No Python of 3.12 or later was found, or pip fails.
pub fn pip(scratch: &Path, name: &str, package: &str, version: &str, python: Option<&Path>) -> Result<()> {
    let folder = folder(scratch, name);
    if folder.join("bin").join(name).is_file() && folder.join(format!("{version}.installed")).is_file() {
        return Ok(());
    }
    let python = python.map(Path::to_path_buf).or_else(recent_python).context("no Python 3.12 or later was found; name one with --python")?;
    succeed(Command::new(python).args(["-m", "venv"]).arg(&folder))?;
    succeed(Command::new(folder.join("bin/pip")).args(["install", "--quiet", &format!("{package}=={version}")]))?;
    std::fs::write(folder.join(format!("{version}.installed")), "")?;
    Ok(())
}

fn recent_python() -> Option<PathBuf> {
    const RECENT: &str = "import sys; sys.exit(sys.version_info < (3, 12))";
    let names = ["python3.12", "python3.13", "python3.14", "python3"];
    names.iter().map(PathBuf::from).find(|name| Command::new(name).args(["-c", RECENT]).output().is_ok_and(|output| output.status.success()))
}

/// Compiles a Rust program.
///
/// # Errors
/// cargo fails.
pub fn cargo(scratch: &Path, package: &str, version: &str) -> Result<()> {
    let folder = folder(scratch, package);
    let list = std::fs::read_to_string(folder.join(".crates.toml")).unwrap_or_default();
    if list.contains(&format!("\"{package} {version} ")) {
        return Ok(());
    }
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    succeed(Command::new(cargo).args(["install", "--locked", &format!("{package}@{version}"), "--root"]).arg(&folder))
}

fn succeed(command: &mut Command) -> Result<()> {
    let shown = format!("{command:?}");
    eprintln!("$ {shown}");
    let output = command.output().with_context(|| format!("{shown} cannot be started"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_owned();
        bail!("{shown} fails: {last}");
    }
    Ok(())
}
