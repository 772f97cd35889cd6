//! Formats: one file or folder each.

pub mod decisions;
