//! Everything that ibid can do, with no protocol and no terminal: MCP, web and CLI call these functions and cannot drift.

mod cite;
mod clock;
pub mod config;
pub mod decisions;
mod desk;
mod error;
mod events;
pub mod findings;
mod freshness;
mod library;
pub mod policy;
pub mod search;
mod state;
mod sync;
mod tokens;

pub use cite::cite;
pub use clock::Clock;
pub use desk::{Caller, Desk};
pub use error::{Error, ErrorKind, Result};
pub use events::Event;
pub use freshness::Freshness;
pub use library::{CollectionStatus, Library, LibraryStatus, OpenOptions};
pub use state::StateFolder;
pub use tokens::{NewToken, Tokens};
