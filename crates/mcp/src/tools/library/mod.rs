//! Tools that work over all kinds.

mod fetch;
mod list_collections;
mod list_tags;
mod search;

use super::Tool;
use super::tool::tool;

/// The toolset, in the order of the list.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        tool(search::SPEC, search::call),
        tool(fetch::SPEC, fetch::call),
        tool(list_collections::SPEC, list_collections::call),
        tool(list_tags::SPEC, list_tags::call),
    ]
}
