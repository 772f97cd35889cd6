//! The table of contents of the web site.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state, map_response};
use axum::routing::{get, post};

use crate::pages::{agents, copy, decisions_json, guide, home, llms, llms_full, problems, records, search, sign_in};
use crate::site::{Site, WebOptions};
use crate::{assets, error, headers, same_origin};

/// The most that a form may send, in bytes. The longest is a token and a path.
const FORM_SIZE_BYTES: usize = 16 * 1024;

/// All pages, ready to be joined with other routers on one port. It brings the fallback of the joined site, so the others must bring none.
///
/// The `Host` header is **not** checked here: the app wraps the whole site, pages and protocol alike, in one Host and Origin check, without which a
/// foreign name could be pointed at a loopback address. Requests that change something are refused here when another site sent them.
pub fn router(options: WebOptions) -> Router {
    let site = Arc::new(Site::new(options));
    Router::new()
        // For readers.
        .route("/", get(home::show))
        .route("/search", get(search::show))
        .route("/records", get(records::show))
        .route("/d/{*id}", get(copy::or_page))
        .route("/problems", get(problems::show))
        .route("/guide", get(guide::show))
        // For programs, at the paths of `ibid publish`. Copies of records, `/<id>.md`, stand wherever nothing else does.
        .route("/decisions.json", get(decisions_json::show))
        .route("/llms.txt", get(llms::show))
        .route("/llms-full.txt", get(llms_full::show))
        .route("/AGENTS.md", get(agents::show))
        // Coming and going.
        .route("/sign-in", get(sign_in::show).post(sign_in::with_token))
        .route("/sign-in/code", post(sign_in::new_link))
        .route("/sign-out", post(sign_in::leave))
        // What pages are dressed in.
        .route(assets::style_path(), get(assets::style))
        .route(assets::mark_path(), get(assets::mark))
        .fallback(copy::or_missing)
        .layer(DefaultBodyLimit::max(FORM_SIZE_BYTES))
        .layer(from_fn(same_origin::check))
        .layer(from_fn_with_state(Arc::clone(&site), error::render))
        .layer(map_response(headers::protect))
        .with_state(site)
}
