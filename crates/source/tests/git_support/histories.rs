//! Histories: what a commit holds, which one stood at a time, and how a file came to be.

use source::git::{History, ObjectId};

use crate::git_support::{Origin, START, as_files, files};

const FAR_AWAY: i64 = 4_000_000_000_000;

#[test]
fn a_folder_outside_of_any_repository_has_no_history() {
    let folder = tempfile::tempdir().expect("a folder");
    assert_eq!(History::of(folder.path()), Ok(None));
    assert!(History::of(&folder.path().join("absent")).is_err());
    let origin = Origin::new();
    assert_eq!(History::of(&origin.path().join(".git")), Ok(None));
    let history = origin.history();
    assert_eq!((history.head(), history.commit_at(FAR_AWAY)), (Ok(None), Ok(None)));
    assert_eq!((history.versions("a.md"), history.is_clean("a.md")), (Ok(Vec::new()), Ok(false)));
    assert_eq!(history.branch_files(), Ok(Vec::new()));
}

#[test]
fn the_commit_of_a_time_is_the_last_one_at_or_before_it() {
    let origin = Origin::new();
    let one = origin.commit("one", 0);
    let two = origin.commit("two", 100);
    origin.git(&["checkout", "--quiet", "-b", "side"]);
    origin.commit("on the side", 150);
    origin.git(&["checkout", "--quiet", "main"]);
    origin.git_with(&["merge", "--quiet", "--no-ff", "--message", "merge", "side"], b"", START + 200);
    let history = origin.history();
    let merge = history.head().expect("git runs").expect("a commit");
    let at = |milliseconds: i64| history.commit_at(START * 1000 + milliseconds).expect("git runs");
    assert_eq!(at(-1), None);
    assert_eq!(at(0), Some(one.clone()));
    assert_eq!(at(99_999), Some(one));
    assert_eq!(at(100_000), Some(two.clone()));
    // The side came to this line with the merge, and not before.
    assert_eq!(at(199_999), Some(two));
    assert_eq!(at(200_000), Some(merge));
    assert_eq!(history.commit_at(-5), Ok(None));
    assert_eq!(history.commit_at(i64::MIN), Ok(None));
}

#[test]
fn files_are_listed_below_the_folder_and_read_by_their_names() {
    let origin = Origin::new();
    origin.write("README.md", "top\n");
    origin.write("docs/adr/größe und form.md", "größe\n");
    origin.write("docs/adr/line\nbreak.md", "odd\n");
    origin.write("docs/adr/decomposed-u\u{308}.md", "two characters\n");
    origin.write("docs/adr/sub/empty.md", "");
    #[cfg(unix)]
    std::os::unix::fs::symlink("/etc/hostname", origin.path().join("docs/adr/link.md")).expect("a link");
    let commit = origin.commit("all", 0);
    let history = History::of(&origin.path().join("docs/adr")).expect("git runs").expect("a repository");
    let listed = history.files(&commit).expect("files");
    let mut names: Vec<(&str, u64)> = listed.iter().map(|file| (file.path.as_str(), file.size_bytes)).collect();
    names.sort_unstable();
    assert_eq!(names, [("decomposed-ü.md", 15), ("größe und form.md", 8), ("line\nbreak.md", 4), ("sub/empty.md", 0)]);

    let mut ids: Vec<ObjectId> = listed.iter().map(|file| file.object_id.clone()).collect();
    ids.push(ObjectId::parse(&"ab".repeat(20)).expect("a name"));
    ids.push(ObjectId::parse(commit.as_str()).expect("a name"));
    let read = history.read(&ids, 10).expect("contents");
    for (file, content) in listed.iter().zip(&read) {
        assert_eq!(content.as_ref().map(|content| content.len() as u64), (file.size_bytes <= 10).then_some(file.size_bytes), "{}", file.path);
    }
    assert_eq!(read[ids.len() - 2..], [None, None], "an object that is missing, and a commit, are no contents");
    assert!(read.contains(&Some("größe\n".into())));
    assert_eq!(history.read(&[], 10), Ok(Vec::new()));
    assert_eq!(origin.history().files(&commit).expect("files").len(), 5);
    // The path as ibid shows it finds the file whatever form git keeps.
    assert_eq!(history.versions("decomposed-ü.md").expect("versions").len(), 1);
    assert_eq!(history.is_clean("decomposed-ü.md"), Ok(true));
}

