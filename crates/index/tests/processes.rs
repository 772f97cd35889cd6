//! Several processes and one directory: this file runs its own binary as the other process.

mod library;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Duration;

use index::{Filter, Index, Query};
use library::{Library, note, page};

/// Names the directory for a run of this binary as the other process.
const DIRECTORY: &str = "IBID_INDEX_TEST_DIRECTORY";

/// Not a test of its own: what the other process does, one word on its standard input after the other.
#[test]
fn other_process() {
    let Some(directory) = std::env::var_os(DIRECTORY) else { return };
    let index = Index::open(Path::new(&directory)).unwrap();
    let mut writer = None;
    let say = |text: &str| {
        // Past the capture of the test harness.
        let mut out = std::io::stderr();
        writeln!(out, "said {text}").unwrap();
        out.flush().unwrap();
    };
    say("ready");
    for line in std::io::stdin().lines() {
        match line.unwrap().as_str() {
            "lock" => {
                writer = index.writer(Duration::from_secs(10)).unwrap();
                say(if writer.is_some() { "locked" } else { "busy" });
            }
            "try" => say(if index.writer(Duration::ZERO).unwrap().is_some() { "free" } else { "busy" }),
            "put" => {
                let writer = writer.as_mut().unwrap();
                for id in 100..3_000 {
                    writer.put(&note(id, "Child", "written by the child process, word for word")).unwrap();
                }
                say("put");
            }
            "commit" => {
                writer.as_mut().unwrap().commit(7).unwrap();
                say("committed");
            }
            "release" => {
                writer = None;
                say("released");
            }
            "checkpoint" => say(&index.checkpoint().unwrap().to_string()),
            "count" => say(&index.matching_documents(&Query::parse("child OR parent").unwrap(), &Filter::default()).unwrap().len().to_string()),
            other => panic!("{other}"),
        }
    }
}

struct Other {
    child: Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStderr>,
}

impl Other {
    fn start(directory: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["other_process", "--exact", "--nocapture", "--test-threads=1"])
            .env(DIRECTORY, directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stderr.take().unwrap());
        let mut other = Self { child, input, output };
        assert_eq!(other.hear(), "ready");
        other
    }

    fn hear(&mut self) -> String {
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the other process ended");
            if let Some(said) = line.strip_prefix("said ") {
                return said.trim().to_owned();
            }
        }
    }

    fn ask(&mut self, word: &str) -> String {
        writeln!(self.input, "{word}").unwrap();
        self.hear()
    }

    /// SIGKILL on Unix.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Other {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn count(index: &Index) -> usize {
    index.matching_documents(&Query::parse("child OR parent").unwrap(), &Filter::default()).unwrap().len()
}

#[test]
fn a_commit_is_seen_by_the_other_process_at_its_next_call() {
    let library = Library::of([note(1, "Parent", "first")]);
    let mut other = Other::start(library.directory.path());
    assert_eq!(other.ask("checkpoint"), "1");
    assert_eq!(other.ask("count"), "1");
    let mut writer = library.index.writer(Duration::from_secs(10)).unwrap().unwrap();
    writer.put(&note(2, "Parent", "second")).unwrap();
    writer.commit(2).unwrap();
    drop(writer);
    assert_eq!(other.ask("checkpoint"), "2");
    assert_eq!(other.ask("count"), "2");
    assert_eq!(other.ask("lock"), "locked");
    assert_eq!(other.ask("put"), "put");
    assert_eq!((library.index.checkpoint().unwrap(), count(&library.index)), (2, 2));
    assert_eq!(other.ask("commit"), "committed");
    // A search alone notices it too.
    assert_eq!(count(&library.index), 2_902);
    assert_eq!(library.index.checkpoint().unwrap(), 7);
}

#[test]
fn one_process_at_a_time_writes_and_starts_from_what_the_other_left() {
    let library = Library::of([note(1, "Parent", "first")]);
    let mut other = Other::start(library.directory.path());
    let writer = library.index.writer(Duration::from_secs(10)).unwrap().unwrap();
    assert_eq!(other.ask("try"), "busy");
    drop(writer);
    assert_eq!(other.ask("lock"), "locked");
    assert!(library.index.writer(Duration::from_millis(5)).unwrap().is_none());
    assert_eq!(other.ask("put"), "put");
    assert_eq!(other.ask("commit"), "committed");
    assert_eq!(other.ask("release"), "released");
    let mut writer = library.index.writer(Duration::from_secs(10)).unwrap().unwrap();
    assert_eq!(writer.checkpoint(), 7);
    writer.remove(100).unwrap();
    writer.commit(8).unwrap();
    drop(writer);
    assert_eq!(other.ask("count"), "2900");
    assert_eq!(other.ask("checkpoint"), "8");
}

#[test]
fn a_process_killed_while_writing_leaves_the_lock_free_and_the_last_commit_intact() {
    let library = Library::of([note(1, "Parent", "first")]);
    for round in 0..3 {
        let mut other = Other::start(library.directory.path());
        assert_eq!(other.ask("lock"), "locked");
        assert_eq!(other.ask("put"), "put");
        if round == 2 {
            // In the middle of the commit, or just before it.
            writeln!(other.input, "commit").unwrap();
        }
        other.kill();
        let mut writer = library.index.writer(Duration::from_secs(10)).unwrap().unwrap();
        let found = count(&library.index);
        assert!(if writer.checkpoint() == 7 { found >= 2_901 } else { found == 1 + round }, "round {round}: {found} at {}", writer.checkpoint());
        let sequence = writer.checkpoint() + 1;
        writer.put(&note(10 + round as i64, "Parent", "after the crash")).unwrap();
        writer.commit(sequence).unwrap();
        drop(writer);
        assert_eq!(library.index.checkpoint().unwrap(), sequence);
        assert_eq!(count(&library.index), found + 1);
    }
    let again = Index::open(library.directory.path()).unwrap();
    assert_eq!(again.checkpoint().unwrap(), library.index.checkpoint().unwrap());
    assert_eq!(count(&again), count(&library.index));
    assert_eq!(again.search(&Query::parse("crash").unwrap(), &Filter::default(), page(9)).unwrap().hits.len(), 3);
}
