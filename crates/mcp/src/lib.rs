//! The only crate that knows MCP: what a server offers (`surface`), and the transports that carry it (`http`, `stdio`) on top of the SDK (`sdk`).

mod envelope;
pub mod http;
mod sdk;
pub mod stdio;
pub mod surface;

/// The first revision without handshake and sessions. Revisions compare as text.
pub const MODERN_VERSION: &str = "2026-07-28";
