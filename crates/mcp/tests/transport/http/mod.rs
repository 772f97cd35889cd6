//! The endpoint, layer by layer.

mod access;
mod batches;
mod calls;
mod messages;
mod news;
mod sessions;
