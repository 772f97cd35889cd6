//! What happened in a library, for whoever listens: subscribers of resources, the web page, the log.

use document::Uri;

/// Something that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A document's text or metadata changed.
    Updated(Uri),
    /// Documents came or went.
    ListChanged,
}
