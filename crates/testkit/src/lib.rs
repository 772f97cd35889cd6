//! What tests of several crates share: a private PostgreSQL. Knows none of our crates; never part of the product.

#[cfg(unix)]
pub mod postgres;
