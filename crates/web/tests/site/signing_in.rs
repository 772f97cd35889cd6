//! Who gets in, how, and who does not.

use axum::http::{Method, StatusCode, header};
use engine::{Caller, Clock};

use crate::site::Site;

const RECORD: (&str, &str) = ("sre/adr/0001-slos.md", "---\ntitle: Secret objectives\nstatus: accepted\n---\n\n# Secret objectives\n");

#[tokio::test]
async fn strangers_see_nothing_and_are_sent_to_the_door() {
    let site = Site::locked(&[RECORD]).await;
    for address in
        ["/", "/records?query=secret", "/d/sre/adr/0001-slos?lines=1-2", "/d/no/such/thing", "/problems", "/guide", "/search?q=x", "/nowhere"]
    {
        let answer = site.get(address).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{address}");
        assert!(answer.header(header::LOCATION).starts_with("/sign-in"), "{address}");
        assert!(!answer.text.contains("Secret"));
    }
    let answer = site.get("/d/sre/adr/0001-slos?lines=1-2").await;
    assert_eq!(answer.header(header::LOCATION), "/sign-in?next=%2Fd%2Fsre%2Fadr%2F0001-slos%3Flines%3D1-2");
    let door = site.get("/sign-in").await;
    assert_eq!(door.status, StatusCode::OK);
    assert!(door.text.contains("name=\"token\"") && !door.text.contains("records</"), "{}", door.text);
}

