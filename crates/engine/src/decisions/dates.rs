//! Dates as arguments: a year, a month or a day, checked part by part so that the error can say which part is wrong.

use jiff::civil::Date;

use crate::{Error, Result};

/// Checks the date in the argument `name` and gives the first and the last day that it means.
///
/// # Errors
/// A text that is no `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, or a month or day that does not exist.
pub(super) fn days(name: &str, text: &str) -> Result<(Date, Date)> {
    let shown: String = text.chars().take(40).collect();
    let bad = |reason: &str| {
        Error::bad_input(format!("{name} is \"{shown}\", but {reason}."))
            .hint("Write YYYY-MM-DD, YYYY-MM or YYYY, such as 2024-05-31, 2024-05 or 2024.")
    };
    let parts: Vec<&str> = text.trim().split('-').collect();
    let widths = [4, 2, 2];
    let is_shaped = parts.len() <= widths.len()
        && parts.iter().zip(widths).all(|(part, width)| part.len() == width && part.bytes().all(|byte| byte.is_ascii_digit()));
    if !is_shaped {
        return Err(bad("that is no date"));
    }
    let number = |index: usize| parts.get(index).and_then(|part| part.parse::<i16>().ok());
    let year = number(0).unwrap_or_default();
    let month = number(1);
    let day = number(2);
    if year == 0 {
        return Err(bad("there is no year 0000"));
    }
    if let Some(month) = month.filter(|month| !(1..=12).contains(month)) {
        let swapped = day.is_some_and(|day| (1..=12).contains(&day) && (1..=31).contains(&month));
        let why = if swapped { "; month and day seem to be swapped" } else { "" };
        return Err(bad(&format!("there is no month {month:02}{why}")));
    }
    let date = |month: i16, day: i16| Date::new(year, i8::try_from(month).unwrap_or(1), i8::try_from(day).unwrap_or(1));
    let first_month = month.unwrap_or(1);
    let first = date(first_month, day.unwrap_or(1)).map_err(|_| bad(&format!("{year:04}-{first_month:02} has no day {:02}", day.unwrap_or(1))))?;
    let last = match (month, day) {
        (_, Some(_)) => first,
        (Some(_), None) => first.last_of_month(),
        (None, _) => first.last_of_year(),
    };
    Ok((first, last))
}

/// Checks both ends of a range.
///
/// # Errors
/// A date that is none, or a range that ends before it begins.
pub(super) fn check_range(from: Option<&str>, to: Option<&str>) -> Result<()> {
    let first = from.map(|text| days("date_from", text)).transpose()?;
    let last = to.map(|text| days("date_to", text)).transpose()?;
    match (first.zip(last), from, to) {
        (Some(((first, _), (_, last))), Some(from), Some(to)) if first > last => {
            let message = format!("date_from is {}, which lies after date_to, {}.", from.trim(), to.trim());
            Err(Error::bad_input(message).hint("Swap them, or leave one out."))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{check_range, days};

    #[test]
    fn a_date_means_the_days_that_it_leaves_open() {
        let shown = |text: &str| days("date_from", text).map(|(first, last)| format!("{first} {last}")).unwrap();
        assert_eq!(shown("2024"), "2024-01-01 2024-12-31");
        assert_eq!(shown("2024-02"), "2024-02-01 2024-02-29");
        assert_eq!(shown(" 2024-02-29 "), "2024-02-29 2024-02-29");
    }

    #[test]
    fn the_error_says_which_part_is_wrong() {
        let message = |text: &str| days("date_to", text).unwrap_err().message;
        assert_eq!(message("2022-27-09"), "date_to is \"2022-27-09\", but there is no month 27; month and day seem to be swapped.");
        assert_eq!(message("2022-13"), "date_to is \"2022-13\", but there is no month 13.");
        assert_eq!(message("2023-02-29"), "date_to is \"2023-02-29\", but 2023-02 has no day 29.");
        assert_eq!(message("2023-02-00"), "date_to is \"2023-02-00\", but 2023-02 has no day 00.");
        assert_eq!(message("0000"), "date_to is \"0000\", but there is no year 0000.");
        for text in ["", "yesterday", "2024-5", "24-05-01", "2024-05-01-01", "2024/05/01", "２０２４", "2024-", "-2024", "2024-05-01T10:00:00Z"] {
            assert!(message(text).ends_with("but that is no date."), "{text}");
        }
    }

    #[test]
    fn a_range_must_not_end_before_it_begins() {
        assert_eq!(check_range(Some("2024-05"), Some("2024")), Ok(()));
        assert_eq!(check_range(Some("2024"), Some("2024-01")), Ok(()));
        let error = check_range(Some("2024-05"), Some("2023")).unwrap_err();
        assert_eq!(error.message, "date_from is 2024-05, which lies after date_to, 2023.");
    }
}
