//! The reviewers of an open record with what each said, and how many approvals it needs.

use std::collections::HashMap;

use document::{Problem, Reviewer, Severity, Value};

use super::entry::{Field, is_empty_value};
use super::reader::{Gathered, of};
use super::{people, when};

const APPROVED: &str = "approved";
const REQUESTED_CHANGES: &str = "requested-changes";
const COMMENTED: &str = "commented";
const ABSTAINED: &str = "abstained";
const PENDING: &str = "pending";

/// How many reviewers one record may have; a list beyond that is no list of people.
const MOST: usize = 500;

/// The reviewers in the order of the file, each once, and those who stand among the approvals.
pub(super) fn read(facts: &Gathered<'_>, problems: &mut Vec<Problem>) -> Vec<Reviewer> {
    let mut reviewers = Reviewers::default();
    let before = problems.len();
    for entry in of(&facts.entries, Field::Reviewers) {
        for said in all(&entry.value) {
            let problem = reviewers.take(said, when::source_of(facts, entry));
            problems.extend(problem.filter(|_| problems.len() < before + 20).map(|problem| problem.at_line(entry.line_number)));
        }
    }
    for entry in of(&facts.entries, Field::Approvals).filter(|entry| leading_number(&entry.text()).is_none()) {
        for name in people::names(&entry.value) {
            reviewers.approve(name);
        }
    }
    reviewers.list
}

/// The reviewers in one value, each once.
pub(super) fn named(value: &Value) -> Vec<Reviewer> {
    let mut reviewers = Reviewers::default();
    for said in all(value) {
        let _ = reviewers.take(said, "");
    }
    reviewers.list
}

#[derive(Default)]
struct Reviewers {
    list: Vec<Reviewer>,
    /// Folded name to the place in the list, and whether a state was stated.
    places: HashMap<String, (usize, bool)>,
}

impl Reviewers {
    /// Adds what one entry says; what is odd about it.
    fn take(&mut self, said: Said, path: &str) -> Option<Problem> {
        let Said { name, state } = said;
        let is_said = state != State::Unsaid;
        if let Some((place, was_said)) = self.places.get_mut(&name.to_lowercase()) {
            if let Some(known) = self.list.get_mut(*place).filter(|_| !*was_said) {
                state.word().clone_into(&mut known.state);
                *was_said = is_said;
            }
            let problem = Problem::new("duplicate-reviewer", Severity::Note, path, format!("The reviewer \"{name}\" is named twice."));
            return Some(problem.hint("The first entry that states something counts."));
        }
        if self.list.len() == MOST {
            return None;
        }
        self.places.insert(name.to_lowercase(), (self.list.len(), is_said));
        self.list.push(Reviewer { name: name.clone(), state: state.word().to_owned() });
        let State::Unknown(word) = state else { return None };
        let shown: String = word.chars().take(60).collect();
        let message = format!("The reviewer \"{name}\" has the state \"{shown}\", which is none; it counts as pending.");
        let problem = Problem::new("unknown-review-state", Severity::Warning, path, message);
        Some(problem.hint("The states are approved, requested-changes, commented, abstained and pending."))
    }

    fn approve(&mut self, name: String) {
        let folded = name.to_lowercase();
        let place = self.places.get(&folded).map(|(place, _)| *place);
        if let Some(known) = place.and_then(|place| self.list.get_mut(place)) {
            APPROVED.clone_into(&mut known.state);
        } else if self.list.len() < MOST {
            self.places.insert(folded, (self.list.len(), true));
            self.list.push(Reviewer { name, state: APPROVED.to_owned() });
        }
    }
}

