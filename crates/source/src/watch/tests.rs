//! Real changes in real folders. `settle` is the only synchronisation: what was done before it must be in its answer.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use super::{Settled, Trust, WatchError, Watcher, portable};
use crate::folder::{Folder, WalkRules};

const PATIENCE: Duration = Duration::from_secs(60);

struct World {
    watcher: Watcher,
    root: PathBuf,
    private: PathBuf,
    _dir: TempDir,
}

/// A watcher over one folder with these files, after its first answer.
fn watching(files: &[&str]) -> World {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().canonicalize().expect("an absolute path").join("notes");
    let private = dir.path().join("private/watch");
    fs::create_dir(&root).expect("the root");
    for path in files {
        put(&root, path, "");
    }
    let watcher = Watcher::start(std::slice::from_ref(&root), &private).expect("it starts");
    let first = watcher.settle(PATIENCE);
    assert_eq!(first.trusted, Trust::Yes);
    assert_eq!(first.changed, std::slice::from_ref(&root), "what was there before is reported as the root");
    World { watcher, root, private, _dir: dir }
}

fn put(root: &Path, path: &str, text: &str) {
    let target = root.join(path);
    fs::create_dir_all(target.parent().expect("a parent")).expect("the folder");
    fs::write(target, text).expect("the file");
}

impl World {
    /// The paths below the root that changed.
    fn changed(&self) -> Vec<String> {
        let settled = self.watcher.settle(PATIENCE);
        assert_eq!(settled.trusted, Trust::Yes);
        assert!(!settled.overflowed);
        below(&self.root, &settled)
    }

    fn watched(&self) -> Vec<PathBuf> {
        let mut held = self.watcher.backend.hold();
        held.state().tree.watched().iter().filter_map(|path| path.strip_prefix(&self.root).ok()).map(Path::to_path_buf).collect()
    }
}

fn below(root: &Path, settled: &Settled) -> Vec<String> {
    settled.changed.iter().map(|path| path.strip_prefix(root).expect("below the root").display().to_string()).collect()
}

#[test]
fn nothing_changed_is_said_with_certainty() {
    let world = watching(&["a.md"]);
    assert_eq!(world.changed(), [""; 0]);
    fs::read(world.root.join("a.md")).expect("reading is no change");
    assert_eq!(world.changed(), [""; 0]);
}

#[test]
fn a_file_that_is_made_changed_renamed_or_deleted_is_told_at_once() {
    let world = watching(&["old.md", "sub/other.md"]);
    put(&world.root, "new.md", "x");
    assert_eq!(world.changed(), ["new.md"]);
    put(&world.root, "sub/other.md", "x");
    assert_eq!(world.changed(), ["sub/other.md"]);
    fs::rename(world.root.join("old.md"), world.root.join("sub/renamed.md")).expect("renamed");
    assert_eq!(world.changed(), ["old.md", "sub/renamed.md"]);
    fs::remove_file(world.root.join("new.md")).expect("deleted");
    assert_eq!(world.changed(), ["new.md"]);
    assert_eq!(world.changed(), [""; 0]);
}

#[test]
fn of_two_thousand_foreign_writes_none_is_missed() {
    let folders: Vec<String> = (0..20).map(|number| format!("folder-{number}/first.md")).collect();
    let world = watching(&folders.iter().map(String::as_str).collect::<Vec<_>>());
    let script = "for i in $(seq 0 1999); do echo $i > folder-$((i % 20))/note-$i.md; done";
    let mut writer = Command::new("sh").args(["-c", script]).current_dir(&world.root).spawn().expect("a shell");
    let mut told = BTreeSet::new();
    // Questions in between take part of the news away; together the answers must hold all of it.
    while writer.try_wait().expect("a process").is_none() {
        told.extend(world.changed());
    }
    told.extend(world.changed());
    let expected: BTreeSet<String> = (0..2000).map(|number| format!("folder-{}/note-{number}.md", number % 20)).collect();
    assert_eq!(told, expected);
}

