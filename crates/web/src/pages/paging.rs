//! Numbered pages of a listing: which one this is, and where the ones before and behind it are.

use crate::address::with_query;
use crate::shown;

/// Where a page of a listing stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paging {
    /// `Records 1–50 of 213`, or that there are none here.
    pub(crate) sentence: String,
    /// Address of the page before.
    pub(crate) before: Option<String>,
    /// Address of the page behind.
    pub(crate) behind: Option<String>,
}

impl Paging {
    /// `pairs` is the query that makes this listing, without its page.
    pub(crate) fn new(path: &str, pairs: &[(&str, &str)], noun: &str, total: i64, number: i64, per_page: i64) -> Self {
        let last = ((total + per_page - 1) / per_page).max(1);
        let to = |number: i64| {
            with_query(path, pairs.iter().copied().chain([("page", if number == 1 { String::new() } else { number.to_string() }.as_str())]))
        };
        let first = (number - 1) * per_page + 1;
        let sentence = if total == 0 {
            format!("No {noun}s.")
        } else if number > last {
            format!("There is no page {number}: {} fill {}.", shown::counted(total, noun), shown::counted(last, "page"))
        } else if last == 1 {
            format!("{}.", shown::counted(total, noun))
        } else {
            format!("{} to {} of {}.", shown::grouped(first), shown::grouped((first + per_page - 1).min(total)), shown::counted(total, noun))
        };
        Self { sentence, before: (number > 1).then(|| to((number - 1).min(last))), behind: (number < last).then(|| to(number + 1)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Paging;

    #[test]
    fn a_page_knows_its_neighbours() {
        let pairs = [("tag", "a b")];
        let of = |total, number| Paging::new("/records", &pairs, "record", total, number, 50);
        assert_eq!(of(0, 1), Paging { sentence: "No records.".into(), before: None, behind: None });
        assert_eq!(of(1, 1).sentence, "1 record.");
        assert_eq!(
            of(101, 2),
            Paging {
                sentence: "51 to 100 of 101 records.".into(),
                before: Some("/records?tag=a%20b".into()),
                behind: Some("/records?tag=a%20b&page=3".into()),
            }
        );
        assert_eq!(of(101, 9).sentence, "There is no page 9: 101 records fill 3 pages.");
        assert_eq!(of(101, 9).before.as_deref(), Some("/records?tag=a%20b&page=3"));
    }
}
