//! The words by which folders, files and headings of decision records are known. Pure tables.

/// Folder names that hold records and nothing else, with the type that they give; `None` leaves the type to the file's name.
const CONTAINERS: &[(&str, Option<&str>)] = &[
    ("adr", Some("adr")),
    ("adrs", Some("adr")),
    ("adr-log", Some("adr")),
    ("madr", Some("adr")),
    ("decision", None),
    ("decisions", None),
    ("decision-log", None),
    ("decision-record", None),
    ("decision-records", None),
    ("design-decisions", None),
    ("architecture-decision", None),
    ("architecture-decisions", None),
    ("architecture-decision-record", None),
    ("architecture-decision-records", None),
    ("architectural-decisions", None),
    ("architectural-decision-records", None),
    ("rfc", Some("rfc")),
    ("rfcs", Some("rfc")),
    ("active-rfcs", Some("rfc")),
    ("rfd", Some("rfd")),
    ("rfds", Some("rfd")),
    ("pep", Some("pep")),
    ("peps", Some("pep")),
    ("eip", Some("eip")),
    ("eips", Some("eip")),
    ("erc", Some("erc")),
    ("ercs", Some("erc")),
    ("kep", Some("kep")),
    ("keps", Some("kep")),
    ("tep", Some("tep")),
    ("teps", Some("tep")),
    ("oep", Some("oep")),
    ("oeps", Some("oep")),
    ("cip", Some("cip")),
    ("cips", Some("cip")),
];

/// Folder names that hold records in some projects and other things in others: they count only where no sure container stands in the path.
const WEAK_CONTAINERS: &[(&str, Option<&str>)] = &[("architecture", None), ("text", Some("rfc")), ("proposals", None), ("enhancements", None)];

/// Words that begin the names and headings of records and say their type.
const TYPE_WORDS: &[&str] = &["adr", "rfc", "rfd", "pep", "eip", "erc", "kep", "tep", "oep", "cip"];

/// Folder names that say nothing about whose records lie below them.
const GENERIC_FOLDERS: &[&str] = &[
    "docs",
    "doc",
    "documentation",
    "documents",
    "references",
    "reference",
    "design",
    "packages",
    "collections",
    "content",
    "contents",
    "src",
    "site",
    "website",
    "pages",
    "developer",
    "developers",
    "dev",
    "engineering",
    "internal",
    "wiki",
    "handbook",
    "app",
    "apps",
    "libs",
    "lib",
    "modules",
    "services",
    "projects",
];

/// Folders whose files are never records.
const SIDE_FOLDERS: &[&str] = &[
    "asset",
    "assets",
    "img",
    "imgs",
    "image",
    "images",
    "media",
    "figure",
    "figures",
    "attachment",
    "attachments",
    "template",
    "templates",
    "diagram",
    "diagrams",
    "node_modules",
    "backlog",
    "static",
];

/// Whole stems that are never records.
const SIDE_STEMS: &[&str] = &[
    "readme",
    "index",
    "template",
    "templates",
    "backlog",
    "toc",
    "summary",
    "license",
    "licence",
    "notice",
    "contributing",
    "changelog",
    "security",
    "authors",
    "maintainers",
    "owners",
    "codeowners",
    "agents",
    "claude",
    "gemini",
    "code-of-conduct",
    "sidebar",
    "navbar",
    "coverpage",
    "404",
];

/// Words of which the stems of index pages are made, beside the type words.
const INDEX_WORDS: &[&str] = &[
    "index",
    "list",
    "log",
    "overview",
    "active",
    "archive",
    "archived",
    "accepted",
    "proposed",
    "rejected",
    "superseded",
    "deprecated",
    "all",
    "toc",
    "summary",
    "adrs",
    "rfcs",
    "rfds",
    "decision",
    "decisions",
    "record",
    "records",
    "architecture",
    "architectural",
    "readme",
];

/// Words that may stand beside `template` in the name of a template.
const TEMPLATE_WORDS: &[&str] = &[
    "adrs",
    "rfcs",
    "madr",
    "nygard",
    "decision",
    "decisions",
    "record",
    "records",
    "architecture",
    "architectural",
    "any",
    "short",
    "long",
    "full",
    "bare",
    "minimal",
    "simple",
    "default",
    "new",
    "the",
    "example",
    "proposal",
];

/// Headings of sections: never a record's title.
const SECTION_NAMES: &[&str] = &[
    "abstract",
    "alternatives",
    "alternatives considered",
    "author",
    "authors",
    "author(s)",
    "background",
    "changelog",
    "change log",
    "compatibility",
    "conclusion",
    "considered alternatives",
    "considered options",
    "consequences",
    "contents",
    "context",
    "context and motivation",
    "context and problem statement",
    "decision",
    "decision drivers",
    "decision outcome",
    "decisions",
    "deprecated",
    "description",
    "detailed design",
    "details",
    "discussion",
    "drawbacks",
    "drivers",
    "forces",
    "goals",
    "guide-level explanation",
    "hard fork",
    "history",
    "implementation",
    "introduction",
    "links",
    "meta",
    "meta reference",
    "metadata",
    "more information",
    "motivation",
    "note",
    "notes",
    "options",
    "outcome",
    "overview",
    "parameters",
    "problem",
    "problem description",
    "problem statement",
    "pros and cons of the options",
    "proposal",
    "rationale",
    "references",
    "release signoff checklist",
    "revision history",
    "scope",
    "simple summary",
    "solution",
    "specification",
    "state",
    "status",
    "summary",
    "table of contents",
    "terminology",
    "tl;dr",
    "toc",
    "unresolved questions",
    "what",
    "why",
    "how",
];

