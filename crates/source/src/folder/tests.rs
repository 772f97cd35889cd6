//! What a folder shows, reads and writes, with real files and with hostile ones.

use std::fs;
use std::path::Path;

use document::Stamp;
use tempfile::TempDir;

use super::{Folder, FolderError, Listing, WalkRules};

fn put(root: &Path, path: &str, text: &str) {
    let target = root.join(path);
    fs::create_dir_all(target.parent().expect("a path below the root")).expect("the folder");
    fs::write(target, text).expect("the file");
}

fn folder_of(files: &[(&str, &str)]) -> (TempDir, Folder) {
    folder_with(files, WalkRules::default())
}

fn folder_with(files: &[(&str, &str)], rules: WalkRules) -> (TempDir, Folder) {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        put(root.path(), path, text);
    }
    let folder = Folder::open(root.path(), rules).expect("the folder opens");
    (root, folder)
}

fn paths(listing: &Listing) -> Vec<&str> {
    listing.files.iter().map(|file| file.path.as_str()).collect()
}

fn problems(listing: &Listing) -> Vec<(&str, &str)> {
    listing.problems.iter().map(|problem| (problem.code.as_str(), problem.path.as_str())).collect()
}

#[test]
fn files_are_listed_in_the_order_of_their_paths() {
    let (_root, folder) = folder_of(&[("b.md", ""), ("a/z.md", ""), ("a.md", ""), ("a/b/c.md", ""), ("a-b.md", ""), ("B.md", "")]);
    let listing = folder.list();
    assert_eq!(paths(&listing), ["B.md", "a-b.md", "a.md", "a/b/c.md", "a/z.md", "b.md"]);
    let mut sorted = paths(&listing);
    sorted.sort_unstable();
    assert_eq!(paths(&listing), sorted);
    assert_eq!(problems(&listing), []);
}

#[test]
fn a_wide_and_deep_tree_is_listed_once_and_in_order_whoever_walks_it() {
    let mut expected = Vec::new();
    let (root, folder) = folder_of(&[(".ignore", "skip\n")]);
    for outer in 0..20 {
        for inner in 0..20 {
            let path = format!("{outer}/a/{inner}/b/note.md");
            put(root.path(), &path, "");
            put(root.path(), &format!("{outer}/a/{inner}/skip/note.md"), "");
            expected.push(path);
        }
    }
    expected.push(".ignore".to_owned());
    expected.sort_unstable();
    let first = folder.list();
    assert_eq!(paths(&first), expected);
    for _ in 0..20 {
        assert_eq!(folder.list(), first);
    }
}

#[test]
fn a_root_that_cannot_be_opened_is_named() {
    let root = tempfile::tempdir().expect("a temporary folder");
    let missing = Folder::open(&root.path().join("nowhere"), WalkRules::default()).expect_err("it is not there");
    assert!(matches!(&missing, FolderError::Missing { path } if path.ends_with("nowhere")), "{missing}");
    put(root.path(), "a.md", "");
    let file = Folder::open(&root.path().join("a.md"), WalkRules::default()).expect_err("it is a file");
    assert!(matches!(&file, FolderError::NotAFolder { path } if path.ends_with("a.md")), "{file}");
    let rules = WalkRules { extra_ignores: vec!["a{b".to_owned()], ..WalkRules::default() };
    let pattern = Folder::open(root.path(), rules).expect_err("the pattern is broken");
    assert!(matches!(&pattern, FolderError::BadIgnore { pattern, .. } if pattern == "a{b"), "{pattern}");
}

