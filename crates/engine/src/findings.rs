//! Everything that can be wrong in a library's files: each code with what it means and how to mend it. `docs/reference/findings.md` is made from it.

use std::fmt::Write as _;

use document::Severity;

/// A kind of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Stable name in kebab case.
    pub code: &'static str,
    /// How bad it usually is; single findings may be milder.
    pub severity: Severity,
    /// What it means: a sentence.
    pub meaning: &'static str,
    /// How to mend it: a sentence.
    pub mend: &'static str,
}

/// What kinds have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Heading of the page.
    pub title: &'static str,
    /// The kinds, by code.
    pub kinds: &'static [Kind],
}

const fn kind(code: &'static str, severity: Severity, meaning: &'static str, mend: &'static str) -> Kind {
    Kind { code, severity, meaning, mend }
}

use Severity::{Error, Note, Warning};

/// All of them.
pub const GROUPS: [Group; 6] = [
    Group {
        title: "Between records",
        kinds: &[
            kind("ambiguous-target", Warning, "A relation fits several records.", "Write the full id, or link to the file."),
            kind(
                "dangling-relation",
                Error,
                "A relation names a record, number or file that is not there.",
                "Correct the name, or take the relation out.",
            ),
            kind(
                "duplicate-number",
                Warning,
                "Another record of the same folder and type has the number too, so ids by number are ambiguous.",
                "Give one of them another number, or use full ids.",
            ),
            kind(
                "missing-amended-by",
                Warning,
                "Another record says that it amends this one, and this one does not say so.",
                "Add the line that the finding shows.",
            ),
            kind(
                "missing-amends",
                Note,
                "Another record says that this one amends it, and this one does not say so.",
                "Add the line that the finding shows.",
            ),
            kind(
                "missing-superseded-by",
                Warning,
                "Another record says that it supersedes this one, and this one does not say so: whoever reads it takes it for the last word.",
                "Add the line that the finding shows, and change the status.",
            ),
            kind(
                "missing-supersedes",
                Note,
                "Another record says that this one supersedes it, and this one does not say so.",
                "Add the line that the finding shows.",
            ),
            kind("self-reference", Error, "A relation points at the record that states it.", "Name the other record."),
            kind(
                "several-successors",
                Note,
                "Several records take the whole place of this one, and more than one of them is the last of its chain.",
                "Say `superseded in part by` where each takes over a part.",
            ),
            kind(
                "superseded-but-current",
                Warning,
                "It names the record that takes its place, but its status is still one that is in force.",
                "Change the status to `superseded`.",
            ),
            kind("superseded-without-target", Note, "It says superseded, but not by what.", "Name the record that takes its place."),
            kind("supersedes-newer", Note, "It supersedes a record of a later date.", "Check the direction of the relation, and the dates."),
            kind(
                "supersession-cycle",
                Error,
                "Records supersede each other in a circle, so that none of them is the current one.",
                "Take out the relation that has the wrong direction.",
            ),
        ],
    },
    Group {
        title: "Metadata, by what is declared and by the day",
        kinds: &[
            kind("field-not-a-boolean", Warning, "A field that is declared as boolean has another value.", "Write true or false."),
            kind("field-not-a-date", Warning, "A field that is declared as a date names no day that exists.", "Write it as YYYY-MM-DD."),
            kind(
                "field-not-a-number",
                Warning,
                "A field that is declared as a number has another value.",
                "Write the number alone, or with its declared unit.",
            ),
            kind(
                "field-not-a-url",
                Warning,
                "A field that is declared as an address has none.",
                "Write the whole address, such as https://example.org/.",
            ),
            kind(
                "field-value-not-allowed",
                Warning,
                "A field has a value that its declaration does not allow.",
                "Use one of the declared values, or declare this one.",
            ),
            kind(
                "field-with-several-values",
                Warning,
                "A field has several values where its type allows one.",
                "Keep one, or declare the field as a list.",
            ),
            kind("review-in-the-future", Warning, "The last review of a record is still to come.", "Correct the day of the last review."),
        ],
    },
    Group {
        title: "What a record says of itself",
        kinds: &[
            kind("duplicate-key", Warning, "A key stands twice in the header; the first one counts.", "Take one of them out."),
            kind("duplicate-reviewer", Note, "A reviewer is named twice.", "Take one of the entries out; the first that states something counts."),
            kind(
                "impossible-date",
                Warning,
                "A date that does not exist, such as one in month 27.",
                "Write it as YYYY-MM-DD; month and day may be swapped.",
            ),
            kind("misspelt-status", Note, "A slip such as `imlpemented`, read as what it means.", "Correct the spelling."),
            kind(
                "number-disagrees",
                Warning,
                "Heading and file name state different numbers; the name counts.",
                "Correct the heading, or rename the file.",
            ),
            kind("relation-without-target", Note, "A relation whose value names no record.", "Write a link, path, number or id."),
            kind(
                "review-without-start",
                Note,
                "It has a review interval, but neither a last review nor a date to count from.",
                "Add the date, or the day of the last review.",
            ),
            kind("status-disagrees", Warning, "Two places state different statuses; the first one counts.", "Make the two say the same."),
            kind("template-date", Warning, "The date is a template's and was not filled in.", "Write it as YYYY-MM-DD."),
            kind("template-status", Warning, "The status is a template's and was not filled in.", "Leave the one word that holds."),
            kind("template-title", Warning, "The title is a template's and was not filled in.", "Write what was decided."),
            kind(
                "unknown-review-state",
                Warning,
                "A reviewer's word is no state of a review; it counts as pending.",
                "Write approved, changes requested, commented, abstained or pending.",
            ),
            kind("unreadable-approvals", Warning, "The number of approvals is no whole number.", "For example: approvals_required: 2."),
            kind("unreadable-date", Note, "Words in which no date can be found.", "Write it as YYYY-MM-DD."),
            kind("unreadable-interval", Warning, "The review interval cannot be read.", "For example: every: 6 months."),
            kind("unreadable-review-date", Warning, "A day of the review cannot be read.", "Write it as YYYY-MM-DD."),
            kind("unreadable-status", Warning, "Words in which no status can be found.", "Begin with the word that holds, such as `accepted`."),
        ],
    },
    Group {
        title: "The form of a file",
        kinds: &[
            kind("binary-file", Error, "It holds NUL bytes; the record has no text.", "Save it as text."),
            kind(
                "broken-front-matter",
                Warning,
                "Its front matter is no valid YAML; it was read line by line.",
                "Put quotes around values that hold : # { } [ ] @ or |.",
            ),
            kind("broken-sidecar", Warning, "A file beside the record is no valid YAML; it was read line by line.", "Mend its YAML."),
            kind("not-utf-8", Warning, "It holds other bytes than UTF-8; it was decoded as far as possible.", "Save it as UTF-8."),
            kind("toml-front-matter", Note, "Its header is TOML; it was read line by line.", "Write YAML between --- lines."),
        ],
    },
    Group {
        title: "Files and folders",
        kinds: &[
            kind("bad-ignore-line", Warning, "A line of an ignore file is no pattern.", "Correct the line."),
            kind(
                "folder-missing",
                Error,
                "The folder of the collection is not there.",
                "Bring it back, or take the collection out of the configuration.",
            ),
            kind("link-broken", Warning, "A symbolic link leads nowhere; it is not followed.", "Mend or remove the link."),
            kind("link-loop", Warning, "A symbolic link leads back into itself; it is not followed.", "Remove the link."),
            kind(
                "link-out-of-folder",
                Warning,
                "A symbolic link leads out of the folder; it is not followed.",
                "Add the folder that it leads to as a collection of its own.",
            ),
            kind("name-not-utf8", Warning, "A name that is no UTF-8; the file is left out.", "Rename the file."),
            kind("name-too-long", Error, "A path that is too long to be stored; the record is left out.", "Shorten its path."),
            kind("name-twice", Warning, "Two names that are one in Unicode; one of them is left out.", "Rename one of them."),
            kind("not-a-folder", Error, "The folder of the collection is a file.", "Name a folder."),
            kind("special-file", Note, "A pipe, socket or device; it is not read.", "Ignore it."),
            kind("too-deep", Warning, "A folder that is too deep; what lies below it is left out.", "Move it up."),
            kind("too-large", Error, "A file over the limit; the record is listed by its name only.", "Split the file, or ignore it."),
            kind(
                "unreadable",
                Error,
                "The system does not let ibid read it; a record is listed by its name only.",
                "Check its permissions, or ignore it.",
            ),
        ],
    },
    Group {
        title: "Descriptions of projects, and published sites",
        kinds: &[
            kind("bad-project-order", Warning, "The `order` of a `_project.yml` is no number.", "Write a whole number."),
            kind("broken-project-file", Warning, "A `_project.yml` is no valid YAML; it was read line by line.", "Mend its YAML."),
            kind("duplicate-field", Warning, "A `_project.yml` declares a field twice; the first one counts.", "Take one of them out."),
            kind("enum-without-values", Warning, "A field is declared as an enum without values.", "List its values."),
            kind("field-name-taken", Warning, "A field is declared under a name that ibid reads itself.", "Give the field another name."),
            kind("more-problems", Note, "A published list has more problems than are listed.", "Mend the ones that are listed."),
            kind("nameless-field", Warning, "A `_project.yml` declares a field without a name.", "Give it a name."),
            kind("published-member", Warning, "A part of a published list cannot be used and was left out.", "Tell whoever publishes the site."),
            kind("published-record", Error, "A record of a published list cannot be used and was left out.", "Tell whoever publishes the site."),
            kind("unknown-field-type", Warning, "A field is declared with an unknown type.", "Write text, number, date, enum, list, boolean or url."),
            kind("unknown-project-key", Note, "A `_project.yml` has a key that ibid does not know.", "Correct the key, or take it out."),
        ],
    },
];

