//! YAML headers and sidecars at the level of parser events: scalars stay text as written, every entry knows its line.

use document::Value;
use saphyr_parser::{Event, Parser, ScalarStyle};

use super::entry::{Entry, Place, key_name};

/// Entries of a YAML mapping, and what is wrong with it.
#[derive(Debug, Default)]
pub(super) struct Mapping {
    pub(super) entries: Vec<Entry>,
    /// Line (1-based, in the file) and reason of the fault that ended the reading; the entries then come from the line reader.
    pub(super) fault: Option<(u32, String)>,
}

/// Reads the top-level mapping of `text`, whose first line is line `first_line` of its file.
pub(super) fn read(text: &str, first_line: u32, place: Place) -> Mapping {
    match Builder::default().read(text) {
        Ok(pairs) => Mapping { entries: entries(pairs, text, first_line, place), fault: None },
        Err((line, reason)) => {
            let fault = Some((first_line + line.saturating_sub(1), reason));
            Mapping { entries: super::lines::read(text, first_line, place), fault }
        }
    }
}

struct Pair {
    key: String,
    value: Value,
    /// 1-based, in the header.
    line: u32,
}

fn entries(pairs: Vec<Pair>, text: &str, first_line: u32, place: Place) -> Vec<Entry> {
    let lines: Vec<&str> = text.lines().collect();
    let starts: Vec<u32> = pairs.iter().map(|pair| pair.line).collect();
    pairs
        .into_iter()
        .enumerate()
        .map(|(index, pair)| {
            let from = pair.line.saturating_sub(1) as usize;
            let to = starts.get(index + 1).map_or(lines.len(), |next| (next.saturating_sub(1) as usize).max(from + 1)).min(lines.len());
            // Of `{status: accepted, date: 2020}` no line belongs to one key alone, and a long one is not copied for each of its keys.
            let shares_line = starts.get(index + 1) == Some(&pair.line) || (index > 0 && starts[index - 1] == pair.line);
            let raw = if shares_line {
                pair.value.texts().join(", ")
            } else {
                let source = lines.get(from..to).unwrap_or_default().join("\n");
                source.split_once(':').map_or(source.as_str(), |(_, value)| value).trim().to_owned()
            };
            Entry { name: key_name(&pair.key), key: pair.key, value: pair.value, raw, line_number: first_line + pair.line.saturating_sub(1), place }
        })
        .collect()
}

/// An open collection while events come in.
enum Open {
    List(Vec<Value>),
    Map(Vec<(String, Value)>, Option<String>),
}

#[derive(Default)]
struct Builder {
    stack: Vec<Open>,
    pairs: Vec<Pair>,
    /// Key of the top-level mapping that waits for its value.
    waiting: Option<(String, u32)>,
    is_inside: bool,
}

/// How deep collections may be nested.
const MAX_DEPTH: usize = 64;

impl Builder {
    fn read(mut self, text: &str) -> Result<Vec<Pair>, (u32, String)> {
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| (number(error.marker().line()), error.info().to_owned()))?;
            let line = number(span.start.line());
            let done = self.take(event, line)?;
            if done {
                break;
            }
        }
        if let Some((key, line)) = self.waiting.take() {
            self.pairs.push(Pair { key, value: Value::Empty, line });
        }
        Ok(self.pairs)
    }

    /// Takes one event; true at the end of the first document.
    fn take(&mut self, event: Event<'_>, line: u32) -> Result<bool, (u32, String)> {
        let not_a_mapping = || (line, "it is no mapping of keys to values".to_owned());
        match event {
            Event::MappingStart(..) if !self.is_inside => self.is_inside = true,
            Event::Scalar(text, ScalarStyle::Plain, ..) if !self.is_inside && is_null(&text) => {}
            Event::Scalar(..) | Event::SequenceStart(..) | Event::Alias(_) if !self.is_inside => return Err(not_a_mapping()),
            Event::MappingStart(..) => self.open(Open::Map(Vec::new(), None), line)?,
            Event::SequenceStart(..) => self.open(Open::List(Vec::new()), line)?,
            Event::MappingEnd | Event::SequenceEnd => match self.stack.pop() {
                Some(Open::List(items)) => self.put(Value::List(items), line),
                Some(Open::Map(mut pairs, key)) => {
                    pairs.extend(key.map(|key| (key, Value::Empty)));
                    self.put(Value::Map(pairs), line);
                }
                None => return Ok(true),
            },
            Event::Scalar(text, style, ..) => {
                let is_empty = style == ScalarStyle::Plain && is_null(&text);
                self.put(if is_empty { Value::Empty } else { Value::Text(text.trim_end_matches('\n').to_owned()) }, line);
            }
            // Aliases are not followed: a header that needs them is rare, and following them invites endless growth.
            Event::Alias(_) => self.put(Value::Empty, line),
            Event::DocumentEnd => return Ok(true),
            _ => {}
        }
        Ok(false)
    }

    fn open(&mut self, open: Open, line: u32) -> Result<(), (u32, String)> {
        if self.stack.len() >= MAX_DEPTH {
            return Err((line, "it is nested too deeply".to_owned()));
        }
        self.stack.push(open);
        Ok(())
    }

    fn put(&mut self, value: Value, line: u32) {
        match self.stack.last_mut() {
            Some(Open::List(items)) => items.push(value),
            Some(Open::Map(pairs, key)) => match key.take() {
                Some(key) => pairs.push((key, value)),
                None => *key = Some(key_text(&value)),
            },
            None => match self.waiting.take() {
                Some((key, line)) => self.pairs.push(Pair { key, value, line }),
                None => self.waiting = Some((key_text(&value), line)),
            },
        }
    }
}

fn key_text(value: &Value) -> String {
    value.texts().join(", ")
}

fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

fn number(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}
