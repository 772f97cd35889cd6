//! Signing in: one-time codes for printed links, and sessions. Both live in memory only, so a restart signs everybody out.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use document::Stamp;
use engine::{Caller, Error, ErrorKind};
use subtle::ConstantTimeEq as _;

/// How long a printed link can be used.
const CODE_LIFE_MS: i64 = 10 * 60 * 1_000;
/// How long a session lasts.
pub(crate) const SESSION_LIFE_MS: i64 = 30 * 24 * 60 * 60 * 1_000;
/// The most codes that wait at a time; the oldest gives way.
const MOST_CODES: usize = 64;
/// The most sessions of one caller; the caller's oldest gives way, never somebody else's.
const MOST_SESSIONS_EACH: usize = 16;

/// Who is on the way in and who is inside. Clones share one book.
///
/// A link that is printed or logged must not open the door for ever, so it carries a code instead of a token: 128 random bits, good for one use
/// within ten minutes. Secrets are kept as hashes and compared in constant time.
#[derive(Clone, Default)]
pub struct SignIn {
    book: Arc<Mutex<Book>>,
}

#[derive(Default)]
struct Book {
    codes: Vec<Code>,
    sessions: Vec<Kept>,
}

struct Code {
    hash: Stamp,
    made_ms: i64,
}

struct Kept {
    hash: Stamp,
    session: Session,
}

/// A visit that goes on over many requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Session {
    pub(crate) caller: Caller,
    pub(crate) started_ms: i64,
}

impl SignIn {
    /// An empty book.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A fresh sign-in link for the owner, as a path of the site: `/sign-in?code=…`. `now_ms` is the library clock's time.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new_link(&self, now_ms: i64) -> engine::Result<String> {
        Ok(format!("/sign-in?code={}", self.new_code(now_ms)?))
    }

    /// A fresh one-time code for the owner: 32 hex digits, good until its first use, for ten minutes at most.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new_code(&self, now_ms: i64) -> engine::Result<String> {
        let code = random_hex::<16>()?;
        let mut book = self.book();
        book.codes.retain(|code| is_alive(code.made_ms, CODE_LIFE_MS, now_ms));
        if book.codes.len() >= MOST_CODES {
            book.codes.remove(0);
        }
        book.codes.push(Code { hash: Stamp::of(code.as_bytes()), made_ms: now_ms });
        Ok(code)
    }

    /// Whether the code opens the door. It does so once.
    pub(crate) fn redeem(&self, code: &str, now_ms: i64) -> bool {
        let hash = Stamp::of(code.as_bytes());
        let mut book = self.book();
        let found = book.codes.iter().fold(None, |found, code| if is_same(&code.hash, &hash) { Some(code.made_ms) } else { found });
        book.codes.retain(|code| !is_same(&code.hash, &hash));
        found.is_some_and(|made_ms| is_alive(made_ms, CODE_LIFE_MS, now_ms))
    }

    /// Begins a session and gives the secret that its cookie carries: 64 hex digits, good for 30 days.
    ///
    /// # Errors
    /// The system gives no random numbers.
    pub fn new_session(&self, caller: Caller, now_ms: i64) -> engine::Result<String> {
        let id = random_hex::<32>()?;
        let mut book = self.book();
        book.sessions.retain(|kept| is_alive(kept.session.started_ms, SESSION_LIFE_MS, now_ms));
        if book.sessions.iter().filter(|kept| kept.session.caller == caller).count() >= MOST_SESSIONS_EACH
            && let Some(oldest) = book.sessions.iter().position(|kept| kept.session.caller == caller)
        {
            book.sessions.remove(oldest);
        }
        book.sessions.push(Kept { hash: Stamp::of(id.as_bytes()), session: Session { caller, started_ms: now_ms } });
        Ok(id)
    }

    /// The session of a cookie, unless it ended or ran out.
    pub(crate) fn session(&self, id: &str, now_ms: i64) -> Option<Session> {
        let hash = Stamp::of(id.as_bytes());
        let book = self.book();
        let found = book.sessions.iter().fold(None, |found, kept| if is_same(&kept.hash, &hash) { Some(&kept.session) } else { found });
        found.filter(|session| is_alive(session.started_ms, SESSION_LIFE_MS, now_ms)).cloned()
    }

    /// Ends a session.
    pub(crate) fn end(&self, id: &str) {
        let hash = Stamp::of(id.as_bytes());
        self.book().sessions.retain(|kept| !is_same(&kept.hash, &hash));
    }

    /// A panic elsewhere cannot leave the book half written: every change is one push or one retain.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A clock that was set back does not make things live longer than a clock that was not.
fn is_alive(since_ms: i64, life_ms: i64, now_ms: i64) -> bool {
    (0..life_ms).contains(&now_ms.saturating_sub(since_ms))
}

fn is_same(left: &Stamp, right: &Stamp) -> bool {
    bool::from(left.as_str().as_bytes().ct_eq(right.as_str().as_bytes()))
}

fn random_hex<const BYTES: usize>() -> engine::Result<String> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| Error::new(ErrorKind::Unreachable, format!("The system gives no random numbers: {error}.")))?;
    let mut text = String::with_capacity(BYTES * 2);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use engine::Caller;

    use super::{CODE_LIFE_MS, MOST_SESSIONS_EACH, SESSION_LIFE_MS, SignIn};

    #[test]
    fn a_code_opens_once_and_not_after_ten_minutes() {
        let sign_in = SignIn::new();
        let code = sign_in.new_code(1_000).unwrap();
        assert_eq!(code.len(), 32);
        assert!(!sign_in.redeem("", 1_000));
        assert!(!sign_in.redeem(&code[..31], 1_000));
        assert!(sign_in.redeem(&code, 1_000 + CODE_LIFE_MS - 1));
        assert!(!sign_in.redeem(&code, 1_000));
        let late = sign_in.new_code(1_000).unwrap();
        assert!(!sign_in.redeem(&late, 1_000 + CODE_LIFE_MS));
    }

    #[test]
    fn a_session_ends_by_itself_and_by_signing_out() {
        let sign_in = SignIn::new();
        let id = sign_in.new_session(Caller::owner(), 0).unwrap();
        assert_eq!(sign_in.session(&id, SESSION_LIFE_MS - 1).map(|session| session.caller), Some(Caller::owner()));
        assert_eq!(sign_in.session(&id, SESSION_LIFE_MS), None);
        assert_eq!(sign_in.session("", 0), None);
        sign_in.end(&id);
        assert_eq!(sign_in.session(&id, 0), None);
    }

    #[test]
    fn many_sessions_of_one_token_push_out_nobody_else() {
        let sign_in = SignIn::new();
        let owner = sign_in.new_session(Caller::owner(), 0).unwrap();
        let first = sign_in.new_session(Caller::token("ci"), 0).unwrap();
        for _ in 0..MOST_SESSIONS_EACH {
            sign_in.new_session(Caller::token("ci"), 1).unwrap();
        }
        assert!(sign_in.session(&owner, 1).is_some());
        assert!(sign_in.session(&first, 1).is_none());
    }
}