#[test]
fn hidden_folders_are_walked_and_dependencies_build_output_and_app_state_are_not() {
    let files = [
        (".archgate/adrs/1.md", ""),
        (".claude/skills/x/SKILL.md", ""),
        (".vscode/mcp.json", "{}"),
        (".git/HEAD", ""),
        ("sub/.git", "gitdir: elsewhere"),
        ("node_modules/x/README.md", ""),
        (".obsidian/app.json", "{}"),
        ("rust/Cargo.toml", ""),
        ("rust/target/doc/a.md", ""),
        ("notes/target/goal.md", ""),
        ("cache/CACHEDIR.TAG", ""),
        ("cache/a.md", ""),
        ("env/pyvenv.cfg", ""),
        ("env/lib/README.md", ""),
        ("graph/logseq/config.edn", ""),
        ("graph/logseq/bak/old.md", ""),
        ("graph/bak/kept.md", ""),
        (".DS_Store", ""),
    ];
    let (_root, folder) = folder_of(&files);
    let expected = [
        ".archgate/adrs/1.md",
        ".claude/skills/x/SKILL.md",
        ".vscode/mcp.json",
        "graph/bak/kept.md",
        "graph/logseq/config.edn",
        "notes/target/goal.md",
        "rust/Cargo.toml",
    ];
    assert_eq!(paths(&folder.list()), expected);
    for (path, _) in files {
        assert_eq!(folder.stat(path).is_some(), expected.contains(&path), "{path}");
    }
    // Settings are read although they are not listed.
    assert_eq!(folder.read(".obsidian/app.json").map(|file| file.bytes), Ok(b"{}".to_vec()));
    let visible_only = Folder::open(folder.root(), WalkRules { include_hidden: false, ..WalkRules::default() }).expect("it opens");
    assert_eq!(paths(&visible_only.list()), &expected[3..]);
}

#[test]
fn ignore_files_hold_outside_of_git_and_the_deepest_and_the_last_win() {
    let files = [
        (".gitignore", "*.log\nprivate/\n/top.md\n"),
        (".ignore", "!keep.log\n"),
        (".ibidignore", "secret.md\n"),
        ("a.log", ""),
        ("keep.log", ""),
        ("private/x.md", ""),
        ("top.md", ""),
        ("sub/top.md", ""),
        ("sub/secret.md", ""),
        ("sub/deep/.gitignore", "!secret.md\n"),
        ("sub/deep/secret.md", ""),
        ("drafts/d.md", ""),
    ];
    let rules = WalkRules { extra_ignores: vec!["drafts/".to_owned(), ".*ignore".to_owned()], ..WalkRules::default() };
    let (_root, folder) = folder_with(&files, rules);
    let expected = ["keep.log", "sub/deep/secret.md", "sub/top.md"];
    assert_eq!(paths(&folder.list()), expected);
    for (path, _) in files {
        assert_eq!(folder.stat(path).is_some(), expected.contains(&path), "{path}");
    }
    assert_eq!(paths(&folder.list_below("sub")), ["sub/deep/secret.md", "sub/top.md"]);
    assert_eq!(paths(&folder.list_below("private")), [""; 0]);
}

#[test]
fn a_broken_ignore_line_is_a_problem_with_its_line_and_the_others_hold() {
    let (_root, folder) = folder_of(&[(".ibidignore", "a.md\nb{c\n"), ("a.md", ""), ("d.md", "")]);
    let listing = folder.list();
    assert_eq!(paths(&listing), [".ibidignore", "d.md"]);
    assert_eq!(problems(&listing), [("bad-ignore-line", ".ibidignore")]);
    assert_eq!(listing.problems[0].line_number, Some(2));
}

#[test]
fn extensions_choose_files_in_any_case() {
    let rules = WalkRules { extensions: Some(vec!["md".to_owned(), ".org".to_owned()]), ..WalkRules::default() };
    let (_root, folder) = folder_with(&[("a.MD", ""), ("b.org", ""), ("c.txt", ""), ("md", "")], rules);
    assert_eq!(paths(&folder.list()), ["a.MD", "b.org"]);
    assert_eq!(folder.stat("c.txt"), None);
}

#[test]
fn a_large_file_is_listed_with_a_problem_and_not_read() {
    let rules = WalkRules { max_file_bytes: 10, ..WalkRules::default() };
    let (_root, folder) = folder_with(&[("big.md", "0123456789a"), ("fits.md", "0123456789")], rules);
    let listing = folder.list();
    assert_eq!(paths(&listing), ["big.md", "fits.md"]);
    assert_eq!(problems(&listing), [("too-large", "big.md")]);
    assert_eq!(listing.problems[0].message, "`big.md` has 11 bytes; the limit is 10.");
    assert_eq!(folder.read("big.md"), Err(FolderError::TooLarge { path: "big.md".to_owned(), size_bytes: 11, limit_bytes: 10 }));
    assert!(folder.read("fits.md").is_ok());
    assert!(matches!(folder.write_atomic("new.md", b"0123456789a", None), Err(FolderError::TooLarge { .. })));
}

