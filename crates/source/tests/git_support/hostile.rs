//! Repositories that somebody made to do harm: none of them runs a program, and none writes outside of its folder.

use std::path::Path;

use source::git::{Address, Checkout, GitError, History, ObjectId, Reference};

use crate::git_support::{LONG, Origin, address, as_files, checkout, files, follow};

#[test]
fn addresses_and_names_that_git_would_take_for_something_else_are_refused() {
    for text in
        ["--upload-pack=touch x", "ext::sh -c 'touch x'", "https://example.org/a\n--x", "/a\0b", "http://example.org/a", "git://example.org/a"]
    {
        assert!(matches!(Address::parse(text, Path::new("/")), Err(GitError::BadAddress { .. })), "{text:?}");
    }
    let cache = tempfile::tempdir().expect("a folder");
    for name in ["--upload-pack=touch x", "-x", "a b", "a\nb", "a\0b", "../../etc", "a:b", "main^{}", "*"] {
        for reference in [Reference::Branch(name.to_owned()), Reference::Tag(name.to_owned())] {
            assert!(matches!(Checkout::at(cache.path(), address("/srv/a"), reference), Err(GitError::BadReference { .. })), "{name:?}");
        }
    }
}

/// A script that leaves a file behind when it is run.
#[cfg(unix)]
fn trap(folder: &Path) -> (String, std::path::PathBuf) {
    use std::os::unix::fs::PermissionsExt as _;
    let (script, sprung) = (folder.join("trap"), folder.join("sprung"));
    std::fs::write(&script, format!("#!/bin/sh\ntouch '{}'\ncat\n", sprung.display())).expect("a file");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it can be run");
    (script.display().to_string(), sprung)
}

