//! How a word is written to fit what stands there: its case, the emoji and link anchors that go with it.

use document::Span;

/// Whether two status words are one: case, hyphens and underscores aside.
pub(super) fn is_same(left: &str, right: &str) -> bool {
    folded(left) == folded(right)
}

fn folded(word: &str) -> String {
    word.to_lowercase().replace(['-', '_'], " ")
}

/// `word` in the case of `model`: as given, `Capitalised`, `Each Word`, or `UPPER`. Short upper-case words are abbreviations and say only that a
/// capital begins.
pub(super) fn in_case_of(model: &str, word: &str) -> String {
    let letters: Vec<char> = model.chars().filter(|character| character.is_alphabetic()).collect();
    let begins_upper = letters.first().is_some_and(|first| first.is_uppercase());
    if letters.len() > 4 && letters.iter().all(|letter| letter.is_uppercase()) {
        return word.to_uppercase();
    }
    let mut words = model.split_whitespace().skip(1).peekable();
    let each = begins_upper && words.peek().is_some() && words.all(|word| word.starts_with(char::is_uppercase));
    if each {
        return word.split(' ').map(capitalised).collect::<Vec<_>>().join(" ");
    }
    if begins_upper { capitalised(word) } else { word.to_owned() }
}

/// First letter in upper case.
pub(super) fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Where `phrase` stands in `text`: at word borders, without regard to case, white space, hyphens and quote marks of continued lines.
pub(super) fn occurrences(text: &str, phrase: &str) -> Vec<Span> {
    let words: Vec<&str> = phrase.split([' ', '-', '_']).filter(|word| !word.is_empty()).collect();
    let Some(first) = words.first() else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].char_indices().map(|(index, _)| at + index).find(|start| begins(text, *start, first).is_some()) {
        let end = words.iter().enumerate().try_fold(start, |from, (index, word)| {
            let gap = text[from..].len()
                - text[from..].trim_start_matches(|next: char| next.is_whitespace() || matches!(next, '-' | '_' | '>' | '(')).len();
            let from = if index == 0 {
                from
            } else if gap > 0 {
                from + gap
            } else {
                return None;
            };
            word_end(text, from, word)
        });
        if let Some(end) = end.filter(|end| text[*end..].chars().next().is_none_or(|next| !next.is_alphanumeric())) {
            found.push(Span::new(start, end));
        }
        at = start + text[start..].chars().next().map_or(1, char::len_utf8);
        if found.len() >= 12 {
            break;
        }
    }
    found
}

fn begins(text: &str, start: usize, word: &str) -> Option<usize> {
    let is_border = text[..start].chars().next_back().is_none_or(|before| !before.is_alphanumeric());
    if is_border { word_end(text, start, word) } else { None }
}

/// Where `word` ends that begins at `start`, case aside.
fn word_end(text: &str, start: usize, word: &str) -> Option<usize> {
    let mut characters = text[start..].chars();
    let mut end = start;
    for expected in word.chars() {
        let next = characters.next()?;
        let same = next == expected || next.to_lowercase().eq(expected.to_lowercase()) || (next == '’' && expected == '\'');
        if !same {
            return None;
        }
        end += next.len_utf8();
    }
    Some(end)
}

/// Emoji that stand for one status in the legends of archives, each with the words that it stands for.
const LEGEND: &[(&[&str], &[&str])] = &[
    (&["✅", ":white_check_mark:", "✔️", "✔"], &["accepted", "approved", "implemented", "adopted", "final", "active"]),
    (&["❌", ":x:", "🚫"], &["rejected", "declined", "withdrawn", "abandoned"]),
    (&["🤔", ":thinking:"], &["proposed", "draft", "in review", "pending", "open"]),
    (&["⌛️", "⌛", ":hourglass:"], &["superseded", "replaced"]),
    (&["⚠️", ":warning:"], &["deprecated"]),
    (&["🗑️", "🗑"], &["deprecated", "retired", "removed"]),
];

/// The emoji of a legend that stands in `text` beside a status, and what goes in its place for `word`: nothing where the legend has none.
pub(super) fn emoji_change(text: &str, word: &str) -> Option<(Span, String)> {
    let (row, mark, at) = LEGEND.iter().find_map(|row| row.0.iter().find_map(|mark| text.find(mark).map(|at| (row, *mark, at))))?;
    let fits = |row: &(&[&str], &[&str])| row.1.iter().any(|known| is_same(known, word));
    if fits(row) {
        return None;
    }
    let is_code = mark.starts_with(':');
    let new = LEGEND.iter().find(|row| fits(row)).and_then(|row| row.0.iter().find(|mark| mark.starts_with(':') == is_code)).copied();
    let mut end = at + mark.len();
    if new.is_none() {
        end += text[end..].len() - text[end..].trim_start_matches([' ', '\u{fe0f}']).len();
    }
    Some((Span::new(at, end), new.unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::{emoji_change, in_case_of, occurrences};

    #[test]
    fn a_new_word_takes_the_case_of_the_old_one() {
        for (model, word, expected) in [
            ("accepted", "rejected", "rejected"),
            ("Accepted", "last call", "Last call"),
            ("Last Call", "in review", "In Review"),
            ("PROPOSED", "accepted", "ACCEPTED"),
            ("RFC", "accepted", "Accepted"),
        ] {
            assert_eq!(in_case_of(model, word), expected);
        }
    }

    #[test]
    fn words_are_found_whole_and_across_lines() {
        let shown = |text: &'static str, phrase: &str| occurrences(text, phrase).into_iter().map(|span| span.of(text)).collect::<Vec<_>>();
        assert_eq!(shown("unaccepted **Accepted** accepted.", "accepted"), ["Accepted", "accepted"]);
        assert_eq!(shown("Partially\n> implemented", "partially implemented"), ["Partially\n> implemented"]);
        assert_eq!(shown("amended-in-part by x", "amended in part"), ["amended-in-part"]);
    }

    #[test]
    fn an_emoji_of_the_legend_goes_with_its_word() {
        assert_eq!(emoji_change("✅ Accepted", "rejected").map(|(_, new)| new).as_deref(), Some("❌"));
        assert_eq!(emoji_change("✅ Accepted", "implemented"), None);
        assert_eq!(emoji_change("✅ Accepted", "parked").map(|(span, new)| (span.len(), new)), Some(("✅ ".len(), String::new())));
        assert_eq!(emoji_change("🚀 Accepted", "rejected"), None);
    }
}