#[test]
fn a_path_that_could_climb_out_is_refused_by_its_parts() {
    let (root, folder) = folder_of(&[("a/b.md", "inside"), ("a..b/c.md", "dots in a name")]);
    put(root.path().parent().expect("a parent"), "ibid-outside-probe/x.md", "outside");
    let outside = root.path().parent().expect("a parent").join("ibid-outside-probe/x.md");
    for path in [
        "../ibid-outside-probe/x.md",
        "a/../../ibid-outside-probe/x.md",
        "..",
        "a/..",
        outside.to_str().expect("text"),
        "a/b.md\0.txt",
        "",
        "./a/b.md",
        "a//b.md",
    ] {
        assert!(matches!(folder.read(path), Err(FolderError::Refused { .. })), "{path:?}");
        assert!(matches!(folder.write_atomic(path, b"x", None), Err(FolderError::Refused { .. })), "{path:?}");
        assert_eq!(folder.stat(path), None, "{path:?}");
    }
    assert_eq!(folder.read("a..b/c.md").map(|file| file.bytes), Ok(b"dots in a name".to_vec()));
    assert!(matches!(folder.read("a/none.md"), Err(FolderError::NotFound { path }) if path == "a/none.md"));
    assert!(matches!(folder.read("a"), Err(FolderError::NotAFile { what: "a folder", .. })));
    fs::remove_dir_all(outside.parent().expect("a parent")).expect("removed");
}

#[cfg(unix)]
mod unix {
    //! Links, pipes, permissions and names that only exist on Unix.

    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn links_inside_are_told_and_links_out_in_a_circle_or_to_nothing_are_problems() {
        let outside = tempfile::tempdir().expect("a temporary folder");
        put(outside.path(), "secret.md", "secret");
        let (root, folder) = folder_of(&[("AGENTS.md", "agents"), (".agents/skills/x/SKILL.md", "skill"), ("deep/er/a.md", "")]);
        let link = |target: &Path, path: &str| {
            fs::create_dir_all(root.path().join(path).parent().expect("a parent")).expect("made");
            symlink(target, root.path().join(path)).expect("the link");
        };
        link(Path::new("AGENTS.md"), "CLAUDE.md");
        link(Path::new("../.agents/skills"), ".claude/skills");
        link(&folder.root().join("AGENTS.md"), "absolute.md");
        link(outside.path(), "out");
        link(&outside.path().join("secret.md"), "out.md");
        link(Path::new("../.."), "deep/er/up");
        link(Path::new("nowhere"), "broken.md");
        link(Path::new("two"), "one");
        link(Path::new("one"), "two");
        link(Path::new("../../../../../../../../../../etc/hostname"), "climb.md");
        let listing = folder.list();
        assert_eq!(paths(&listing), [".agents/skills/x/SKILL.md", "AGENTS.md", "deep/er/a.md"]);
        let links: Vec<_> = listing.links.iter().map(|link| (link.path.as_str(), link.target.as_str(), link.is_folder)).collect();
        assert_eq!(links, [(".claude/skills", ".agents/skills", true), ("CLAUDE.md", "AGENTS.md", false), ("absolute.md", "AGENTS.md", false)]);
        assert_eq!(
            problems(&listing),
            [
                ("link-broken", "broken.md"),
                ("link-out-of-folder", "climb.md"),
                ("link-loop", "deep/er/up"),
                ("link-loop", "one"),
                ("link-out-of-folder", "out"),
                ("link-out-of-folder", "out.md"),
                ("link-loop", "two"),
            ]
        );
        assert_eq!(folder.read("CLAUDE.md").map(|file| file.bytes), Ok(b"agents".to_vec()));
        assert_eq!(folder.read("absolute.md").map(|file| file.bytes), Ok(b"agents".to_vec()));
        assert_eq!(folder.read(".claude/skills/x/SKILL.md").map(|file| file.bytes), Ok(b"skill".to_vec()));
        for path in ["out/secret.md", "out.md", "climb.md"] {
            assert!(matches!(folder.read(path), Err(FolderError::LinkOut { .. })), "{path}: {:?}", folder.read(path));
            assert!(matches!(folder.write_atomic(path, b"x", None), Err(FolderError::LinkOut { .. })), "{path}");
        }
        assert!(matches!(folder.read("one"), Err(FolderError::LinkLoop { .. })), "{:?}", folder.read("one"));
        assert_eq!(fs::read(outside.path().join("secret.md")).expect("still there"), b"secret");
        // What is listed once is also found once: through a link there is nothing to stat.
        assert_eq!(folder.stat("CLAUDE.md"), None);
        assert_eq!(folder.stat(".claude/skills/x/SKILL.md"), None);
    }

