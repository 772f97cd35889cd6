//! `cargo xtask test`: the gate. Installs what tests need where it is absent, then runs every check and ends with one line for each.

use std::process::Command;

use anyhow::Result;

use crate::programs::{self, cargo, command, exists, workspace};

/// What came of one check.
enum Outcome {
    Passed,
    Failed,
    Skipped(String),
}

pub fn run(arguments: &[String]) -> Result<bool> {
    let mut outcomes = Vec::new();
    if arguments.iter().all(|argument| argument != "--no-install") {
        outcomes.push(("git", git()?));
        outcomes.push(("PostgreSQL", postgres()?));
        outcomes.push(("clients", clients()?));
    }
    outcomes.push(("format", outcome(programs::run(&mut cargo(&["fmt", "--all", "--check"]))?)));
    outcomes.push(("lints", outcome(programs::run(&mut cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]))?)));
    outcomes.push(("licences", licences()?));
    // Last, so that the closing lines of a run are those of the tests.
    outcomes.push(("tests", tests()?));
    println!();
    for (name, outcome) in &outcomes {
        match outcome {
            Outcome::Passed => println!("{name:<12} passed"),
            Outcome::Failed => println!("{name:<12} FAILED"),
            Outcome::Skipped(why) => println!("{name:<12} skipped: {why}"),
        }
    }
    Ok(outcomes.iter().all(|(_, outcome)| !matches!(outcome, Outcome::Failed)))
}

const fn outcome(is_good: bool) -> Outcome {
    if is_good { Outcome::Passed } else { Outcome::Failed }
}

fn tests() -> Result<Outcome> {
    let arguments: &[&str] = if exists("cargo-nextest") {
        &["nextest", "run", "--workspace", "--locked", "--no-fail-fast"]
    } else {
        &["test", "--workspace", "--locked", "--no-fail-fast"]
    };
    programs::run(&mut cargo(arguments)).map(outcome)
}

/// Duplicates, advisories and licences of dependencies. The advisories need the network, so being unable to fetch them is told, not failed.
fn licences() -> Result<Outcome> {
    if !exists("cargo-deny") {
        return Ok(Outcome::Skipped("cargo-deny is not installed (`cargo install --locked cargo-deny`)".to_owned()));
    }
    if !programs::run(&mut cargo(&["deny", "--offline", "check", "bans", "licenses", "sources"]))? {
        return Ok(Outcome::Failed);
    }
    if !programs::run(&mut cargo(&["deny", "fetch"]))? {
        return Ok(Outcome::Skipped("licences are good; the list of advisories cannot be fetched".to_owned()));
    }
    programs::run(&mut cargo(&["deny", "check", "advisories"])).map(outcome)
}

/// The git door is tested on real repositories, with the program that it runs.
fn git() -> Result<Outcome> {
    installed("git", || exists("git"), "no git was found and there is no apt-get; install git 2.30 or later")
}

/// The store is tested on PostgreSQL too; its tests start a private server from these programs.
fn postgres() -> Result<Outcome> {
    installed("postgresql", has_postgres, "no initdb was found and there is no apt-get; install PostgreSQL 15 or later")
}

/// Installs a package of the system, unless what it brings is there.
fn installed(package: &str, is_there: impl Fn() -> bool, advice: &str) -> Result<Outcome> {
    if is_there() {
        return Ok(Outcome::Passed);
    }
    if !exists("apt-get") {
        return Ok(Outcome::Skipped(advice.to_owned()));
    }
    let mut install = apt_get();
    install.env("DEBIAN_FRONTEND", "noninteractive").args(["install", "--yes", "--no-install-recommends", package]);
    if !programs::run(&mut install)? {
        programs::run(apt_get().arg("update"))?;
        programs::run(&mut install)?;
    }
    Ok(outcome(is_there()))
}

/// Where there is `sudo` and it asks for a password, it fails and the tests say what is missing.
fn apt_get() -> Command {
    if exists("sudo") { command("sudo", &["-n", "apt-get"]) } else { command("apt-get", &[]) }
}

fn has_postgres() -> bool {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    exists("initdb") || versions.map(|entry| entry.path().join("bin/initdb")).any(|program| program.is_file())
}

/// Foreign clients and the conformance suite, into a folder outside of the repository.
fn clients() -> Result<Outcome> {
    let script = workspace().join("tests/clients/install");
    if !script.is_file() {
        return Ok(Outcome::Skipped("there is no tests/clients/install".to_owned()));
    }
    programs::run(&mut command(&script.to_string_lossy(), &[])).map(outcome)
}
