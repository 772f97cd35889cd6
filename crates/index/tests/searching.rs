//! Searching, as a user would describe it.

mod library;

use document::Kind;
use index::{Filter, IndexError, Query};
use library::{Library, note};
use proptest::prelude::*;

#[test]
fn a_text_with_all_words_comes_before_one_that_repeats_one() {
    let library = Library::of([
        note(1, "Caches", "cache cache cache cache cache cache"),
        note(2, "Plan", "we warm the cache before the migration of the ledger"),
        note(3, "Ledger", "ledger ledger ledger"),
        note(4, "Other", "nothing of the sort"),
    ]);
    assert_eq!(library.find("cache migration ledger")[0], 2);
    assert_eq!(library.find("cache ledger")[0], 2);
}

#[test]
fn the_title_counts_more_than_the_text() {
    let library = Library::of([note(1, "Meeting", "rollback was named in passing here"), note(2, "Rollback", "how it is done in our house here")]);
    assert_eq!(library.find("rollback"), [2, 1]);
}

#[test]
fn inflected_words_are_found_and_the_exact_form_comes_first() {
    let library = Library::of([note(1, "A", "the servers are migrating"), note(2, "B", "the server has migrated"), note(3, "C", "all is still")]);
    assert_eq!(library.sorted("migrations"), [1, 2]);
    assert_eq!(library.find("migrated server"), [2, 1]);
}

#[test]
fn phrases_are_exact_word_for_word() {
    let library = Library::of([
        note(1, "A", "run fast and far"),
        note(2, "B", "running fast and far"),
        note(3, "C", "fast run"),
        note(4, "D", "Use GitHub Actions for that"),
        note(5, "E", "The café Résumé list"),
    ]);
    assert_eq!(library.find("\"run fast\""), [1]);
    assert_eq!(library.find("\"github actions for\""), [4]);
    assert_eq!(library.find("\"cafe resume\""), [5]);
    assert_eq!(library.find("\"fast run fast\""), Vec::<i64>::new());
}

#[test]
fn a_phrase_does_not_run_from_the_title_into_the_text() {
    let library = Library::of([note(1, "Payments ledger", "rotation of keys")]);
    assert!(library.find("\"ledger rotation\"").is_empty());
    assert_eq!(library.find("\"payments ledger\""), [1]);
}

#[test]
fn exclusions_beginnings_and_alternatives() {
    let library = Library::of([
        note(1, "A", "database of cats"),
        note(2, "B", "databases of dogs"),
        note(3, "C", "date of the dogs' party"),
        note(4, "D", "big dog, small dog"),
    ]);
    assert_eq!(library.find("databas*").len(), 2);
    assert_eq!(library.find("dat*").len(), 3);
    assert_eq!(library.find("dogs -party").len(), 2);
    assert_eq!(library.find("dogs -\"small dog\" -database"), [3]);
    assert_eq!(library.sorted("cats OR \"big dog\""), [1, 4]);
    assert_eq!(library.sorted("\"of cats\" OR \"big dog\""), [1, 4]);
}

#[test]
fn identifiers_are_found_however_they_are_written() {
    let library = Library::of([
        note(1, "A", "see ADR-0012 for the reason"),
        note(2, "B", "call getHTTPResponse() from src/main.py"),
        note(3, "C", "set max_open_files in v1.2.3 of C++"),
        note(4, "D", "use foo::bar::baz from session-recall"),
    ]);
    for (query, document) in [
        ("ADR-0012", 1),
        ("adr0012", 1),
        ("0012", 1),
        ("gethttpresponse", 2),
        ("response", 2),
        ("src/main.py", 2),
        ("main.py", 2),
        ("max_open_files", 3),
        ("max-open-files", 3),
        ("1.2.3", 3),
        ("C++", 3),
        ("foo::bar", 4),
        ("session_recall", 4),
        ("recall", 4),
    ] {
        assert_eq!(library.find(query).first(), Some(&document), "{query}");
    }
}

