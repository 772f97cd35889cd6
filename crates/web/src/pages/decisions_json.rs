//! `/decisions.json`: the list of all records with their metadata, for programs and mirrors.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::Response;

use crate::file::{Asking, File, FileError, JSON};
use crate::reader::Reader;
use crate::site::Site;

pub(crate) async fn show(State(site): State<Arc<Site>>, reader: Reader, method: Method, headers: HeaderMap) -> Result<Response, FileError> {
    let kept = site.published.get(&reader.desk, reader.place).await?;
    let (bytes, stamp) = kept.list();
    Ok(File::whole(JSON, stamp, bytes).answer(&Asking { method: &method, headers: &headers }, &reader.desk))
}
