//! What people find on the pages.

use axum::http::{Method, StatusCode, header};

use crate::site::Site;

const FILES: [(&str, &str); 5] = [
    (
        "sre/adr/0001-slos.md",
        "---\ntitle: Define objectives\nstatus: superseded\ndate: 2023-01-09\nauthors: [Ann Lee]\ndeciders: [Bo]\ntags: [reliability]\nsuperseded_by: 0002-budgets\n---\n\n# Define objectives\n\nWe measure.\n",
    ),
    (
        "sre/adr/0002-budgets.md",
        "---\ntitle: Error budgets\nstatus: superseded\ndate: 2023-06\nsupersedes: 0001-slos\nsuperseded_by: 0003-alerts\n---\n\n# Error budgets\n",
    ),
    (
        "sre/adr/0003-alerts.md",
        "---\ntitle: Alert on burn rate\nstatus: accepted\ndate: 2024-02-30\nrelated: [0099-gone]\nreviewed: 2024-01-01\nreview_every: 6 months\nrisk: high\n---\n\n# Alert on burn rate\n\n## Context\n\nToo many pages.\n",
    ),
    (
        "sre/rfc/0001-oncall.md",
        "---\ntitle: On-call rota\nstatus: proposed\nreviewers: [{name: ann, state: approved}, {name: bo, state: pending}]\n---\n\n# On-call rota\n",
    ),
    ("web/adr/0001-plain.md", "# Plain pages\n\nNo scripts.\n"),
];

#[tokio::test]
async fn home_tells_what_there_is_and_how_to_connect() {
    let site = Site::open(&FILES).await;
    let home = site.get("/").await;
    assert_eq!(home.status, StatusCode::OK);
    assert_eq!(home.header(header::CONTENT_TYPE), "text/html; charset=utf-8");
    for part in [
        "5 records in this library",
        "<td>decisions</td>",
        ">fresh</span>",
        "Alert on burn rate",
        "claude mcp add ibid -- ibid mcp &#34;&#60;folder&#62;&#34;",
    ] {
        assert!(home.text.contains(part), "{part} is not in {}", home.text);
    }
    assert!(!home.text.contains("Sign out"));
}

#[tokio::test]
async fn a_superseded_record_names_its_successor_and_the_end_of_the_chain() {
    let site = Site::open(&FILES).await;
    let old = site.get("/d/sre/adr/0001-slos").await;
    let banner = old.between("<div class=\"notice warning\">", "</div>");
    assert!(banner.contains("Superseded by") && banner.contains("href=\"/d/sre/adr/0002-budgets\""), "{banner}");
    assert!(banner.contains("What holds today") && banner.contains("href=\"/d/sre/adr/0003-alerts\""), "{banner}");
    assert!(old.text.contains("<span class=\"badge past\"><bdi>superseded</bdi></span> <span>not in force</span>"));
    for part in ["/records?author=Ann%20Lee", "/records?tag=reliability", "<th scope=\"row\">Deciders</th>"] {
        assert!(old.text.contains(part), "{part}");
    }
}

#[tokio::test]
async fn what_is_unknown_or_missing_is_said() {
    let site = Site::open(&FILES).await;
    let plain = site.get("/d/web/adr/0001-plain").await;
    assert!(plain.text.contains("<span class=\"badge unknown\"><bdi>unknown</bdi></span> <span>its file states no status that can be read</span>"));
    assert!(plain.text.contains("the file states none"));
    let alerts = site.get("/d/sre/adr/0003-alerts").await;
    assert!(alerts.text.contains("the file says “2024-02-30”, which is no date that exists"), "{}", alerts.text);
    assert!(alerts.text.contains("0099-gone") && alerts.text.contains("not in this library"), "{}", alerts.text);
    assert!(alerts.text.contains("Review overdue since 2024-07-01"), "{}", alerts.text);
    assert!(alerts.text.contains("<bdi>risk</bdi></th><td><bdi>high</bdi>"), "{}", alerts.text);
    let rfc = site.get("/d/sre/rfc/0001-oncall").await;
    assert!(rfc.text.contains("Waiting: 1 of 2 approvals, waiting on bo."), "{}", rfc.text);
}

#[tokio::test]
async fn records_are_filtered_by_a_plain_form() {
    let site = Site::open(&FILES).await;
    let titles = |text: &str| -> Vec<String> {
        text.split("<a class=\"title\"").skip(1).map(|part| part.split("<bdi>").nth(1).unwrap().split('<').next().unwrap().to_owned()).collect()
    };
    let all = site.get("/records").await;
    assert_eq!(titles(&all.text).len(), 5, "{}", all.text);
    let current = site.get("/records?current=1&project=sre&tag=&author=").await;
    assert_eq!(titles(&current.text), ["Alert on burn rate"]);
    assert!(current.text.contains("<option value=\"sre\" selected>") && current.text.contains("name=\"current\" value=\"1\" checked"));
    assert_eq!(titles(&site.get("/records?type=rfc").await.text), ["On-call rota"]);
    assert_eq!(titles(&site.get("/records?query=burn+rate").await.text)[0], "Alert on burn rate");
    let none = site.get("/records?project=nowhere").await;
    assert!(none.status == StatusCode::OK && none.text.contains("No records.") && none.text.contains("<option value=\"nowhere\" selected>"));
    let beyond = site.get("/records?page=7").await;
    assert!(beyond.text.contains("There is no page 7"), "{}", beyond.text);
}

