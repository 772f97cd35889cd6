//! The names of a folder's records: what stands before the number, how it is padded, and how the words behind it are written.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::super::EditError;
use super::super::check::bad;
use super::NewRecord;
use crate::formats::decisions::name;

/// How a folder names its records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FileName {
    /// Such as `adr-` or `ODH-ADR-`.
    pub(super) prefix: String,
    pub(super) number: Option<Number>,
    /// The date's form: the mark between its parts, none for `20240102`.
    pub(super) date: Option<Option<char>>,
    /// Between number or date and words; none where names have no words.
    pub(super) gap: Option<String>,
    /// Between words.
    pub(super) joint: char,
    /// Words keep the case of the title.
    pub(super) keeps_case: bool,
    /// Letters beyond ASCII stay.
    pub(super) keeps_unicode: bool,
    /// `README.md` where a record is its folder.
    pub(super) cover: Option<String>,
    pub(super) extension: String,
}

/// How numbers are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Number {
    /// Digits at least.
    pub(super) width: usize,
    /// `_` before it where it stands behind a date.
    pub(super) lead: String,
}

impl Default for FileName {
    fn default() -> Self {
        Self {
            prefix: String::new(),
            number: Some(Number { width: 4, lead: String::new() }),
            date: None,
            gap: Some("-".to_owned()),
            joint: '-',
            keeps_case: false,
            keeps_unicode: false,
            cover: None,
            extension: "md".to_owned(),
        }
    }
}

/// The name that identifies a record: its file's stem, or its folder's.
pub(super) fn own_name(path: &str) -> &str {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let is_cover = matches!(stem.to_lowercase().as_str(), "readme" | "index");
    parts.next().filter(|_| is_cover).unwrap_or(stem)
}

/// The digits of a record's number in its path.
pub(super) fn digits_of(path: &str) -> Option<&str> {
    name::read(own_name(path)).number
}

/// Reads the form of a path's name; `others` show padding and letters.
pub(super) fn of(path: &str, others: &[&str]) -> FileName {
    let own = own_name(path);
    let read = name::read(own);
    let file = path.rsplit('/').next().unwrap_or(path);
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, "md"));
    let cover = (own != stem).then(|| file.to_owned());
    let words_at = own.len() - read.words.len();
    let number_at = read.number.and_then(|number| own.get(..words_at)?.rfind(number).or_else(|| own.rfind(number)));
    let head_end = read.date.map_or(0, str::len);
    let prefix = if read.date.is_some() { "" } else { number_at.and_then(|at| own.get(..at)).unwrap_or("") };
    let number_end = number_at.zip(read.number).map_or(head_end, |(at, number)| at + number.len());
    let lead = number_at.filter(|_| read.date.is_some()).and_then(|at| own.get(head_end..at)).unwrap_or("");
    let numbers: Vec<&str> = others.iter().copied().chain([path]).filter_map(digits_of).collect();
    // `9` and `10` beside each other are not padded; the longest of padded ones says how far.
    let is_padded = numbers.iter().any(|digits| digits.starts_with('0') && digits.len() > 1);
    let newest_width = read.number.map_or(1, str::len);
    let is_plain = numbers.iter().any(|digits| digits.len() < newest_width);
    let width = if is_padded || !is_plain { newest_width } else { 1 };
    let has_words = read.words.chars().any(char::is_alphabetic) && words_at < own.len();
    let count = |mark: char| own.get(words_at..).map_or(0, |words| words.matches(mark).count());
    let joint = if count('_') > count('-') { '_' } else { '-' };
    let gap = own.get(number_end..words_at).filter(|_| has_words).map(str::to_owned);
    let has_upper = |path: &&&str| {
        let words = name::read(own_name(path)).words;
        words.split(['-', '_']).filter(|word| word.starts_with(char::is_uppercase)).count() * 2 > words.split(['-', '_']).count()
    };
    let known = others.len() + 1;
    FileName {
        prefix: prefix.to_owned(),
        number: read.number.map(|_| Number { width, lead: lead.to_owned() }),
        date: read.date.map(|date| date.chars().find(|character| !character.is_ascii_digit())),
        gap: if read.number.is_none() && read.date.is_none() { Some(String::new()) } else { gap },
        joint,
        keeps_case: others.iter().chain(std::iter::once(&path)).filter(has_upper).count() * 2 > known,
        keeps_unicode: others.iter().chain(std::iter::once(&path)).any(|path| !own_name(path).is_ascii()),
        cover,
        extension: extension.to_owned(),
    }
}

impl FileName {
    pub(super) const fn has_number(&self) -> bool {
        self.number.is_some()
    }

    /// A number as names write it.
    pub(super) fn digits(&self, number: u64) -> String {
        let width = self.number.as_ref().map_or(1, |number| number.width);
        format!("{number:0width$}")
    }

