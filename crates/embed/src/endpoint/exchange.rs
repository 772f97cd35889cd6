//! One request and what becomes of it: again after a pause, given up, or its texts cut into smaller ones.

use std::time::Duration;

use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue, LOCATION, RETRY_AFTER};
use reqwest::{Client, Response, Url, redirect};
use serde::Serialize;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::settings::EndpointSettings;
use crate::transformer::folder::shortened;

/// The largest answer, in bytes. 2,048 vectors of 1,536 components have 30 million.
const MAX_BODY: usize = 64 << 20;
/// The most that is read of an answer that says what went wrong.
const MAX_COMPLAINT: usize = 16 << 10;
/// The longest pause before a request is made again, asked for or not.
const MAX_PAUSE: Duration = Duration::from_secs(8);
const MAX_ASKED_PAUSE: Duration = Duration::from_secs(30);

/// Why a request gave nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server does not take these texts; it may take others, or shorter ones.
    Refused(String),
    /// Anything else, as a sentence without secrets.
    Failed(String),
}

enum Attempt {
    /// It may go better after a pause, of which the server may have said how long.
    Again(String, Option<Duration>),
    Over(Failure),
}

/// How often it is tried, and until when.
#[derive(Debug, Clone, Copy)]
pub(super) struct Patience {
    pub attempts: u32,
    pub until: Instant,
}

#[derive(Serialize)]
struct Question<'a> {
    model: &'a str,
    input: &'a [&'a str],
    encoding_format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<usize>,
}

/// Asks one server.
#[derive(Debug)]
pub(super) struct Asker {
    client: Client,
    url: Url,
    settings: EndpointSettings,
    authorization: Option<HeaderValue>,
}

