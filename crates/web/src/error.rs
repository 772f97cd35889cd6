//! Pages for what went wrong: a kind becomes a status, the sentence names the input, links lead on. Internals stay in the log.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use engine::ErrorKind;

use crate::address::with_query;
use crate::chrome::Chrome;
use crate::shown;
use crate::site::Site;

/// A page that says what went wrong. It travels as an extension of its response, because only [`render`] knows what stands around a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageError(Box<Fault>);

/// What an error page says. Boxed above, so that results of pages that succeed stay small.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Fault {
    status: StatusCode,
    title: String,
    message: String,
    hint: Option<String>,
    /// What the search box holds.
    query: String,
    /// Ways on: what they are called, and where they lead.
    links: Vec<(String, String)>,
}

impl PageError {
    pub(crate) fn new(status: StatusCode, title: &str, message: &str) -> Self {
        Self(Box::new(Fault { status, title: title.to_owned(), message: shown::plain(message), hint: None, query: String::new(), links: Vec::new() }))
    }

    pub(crate) fn hint(mut self, hint: &str) -> Self {
        self.0.hint = Some(shown::plain(hint));
        self
    }

    /// For hints that are meant for agents.
    pub(crate) fn without_hint(mut self) -> Self {
        self.0.hint = None;
        self
    }

    /// The same page with a way on.
    pub(crate) fn link(mut self, label: impl Into<String>, to: impl Into<String>) -> Self {
        self.0.links.push((shown::plain(&label.into()), to.into()));
        self
    }

    /// The same page with a search box that holds what was searched for.
    pub(crate) fn query(mut self, query: &str) -> Self {
        self.0.query = query.to_owned();
        self
    }

    /// The same page with the ways on that lead from the name of a record that is not there.
    pub(crate) fn links_for_record(self, id: &str) -> Self {
        let last = id.trim_end_matches('/').rsplit('/').next().unwrap_or(id);
        let words: Vec<&str> =
            last.trim_end_matches(".md").split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let words: String = words.join(" ").chars().take(200).collect();
        let mut page = self;
        if !words.is_empty() {
            page = page.link(format!("Search for “{words}”"), with_query("/search", [("q", words.as_str())]));
        }
        match id.trim_start_matches('/').split_once('/') {
            Some((project, _)) if !project.is_empty() && project.len() <= 200 => {
                page.link(format!("All records of {project}"), with_query("/records", [("project", project)]))
            }
            _ => page.link("All records", "/records"),
        }
    }
}

/// Kind of failure to status and title. No `_` arm: a new kind must be placed.
const fn status(kind: ErrorKind) -> (StatusCode, &'static str) {
    match kind {
        ErrorKind::BadInput => (StatusCode::BAD_REQUEST, "That cannot be understood"),
        ErrorKind::NotFound => (StatusCode::NOT_FOUND, "Nothing of that name"),
        ErrorKind::Ambiguous => (StatusCode::MULTIPLE_CHOICES, "More than one fits"),
        ErrorKind::Conflict => (StatusCode::CONFLICT, "It changed in the meantime"),
        ErrorKind::Refused => (StatusCode::FORBIDDEN, "Not allowed"),
        ErrorKind::Unreachable => (StatusCode::SERVICE_UNAVAILABLE, "Not reachable just now"),
        ErrorKind::BadConfig => (StatusCode::INTERNAL_SERVER_ERROR, "The configuration cannot be used"),
    }
}

impl From<engine::Error> for PageError {
    fn from(error: engine::Error) -> Self {
        let (status, title) = status(error.kind);
        if status.is_server_error() {
            // These messages can name folders and databases of the machine, which are the log's business.
            tracing::warn!(code = error.kind.code(), message = %error.message, "a page could not be made");
            return Self::new(status, title, "The library cannot be read at the moment. The log of ibid says why.")
                .hint("Try again in a moment, or run: ibid doctor");
        }
        let page = Self::new(status, title, &error.message);
        match &error.hint {
            Some(hint) => page.hint(hint),
            None => page,
        }
    }
}

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> Self {
        tracing::error!(message = %error, "a template failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "This page failed", "ibid could not make this page. The log of ibid says why.")
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        let mut response = self.0.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Makes pages of the errors that come out of handlers.
pub(crate) async fn render(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let cookies: HeaderMap = request.headers().get_all(header::COOKIE).iter().map(|value| (header::COOKIE, value.clone())).collect();
    let mut response = next.run(request).await;
    let Some(PageError(error)) = response.extensions_mut().remove::<PageError>() else {
        return response;
    };
    let mut chrome = match site.caller(&cookies).await {
        Ok(Some(caller)) => Chrome::inside(&site, &caller.name),
        Ok(None) | Err(_) => Chrome::outside(),
    };
    chrome.query.clone_from(&error.query);
    let status = error.status;
    match (ErrorPage { chrome, error: *error }).render() {
        Ok(html) => (status, Html(html)).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "This page failed.").into_response(),
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage {
    chrome: Chrome,
    error: Fault,
}

#[cfg(test)]
mod tests {
    use super::PageError;

    #[test]
    fn a_missing_record_leads_to_a_search_and_to_its_project() {
        let page = PageError::from(engine::Error::no_record("sre/adr/0009-slo's")).links_for_record("sre/adr/0009-slo's");
        let links: Vec<(&str, &str)> = page.0.links.iter().map(|(label, to)| (label.as_str(), to.as_str())).collect();
        assert_eq!(links, [("Search for “0009 slo s”", "/search?q=0009%20slo%20s"), ("All records of sre", "/records?project=sre")]);
        assert_eq!(page.0.status.as_u16(), 404);
    }

    #[test]
    fn folders_and_databases_stay_in_the_log() {
        let error = engine::Error::new(engine::ErrorKind::Unreachable, "The folder /srv/private cannot be read.");
        let page = PageError::from(error);
        assert_eq!(page.0.status.as_u16(), 503);
        assert!(!page.0.message.contains("/srv"));
    }
}
