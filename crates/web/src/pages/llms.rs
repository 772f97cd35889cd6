//! `/llms.txt`: the archive as an agent sees it first.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use document::Stamp;

use crate::file::{Asking, File, FileError, MARKDOWN};
use crate::reader::Reader;
use crate::site::Site;

pub(crate) async fn show(State(site): State<Arc<Site>>, reader: Reader, method: Method, headers: HeaderMap) -> Result<Response, FileError> {
    let kept = site.published.get(&reader.desk, reader.place).await?;
    let text = kept.set.llms_txt();
    let file = File::whole(MARKDOWN, Stamp::of(text.as_bytes()), Bytes::from(text));
    Ok(file.answer(&Asking { method: &method, headers: &headers }, &reader.desk))
}