    /// The path of a new record in `folder`.
    pub(super) fn path(&self, folder: &str, record: &NewRecord) -> Result<String, EditError> {
        let is_safe = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\') && !part.chars().any(char::is_control);
        let folder = folder.trim_matches('/');
        if !folder.is_empty() && !folder.split('/').all(is_safe) {
            return Err(bad("folder", folder, "name a folder of the collection, with `/`."));
        }
        let mut own = String::new();
        if let Some(mark) = self.date {
            own.push_str(&record.date.replace('-', &mark.map(String::from).unwrap_or_default()));
        }
        own.push_str(&self.prefix);
        if let Some(form) = &self.number {
            let Some(number) = record.number.filter(|number| *number <= 9_999_999) else {
                return Err(bad("number", "", "the folder's records have numbers: give the next one, at most 9999999."));
            };
            own.push_str(&form.lead);
            own.push_str(&self.digits(number));
        }
        if let Some(gap) = &self.gap {
            let slug = self.slug(&record.title);
            if slug.is_empty() {
                return Err(bad("title", &record.title, "no file name can be made of it."));
            }
            own.push_str(gap);
            own.push_str(&slug);
        }
        let name = match &self.cover {
            Some(cover) => format!("{own}/{cover}"),
            None => format!("{own}.{}", self.extension),
        };
        Ok(if folder.is_empty() { name } else { format!("{folder}/{name}") })
    }

    /// The title's words as part of a name: letters and digits only, cut at a word after 80 characters.
    fn slug(&self, title: &str) -> String {
        const LONGEST: usize = 80;
        let title: String = if self.keeps_unicode { title.nfc().collect() } else { transliterated(title) };
        let cased = if self.keeps_case { title } else { title.to_lowercase() };
        let mut out = String::new();
        for word in cased.split(|character: char| !character.is_alphanumeric() && !matches!(character, '\'' | '’')) {
            let word: String = word.chars().filter(|character| character.is_alphanumeric()).collect();
            if word.is_empty() {
                continue;
            }
            if !out.is_empty() && out.chars().count() + 1 + word.chars().count() > LONGEST {
                break;
            }
            if !out.is_empty() {
                out.push(self.joint);
            }
            out.extend(word.chars().take(LONGEST));
        }
        // Names that some systems keep for devices.
        let is_device = matches!(out.to_lowercase().as_str(), "con" | "prn" | "aux" | "nul")
            || (out.len() == 4 && (out.to_lowercase().starts_with("com") || out.to_lowercase().starts_with("lpt")));
        if is_device { format!("{out}{}record", self.joint) } else { out }
    }
}

/// Latin letters without their marks; other scripts stay.
fn transliterated(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.nfd() {
        match character {
            'ß' => out.push_str("ss"),
            'æ' | 'Æ' => out.push_str("ae"),
            'œ' | 'Œ' => out.push_str("oe"),
            'ø' | 'Ø' => out.push('o'),
            'ł' | 'Ł' => out.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
            'þ' | 'Þ' => out.push_str("th"),
            'ı' => out.push('i'),
            mark if is_combining_mark(mark) && out.chars().next_back().is_some_and(|last| last.is_ascii_alphabetic()) => {}
            other => out.push(other),
        }
    }
    out.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::{FileName, of};
    use crate::formats::decisions::NewRecord;

    fn path(sample: &str, others: &[&str], title: &str, number: u64) -> String {
        let record = NewRecord { title: title.to_owned(), number: Some(number), date: "2024-01-02".to_owned(), ..NewRecord::default() };
        of(sample, others).path("adr", &record).unwrap()
    }

    #[test]
    fn a_new_name_is_formed_as_the_others_are() {
        for (sample, others, expected) in [
            ("adr/0009-use-a-log.md", &["adr/0001-a.md"][..], "adr/0012-say-no-to-x.md"),
            ("adr/ADR-9.md", &[], "adr/ADR-12.md"),
            ("adr/adr-009-use-a-log.md", &[], "adr/adr-012-say-no-to-x.md"),
            ("adr/ADR-001_Use_Git_Hooks.md", &["adr/ADR-002_Scan_Repositories.md"], "adr/ADR-012_Say_no_to_X.md"),
            ("adr/2020_03_03_api_values.md", &[], "adr/2024_01_02_say_no_to_x.md"),
            ("adr/2022-02-03-tests/README.md", &[], "adr/2024-01-02-say-no-to-x/README.md"),
            ("adr/20200101-use-a-wiki.md", &[], "adr/20240102-say-no-to-x.md"),
            ("adr/2021-03-04_029-x-y.md", &[], "adr/2024-01-02_012-say-no-to-x.md"),
            ("adr/use-a-log.md", &[], "adr/say-no-to-x.md"),
            ("adr/eip-150.md", &["adr/eip-1.md"], "adr/eip-12.md"),
            ("adr/pep-0292.rst", &["adr/pep-0001.rst"], "adr/pep-0012.rst"),
            ("adr/0077/README.md", &["adr/0001/README.md"], "adr/0012/README.md"),
        ] {
            assert_eq!(path(sample, others, "Say no to X!", 12), expected, "{sample}");
        }
    }

    #[test]
    fn hostile_titles_make_harmless_names() {
        let slug = |title: &str| FileName::default().slug(title);
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("C:\\x\\y: \"z\"?*"), "c-x-y-z");
        assert_eq!(slug("Überblick & Straße — Łódź"), "uberblick-strasse-lodz");
        assert_eq!(slug("Don't use 設計"), "dont-use-設計");
        assert_eq!(slug("con"), "con-record");
        assert!(slug(&"word ".repeat(60)).len() <= 80);
    }
}
