//! The published set over HTTP: who gets it, how, and that an unchanged file costs no text.

use axum::http::{Method, StatusCode, header};
use document::Stamp;
use engine::Clock;
use serde_json::Value;

use crate::site::Site;

const TEXT: &str = "---\ntitle: Objectives\nstatus: accepted\ndate: 2026-03-02\n---\n\nEvery service states a target.\n";

const FILES: [(&str, &str); 4] = [
    ("sre/adr/0001-slos.md", TEXT),
    ("sre/adr/0002-draft.md", "---\ntitle: Hidden plans\ndraft: true\n---\n"),
    ("sre/adr/0003-größe & <raum>.rst", "Größe\n=====\n\n:Status: accepted\n"),
    ("d/adr/0001-in-d.md", "# A project that is called d\n"),
];

const PATHS: [(&str, &str); 5] = [
    ("/decisions.json", "application/json"),
    ("/llms.txt", "text/markdown; charset=utf-8"),
    ("/llms-full.txt", "text/markdown; charset=utf-8"),
    ("/AGENTS.md", "text/markdown; charset=utf-8"),
    ("/sre/adr/0001-slos.md", "text/markdown; charset=utf-8"),
];

async fn cookie(site: &Site) -> String {
    let code = site.sign_in.new_code(Clock::System.now_ms()).unwrap();
    site.get(&format!("/sign-in?code={code}")).await.cookie()
}

