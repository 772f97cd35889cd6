//! Cached checkouts: they follow branches and tags, and keep what they have when the other side is gone or a process dies.

use std::io::Read as _;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use source::git::{Checkout, CommitId, GitError, History, Reference};

use crate::git_support::{LONG, Origin, address, as_files, checkout, files, follow};

#[test]
fn an_edit_on_the_other_side_arrives_with_the_next_fetch_and_switch() {
    let origin = Origin::new();
    origin.write("docs/0001-größe und form.md", "# Size\r\n");
    origin.write("docs/line\nbreak.md", "odd\n");
    origin.write(".gitattributes", "*.md text ident\n*.bin filter=lfs\n");
    origin.write("old.md", "$Id$\n");
    let first = origin.commit("first", 0);
    for place in [origin.address(), address(&format!("file://{}", origin.path().display()))] {
        let (checkout, _cache) = checkout(place, Reference::Default);
        checkout.prepare().expect("folders");
        assert!(checkout.tree().is_dir());
        assert_eq!((checkout.current(), checkout.fetched(), checkout.fetched_ms()), (Ok(None), Ok(None), None));

        assert_eq!(checkout.fetch(LONG, &|| false), Ok(first.clone()));
        assert!(files(&checkout.tree()).is_empty(), "a fetch does not touch the tree");
        assert!(checkout.fetched_ms().is_some_and(|time_ms| time_ms > 1_700_000_000_000));
        checkout.switch(&first).expect("it switches");
        assert_eq!(checkout.current(), Ok(Some(first.clone())));
        // Byte for byte as committed: git put the first into its own line ends when it was added, by the attribute.
        let expected = as_files(&[
            (".gitattributes", "*.md text ident\n*.bin filter=lfs\n"),
            ("docs/0001-größe und form.md", "# Size\n"),
            ("docs/line\nbreak.md", "odd\n"),
            ("old.md", "$Id$\n"),
        ]);
        assert_eq!(files(&checkout.tree()), expected);
    }

    let (checkout, cache) = checkout(origin.address(), Reference::Default);
    follow(&checkout).expect("it follows");
    std::fs::remove_file(origin.path().join("old.md")).expect("a file");
    origin.write("new/deep.md", "new\n");
    let second = origin.commit("second", 10);
    std::fs::write(checkout.tree().join("left over.md"), "nobody's").expect("a file");
    std::fs::write(checkout.tree().join(".gitattributes"), "edited by somebody").expect("a file");
    // Another process, or the same after a restart.
    let again = Checkout::at(cache.path(), origin.address(), Reference::Default).expect("a checkout");
    assert_eq!(follow(&again), Ok(second.clone()));
    let paths: Vec<String> = files(&again.tree()).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, [".gitattributes", "docs/0001-größe und form.md", "docs/line\nbreak.md", "new/deep.md"]);
    assert!(std::fs::read_to_string(again.tree().join(".gitattributes")).expect("a file").starts_with("*.md"));
    // All of the history came too, and an earlier commit is there without a network.
    drop(origin);
    let history = History::of(&again.tree()).expect("git runs").expect("the tree is a work tree");
    assert_eq!(history.head(), Ok(Some(second)));
    again.switch(&first).expect("it goes back");
    assert!(again.tree().join("old.md").is_file() && !again.tree().join("new").exists());
}

#[test]
fn a_branch_a_tag_and_a_rewritten_branch_are_followed() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    let one = origin.commit("one", 0);
    origin.git(&["tag", "--annotate", "--message", "first", "v1"]);
    origin.git(&["checkout", "--quiet", "-b", "feature/größe"]);
    origin.write("a.md", "two\n");
    let two = origin.commit("two", 10);
    origin.git(&["checkout", "--quiet", "main"]);

    let (tag, _tag_cache) = checkout(origin.address(), Reference::Tag("v1".to_owned()));
    assert_eq!(follow(&tag), Ok(one.clone()));
    let (branch, _branch_cache) = checkout(origin.address(), Reference::Branch("feature/größe".to_owned()));
    assert_eq!(follow(&branch), Ok(two));
    let (default, _default_cache) = checkout(origin.address(), Reference::Default);
    assert_eq!(follow(&default), Ok(one));

    origin.git(&["checkout", "--quiet", "feature/größe"]);
    origin.git(&["reset", "--quiet", "--hard", "main"]);
    origin.write("a.md", "two, but better\n");
    let better = origin.commit("two again", 20);
    origin.git(&["tag", "--force", "v1"]);
    assert_eq!(follow(&branch), Ok(better.clone()));
    assert_eq!(files(&branch.tree()), as_files(&[("a.md", "two, but better\n")]));
    assert_eq!(follow(&tag), Ok(better));
}

