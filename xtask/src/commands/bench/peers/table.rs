//! What was measured, as Markdown.

use std::time::Duration;

use super::Row;
use super::machine::About;
use super::measure::{Figure, Judged, Measured};
use super::quality::percentile;

const NONE: &str = "–";

/// Both tables with their circumstances.
pub fn full(about: &About, rows: &[Row]) -> String {
    let mut out = format!("{}.\n\n## {}\n\n", about.machine, about.corpus);
    out.push_str(&format!("{} searches of two or three words.\n\n", about.queries));
    out.push_str("| program | version | init | documents | index | with vectors | nothing changed | search p50 | p95 | memory | of it resident at the end | while indexing | tools/list | files changed |\n");
    out.push_str(&format!("|---|---|{}\n", "---:|".repeat(12)));
    for (name, version, measured) in rows {
        match measured {
            Ok(measured) => out.push_str(&format!("| {name} | {version} | {} |\n", speed(measured, about.queries).join(" | "))),
            Err(reason) => out.push_str(&format!("| {name} | {version} | not measured: {} |{}\n", cell(reason), " |".repeat(11))),
        }
    }
    if let Some(questions) = &about.questions {
        out.push_str(&format!("\n## {questions}\n\n| program | nDCG@10 | recall@10 | found nothing | p50 | p95 |\n|---|{}\n", "---:|".repeat(5)));
        for (name, _, measured) in rows {
            match measured {
                Ok(Measured { judged: Some(Judged::Ranked(quality, times)), .. }) => out.push_str(&format!(
                    "| {name} | {:.4} | {:.4} | {} of {} | {} | {} |\n",
                    quality.ndcg,
                    quality.recall,
                    quality.zero_hits,
                    quality.questions,
                    optional(percentile(times, 50)),
                    optional(percentile(times, 95))
                )),
                Ok(Measured { judged: Some(Judged::IndexOver(limit)), .. }) => {
                    out.push_str(&format!("| {name} | not asked: indexing took over {} |{}\n", time(*limit), " |".repeat(4)));
                }
                _ => {}
            }
        }
    }
    out
}

/// What fits on a front page: a column for each program.
pub fn short(about: &About, rows: &[Row]) -> String {
    let measured: Vec<(&str, &str, &Measured)> =
        rows.iter().filter_map(|(name, version, measured)| Some((*name, version.as_str(), measured.as_ref().ok()?))).collect();
    let mut out = format!("| {} |{}\n", about.corpus, measured.iter().map(|(name, version, _)| format!(" {name} {version} |")).collect::<String>());
    out.push_str(&format!("|---|{}\n", "---:|".repeat(measured.len())));
    let mut line = |name: &str, figure: &dyn Fn(&Measured) -> String| {
        let figures: String = measured.iter().map(|(_, _, measured)| format!(" {} |", figure(measured))).collect();
        out.push_str(&format!("| {name} |{figures}\n"));
    };
    line("index from nothing", &|measured| time_or_limit(measured.index));
    if measured.iter().any(|(_, _, measured)| measured.embedded.is_some()) {
        line("with vectors", &|measured| measured.embedded.map_or_else(|| NONE.to_owned(), time_or_limit));
    }
    line("nothing changed", &|measured| measured.refresh.map_or_else(|| NONE.to_owned(), time_or_limit));
    line("search p50 / p95", &|measured| {
        format!("{} / {}", optional(percentile(&measured.searches, 50)), optional(percentile(&measured.searches, 95)))
    });
    line("memory, on a finished index", &|measured| megabytes(measured.memory.peak));
    line("memory while indexing", &|measured| megabytes(measured.index_peak));
    if about.questions.is_some() {
        line("nDCG@10", &|measured| match &measured.judged {
            Some(Judged::Ranked(quality, _)) => format!("{:.3}", quality.ndcg),
            _ => NONE.to_owned(),
        });
    }
    out
}

fn speed(measured: &Measured, queries: usize) -> Vec<String> {
    let asked = measured.searches.len();
    let mut p50 = optional(percentile(&measured.searches, 50));
    if asked < queries {
        p50.push_str(&format!(" (of {asked})"));
    }
    vec![
        time(measured.init),
        measured.documents.map_or_else(|| NONE.to_owned(), |count| count.to_string()),
        time_or_limit(measured.index),
        measured.embedded.map_or_else(|| NONE.to_owned(), time_or_limit),
        measured.refresh.map_or_else(|| NONE.to_owned(), time_or_limit),
        p50,
        optional(percentile(&measured.searches, 95)),
        megabytes(measured.memory.peak),
        megabytes(measured.memory.resident),
        megabytes(measured.index_peak),
        format!("{} tools, {:.1} kB", measured.tools, measured.tools_bytes as f64 / 1e3),
        measured.changed_files.to_string(),
    ]
}

/// Two or three digits that count.
pub fn time(time: Duration) -> String {
    let milliseconds = time.as_secs_f64() * 1e3;
    match milliseconds {
        ..10.0 => format!("{milliseconds:.1} ms"),
        ..1000.0 => format!("{milliseconds:.0} ms"),
        ..100_000.0 => format!("{:.1} s", milliseconds / 1e3),
        _ => format!("{:.0} s", milliseconds / 1e3),
    }
}

fn time_or_limit(figure: Figure) -> String {
    match figure {
        Figure::Time(took) => time(took),
        Figure::Over(limit) => format!("over {}", time(limit)),
    }
}

fn optional(found: Option<Duration>) -> String {
    found.map_or_else(|| NONE.to_owned(), time)
}

fn megabytes(bytes: u64) -> String {
    if bytes == 0 { NONE.to_owned() } else { format!("{:.0} MB", bytes as f64 / 1e6) }
}

/// A text that does not end its cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
