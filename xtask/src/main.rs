//! The workshop: everything a developer runs that is not the product. `cargo xtask` lists it.

#![allow(clippy::print_stdout, reason = "xtask talks to the person at the terminal")]

mod commands;
mod programs;
mod tidy;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let rest: Vec<String> = arguments.collect();
    let Some(command) = commands::ALL.iter().find(|command| command.name == name) else {
        eprintln!("usage: cargo xtask COMMAND\n");
        for command in commands::ALL {
            eprintln!("  {:<6} {}", command.name, command.does);
        }
        return ExitCode::from(if matches!(name.as_str(), "" | "help" | "--help" | "-h") { 0 } else { 2 });
    };
    match (command.run)(&rest) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cargo xtask {name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
