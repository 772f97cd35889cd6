//! What the bench computes and writes, shown on figures that can be checked by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use super::corpus::{Questions, gather, queries, query};
use super::ibid::Ibid;
use super::machine::About;
use super::measure::{Figure, Judged, Measured};
use super::options::Options;
use super::peer::Peer as _;
use super::process::{Memory, field};
use super::qmd::Qmd;
use super::quality::{Quality, documents, ndcg, percentile, recall};
use super::{Row, page, table};

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn measured() -> Measured {
    Measured {
        init: milliseconds(14),
        index: Figure::Time(milliseconds(2_345)),
        embedded: Some(Figure::Time(milliseconds(2_900))),
        index_peak: 230_000_000,
        refresh: Some(Figure::Over(Duration::from_secs(900))),
        searches: (1..=20).map(milliseconds).collect(),
        memory: Memory { peak: 147_400_000, resident: 120_000_000, anonymous: 80_000_000 },
        tools: 4,
        tools_bytes: 6_555,
        documents: Some(2_463),
        changed_files: 3,
        judged: Some(Judged::Ranked(Quality { ndcg: 0.53401, recall: 0.4405, zero_hits: 2, questions: 225 }, vec![milliseconds(3)])),
    }
}

fn about() -> About {
    About {
        machine: "2026-12-01: 2 cores".to_owned(),
        corpus: "2,498 Markdown files, 43.2 MB".to_owned(),
        queries: 50,
        questions: Some("cranfield: 1400 files, 225 questions".to_owned()),
    }
}

fn rows() -> Vec<Row> {
    vec![("ibid", "0.1.0".to_owned(), Ok(measured())), ("iwec", "0.29.3".to_owned(), Err("no cargo | no\ncompiler".to_owned()))]
}

#[test]
fn a_percentile_is_the_nearest_rank_whatever_the_order_of_the_times() {
    let mut times: Vec<Duration> = (1..=20).map(milliseconds).collect();
    times.reverse();
    assert_eq!(percentile(&times, 50), Some(milliseconds(10)));
    assert_eq!(percentile(&times, 95), Some(milliseconds(19)));
    assert_eq!(percentile(&times, 100), Some(milliseconds(20)));
    assert_eq!(percentile(&[milliseconds(7)], 95), Some(milliseconds(7)));
    assert_eq!(percentile(&[], 50), None);
}

