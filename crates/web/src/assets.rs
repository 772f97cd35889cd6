//! Style sheet and mark, built in. Their addresses carry a hash of their bytes, so browsers may keep them for ever.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use document::Stamp;

pub(crate) const STYLE: &str = include_str!("../assets/style.css");
pub(crate) const MARK: &str = include_str!("../assets/mark.svg");

static STYLE_PATH: LazyLock<String> = LazyLock::new(|| path("style", "css", STYLE));
static MARK_PATH: LazyLock<String> = LazyLock::new(|| path("mark", "svg", MARK));

const FOR_EVER: &str = "public, max-age=31536000, immutable";

fn path(name: &str, extension: &str, text: &str) -> String {
    let stamp = Stamp::of(text.as_bytes());
    format!("/assets/{name}-{}.{extension}", &stamp.as_str()["sha256:".len()..][..12])
}

/// Where the style sheet is served.
pub(crate) fn style_path() -> &'static str {
    &STYLE_PATH
}

/// Where the mark is served.
pub(crate) fn mark_path() -> &'static str {
    &MARK_PATH
}

pub(crate) async fn style() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/css; charset=utf-8"), (header::CACHE_CONTROL, FOR_EVER)], STYLE)
}

pub(crate) async fn mark() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, FOR_EVER)], MARK)
}
