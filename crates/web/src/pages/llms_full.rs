//! `/llms-full.txt`: the texts of all records, sent while they are read, so that a large archive is never in memory as a whole.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use futures_util::stream;

use crate::file::{Asking, File, FileError, MARKDOWN};
use crate::reader::Reader;
use crate::site::Site;

/// A record that changes while it is sent breaks the answer off: a part of another version would not be what the version says.
pub(crate) async fn show(State(site): State<Arc<Site>>, reader: Reader, method: Method, headers: HeaderMap) -> Result<Response, FileError> {
    let Reader { desk, place, guard } = reader;
    let kept = site.published.get(&desk, place).await?;
    let stamp = kept.full_stamp();
    // Together with the first part, so that a library that cannot be read is a failure and not a file that ends early.
    let is_head = method == Method::HEAD;
    let (first, next) = if is_head { (String::new(), None) } else { kept.set.llms_full_part(&desk, 0).await? };
    let reading = (Arc::clone(&kept), desk.clone(), guard);
    let parts = stream::unfold((Some(first), next, reading), |(first, next, reading)| async move {
        if let Some(first) = first {
            return Some((Ok(Bytes::from(first)), (None, next, reading)));
        }
        let (kept, desk, _) = &reading;
        match kept.set.llms_full_part(desk, next?).await {
            Ok((text, next)) => Some((Ok(Bytes::from(text)), (None, next, reading))),
            Err(error) => {
                tracing::warn!(message = %error.message, "llms-full.txt broke off");
                Some((Err(error), (None, None, reading)))
            }
        }
    });
    let file = File { content_type: MARKDOWN, stamp, size_bytes: None, body: Body::from_stream(parts) };
    Ok(file.answer(&Asking { method: &method, headers: &headers }, &desk))
}