#[test]
fn documents_are_read_from_the_answers_of_all_programs() {
    let qmd = r##"{"content":[{"type":"text","text":"Found 2 results:\n\n#d5e8fc 100% library/doc-1.md - wing\n#53e906 50% library/doc-1064.md - jet"}],
        "structuredContent":{"results":[{"docid":"#d5e8fc","file":"library/doc-1.md"},{"docid":"#53e906","file":"library/doc-1064.md"}]}}"##;
    let mcpvault =
        r#"{"content":[{"type":"text","text":"[{\"p\":\"doc-1.md\",\"t\":\"doc-1\",\"uri\":\"obsidian://k/doc-1\"},{\"p\":\"doc-1064.md\"}]"}]}"#;
    let basic_memory = r#"{"structuredContent":{"result":{"results":[{"permalink":"library/doc-1"},{"permalink":"library/doc-1064"}]}}}"#;
    let iwec = r#"{"content":[{"type":"text","text":"[{\"key\":\"doc-1\"},{\"key\":\"doc-1064\",\"title\":\"jet\"}]"}]}"#;
    let ibid = r#"{"structuredContent":{"results":[{"id":"library/doc-1","uri":"doc://library/doc-1#1"},{"id":"library/doc-1064"}]}}"#;
    for answer in [qmd, mcpvault, basic_memory, iwec, ibid] {
        assert_eq!(documents(answer), [1, 1064], "{answer}");
    }
    assert!(documents(r#"{"content":[{"text":"No results found for doc-"}]}"#).is_empty());
}

#[test]
fn answers_say_what_was_searched() {
    let ibid = Ibid::new(None);
    let answer =
        |retrieval: Value, stale: bool| json!({"structuredContent": {"results": [], "retrieval": retrieval, "stale": stale, "next_cursor": "8-01"}});
    let words =
        answer(json!({"words": true, "meaning": false, "reason": "Search does not ask an embedding model yet; words alone were searched."}), true);
    let soon = answer(json!({"words": true, "meaning": false, "reason": "Vectors are being computed, 12 of 40."}), false);
    let both = answer(json!({"words": true, "meaning": true, "reason": ""}), false);
    assert_eq!([&words, &soon, &both].map(|answer| ibid.is_by_meaning(answer)), [None, Some(false), Some(true)]);
    assert_eq!([&words, &soon].map(|answer| ibid.is_complete(answer)), [false, true]);
    assert_eq!(ibid.next_cursor(&both).as_deref(), Some("8-01"));
    let collections = json!({"structuredContent": {"collections": [{"name": "a", "documents": 665}, {"name": "b", "documents": 648}]}});
    assert_eq!(ibid.counted(&collections), Some(1_313));
    assert_eq!(Qmd.counted(&json!({"structuredContent": {"totalDocuments": 2_486, "needsEmbedding": 2_480}})), Some(2_486));
    assert_eq!(Qmd.counted(&json!({"content": []})), None);
}

#[test]
fn ranking_is_judged_as_trec_eval_does() {
    let grades = BTreeMap::from([(1, 3), (2, 1), (3, 2)]);
    assert!((ndcg(&[1, 3, 2], &grades) - 1.0).abs() < 1e-12);
    // (1 + 3/log2(4)) / (3 + 2/log2(3) + 1/2) = 2.5 / 4.761860
    assert!((ndcg(&[2, 9, 1], &grades) - 0.525_005).abs() < 1e-6);
    assert!(ndcg(&[], &grades).abs() < 1e-12);
    // What stands behind the tenth place does not count.
    assert!(ndcg(&[11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 1], &grades).abs() < 1e-12);
    assert!((recall(&[2, 9, 1], &grades) - 2.0 / 3.0).abs() < 1e-12);
}

#[test]
fn memory_is_read_from_the_lines_that_linux_writes() {
    let status = "Name:\tnode\nPPid:\t77\nVmHWM:\t  147400 kB\nVmRSS:\t  120000 kB\n";
    assert_eq!((field(status, "VmHWM:"), field(status, "PPid:"), field(status, "VmSwap:")), (147_400, 77, 0));
}

#[test]
fn queries_are_words_of_headings() {
    assert_eq!(query("KEP-753: Sidecar containers, and their restart").as_deref(), Some("sidecar containers their"));
    assert_eq!(query("The FAQ"), None);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (from, to) = (folder.path().join("from"), folder.path().join("to"));
    std::fs::create_dir_all(from.join("deep/.hidden")).expect("a temporary folder can be written");
    for (name, text) in [
        ("a.md", "# Retry budgets\n"),
        ("deep/b.md", "no heading"),
        ("deep/.hidden/c.md", "---\nx: 1\n---\n\n## Context\n\n## Kafka events everywhere\n"),
        ("deep/d.txt", "# Other file\n"),
    ] {
        std::fs::write(from.join(name), text).expect("a temporary file can be written");
    }
    let corpus = gather(&from, &to).expect("Markdown");
    assert_eq!(corpus.files, 3, "only Markdown is copied");
    assert!(!to.join("deep/d.txt").exists());
    assert_eq!(queries(&to, 10).expect("queries"), ["retry budgets", "kafka events everywhere"]);
    assert_eq!(queries(&to, 1).expect("queries"), ["retry budgets"]);
}

#[test]
fn a_labelled_set_becomes_files_and_graded_questions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let set = folder.path().join("small");
    std::fs::create_dir_all(&set).expect("a temporary folder can be written");
    for (name, text) in [
        ("docs.jsonl", "{\"id\": \"x\", \"title\": \"Wings\", \"text\": \"Wings lift.\"}\n{\"id\": 7, \"title\": \"\", \"text\": \"Jets push.\"}\n"),
        ("queries.jsonl", "{\"id\": \"2\", \"text\": \"what pushes\"}\n{\"id\": \"1\", \"text\": \"nobody knows\"}\n"),
        ("qrels.tsv", "2\t7\t3\n2\tx\t0\n2\tabsent\t1\n"),
    ] {
        std::fs::write(set.join(name), text).expect("a temporary file can be written");
    }
    let questions = Questions::lay_out(&set, &folder.path().join("files")).expect("a set");
    assert_eq!((questions.name.as_str(), questions.documents, questions.questions.len()), ("small", 2, 1));
    let question = questions.questions.first().expect("a question");
    assert_eq!((question.text.as_str(), &question.grades), ("what pushes", &BTreeMap::from([(2, 3)])));
    let text = |name: &str| std::fs::read_to_string(questions.folder.join(name)).expect("a file");
    assert_eq!((text("doc-1.md").as_str(), text("doc-2.md").as_str()), ("# Wings\n\nWings lift.\n", "# Jets push.\n\nJets push.\n"));
}