    #[test]
    fn a_write_through_a_link_inside_changes_what_it_leads_to() {
        let (root, folder) = folder_of(&[("AGENTS.md", "old")]);
        symlink("AGENTS.md", root.path().join("CLAUDE.md")).expect("the link");
        folder.write_atomic("CLAUDE.md", b"new", None).expect("written");
        assert!(root.path().join("CLAUDE.md").symlink_metadata().expect("there").is_symlink());
        assert_eq!(fs::read(root.path().join("AGENTS.md")).expect("there"), b"new");
    }

    #[test]
    fn pipes_and_sockets_are_told_and_never_waited_for() {
        let (root, folder) = folder_of(&[("a.md", "")]);
        rustix::fs::mknodat(rustix::fs::CWD, root.path().join("pipe.md"), rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0).expect("a pipe");
        let _socket = std::os::unix::net::UnixListener::bind(root.path().join("socket.md")).expect("a socket");
        let listing = folder.list();
        assert_eq!(paths(&listing), ["a.md"]);
        assert_eq!(problems(&listing), [("special-file", "pipe.md"), ("special-file", "socket.md")]);
        assert!(matches!(folder.read("pipe.md"), Err(FolderError::NotAFile { what: "a pipe", .. })));
        assert!(matches!(folder.read("socket.md"), Err(FolderError::NotAFile { .. })), "{:?}", folder.read("socket.md"));
        assert!(matches!(folder.write_atomic("pipe.md", b"x", None), Err(FolderError::NotAFile { .. })));
    }

    #[test]
    fn a_file_without_permissions_is_listed_with_a_problem() {
        let (root, folder) = folder_of(&[("closed.md", "x"), ("open.md", "x"), ("shut/a.md", "x")]);
        if rustix::process::geteuid().is_root() {
            eprintln!("skipped: the superuser may read everything");
            return;
        }
        fs::set_permissions(root.path().join("closed.md"), fs::Permissions::from_mode(0o0)).expect("closed");
        fs::set_permissions(root.path().join("shut"), fs::Permissions::from_mode(0o0)).expect("shut");
        let listing = folder.list();
        assert_eq!(paths(&listing), ["closed.md", "open.md"]);
        assert_eq!(problems(&listing), [("unreadable", "closed.md"), ("unreadable", "shut")]);
        assert!(matches!(folder.read("closed.md"), Err(FolderError::Unreadable { .. })));
        fs::set_permissions(root.path().join("shut"), fs::Permissions::from_mode(0o700)).expect("opened");
    }

