//! The file format of a table of vectors, read in place: no copy of the codes, no list of the vocabulary.
//!
//! All numbers are little-endian. `R` rows, `D` dimensions, `B` buckets (a power of two), `P` bytes of pieces:
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `ibidtabl` |
//! | 5 x 4 | version (1), `R`, `D`, `B`, `P` as u32 |
//! | 4 | zeros |
//! | 32 | SHA-256 of everything that follows |
//! | `R` x 4 | one scale per row, f32 |
//! | `R` x `D` | codes, i8; a component of a row is code times scale |
//! | (`B` + 1) x 8 | for each bucket, and for the end: its first row and the place of its first piece, both u32 |
//! | `P` | the pieces in the order of the rows: one byte with the length (its highest bit says that the piece goes on within a word), then UTF-8 |
//!
//! A piece lies in the bucket that `Hash` names. Rows stand in the order of buckets, so the number of a piece is the number of its row.

use super::wordpiece::Splitter;

const MAGIC: &[u8; 8] = b"ibidtabl";
const VERSION: u32 = 1;
const HEAD: usize = 64;
const GOES_ON: u8 = 0x80;
/// No piece is longer, in bytes, than seven bits can say.
pub(super) const LONGEST: usize = 127;

/// Why some bytes are no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableError {
    /// Something else altogether.
    #[error("these bytes are not a table of vectors: they do not begin with `ibidtabl`")]
    Foreign,
    /// Of another version of the format.
    #[error("this table has version {0} of its format, and this version of ibid reads version {VERSION}")]
    Version(u32),
    /// Cut off, or longer than its head says.
    #[error("this table has {found} bytes where its head asks for {expected}: it is damaged; get it anew")]
    Size {
        /// Bytes that the head asks for.
        expected: u64,
        /// Bytes that there are.
        found: u64,
    },
    /// Parts that contradict each other.
    #[error("this table is damaged ({0}); get it anew")]
    Damaged(&'static str),
}

/// The hash of a piece (FNV-1a), taken byte by byte so that the hashes of all beginnings of a word cost as much as one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hash(u32);

impl Hash {
    pub(super) const fn new(goes_on: bool) -> Self {
        Self(if goes_on { 0x811C_9DC5 ^ GOES_ON as u32 } else { 0x811C_9DC5 })
    }

    pub(super) const fn with(self, byte: u8) -> Self {
        Self((self.0 ^ byte as u32).wrapping_mul(0x0100_0193))
    }

    const fn bucket(self, buckets: usize) -> usize {
        (self.0 ^ (self.0 >> 15)) as usize & (buckets - 1)
    }
}

/// A table of vectors over the bytes of its file.
#[derive(Clone, Copy)]
pub struct Table<'bytes> {
    hash: &'bytes [u8],
    scales: &'bytes [[u8; 4]],
    codes: &'bytes [u8],
    buckets: &'bytes [[u8; 8]],
    pieces: &'bytes [u8],
    dimensions: usize,
    /// Bytes of the longest piece.
    longest: usize,
}

impl std::fmt::Debug for Table<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Table").field("rows", &self.rows()).field("dimensions", &self.dimensions).finish_non_exhaustive()
    }
}

impl<'bytes> Table<'bytes> {
    /// Reads the head and checks that every part is where it says. The hash of the whole is not computed: that would cost more than all the rest.
    ///
    /// # Errors
    /// Bytes that are no table, or a damaged one.
    pub fn read(bytes: &'bytes [u8]) -> Result<Self, TableError> {
        if !bytes.starts_with(MAGIC) {
            return Err(TableError::Foreign);
        }
        let found = bytes.len() as u64;
        let Some((head, body)) = bytes.split_at_checked(HEAD) else { return Err(TableError::Size { expected: HEAD as u64, found }) };
        let (numbers, _) = head[MAGIC.len()..].as_chunks::<4>();
        let [version, rows, dimensions, buckets, pieces] = [0, 1, 2, 3, 4].map(|index| u32::from_le_bytes(numbers[index]));
        if version != VERSION {
            return Err(TableError::Version(version));
        }
        if dimensions == 0 || dimensions > 4096 {
            return Err(TableError::Damaged("a vector has no or more than 4,096 components"));
        }
        if !buckets.is_power_of_two() {
            return Err(TableError::Damaged("the number of buckets is no power of two"));
        }
        let [rows_long, dimensions_long, buckets_long, pieces_long] = [rows, dimensions, buckets, pieces].map(u64::from);
        let expected = HEAD as u64 + rows_long * 4 + rows_long * dimensions_long + (buckets_long + 1) * 8 + pieces_long;
        if expected != found {
            return Err(TableError::Size { expected, found });
        }
        let (scales, rest) = body.split_at(rows as usize * 4);
        let (codes, rest) = rest.split_at(rows as usize * dimensions as usize);
        let (buckets, pieces) = rest.split_at((buckets as usize + 1) * 8);
        let mut table = Self {
            hash: &head[HEAD - 32..],
            scales: scales.as_chunks().0,
            codes,
            buckets: buckets.as_chunks().0,
            pieces,
            dimensions: dimensions as usize,
            longest: 0,
        };
        table.check()?;
        table.longest = Pieces(pieces).map(|piece| piece.text.len()).max().unwrap_or(0);
        Ok(table)
    }

