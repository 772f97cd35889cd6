//! The table of keys in `docs/reference/configuration.md`, compared with the list in `keys.rs`; `UPDATE=1` writes it.

use std::path::Path;

use engine::config::{KEYS, Key, Trust};

const HEAD: &str = "| key | default | counts in | meaning |\n| --- | --- | --- | --- |\n";

fn table() -> String {
    let row = |key: &Key| {
        let counts = match key.trust {
            Trust::Anyone => "any file",
            Trust::UserOnly => "your own",
        };
        format!("| `{}` | {} | {counts} | {} |\n", key.path, key.default, key.meaning)
    };
    HEAD.chars().chain(KEYS.iter().map(row).collect::<String>().chars()).collect()
}

#[test]
fn the_table_of_keys_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/configuration.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.find(HEAD).unwrap();
    let length = text[start..].find("\n\n").unwrap() + 1;
    let written = format!("{}{}{}", &text[..start], table(), &text[start + length..]);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, written).unwrap();
        return;
    }
    assert_eq!(text, written, "Run: cargo xtask gen");
}