#[cfg(unix)]
#[test]
fn nothing_that_a_repository_configures_is_run_by_reading_its_history() {
    let origin = Origin::new();
    origin.write("docs/a.md", "one\n");
    origin.write(".gitattributes", "*.md filter=evil diff=evil\n");
    origin.commit("one", 0);
    origin.git(&["mv", "docs/a.md", "docs/b.md"]);
    let commit = origin.commit("two", 10);
    let missing = origin.git_with(&["hash-object", "-w", "--stdin"], b"lost", 0);

    let outside = tempfile::tempdir().expect("a folder");
    let (script, sprung) = trap(outside.path());
    let hooks = outside.path().join("hooks");
    std::fs::create_dir(&hooks).expect("a folder");
    for hook in ["post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc"] {
        std::fs::copy(&script, hooks.join(hook)).expect("a hook");
        std::fs::create_dir_all(origin.path().join(".git/hooks")).expect("a folder");
        std::fs::copy(&script, origin.path().join(".git/hooks").join(hook)).expect("a hook");
    }
    let hooks = hooks.display().to_string();
    let helper = format!("ext::{script}");
    for (key, value) in [
        ("core.fsmonitor", script.as_str()),
        ("core.hooksPath", hooks.as_str()),
        ("core.pager", script.as_str()),
        ("core.sshCommand", script.as_str()),
        ("core.editor", script.as_str()),
        ("core.askPass", script.as_str()),
        ("core.alternateRefsCommand", script.as_str()),
        ("pager.log", script.as_str()),
        ("alias.log", &format!("!{script}")),
        ("alias.rev-parse", &format!("!{script}")),
        ("diff.external", script.as_str()),
        ("diff.evil.command", script.as_str()),
        ("diff.evil.textconv", script.as_str()),
        ("filter.evil.clean", script.as_str()),
        ("filter.evil.smudge", script.as_str()),
        ("filter.evil.process", script.as_str()),
        ("gpg.program", script.as_str()),
        ("log.showSignature", "true"),
        ("credential.helper", &format!("!{script}")),
        ("protocol.ext.allow", "always"),
        // Objects that are missing are to be had from a program.
        ("extensions.partialClone", "origin"),
        ("core.repositoryFormatVersion", "1"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", helper.as_str()),
        ("remote.origin.uploadpack", script.as_str()),
    ] {
        origin.git(&["config", key, value]);
    }
    std::fs::remove_file(origin.path().join(".git/objects").join(&missing[..2]).join(&missing[2..])).expect("a loose object");
    origin.write("docs/b.md", "changed\n");

    for folder in [origin.path().to_owned(), origin.path().join("docs")] {
        let history = History::of(&folder).expect("git runs").expect("a repository");
        let path = if folder.ends_with("docs") { "b.md" } else { "docs/b.md" };
        assert_eq!(history.head(), Ok(Some(commit.clone())));
        assert_eq!(history.commit_at(4_000_000_000_000), Ok(Some(commit.clone())));
        assert!(!history.files(&commit).expect("files").is_empty());
        assert_eq!(history.versions(path).expect("versions").len(), 2);
        assert_eq!(history.is_clean(path), Ok(false));
        assert_eq!(history.branch_files().expect("branches").len(), 1);
        assert!(history.export(&commit, &outside.path().join("out"), &|_| true).expect("an export") > 0);
        // Whether git says that it is missing or refuses to go for it, it does not go.
        let _ = history.read(&[ObjectId::parse(&missing).expect("a name")], 1000);
        assert!(!sprung.exists(), "a program of the repository was run");
    }
    // The same repository as the other side of a fetch, which may well fail.
    let _ = follow(&checkout(origin.address(), Reference::Default).0);
    assert!(!sprung.exists(), "a program of the repository was run by fetching from it");

    // The traps are live: plain git falls into them.
    origin.git(&["status"]);
    assert!(sprung.exists());
}

#[cfg(unix)]
#[test]
fn no_filter_and_no_hook_runs_when_a_tree_is_switched() {
    let origin = Origin::new();
    origin.write("a.md", "one\n");
    origin.write(".gitattributes", "*.md filter=theirs text eol=crlf working-tree-encoding=UTF-16\n[attr]binary filter=theirs\n");
    // As it is committed by somebody who has no such filter, and no attribute in the way.
    origin.git(&["-c", "core.attributesFile=/dev/null", "add", ".gitattributes"]);
    let blob = origin.git_with(&["hash-object", "-w", "--stdin", "--no-filters"], b"one\n", 0);
    origin.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},a.md")]);
    origin.git(&["commit", "--quiet", "--message", "one"]);
    let (checkout, cache) = checkout(origin.address(), Reference::Default);
    let commit = checkout.fetch(LONG, &|| false).expect("it fetches");

    let outside = tempfile::tempdir().expect("a folder");
    let (script, sprung) = trap(outside.path());
    let clone = cache.path().join("clone.git");
    std::fs::create_dir_all(clone.join("hooks")).expect("a folder");
    for hook in ["post-checkout", "post-index-change", "reference-transaction"] {
        std::fs::copy(&script, clone.join("hooks").join(hook)).expect("a hook");
    }
    // As the user may have set up for all repositories.
    let configuration = std::fs::read_to_string(clone.join("config")).expect("a file");
    let filter = format!("{configuration}[filter \"theirs\"]\n\tsmudge = {script}\n\tclean = {script}\n[core]\n\tautocrlf = true\n");
    std::fs::write(clone.join("config"), filter).expect("a file");
    checkout.switch(&commit).expect("it switches");
    assert_eq!(std::fs::read(checkout.tree().join("a.md")).expect("a file"), b"one\n");
    assert!(!sprung.exists(), "a filter or hook was run");
}

#[test]
fn a_repository_among_the_files_of_another_is_not_taken_for_one() {
    let origin = Origin::new();
    origin.write("docs/readme.md", "text\n");
    origin.commit("one", 0);
    for path in ["HEAD", "config"] {
        origin.write(&format!("docs/hidden/{path}"), if path == "HEAD" { "ref: refs/heads/main\n" } else { "[core]\n\tbare = true\n" });
    }
    for folder in ["docs/hidden/objects", "docs/hidden/refs"] {
        std::fs::create_dir_all(origin.path().join(folder)).expect("a folder");
    }
    assert_eq!(History::of(&origin.path().join("docs/hidden")), Ok(None));
}

