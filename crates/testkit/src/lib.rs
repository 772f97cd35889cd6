//! What tests of several crates share: private servers and runners. Knows only `document`; never part of the product.

#[cfg(unix)]
pub mod postgres;
