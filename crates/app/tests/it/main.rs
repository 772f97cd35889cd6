//! The real binary over real transports, on real files: the only integration binary of the workspace.

mod agent;
mod cli;
mod clients;
mod crash;
mod documents;
mod edits;
mod findings;
mod http;
mod published;
mod real_records;
mod writes;
