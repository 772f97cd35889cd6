//! Places in a text: byte spans inside, lines and characters outside.

/// A stretch of a text in bytes, end exclusive. Always on character borders of the text it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// A span from `start` up to, not including, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The stretch of `text` that this span names; empty when it lies outside of it.
    #[must_use]
    pub fn of(self, text: &str) -> &str {
        text.get(self.start..self.end).unwrap_or_default()
    }

    /// Number of bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// Whether nothing lies inside.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

/// A line and a column as an editor counts them: both from 1, the column in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// 1-based line number.
    pub line_number: u32,
    /// 1-based column, in characters.
    pub column_number: u32,
}

/// Where the lines of a text begin, to turn byte offsets into what people and agents count.
pub struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    /// Reads the line starts of `text`. Lines end at `\n`; a `\r` before it belongs to the line.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        let starts = std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1)).collect();
        Self { text, starts }
    }

    /// 1-based number of the line that holds byte `offset`; the last line for offsets past the end.
    #[must_use]
    pub fn line_number(&self, offset: usize) -> u32 {
        u32::try_from(self.starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// Line and column of byte `offset`, which must be a character border.
    #[must_use]
    pub fn place(&self, offset: usize) -> Place {
        let line_number = self.line_number(offset);
        let start = self.starts[line_number as usize - 1];
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count());
        Place { line_number, column_number: u32::try_from(column + 1).unwrap_or(u32::MAX) }
    }

    /// Byte offset at which a 1-based line begins, `None` past the last line.
    #[must_use]
    pub fn start_of(&self, line_number: u32) -> Option<usize> {
        self.starts.get((line_number as usize).checked_sub(1)?).copied()
    }

    /// How many characters stand before byte `offset`.
    #[must_use]
    pub fn characters_before(&self, offset: usize) -> usize {
        self.text.get(..offset).map_or_else(|| self.text.chars().count(), |before| before.chars().count())
    }
}

#[cfg(test)]
mod tests {
    use super::{Lines, Place};

    #[test]
    fn lines_and_columns_count_as_an_editor_does() {
        let lines = Lines::of("a\näb\r\n\nz");
        assert_eq!(lines.line_number(0), 1);
        assert_eq!(lines.place("a\nä".len()), Place { line_number: 2, column_number: 2 });
        assert_eq!(lines.line_number(1000), 4);
        assert_eq!(lines.start_of(4), Some("a\näb\r\n\n".len()));
        assert_eq!(lines.start_of(0), None);
        assert_eq!(lines.characters_before("a\nä".len()), 3);
    }
}