#[tokio::test]
async fn a_printed_link_opens_once_and_leads_to_the_page_that_was_wanted() {
    let site = Site::locked(&[RECORD]).await;
    let code = site.sign_in.new_code(Clock::System.now_ms()).unwrap();
    let address = format!("/sign-in?code={code}&next=%2Fd%2Fsre%2Fadr%2F0001-slos%3Flines%3D1-2");
    // A program that looks at the link before the person does not use it up.
    let looked = site.send(Method::HEAD, &address, &[], "").await;
    assert_eq!((looked.status, looked.cookie().as_str()), (StatusCode::OK, ""));

    let first = site.get(&address).await;
    assert_eq!(first.status, StatusCode::SEE_OTHER);
    assert_eq!(first.header(header::LOCATION), "/d/sre/adr/0001-slos?lines=1-2");
    let said = first.header(header::SET_COOKIE);
    assert!(said.contains("; HttpOnly; SameSite=Lax") && said.contains("Path=/") && !said.contains("Secure"), "{said}");
    let cookie = first.cookie();
    let inside = site.send(Method::GET, "/d/sre/adr/0001-slos", &[("cookie", &cookie)], "").await;
    assert_eq!(inside.status, StatusCode::OK);
    assert!(inside.text.contains("Secret objectives") && inside.text.contains("Signed in as <strong>owner</strong>"));

    let second = site.get(&address).await;
    assert_eq!(second.status, StatusCode::FORBIDDEN);
    assert!(second.cookie().is_empty() && second.text.contains("does not work any more"));
    // Whoever is in already just goes on.
    let again = site.send(Method::GET, &address, &[("cookie", &cookie)], "").await;
    assert_eq!((again.status, again.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/d/sre/adr/0001-slos?lines=1-2"));
}

#[tokio::test]
async fn codes_and_cookies_that_are_wrong_or_old_open_nothing() {
    let site = Site::locked(&[RECORD]).await;
    let now_ms = Clock::System.now_ms();
    for code in ["", "0", "00000000000000000000000000000000", "%ff", "../.."] {
        assert_eq!(site.get(&format!("/sign-in?code={code}")).await.cookie(), "", "{code}");
    }
    let old = site.sign_in.new_code(now_ms - 11 * 60 * 1_000).unwrap();
    assert_eq!(site.get(&format!("/sign-in?code={old}")).await.status, StatusCode::FORBIDDEN);
    let name = cookie_name(&site).await;
    for value in ["", "x", "0000000000000000000000000000000000000000000000000000000000000000"] {
        let answer = site.send(Method::GET, "/", &[("cookie", &format!("{name}={value}"))], "").await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{value}");
    }
}

/// The cookie's name as a browser learns it.
async fn cookie_name(site: &Site) -> String {
    let code = site.sign_in.new_code(Clock::System.now_ms()).unwrap();
    let cookie = site.get(&format!("/sign-in?code={code}")).await.cookie();
    cookie.split('=').next().unwrap().to_owned()
}

#[tokio::test]
async fn a_session_runs_out_after_thirty_days() {
    let site = Site::locked(&[RECORD]).await;
    let name = cookie_name(&site).await;
    let day_ms = 24 * 60 * 60 * 1_000;
    for (days, status) in [(29, StatusCode::OK), (31, StatusCode::SEE_OTHER)] {
        let id = site.sign_in.new_session(Caller::owner(), Clock::System.now_ms() - days * day_ms).unwrap();
        let answer = site.send(Method::GET, "/", &[("cookie", &format!("{name}={id}"))], "").await;
        assert_eq!(answer.status, status, "{days}");
    }
}

#[tokio::test]
async fn a_sign_in_never_leads_to_another_site() {
    let site = Site::locked(&[]).await;
    for next in
        ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "%2F%5Cevil.example", "javascript%3Aalert(1)", "%2Fa%0d%0aSet-Cookie%3Ax", "%2Fsign-out"]
    {
        let code = site.sign_in.new_code(Clock::System.now_ms()).unwrap();
        let answer = site.get(&format!("/sign-in?code={code}&next={next}")).await;
        assert_eq!((answer.status, answer.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/"), "{next}");
        let door = site.get(&format!("/sign-in?next={next}")).await;
        assert!(!door.text.contains("evil") && !door.text.contains("javascript"), "{next}");
        let token = site.library.tokens().owner_secret().to_owned();
        let answer = site.post("/sign-in", &[], &format!("token={token}&next={next}")).await;
        assert_eq!(answer.header(header::LOCATION), "/", "{next}");
    }
}

#[tokio::test]
async fn tokens_open_the_door_until_they_are_removed_and_signing_out_closes_it() {
    let site = Site::locked(&[RECORD]).await;
    let wrong = site.post("/sign-in", &[], "token=ibid_wrong&next=").await;
    assert_eq!((wrong.status, wrong.cookie().as_str()), (StatusCode::FORBIDDEN, ""));

    let named = site.library.tokens().add("ann", Clock::System).await.unwrap();
    let cookie = site.post("/sign-in", &[], &format!("token={}&next=%2Frecords", named.secret)).await.cookie();
    let inside = site.send(Method::GET, "/", &[("cookie", &cookie)], "").await;
    assert!(inside.text.contains("Signed in as <strong>ann</strong>"));
    site.library.tokens().remove("ann", Clock::System).await.unwrap();
    assert_eq!(site.send(Method::GET, "/", &[("cookie", &cookie)], "").await.status, StatusCode::SEE_OTHER);

    let owner = site.library.tokens().owner_secret().to_owned();
    let cookie = site.post("/sign-in", &[], &format!("token=+{owner}+")).await.cookie();
    assert_eq!(site.send(Method::GET, "/", &[("cookie", &cookie)], "").await.status, StatusCode::OK);
    let left = site.post("/sign-out", &[("cookie", &cookie)], "").await;
    assert_eq!((left.status, left.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/sign-in"));
    assert!(left.header(header::SET_COOKIE).contains("Max-Age=0"));
    assert_eq!(site.send(Method::GET, "/", &[("cookie", &cookie)], "").await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn forms_of_other_sites_are_refused() {
    let site = Site::locked(&[]).await;
    let token = site.library.tokens().owner_secret().to_owned();
    let form = ("content-type", "application/x-www-form-urlencoded");
    for foreign in [("origin", "https://evil.example"), ("origin", "null"), ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site")] {
        let answer = site.send(Method::POST, "/sign-in", &[form, foreign], &format!("token={token}")).await;
        assert_eq!((answer.status, answer.cookie().as_str()), (StatusCode::FORBIDDEN, ""), "{foreign:?}");
        assert!(answer.text.contains("<h1>Another site sent this</h1>"));
    }
}

#[tokio::test]
async fn the_owner_token_makes_sign_in_links_and_no_other_does() {
    let site = Site::locked(&[]).await;
    let owner = site.library.tokens().owner_secret().to_owned();
    let named = site.library.tokens().add("ci", Clock::System).await.unwrap().secret;
    for (secret, status) in
        [(None, StatusCode::UNAUTHORIZED), (Some("wrong".to_owned()), StatusCode::UNAUTHORIZED), (Some(named), StatusCode::FORBIDDEN)]
    {
        let bearer = secret.map(|secret| format!("Bearer {secret}"));
        let headers: Vec<(&str, &str)> = bearer.as_deref().map(|bearer| ("authorization", bearer)).into_iter().collect();
        let answer = site.send(Method::POST, "/sign-in/code", &headers, "").await;
        assert_eq!(answer.status, status);
        assert!(!answer.text.contains("code="), "{}", answer.text);
    }
    let answer = site.send(Method::POST, "/sign-in/code", &[("authorization", &format!("Bearer {owner}"))], "").await;
    let link = answer.text.trim();
    let path = link.strip_prefix("http://localhost:4242").unwrap_or_else(|| panic!("{link}"));
    assert!(!site.get(path).await.cookie().is_empty());
}