#[test]
fn every_script_is_found() {
    let library = Library::of([
        note(1, "検索エンジン", "全文検索の仕組みと猫"),
        note(2, "서울", "서울에서 만나요"),
        note(3, "ภาษาไทย", "การค้นหาข้อความ"),
        note(4, "Ünïcödé", "Straße und Łódź, re\u{301}sume\u{301} 👍🏽"),
        note(5, "Текст", "Ёлка стоит"),
        note(6, "हिन्दी", "खोज इंजन"),
    ]);
    for (query, document) in [
        ("全文検索", 1),
        ("猫", 1),
        ("組", 1),
        ("\"検索の仕\"", 1),
        ("ｴﾝｼﾞﾝ", 1),
        ("서울", 2),
        ("만", 2),
        ("ค้นหา", 3),
        ("strasse", 4),
        ("lodz", 4),
        ("résumé", 4),
        ("unicode", 4),
        ("👍", 4),
        ("елка", 5),
        ("खोज", 6),
    ] {
        assert_eq!(library.find(query), [document], "{query}");
    }
}

#[test]
fn filters_confine_before_ranking() {
    let mut documents: Vec<_> = (1..=200).map(|id| note(id, "Sync", "sync sync sync of everything")).collect();
    documents[150].tags = vec!["Billing/Ärger".into()];
    documents[150].status = "In Review".into();
    documents[150].date = Some("2024-05".into());
    documents[151].kind = Kind::Decisions;
    documents[151].people = vec!["@Ana Souza".into()];
    documents[152].collection_id = 9;
    let library = Library::of(documents);
    for (query, document) in [
        ("sync tag:billing", 151),
        ("sync tag:\"billing/arger\"", 151),
        ("sync status:\"in review\"", 151),
        ("sync after:2024-05-20 before:2025", 151),
        ("sync kind:decisions", 152),
        ("author:ana", 152),
        ("person:\"ana souza\" sync", 152),
        ("status:\"in review\" OR sync tag:billing", 151),
    ] {
        assert_eq!(library.find(query), [document], "{query}");
    }
    let filter = Filter { collection_ids: vec![9], ..Filter::default() };
    assert_eq!(library.find_with("sync", &filter), [153]);
    assert_eq!(library.count("sync", &filter), 1);
    assert_eq!(library.count("sync -tag:billing", &Filter::default()), 199);
    let filter = Filter { excluded_collection_ids: vec![9], excluded_document_ids: vec![1, 2], ..Filter::default() };
    assert_eq!(library.count("sync", &filter), 197);
    let filter = Filter { statuses: Some(vec!["IN REVIEW".into(), "draft".into()]), date_to: Some("2024".into()), ..Filter::default() };
    assert_eq!(library.find_with("sync", &filter), [151]);
    assert!(library.find_with("sync", &Filter { statuses: Some(Vec::new()), ..Filter::default() }).is_empty());
    assert!(library.find("sync tag:unknown").is_empty());
    let bad = Filter { date_from: Some("soon".into()), ..Filter::default() };
    assert!(matches!(library.index.search(&Query::parse("sync").unwrap(), &bad, library::page(10)), Err(IndexError::Date { .. })));
}

#[test]
fn a_filter_alone_lists_documents_in_order() {
    let mut documents: Vec<_> = (1..=5).map(|id| note(id, "Note", "text")).collect();
    for document in &mut documents {
        document.tags = vec!["x".into()];
        document.passages.push(document.passages[0].clone());
    }
    let library = Library::of(documents);
    assert_eq!(library.find("tag:x -title:other"), [1, 2, 3, 4, 5]);
    let everything =
        library.index.search(&Query::everything(), &Filter { document_ids: Some(vec![4, 2]), ..Filter::default() }, library::page(10)).unwrap();
    assert_eq!(everything.hits.iter().map(|hit| hit.document_id).collect::<Vec<_>>(), [2, 4]);
}

