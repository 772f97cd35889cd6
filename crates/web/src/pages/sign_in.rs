//! `/sign-in` and `/sign-out`: by a printed link, or by a token pasted into a form.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use engine::Caller;
use serde::Deserialize;

use crate::chrome::Chrome;
use crate::error::PageError;
use crate::input::{Asked, Sent};
use crate::reader::bearer;
use crate::site::Site;
use crate::{address, cookie};

/// What the address says.
#[derive(Deserialize)]
pub(crate) struct Question {
    code: Option<String>,
    next: Option<String>,
}

/// What the form says.
#[derive(Deserialize)]
pub(crate) struct TokenForm {
    token: String,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    chrome: Chrome,
    /// Where to go afterwards; empty for the home page.
    next: String,
    /// Why the last try did not work.
    failure: Option<&'static str>,
}

const BAD_CODE: &str = "This sign-in link does not work any more: it was used already, or it is older than ten minutes, or ibid was started anew.";
const BAD_TOKEN: &str = "That is no token of this library.";

/// The page, and the end of a printed link. Only a GET uses the link up: a HEAD comes from something that looks before a person does.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    method: Method,
    headers: HeaderMap,
    Asked(question): Asked<Question>,
) -> Result<Response, PageError> {
    let next = address::local(question.next.as_deref());
    let code = question.code.as_deref().filter(|_| method == Method::GET);
    if let Some(code) = code
        && site.options.sign_in.redeem(code, site.now_ms())
    {
        return enter(&site, Caller::owner(), next);
    }
    // Somebody who is in and opens an old link from the terminal once more wants to go in.
    if site.caller(&headers).await?.is_some() {
        return Ok(Redirect::to(next).into_response());
    }
    refuse(next, code.map(|_| BAD_CODE))
}

/// The form. The owner's token and named tokens both open the door.
pub(crate) async fn with_token(State(site): State<Arc<Site>>, Sent(form): Sent<TokenForm>) -> Result<Response, PageError> {
    let next = address::local(form.next.as_deref());
    match site.library().tokens().caller(form.token.trim()).await? {
        Some(caller) => enter(&site, caller, next),
        None => refuse(next, Some(BAD_TOKEN)),
    }
}

/// Ends the session.
pub(crate) async fn leave(State(site): State<Arc<Site>>, headers: HeaderMap) -> Result<Response, PageError> {
    if let Some(id) = cookie::read(&headers, &site.cookie_name) {
        site.options.sign_in.end(id);
    }
    with_cookie(Redirect::to("/sign-in").into_response(), &cookie::forget(&site.cookie_name, site.options.secure_cookies))
}

/// `POST /sign-in/code` with `Authorization: Bearer <owner token>`: a fresh sign-in link as plain text, for `ibid status` and `ibid doctor`.
pub(crate) async fn new_link(State(site): State<Arc<Site>>, headers: HeaderMap) -> Result<Response, PageError> {
    let secret = bearer(&headers);
    let caller = match secret {
        Some(secret) => site.library().tokens().caller(secret).await?,
        None => None,
    };
    match caller {
        Some(caller) if caller.is_owner => {}
        Some(_) => return Ok((StatusCode::FORBIDDEN, "Only the owner's token makes sign-in links.\n").into_response()),
        None => {
            return Ok(
                (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")], "Send the owner's token as a bearer token.\n").into_response()
            );
        }
    }
    let path = site.options.sign_in.new_link(site.now_ms())?;
    Ok(format!("{}{path}\n", site.base(&headers)).into_response())
}

fn enter(site: &Site, caller: Caller, next: &str) -> Result<Response, PageError> {
    let id = site.options.sign_in.new_session(caller, site.now_ms())?;
    with_cookie(Redirect::to(next).into_response(), &cookie::keep(&site.cookie_name, &id, site.options.secure_cookies))
}

fn with_cookie(mut response: Response, cookie: &str) -> Result<Response, PageError> {
    let value = HeaderValue::from_str(cookie)
        .map_err(|_| PageError::new(StatusCode::INTERNAL_SERVER_ERROR, "Signing in failed", "The cookie could not be made."))?;
    response.headers_mut().insert(header::SET_COOKIE, value);
    Ok(response)
}

fn refuse(next: &str, failure: Option<&'static str>) -> Result<Response, PageError> {
    let status = if failure.is_some() { StatusCode::FORBIDDEN } else { StatusCode::OK };
    let next = if next == "/" { String::new() } else { next.to_owned() };
    let html = SignInPage { chrome: Chrome::outside(), next, failure }.render()?;
    Ok((status, Html(html)).into_response())
}