#[test]
fn files_in_folders_made_a_moment_ago_are_not_missed() {
    let world = watching(&[]);
    let folder = Folder::open(&world.root, WalkRules::default()).expect("it opens");
    for number in 0..50 {
        let path = format!("a-{number}/b/c/d/note.md");
        put(&world.root, &path, "x");
        let changed = world.changed();
        let found: BTreeSet<String> = changed.iter().flat_map(|path| folder.list_below(path).files).map(|file| file.path).collect();
        assert!(found.contains(&path), "{changed:?}");
        // By now the innermost folder has a watch of its own.
        let late = format!("a-{number}/b/c/d/late.md");
        put(&world.root, &late, "x");
        assert_eq!(world.changed(), [late]);
    }
}

#[test]
fn a_renamed_folder_is_told_under_both_names_and_watched_under_the_new_one() {
    let world = watching(&["old/deep/a.md", "keep/b.md"]);
    fs::rename(world.root.join("old"), world.root.join("keep/new")).expect("renamed");
    assert_eq!(world.changed(), ["keep/new", "old"]);
    put(&world.root, "keep/new/deep/a.md", "x");
    assert_eq!(world.changed(), ["keep/new/deep/a.md"]);
    // Twice in one go, and written to at the end.
    fs::rename(world.root.join("keep/new"), world.root.join("once")).expect("renamed");
    fs::rename(world.root.join("once"), world.root.join("twice")).expect("renamed");
    put(&world.root, "twice/deep/a.md", "y");
    assert_eq!(world.changed(), ["keep/new", "once", "twice"]);
    put(&world.root, "twice/deep/z.md", "z");
    assert_eq!(world.changed(), ["twice/deep/z.md"]);
    assert_eq!(world.watched(), ["", "keep", "twice", "twice/deep"].map(PathBuf::from));
}

#[test]
fn a_folder_moved_out_is_told_and_no_longer_watched() {
    let world = watching(&["away/deep/a.md"]);
    let outside = world.private.parent().expect("a parent").join("outside");
    fs::rename(world.root.join("away"), &outside).expect("moved");
    assert_eq!(world.changed(), ["away"]);
    put(&outside, "deep/a.md", "x");
    assert_eq!(world.changed(), [""; 0]);
    assert_eq!(world.watched(), [PathBuf::new()]);
}

#[test]
fn a_deleted_folder_made_again_is_watched_again() {
    let world = watching(&["sub/deep/a.md"]);
    fs::remove_dir_all(world.root.join("sub")).expect("deleted");
    put(&world.root, "sub/deep/b.md", "x");
    assert_eq!(world.changed(), ["sub"]);
    put(&world.root, "sub/deep/c.md", "x");
    assert_eq!(world.changed(), ["sub/deep/c.md"]);
}

#[test]
fn a_root_that_goes_comes_back_or_is_exchanged_is_told_whole() {
    let world = watching(&["a.md"]);
    fs::remove_dir_all(&world.root).expect("deleted");
    assert!(world.changed().contains(&String::new()));
    assert_eq!(world.changed(), [""; 0]);
    put(&world.root, "b.md", "x");
    assert_eq!(world.changed(), [""]);
    put(&world.root, "c.md", "x");
    assert_eq!(world.changed(), ["c.md"]);
    // Deleted and made again between two questions.
    fs::remove_dir_all(&world.root).expect("deleted");
    put(&world.root, "d.md", "x");
    assert_eq!(world.changed(), [""]);
    // Another folder is moved into its place.
    let aside = world.root.with_file_name("aside");
    put(&aside, "e.md", "x");
    fs::rename(&world.root, world.root.with_file_name("old")).expect("moved");
    fs::rename(&aside, &world.root).expect("moved");
    assert_eq!(world.changed(), [""]);
    put(&world.root, "f.md", "x");
    assert_eq!(world.changed(), ["f.md"]);
}

