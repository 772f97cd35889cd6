//! Exit codes: what the shell is told. Each kind of failure has its place here; a new kind does not compile until it has one.

use engine::ErrorKind;

/// Everything was done.
pub const DONE: u8 = 0;
/// The answer is "no", or has errors.
pub const ANSWER_IS_NO: u8 = 1;
/// The command line cannot be understood.
pub const USAGE: u8 = 2;
/// A file, database or site cannot be reached.
pub const UNREACHABLE: u8 = 69;
/// It may not be done.
pub const REFUSED: u8 = 77;
/// The configuration cannot be used.
pub const CONFIGURATION: u8 = 78;

/// The exit code of a failure.
pub const fn code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::NotFound | ErrorKind::Ambiguous | ErrorKind::Conflict => ANSWER_IS_NO,
        ErrorKind::BadInput => USAGE,
        ErrorKind::Unreachable => UNREACHABLE,
        ErrorKind::Refused => REFUSED,
        ErrorKind::BadConfig => CONFIGURATION,
    }
}