    /// Every scale is a number, and every piece lies in its bucket.
    fn check(&self) -> Result<(), TableError> {
        if !self.scales.iter().all(|scale| (0.0..=1e6).contains(&f32::from_le_bytes(*scale))) {
            return Err(TableError::Damaged("a scale is no number from 0 to a million"));
        }
        let (mut row, mut place) = (0, 0);
        for bucket in 0..self.buckets.len() - 1 {
            let end = self.bucket(bucket + 1);
            if self.bucket(bucket) != (row, place) || end.1 > self.pieces.len() {
                return Err(TableError::Damaged("buckets do not follow each other"));
            }
            let mut pieces = Pieces(&self.pieces[place..end.1.max(place)]);
            for piece in pieces.by_ref() {
                let hash = piece.text.iter().fold(Hash::new(piece.goes_on), |hash, byte| hash.with(*byte));
                if hash.bucket(self.buckets.len() - 1) != bucket || piece.text.is_empty() || std::str::from_utf8(piece.text).is_err() {
                    return Err(TableError::Damaged("a piece is empty, no UTF-8, or in a wrong bucket"));
                }
                row += 1;
            }
            if !pieces.0.is_empty() {
                return Err(TableError::Damaged("a piece is cut off"));
            }
            place = end.1;
        }
        if (row, place) == (self.rows(), self.pieces.len()) && self.bucket(self.buckets.len() - 1) == (row, place) {
            Ok(())
        } else {
            Err(TableError::Damaged("there are not as many pieces as rows"))
        }
    }

    /// Number of pieces.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Components of a vector.
    #[must_use]
    pub const fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// What the head says is the SHA-256 of everything behind it.
    #[must_use]
    pub const fn hash(&self) -> &'bytes [u8] {
        self.hash
    }

    /// The pieces in the order of their rows: the text, and whether it goes on within a word (`##ing`).
    pub fn vocabulary(&self) -> impl Iterator<Item = (&'bytes str, bool)> {
        Pieces(self.pieces).map(|piece| (std::str::from_utf8(piece.text).unwrap_or_default(), piece.goes_on))
    }

    /// Rows of the pieces of a text, in order. Words that are not made of known pieces are left out.
    #[must_use]
    pub fn pieces(&self, text: &str) -> Vec<usize> {
        let mut rows = Vec::new();
        Splitter::new(self).split(text, |row| rows.push(row));
        rows
    }

    /// Adds up the rows of a text's pieces and brings the sum to length one; zeros where no word is known.
    pub(super) fn vector(&self, splitter: &mut Splitter<'_, '_>, text: &str) -> Vec<f32> {
        let mut sums = vec![0.0_f32; self.dimensions];
        splitter.split(text, |row| self.add(row, &mut sums));
        let length = sums.iter().map(|component| component * component).sum::<f32>().sqrt();
        // A sum that all but vanishes has no direction worth keeping.
        let factor = if length > 1e-12 { 1.0 / length } else { 0.0 };
        sums.iter_mut().for_each(|component| *component *= factor);
        sums
    }

    fn add(&self, row: usize, sums: &mut [f32]) {
        let scale = f32::from_le_bytes(self.scales[row]);
        let codes = &self.codes[row * self.dimensions..][..self.dimensions];
        for (sum, code) in sums.iter_mut().zip(codes) {
            *sum += f32::from(code.cast_signed()) * scale;
        }
    }

    /// Bytes of the longest piece.
    pub(super) const fn longest(&self) -> usize {
        self.longest
    }

    /// The row of a piece.
    pub(super) fn find(&self, hash: Hash, text: &[u8], goes_on: bool) -> Option<usize> {
        let bucket = hash.bucket(self.buckets.len() - 1);
        let (first, place) = self.bucket(bucket);
        let (end, _) = self.bucket(bucket + 1);
        let mut rest = &self.pieces[place..];
        let mark = text.len() as u8 | if goes_on { GOES_ON } else { 0 };
        for row in first..end {
            let [head, after @ ..] = rest else { return None };
            let (piece, next) = after.split_at_checked(usize::from(head & !GOES_ON))?;
            if *head == mark && piece == text {
                return Some(row);
            }
            rest = next;
        }
        None
    }

    fn bucket(&self, bucket: usize) -> (usize, usize) {
        let [row, place] = [0, 4].map(|at| {
            let bytes = &self.buckets[bucket];
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize
        });
        (row, place)
    }
}

struct Piece<'bytes> {
    text: &'bytes [u8],
    goes_on: bool,
}

/// The pieces that lie one behind another; ends early at one that is cut off.
struct Pieces<'bytes>(&'bytes [u8]);

impl<'bytes> Iterator for Pieces<'bytes> {
    type Item = Piece<'bytes>;

    fn next(&mut self) -> Option<Piece<'bytes>> {
        let (head, after) = self.0.split_first()?;
        let (text, rest) = after.split_at_checked(usize::from(head & !GOES_ON))?;
        self.0 = rest;
        Some(Piece { text, goes_on: head & GOES_ON != 0 })
    }
}