#[tokio::test]
async fn an_edit_is_on_the_very_next_page() {
    let site = Site::open(&FILES).await;
    site.get("/records").await;
    site.write("web/adr/0002-new.md", "# Written just now\n");
    assert!(site.get("/records").await.text.contains("Written just now"));
}

#[tokio::test]
async fn problems_are_listed_with_their_places() {
    let site = Site::open(&[("sre/adr/0001-broken.md", "---\ntitle: [unclosed\nstatus: accepted\n---\n\n# Broken header\n")]).await;
    let home = site.get("/").await;
    assert!(home.text.contains("href=\"/problems?collection=records&#38;severity="), "{}", home.text);
    let problems = site.get("/problems?collection=records").await;
    assert!(problems.text.contains("sre/adr/0001-broken.md"), "{}", problems.text);
    let record = site.get("/d/sre/adr/0001-broken").await;
    assert!(record.text.contains("Problems of this file") && record.text.contains("Broken header"), "{}", record.text);
}

#[tokio::test]
async fn bad_input_is_named_and_leads_on() {
    let site = Site::open(&FILES).await;
    let cases = [
        ("/records?page=two", StatusCode::BAD_REQUEST, "page is &#34;two&#34;"),
        ("/records?projct=sre", StatusCode::BAD_REQUEST, "projct"),
        ("/records?current=maybe", StatusCode::BAD_REQUEST, "maybe"),
        ("/records?field=risk", StatusCode::BAD_REQUEST, "field is &#34;risk&#34;"),
        ("/problems?severity=awful", StatusCode::BAD_REQUEST, "awful"),
        ("/problems?collection=nowhere", StatusCode::NOT_FOUND, "There is no collection &#34;nowhere&#34;"),
        ("/search?q=x&cursor=abc", StatusCode::BAD_REQUEST, "abc"),
        ("/d/sre/adr/0009-slo", StatusCode::NOT_FOUND, "href=\"/records?project=sre\""),
        ("/d/sre/adr/0009-slo", StatusCode::NOT_FOUND, "href=\"/search?q=0009%20slo\""),
        ("/d/%ff", StatusCode::NOT_FOUND, "No record matches"),
        ("/d/..%2f..%2fetc/passwd", StatusCode::NOT_FOUND, "No record matches"),
        ("/d/1", StatusCode::NOT_FOUND, "No record matches"),
        ("/d/", StatusCode::NOT_FOUND, "There is no such page"),
        ("/n/notes/a", StatusCode::NOT_FOUND, "There is no such page"),
    ];
    for (address, status, part) in cases {
        let answer = site.get(address).await;
        assert_eq!(answer.status, status, "{address}: {}", answer.text);
        assert!(answer.text.contains(part), "{address}: {part} is not in {}", answer.text);
    }
    let long = site.get(&format!("/d/{}", "a/".repeat(3_000))).await;
    assert_eq!(long.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn several_that_fit_are_named_and_none_is_guessed() {
    let site = Site::open(&[("sre/adr/0001-a.md", "# A\n"), ("sre/adr/0001-b.md", "# B\n")]).await;
    let answer = site.get("/d/sre/adr/1").await;
    assert_eq!(answer.status, StatusCode::MULTIPLE_CHOICES);
    assert!(answer.text.contains("sre/adr/0001-a, sre/adr/0001-b"), "{}", answer.text);
}

#[tokio::test]
async fn search_says_when_there_is_nothing_and_keeps_the_words() {
    let site = Site::open(&FILES).await;
    assert!(site.get("/search").await.text.contains("Write some words"));
    let none = site.get("/search?q=zeppelin").await;
    assert!(none.text.contains("Nothing fits “zeppelin”") && none.text.contains("value=\"zeppelin\""), "{}", none.text);
}

#[tokio::test]
async fn head_and_assets_are_served() {
    let site = Site::open(&FILES).await;
    for address in ["/", "/records", "/d/sre/adr/0001-slos", "/guide", "/search?q=burn", "/problems"] {
        let head = site.send(Method::HEAD, address, &[], "").await;
        assert_eq!((head.status, head.text.as_str()), (StatusCode::OK, ""), "{address}");
    }
    let home = site.get("/").await;
    let style = site.get(home.between("rel=\"stylesheet\" href=\"", "\"")).await;
    assert_eq!((style.status, style.header(header::CONTENT_TYPE)), (StatusCode::OK, "text/css; charset=utf-8"));
    assert_eq!(style.header(header::CACHE_CONTROL), "public, max-age=31536000, immutable");
    let mark = site.get(home.between("<img src=\"", "\"")).await;
    assert_eq!(mark.header(header::CONTENT_TYPE), "image/svg+xml");
    assert_eq!(site.send(Method::POST, "/records", &[], "").await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn ids_with_odd_letters_have_pages() {
    let site = Site::open(&[("sre/adr/0024-use-#-and-ü.md", "# Odd & <true>\n")]).await;
    let list = site.get("/records").await;
    let address = list.between("class=\"title\" href=\"", "\"").to_owned();
    assert_eq!(address, "/d/sre/adr/0024-use-%23-and-%C3%BC");
    assert_eq!(site.get(&address).await.status, StatusCode::OK);
}
