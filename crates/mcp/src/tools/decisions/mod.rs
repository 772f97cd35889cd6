//! Tools over decision records: the verbs of seed 000.

mod create_record;
mod due_reviews;
mod get_record;
mod list_authors;
mod list_fields;
mod list_projects;
mod rfc_reviews;
mod search_records;
mod set_record_status;
mod supersede_record;

use super::Tool;
use super::tool::{tool, writing_tool};

/// The toolset, in the order of the list.
pub(super) fn tools() -> Vec<Tool> {
    vec![
        tool(list_projects::SPEC, list_projects::call),
        tool(search_records::SPEC, search_records::call),
        tool(get_record::SPEC, get_record::call),
        tool(list_fields::SPEC, list_fields::call),
        tool(list_authors::SPEC, list_authors::call),
        tool(due_reviews::SPEC, due_reviews::call),
        tool(rfc_reviews::SPEC, rfc_reviews::call),
        writing_tool(create_record::SPEC, create_record::wish, create_record::call),
        writing_tool(set_record_status::SPEC, set_record_status::wish, set_record_status::call),
        writing_tool(supersede_record::SPEC, supersede_record::wish, supersede_record::call),
    ]
}