#[test]
fn what_has_vanished_is_named_and_the_files_stay() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    origin.commit("one", 0);
    origin.git(&["branch", "side"]);
    let (checkout, cache) = checkout(origin.address(), Reference::Branch("side".to_owned()));
    let commit = follow(&checkout).expect("it follows");
    let fetched_ms = checkout.fetched_ms();

    origin.git(&["branch", "--delete", "--force", "side"]);
    let error = checkout.fetch(LONG, &|| false).expect_err("the branch is gone");
    assert!(matches!(&error, GitError::Vanished { missing, .. } if missing == "there is no branch `side`"), "{error:?}");

    let path = origin.path().display().to_string();
    drop(origin);
    let error = checkout.fetch(LONG, &|| false).expect_err("the repository is gone");
    assert!(matches!(&error, GitError::Vanished { address, .. } if *address == path), "{error:?}");
    assert!(error.to_string().contains(&path) && error.hint().contains("still served"));
    assert_eq!((checkout.current(), checkout.fetched(), checkout.fetched_ms()), (Ok(Some(commit.clone())), Ok(Some(commit)), fetched_ms));
    assert_eq!(files(&checkout.tree()), as_files(&[("a.md", "one\n")]));
    assert!(!cache.path().join("clone.new.git").exists());

    let empty = Origin::new();
    let error = follow(&crate::git_support::checkout(empty.address(), Reference::Default).0).expect_err("nothing was committed");
    assert!(matches!(&error, GitError::Vanished { missing, .. } if missing.contains("no default branch")), "{error:?}");
}

#[test]
fn a_repository_on_a_machine_that_does_not_answer_is_unreachable() {
    for place in ["https://127.0.0.1:1/a.git", "ssh://git@127.0.0.1:1/a.git"] {
        let (checkout, _cache) = checkout(address(place), Reference::Default);
        let error = checkout.fetch(LONG, &|| false).expect_err("nobody listens there");
        assert!(matches!(&error, GitError::Unreachable { address, .. } if address == place), "{error:?}");
        assert!(checkout.tree().is_dir());
    }
    let (checkout, _cache) = checkout(address("https://anna:geheim@127.0.0.1:1/a.git"), Reference::Default);
    let error = checkout.fetch(LONG, &|| false).expect_err("nobody listens there");
    assert!(!format!("{error} {error:?}").contains("geheim"));
}

/// A server that takes a connection and says nothing; gives the port, and a flag for whether somebody is connected. The thread ends when the other
/// side has closed the connection.
fn silent_server() -> (u16, &'static AtomicBool, std::thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let is_connected: &'static AtomicBool = Box::leak(Box::new(AtomicBool::new(false)));
    let thread = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        is_connected.store(true, Ordering::SeqCst);
        let _ = stream.read_to_end(&mut Vec::new());
    });
    (port, is_connected, thread)
}

#[test]
fn a_fetch_ends_when_it_is_cancelled_and_when_its_time_is_over() {
    let (port, is_connected, server) = silent_server();
    let (waiting, _cache) = checkout(address(&format!("https://127.0.0.1:{port}/a.git")), Reference::Default);
    let result = waiting.fetch(LONG, &|| is_connected.load(Ordering::SeqCst));
    assert!(matches!(result, Err(GitError::Cancelled { .. })), "{result:?}");
    // The program that git started for the connection is gone as well, or its end would stay open.
    server.join().expect("the connection is closed");

    let (port, _, server) = silent_server();
    let (waiting, _cache) = checkout(address(&format!("https://127.0.0.1:{port}/a.git")), Reference::Default);
    let result = waiting.fetch(Duration::from_secs(1), &|| false);
    assert!(matches!(result, Err(GitError::TimedOut { seconds: 1, .. })), "{result:?}");
    drop((waiting, server));
}

#[test]
fn a_clone_that_a_dead_process_left_half_done_is_used_again() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    let one = origin.commit("one", 0);
    let (checkout, cache) = checkout(origin.address(), Reference::Default);
    follow(&checkout).expect("it follows");
    let clone = cache.path().join("clone.git");
    origin.write("a.md", "two\n");
    let two = origin.commit("two", 10);

    // Killed in the middle of a fetch, and of one that made the clone anew.
    std::fs::write(clone.join("refs/ibid/fetched.lock"), "").expect("a file");
    std::fs::write(clone.join("objects/pack/tmp_pack_x"), "PACK").expect("a file");
    std::fs::create_dir_all(cache.path().join("clone.new.git/objects")).expect("a folder");
    assert_eq!(checkout.fetch(LONG, &|| false), Ok(two.clone()));
    assert!(!clone.join("objects/pack/tmp_pack_x").exists());

    // Killed in the middle of a switch: the tree is between two commits, and nobody takes it for either.
    std::fs::write(clone.join("index.lock"), "").expect("a file");
    std::fs::write(clone.join("HEAD.lock"), "").expect("a file");
    std::fs::write(cache.path().join("switching"), two.as_str()).expect("a file");
    std::fs::write(checkout.tree().join("a.md"), "tw").expect("a file");
    assert_eq!(checkout.current(), Ok(None));
    checkout.switch(&two).expect("it switches");
    assert_eq!((checkout.current(), files(&checkout.tree())), (Ok(Some(two.clone())), as_files(&[("a.md", "two\n")])));

    // A list of files that was cut short.
    std::fs::write(clone.join("index"), "DIRC").expect("a file");
    checkout.switch(&one).expect("it switches");
    assert_eq!(files(&checkout.tree()), as_files(&[("a.md", "one\n")]));
}

