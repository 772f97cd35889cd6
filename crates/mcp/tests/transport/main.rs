//! The transports over real sockets and pipes: what goes in and what comes out, for both eras. Conformance is a test of its own.

#[path = "../fixtures/mod.rs"]
mod fixtures;

mod http;
mod stdio;
mod wire;
