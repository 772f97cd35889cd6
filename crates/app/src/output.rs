//! What people see: results on standard output, everything else on standard error.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use engine::{Freshness, Library};
use serde_json::{Value, json};

/// Logs go to standard error, `IBID_LOG` says how much; warnings by default. The SDK calls a client that hangs up an error; our layers say what matters.
pub fn start_log() {
    let filter = std::env::var("IBID_LOG")
        .ok()
        .and_then(|text| text.parse::<tracing_subscriber::EnvFilter>().ok())
        .unwrap_or_else(|| tracing_subscriber::EnvFilter::new("warn,rmcp=off"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).with_target(false).init();
}

/// Writes a result.
pub fn print(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// Writes a result as JSON.
pub fn print_json(value: &Value) -> anyhow::Result<()> {
    print(&serde_json::to_string_pretty(value)?)
}

/// Says what failed: a sentence and the way on, or the same as JSON.
pub fn print_error(error: &anyhow::Error, as_json: bool) {
    let known = error.downcast_ref::<engine::Error>();
    if as_json {
        let body = json!({"error": {"code": known.map_or("failed", |error| error.kind.code()), "message": known.map_or_else(|| error.to_string(), |error| error.message.clone()), "hint": known.and_then(|error| error.hint.clone())}});
        eprintln!("{body}");
        return;
    }
    match known {
        Some(error) => {
            eprintln!("ibid: {}", error.message);
            if let Some(hint) = &error.hint {
                eprintln!("      {hint}");
            }
        }
        None => eprintln!("ibid: {error:#}"),
    }
}

/// Whether a failure is only that nobody reads the output any more, as with `ibid tools | head -1`.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<std::io::Error>()).any(|cause| cause.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Brings the library up to date, however long it takes, with a bar on a terminal and silence elsewhere. Commands of the shell do not answer stale.
pub async fn bring_up_to_date(library: &Arc<Library>) -> Freshness {
    let bar = std::io::stderr().is_terminal().then(|| {
        let bar = indicatif::ProgressBar::new_spinner();
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    });
    let mut freshness = library.freshen().await;
    while let Some(reason) = freshness.stale_reason.clone().filter(|reason| reason.contains("still being read")) {
        if let Some(bar) = &bar {
            bar.set_message(reason);
        }
        freshness = library.freshen().await;
    }
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(reason) = &freshness.stale_reason {
        eprintln!("ibid: The answer may be stale: {reason}");
    }
    freshness
}
