//! Formats: one file or folder each.
