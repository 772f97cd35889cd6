//! Speed of the word index on generated text: how fast it is built, edited and searched. `cargo bench -p index [-- DOCUMENTS]`.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use document::{Kind, Span};
use index::{Filter, Index, IndexDocument, IndexPassage, Page, Query};

/// A small generator of numbers, the same in every run (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn fraction(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}

const VOCABULARY: usize = 60_000;

/// Words of natural length and sound; their frequencies follow Zipf's law.
fn vocabulary(numbers: &mut Numbers) -> Vec<String> {
    let onsets = ["b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "st", "tr", "pl", "ch", ""];
    let nuclei = ["a", "e", "i", "o", "u", "ea", "io"];
    let endings = ["", "", "n", "r", "s", "t", "ing", "ed", "er", "tion", "ly", "ment"];
    (0..VOCABULARY)
        .map(|rank| {
            let syllables = 1 + (rank > 60) as usize + (rank > 3_000) as usize + numbers.below(2);
            let mut word = String::new();
            for _ in 0..syllables {
                word.push_str(onsets[numbers.below(onsets.len())]);
                word.push_str(nuclei[numbers.below(nuclei.len())]);
            }
            word.push_str(endings[numbers.below(endings.len())]);
            word
        })
        .collect()
}

fn word<'a>(words: &'a [String], numbers: &mut Numbers) -> &'a str {
    // The inverse of the distribution function of 1/rank.
    let rank = ((VOCABULARY as f64).powf(numbers.fraction()) - 1.0) as usize;
    &words[rank.min(VOCABULARY - 1)]
}

fn sentence(words: &[String], numbers: &mut Numbers, length: usize) -> String {
    let mut text = String::new();
    for index in 0..length {
        if index > 0 {
            text.push_str(if numbers.below(12) == 0 { ", " } else { " " });
        }
        if numbers.below(60) == 0 {
            text.push_str(&format!("{}_{}", word(words, numbers), word(words, numbers)));
        } else if index == 0 || numbers.below(25) == 0 {
            let word = word(words, numbers);
            text.push_str(&word[..1].to_uppercase());
            text.push_str(&word[1..]);
        } else {
            text.push_str(word(words, numbers));
        }
    }
    text
}

fn document(words: &[String], numbers: &mut Numbers, document_id: i64) -> IndexDocument {
    let count = 1 + numbers.below(7);
    let passages = (0..count)
        .map(|section_index| {
            let mut text = String::new();
            for _ in 0..4 + numbers.below(8) {
                let length = 8 + numbers.below(14);
                text.push_str(&sentence(words, numbers, length));
                text.push_str(".\n");
            }
            IndexPassage { section_index, span: Span::new(0, text.len()), headings: sentence(words, numbers, 4), text }
        })
        .collect();
    IndexDocument {
        document_id,
        collection_id: (document_id % 3) + 1,
        kind: Kind::ALL[numbers.below(5)],
        uri: format!("note://bench/{}-{document_id}", word(words, numbers)),
        title: sentence(words, numbers, 5),
        project: format!("project-{}", numbers.below(50)),
        record_type: "adr".into(),
        status: ["draft", "accepted", "superseded"][numbers.below(3)].into(),
        date: Some(format!("20{:02}-{:02}-{:02}", 10 + numbers.below(16), 1 + numbers.below(12), 1 + numbers.below(28))),
        tags: vec![format!("tag{}", numbers.below(200)), format!("tag{}", numbers.below(2_000))],
        people: vec![format!("person{}", numbers.below(500))],
        passages,
    }
}

fn size(document: &IndexDocument) -> usize {
    document.passages.iter().map(|passage| passage.text.len()).sum()
}

fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = |name: &str| {
        status
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok())
            .unwrap_or_default()
            / 1_024
    };
    format!("resident {} MB (own {} MB, files {} MB, peak {} MB)", line("VmRSS:"), line("RssAnon:"), line("RssFile:"), line("VmHWM:"))
}

/// Processor time of this process so far, all threads. On a busy machine it tells more than the clock does.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks: u64 =
        stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks as f64 / 100.0
}

fn report(name: &str, mut times: Vec<Duration>, since: f64, found: usize) {
    let processor = (processor_seconds() - since) * 1e3 / times.len() as f64;
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "{name:<44} p50 {:>8.3} ms  p95 {:>8.3} ms  p99 {:>8.3} ms  cpu {processor:>7.2} ms  ({} runs, {found} found)",
        at(0.5),
        at(0.95),
        at(0.99),
        times.len()
    );
}

fn searches(index: &Index, name: &str, filter: &Filter, queries: &[String], limit: usize) {
    let since = processor_seconds();
    let mut times = Vec::new();
    let mut found = 0;
    for query in queries {
        let begin = Instant::now();
        let query = Query::parse(query).expect("a query");
        found += index.search(&query, filter, Page { limit, offset: 0, per_document: 2 }).expect("an answer").hits.len();
        times.push(begin.elapsed());
    }
    report(name, times, since, found);
}

