//! A site over files that a test writes, and what a browser would see of it.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use engine::config::{Sources, load};
use engine::{Library, OpenOptions, StateFolder};
use tempfile::TempDir;
use tower::ServiceExt as _;
use web::{SignIn, WebOptions};

pub struct Site {
    pub library: Arc<Library>,
    pub sign_in: SignIn,
    pub router: Router,
    folder: TempDir,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The `name=value` of the cookie that it sets.
    pub fn cookie(&self) -> String {
        self.header(header::SET_COOKIE).split(';').next().unwrap_or_default().to_owned()
    }

    /// The text between the first `start` and the `end` behind it.
    pub fn between(&self, start: &str, end: &str) -> &str {
        let from = self.text.find(start).unwrap_or_else(|| panic!("{start:?} is not in {}", self.text)) + start.len();
        let to = self.text[from..].find(end).map_or(self.text.len(), |at| from + at);
        &self.text[from..to]
    }
}

impl Site {
    /// Everybody is the owner.
    pub async fn open(files: &[(&str, &str)]) -> Self {
        Self::with(files, false).await
    }

    /// Visitors must sign in.
    pub async fn locked(files: &[(&str, &str)]) -> Self {
        Self::with(files, true).await
    }

    async fn with(files: &[(&str, &str)], require_sign_in: bool) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let records = folder.path().join("records");
        std::fs::create_dir_all(&records).unwrap();
        for (path, text) in files {
            write(&records, path, text);
        }
        let config = load(&Sources { paths: vec![records], ..Sources::default() }).unwrap();
        let state = StateFolder::at(&folder.path().join("state")).unwrap();
        let library = Library::open(OpenOptions::new(config, state)).await.unwrap();
        let sign_in = SignIn::new();
        let router = web::router(WebOptions {
            library: Arc::clone(&library),
            sign_in: sign_in.clone(),
            require_sign_in,
            secure_cookies: false,
            client_lines: vec![("Claude Code".to_owned(), "claude mcp add ibid -- ibid mcp \"<folder>\"".to_owned())],
            version: "0.1.0".to_owned(),
        });
        Self { library, sign_in, router, folder }
    }

    pub fn write(&self, path: &str, text: &str) {
        write(&self.folder.path().join("records"), path, text);
    }

    pub async fn get(&self, address: &str) -> Answer {
        self.send(Method::GET, address, &[], "").await
    }

    pub async fn send(&self, method: Method, address: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(address).header(header::HOST, "localhost:4242");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = self.router.clone().oneshot(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        Answer { status: parts.status, headers: parts.headers, text: String::from_utf8(bytes.to_vec()).unwrap() }
    }

    /// Sends a form as a browser does from a page of the site.
    pub async fn post(&self, address: &str, headers: &[(&str, &str)], form: &str) -> Answer {
        let mut all =
            vec![("content-type", "application/x-www-form-urlencoded"), ("origin", "http://localhost:4242"), ("sec-fetch-site", "same-origin")];
        all.extend_from_slice(headers);
        self.send(Method::POST, address, &all, form).await
    }
}

fn write(root: &std::path::Path, path: &str, text: &str) {
    let path = root.join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