#[test]
fn a_single_file_is_a_root_too() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let root = dir.path().join("export.json");
    fs::write(&root, "1").expect("written");
    let watcher = Watcher::start(std::slice::from_ref(&root), &dir.path().join("private")).expect("it starts");
    let changed = || watcher.settle(PATIENCE).changed;
    assert_eq!(changed(), std::slice::from_ref(&root));
    assert_eq!(changed(), Vec::<PathBuf>::new());
    fs::write(&root, "2").expect("written");
    assert_eq!(changed(), std::slice::from_ref(&root));
    fs::write(dir.path().join("fresh"), "3").expect("written");
    fs::rename(dir.path().join("fresh"), &root).expect("exchanged");
    assert_eq!(changed(), std::slice::from_ref(&root));
    fs::write(&root, "4").expect("written");
    assert_eq!(changed(), [root]);
}

#[test]
fn skipped_folders_take_no_watches() {
    let world =
        watching(&["a/b.md", ".git/refs/heads/main", "node_modules/x/y/z.js", "rust/Cargo.toml", "rust/target/debug/x", ".archgate/adrs/1.md"]);
    assert_eq!(world.watched(), ["", ".archgate", ".archgate/adrs", "a", "rust"].map(PathBuf::from));
    put(&world.root, ".git/refs/heads/other", "x");
    put(&world.root, "a/.git/HEAD", "x");
    put(&world.root, "node_modules/new/index.js", "x");
    assert_eq!(world.changed(), [""; 0]);
    // Without a build file beside it, `target` is a folder like any other.
    fs::remove_file(world.root.join("rust/Cargo.toml")).expect("removed");
    assert_eq!(world.changed(), ["rust"]);
    put(&world.root, "rust/target/debug/y", "x");
    assert_eq!(world.changed(), ["rust/target/debug/y"]);
}

#[test]
fn changed_ignore_rules_are_told_as_their_folder() {
    let world = watching(&["sub/a.md", "sub/b.md"]);
    put(&world.root, "sub/.gitignore", "a.md");
    assert_eq!(world.changed(), ["sub"]);
    put(&world.root, ".ibidignore", "b.md");
    assert_eq!(world.changed(), [""]);
}

#[test]
fn more_events_than_the_queue_holds_are_told_as_overflow_and_watching_goes_on() {
    let world = watching(&["a.md"]);
    let limit: usize = fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").expect("a limit").trim().parse().expect("a number");
    if limit > 100_000 {
        eprintln!("skipped: the queue holds {limit} events");
        return;
    }
    {
        // Nobody reads while the state is held.
        let _held = world.watcher.backend.hold();
        fs::create_dir(world.root.join("made")).expect("made");
        for number in 0..=limit / 2 {
            fs::write(world.root.join(format!("{}.md", number)), "x").expect("written");
        }
        fs::create_dir(world.root.join("lost")).expect("made");
        fs::create_dir(world.root.join("lost/deep")).expect("made");
    }
    // The thread may have drained the queue before us; the news that events were lost stays for whoever asks.
    let settled = world.watcher.settle(PATIENCE);
    assert!(settled.overflowed);
    assert!(matches!(settled.trusted, Trust::No(_)));
    assert_eq!(settled.unwatched.len(), 1);
    assert_eq!(world.changed(), [""; 0]);
    // The folder whose creation was lost is watched all the same.
    put(&world.root, "lost/deep/x.md", "x");
    assert_eq!(world.changed(), ["lost/deep/x.md"]);
}

#[test]
fn several_callers_at_once_all_learn_of_what_was_written_before() {
    let world = watching(&["a.md"]);
    for round in 0..50 {
        put(&world.root, &format!("{round}.md"), "x");
        let answers: Vec<Settled> = std::thread::scope(|scope| {
            let callers: Vec<_> = (0..8).map(|_| scope.spawn(|| world.watcher.settle(PATIENCE))).collect();
            callers.into_iter().map(|caller| caller.join().expect("no panic")).collect()
        });
        assert!(answers.iter().all(|settled| settled.trusted == Trust::Yes));
        let told = answers.iter().filter(|settled| below(&world.root, settled) == [format!("{round}.md")]).count();
        assert!(told >= 1);
    }
}