    #[test]
    fn a_decomposed_name_is_shown_composed_and_found_again() {
        let (root, folder) = folder_of(&[]);
        let (composed, decomposed) = ("Pr\u{e4}zision/\u{dc}ber.md", "Pra\u{308}zision/U\u{308}ber.md");
        put(root.path(), decomposed, "old");
        assert_eq!(paths(&folder.list()), [composed]);
        assert_eq!(folder.read(composed).map(|file| file.bytes), Ok(b"old".to_vec()));
        assert_eq!(folder.stat(composed).map(|file| file.path), Some(composed.to_owned()));
        assert_eq!(folder.path_of(&folder.root().join(decomposed)).as_deref(), Some(composed));
        folder.write_atomic(composed, b"new", Some(&Stamp::of(b"old"))).expect("written");
        assert_eq!(fs::read(root.path().join(decomposed)).expect("the same file"), b"new");
        assert_eq!(paths(&folder.list()), [composed]);
        assert_eq!(paths(&folder.list_below("Pr\u{e4}zision")), [composed]);
        // The composed name beside it: one of the two is read, the one that is stored as it is shown.
        put(root.path(), "Pra\u{308}zision/\u{dc}ber.md", "twin");
        let listing = folder.list();
        assert_eq!(paths(&listing), [composed]);
        assert_eq!(problems(&listing), [("name-twice", composed)]);
        assert_eq!(folder.read(composed).map(|file| file.bytes), Ok(b"twin".to_vec()));
    }

    #[test]
    fn a_name_that_is_no_text_is_read_and_told() {
        let (root, folder) = folder_of(&[]);
        fs::write(root.path().join(OsStr::from_bytes(b"caf\xe9.md")), "latin").expect("the file");
        let listing = folder.list();
        assert_eq!(paths(&listing), ["caf\u{FFFD}.md"]);
        assert_eq!(problems(&listing), [("name-not-utf8", "caf\u{FFFD}.md")]);
        assert_eq!(folder.read("caf\u{FFFD}.md").map(|file| file.bytes), Ok(b"latin".to_vec()));
    }

    #[test]
    fn a_write_keeps_permissions_and_leaves_no_traces() {
        let (root, folder) = folder_of(&[("run.sh", "old")]);
        fs::set_permissions(root.path().join("run.sh"), fs::Permissions::from_mode(0o751)).expect("set");
        folder.write_atomic("run.sh", b"new", None).expect("written");
        assert_eq!(fs::metadata(root.path().join("run.sh")).expect("there").permissions().mode() & 0o7777, 0o751);
        assert_eq!(fs::read_dir(root.path()).expect("listed").count(), 1);
        fs::set_permissions(root.path().join("run.sh"), fs::Permissions::from_mode(0o444)).expect("set");
        assert_eq!(folder.write_atomic("run.sh", b"newer", None), Err(FolderError::ReadOnly { path: "run.sh".to_owned() }));
        assert_eq!(fs::read_dir(root.path()).expect("listed").count(), 1);
    }

    #[test]
    fn a_folder_swapped_for_a_link_between_walk_and_read_leads_nowhere() {
        let outside = tempfile::tempdir().expect("a temporary folder");
        put(outside.path(), "a.md", "secret");
        let (root, folder) = folder_of(&[("sub/a.md", "inside")]);
        assert_eq!(paths(&folder.list()), ["sub/a.md"]);
        fs::rename(root.path().join("sub"), root.path().join("moved")).expect("moved");
        symlink(outside.path(), root.path().join("sub")).expect("the link");
        assert!(matches!(folder.read("sub/a.md"), Err(FolderError::LinkOut { .. })));
        assert!(matches!(folder.write_atomic("sub/a.md", b"x", None), Err(FolderError::LinkOut { .. })));
        assert!(matches!(folder.create("sub/new.md", b"x"), Err(FolderError::LinkOut { .. })));
        assert_eq!(fs::read_dir(outside.path()).expect("listed").count(), 1);
    }

    #[test]
    fn folders_nested_without_end_are_cut_off_with_a_problem() {
        let (root, folder) = folder_of(&[]);
        let mut path = root.path().to_path_buf();
        for _ in 0..140 {
            path.push("d");
            fs::create_dir(&path).expect("made");
        }
        let listing = folder.list();
        assert_eq!(listing.problems.len(), 1);
        assert_eq!(listing.problems[0].code, "too-deep");
    }
}

