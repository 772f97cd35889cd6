//! A citation that an agent gives opens at its very words.

use axum::http::{StatusCode, header};
use engine::search::{SearchQuery, search};

use crate::site::Site;

const RECORD: &str = "---
title: Choose a queue
status: accepted
date: 2024-05-02
tags: [storage]
---

# Choose a queue

Intro that names nothing of note.

## Context

We need durable messages between services.

## Decision

### Broker

We take the pelican broker, because its replication survives the loss of a rack.

### Retention

Messages are kept for seven days.
";

#[tokio::test]
async fn a_citation_of_search_opens_with_its_words_marked() {
    let site = Site::open(&[("infra/adr/0007-queue.md", RECORD)]).await;
    let desk = site.library.owner_desk().await.unwrap();
    let found = search(&desk, &SearchQuery { query: "pelican replication".to_owned(), ..SearchQuery::default() }).await.unwrap();
    let hit = &found.hits[0];
    let permalink = hit.citation.permalink();
    let (address, fragment) = permalink.split_once('#').unwrap();
    assert_eq!(fragment, "1.2.1");
    let answer = site.get(address).await;
    assert_eq!(answer.status, StatusCode::OK, "{permalink}");
    let marked: String = answer.text.split("<div class=\"cited\"").skip(1).map(|part| part.split("</div>").next().unwrap()).collect();
    for word in hit.quote.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()) {
        assert!(marked.contains(word), "{word} is not in {marked}");
    }
    assert!(!marked.contains("seven days"), "{marked}");
    assert!(answer.text.contains("<a id=\"1.2.1\"></a>Broker"), "{}", answer.text);
    assert!(answer.text.contains("<h3 id=\"broker\">") && answer.text.contains("href=\"#broker\""), "{}", answer.text);
    assert!(!answer.text.contains("changed since it was cited"));
}

#[tokio::test]
async fn the_search_page_leads_to_the_cited_place() {
    let site = Site::open(&[("infra/adr/0007-queue.md", RECORD)]).await;
    let results = site.get("/search?q=pelican+broker").await;
    assert!(results.text.contains("<b>pelican broker</b>") || results.text.contains("<b>pelican</b> <b>broker</b>"), "{}", results.text);
    let address = results.between("class=\"title\" href=\"", "#cited\"").replace("&#38;", "&");
    assert!(address.starts_with("/d/infra/adr/0007-queue?lines=") && address.contains("&stamp="), "{address}");
    let record = site.get(&address).await;
    assert!(record.between("id=\"cited\"", "<h3 id=\"retention\"").contains("pelican broker"));
}

#[tokio::test]
async fn a_citation_of_a_text_that_changed_says_so() {
    let site = Site::open(&[("infra/adr/0007-queue.md", RECORD)]).await;
    let desk = site.library.owner_desk().await.unwrap();
    let found = search(&desk, &SearchQuery { query: "pelican".to_owned(), ..SearchQuery::default() }).await.unwrap();
    let permalink = found.hits[0].citation.permalink();
    let address = permalink.split('#').next().unwrap();
    site.write("infra/adr/0007-queue.md", &RECORD.replace("pelican", "heron"));
    let answer = site.get(address).await;
    assert!(answer.text.contains("changed since it was cited") && answer.text.contains("heron"), "{}", answer.text);
}

#[tokio::test]
async fn lines_outside_of_the_text_or_in_its_header_are_explained() {
    let site = Site::open(&[("infra/adr/0007-queue.md", RECORD)]).await;
    let beyond = site.get("/d/infra/adr/0007-queue?lines=900-905").await;
    assert!(beyond.text.contains("names lines 900–905, but the text has only 24 lines"), "{}", beyond.text);
    let header = site.get("/d/infra/adr/0007-queue?lines=3").await;
    assert!(header.text.contains("<pre class=\"cited\">status: accepted\n</pre>"), "{}", header.text);
    for bad in ["lines=0", "lines=b-a", "stamp=nothex"] {
        let answer = site.get(&format!("/d/infra/adr/0007-queue?{bad}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{bad}");
        assert!(answer.text.contains(bad.split('=').next_back().unwrap()), "{bad}");
    }
}

#[tokio::test]
async fn short_names_lead_to_the_permalink() {
    let site = Site::open(&[("infra/adr/0007-queue.md", RECORD)]).await;
    for short in ["/d/infra/adr/7?lines=3", "/d/INFRA-ADR-0007?lines=3", "/d/infra/adr/0007-queue.md?lines=3"] {
        let answer = site.get(short).await;
        assert_eq!((answer.status, answer.header(header::LOCATION)), (StatusCode::SEE_OTHER, "/d/infra/adr/0007-queue?lines=3"), "{short}");
    }
}

#[tokio::test]
async fn other_markup_is_shown_as_written_with_the_cited_lines_marked() {
    let text = "Title of it\n===========\n\n:status: accepted\n\nContext\n-------\n\nFirst <b>line</b>.\n\nSecond line.\n";
    let site = Site::open(&[("infra/adr/0002-rest.rst", text)]).await;
    let answer = site.get("/d/infra/adr/0002-rest?lines=9").await;
    assert!(answer.text.contains("<span class=\"cited\" id=\"cited\">First &#60;b&#62;line&#60;/b&#62;.\n</span>"), "{}", answer.text);
    assert!(answer.text.contains("<a id=\"context\"></a>"), "{}", answer.text);
}