impl Asker {
    /// # Errors
    /// A sentence without secrets.
    pub(super) fn new(url: Url, settings: EndpointSettings) -> Result<Self, String> {
        let key = settings.key.as_ref().map(super::Key::secret).filter(|key| !key.is_empty());
        let authorization = match key {
            None => None,
            Some(key) if !key.bytes().all(|byte| byte.is_ascii_graphic()) => return Err("its key has characters that no key has".to_owned()),
            Some(key) => {
                let mut value = HeaderValue::try_from(format!("Bearer {key}")).map_err(|_| "its key cannot be sent".to_owned())?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        let client = client(url.scheme() == "https").map_err(|error| cause(&error))?;
        Ok(Self { client, url, settings, authorization })
    }

    /// The body of the answer to these texts.
    pub(super) async fn ask(&self, texts: &[&str], patience: Patience) -> Result<Vec<u8>, Failure> {
        let mut pause = self.settings.pause;
        for attempt in 1.. {
            let until = patience.until.min(Instant::now() + self.settings.timeout);
            let made = timeout_at(until, self.attempt(texts)).await;
            let (reason, asked) = match made {
                Ok(Ok(body)) => return Ok(body),
                Ok(Err(Attempt::Over(failure))) => return Err(failure),
                Ok(Err(Attempt::Again(reason, asked))) => (reason, asked),
                Err(_) => (format!("it did not answer within {:?}", self.settings.timeout), None),
            };
            let again = Instant::now() + asked.map_or(pause, |asked| asked.min(MAX_ASKED_PAUSE));
            if attempt >= patience.attempts || again >= patience.until {
                return Err(Failure::Failed(format!(
                    "{reason}; tried {}",
                    if attempt == 1 { "once".to_owned() } else { format!("{attempt} times") }
                )));
            }
            tracing::debug!(attempt, reason, "the endpoint is asked again");
            sleep_until(again).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
        unreachable!("attempts end")
    }

    async fn attempt(&self, texts: &[&str]) -> Result<Vec<u8>, Attempt> {
        let question = Question { model: &self.settings.model, input: texts, encoding_format: "float", dimensions: self.settings.dimensions };
        let mut request =
            self.client.post(self.url.clone()).header(ACCEPT, "application/json").header(CONTENT_TYPE, "application/json").json(&question);
        if let Some(authorization) = &self.authorization {
            request = request.header(reqwest::header::AUTHORIZATION, authorization.clone());
        }
        let mut response = request.send().await.map_err(|error| Attempt::Again(cause(&error), None))?;
        let status = response.status().as_u16();
        if status == 200 {
            let over = |reason: &str| Attempt::Over(Failure::Failed(reason.to_owned()));
            let limit = format!("its answer has more than {MAX_BODY} bytes, which is the limit");
            if response.content_length().is_some_and(|length| length > MAX_BODY as u64) {
                return Err(over(&limit));
            }
            return match body(&mut response, MAX_BODY).await {
                Ok((bytes, true)) => Ok(bytes),
                Ok((_, false)) => Err(over(&limit)),
                Err(error) => Err(Attempt::Again(cause(&error), None)),
            };
        }
        Err(self.refusal(response, status).await)
    }

    async fn refusal(&self, mut response: Response, status: u16) -> Attempt {
        if (300..400).contains(&status) {
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok()).and_then(|to| self.url.join(to).ok());
            let to = to.map_or_else(|| "nowhere".to_owned(), |to| to.origin().ascii_serialization());
            return Attempt::Over(Failure::Failed(format!("it redirects to {to}, which is not followed; configure the address that answers")));
        }
        let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok()).map(Duration::from_secs);
        let said = body(&mut response, MAX_COMPLAINT).await.map(|(bytes, _)| self.without_secrets(&bytes)).unwrap_or_default();
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        let lower = said.to_lowercase();
        // llama.cpp and older versions of Ollama call it their own fault when a text is too long.
        let is_too_long = ["too large", "too long", "context length", "maximum context", "exceed"].iter().any(|part| lower.contains(part));
        match status {
            400 | 413 | 422 => Attempt::Over(Failure::Refused(format!("it refused the texts ({status}{said})"))),
            500..=599 if is_too_long => Attempt::Over(Failure::Refused(format!("it refused the texts ({status}{said})"))),
            401 | 403 if self.authorization.is_none() => Attempt::Over(Failure::Failed(format!("it wants a key ({status}{said})"))),
            401 | 403 => Attempt::Over(Failure::Failed(format!("it does not accept the key ({status}{said})"))),
            404 => {
                let model = shortened(&self.settings.model);
                Attempt::Over(Failure::Failed(format!("it has no embeddings at this address, or no model {model} (404{said}); check both")))
            }
            408 | 425 | 429 | 500..=599 => Attempt::Again(format!("it answered {status}{said}"), asked),
            _ => Attempt::Over(Failure::Failed(format!("it answered {status}{said}"))),
        }
    }

    /// What a server says went wrong, shortened, and without the key, which some repeat.
    fn without_secrets(&self, body: &[u8]) -> String {
        let text = String::from_utf8_lossy(body);
        let message = serde_json::from_str::<serde_json::Value>(&text).ok().and_then(|value| {
            let error = value.get("error").or_else(|| value.get("detail")).unwrap_or(&value);
            error.get("message").unwrap_or(error).as_str().map(str::to_owned)
        });
        let mut message = message.unwrap_or_else(|| text.into_owned());
        if let Some(key) = self.settings.key.as_ref().map(super::Key::secret).filter(|key| !key.is_empty()) {
            message = message.replace(key, "(key)");
        }
        shortened(&message)
    }
}

fn client(is_secure: bool) -> reqwest::Result<Client> {
    // Whoever was first to say by what to encrypt has said it for the whole process; any of them will do.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder =
        Client::builder().user_agent(concat!("ibid/", env!("CARGO_PKG_VERSION"))).redirect(redirect::Policy::none()).referer(false).no_proxy();
    // Without encryption the system's certificates need not be read.
    if is_secure { builder.https_only(true) } else { builder.tls_certs_only([]) }.build()
}

/// The bytes of an answer up to a limit, and whether these are all.
async fn body(response: &mut Response, limit: usize) -> reqwest::Result<(Vec<u8>, bool)> {
    let mut bytes = Vec::new();
    while let Some(chunk) = response.chunk().await? {
        if chunk.len() > limit - bytes.len() {
            bytes.extend_from_slice(&chunk[..limit - bytes.len()]);
            return Ok((bytes, false));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok((bytes, true))
}

/// The innermost reason of a failure: the outer ones say again which address it was.
fn cause(error: &reqwest::Error) -> String {
    let mut inner: &dyn std::error::Error = error;
    while let Some(source) = inner.source() {
        inner = source;
    }
    let kind = if error.is_connect() { "it cannot be reached" } else { "the connection broke off" };
    format!("{kind}: {}", shortened(&inner.to_string()))
}