#[test]
fn the_tables_have_a_row_for_each_program_and_say_what_was_not_measured() {
    let full = table::full(&about(), &rows());
    let lines: Vec<&str> = full.lines().filter(|line| line.starts_with('|')).collect();
    assert!(lines.contains(
        &"| ibid | 0.1.0 | 14 ms | 2463 | 2.3 s | 2.9 s | over 900 s | 10 ms (of 20) | 19 ms | 147 MB | 120 MB | 230 MB | 4 tools, 6.6 kB | 3 |"
    ));
    assert!(lines.contains(&"| ibid | 0.5340 | 0.4405 | 2 of 225 | 3.0 ms | 3.0 ms |"));
    assert!(full.contains("not measured: no cargo \\| no compiler"), "{full}");
    let columns = |line: &str| line.replace("\\|", "").matches('|').count();
    let (speed, ranking) = lines.split_at(4);
    assert!(speed.iter().all(|line| columns(line) == 15), "{full}");
    assert!(ranking.iter().all(|line| columns(line) == 7), "{full}");
    let short = table::short(&about(), &rows());
    assert!(
        short.starts_with("| 2,498 Markdown files, 43.2 MB | ibid 0.1.0 |\n|---|---:|\n| index from nothing | 2.3 s |\n| with vectors | 2.9 s |\n"),
        "{short}"
    );
    assert!(short.contains("| search p50 / p95 | 10 ms / 19 ms |") && short.contains("| nDCG@10 | 0.534 |"), "{short}");
}

#[test]
fn a_program_that_was_ended_while_it_indexed_is_not_judged() {
    let slow = Measured {
        index: Figure::Over(milliseconds(300_000)),
        embedded: None,
        refresh: None,
        judged: Some(Judged::IndexOver(milliseconds(300_000))),
        ..measured()
    };
    let rows = [("basic-memory", "0.24.1".to_owned(), Ok(slow))];
    let full = table::full(&about(), &rows);
    assert!(full.contains("| over 300 s | – | – | 10 ms (of 20) |"), "{full}");
    assert!(full.contains("| basic-memory | not asked: indexing took over 300 s | | | | |"), "{full}");
    assert!(table::short(&about(), &rows).contains("| nDCG@10 | – |"));
}

#[test]
fn tables_replace_those_of_the_last_run_and_nothing_else() {
    let text = std::fs::read_to_string(crate::programs::workspace().join("docs/reference/compared-with-peers.md")).expect("the page");
    let once = page::with_tables(&text, "| new |").expect("the page has its mark");
    assert!(once.ends_with("\n\n| new |\n"));
    assert_eq!(page::with_tables(&once, "| new |").as_deref(), Some(once.as_str()));
    let text = std::fs::read_to_string(crate::programs::workspace().join("README.md")).expect("the README");
    let once = page::between_marks(&text, "| new |").expect("the README has its marks");
    assert!(once.contains("\n\n| new |\n\n<!-- /peers -->"));
    assert_eq!(once.lines().last(), text.lines().last());
    assert_eq!(page::with_tables("no mark", "| new |"), None);
}

#[test]
fn an_argument_that_is_not_known_is_refused() {
    let said = |words: &[&str]| Options::of(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
    assert!(said(&["--corpora", "x"]).is_err_and(|error| error.to_string().contains("--corpora is not known")));
    assert!(said(&["--limit"]).is_err());
    assert!(said(&["--only", "qmd,ibdi"]).is_err_and(|error| error.to_string().contains("ibdi")));
    let options = said(&["--only", "qmd,ibid", "--limit", "60"]).expect("good arguments");
    assert!(options.names("ibid") && !options.names("iwec"));
    assert_eq!(options.limit, Duration::from_secs(60));
}
