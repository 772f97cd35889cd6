//! Commits, replacements, and what happens to a damaged index.

mod library;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use index::{Filter, Index, IndexDocument, Query, Writer};
use library::{Library, note, page};
use proptest::prelude::*;

fn writer(index: &Index) -> Writer<'_> {
    index.writer(Duration::from_secs(10)).unwrap().unwrap()
}

fn put(index: &Index, sequence: u64, documents: &[IndexDocument]) {
    let mut writer = writer(index);
    for document in documents {
        writer.put(document).unwrap();
    }
    writer.commit(sequence).unwrap();
}

#[test]
fn a_new_index_is_empty_and_a_commit_carries_its_number() {
    let directory = tempfile::tempdir().unwrap();
    let index = Index::open(&directory.path().join("not/yet/there")).unwrap();
    assert_eq!((index.checkpoint().unwrap(), index.count_passages()), (0, 0));
    put(&index, 5, &[note(1, "A", "text")]);
    assert_eq!((index.checkpoint().unwrap(), index.count_passages()), (5, 1));
    put(&index, 9, &[]);
    assert_eq!((index.checkpoint().unwrap(), index.count_passages()), (9, 1));
    assert!(index.size_bytes() > 0);
    let again = Index::open(&directory.path().join("not/yet/there")).unwrap();
    assert_eq!((again.checkpoint().unwrap(), again.count_passages()), (9, 1));
}

#[test]
fn a_document_put_again_is_replaced_whole_also_inside_one_commit() {
    let library = Library::of([note(1, "Old", "apple"), note(2, "Other", "pear")]);
    let mut long = note(1, "Draft", "banana");
    long.passages = vec![long.passages[0].clone(); 5];
    put(&library.index, 2, &[long, note(1, "New", "cherry"), note(3, "Twice", "one"), note(3, "Twice", "two")]);
    assert!(library.find("apple").is_empty() && library.find("banana").is_empty() && library.find("one").is_empty());
    assert_eq!((library.find("cherry"), library.find("two")), (vec![1], vec![3]));
    assert_eq!(library.index.count_passages(), 3);
}

#[test]
fn removed_documents_are_gone_and_what_is_not_committed_never_was() {
    let library = Library::of([note(1, "A", "apple"), note(2, "B", "apple")]);
    let mut writer = writer(&library.index);
    writer.remove(1).unwrap();
    writer.remove(77).unwrap();
    assert_eq!(library.find("apple"), [1, 2]);
    drop(writer);
    assert_eq!(library.find("apple"), [1, 2]);
    let mut writer = library.index.writer(Duration::from_secs(10)).unwrap().unwrap();
    writer.remove(1).unwrap();
    writer.put(&note(4, "D", "apple")).unwrap();
    writer.remove(4).unwrap();
    writer.commit(2).unwrap();
    drop(writer);
    assert_eq!(library.find("apple"), [2]);
}

#[test]
fn a_document_without_passages_is_found_by_its_title_and_facts() {
    let mut document = note(1, "Empty page", "");
    document.passages.clear();
    document.tags = vec!["stub".into()];
    let library = Library::of([document]);
    assert_eq!((library.find("empty"), library.find("tag:stub"), library.find("stub")), (vec![1], vec![1], vec![1]));
}

#[test]
fn many_small_commits_leave_few_files() {
    let library = Library::of([note(0, "First", "word")]);
    for sequence in 1..80 {
        put(&library.index, sequence + 1, &[note(sequence as i64 % 20, "Edited", &format!("word number{sequence}"))]);
    }
    assert_eq!(library.sorted("word").len(), 20);
    assert_eq!(library.find("number79"), [19]);
    assert!(library.find("number59").is_empty());
    while library.index.join_segments().unwrap() {}
    assert_eq!((library.sorted("word").len(), library.index.checkpoint().unwrap()), (20, 80));
    let files = files(library.directory.path());
    assert!(files.len() < 120, "{files:?}");
}

/// All files of the index but locks.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_none_or(|extension| extension != "lock") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn of_segments(directory: &Path) -> Vec<PathBuf> {
    files(directory).into_iter().filter(|path| !matches!(path.extension().and_then(|extension| extension.to_str()), None | Some("json"))).collect()
}

/// Whatever was done to the files: the index opens, says that it holds nothing, and can be built again.
fn is_built_anew(directory: &Path, damage: &str) {
    let index = Index::open(directory).unwrap();
    assert_eq!((index.checkpoint().unwrap(), index.count_passages()), (0, 0), "{damage}");
    put(&index, 3, &[note(1, "A", "apple")]);
    assert_eq!(index.search(&Query::parse("apple").unwrap(), &Filter::default(), page(5)).unwrap().hits.len(), 1);
    assert_eq!(Index::open(directory).unwrap().checkpoint().unwrap(), 3);
}