/// Headings of sections whose list or table is the record's metadata.
const META_NAMES: &[&str] = &[
    "meta",
    "metadata",
    "header",
    "header preamble",
    "document info",
    "document information",
    "adr metadata",
    "decision metadata",
    "record metadata",
];

/// A folder's or key's name in the form in which the tables hold it.
pub(super) fn folded(name: &str) -> String {
    name.trim_start_matches(['_', '.']).trim().to_lowercase().replace(['_', ' '], "-")
}

/// The type that a folder of records gives: outer `None` where the folder is no sure container, inner `None` where it gives no type.
pub(super) fn container(name: &str) -> Option<Option<&'static str>> {
    let name = folded(name);
    CONTAINERS.iter().find(|(word, _)| *word == name).map(|(_, record_type)| *record_type)
}

/// The same for folders that are containers only where no sure one stands in the path.
pub(super) fn weak_container(name: &str) -> Option<Option<&'static str>> {
    let name = folded(name);
    WEAK_CONTAINERS.iter().find(|(word, _)| *word == name).map(|(_, record_type)| *record_type)
}

/// The record type that a word names (`ADR`, `rfc`, `keps`).
pub(super) fn type_word(word: &str) -> Option<&'static str> {
    let word = word.to_lowercase();
    TYPE_WORDS.iter().find(|known| **known == word).copied()
}

/// Whether a folder's name says nothing about whose records lie below it.
pub(super) fn is_generic_folder(name: &str) -> bool {
    let lower = name.to_lowercase();
    name.starts_with(['.', '_']) || GENERIC_FOLDERS.contains(&lower.as_str()) || container(name).is_some() || weak_container(name).is_some()
}

/// Whether files below a folder of this name are never records.
pub(super) fn is_side_folder(name: &str) -> bool {
    let lower = name.to_lowercase();
    SIDE_FOLDERS.contains(&lower.trim_start_matches('_')) || matches!(lower.as_str(), ".git" | ".github" | ".obsidian") || is_template_name(name)
}

/// Whether a stem, taken as a whole, names an index, a notice or another page that is no record.
pub(super) fn is_side_stem(stem: &str) -> bool {
    let name = folded(stem);
    if SIDE_STEMS.contains(&name.as_str()) {
        return true;
    }
    let words = name_words(stem);
    let only_index_words = words.iter().all(|word| INDEX_WORDS.contains(&word.as_str()) || type_word(word).is_some());
    only_index_words && words.len() > 1 || (words.len() == 1 && INDEX_WORDS.contains(&words[0].as_str()))
}

/// Whether a name, taken as a whole, is that of a template: `adr-template`, `0000-TEMPLATE`, `NNNN-kep-template`, `YYYY-MM-DD-template`,
/// but not `0023-handlebars-template-engine` and not `adr-014-project-templates`.
pub(super) fn is_template_name(name: &str) -> bool {
    let words = name_words(name);
    if !words.iter().any(|word| word == "template" || word == "templates") {
        return false;
    }
    let has_placeholder = words.iter().any(|word| is_placeholder(word));
    let ends_so = words.last().is_some_and(|word| word == "template" || word == "templates");
    let others_fit = words
        .iter()
        .all(|word| word.starts_with("template") || TEMPLATE_WORDS.contains(&word.as_str()) || type_word(word).is_some() || is_placeholder(word));
    others_fit || (has_placeholder && ends_so)
}

/// A number that stands for none: `0000`, `NNNN`, `xxx`, `YYYY`, `MM`, `DD`.
fn is_placeholder(word: &str) -> bool {
    let zeros = word.len() >= 2 && word.bytes().all(|byte| byte == b'0');
    let letters = word.len() >= 2 && ["n", "x", "y", "m", "d"].iter().any(|letter| word.chars().all(|character| letter.starts_with(character)));
    zeros || letters
}

fn name_words(name: &str) -> Vec<String> {
    name.to_lowercase().split(['-', '_', '.', ' ']).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// A heading in the form in which the tables hold it: lower case, without numbering, marks and emoji around it.
pub(super) fn folded_heading(text: &str) -> String {
    let core = text.trim_matches(|character: char| !character.is_alphanumeric() && character != '(' && character != ')');
    let core = core.trim_start_matches(|character: char| character.is_ascii_digit() || character == '.' || character == ')').trim();
    core.to_lowercase()
}

/// Whether a heading is that of a section and never a title.
pub(super) fn is_section_name(text: &str) -> bool {
    let name = folded_heading(text);
    SECTION_NAMES.contains(&name.as_str()) || META_NAMES.contains(&name.as_str())
}

/// Whether a heading stands above a record's metadata.
pub(super) fn is_meta_name(text: &str) -> bool {
    META_NAMES.contains(&folded_heading(text).as_str())
}
