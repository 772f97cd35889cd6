//! Dates as numbers: enough to compare days, for documents that may state only a month or a year.

/// The first and the last day that a date may mean, each as the number `YYYYMMDD`. Understands `YYYY`, `YYYY-MM`, `YYYY-MM-DD`, and RFC 3339, of
/// which the day counts as it is written. `None` for anything else.
#[must_use]
pub fn day_range(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    let day_text = match text.as_bytes().get(10) {
        None => text,
        Some(b'T' | b't' | b' ') => text.get(..10)?,
        Some(_) => return None,
    };
    let mut numbers = [0_i64; 3];
    let mut count = 0;
    for (part, width) in day_text.split('-').zip([4, 2, 2]) {
        if part.len() != width || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        numbers[count] = part.parse().ok()?;
        count += 1;
    }
    let [year, month, day] = numbers;
    if day_text.len() != [0, 4, 7, 10][count]
        || (count > 1 && !(1..=12).contains(&month))
        || (count > 2 && !(1..=days_in(year, month)).contains(&day))
    {
        return None;
    }
    let number = |month: i64, day: i64| year * 10_000 + month * 100 + day;
    Some(match count {
        1 => (number(1, 1), number(12, 31)),
        2 => (number(month, 1), number(month, days_in(year, month))),
        _ => (number(month, day), number(month, day)),
    })
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::day_range;

    #[test]
    fn a_date_means_the_days_that_it_leaves_open() {
        assert_eq!(day_range("2024"), Some((20_240_101, 20_241_231)));
        assert_eq!(day_range("2024-02"), Some((20_240_201, 20_240_229)));
        assert_eq!(day_range("2024-02-29"), Some((20_240_229, 20_240_229)));
        assert_eq!(day_range("2024-05-01T10:00:00+02:00"), Some((20_240_501, 20_240_501)));
    }

    #[test]
    fn what_is_no_date_is_refused() {
        for text in ["", "24", "2023-02-29", "2024-13", "2024-1-1", "2024-01-01x", "2024-01-01-01", "yesterday", "20240101", "2024-00-10", "２０２４"]
        {
            assert_eq!(day_range(text), None, "{text}");
        }
    }
}