#[test]
fn a_removed_cookie_folder_is_made_again() {
    let world = watching(&["a.md"]);
    fs::remove_dir_all(&world.private).expect("removed");
    put(&world.root, "b.md", "x");
    assert_eq!(world.changed(), ["b.md"]);
    fs::rename(&world.private, world.private.with_file_name("elsewhere")).expect("moved");
    put(&world.root, "c.md", "x");
    assert_eq!(world.changed(), ["c.md"]);
}

#[test]
fn cookies_are_removed_at_the_end_and_those_of_the_dead_at_the_start() {
    let world = watching(&[]);
    let private = world.private.clone();
    put(&private, "cookie-4194304999-0", "");
    let dir = tempfile::tempdir().expect("a temporary folder");
    let other = Watcher::start(&[dir.path().to_path_buf()], &private).expect("it starts");
    assert_eq!(fs::read_dir(&private).expect("listed").count(), 2);
    drop((other, world.watcher));
    assert_eq!(fs::read_dir(&private).expect("listed").count(), 0);
}

#[test]
fn a_file_system_that_does_not_tell_is_named() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let roots = [PathBuf::from("/proc/self"), dir.path().to_path_buf()];
    let watcher = Watcher::start(&roots, &dir.path().join("private")).expect("it starts");
    let settled = watcher.settle(PATIENCE);
    assert_eq!(settled.unwatched.iter().map(|root| root.root.as_path()).collect::<Vec<_>>(), [Path::new("/proc/self")]);
    assert!(matches!(&settled.trusted, Trust::No(reason) if reason.contains("/proc/self")), "{:?}", settled.trusted);
    fs::write(dir.path().join("a.md"), "x").expect("written");
    assert_eq!(watcher.settle(PATIENCE).changed, [dir.path().join("a.md")]);
}

#[test]
fn a_deadline_that_is_over_is_told_and_loses_nothing() {
    let world = watching(&["a.md"]);
    put(&world.root, "b.md", "x");
    {
        let _held = world.watcher.backend.hold();
        let late = world.watcher.settle(Duration::ZERO);
        assert!(matches!(late.trusted, Trust::No(_)));
        assert_eq!(late.changed, Vec::<PathBuf>::new());
    }
    assert_eq!(world.changed(), ["b.md"]);
}

#[test]
fn waiting_ends_when_something_changed() {
    let world = watching(&["a.md"]);
    assert!(!world.watcher.wait(Duration::ZERO));
    put(&world.root, "b.md", "x");
    assert!(world.watcher.wait(PATIENCE));
    assert_eq!(world.changed(), ["b.md"]);
    assert!(!world.watcher.wait(Duration::ZERO));
}

#[test]
fn overlapping_roots_and_links_to_one_folder_are_each_told() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let base = dir.path().canonicalize().expect("an absolute path");
    put(&base, "vault/.obsidian/snippets/a.css", "");
    std::os::unix::fs::symlink("vault", base.join("link")).expect("the link");
    let roots = [base.join("vault"), base.join("vault/.obsidian/snippets"), base.join("link")];
    let watcher = Watcher::start(&roots, &base.join("private")).expect("it starts");
    assert_eq!(watcher.settle(PATIENCE).trusted, Trust::Yes);
    put(&base, "vault/n.md", "x");
    put(&base, "vault/.obsidian/snippets/a.css", "x");
    let changed = watcher.settle(PATIENCE).changed;
    assert_eq!(changed, [base.join("link/n.md"), base.join("vault/.obsidian/snippets/a.css"), base.join("vault/n.md")]);
}

