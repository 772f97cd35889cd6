//! `ibid mcp`: the library over standard input and output, for one agent. Nothing but protocol goes to standard output.

use std::path::PathBuf;
use std::sync::Arc;

use ::mcp::stdio::StdioOptions;
use tokio_util::sync::CancellationToken;

use crate::arguments::Arguments as Global;
use crate::{commands::serve, exit, open};

/// Serve the library over standard input and output.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Folder with an ibid.toml, or a folder of records.
    #[arg(long, value_name = "DIR")]
    root: Vec<PathBuf>,
    /// Address of a published site, with its base path.
    #[arg(long, value_name = "SITE")]
    url: Vec<String>,
    /// More folders.
    paths: Vec<PathBuf>,
}

/// Serves until standard input ends.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let paths: Vec<PathBuf> = own.root.iter().chain(&own.paths).cloned().collect();
    let library = open::library_of(open::config_with_sites(global, &paths, &own.url)?).await?;
    let stop = CancellationToken::new();
    let warm = tokio::spawn(Arc::clone(&library).keep_warm(stop.clone()));
    // Links for people lead to the running site of this library, where there is one.
    let site = serve::running(library.folder());
    ::mcp::stdio::serve_process(Arc::new(::mcp::Product::new(library, site)), StdioOptions::default(), stop.clone()).await?;
    stop.cancel();
    let _ = warm.await;
    Ok(exit::DONE)
}