#[test]
fn a_damaged_index_is_built_anew() {
    type Damage = fn(&Path);
    let damages: [(&str, Damage); 8] = [
        ("meta cut", |root| fs::write(root.join("words-1/meta.json"), b"{\"segments\": [").unwrap()),
        ("meta empty", |root| fs::write(root.join("words-1/meta.json"), b"").unwrap()),
        ("meta lost", |root| fs::remove_file(root.join("words-1/meta.json")).unwrap()),
        ("list of files is garbage", |root| fs::write(root.join("words-1/.managed.json"), b"\xff\xfe").unwrap()),
        ("segment files lost", |root| of_segments(root).iter().for_each(|path| fs::remove_file(path).unwrap())),
        ("segment files cut", |root| of_segments(root).iter().for_each(|path| fs::write(path, b"").unwrap())),
        ("segment files are garbage", |root| of_segments(root).iter().for_each(|path| fs::write(path, [7; 64]).unwrap())),
        ("a file where the folder was", |root| {
            fs::remove_dir_all(root.join("words-1")).unwrap();
            fs::write(root.join("words-1"), b"?").unwrap();
        }),
    ];
    for (name, damage) in damages {
        let library = Library::of([note(1, "A", "apple")]);
        let Library { index, directory } = library;
        drop(index);
        damage(directory.path());
        is_built_anew(directory.path(), name);
    }
}

#[test]
fn damage_is_noticed_while_the_index_is_open() {
    let library = Library::of([note(1, "A", "apple")]);
    fs::write(library.directory.path().join("words-1/meta.json"), b"garbage").unwrap();
    assert_eq!(library.index.checkpoint().unwrap(), 0);
    assert!(library.find("apple").is_empty());
    fs::remove_dir_all(library.directory.path().join("words-1")).unwrap();
    assert_eq!(library.index.checkpoint().unwrap(), 0);
    put(&library.index, 2, &[note(1, "A", "apple")]);
    assert_eq!(library.find("apple"), [1]);
}

#[test]
fn torn_postings_are_noticed_by_the_search_that_meets_them() {
    let library = Library::of((1..400).map(|id| note(id, "Apple", "apple pie with cream and apple sauce")));
    let Library { index, directory } = library;
    drop(index);
    for path in of_segments(directory.path()) {
        if path.extension().is_some_and(|extension| extension == "idx" || extension == "pos") {
            let mut bytes = fs::read(&path).unwrap();
            let end = bytes.len() - 200;
            bytes[..end].fill(0xff);
            fs::write(&path, bytes).unwrap();
        }
    }
    let index = Index::open(directory.path()).unwrap();
    let found = index.search(&Query::parse("\"apple pie\" cream").unwrap(), &Filter::default(), page(5));
    // Either nothing was wrong with what it read, or the index is empty now; it never fails.
    assert!(found.is_ok());
}

#[test]
fn another_version_is_deleted_and_the_index_begins_anew() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("words-0")).unwrap();
    fs::write(directory.path().join("words-0/meta.json"), b"old").unwrap();
    is_built_anew(directory.path(), "another version");
    assert!(!directory.path().join("words-0").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn after_the_machine_was_restarted_torn_files_are_noticed() {
    let library = Library::of([note(1, "A", "apple pie with cream"), note(2, "B", "pear")]);
    let Library { index, directory } = library;
    drop(index);
    let boot = directory.path().join("words-1/boot-id");
    let now = fs::read_to_string(&boot).unwrap();
    fs::write(&boot, "of another boot").unwrap();
    assert_eq!(Index::open(directory.path()).unwrap().checkpoint().unwrap(), 1);
    assert_eq!(fs::read_to_string(&boot).unwrap(), now);
    fs::write(&boot, "of another boot").unwrap();
    let torn = of_segments(directory.path()).into_iter().find(|path| path.extension().is_some_and(|extension| extension == "idx")).unwrap();
    let mut bytes = fs::read(&torn).unwrap();
    bytes[3] ^= 0xff;
    fs::write(&torn, bytes).unwrap();
    is_built_anew(directory.path(), "torn");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Replayed in any portions, a change log gives the same index.
    #[test]
    fn the_index_holds_what_the_changes_left(changes in prop::collection::vec((0..6_i64, prop::option::of(0..4_usize), any::<bool>()), 1..25)) {
        let words = ["ash", "birch", "cedar", "dogwood"];
        let library = Library::of([]);
        let mut model: std::collections::BTreeMap<i64, usize> = std::collections::BTreeMap::new();
        let mut open: Option<Writer<'_>> = None;
        for (number, (id, change, ends)) in changes.iter().enumerate() {
            let mut writer = open.take().unwrap_or_else(|| writer(&library.index));
            match change {
                Some(word) => {
                    writer.put(&note(*id, "tree", words[*word])).unwrap();
                    model.insert(*id, *word);
                }
                None => {
                    writer.remove(*id).unwrap();
                    model.remove(id);
                }
            }
            let is_last = number + 1 == changes.len();
            if *ends || is_last {
                writer.commit(number as u64 + 2).unwrap();
            }
            if !*ends && !is_last {
                open = Some(writer);
            }
        }
        for (number, word) in words.iter().enumerate() {
            let expected: Vec<i64> = model.iter().filter(|(_, held)| **held == number).map(|(id, _)| *id).collect();
            prop_assert_eq!(library.sorted(word), expected);
        }
        prop_assert_eq!(library.index.count_passages() as usize, model.len());
    }
}
