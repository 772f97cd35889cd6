//! `--against adrs`: the same folders read by the program `adrs` and by ibid, both compared with the labels.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

use crate::decisions_support::accuracy::BEGIN;
use crate::decisions_support::labels::{self, Label};
use crate::decisions_support::records;

/// A folder with fewer records has no row of its own.
const FEW: usize = 5;

/// What one program did with one folder.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    /// Records that it returns.
    found: usize,
    /// Returned files that are no records, such as templates.
    others: usize,
    /// Status, date and title right, of the labelled records.
    right: [usize; 3],
    /// Status and date right where the record states one.
    right_stated: [usize; 2],
}

/// One folder of records.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    records: usize,
    labelled: usize,
    /// Labelled records that state a status, a date.
    stated: [usize; 2],
    adrs: Score,
    ibid: Score,
}

/// Prints the table, and writes it into its page where that is asked for.
pub fn run(data: &Path, labelled: &[Label], is_write: bool) -> ExitCode {
    let Some(version) = Command::new("adrs").arg("--version").output().ok().filter(|output| output.status.success()) else {
        println!("skipped: `adrs` is not on the path (`cargo install adrs --version 0.13.0`)");
        return ExitCode::SUCCESS;
    };
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut sources: Vec<&String> = labelled.iter().map(|label| &label.source).collect();
    sources.dedup();
    for source in sources {
        let records = records(&data.join(source), source);
        let mut folders: BTreeMap<String, Vec<Label>> = BTreeMap::new();
        for (path, document, _) in &records {
            folders.entry(folder_of(path)).or_default().push(labels::of_document(source, path, document));
        }
        for (folder, read) in folders {
            let of_source = |label: &&Label| label.source == *source && read.iter().any(|record| record.path == label.path);
            let wanted: Vec<&Label> = labelled.iter().filter(of_source).collect();
            let by_adrs = exported(&data.join(source), &folder, source);
            let mut row = Row { records: read.len(), labelled: wanted.len(), ..Row::default() };
            for label in &wanted {
                row.stated[0] += usize::from(!label.status.is_empty());
                row.stated[1] += usize::from(!label.date.is_empty());
            }
            row.adrs = score(&by_adrs, &read, &wanted);
            row.ibid = score(&read, &read, &wanted);
            rows.entry(name_of(source, &folder, row.records)).or_default().add(&row);
        }
    }
    let table = table(&rows);
    println!("{}\n{table}", String::from_utf8_lossy(&version.stdout).trim());
    if is_write {
        let page = page();
        let text = std::fs::read_to_string(&page).expect("docs/reference/compared-with-adrs.md can be read");
        let (head, _) = text.split_once(BEGIN).expect("the page has its mark");
        std::fs::write(page, format!("{head}{BEGIN}\n{table}")).expect("the page can be written");
    }
    ExitCode::SUCCESS
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/compared-with-adrs.md")
}

/// The folder that a person would name: of a record that is a folder of its own, the one above.
fn folder_of(path: &str) -> String {
    let mut segments: Vec<&str> = path.split('/').collect();
    let file = segments.pop().unwrap_or_default().to_lowercase();
    if file.starts_with("readme.") || file.starts_with("index.") {
        segments.pop();
    }
    segments.join("/")
}

/// What a folder's row is called; a source's folders of a few records share one.
fn name_of(source: &str, folder: &str, records: usize) -> String {
    let source = source.replacen("__", "/", 1);
    match folder {
        _ if records < FEW => format!("{source}: its folders of fewer than {FEW}"),
        "" => source,
        folder => format!("{source}: {folder}"),
    }
}

/// What `adrs export json` returns of a folder, of its two modes the one that returns more.
fn exported(root: &Path, folder: &str, source: &str) -> Vec<Label> {
    let export = |modes: &[&str]| {
        let output = Command::new("adrs").args(["export", "json", "--metadata-only"]).args(modes).arg("-d").arg(root.join(folder)).output();
        let answer: Value = output.ok().and_then(|output| serde_json::from_slice(&output.stdout).ok()).unwrap_or_default();
        let text = |record: &Value, key: &str| record[key].as_str().unwrap_or_default().to_owned();
        let records = answer["adrs"].as_array().into_iter().flatten().map(|record| {
            let path = ["path", "source_uri"].map(|key| text(record, key)).into_iter().find(|path| !path.is_empty()).unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or_default();
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            Label {
                source: source.to_owned(),
                path,
                status: text(record, "status"),
                date: text(record, "date"),
                title: text(record, "title"),
                ..Label::default()
            }
        });
        records.collect::<Vec<_>>()
    };
    let (plain, next) = (export(&[]), export(&["--ng"]));
    if next.len() > plain.len() { next } else { plain }
}

fn score(returned: &[Label], records: &[Label], wanted: &[&Label]) -> Score {
    let is_record = |label: &&Label| records.iter().any(|record| record.path == label.path);
    let found = returned.iter().filter(is_record).count();
    let mut score = Score { found, others: returned.len() - found, ..Score::default() };
    for label in wanted {
        let Some(read) = returned.iter().find(|read| read.path == label.path) else { continue };
        let is_status = labels::is_same_status(&label.status, &read.status);
        let is_date = label.date == read.date;
        let is_title = labels::is_same_title(&label.title, &read.title);
        for (sum, is_right) in score.right.iter_mut().zip([is_status, is_date, is_title]) {
            *sum += usize::from(is_right);
        }
        score.right_stated[0] += usize::from(is_status && !label.status.is_empty());
        score.right_stated[1] += usize::from(is_date && !label.date.is_empty());
    }
    score
}

impl Row {
    fn add(&mut self, other: &Self) {
        self.records += other.records;
        self.labelled += other.labelled;
        for (total, count) in self.stated.iter_mut().zip(other.stated) {
            *total += count;
        }
        add(&mut self.adrs, &other.adrs);
        add(&mut self.ibid, &other.ibid);
    }
}

fn table(rows: &BTreeMap<String, Row>) -> String {
    let mut text = String::from(
        "| folder | records | adrs returns | ibid returns | labelled | status right: adrs | ibid | date right: adrs | ibid | title right: adrs | ibid |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    let mut sum = Row::default();
    for (name, row) in rows {
        let _ = writeln!(text, "| {name} | {} |", cells(row));
        sum.add(row);
    }
    let _ = writeln!(text, "| **all** | {} |\n", cells(&sum));
    text.push_str("Where the labelled record states one:\n\n| field | stated | right: adrs | ibid |\n|---|---:|---:|---:|\n");
    for (index, field) in ["status", "date"].iter().enumerate() {
        let _ = writeln!(text, "| {field} | {} | {} | {} |", sum.stated[index], sum.adrs.right_stated[index], sum.ibid.right_stated[index]);
    }
    text
}

fn add(sum: &mut Score, score: &Score) {
    sum.found += score.found;
    sum.others += score.others;
    for (total, count) in sum.right.iter_mut().zip(score.right) {
        *total += count;
    }
    for (total, count) in sum.right_stated.iter_mut().zip(score.right_stated) {
        *total += count;
    }
}

fn cells(row: &Row) -> String {
    let Row { records, labelled, adrs, ibid, .. } = row;
    let returned =
        |score: &Score| if score.others > 0 { format!("{} and {} that are none", score.found, score.others) } else { score.found.to_string() };
    let pairs: Vec<String> = adrs.right.iter().zip(ibid.right).map(|(adrs, ibid)| format!("{adrs} | {ibid}")).collect();
    format!("{records} | {} | {} | {labelled} | {}", returned(adrs), returned(ibid), pairs.join(" | "))
}