#[test]
fn title_and_heading_confine_to_title_and_headings() {
    let mut with_heading = note(2, "Plan", "rollout in steps");
    with_heading.passages[0].headings = "Deployment > Canary".into();
    let library = Library::of([note(1, "Deployment", "all at once"), with_heading, note(3, "Deployments of old", "canary")]);
    assert_eq!(library.sorted("title:deployment"), [1, 3]);
    assert_eq!(library.find("title:\"deployments of\""), [3]);
    assert_eq!(library.find("heading:canary"), [2]);
    assert_eq!(library.find("canary -heading:canary"), [3]);
}

#[test]
fn pages_continue_each_other_and_documents_do_not_crowd_each_other_out() {
    let mut documents: Vec<_> = (1..=100).map(|id| note(id, "Note", &format!("needle {}", "hay ".repeat(id as usize % 17)))).collect();
    let passage = documents[0].passages[0].clone();
    documents[0].passages = vec![passage; 300];
    let library = Library::of(documents);
    let query = Query::parse("needle").unwrap();
    let mut seen = Vec::new();
    for offset in (0..110).step_by(7) {
        let found = library.index.search(&query, &Filter::default(), index::Page { limit: 7, offset, per_document: 1 }).unwrap();
        assert_eq!(found.has_more, offset + 7 < 100, "{offset}");
        seen.extend(found.hits.iter().map(|hit| hit.document_id));
    }
    seen.sort_unstable();
    assert_eq!(seen, (1..=100).collect::<Vec<_>>());
    let all = library.index.search(&query, &Filter::default(), index::Page { limit: 1_000, offset: 0, per_document: 0 }).unwrap();
    assert_eq!((all.hits.len(), all.has_more), (399, false));
}

#[test]
fn hits_tell_where_they_are_and_what_was_found() {
    let mut document = note(7, "Guide", "Databases at rest, see Rust-Book");
    document.passages[0].span = document::Span::new(40, 72);
    document.passages[0].section_index = 3;
    let library = Library::of([document]);
    let found = library.index.search(&Query::parse("database rust -nothing").unwrap(), &Filter::default(), library::page(3)).unwrap();
    let hit = &found.hits[0];
    assert_eq!((hit.document_id, hit.passage_index, hit.section_index, hit.span), (7, 0, 3, document::Span::new(40, 72)));
    let text = "Databases at rest, see Rust-Book";
    let marked: Vec<&str> = index::spans_of(text, &hit.terms).into_iter().map(|span| span.of(text)).collect();
    assert_eq!(marked, ["Databases", "Rust"]);
}

#[test]
fn nothing_searchable_finds_nothing() {
    let library = Library::of([note(1, "A", "text")]);
    for query in ["", "?!", "-text", "\"\""] {
        assert!(library.find(query).is_empty(), "{query}");
        assert_eq!(library.count(query, &Filter::default()), 0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_word_of_a_text_finds_it(text in "([a-zA-Z0-9_.'ßéüçñ-]{1,12}|[漢字仮名交じり]{1,5}|[가나다라마]{1,4}|[กขคงจ]{1,5}|[😀🚀]| |\n){1,20}") {
        use unicode_normalization::UnicodeNormalization as _;
        let library = Library::of([note(1, "other", &text), note(2, "zzz", "qqq")]);
        for word in text.split_whitespace() {
            let query: String = word.trim_start_matches('-').nfd().collect();
            let Ok(query) = Query::parse(&query) else { continue };
            if query.is_empty() {
                continue;
            }
            let found = library.index.search(&query, &Filter::default(), library::page(5)).unwrap();
            prop_assert!(found.hits.iter().any(|hit| hit.document_id == 1), "{word:?} in {text:?}");
        }
    }

    #[test]
    fn any_query_gives_an_answer(text in "\\PC{0,60}|[a-z\"“*: ORtag-]{0,40}") {
        let library = Library::of([note(1, "tag", "or t ag OR")]);
        if let Ok(query) = Query::parse(&text) {
            let found = library.index.search(&query, &Filter::default(), library::page(5)).unwrap();
            prop_assert!(found.hits.len() <= 5);
            library.index.matching_documents(&query, &Filter::default()).unwrap();
        }
    }
}