#[tokio::test]
async fn a_cookie_or_a_token_opens_every_file_and_nothing_else_does() {
    let site = Site::locked(&FILES).await;
    let cookie = cookie(&site).await;
    let owner = format!("Bearer {}", site.library.tokens().owner_secret());
    let named = format!("bearer  {}", site.library.tokens().add("ci", Clock::System).await.unwrap().secret);
    for (path, content_type) in PATHS {
        for headers in [[("cookie", cookie.as_str())], [("authorization", owner.as_str())], [("authorization", named.as_str())]] {
            let answer = site.send(Method::GET, path, &headers, "").await;
            assert_eq!((answer.status, answer.header(header::CONTENT_TYPE)), (StatusCode::OK, content_type), "{path} {headers:?}: {}", answer.text);
            assert!(answer.text.contains("Objectives") || path == "/AGENTS.md", "{path}: {}", answer.text);
            assert!(!answer.text.contains("Hidden"), "{path}: {}", answer.text);
        }
        let wrong: [Vec<(&str, &str)>; 5] = [
            vec![],
            vec![("authorization", "Bearer ibid_wrong")],
            vec![("authorization", "Basic b3duZXI6eA==")],
            vec![("cookie", "ibid-0=1")],
            // A wrong token is not made good by a cookie.
            vec![("authorization", "Bearer ibid_wrong"), ("cookie", &cookie)],
        ];
        for headers in wrong {
            let answer = site.send(Method::GET, path, &headers, "").await;
            assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path} {headers:?}");
            assert_eq!((answer.header(header::CONTENT_TYPE), answer.header(header::WWW_AUTHENTICATE)), ("application/json", "Bearer"));
            assert!(answer.text.starts_with("{\"error\":{\"code\":\"unauthorized\",") && !answer.text.contains("Objectives"), "{}", answer.text);
        }
    }
    for path in ["/sre/adr/0009-gone.md", "/sre/adr/0002-draft.md"] {
        assert_eq!(site.get(path).await.status, StatusCode::UNAUTHORIZED, "strangers cannot tell what is there: {path}");
        let answer = site.send(Method::GET, path, &[("authorization", owner.as_str())], "").await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    let page = site.send(Method::GET, "/records", &[("authorization", owner.as_str())], "").await;
    assert_eq!(page.status, StatusCode::SEE_OTHER, "pages are for people");
    site.library.tokens().remove("ci", Clock::System).await.unwrap();
    assert_eq!(site.send(Method::GET, "/decisions.json", &[("authorization", named.as_str())], "").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_unchanged_file_is_told_as_such_and_a_changed_one_is_sent() {
    let site = Site::open(&FILES).await;
    for (path, _) in PATHS {
        let first = site.get(path).await;
        let tag = first.header(header::ETAG).to_owned();
        assert!(tag.starts_with('"') && tag.len() == 66, "{path}: {tag}");
        assert_eq!(first.header(header::CACHE_CONTROL), "private, no-cache", "{path}");
        for known in [tag.clone(), format!("\"other\", W/{tag}"), "*".to_owned()] {
            let again = site.send(Method::GET, path, &[("if-none-match", &known)], "").await;
            assert_eq!((again.status, again.text.as_str(), again.header(header::ETAG)), (StatusCode::NOT_MODIFIED, "", tag.as_str()), "{path}");
        }
        let head = site.send(Method::HEAD, path, &[], "").await;
        assert_eq!((head.status, head.text.as_str(), head.header(header::ETAG)), (StatusCode::OK, "", tag.as_str()), "{path}");
        if path != "/llms-full.txt" {
            assert_eq!(head.header(header::CONTENT_LENGTH), first.text.len().to_string(), "{path}");
        }
        if path != "/AGENTS.md" {
            site.write(
                "sre/adr/0001-slos.md",
                &format!("{TEXT}\nChanged for {path}.\n").replace("Objectives", &format!("Objectives of {}", &path[1..4])),
            );
            let changed = site.send(Method::GET, path, &[("if-none-match", &tag)], "").await;
            assert_eq!(changed.status, StatusCode::OK, "{path}");
            assert_ne!(changed.header(header::ETAG), tag, "{path}");
        }
        assert_eq!(site.send(Method::POST, path, &[], "").await.status.as_u16() / 100, 4, "{path}");
    }
}

#[tokio::test]
async fn the_list_and_the_copies_belong_together() {
    let site = Site::open(&FILES).await;
    let list = site.get("/decisions.json").await;
    let published: Value = serde_json::from_str(&list.text).unwrap();
    let records = published["records"].as_array().unwrap();
    let ids: Vec<&str> = records.iter().map(|record| record["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["d/adr/0001-in-d", "sre/adr/0001-slos", "sre/adr/0003-größe & <raum>"]);
    for record in records {
        let text = |name: &str| record[name].as_str().unwrap();
        let below = |name: &str| text(name).strip_prefix("http://localhost:4242").unwrap().to_owned();
        let copy = site.get(&below("markdown")).await;
        assert_eq!(copy.status, StatusCode::OK, "{record}");
        assert_eq!(Stamp::of(copy.text.as_bytes()).as_str(), text("stamp"), "{record}");
        assert_eq!(format!("sha256:{}", copy.header(header::ETAG).trim_matches('"')), text("stamp"));
        assert_eq!(site.get(&below("url")).await.status, StatusCode::OK, "{record}");
    }
    // What was a way to a page stays one.
    let page = site.get("/d/sre/adr/0001-slos.md").await;
    assert_eq!((page.status, page.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/d/sre/adr/0001-slos"));
    assert!(site.get("/AGENTS.md").await.text.contains("ibid mcp --url http://localhost:4242\n"));
}

#[tokio::test]
async fn hostile_addresses_are_no_copies() {
    let site = Site::open(&FILES).await;
    for path in [
        "/..%2f..%2fetc%2fpasswd.md",
        "/../state/owner-token.md",
        "/sre%2fadr%2f0001-slos.md.md",
        "/%ff.md",
        "/.md",
        "/%00.md",
        "/SRE/adr/0001-slos.md",
        "/sre/adr/1.md",
        "/sre/adr/0001-slos.md/x.md",
        "/%22%3E%3Cscript%3E.md",
    ] {
        let answer = site.get(path).await;
        assert_eq!((answer.status, answer.header(header::CONTENT_TYPE)), (StatusCode::NOT_FOUND, "application/json"), "{path}");
        assert!(!answer.text.contains("script"), "{}", answer.text);
    }
    let long = site.get(&format!("/{}.md", "a/".repeat(3_000))).await;
    assert_eq!(long.status, StatusCode::NOT_FOUND);
    let encoded = site.get("/sre%2Fadr%2F0003-gr%C3%B6%C3%9Fe%20&%20%3Craum%3E.md").await;
    assert_eq!(encoded.status, StatusCode::OK);
    let other = site.send(Method::GET, "/AGENTS.md", &[("host", "a`rm`.example")], "").await;
    assert!(!other.text.contains("rm`"), "{}", other.text);
}

#[tokio::test]
async fn a_large_archive_is_sent_whole() {
    let files: Vec<(String, String)> =
        (1..=200).map(|number| (format!("sre/adr/{number:04}-x.md"), format!("# Record {number}\n\nText.\n"))).collect();
    let borrowed: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let site = Site::open(&borrowed).await;
    let full = site.get("/llms-full.txt").await;
    assert_eq!(full.text.matches("\n=== record ").count(), 200);
    assert!(full.text.ends_with("# Record 200\n\nText.\n"));
}