#[test]
fn the_versions_of_a_file_lead_back_through_its_names_and_merges() {
    let origin = Origin::new();
    let text = "# Use a queue\n\nWe use a queue between the two.\n\nIt is durable.\n";
    origin.write("rfcs/queue.md", text);
    origin.write("other.md", "1\n");
    let drafted = origin.commit("Draft \u{1b}[31mqueue\n\nA body that is not told.", 0);
    std::fs::create_dir_all(origin.path().join("docs/adr")).expect("a folder");
    origin.git(&["mv", "rfcs/queue.md", "docs/adr/0001 queue.md"]);
    let moved = origin.commit("Move", 10);
    origin.write("other.md", "2\n");
    origin.commit("Something else", 20);
    origin.git(&["checkout", "--quiet", "-b", "side"]);
    origin.write("docs/adr/0001 queue.md", &format!("{text}\nAnd it is fast.\n"));
    let edited = origin.commit("Größe: faster", 30);
    origin.git(&["checkout", "--quiet", "main"]);
    origin.git_with(&["merge", "--quiet", "--no-ff", "--message", "merge", "side"], b"", START + 40);

    let history = History::of(&origin.path().join("docs/adr")).expect("git runs").expect("a repository");
    let versions = history.versions("0001 queue.md").expect("versions");
    let told: Vec<_> =
        versions.iter().map(|version| (&version.commit, version.subject.as_str(), version.path.as_str(), version.time_ms - START * 1000)).collect();
    assert_eq!(
        told,
        [
            (&edited, "Größe: faster", "0001 queue.md", 30_000),
            (&moved, "Move", "0001 queue.md", 10_000),
            (&drafted, "Draft \u{FFFD}[31mqueue", "/rfcs/queue.md", 0),
        ]
    );
    assert!(versions.iter().all(|version| version.author == "Anna Größe"));
    let contents = history.read(&versions.iter().map(|version| version.object_id.clone()).collect::<Vec<_>>(), 1000).expect("contents");
    assert!(contents[0].as_ref().is_some_and(|content| content.ends_with(b"fast.\n")));
    assert_eq!((contents[1].as_deref(), contents[2].as_deref()), (Some(text.as_bytes()), Some(text.as_bytes())));
    assert_eq!(origin.history().versions("rfcs/queue.md").expect("versions").len(), 1, "a name that is gone has its past");
    assert_eq!(history.versions("never.md"), Ok(Vec::new()));
    assert_eq!(history.versions("*.md"), Ok(Vec::new()), "a path is no pattern");
    assert!(history.versions("../other.md").is_err());
}

#[test]
fn a_file_is_clean_while_it_is_what_was_committed() {
    let origin = Origin::new();
    origin.write("docs/a b.md", "one\ntwo\n");
    origin.commit("one", 0);
    let history = History::of(&origin.path().join("docs")).expect("git runs").expect("a repository");
    assert_eq!(history.is_clean("a b.md"), Ok(true));
    origin.write("docs/a b.md", "one\r\ntwo\r\n");
    assert_eq!(history.is_clean("a b.md"), Ok(true), "git may be set to write line ends of the system");
    origin.write("docs/a b.md", "one\nthree\n");
    assert_eq!(history.is_clean("a b.md"), Ok(false));
    origin.write("docs/new.md", "not committed\n");
    assert_eq!((history.is_clean("new.md"), history.is_clean("never.md")), (Ok(false), Ok(false)));
    std::fs::remove_file(origin.path().join("docs/a b.md")).expect("a file");
    assert_eq!(history.is_clean("a b.md"), Ok(false));
    assert!(history.is_clean("../README.md").is_err());
}

#[test]
fn the_files_of_other_branches_are_seen() {
    let origin = Origin::new();
    origin.write("docs/adr/0001-a.md", "a\n");
    origin.write("other.md", "x\n");
    origin.commit("one", 0);
    origin.git(&["branch", "same"]);
    origin.git(&["checkout", "--quiet", "-b", "anna/größe"]);
    origin.write("docs/adr/0002-b.md", "b\n");
    let commit = origin.commit("two", 10);
    origin.git(&["update-ref", "refs/remotes/origin/main", commit.as_str()]);
    origin.git(&["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main"]);
    origin.git(&["checkout", "--quiet", "--orphan", "empty"]);
    origin.git(&["rm", "-r", "--quiet", "--force", "."]);
    origin.commit("nothing", 5);
    origin.git(&["checkout", "--quiet", "main"]);
    let history = History::of(&origin.path().join("docs/adr")).expect("git runs").expect("a repository");
    let mut listed = history.branch_files().expect("branches");
    assert!(listed[..2].iter().all(|(name, _)| name == "anna/größe" || name == "origin/main"), "the newest come first: {listed:?}");
    listed.sort();
    let both = ["0001-a.md", "0002-b.md"].map(str::to_owned).to_vec();
    let one = vec!["0001-a.md".to_owned()];
    let expected = [("anna/größe", both.clone()), ("empty", Vec::new()), ("main", one.clone()), ("origin/main", both), ("same", one)];
    assert_eq!(listed, expected.map(|(name, paths)| (name.to_owned(), paths)));
}

#[test]
fn an_export_has_the_files_of_then_that_are_wanted() {
    let origin = Origin::new();
    origin.write("docs/größe.md", "then\n");
    origin.write("docs/deep/er/a.md", "deep\n");
    origin.write("docs/picture.png", "no text\n");
    origin.write("README.md", "outside\n");
    let then = origin.commit("then", 0);
    origin.write("docs/größe.md", "now\n");
    origin.commit("now", 10);
    let history = History::of(&origin.path().join("docs")).expect("git runs").expect("a repository");
    let into = tempfile::tempdir().expect("a folder");
    let target = into.path().join("then");
    assert_eq!(history.export(&then, &target, &|path| path.ends_with(".md")), Ok(2));
    assert_eq!(files(&target), as_files(&[("deep/er/a.md", "deep\n"), ("größe.md", "then\n")]));
}