#[cfg(unix)]
#[test]
fn links_of_a_repository_lead_nowhere() {
    let origin = Origin::new();
    let outside = tempfile::tempdir().expect("a folder");
    std::fs::write(outside.path().join("secret.md"), "secret\n").expect("a file");
    std::os::unix::fs::symlink(outside.path().join("secret.md"), origin.path().join("link.md")).expect("a link");
    std::os::unix::fs::symlink(outside.path(), origin.path().join("way")).expect("a link");
    origin.write("a.md", "one\n");
    let first = origin.commit("one", 0);
    let (checkout, _cache) = checkout(origin.address(), Reference::Default);
    follow(&checkout).expect("it follows");
    let shown = outside.path().display().to_string();
    let expected = [("a.md".to_owned(), "one\n".to_owned()), ("link.md".to_owned(), format!("{shown}/secret.md")), ("way".to_owned(), shown.clone())];
    assert_eq!(files(&checkout.tree()), expected);

    // A folder takes the place of the link: it is written into the tree, not through the link.
    origin.git(&["rm", "--quiet", "way"]);
    origin.write("way/written.md", "inside\n");
    origin.commit("two", 10);
    follow(&checkout).expect("it follows");
    assert!(checkout.tree().join("way/written.md").is_file());
    assert_eq!(files(outside.path()), as_files(&[("secret.md", "secret\n")]));

    // An export follows neither links of the commit nor those that lie in the folder already.
    let target = tempfile::tempdir().expect("a folder");
    std::os::unix::fs::symlink(outside.path(), target.path().join("way")).expect("a link");
    let history = origin.history();
    let second = history.head().expect("git runs").expect("a commit");
    assert_eq!(history.export(&first, target.path(), &|_| true), Ok(1));
    assert_eq!(history.export(&second, target.path(), &|_| true), Ok(1), "what would go through the link is left out");
    assert_eq!(files(outside.path()), as_files(&[("secret.md", "secret\n")]));
}

#[test]
fn a_tree_with_paths_that_climb_writes_nothing_outside() {
    let origin = Origin::new();
    let blob = origin.git_with(&["hash-object", "-w", "--stdin"], b"evil\n", 0);
    let raw = (0..40).step_by(2).map(|at| u8::from_str_radix(&blob[at..at + 2], 16).expect("digits")).collect::<Vec<u8>>();
    // `git mktree` refuses such names, so the trees are written as objects.
    let tree = |entries: &[(&str, &str, &[u8])]| {
        let mut bytes = Vec::new();
        for (mode, name, id) in entries {
            bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
            bytes.extend_from_slice(id);
        }
        origin.git_with(&["hash-object", "-w", "-t", "tree", "--literally", "--stdin"], &bytes, 0)
    };
    let raw_of = |id: &str| (0..40).step_by(2).map(|at| u8::from_str_radix(&id[at..at + 2], 16).expect("digits")).collect::<Vec<u8>>();
    let climbing = raw_of(&tree(&[("100644", "escaped.md", &raw)]));
    let repository = raw_of(&tree(&[("100644", "config", &raw)]));
    let whole = tree(&[
        ("40000", "..", &climbing),
        ("100644", "../up.md", &raw),
        ("40000", ".GIT", &repository),
        ("100644", "/abs.md", &raw),
        ("100644", "clash", &raw),
        ("40000", "clash", &climbing),
        ("100644", "good.md", &raw),
    ]);
    let commit = origin.git(&["commit-tree", &whole, "-m", "evil"]);
    origin.git(&["update-ref", "refs/heads/main", &commit]);

    let around = tempfile::tempdir().expect("a folder");
    let target = around.path().join("a/b");
    let history = origin.history();
    let head = history.head().expect("git runs").expect("a commit");
    assert_eq!(history.export(&head, &target, &|_| true), Ok(2));
    assert_eq!(files(around.path()), as_files(&[("a/b/clash", "evil\n"), ("a/b/good.md", "evil\n")]));

    // As a checkout, git itself refuses it; the tree stays empty and the error says why.
    let (checkout, cache) = checkout(origin.address(), Reference::Default);
    let commit = checkout.fetch(LONG, &|| false).expect("it fetches");
    let error = checkout.switch(&commit).expect_err("such a tree is not written");
    assert!(error.to_string().contains("invalid path"), "{error}");
    assert!(checkout.current() == Ok(None) && !checkout.tree().join("escaped.md").exists());
    let mut names: Vec<_> = std::fs::read_dir(cache.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, ["clone.git", "fetch.lock", "fetched", "switch.lock", "switching", "tree"]);
}