/// How many approvals the record needs, where it says so.
pub(super) fn approvals_required(facts: &Gathered<'_>, problems: &mut Vec<Problem>) -> Option<u32> {
    for entry in of(&facts.entries, Field::ApprovalsRequired) {
        let text = entry.text();
        match leading_number(&text) {
            Some(number) => return Some(number),
            None if !text.is_empty() => problems.push(no_number_of_approvals(&entry.key, &text, when::source_of(facts, entry), entry.line_number)),
            None => {}
        }
    }
    of(&facts.entries, Field::Approvals).find_map(|entry| leading_number(&entry.text()))
}

/// The problem of a number of approvals that is none.
pub(super) fn no_number_of_approvals(key: &str, text: &str, path: &str, line_number: u32) -> Problem {
    let shown: String = text.chars().take(60).collect();
    let message = format!("{key} is \"{shown}\", but must be a whole number of approvals.");
    Problem::new("unreadable-approvals", Severity::Warning, path, message).at_line(line_number).hint("For example: approvals_required: 2.")
}

/// `2`, `2 approvals`, `2 of 3`.
pub(super) fn leading_number(text: &str) -> Option<u32> {
    let text = text.trim();
    let digits = text.split(|character: char| !character.is_ascii_digit()).next()?;
    let behind = &text[digits.len()..];
    (behind.is_empty() || behind.starts_with(' ')).then(|| digits.parse().ok())?
}

/// A reviewer as one entry names them.
struct Said {
    name: String,
    state: State,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// The name alone.
    Unsaid,
    Known(&'static str),
    Unknown(String),
}

impl State {
    /// Of the text in which a state is to stand.
    fn of(text: &str) -> Self {
        match state(text) {
            _ if is_empty_value(text) => Self::Unsaid,
            Some(known) => Self::Known(known),
            None => Self::Unknown(text.trim().to_owned()),
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Known(word) => word,
            Self::Unsaid | Self::Unknown(_) => PENDING,
        }
    }
}

const STATE_KEYS: [&str; 5] = ["state", "status", "vote", "verdict", "review"];

fn all(value: &Value) -> Vec<Said> {
    match value {
        Value::List(items) => items.iter().flat_map(item).collect(),
        other => item(other),
    }
}

fn item(value: &Value) -> Vec<Said> {
    let Value::Map(entries) = value else {
        return value.texts().into_iter().flat_map(line).collect();
    };
    let name = ["name", "handle", "github", "user", "reviewer", "login"].iter().find_map(|key| value.get(key));
    if let Some(name) = name {
        return with_state(people::names(name), &inner_state(value));
    }
    let mut found = Vec::new();
    for (key, value) in entries {
        let own = value.as_text().and_then(state);
        match state(key).filter(|_| own.is_none() && *value != Value::Empty) {
            // `approved: [ann, bob]`
            Some(shared) => found.extend(with_state(people::names(value), &State::Known(shared))),
            // `ann: approved`, `ann: { state: approved }`, `ann:`
            None => found.extend(with_state(people::names(&Value::Text(key.clone())), &inner_state(value))),
        }
    }
    found
}

fn with_state(names: Vec<String>, state: &State) -> Vec<Said> {
    names.into_iter().map(|name| Said { name, state: state.clone() }).collect()
}

/// What a value says of a state: its own text, or that under one of the keys for it.
fn inner_state(value: &Value) -> State {
    let text = value.as_text().or_else(|| STATE_KEYS.iter().find_map(|key| value.get(key)).and_then(Value::as_text));
    text.map_or(State::Unsaid, State::of)
}

/// Reviewers in one text: `ann, bob (approved)`, `[x] ann`, `✓ ann`, `ann: approved`, `ann +1`.
fn line(text: &str) -> Vec<Said> {
    parts(text).into_iter().flat_map(part).collect()
}

/// A text at its commas and semicolons, those in brackets aside.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut found) = (0_usize, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' | ';' | '\n' if depth == 0 => {
                found.push(&text[from..at]);
                from = at + character.len_utf8();
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found
}

