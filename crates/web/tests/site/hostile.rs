//! Text of a library is data: whatever it holds, it is shown and never run.

use axum::http::{StatusCode, header};

use crate::site::{Answer, Site};

const RECORD: &str = "---
title: '\"><img src=x onerror=alert(1)><script>alert(2)</script>'
status: '<script>alert(3)</script>'
date: '<b>never</b>'
authors: ['<i onmouseover=alert(4)>Ann</i>', \"exe.\u{202e}gpj\"]
tags: ['\"><svg onload=alert(5)>', '</title><script>alert(6)</script>']
superseded_by: 'javascript:alert(7)'
risk: '<iframe src=//evil.example></iframe>'
'<u onclick=alert(8)>': x
---

# <script>alert(9)</script> [x](javascript:alert(10)) {#\"><script>alert(11)</script>}

<img src=x onerror=alert(12)> text `</code><script>alert(13)</script>`

[a](javascript:alert(14)) [b](JAVA&#10;SCRIPT:alert(15)) [c](data:text/html;base64,PHNjcmlwdD4=) <javascript:alert(16)> ![i](https://tracker.example/p.gif)

[d](https://example.org/\"onmouseover=alert(17)) \"><img onerror=alert(18)

<style>body{display:none}</style>

```html\" onload=\"alert(19)
</pre><script>alert(20)</script>
```
";

/// No element of the page but our own: every `<` of the text is escaped.
fn assert_harmless(answer: &Answer, what: &str) {
    assert_eq!(
        answer.header(header::CONTENT_SECURITY_POLICY),
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        "{what}"
    );
    assert_eq!(answer.header(header::X_CONTENT_TYPE_OPTIONS), "nosniff");
    assert_eq!(answer.header(header::REFERRER_POLICY), "same-origin");
    assert_eq!(answer.header(header::CACHE_CONTROL), "private, no-store");
    let lower = answer.text.to_lowercase();
    for tag in ["<script", "<img src=x", "<svg", "<iframe", "<style", "<i ", "<u ", "<b onclick", "<object"] {
        assert!(!lower.contains(tag), "{what}: {tag} in {}", answer.text);
    }
    // What stands inside of tags, attributes included.
    for tag in lower.split('<').skip(1).filter_map(|part| part.split('>').next()) {
        for attribute in [" onerror", " onload", " onmouseover", " onclick", " style=", "href=\"javascript", "href=\"data:", "src=\"http"] {
            assert!(!tag.contains(attribute), "{what}: {attribute} in <{tag}>");
        }
    }
    assert!(!answer.text.contains('\u{202e}'), "{what}");
}

#[tokio::test]
async fn nothing_of_a_hostile_record_is_run_anywhere() {
    let site = Site::open(&[("evil/adr/0001-x.md", RECORD)]).await;
    let hostile = "%22%3E%3Cscript%3Ealert(1)%3C/script%3E";
    let addresses = [
        "/".to_owned(),
        "/d/evil/adr/0001-x".to_owned(),
        "/d/evil/adr/0001-x?lines=14-16".to_owned(),
        "/records".to_owned(),
        "/search?q=alert".to_owned(),
        "/search?q=text".to_owned(),
        "/problems".to_owned(),
        format!("/records?query={hostile}&tag={hostile}&project={hostile}&author={hostile}"),
        format!("/search?q={hostile}"),
        format!("/search?q=project:{hostile}"),
        format!("/d/{hostile}"),
        format!("/{hostile}"),
        format!("/records?{hostile}=1"),
        format!("/records?page={hostile}"),
        format!("/problems?collection={hostile}"),
        format!("/sign-in?next=/{hostile}"),
    ];
    for address in addresses {
        let answer = site.get(&address).await;
        assert!(!answer.status.is_server_error(), "{address}: {}", answer.text);
        if answer.status.is_redirection() {
            continue;
        }
        assert_harmless(&answer, &address);
    }
    let record = site.get("/d/evil/adr/0001-x").await;
    assert_eq!(record.status, StatusCode::OK);
    for shown in ["&#34;&#62;alert(2)", "&#60;script&#62;alert(3)&#60;/script&#62;", "&lt;script&gt;alert(9)&lt;/script&gt;", "&#60;iframe src"] {
        assert!(record.text.contains(shown), "{shown} is not shown: {}", record.text);
    }
    assert!(record.text.contains("exe.[U+202E]gpj"), "{}", record.text);
    assert!(record.text.contains("href=\"https://tracker.example/p.gif\""), "images become links");
}

#[tokio::test]
async fn the_same_holds_for_other_markup() {
    let text = "Evil\n====\n\n:status: <script>alert(1)</script>\n\n`x <javascript:alert(2)>`_ </pre><script>alert(3)</script>\n";
    let site = Site::open(&[("evil/adr/0002-y.rst", text)]).await;
    let answer = site.get("/d/evil/adr/0002-y?lines=6").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_harmless(&answer, "reST");
}

#[tokio::test]
async fn a_long_record_is_shown_whole() {
    let mut text = String::from("# Long\n\n");
    for number in 0..6_000 {
        text.push_str(&format!("## Part {number}\n\nParagraph {number} has words of no meaning.\n\n"));
    }
    assert!(text.len() > 300 * 1_024);
    let site = Site::open(&[("big/adr/0001-long.md", &text)]).await;
    let answer = site.get("/d/big/adr/0001-long?lines=23999-24000").await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.text.contains("Paragraph 5999 ") && answer.text.contains("<a id=\"1.6000\"></a>"));
    assert!(answer.text.contains("5801 more are not listed."));
}
