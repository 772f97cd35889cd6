//! `/d/{id}`: one decision record, its standing and successors, and the lines that a citation names.

mod cited;
mod standing;
mod text;
mod view;

use askama::Template;
use axum::http::Uri as Address;
use axum::response::{IntoResponse as _, Redirect, Response};
use document::{Scheme, Uri};
use engine::{ErrorKind, decisions};
use serde::Deserialize;

pub(crate) use self::cited::Cited;
pub(crate) use self::text::BodyView;
pub(crate) use self::view::RecordView;
use crate::address;
use crate::chrome::Chrome;
use crate::error::PageError;
use crate::input::Asked;
use crate::pages::page;
use crate::visit::Visit;

/// What a citation says beyond the record. Other pairs are passed over: chats and mail programs hang theirs on links.
#[derive(Deserialize)]
pub(crate) struct Question {
    lines: Option<String>,
    stamp: Option<String>,
}

#[derive(Template)]
#[template(path = "record.html")]
struct RecordPage {
    chrome: Chrome,
    record: RecordView,
}

/// A short or old name of a record leads to its full one, so that what people copy from the address bar is the permalink.
pub(crate) async fn show(visit: Visit, wanted: Address, Asked(question): Asked<Question>) -> Result<Response, PageError> {
    let uri = named(wanted.path())?;
    let answer = decisions::get(&visit.desk, &query_text(&uri)).await.map_err(|error| unread(error, uri.path()))?;
    let permalink = answer.document.uri.permalink();
    if permalink != address::of_record(uri.path()) {
        let query = wanted.query().map(|query| format!("?{query}")).unwrap_or_default();
        let section = answer.body.section.as_deref().map(address::to_anchor).unwrap_or_default();
        return Ok(Redirect::to(&format!("{permalink}{query}{section}")).into_response());
    }
    let cited = Cited::read(question.lines.as_deref(), question.stamp.as_deref())?;
    let record = RecordView::of(&answer, cited, &visit.desk.library.config().statuses);
    Ok(page(&RecordPage { chrome: visit.chrome.at("/records"), record })?.into_response())
}

/// The record that a path names. A path that names none is as missing as a record that is not there.
fn named(path: &str) -> Result<Uri, PageError> {
    let shown = path.strip_prefix("/d/").unwrap_or(path);
    Uri::from_permalink(path).ok().filter(|uri| uri.scheme() == Scheme::Decision).ok_or_else(|| unread(engine::Error::no_record(shown), shown))
}

/// The name as the engine is asked for it. In an id a `#` is a letter, so it must not be taken for the start of a section.
fn query_text(uri: &Uri) -> String {
    if uri.path().contains('#') { uri.to_string() } else { uri.path().to_owned() }
}

fn unread(error: engine::Error, id: &str) -> PageError {
    let is_missing = error.kind == ErrorKind::NotFound;
    let page = PageError::from(error);
    let page = if is_missing { page.without_hint() } else { page };
    page.links_for_record(id)
}
