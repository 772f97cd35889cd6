//! A record under edit: its files as text, and replaced stretches of text as replaced bytes.

use document::{Document, Problem, Span};

use super::{EditError, Refusal};
use crate::RawFile;
use crate::formats::decisions::reader::{self, Opened};
use crate::formats::decisions::{RecordFiles, decode};

/// A stretch of one file's text and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Patch {
    /// 0 is the main file; the sidecars follow.
    pub(super) file: usize,
    pub(super) span: Span,
    pub(super) text: String,
}

/// A record's files with what the reader makes of them.
pub(super) struct Draft<'a> {
    pub(super) files: &'a RecordFiles,
    raws: Vec<RawFile>,
    texts: Vec<String>,
    /// Where the lines of each text begin.
    starts: Vec<Vec<usize>>,
    pub(super) opened: Opened,
    pub(super) document: Document,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Draft<'a> {
    /// Reads the files; refuses those that are no UTF-8 text at all.
    pub(super) fn open(files: &'a RecordFiles, main: &RawFile, sidecars: &[RawFile]) -> Result<Self, EditError> {
        for raw in std::iter::once(main).chain(sidecars) {
            let is_wide = raw.bytes.starts_with(&[0xFF, 0xFE]) || raw.bytes.starts_with(&[0xFE, 0xFF]);
            if is_wide || raw.bytes.contains(&0) {
                return Err(EditError::CannotEdit {
                    path: raw.path.clone(),
                    cause: Refusal::NotText,
                    place: "text".to_owned(),
                    reason: "it is no UTF-8 text.".to_owned(),
                    hint: "Save it as UTF-8 and try again.".to_owned(),
                });
            }
        }
        let raws: Vec<RawFile> = std::iter::once(main).chain(sidecars).cloned().collect();
        Self::of(files, raws).ok_or_else(|| EditError::CannotEdit {
            path: main.path.clone(),
            cause: Refusal::NotText,
            place: "text".to_owned(),
            reason: "it was not read as a record.".to_owned(),
            hint: "Check the path.".to_owned(),
        })
    }

    fn of(files: &'a RecordFiles, raws: Vec<RawFile>) -> Option<Self> {
        let (main, sidecars) = raws.split_first()?;
        let opened = reader::open(main, sidecars);
        let parsed = reader::read_opened(files, main, opened.clone());
        let texts: Vec<String> = raws.iter().map(|raw| decode::text(&raw.path, &raw.bytes).0).collect();
        let starts_of = |text: &String| std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let starts = texts.iter().map(starts_of).collect();
        let document = parsed.documents.into_iter().next()?;
        Some(Self { files, texts, starts, opened, document, problems: parsed.problems, raws })
    }

    /// The record after `patches`; `None` where they overlap or cut a character.
    pub(super) fn with(&self, patches: &[Patch]) -> Option<Self> {
        let mut raws = self.raws.clone();
        let mut ordered: Vec<&Patch> = patches.iter().collect();
        ordered.sort_by_key(|patch| (patch.file, patch.span.start, patch.span.end));
        let overlaps = ordered.windows(2).any(|pair| pair[0].file == pair[1].file && pair[0].span.end > pair[1].span.start);
        if overlaps || ordered.is_empty() {
            return None;
        }
        for patch in ordered.into_iter().rev() {
            let raw = raws.get_mut(patch.file)?;
            let bytes = &self.raws.get(patch.file)?.bytes;
            let (start, end) = (byte_of(bytes, patch.span.start)?, byte_of(bytes, patch.span.end)?);
            raw.bytes.splice(start..end, patch.text.bytes());
        }
        Self::of(self.files, raws)
    }

    /// Files that differ from those given.
    pub(super) fn changed(self, main: &RawFile, sidecars: &[RawFile]) -> Vec<RawFile> {
        let before = std::iter::once(main).chain(sidecars);
        self.raws.into_iter().zip(before).filter(|(now, before)| now.bytes != before.bytes).map(|(now, _)| now).collect()
    }

    /// The decoded text of a file.
    pub(super) fn text(&self, file: usize) -> &str {
        self.texts.get(file).map_or("", String::as_str)
    }

    /// Where a 1-based line stands, its end left out.
    pub(super) fn line(&self, file: usize, number: u32) -> Option<Span> {
        let text = self.text(file);
        let starts = self.starts.get(file)?;
        let at = (number as usize).checked_sub(1)?;
        let start = starts.get(at).copied()?;
        let end = starts.get(at + 1).copied().unwrap_or(text.len());
        Some(Span::new(start, start + text.get(start..end)?.trim_end_matches(['\n', '\r']).len()))
    }

    /// How lines end around byte `at`: as the one before it, else as the first one.
    pub(super) fn line_end(&self, file: usize, at: usize) -> &'static str {
        let text = self.text(file);
        let near = text.get(..at).and_then(|before| before.rfind('\n')).or_else(|| text.find('\n'));
        if near.is_some_and(|found| text[..found].ends_with('\r')) { "\r\n" } else { "\n" }
    }

    /// New lines behind the 1-based line `number`, ends of lines as around them. `lines` are parted by `\n`.
    pub(super) fn behind_line(&self, file: usize, number: u32, lines: &str) -> Option<Patch> {
        let line = self.line(file, number)?;
        let text = self.text(file);
        let end_length = text[line.end..].len() - text[line.end..].trim_start_matches('\r').len();
        let has_end = text[line.end + end_length..].starts_with('\n');
        let at = if has_end { line.end + end_length + 1 } else { line.end };
        let end = self.line_end(file, at);
        let content = lines.replace('\n', end);
        let text = if has_end { format!("{content}{end}") } else { format!("{end}{content}") };
        Some(Patch { file, span: Span::new(at, at), text })
    }

    /// New lines before the 1-based line `number`.
    pub(super) fn before_line(&self, file: usize, number: u32, lines: &str) -> Option<Patch> {
        let line = self.line(file, number)?;
        let end = self.line_end(file, line.end + 1);
        let text = format!("{}{end}", lines.replace('\n', end));
        Some(Patch { file, span: Span::new(line.start, line.start), text })
    }

    /// 1-based number of the last line that is not blank before line `number`, and not before line `from`.
    pub(super) fn last_filled_before(&self, file: usize, number: u32, from: u32) -> u32 {
        let is_blank = |number: u32| self.line(file, number).is_none_or(|span| span.of(self.text(file)).trim().is_empty());
        let mut at = number.saturating_sub(1).max(from);
        while at > from && is_blank(at) {
            at -= 1;
        }
        at
    }

    /// How many lines a file has, a last empty one behind a final line end included.
    pub(super) fn line_count(&self, file: usize) -> u32 {
        self.starts.get(file).map_or(1, |starts| u32::try_from(starts.len()).unwrap_or(u32::MAX))
    }

    /// Last line of the body's block that begins on line `number`.
    pub(super) fn block_end(&self, number: u32) -> u32 {
        let next = self.opened.blocks.iter().map(|block| block.line_number).find(|line| *line > number);
        self.last_filled_before(0, next.unwrap_or_else(|| self.line_count(0) + 1), number)
    }

    /// Where the reader found the status.
    pub(super) fn place_of_status(&self) -> Option<&str> {
        self.document.record()?.status.place.as_deref()
    }
}

/// The byte of a file at which byte `at` of its decoded text stands; `None` within a replacement character.
fn byte_of(bytes: &[u8], at: usize) -> Option<usize> {
    let (mut decoded, mut raw) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().len();
        if at <= decoded + valid {
            return Some(raw + at - decoded);
        }
        decoded += valid;
        raw += valid;
        if !chunk.invalid().is_empty() {
            let shown = char::REPLACEMENT_CHARACTER.len_utf8();
            if at < decoded + shown {
                return None;
            }
            decoded += shown;
            raw += chunk.invalid().len();
        }
    }
    (at == decoded).then_some(raw)
}
