//! How often something recurs, as people write it: `6 months`, `1y`, `90 days`, `P1Y6M`, `quarterly`, `every two years`.

/// A length of time in the calendar: months are added first, then days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// Months; a year is twelve, a quarter three.
    pub months: u32,
    /// Days; a week is seven.
    pub days: u32,
}

/// The longest interval that is believed, in years.
const MOST_YEARS: u32 = 1_000;

const COUNTS: [&str; 12] = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

impl Interval {
    /// What is legal, for hints.
    pub const LEGAL: &'static str =
        "Write a number and a unit: 90 days, 2 weeks, 6 months, 1 year, 1y or P6M; or weekly, monthly, quarterly, half-yearly, yearly.";

    /// Reads an interval. `None` for anything else, for nothing at all (`0 days`), and beyond a thousand years.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches('.').to_lowercase();
        if text.len() > 80 {
            return None;
        }
        let months = match text.as_str() {
            "weekly" => return Some(Self { months: 0, days: 7 }),
            "fortnightly" => return Some(Self { months: 0, days: 14 }),
            "monthly" => 1,
            "quarterly" => 3,
            "half-yearly" | "half yearly" | "semi-annually" | "semiannually" | "biannually" | "twice a year" => 6,
            "yearly" | "annually" | "annual" | "once a year" => 12,
            "biennially" => 24,
            _ => return Self::of_parts(&text),
        };
        Some(Self { months, days: 0 })
    }

    /// `1 year 6 months`, `1y6m`, `p1y6m`, `every two years`, `every year`, `a quarter`.
    fn of_parts(text: &str) -> Option<Self> {
        let mut rest = text.trim_start_matches("every ").trim_start();
        if rest.starts_with('p') && rest[1..].starts_with(|first: char| first.is_ascii_digit()) {
            rest = &rest[1..];
        }
        let mut total = Self { months: 0, days: 0 };
        let mut is_first = true;
        while !rest.is_empty() {
            let (count, behind) = count(rest).or_else(|| is_first.then_some((1, rest)))?;
            let behind = behind.trim_start_matches([' ', '-']);
            let unit_end = behind.find(|character: char| !character.is_alphabetic()).unwrap_or(behind.len());
            let (unit, behind) = behind.split_at(unit_end);
            match unit {
                "d" | "day" | "days" => total.days = total.days.checked_add(count)?,
                "w" | "wk" | "week" | "weeks" => total.days = total.days.checked_add(count.checked_mul(7)?)?,
                "m" | "mo" | "month" | "months" => total.months = total.months.checked_add(count)?,
                "q" | "quarter" | "quarters" => total.months = total.months.checked_add(count.checked_mul(3)?)?,
                "y" | "yr" | "yrs" | "year" | "years" => total.months = total.months.checked_add(count.checked_mul(12)?)?,
                _ => return None,
            }
            rest = behind.trim_start_matches([' ', ',']);
            rest = rest.strip_prefix("and ").unwrap_or(rest);
            is_first = false;
        }
        let is_something = total.months > 0 || total.days > 0;
        (is_something && total.months <= MOST_YEARS * 12 && total.days <= MOST_YEARS * 366).then_some(total)
    }
}

/// A number in digits or as a word, and what follows it.
fn count(text: &str) -> Option<(u32, &str)> {
    let digits_end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    if digits_end > 0 {
        return Some((text[..digits_end].parse().ok()?, &text[digits_end..]));
    }
    let (word, behind) = text.split_once(' ')?;
    let number = match word {
        "a" | "an" => 1,
        "half" => return behind.strip_prefix("a year").map(|behind| (6, behind)).filter(|(_, behind)| behind.is_empty()).map(|_| (6, "months")),
        _ => u32::try_from(COUNTS.iter().position(|known| *known == word)? + 1).ok()?,
    };
    Some((number, behind))
}

#[cfg(test)]
mod tests {
    use super::Interval;

    #[test]
    fn intervals_are_read_in_every_spelling() {
        for (text, months, days) in [
            ("6 months", 6, 0),
            ("6 Months", 6, 0),
            ("6months", 6, 0),
            ("6m", 6, 0),
            ("6-month", 6, 0),
            ("1y", 12, 0),
            ("1 yr", 12, 0),
            ("2 years", 24, 0),
            ("90 days", 0, 90),
            ("90d", 0, 90),
            ("2 weeks", 0, 14),
            ("2w", 0, 14),
            ("1 quarter", 3, 0),
            ("2q", 6, 0),
            ("P6M", 6, 0),
            ("P1Y", 12, 0),
            ("P1Y6M", 18, 0),
            ("P2W", 0, 14),
            ("P90D", 0, 90),
            ("1 year 6 months", 18, 0),
            ("1 year and 6 months", 18, 0),
            ("1y6m", 18, 0),
            ("every 6 months", 6, 0),
            ("every year", 12, 0),
            ("every two years", 24, 0),
            ("six months", 6, 0),
            ("a year", 12, 0),
            ("half a year", 6, 0),
            ("year", 12, 0),
            ("weekly", 0, 7),
            ("Monthly", 1, 0),
            ("quarterly", 3, 0),
            ("half-yearly", 6, 0),
            ("biannually", 6, 0),
            ("annually", 12, 0),
            ("yearly.", 12, 0),
        ] {
            assert_eq!(Interval::parse(text), Some(Interval { months, days }), "{text}");
        }
    }

    #[test]
    fn what_is_no_interval_is_none() {
        for text in [
            "",
            " ",
            "sometimes",
            "6",
            "6 fortnights",
            "0 days",
            "-6 months",
            "1.5 years",
            "P",
            "PT5M",
            "2026-03-01",
            "99999999999 days",
            "5000 years",
            "6 months or so",
            "every",
            "and",
            "m m",
            "é",
            "pé",
        ] {
            assert_eq!(Interval::parse(text), None, "{text}");
        }
    }
}