#[test]
fn a_write_is_refused_when_the_file_is_no_longer_what_was_read() {
    let (root, folder) = folder_of(&[("a.md", "one")]);
    let read = Stamp::of(b"one");
    assert_eq!(folder.write_atomic("a.md", b"two", Some(&read)), Ok(Stamp::of(b"two")));
    let stale = folder.write_atomic("a.md", b"three", Some(&read));
    assert_eq!(stale, Err(FolderError::Conflict { path: "a.md".to_owned(), found: Some(Stamp::of(b"two")) }));
    assert_eq!(fs::read(root.path().join("a.md")).expect("there"), b"two");
    fs::remove_file(root.path().join("a.md")).expect("removed");
    assert_eq!(folder.write_atomic("a.md", b"three", Some(&read)), Err(FolderError::Conflict { path: "a.md".to_owned(), found: None }));
    assert_eq!(folder.write_atomic("gone/a.md", b"three", Some(&read)), Err(FolderError::Conflict { path: "gone/a.md".to_owned(), found: None }));
    assert_eq!(fs::read_dir(root.path()).expect("listed").count(), 0);
}

#[test]
fn a_new_file_gets_its_folders_and_never_replaces_one() {
    let (root, folder) = folder_of(&[]);
    assert_eq!(folder.create("new/notes/a.md", b"one"), Ok(Stamp::of(b"one")));
    assert_eq!(folder.create("new/notes/a.md", b"two"), Err(FolderError::Exists { path: "new/notes/a.md".to_owned() }));
    assert_eq!(paths(&folder.list()), ["new/notes/a.md"]);
    assert_eq!(fs::read(root.path().join("new/notes/a.md")).expect("there"), b"one");
}

#[test]
fn of_many_writers_with_one_stamp_exactly_one_wins() {
    let (_root, folder) = folder_of(&[("a.md", "start")]);
    let read = Stamp::of(b"start");
    let wins = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|number| {
                let (folder, read) = (&folder, &read);
                scope.spawn(move || folder.write_atomic("a.md", format!("writer {number}").as_bytes(), Some(read)).is_ok())
            })
            .collect();
        writers.into_iter().map(|writer| writer.join().expect("no panic")).filter(|won| *won).count()
    });
    assert_eq!(wins, 1);
    assert_eq!(paths(&folder.list()), ["a.md"]);
}

#[test]
fn a_root_that_goes_and_comes_back_is_followed() {
    let parent = tempfile::tempdir().expect("a temporary folder");
    let root = parent.path().join("notes");
    put(&root, "a.md", "");
    let folder = Folder::open(&root, WalkRules::default()).expect("it opens");
    assert_eq!(paths(&folder.list()), ["a.md"]);
    fs::rename(&root, parent.path().join("old")).expect("moved");
    let listing = folder.list();
    assert_eq!(paths(&listing), [""; 0]);
    assert_eq!(problems(&listing), [("folder-missing", "")]);
    put(&root, "b.md", "fresh");
    assert_eq!(paths(&folder.list()), ["b.md"]);
    assert_eq!(folder.read("b.md").map(|file| file.bytes), Ok(b"fresh".to_vec()));
}

proptest::proptest! {
    /// The walk and the question about one file never disagree, whatever the ignore rules say.
    #[test]
    fn list_and_stat_agree(
        files in proptest::collection::vec("[ab.]{1,3}(/[ab.]{1,3}){0,2}\\.md", 1..8),
        lines in proptest::collection::vec("!?/?([ab*.]{1,3}/){0,2}[ab*.]{1,4}/?", 0..5),
    ) {
        let root = tempfile::tempdir().expect("a temporary folder");
        for path in &files {
            if super::names::parts(path).is_ok() {
                let target = root.path().join(path);
                let _ = fs::create_dir_all(target.parent().expect("a parent"));
                let _ = fs::write(target, "");
            }
        }
        fs::write(root.path().join(".ignore"), lines.join("\n")).expect("written");
        let folder = Folder::open(root.path(), WalkRules::default()).expect("it opens");
        let listing = folder.list();
        for path in &files {
            let listed = listing.files.iter().find(|file| &file.path == path).cloned();
            proptest::prop_assert_eq!(folder.stat(path), listed);
        }
    }
}
