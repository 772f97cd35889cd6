//! The list of commands; one file for each.

mod bench;
mod dist;
mod eval;
mod generate;
mod test;
mod tidy;

use anyhow::Result;

/// One command.
pub struct Command {
    /// What is typed.
    pub name: &'static str,
    /// What it does, for the list.
    pub does: &'static str,
    /// Runs it with the arguments behind its name; whether all is well.
    pub run: fn(&[String]) -> Result<bool>,
}

/// All commands.
pub const ALL: [Command; 6] = [
    Command { name: "test", does: "the gate: installs what tests need, runs all of them, lints and licences", run: test::run },
    Command { name: "tidy", does: "the rules of the house: floors, doors, headers, budgets, links", run: tidy::run },
    Command { name: "gen", does: "rewrites what is generated: schemas, tables of the docs, expectations", run: generate::run },
    Command { name: "bench", does: "speed, as tables", run: bench::run },
    Command {
        name: "eval",
        does: "quality on labelled data: `decisions`, how well records are read; `retrieval`, how good search is; both without a name",
        run: eval::run,
    },
    Command { name: "dist", does: "the release binary, packed, with its checksum", run: dist::run },
];