fn main() {
    let count: i64 = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let directory = tempfile::tempdir().expect("a directory");
    let index = Index::open(directory.path()).expect("an index");
    let mut numbers = Numbers(1);
    let words = vocabulary(&mut numbers);
    build(&index, &words, &mut numbers, count);
    println!("{}", resident());
    edits(&index, &words, &mut numbers, count);
    query(&index, &words, &mut numbers);
    println!("{}", resident());
}

fn build(index: &Index, words: &[String], numbers: &mut Numbers, count: i64) {
    let mut bytes = 0;
    let mut passages = 0;
    let mut elapsed = Duration::ZERO;
    let mut processor = 0.0;
    let mut writer = index.writer(Duration::from_secs(1)).expect("a lock").expect("the lock is free");
    let mut done = 0;
    while done < count {
        let batch: Vec<IndexDocument> = (done..count.min(done + 2_000)).map(|id| document(words, numbers, id)).collect();
        done += batch.len() as i64;
        let (begin, since) = (Instant::now(), processor_seconds());
        for document in &batch {
            bytes += size(document);
            passages += document.passages.len();
            writer.put(document).expect("put");
        }
        elapsed += begin.elapsed();
        processor += processor_seconds() - since;
    }
    let (begin, since) = (Instant::now(), processor_seconds());
    writer.commit(1).expect("commit");
    drop(writer);
    elapsed += begin.elapsed();
    processor += processor_seconds() - since;
    let seconds = elapsed.as_secs_f64();
    println!(
        "build: {count} documents, {passages} passages, {:.1} MB in {seconds:.1} s: {:.1} MB/s, {:.1} MB per cpu second; index {:.1} MB",
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / seconds,
        bytes as f64 / 1e6 / processor,
        index.size_bytes() as f64 / 1e6
    );
}

fn edits(index: &Index, words: &[String], numbers: &mut Numbers, count: i64) {
    let since = processor_seconds();
    let mut times = Vec::new();
    for sequence in 0..100 {
        let id = numbers.below(count as usize) as i64;
        let document = document(words, numbers, id);
        let begin = Instant::now();
        let mut writer = index.writer(Duration::from_secs(1)).expect("a lock").expect("the lock is free");
        writer.put(&document).expect("put");
        writer.commit(sequence + 2).expect("commit");
        drop(writer);
        times.push(begin.elapsed());
    }
    report("edit: lock, put, commit, visible", times, since, 0);
    let begin = Instant::now();
    for _ in 0..10_000 {
        index.checkpoint().expect("checkpoint");
    }
    println!("checkpoint, nothing changed: {:.2} µs", begin.elapsed().as_secs_f64() * 1e6 / 1e4);
}

fn query(index: &Index, words: &[String], numbers: &mut Numbers) {
    let mut queries = |count: usize, length: usize| -> Vec<String> { (0..count).map(|_| sentence(words, numbers, length)).collect() };
    let everything = Filter::default();
    for length in [1, 2, 4, 8] {
        let texts = queries(300, length);
        searches(index, &format!("{length} words, first run"), &everything, &texts, 10);
        searches(index, &format!("{length} words"), &everything, &texts, 10);
    }
    let texts = queries(300, 3);
    searches(index, "3 words, top 50", &everything, &texts, 50);
    let common: Vec<String> = (0..20).map(|rank| format!("{} {} {}", words[rank], words[rank + 3], words[rank + 40])).collect();
    searches(index, "3 very common words", &everything, &common, 10);
    let broad = Filter { kinds: vec![Kind::Notes, Kind::Pages], ..Filter::default() };
    searches(index, "3 words, filter that admits 40 %", &broad, &texts, 10);
    let narrow = Filter { project: Some("project-7".into()), ..Filter::default() };
    searches(index, "3 words, filter that admits 2 %", &narrow, &texts, 10);
    let phrases: Vec<String> = common.iter().map(|text| format!("\"{}\"", text.rsplit_once(' ').map_or("", |(two, _)| two))).collect();
    searches(index, "phrase of 2 very common words", &everything, &phrases, 10);
    let beginnings: Vec<String> = texts.iter().map(|text| format!("{}*", text.split([' ', ',']).next().unwrap_or_default())).collect();
    searches(index, "beginning of a word", &everything, &beginnings, 10);
    let excluded: Vec<String> = texts.iter().map(|text| text.replacen(' ', " -", 1)).collect();
    searches(index, "2 words, one excluded", &everything, &excluded, 10);
    let since = processor_seconds();
    let mut times = Vec::new();
    let mut found = 0;
    for text in &texts {
        let begin = Instant::now();
        found += index.matching_documents(&Query::parse(text).expect("a query"), &everything).expect("an answer").len();
        times.push(begin.elapsed());
    }
    report("matching documents, 3 words", times, since, found);
}
