//! `/guide`: how agents and people use the library.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;

use super::{Page, page};
use crate::chrome::Chrome;
use crate::site::Site;
use crate::visit::Visit;

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage<'a> {
    chrome: Chrome,
    client_lines: &'a [(String, String)],
}

pub(crate) async fn show(State(site): State<Arc<Site>>, visit: Visit) -> Page {
    page(&GuidePage { chrome: visit.chrome.at("/guide"), client_lines: &site.options.client_lines })
}
