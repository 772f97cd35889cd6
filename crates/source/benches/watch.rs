//! How long a walk and the question "what changed?" take over 100,000 files. `cargo bench -p source --bench watch [FILES]` prints a table.

#![allow(clippy::print_stdout, reason = "a bench prints its table")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use source::folder::{Folder, WalkRules};
use source::watch::{Trust, Watcher};

const PATIENCE: Duration = Duration::from_secs(60);

fn main() {
    let files: usize = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(100_000);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().canonicalize().expect("an absolute path").join("notes");
    make(&root, files);
    println!("{files} files in {} folders", files.div_ceil(100));
    println!("{:<52} {:>10} {:>10} {:>10}", "what", "p50", "p99", "max");

    let folder = Folder::open(&root, WalkRules::default()).expect("it opens");
    assert_eq!(folder.list().files.len(), files);
    row("list everything, no ignore rules", 20, || drop(std::hint::black_box(folder.list())));
    let rules = WalkRules { extra_ignores: vec!["drafts/".to_owned(), "*.tmp".to_owned()], ..WalkRules::default() };
    let ruled = Folder::open(&root, rules).expect("it opens");
    std::fs::write(root.join(".gitignore"), "*.log\n/private/\n!keep.log\n").expect("written");
    row("list everything, five ignore rules", 20, || drop(std::hint::black_box(ruled.list())));
    row("stat one file by the rules", 2000, || drop(std::hint::black_box(ruled.stat("group-3/folder-13/note-7.md"))));
    row("read one file", 2000, || drop(std::hint::black_box(ruled.read("group-3/folder-13/note-7.md"))));

    let begin = Instant::now();
    let watcher = Watcher::start(std::slice::from_ref(&root), &dir.path().join("private")).expect("it starts");
    assert_eq!(watcher.settle(PATIENCE).trusted, Trust::Yes);
    let placed = begin.elapsed();
    println!("{:<52} {:>10}", "start until all watches stand", show(placed));
    row("settle, nothing changed", 20_000, || drop(std::hint::black_box(watcher.settle(PATIENCE))));
    let target = root.join("group-3/folder-13/note-7.md");
    row("write a file and settle", 2000, || {
        std::fs::write(&target, "changed").expect("written");
        assert_eq!(watcher.settle(PATIENCE).changed, std::slice::from_ref(&target));
    });
}

fn make(root: &Path, files: usize) {
    for number in 0..files {
        let folder: PathBuf = root.join(format!("group-{}/folder-{}", number / 100 % 10, number / 100));
        if number % 100 == 0 {
            std::fs::create_dir_all(&folder).expect("made");
        }
        std::fs::write(folder.join(format!("note-{}.md", number % 100)), "# Note\n").expect("written");
    }
}

fn row(what: &str, times: usize, mut run: impl FnMut()) {
    run();
    let mut took: Vec<Duration> = (0..times)
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed()
        })
        .collect();
    took.sort_unstable();
    println!("{what:<52} {:>10} {:>10} {:>10}", show(took[times / 2]), show(took[times * 99 / 100]), show(took[times - 1]));
}

fn show(took: Duration) -> String {
    if took < Duration::from_millis(1) { format!("{:.1} µs", took.as_secs_f64() * 1e6) } else { format!("{:.1} ms", took.as_secs_f64() * 1e3) }
}
