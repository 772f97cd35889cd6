//! The conformance fixtures behind the product's own transports, for the suite and for foreign clients.
//!
//! `conformance_server PORT` serves HTTP on loopback (0 picks a port) and prints the address; `conformance_server stdio` serves the pipe.

#[path = "../tests/fixtures/mod.rs"]
mod fixtures;

use std::{io::Write, sync::Arc};

use mcp::{
    http::{HttpOptions, router},
    stdio::{StdioOptions, serve_process},
};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let surface = Arc::new(fixtures::Fixtures::new());
    let argument = std::env::args().nth(1).unwrap_or_else(|| "0".to_owned());
    if argument == "stdio" {
        return serve_process(surface, StdioOptions::default(), CancellationToken::new()).await;
    }
    let port: u16 = argument.parse().map_err(std::io::Error::other)?;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", port)).await?;
    writeln!(std::io::stdout(), "http://{}/mcp", listener.local_addr()?)?;
    axum::serve(listener, router(surface, HttpOptions::default())).await
}
