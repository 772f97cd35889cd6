//! Dates as people write them, to ISO; a date that does not exist stays one that does not exist.

/// A date found in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found<'a> {
    /// As exact as the source; `None` for a date that does not exist, such as month 27.
    pub(super) iso: Option<String>,
    /// The words of the date.
    pub(super) raw: &'a str,
    /// Where it begins.
    pub(super) start: usize,
}

const MONTHS: [&str; 12] = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];

/// The first date in `text`, a lone year only where it is all there is.
pub(super) fn find(text: &str) -> Option<Found<'_>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let begins_word = at == 0 || !bytes[at - 1].is_ascii_alphanumeric();
        if begins_word && bytes[at].is_ascii_alphanumeric() {
            if let Some((iso, length)) = date_at(text, at) {
                return Some(Found { iso, raw: &text[at..at + length], start: at });
            }
            at += bytes[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        } else {
            at += 1;
        }
    }
    let whole = text.trim().trim_matches(['(', ')', '{', '}', '[', ']', '.', '"', '\'', '`']);
    let is_year = whole.len() == 4 && whole.bytes().all(|byte| byte.is_ascii_digit()) && (whole.starts_with("19") || whole.starts_with("20"));
    is_year.then(|| Found { iso: Some(whole.to_owned()), raw: whole, start: text.find(whole).unwrap_or_default() })
}

/// A date that begins at `at`: its ISO form and its length.
fn date_at(text: &str, at: usize) -> Option<(Option<String>, usize)> {
    let mut cursor = Cursor { text, at };
    let date = if text.as_bytes()[at].is_ascii_digit() { numeric(&mut cursor) } else { named(&mut cursor) }?;
    let ends = text[cursor.at..].chars().next().is_none_or(|next| !next.is_ascii_digit());
    ends.then_some((date, cursor.at - at))
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn digits(&mut self) -> Option<&'a str> {
        let length = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let digits = &self.rest()[..length];
        self.at += length;
        (length > 0).then_some(digits)
    }

    fn separator(&mut self, allowed: &[char]) -> Option<char> {
        let next = self.rest().chars().next().filter(|next| allowed.contains(next))?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Spaces, commas, hyphens and `of` between the words of a date.
    fn gap(&mut self) {
        let length = self.rest().bytes().take_while(|byte| matches!(byte, b' ' | b',' | b'-' | b'.' | b'/')).count();
        self.at += length.min(6);
        if self.rest().starts_with("of ") {
            self.at += 3;
        }
    }

    fn ordinal(&mut self) {
        let rest = self.rest();
        let has_one = ["st", "nd", "rd", "th"].iter().any(|ending| rest.get(..2).is_some_and(|two| two.eq_ignore_ascii_case(ending)));
        if has_one && rest[2..].chars().next().is_none_or(|next| !next.is_alphanumeric()) {
            self.at += 2;
        }
    }

    fn month(&mut self) -> Option<i8> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let word = rest[..length].to_lowercase();
        let index = MONTHS.iter().position(|month| *month == word || (word.len() >= 3 && word.len() <= 4 && month.starts_with(&word)))?;
        self.at += length;
        i8::try_from(index + 1).ok()
    }
}

const SEPARATORS: &[char] = &['-', '/', '.', '_'];

fn numeric(cursor: &mut Cursor<'_>) -> Option<Option<String>> {
    let first = cursor.digits()?;
    if first.len() == 8 {
        let iso = iso(&first[..4], &first[4..6], &first[6..])?;
        return Some(Some(iso));
    }
    let is_year = first.len() == 4 && (first.starts_with("19") || first.starts_with("20"));
    let after_first = cursor.at;
    if let Some(separator) = cursor.separator(SEPARATORS) {
        let Some(second) = cursor.digits() else {
            cursor.at = after_first;
            return day_or_year_with_name(cursor, first, is_year);
        };
        let after_second = cursor.at;
        let third = if second.len() <= 2 && cursor.separator(&[separator]).is_some() { cursor.digits() } else { None };
        return match third {
            Some(third) if is_year && third.len() <= 2 => Some(iso(first, second, third)),
            Some(third) if first.len() <= 2 && (third.len() == 4 || (third.len() == 2 && separator != '-')) => Some(day_first(first, second, third)),
            _ if is_year && second.len() == 2 && separator != '.' => {
                cursor.at = after_second;
                let month: u8 = second.parse().ok()?;
                (1..=12).contains(&month).then(|| Some(format!("{first}-{second}")))
            }
            _ => None,
        };
    }
    day_or_year_with_name(cursor, first, is_year)
}

/// `1 January 2021`, `11-April-2023`, `2nd of March 2020`, `2021 March 5`.
fn day_or_year_with_name(cursor: &mut Cursor<'_>, first: &str, is_year: bool) -> Option<Option<String>> {
    cursor.ordinal();
    cursor.gap();
    let month = cursor.month()?;
    let after_month = cursor.at;
    cursor.gap();
    let number = cursor.digits();
    if is_year {
        return match number.filter(|number| number.len() <= 2) {
            Some(day) => Some(iso(first, &month.to_string(), day)),
            None => {
                cursor.at = after_month;
                Some(Some(format!("{first}-{month:02}")))
            }
        };
    }
    let year = number.filter(|number| number.len() == 4)?;
    (first.len() <= 2).then(|| iso(year, &month.to_string(), first))
}

/// `July 9th, 2021`, `Nov 4,  2022`, `May 2025`, `January , 2026`.
fn named(cursor: &mut Cursor<'_>) -> Option<Option<String>> {
    let month = cursor.month()?;
    cursor.gap();
    let number = cursor.digits()?;
    if number.len() == 4 {
        return (number.starts_with("19") || number.starts_with("20")).then(|| Some(format!("{number}-{month:02}")));
    }
    cursor.ordinal();
    cursor.gap();
    let year = cursor.digits().filter(|year| year.len() == 4)?;
    Some(iso(year, &month.to_string(), number))
}

/// Day before month, as the wild data has it; month before day only where the other reading does not exist.
fn day_first(first: &str, second: &str, year: &str) -> Option<String> {
    let year = if year.len() == 2 { format!("20{year}") } else { year.to_owned() };
    iso(&year, second, first).or_else(|| iso(&year, first, second))
}

fn iso(year: &str, month: &str, day: &str) -> Option<String> {
    let date = jiff::civil::Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
    Some(date.to_string())
}
