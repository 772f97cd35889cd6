//! Everything that ibid can do, with no protocol and no terminal: MCP, web and CLI call these functions and cannot drift.

mod cite;
mod clock;
mod collection;
pub mod config;
pub mod decisions;
mod desk;
mod error;
mod events;
pub mod findings;
mod freshness;
pub mod indexing;
mod library;
mod own_words;
pub mod policy;
pub mod search;
mod state;
mod sync;
mod tokens;
pub mod write;

pub use cite::cite;
pub use clock::{Clock, rfc3339};
pub use collection::CollectionStatus;
pub use desk::{Caller, Desk};
pub use error::{Error, ErrorKind, Result};
pub use events::Event;
pub use freshness::Freshness;
pub use library::{Library, LibraryStatus, OpenOptions};
pub use state::StateFolder;
pub use sync::RemoteStatus;
pub use tokens::{NewToken, Tokens};
