//! The only HTTP client of this crate: reads files of one published site, and asks nobody else.
//!
//! Addresses are made from the site's own address and the parts of a path; no address that a site states is ever followed, except redirects that
//! stay on the site. Answers are bounded in time and, after decompression, in size. No cookies, no proxies of the environment, and a token goes
//! to the site alone.

mod error;
mod origin;

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::header::{
    ACCEPT, AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION,
};
use reqwest::{Client, Response, StatusCode, Url, redirect};

pub use error::FetchError;
pub use origin::{Origin, OriginError};

/// How long a request may take, redirects and body included (seed 000).
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How many redirects are followed.
const MAX_HOPS: usize = 5;

/// The longest validator that is kept, in bytes.
const MAX_VALIDATOR: usize = 1_024;

/// By what a site knows whether a file has changed since.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// The header `ETag` as it came.
    pub etag: Option<String>,
    /// The header `Last-Modified` as it came.
    pub last_modified: Option<String>,
}

impl Validators {
    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// It is what it was when it had these validators.
    NotModified,
    /// Its bytes, decompressed, and its validators.
    Found(Vec<u8>, Validators),
}

/// Reads files of one site. Requests may run side by side.
#[derive(Debug)]
pub struct Fetcher {
    origin: Origin,
    authorization: Option<HeaderValue>,
    patience: Duration,
    /// For http, without the system's certificates, and for https, with them; each made when it is first needed.
    clients: [OnceLock<Result<Client, FetchError>>; 2],
}