#[test]
fn a_damaged_clone_is_made_anew_and_the_tree_stays_readable_meanwhile() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    let one = origin.commit("one", 0);
    let damages: [&dyn Fn(&std::path::Path); 3] = [
        &|clone| std::fs::write(clone.join("HEAD"), "").expect("a file"),
        &|clone| std::fs::remove_dir_all(clone.join("objects")).expect("a folder"),
        &|clone| std::fs::remove_dir_all(clone).expect("a folder"),
    ];
    for damage in damages {
        let (checkout, cache) = checkout(origin.address(), Reference::Default);
        follow(&checkout).expect("it follows");
        damage(&cache.path().join("clone.git"));
        assert_eq!(checkout.current(), Ok(None));
        assert_eq!(checkout.fetch(LONG, &|| false), Ok(one.clone()));
        assert_eq!(files(&checkout.tree()), as_files(&[("a.md", "one\n")]));
        checkout.switch(&one).expect("it switches");
        assert_eq!((checkout.current(), files(&checkout.tree())), (Ok(Some(one.clone())), as_files(&[("a.md", "one\n")])));
        let mut names: Vec<_> = std::fs::read_dir(cache.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
        names.sort();
        assert_eq!(names, ["clone.git", "fetch.lock", "fetched", "switch.lock", "tree"]);
    }
}

#[test]
fn a_content_that_is_lost_is_noticed_by_the_switch_and_fetched_again() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    let one = origin.commit("one", 0);
    let (checkout, cache) = checkout(origin.address(), Reference::Default);
    checkout.fetch(LONG, &|| false).expect("it fetches");
    let blob = origin.git(&["rev-parse", "HEAD:a.md"]);
    let loose = cache.path().join("clone.git/objects").join(&blob[..2]).join(&blob[2..]);
    std::fs::remove_file(&loose).expect("git keeps few objects one by one");
    assert!(matches!(checkout.switch(&one), Err(GitError::Failed { .. })));
    assert_eq!(checkout.current(), Ok(None));
    assert_eq!(follow(&checkout), Ok(one));
    assert_eq!(files(&checkout.tree()), as_files(&[("a.md", "one\n")]));
}

#[test]
fn a_commit_that_was_never_fetched_is_refused_and_the_tree_stays() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    origin.commit("one", 0);
    let (checkout, _cache) = checkout(origin.address(), Reference::Default);
    let commit = follow(&checkout).expect("it follows");
    let unknown = CommitId::parse(&"0123456789".repeat(4)).expect("a name");
    let error = checkout.switch(&unknown).expect_err("nobody has it");
    assert!(error.to_string().contains("fetch first"), "{error}");
    assert_eq!((checkout.current(), files(&checkout.tree())), (Ok(Some(commit)), as_files(&[("a.md", "one\n")])));
}

#[test]
fn two_at_a_time_do_not_disturb_each_other() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    let one = origin.commit("one", 0);
    let (checkout, _cache) = checkout(origin.address(), Reference::Default);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| follow(&checkout))).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), Ok(one.clone()));
        }
    });
    assert_eq!(files(&checkout.tree()), as_files(&[("a.md", "one\n")]));
}

#[test]
fn a_repository_with_long_names_of_objects_is_followed_also_when_it_takes_the_place_of_another() {
    let origin = Origin::new();
    origin.write("a.md", "short\n");
    let short = origin.commit("one", 0);
    let (checkout, _cache) = checkout(origin.address(), Reference::Default);
    assert_eq!(follow(&checkout), Ok(short));
    std::fs::remove_dir_all(origin.path().join(".git")).expect("a folder");
    origin.git(&["init", "--quiet", "--initial-branch=main", "--object-format=sha256"]);
    origin.write("a.md", "long\n");
    let long = origin.commit("one", 0);
    assert_eq!(long.as_str().len(), 64);
    assert_eq!(follow(&checkout), Ok(long.clone()));
    assert_eq!(files(&checkout.tree()), as_files(&[("a.md", "long\n")]));
    let history = History::of(&checkout.tree()).expect("git runs").expect("a work tree");
    assert_eq!(history.versions("a.md").expect("versions").iter().map(|version| &version.commit).collect::<Vec<_>>(), [&long]);
}
