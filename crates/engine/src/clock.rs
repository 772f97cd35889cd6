//! The clock, behind one door so that tests bring their own time.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

/// A moment as RFC 3339 writes it, in UTC, to the second.
#[must_use]
pub fn rfc3339(time_ms: i64) -> String {
    Timestamp::from_second(time_ms.div_euclid(1000)).unwrap_or(Timestamp::UNIX_EPOCH).to_string()
}

/// Tells the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// The machine's time.
    #[default]
    System,
    /// Always the same moment, in milliseconds since 1970.
    Fixed(i64),
}

impl Clock {
    /// Milliseconds since 1970.
    #[must_use]
    pub fn now_ms(self) -> i64 {
        match self {
            Self::System => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
            Self::Fixed(now_ms) => now_ms,
        }
    }

    /// Today's date in UTC.
    #[must_use]
    pub fn today(self) -> Date {
        let moment = Timestamp::from_millisecond(self.now_ms()).unwrap_or(Timestamp::UNIX_EPOCH);
        Offset::UTC.to_datetime(moment).date()
    }
}
