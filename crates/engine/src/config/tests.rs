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
        ("[[collections]]\nname = \"a\"\n", "a collection has no path, repository or source"),
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
fn a_field_that_cannot_be_meant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let risk = "[[fields]]\nname = \"risk\"\n";
    for (text, part, hint) in [
        ("[[fields]]\ntype = \"text\"\n".to_owned(), "fields[0]: It has no name.", ""),
        (
            format!("{risk}type = \"colour\"\n"),
            "The field \"risk\" has the type \"colour\", which is none.",
            "The types are text, number, date, enum, list, boolean or url.",
        ),
        (format!("{risk}type = \"enum\"\n"), "The field \"risk\" is an enum without values.", "values: [low, high]"),
        (format!("{risk}{risk}"), "fields[1]: The field \"risk\" is declared twice.", "Leave one"),
        ("[[fields]]\nname = \"superseded-by\"\n".to_owned(), "has the name of something that ibid reads itself", "another name"),
    ] {
        write(folder.path(), &text);
        let error = load(&project(folder.path())).unwrap_err();
        assert!(error.message.contains(part) && error.hint.as_deref().unwrap_or_default().contains(hint), "{error:?}");
    }
    write(folder.path(), &format!("{risk}values = [\"low\"]\n[[fields]]\nname = \"cost\"\ntype = \"Integer\"\nunit = \"EUR\"\n"));
    let config = load(&project(folder.path())).unwrap();
    let kinds: Vec<(&str, &str)> = config.fields.iter().map(|field| (field.name.as_str(), field.kind().as_str())).collect();
    assert_eq!(kinds, [("risk", "enum"), ("cost", "number")]);
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

#[test]
fn a_project_reaches_out_only_where_its_folder_is_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let (inside, user) = (folder.path().join("project"), folder.path().join("user"));
    for path in [&inside, &user] {
        std::fs::create_dir_all(path).unwrap();
    }
    write(
        &inside,
        "[[collections]]\nrepository = \"https://me:secret@example.org/acme/decisions.git\"\nbranch = \"main\"\nfolder = \"/docs/adr/\"\n\
         [[collections]]\nname = \"site\"\nsource = \"https://decisions.example.org/base/\"\n",
    );
    let sources = Sources { start: inside.clone(), user_folder: Some(user.clone()), ..Sources::default() };
    let config = load(&sources).unwrap();
    assert_eq!(config.collections, []);
    assert_eq!(config.notices.len(), 2);
    assert!(config.notices[0].contains("from https://example.org/acme/decisions.git at main, folder docs/adr was set aside"), "{:?}", config.notices);
    assert!(!config.notices[0].contains("secret"));

    let canonical = folder.path().canonicalize().unwrap();
    write(&user, &format!("trusted_folders = [{:?}]\n", canonical.display().to_string()));
    let config = load(&sources).unwrap();
    assert_eq!(config.notices, [] as [String; 0]);
    let names: Vec<(&str, String)> = config.collections.iter().map(|collection| (collection.name.as_str(), collection.origin.shown())).collect();
    assert_eq!(
        names,
        [
            ("decisions", "https://example.org/acme/decisions.git at main, folder docs/adr".to_owned()),
            ("site", "https://decisions.example.org/base".to_owned())
        ]
    );
}

#[test]
fn a_site_is_named_by_its_address_alone() {
    for address in
        ["decisions.example.org", "ftp://x", "https://", "https://me:secret@example.org", "https://example.org/?a", "https://example.org/#b"]
    {
        let error = load(&Sources { sites: vec![address.to_owned()], ..Sources::default() }).unwrap_err();
        assert_eq!(error.message, "--url must be the address of a published site");
    }
    let sites = Sources { paths: vec!["https://example.org/a/".into()], sites: vec!["http://127.0.0.1:4321".to_owned()], ..Sources::default() };
    let error = load(&sites).unwrap_err();
    assert_eq!(error.message, "Two collections would both be called \"decisions\".");
    let config = load(&Sources { sites: vec!["https://example.org/a/".to_owned()], ..Sources::default() }).unwrap();
    assert_eq!(config.collections[0].origin.shown(), "https://example.org/a");
    assert_eq!(config.name, "decisions");
}

#[test]
fn mistakes_about_where_a_collection_lies_are_told() {
    let folder = tempfile::tempdir().unwrap();
    for (entry, part) in [
        ("path = \".\"\nsource = \"https://x.example\"", "more than one of path, repository and source"),
        ("repository = \"x\"\nbranch = \"a\"\ntag = \"b\"", "both a branch and a tag"),
        ("repository = \"x\"\nfolder = \"../y\"", "does not lie in the repository"),
        ("repository = \"x\"\nrefresh_minutes = -1", "must be a whole number of minutes"),
        ("source = \"x\"", "is no address of a published site"),
    ] {
        write(folder.path(), &format!("[[collections]]\n{entry}\n"));
        let error = load(&Sources { user_folder: Some(folder.path().to_path_buf()), ..project(folder.path()) }).unwrap_err();
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn consent_is_given_by_the_user_and_refused_by_anyone() {
    use super::Consent;
    let folder = tempfile::tempdir().unwrap();
    let (inside, user) = (folder.path().join("project"), folder.path().join("user"));
    for path in [&inside, &user] {
        std::fs::create_dir_all(path).unwrap();
    }
    write(&user, "[consent]\ncreate_record = \"always\"\nsupersede_record = \"always\"\n");
    write(&inside, "[consent]\ncreate_record = \"never\"\nset_record_status = \"always\"\n");
    let config = load(&Sources { start: inside, user_folder: Some(user), ..Sources::default() }).unwrap();
    assert_eq!(config.consent, [("supersede_record".to_owned(), Consent::Always), ("create_record".to_owned(), Consent::Never)]);
    assert_eq!(config.notices.len(), 1);
    assert!(config.notices[0].contains("consent.set_record_status"));
}