fn part(text: &str) -> Vec<Said> {
    let text = text.trim().trim_start_matches("- ").trim_start_matches("* ");
    if is_empty_value(text) {
        return Vec::new();
    }
    let boxes = [("[x]", APPROVED), ("[X]", APPROVED), ("[ ]", PENDING), ("[]", PENDING), ("[-]", ABSTAINED)];
    if let Some((name, word)) = boxes.iter().find_map(|(mark, word)| text.strip_prefix(mark).map(|name| (name, *word))) {
        return with_state(people::names(&Value::Text(name.to_owned())), &State::Known(word));
    }
    let (name, state) = split(text).map_or((text, State::Unsaid), |(name, word)| (name, State::Known(word)));
    with_state(people::names(&Value::Text(name.to_owned())), &state)
}

/// The name and the state of a text that has both.
fn split(text: &str) -> Option<(&str, &'static str)> {
    let in_brackets = text.split_once('(').map(|(name, behind)| (name, behind.trim_end_matches([')', ' '])));
    let behind_sign = [": ", " - ", " – ", " — ", " = ", " | "].iter().find_map(|sign| text.rsplit_once(sign));
    // A state or a mark as the last or first word; a plain word there may be a name.
    let is_mark = |word: &str| !word.chars().all(|character| character.is_alphabetic() || character == '-') || word.eq_ignore_ascii_case("lgtm");
    let last = text.rsplit_once(char::is_whitespace).filter(|(_, word)| is_mark(word));
    let first = text.split_once(char::is_whitespace).filter(|(word, _)| is_mark(word)).map(|(word, name)| (name, word));
    [in_brackets, behind_sign, last, first]
        .into_iter()
        .flatten()
        .find_map(|(name, word)| state(word).filter(|_| !word.trim().is_empty() && !name.trim().is_empty()).map(|known| (name, known)))
}

/// The state that a word or a mark is: `LGTM`, `+1`, `✔`, `changes requested`, `approved on 2026-03-01`.
fn state(text: &str) -> Option<&'static str> {
    let lower = text.trim().trim_matches(['"', '\'', '*', '`', '.', '!']).to_lowercase().replace('\u{fe0f}', "");
    let word = lower.trim().replace([' ', '_'], "-");
    if let Some(known) = whole_state(&word) {
        return Some(known);
    }
    // A mark before a word, or a word with a date or remark behind it.
    let behind_mark = word.trim_start_matches(['✓', '✔', '✅', '☑', '❌', '✗', '✘', '⏳', '💬', '👍', '👎', '-']);
    if behind_mark.len() < word.len() && word.chars().next().is_some_and(|first| !first.is_ascii()) {
        return if behind_mark.is_empty() { whole_state(&word.chars().take(1).collect::<String>()) } else { state(behind_mark) };
    }
    let begins = |beginning: &str| word.strip_prefix(beginning).is_some_and(|behind| behind.starts_with(|next: char| !next.is_alphanumeric()));
    let heads = [
        (APPROVED, ["approved", "approves", "lgtm", "accepted"].as_slice()),
        (REQUESTED_CHANGES, &["requested-changes", "changes-requested", "rejected"]),
        (COMMENTED, &["commented"]),
        (ABSTAINED, &["abstained"]),
        (PENDING, &["pending", "waiting"]),
    ];
    heads.iter().find(|(_, words)| words.iter().any(|head| begins(head))).map(|(known, _)| *known)
}

