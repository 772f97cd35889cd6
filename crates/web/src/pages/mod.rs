//! One file per page: the view as a pure value, the template's name above it, and the handler that asks the engine.

use askama::Template;
use axum::response::Html;

use crate::error::PageError;

pub(crate) mod agents;
pub(crate) mod copy;
pub(crate) mod decisions_json;
pub(crate) mod guide;
pub(crate) mod home;
pub(crate) mod llms;
pub(crate) mod llms_full;
pub(crate) mod missing;
pub(crate) mod problems;
pub(crate) mod record;
pub(crate) mod records;
pub(crate) mod search;
pub(crate) mod sign_in;

mod paging;
pub(crate) mod record_row;

/// What handlers give back.
pub(crate) type Page = Result<Html<String>, PageError>;

/// A view as a page.
pub(crate) fn page(view: &impl Template) -> Page {
    Ok(Html(view.render()?))
}
