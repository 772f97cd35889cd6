//! The folder door.
