//! What a person writes in `ibid.toml`, and what comes of it.

use std::path::Path;

use super::{Sources, load};

fn write(folder: &Path, text: &str) {
    std::fs::write(folder.join("ibid.toml"), text).unwrap();
}

fn project(folder: &Path) -> Sources {
    Sources { start: folder.to_path_buf(), ..Sources::default() }
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest_one() {
    let folder = tempfile::tempdir().unwrap();
    for (text, wrong, near) in [
        ("nmae = \"x\"\n", "nmae", "name"),
        ("[[collections]]\npath = \".\"\nexcludes = []\n", "collections[].excludes", "collections[].exclude"),
        ("[server]\nbnid = \"x\"\n", "server.bnid", "server.bind"),
    ] {
        write(folder.path(), text);
        let error = load(&project(folder.path())).unwrap_err();
        assert!(error.message.contains(&format!("\"{wrong}\"")), "{error}");
        assert!(error.hint.as_deref().unwrap_or_default().contains(near), "{error}");
    }
}

#[test]
fn wrong_types_missing_folders_and_broken_files_name_the_place() {
    let folder = tempfile::tempdir().unwrap();
    for (text, part) in [
        ("name = 3\n", "name must be a text, but is integer 3"),
        ("collections = 1\n", "collections must be a list of tables"),
        ("[[collections]]\nname = \"a\"\n", "collections[0] has no path"),
        ("[[collections]]\npath = \"nowhere\"\n", "nowhere does not exist"),
        ("[[collections]]\npath = \".\"\nkind = \"notez\"\n", "there is no kind \"notez\""),
        ("name = \"a\"\n\nname = \"b\"\n", "ibid.toml:3"),
        ("[[collections]]\npath = \".\"\nname = \"a\"\n[[collections]]\npath = \"..\"\nname = \"a\"\n", "two collections are named \"a\""),
    ] {
        write(folder.path(), text);
        let mut sources = project(folder.path());
        // Read as the user's own file, so that `..` is not set aside first.
        sources.user_folder = Some(folder.path().to_path_buf());
        let error = load(&sources).unwrap_err();
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn a_cloned_project_cannot_grant_itself_anything() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("project");
    std::fs::create_dir_all(inside.join("adr")).unwrap();
    std::fs::create_dir_all(folder.path().join("private")).unwrap();
    write(
        &inside,
        "store = \"postgres://evil\"\n[[collections]]\npath = \"adr\"\n[[collections]]\npath = \"../private\"\n[tools]\ncreate_record = true\nsearch = false\n[server]\nbind = \"0.0.0.0:80\"\nallowed_hosts = [\"evil\"]\n",
    );
    let config = load(&project(&inside)).unwrap();
    assert_eq!(config.store, None);
    assert_eq!(config.collections.len(), 1);
    assert_eq!(config.tools, [("search".to_owned(), false)]);
    assert_eq!(config.server.bind, "127.0.0.1:4242");
    assert!(config.server.allowed_hosts.is_empty());
    assert_eq!(config.notices.len(), 5, "{:?}", config.notices);
}

#[test]
fn flags_win_over_environment_over_user_file() {
    let folder = tempfile::tempdir().unwrap();
    let user = folder.path().join("user");
    let records = folder.path().join("records");
    std::fs::create_dir_all(&user).unwrap();
    std::fs::create_dir_all(&records).unwrap();
    write(&user, "[server]\nbind = \"127.0.0.1:1\"\npublic_url = \"https://a.example\"\n[tools]\ncreate_record = true\n");
    let mut sources = Sources { paths: vec![records], user_folder: Some(user), ..Sources::default() };
    assert_eq!(load(&sources).unwrap().server.bind, "127.0.0.1:1");
    sources.environment = vec![("bind".to_owned(), "127.0.0.1:2".to_owned())];
    assert_eq!(load(&sources).unwrap().server.bind, "127.0.0.1:2");
    sources.bind = Some("127.0.0.1:3".to_owned());
    let config = load(&sources).unwrap();
    assert_eq!(config.server.bind, "127.0.0.1:3");
    assert_eq!(config.server.public_url.as_deref(), Some("https://a.example"));
    assert_eq!(config.tools, [("create_record".to_owned(), true)]);
    assert_eq!(config.name, "records");
    sources.environment = vec![("bnid".to_owned(), "x".to_owned())];
    assert!(load(&sources).unwrap_err().hint.unwrap().contains("IBID_BIND"));
}

#[test]
fn folders_of_one_name_get_their_parents_in_front() {
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = ["a/adr", "b/adr"].iter().map(|path| folder.path().join(path)).collect();
    for path in &paths {
        std::fs::create_dir_all(path).unwrap();
    }
    let config = load(&Sources { paths: vec![paths[0].clone(), paths[1].clone(), paths[0].clone()], ..Sources::default() }).unwrap();
    let names: Vec<&str> = config.collections.iter().map(|collection| collection.name.as_str()).collect();
    assert_eq!(names, ["adr", "b-adr"]);
}