#[test]
fn a_relative_root_and_an_unusable_private_folder_are_named() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    assert!(matches!(Watcher::start(&[PathBuf::from("notes")], dir.path()), Err(WatchError::Relative { path }) if path == Path::new("notes")));
    fs::write(dir.path().join("file"), "").expect("written");
    assert!(matches!(Watcher::start(&[], &dir.path().join("file/private")), Err(WatchError::Private { .. })));
}

#[test]
fn the_portable_watcher_is_never_trusted_and_hints_all_the_same() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let roots = [dir.path().to_path_buf()];
    let backend = portable::Backend::start(&roots, &dir.path().join("private")).expect("it starts");
    let until = std::time::Instant::now() + PATIENCE;
    assert!(backend.wait(until), "the root is news");
    let first = backend.settle(until);
    assert!(matches!(first.trusted, Trust::No(_)));
    assert_eq!(first.changed, roots);
    assert_eq!(first.unwatched.len(), 1);
    fs::write(dir.path().join("a.md"), "x").expect("written");
    assert!(backend.wait(until), "the file is news");
}

/// One thing that a user's programs may do. Names are few, so that they meet.
#[derive(Debug, Clone)]
enum Deed {
    Write(String, u8),
    Make(String),
    Remove(String),
    Rename(String, String),
    Link(String, String),
}

fn deeds() -> impl proptest::strategy::Strategy<Value = Vec<Vec<Deed>>> {
    use proptest::prelude::*;
    let path = || "(a|b|c|target|\\.git|\\.hid)(/(a|b|c|node_modules)){0,3}";
    let file = || "((a|b|c|target|\\.hid)/){0,3}(x\\.md|y\\.md|\\.gitignore|Cargo\\.toml|CACHEDIR\\.TAG)";
    let deed = prop_oneof![
        4 => (file(), 0_u8..4).prop_map(|(path, text)| Deed::Write(path, text)),
        2 => path().prop_map(Deed::Make),
        2 => prop_oneof![path(), file()].prop_map(Deed::Remove),
        3 => (prop_oneof![path(), file()], prop_oneof![path(), file()]).prop_map(|(from, to)| Deed::Rename(from, to)),
        1 => (path(), path()).prop_map(|(target, link)| Deed::Link(target, link)),
    ];
    prop::collection::vec(prop::collection::vec(deed, 1..5), 1..12)
}

/// Does it, as far as it can be done.
fn do_it(root: &Path, deed: &Deed) {
    let _ = match deed {
        Deed::Write(path, text) => {
            let target = root.join(path);
            let _ = fs::create_dir_all(target.parent().expect("a parent"));
            fs::write(target, ["", "x.md", "b/", "some words"][usize::from(*text)])
        }
        Deed::Make(path) => fs::create_dir_all(root.join(path)),
        Deed::Remove(path) => {
            let target = root.join(path);
            if target.is_dir() && !target.is_symlink() { fs::remove_dir_all(target) } else { fs::remove_file(target) }
        }
        Deed::Rename(from, to) => fs::rename(root.join(from), root.join(to)),
        Deed::Link(target, link) => std::os::unix::fs::symlink(root.join(target), root.join(link)),
    };
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 64, ..Default::default() })]

    /// What is kept up to date from the watcher's answers alone is what a fresh walk finds, whatever happens in between.
    #[test]
    fn a_listing_kept_up_by_answers_is_the_listing(rounds in deeds()) {
        let world = watching(&["a/b/x.md", "b/y.md"]);
        let folder = Folder::open(&world.root, WalkRules::default()).expect("it opens");
        let mut kept = folder.list().files;
        for round in rounds {
            for deed in &round {
                do_it(&world.root, deed);
            }
            for changed in world.changed() {
                let below = format!("{changed}/");
                kept.retain(|file| !changed.is_empty() && file.path != changed && !file.path.starts_with(&below));
                kept.extend(folder.stat(&changed));
                kept.extend(folder.list_below(&changed).files);
            }
            kept.sort_by(|left, right| left.path.cmp(&right.path));
            proptest::prop_assert_eq!(&kept, &folder.list().files, "after {:?}", round);
        }
    }
}
