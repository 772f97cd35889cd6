//! Processes and those that they have started: how much memory they hold, how long they run, and how they end.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// Memory of a process and its descendants, in bytes, from `/proc`; zero where there is none.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Memory {
    /// `VmHWM`: the most that was ever resident, summed.
    pub peak: u64,
    /// `VmRSS`: what is resident now, summed.
    pub resident: u64,
    /// `RssAnon`: the part of it that is not pages of files, summed.
    pub anonymous: u64,
}

/// What a step took.
pub struct Took {
    pub time: Duration,
    pub peak: u64,
    /// Whether it was ended because it took too long.
    pub is_cut: bool,
}

/// Runs commands one after another, at most for `limit` together, with their output in a file.
///
/// # Errors
/// A command that cannot be started or fails.
pub fn run(commands: Vec<Command>, log: &Path, limit: Duration) -> Result<Took> {
    let log_file = std::fs::File::create(log).with_context(|| format!("{} cannot be written", log.display()))?;
    let began = Instant::now();
    let mut peak = 0;
    for mut command in commands {
        let shown = format!("{command:?}");
        command.stdin(Stdio::null()).stdout(log_file.try_clone()?).stderr(log_file.try_clone()?);
        let mut child = command.spawn().with_context(|| format!("{shown} cannot be started"))?;
        let status = loop {
            peak = peak.max(memory(child.id()).peak);
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if began.elapsed() > limit {
                end(&mut child);
                return Ok(Took { time: began.elapsed(), peak, is_cut: true });
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        if !status.success() {
            bail!("{shown} fails ({status}); its output is in {}", log.display());
        }
    }
    Ok(Took { time: began.elapsed(), peak, is_cut: false })
}

/// Waits for a process that was asked to end, and ends it when it does not within two seconds.
pub fn leave(child: &mut Child) {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(2) {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    end(child);
}

/// Ends a process and its descendants, and waits for it.
pub fn end(child: &mut Child) {
    for pid in family(child.id()).into_iter().skip(1) {
        let _ = Command::new("kill").arg(pid.to_string()).stderr(Stdio::null()).status();
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The memory of a process and its descendants.
pub fn memory(pid: u32) -> Memory {
    family(pid).into_iter().filter_map(|pid| std::fs::read_to_string(format!("/proc/{pid}/status")).ok()).fold(Memory::default(), |sum, status| {
        Memory {
            peak: sum.peak + field(&status, "VmHWM:") * 1024,
            resident: sum.resident + field(&status, "VmRSS:") * 1024,
            anonymous: sum.anonymous + field(&status, "RssAnon:") * 1024,
        }
    })
}

/// The number behind a name in a `/proc/PID/status`; zero where there is none.
pub fn field(status: &str, name: &str) -> u64 {
    status.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}

/// The process, then its descendants.
fn family(pid: u32) -> Vec<u32> {
    let parents: Vec<(u32, u64)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid: u32| Some((pid, field(&std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?, "PPid:"))))
        .collect();
    let mut found = vec![pid];
    let mut at = 0;
    while let Some(parent) = found.get(at).copied() {
        found.extend(parents.iter().filter(|(_, of)| *of == u64::from(parent)).map(|(pid, _)| *pid));
        at += 1;
    }
    found
}
