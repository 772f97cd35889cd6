//! The command line as a person types it.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands::{add, call, check, connect, get, mcp, new, publish, search, serve, supersede, token};

/// Serves what a person or a team knows to AI agents over MCP, with exact citations and answers that are never stale.
#[derive(Debug, Parser)]
#[command(name = "ibid", version, propagate_version = true, max_term_width = 100)]
pub struct Arguments {
    /// The library: a folder with an ibid.toml, or a folder of records. May be given several times. Without it the nearest ibid.toml upwards counts.
    #[arg(long, short = 'L', global = true, value_name = "PATH")]
    pub library: Vec<PathBuf>,
    /// Answer as JSON on standard output.
    #[arg(long, global = true)]
    pub json: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do. One file of `commands/` each.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve the library over HTTP: /mcp for agents, pages for people.
    Serve(serve::Arguments),
    /// Serve the library over standard input and output, for one agent.
    Mcp(mcp::Arguments),
    /// Print or write the MCP configuration of a client.
    Connect(connect::Arguments),
    /// Register a folder as a collection of the library.
    Add(add::Arguments),
    /// Search all collections.
    Search(search::Arguments),
    /// Print one document.
    Get(get::Arguments),
    /// Call a tool as an agent would.
    Call(call::Arguments),
    /// List the tools that agents see.
    Tools,
    /// Write the library as a folder of files, for any host of static pages.
    Publish(publish::Arguments),
    /// Show what is wrong in the files; exit 1 when there are errors.
    Check(check::Arguments),
    /// Make a decision record with the next free number, in the form of its folder.
    New(new::Arguments),
    /// Let one decision record take the place of another, in both files.
    Supersede(supersede::Arguments),
    /// Show what is indexed and how fresh it is.
    Status,
    /// Fetch repositories and published sites now.
    Sync,
    /// Find out what is wrong with the set-up, and how to mend it.
    Doctor,
    /// Make, list and remove access tokens.
    Token(token::Arguments),
}
