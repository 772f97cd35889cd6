//! Pages for people: server-rendered, without any script, from the same engine answers that the tools give.

mod address;
mod assets;
mod chrome;
mod cookie;
mod error;
mod file;
mod headers;
mod input;
mod pages;
mod published;
mod reader;
mod router;
mod same_origin;
mod shown;
mod sign_in;
mod site;
pub mod static_pages;
mod visit;

pub use router::router;
pub use sign_in::SignIn;
pub use site::WebOptions;
