//! The only crate that knows MCP: what a server offers (`surface`), what ibid offers (`product`, `tools`, `resources`, `wire`), and the transports that carry it (`http`, `stdio`) on top of the SDK (`sdk`).

mod envelope;
pub mod errors;
pub mod http;
pub mod product;
mod prompts;
mod resources;
mod sdk;
pub mod stdio;
pub mod surface;
pub mod tools;
pub mod wire;

pub use product::Product;

/// The first revision without handshake and sessions. Revisions compare as text.
pub const MODERN_VERSION: &str = "2026-07-28";