impl Fetcher {
    /// A client of the site at `origin` that shows `token` to it and to nobody else.
    ///
    /// # Errors
    /// [`FetchError::TokenInClear`], [`FetchError::BadToken`].
    pub fn new(origin: Origin, token: Option<&str>) -> Result<Self, FetchError> {
        let address = || origin.address().to_owned();
        let authorization = match token.map(str::trim).filter(|token| !token.is_empty()) {
            None => None,
            Some(_) if origin.is_in_clear() => return Err(FetchError::TokenInClear { address: address() }),
            Some(token) if !token.bytes().all(|byte| byte.is_ascii_graphic()) => return Err(FetchError::BadToken { address: address() }),
            Some(token) => {
                let mut value = HeaderValue::try_from(format!("Bearer {token}")).map_err(|_| FetchError::BadToken { address: address() })?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        Ok(Self { origin, authorization, patience: PATIENCE, clients: [OnceLock::new(), OnceLock::new()] })
    }

    /// The same with another time limit for each request.
    #[must_use]
    pub const fn with_patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// The site that it asks.
    #[must_use]
    pub const fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Reads the file below the site's address whose path has these parts; with validators, only if it has changed since.
    ///
    /// # Errors
    /// [`FetchError`]. More than `limit_bytes` are never held.
    pub async fn get(&self, parts: &[&str], since: &Validators, limit_bytes: usize) -> Result<Fetched, FetchError> {
        let url = self.origin.below(parts).ok_or_else(|| FetchError::BadPath { path: parts.join("/") })?;
        let address = url.to_string();
        match tokio::time::timeout(self.patience, self.exchange(url, &address, since, limit_bytes)).await {
            Ok(answer) => answer,
            Err(_) => Err(FetchError::TimedOut { address, patience: self.patience }),
        }
    }

    async fn exchange(&self, mut url: Url, address: &str, since: &Validators, limit_bytes: usize) -> Result<Fetched, FetchError> {
        for _ in 0..=MAX_HOPS {
            let response = self.ask(&url, address, since).await?;
            let status = response.status();
            if status == StatusCode::NOT_MODIFIED && !since.is_empty() {
                return Ok(Fetched::NotModified);
            }
            if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
                self.refuse(status, address)?;
                return body(response, address, limit_bytes).await;
            }
            let location = response.headers().get(LOCATION).and_then(|value| value.to_str().ok());
            let next =
                location.and_then(|location| url.join(location).ok()).ok_or_else(|| FetchError::RedirectsNowhere { address: address.to_owned() })?;
            if !self.origin.stays(&url, &next) {
                return Err(FetchError::LeadsAway { address: address.to_owned(), to: next.origin().ascii_serialization() });
            }
            url = next;
        }
        Err(FetchError::RedirectsWithoutEnd { address: address.to_owned() })
    }

    async fn ask(&self, url: &Url, address: &str, since: &Validators) -> Result<Response, FetchError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/markdown, text/plain;q=0.9, */*;q=0.5"));
        if let Some(authorization) = &self.authorization {
            headers.insert(AUTHORIZATION, authorization.clone());
        }
        for (name, value) in [(IF_NONE_MATCH, &since.etag), (IF_MODIFIED_SINCE, &since.last_modified)] {
            if let Some(value) = value.as_deref().and_then(|value| HeaderValue::try_from(value).ok()) {
                headers.insert(name, value);
            }
        }
        let client = self.client(url.scheme() == "https")?;
        client.get(url.clone()).headers(headers).send().await.map_err(|failed| error::of(&failed, address))
    }

    fn refuse(&self, status: StatusCode, address: &str) -> Result<(), FetchError> {
        let (address, status) = (address.to_owned(), status.as_u16());
        Err(match status {
            200 => return Ok(()),
            401 | 403 if self.authorization.is_some() => FetchError::TokenRefused { address, status },
            401 | 403 => FetchError::NeedsToken { address, status },
            404 | 410 => FetchError::NotThere { address, status },
            _ => FetchError::Status { address, status },
        })
    }

    fn client(&self, is_secure: bool) -> Result<&Client, FetchError> {
        let [plain, secure] = &self.clients;
        let cell = if is_secure { secure } else { plain };
        cell.get_or_init(|| {
            // Whoever was first to say by what to encrypt has said it for the whole process; any of them will do.
            let _ = rustls::crypto::ring::default_provider().install_default();
            let builder = Client::builder()
                .user_agent(concat!("ibid/", env!("CARGO_PKG_VERSION")))
                .redirect(redirect::Policy::none())
                .referer(false)
                .no_proxy()
                .pool_max_idle_per_host(8);
            let builder = if is_secure { builder.https_only(true) } else { builder.tls_certs_only([]) };
            builder.build().map_err(|failed| error::of(&failed, self.origin.address()))
        })
        .as_ref()
        .map_err(Clone::clone)
    }
}

/// The bytes of an answer, as far as they may go.
async fn body(mut response: Response, address: &str, limit_bytes: usize) -> Result<Fetched, FetchError> {
    let too_large = || FetchError::TooLarge { address: address.to_owned(), limit_bytes };
    let text = |name: HeaderName| response.headers().get(name).and_then(|value| value.to_str().ok());
    let is_html = text(CONTENT_TYPE).is_some_and(|kind| kind.trim_start().to_ascii_lowercase().starts_with("text/html"));
    let validator = |name: HeaderName| text(name).filter(|value| !value.is_empty() && value.len() <= MAX_VALIDATOR).map(str::to_owned);
    let validators = Validators { etag: validator(ETAG), last_modified: validator(LAST_MODIFIED) };
    let stated = response.content_length().and_then(|length| usize::try_from(length).ok());
    if stated.is_some_and(|length| length > limit_bytes) {
        return Err(too_large());
    }
    // What is stated may be a lie; only what came is believed.
    let mut bytes: Vec<u8> = Vec::with_capacity(stated.unwrap_or(0).min(1 << 20));
    while let Some(chunk) = response.chunk().await.map_err(|failed| error::of(&failed, address))? {
        if chunk.len() > limit_bytes - bytes.len() {
            return Err(too_large());
        }
        bytes.extend_from_slice(&chunk);
    }
    let looks_like_html = bytes.trim_ascii_start().starts_with(b"<");
    if is_html && looks_like_html {
        return Err(FetchError::IsAPage { address: address.to_owned() });
    }
    Ok(Fetched::Found(bytes, validators))
}
