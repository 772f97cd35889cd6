//! What an address or a form says, read strictly: what cannot be understood is named, never passed over.

use axum::extract::rejection::{FormRejection, QueryRejection};
use axum::extract::{Form, FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use engine::Error;
use serde::de::DeserializeOwned;

use crate::error::PageError;
use crate::shown;

/// The query of an address.
pub(crate) struct Asked<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Asked<T> {
    type Rejection = PageError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, PageError> {
        let read: Result<Query<T>, QueryRejection> = Query::from_request_parts(parts, state).await;
        read.map(|Query(asked)| Self(asked)).map_err(|rejection| unreadable("address", &rejection.body_text()))
    }
}

/// The fields of a form.
pub(crate) struct Sent<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = PageError;

    async fn from_request(request: Request, state: &S) -> Result<Self, PageError> {
        let read: Result<Form<T>, FormRejection> = Form::from_request(request, state).await;
        read.map(|Form(sent)| Self(sent)).map_err(|rejection| unreadable("form", &rejection.body_text()))
    }
}

fn unreadable(what: &str, reason: &str) -> PageError {
    let reason = reason.rsplit_once("string: ").or_else(|| reason.rsplit_once("body: ")).map_or(reason, |(_, reason)| reason);
    let reason: String = shown::plain(reason).chars().take(300).collect();
    Error::bad_input(format!("The {what} cannot be understood: {reason}.")).into()
}

/// A text that was left empty says nothing: forms send all their fields.
pub(crate) fn said(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// A box that is ticked or not.
pub(crate) fn is_ticked(name: &str, text: Option<&str>) -> Result<bool, Error> {
    match text.unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "1" | "on" | "true" | "yes" => Ok(true),
        "" | "0" | "off" | "false" | "no" => Ok(false),
        other => Err(Error::bad_input(format!("{name} is \"{other}\", but must be 1 or 0."))),
    }
}

/// A page number, from 1.
pub(crate) fn page_number(text: Option<&str>) -> Result<i64, Error> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(1);
    };
    let shown: String = text.chars().take(40).collect();
    text.parse()
        .ok()
        .filter(|number| (1..=1_000_000).contains(number))
        .ok_or_else(|| Error::bad_input(format!("page is \"{shown}\", but must be a number from 1.")))
}

#[cfg(test)]
mod tests {
    use super::{is_ticked, page_number, said};

    #[test]
    fn what_cannot_be_understood_is_named() {
        assert_eq!(page_number(None), Ok(1));
        assert_eq!(page_number(Some("3")), Ok(3));
        for text in ["0", "-1", "two", "99999999999999999999"] {
            assert!(page_number(Some(text)).unwrap_err().message.contains(text), "{text}");
        }
        assert_eq!(is_ticked("current", Some("on")), Ok(true));
        assert_eq!(is_ticked("current", None), Ok(false));
        assert!(is_ticked("current", Some("maybe")).unwrap_err().message.contains("maybe"));
        assert_eq!(said(Some("  ".to_owned())), None);
    }
}