fn whole_state(word: &str) -> Option<&'static str> {
    Some(match word {
        "approved" | "approve" | "approves" | "accepted" | "accept" | "lgtm" | "+1" | "ack" | "agree" | "agreed" | "yes" | "ok" | "okay" | "[x]"
        | "x" | "✓" | "✔" | "✅" | "☑" | "👍" => APPROVED,
        "requested-changes" | "changes-requested" | "request-changes" | "requests-changes" | "needs-changes" | "needs-work" | "rejected"
        | "reject" | "-1" | "nack" | "no" | "blocked" | "blocking" | "objected" | "❌" | "✗" | "✘" | "👎" => REQUESTED_CHANGES,
        "commented" | "comment" | "comments" | "💬" => COMMENTED,
        "abstained" | "abstain" | "abstains" | "abstention" | "neutral" | "0" | "+0" | "-0" => ABSTAINED,
        "pending" | "waiting" | "requested" | "invited" | "reviewing" | "open" | "todo" | "[-]" | "[]" | "⏳" => PENDING,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use document::Value;

    use super::{all, leading_number};

    fn said(value: &Value) -> Vec<(String, &'static str)> {
        all(value).into_iter().map(|said| (said.name, said.state.word())).collect()
    }

    fn of_text(text: &str) -> Vec<(String, &'static str)> {
        said(&Value::Text(text.to_owned()))
    }

    #[test]
    fn a_reviewer_and_a_state_in_one_text() {
        for text in [
            "ann (approved)",
            "@ann: approved",
            "ann: Approved",
            "ann - LGTM",
            "ann +1",
            "ann ✓",
            "✔ ann",
            "✔️ ann",
            "ann ✅",
            "[x] ann",
            "[X] @ann",
            "ann: ✅ approved",
            "ann (approved on 2026-03-01)",
            "ann: yes",
            "ann lgtm",
            "Ann: ok",
        ] {
            let found = of_text(text);
            assert!(found.len() == 1 && found[0].0.eq_ignore_ascii_case("ann") && found[0].1 == "approved", "{text}: {found:?}");
        }
        for (text, state) in [
            ("ann", "pending"),
            ("[ ] ann", "pending"),
            ("ann (pending)", "pending"),
            ("ann: changes requested", "requested-changes"),
            ("ann: requested_changes", "requested-changes"),
            ("ann -1", "requested-changes"),
            ("❌ ann", "requested-changes"),
            ("ann: commented", "commented"),
            ("ann (abstained)", "abstained"),
            ("ann: abstain", "abstained"),
            ("ann (platform team)", "pending"),
        ] {
            assert_eq!(of_text(text), [("ann".to_owned(), state)], "{text}");
        }
    }

    #[test]
    fn several_reviewers_in_one_text() {
        assert_eq!(
            of_text("Ann Lee (approved), @bob; cy: +1, [ ] dee, N/A"),
            [("Ann Lee".to_owned(), "approved"), ("bob".to_owned(), "pending"), ("cy".to_owned(), "approved"), ("dee".to_owned(), "pending")]
        );
        assert_eq!(of_text("core team: ann"), [("ann".to_owned(), "pending")]);
        assert_eq!(of_text(""), []);
    }

    #[test]
    fn reviewers_as_mappings() {
        let text = |text: &str| Value::Text(text.to_owned());
        let by_name = Value::Map(vec![("@ann".to_owned(), text("approved")), ("bob".to_owned(), Value::Empty), ("cy".to_owned(), text("on it"))]);
        assert_eq!(said(&by_name), [("ann".to_owned(), "approved"), ("bob".to_owned(), "pending"), ("cy".to_owned(), "pending")]);
        let by_state = Value::Map(vec![("approved".to_owned(), Value::List(vec![text("ann"), text("bob")])), ("pending".to_owned(), text("cy"))]);
        assert_eq!(said(&by_state), [("ann".to_owned(), "approved"), ("bob".to_owned(), "approved"), ("cy".to_owned(), "pending")]);
        let whole = Value::List(vec![Value::Map(vec![("handle".to_owned(), text("@ann")), ("vote".to_owned(), text("+1"))])]);
        assert_eq!(said(&whole), [("ann".to_owned(), "approved")]);
    }

    #[test]
    fn a_number_of_approvals_may_have_words_behind_it() {
        assert_eq!(["2", "2 of 3", "02", "two", "-1", "2x", ""].map(leading_number), [Some(2), Some(2), Some(2), None, None, None, None]);
    }
}
