//! One question at a time: callers that arrive while a round runs share the next one.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Instant;

use super::Settled;

type Answer = Arc<OnceLock<Settled>>;

#[derive(Debug, Default)]
pub(super) struct Rounds {
    state: Mutex<State>,
    done: Condvar,
}

#[derive(Debug, Default)]
struct State {
    is_running: bool,
    /// The round that begins after now. Only that one may answer a caller: a running one may already have passed its change.
    next: Answer,
}

impl Rounds {
    /// Runs `run`, or waits for the one who runs it for this caller too; `late` where that takes longer than `until`.
    pub(super) fn share(&self, until: Instant, run: impl FnOnce() -> Settled, late: impl FnOnce() -> Settled) -> Settled {
        let mut state = self.lock();
        let mine = Arc::clone(&state.next);
        while state.is_running {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return late();
            }
            state = self.done.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            if let Some(answer) = mine.get() {
                return answer.clone();
            }
        }
        state.is_running = true;
        state.next = Answer::default();
        drop(state);
        let _running = Running(self);
        mine.get_or_init(run).clone()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the round, also when it panics; those who waited for it then run their own.
struct Running<'a>(&'a Rounds);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.lock().is_running = false;
        self.0.done.notify_all();
    }
}