/// The kind of a code.
#[must_use]
pub fn kind_of(code: &str) -> Option<&'static Kind> {
    GROUPS.iter().flat_map(|group| group.kinds).find(|kind| kind.code == code)
}

/// Whether a code is of what stands between records, or depends on declarations and the day: that is looked for when somebody asks, and stored nowhere.
#[must_use]
pub fn is_looked_for(code: &str) -> bool {
    GROUPS.iter().take(2).any(|group| group.kinds.iter().any(|kind| kind.code == code))
}

/// The page for people, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = String::from(
        "# Findings: what `ibid check` tells\n\n<!-- Made from crates/engine/src/findings.rs by `cargo xtask gen`. -->\n\n\
         Each line of `ibid check` names the file, the line where there is one, how bad it is, a code, and what is wrong. The codes are stable.\n\
         *Errors* make `ibid check` exit 1, with `--strict` *warnings* do too. *Notes* are shown with `--severity note`.\n\n\
         What stands between records is found when somebody asks, by comparing all of them; nothing of it is stored. `get_record` shows what concerns its\n\
         record.\n",
    );
    for group in GROUPS {
        let _ = write!(page, "\n## {}\n\n| code | severity | means | to mend it |\n| --- | --- | --- | --- |\n", group.title);
        for Kind { code, severity, meaning, mend } in group.kinds {
            let _ = writeln!(page, "| `{code}` | {} | {} | {} |", severity.as_str(), meaning.replace('|', "\\|"), mend.replace('|', "\\|"));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{GROUPS, reference};

    fn crates() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    /// Codes as they stand in the sources that make problems: a literal behind one of the words that take one.
    fn made(folder: &Path, codes: &mut BTreeSet<String>) {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                if !path.ends_with("contract") {
                    made(&path, codes);
                }
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            for opening in ["Problem::new(", "problem(", " warning(", "(warning(", "problems.add(", ".problem(", " => \"", "Some((\""] {
                for (at, _) in text.match_indices(opening) {
                    let rest = text[at + opening.len()..].trim_start().trim_start_matches('"');
                    let code: String = rest.chars().take_while(|character| character.is_ascii_lowercase() || "-8".contains(*character)).collect();
                    let is_whole = rest[code.len()..].starts_with('"');
                    if is_whole && code.contains('-') || is_whole && code == "unreadable" && opening == "Problem::new(" {
                        codes.insert(code);
                    }
                }
            }
        }
    }

    #[test]
    fn every_code_that_is_made_is_listed_and_sorted() {
        for group in GROUPS {
            let codes: Vec<&str> = group.kinds.iter().map(|kind| kind.code).collect();
            assert!(codes.is_sorted(), "{codes:?}");
        }
        let listed: BTreeSet<String> = GROUPS.iter().flat_map(|group| group.kinds).map(|kind| kind.code.to_owned()).collect();
        let mut found = BTreeSet::new();
        for folder in ["source/src/folder", "source/src/formats", "store/src", "engine/src/sync", "engine/src/decisions"] {
            made(&crates().join(folder), &mut found);
        }
        found.insert("link-out-of-folder".to_owned());
        let missing: Vec<&String> = listed.difference(&found).collect();
        assert!(missing.is_empty(), "listed and never made: {missing:?}");
        // Words of other lists, and faults of one file that end a command and are no problems of a library.
        let others = [
            "path-refused",
            "not-found",
            "read-only",
            "requested-changes",
            "amended-by",
            "clarified-by",
            "depends-on",
            "required-by",
            "see-also",
            "superseded-by",
        ];
        let unlisted: Vec<&String> = found.difference(&listed).filter(|code| !others.contains(&code.as_str())).collect();
        assert!(unlisted.is_empty(), "made and not listed: {unlisted:?}");
    }

    #[test]
    fn the_page_of_findings_is_fresh() {
        let path = crates().join("../docs/reference/findings.md");
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(&path, reference()).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == reference(), "docs/reference/findings.md is not what the list says; UPDATE=1 cargo test -p engine rewrites it");
    }
}
