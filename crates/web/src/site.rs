//! What all pages share: the library, who may come in, and how the site presents itself.

use std::sync::Arc;

use axum::http::{HeaderMap, header};
use document::Stamp;
use engine::{Caller, Library};

use crate::published::Shelf;
use crate::{SignIn, cookie};

/// What the web site is made of.
#[derive(Clone)]
pub struct WebOptions {
    /// The library that is shown.
    pub library: Arc<Library>,
    /// Codes and sessions; the app keeps a clone to print sign-in links.
    pub sign_in: SignIn,
    /// Whether pages are shown to signed-in people only. `false` makes every visitor the owner.
    pub require_sign_in: bool,
    /// Whether the site is reached over HTTPS, so that cookies may be marked `Secure`.
    pub secure_cookies: bool,
    /// How each client is connected: its name, and the command or setting that does it.
    pub client_lines: Vec<(String, String)>,
    /// Version of ibid, for the foot of pages.
    pub version: String,
}

/// The state of all handlers.
pub(crate) struct Site {
    pub(crate) options: WebOptions,
    /// Browsers send cookies to every port of a host, so each library has a cookie name of its own.
    pub(crate) cookie_name: String,
    /// What the library publishes.
    pub(crate) published: Shelf,
}

impl Site {
    pub(crate) fn new(options: WebOptions) -> Self {
        let key = Stamp::of(options.library.config().key.as_bytes());
        let short = &key.as_str()["sha256:".len()..][..8];
        let prefix = if options.secure_cookies { "__Host-" } else { "" };
        Self { cookie_name: format!("{prefix}ibid-{short}"), published: Shelf::default(), options }
    }

    pub(crate) fn library(&self) -> &Arc<Library> {
        &self.options.library
    }

    pub(crate) fn now_ms(&self) -> i64 {
        self.options.library.clock().now_ms()
    }

    /// Where the site is reached: as configured, else as the caller reached it. The app has checked the `Host` header.
    pub(crate) fn base(&self, headers: &HeaderMap) -> String {
        if let Some(url) = &self.library().config().server.public_url {
            return url.trim_end_matches('/').to_owned();
        }
        let scheme = if self.options.secure_cookies { "https" } else { "http" };
        headers.get(header::HOST).and_then(|host| host.to_str().ok()).map_or_else(String::new, |host| format!("{scheme}://{host}"))
    }

    /// Who sends these headers; `None` for a visitor who is not signed in.
    pub(crate) async fn caller(&self, headers: &HeaderMap) -> engine::Result<Option<Caller>> {
        if !self.options.require_sign_in {
            return Ok(Some(Caller::owner()));
        }
        let Some(session) = cookie::read(headers, &self.cookie_name).and_then(|id| self.options.sign_in.session(id, self.now_ms())) else {
            return Ok(None);
        };
        if session.caller.is_owner {
            return Ok(Some(session.caller));
        }
        // A token that was removed, or made anew under the same name, opens nothing any more: neither do the sessions that it began.
        let tokens = self.options.library.tokens().list().await?;
        let stands = tokens.iter().any(|token| token.name == session.caller.name && token.created_ms <= session.started_ms);
        Ok(stands.then_some(session.caller))
    }
}
