//! `cargo xtask dist`: builds the release binary and packs it with its licences and its checksum into `target/dist`.

use std::fs;

use anyhow::{Context as _, Result};
use document::Stamp;

use crate::programs::{self, cargo, command, target_folder, workspace};

/// Files that travel with the binary.
const PAPERS: [&str; 4] = ["LICENSE-APACHE", "LICENSE-MIT", "README.md", "CHANGELOG.md"];

pub fn run(_: &[String]) -> Result<bool> {
    if !programs::run(&mut cargo(&["build", "--release", "--locked", "-p", "app"]))? {
        return Ok(false);
    }
    let target = target_folder();
    let name = format!("ibid-{}-{}-{}", env!("CARGO_PKG_VERSION"), std::env::consts::ARCH, std::env::consts::OS);
    let dist = target.join("dist");
    let folder = dist.join(&name);
    fs::create_dir_all(&folder)?;
    let binary = format!("ibid{}", std::env::consts::EXE_SUFFIX);
    fs::copy(target.join("release").join(&binary), folder.join(&binary)).context("the release binary")?;
    for paper in PAPERS {
        fs::copy(workspace().join(paper), folder.join(paper)).with_context(|| paper.to_owned())?;
    }
    let archive = dist.join(format!("{name}.tar.gz"));
    if !programs::run(&mut command("tar", &["-czf", &archive.to_string_lossy(), "-C", &dist.to_string_lossy(), &name]))? {
        return Ok(false);
    }
    let stamp = Stamp::of(&fs::read(&archive)?);
    let digits = stamp.as_str().trim_start_matches("sha256:");
    fs::write(dist.join(format!("{name}.tar.gz.sha256")), format!("{digits}  {name}.tar.gz\n"))?;
    println!("{}\n{stamp}", archive.display());
    Ok(true)
}
