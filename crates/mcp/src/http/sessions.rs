//! Legacy sessions: who owns each, how many there may be, and which are gone. 2026-07-28 has none.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::{Duration, Instant},
};

use tokio_util::sync::CancellationToken;

use crate::surface::Boxed;

/// Asks the client of a session for a sign of life.
pub(crate) trait Ping: Send + Sync {
    /// Whether it answered before the deadline.
    fn ping(&self, deadline: Duration) -> Boxed<'_, bool>;
}

/// Ends a session in the SDK.
pub(crate) trait SessionCloser: Send + Sync {
    /// Ends it; unknown ids are no error.
    fn close(&self, id: String) -> Boxed<'_, ()>;
}

/// Bounds of sessions.
#[derive(Debug, Clone)]
pub struct SessionLimits {
    /// At most so many sessions at a time; one more is answered with 503.
    pub max_sessions: usize,
    /// How long a client may take to answer a ping.
    pub ping_deadline: Duration,
    /// A session is reaped when it was unreachable *and* silent for this long.
    pub grace: Duration,
    /// How often the sweep runs by itself.
    pub sweep_every: Duration,
}

impl Default for SessionLimits {
    fn default() -> Self {
        Self { max_sessions: 256, ping_deadline: Duration::from_secs(2), grace: Duration::from_secs(15 * 60), sweep_every: Duration::from_secs(60) }
    }
}

/// What a sweep found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionReport {
    /// Sessions that are kept.
    pub tracked: usize,
    /// Those whose client answered just now. Only these count as connected.
    pub reachable: usize,
    /// Sessions that this sweep ended.
    pub reaped: usize,
}

struct Session {
    principal: String,
    protocol_version: Option<String>,
    client_name: Option<String>,
    ping: Option<Arc<dyn Ping>>,
    /// Requests that are being answered.
    in_flight: usize,
    /// Open GET streams.
    streams: usize,
    /// Last time that anything came from the client.
    last_heard: Instant,
    /// Since when no ping was answered.
    unreachable_since: Option<Instant>,
}

/// Whether a session is to be ended: unreachable *and* silent for the whole grace window, with nothing in flight. One missed ping is
/// weak evidence, for the client's stream need not be open at every instant, and reaping cannot be undone.
fn is_gone(session: &Session, now: Instant, grace: Duration) -> bool {
    let silent = now.duration_since(session.last_heard) >= grace;
    let unreachable = session.unreachable_since.is_some_and(|since| now.duration_since(since) >= grace);
    session.in_flight == 0 && silent && unreachable
}

/// All sessions of one server.
pub(crate) struct SessionBook {
    limits: SessionLimits,
    entries: Mutex<Entries>,
    closer: OnceLock<Arc<dyn SessionCloser>>,
}

#[derive(Default)]
struct Entries {
    sessions: HashMap<String, Session>,
    /// Places kept for handshakes that are under way.
    reserved: usize,
}

impl SessionBook {
    pub(crate) fn new(limits: SessionLimits) -> Self {
        Self { limits, entries: Mutex::default(), closer: OnceLock::new() }
    }

    pub(crate) fn set_closer(&self, closer: Arc<dyn SessionCloser>) {
        let _ = self.closer.set(closer);
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a place for one handshake, or `None` when the server is full.
    pub(crate) fn reserve(self: &Arc<Self>) -> Option<Reservation> {
        let mut entries = self.entries();
        if entries.sessions.len() + entries.reserved >= self.limits.max_sessions {
            return None;
        }
        entries.reserved += 1;
        Some(Reservation(self.clone()))
    }

    /// A session exists and belongs to this principal from now on.
    pub(crate) fn created(&self, id: &str, principal: &str) {
        let session = Session {
            principal: principal.to_owned(),
            protocol_version: None,
            client_name: None,
            ping: None,
            in_flight: 0,
            streams: 0,
            last_heard: Instant::now(),
            unreachable_since: None,
        };
        self.entries().sessions.insert(id.to_owned(), session);
    }

    /// Its handshake is done.
    pub(crate) fn opened(&self, id: &str, protocol_version: &str, client_name: &str, ping: Arc<dyn Ping>) {
        if let Some(session) = self.entries().sessions.get_mut(id) {
            session.protocol_version = Some(protocol_version.to_owned());
            session.client_name = Some(client_name.to_owned());
            session.ping = Some(ping);
        }
    }

    /// It ended.
    pub(crate) fn forget(&self, id: &str) {
        self.entries().sessions.remove(id);
    }

    /// The revision that was agreed on.
    pub(crate) fn protocol_version(&self, id: &str) -> Option<String> {
        self.entries().sessions.get(id)?.protocol_version.clone()
    }

    /// A request for this session has come. `None`: there is no such session for this principal, which must look like no session at all.
    pub(crate) fn enter(self: &Arc<Self>, id: &str, principal: &str, is_stream: bool) -> Option<Presence> {
        let mut entries = self.entries();
        let session = entries.sessions.get_mut(id).filter(|session| session.principal == principal)?;
        session.last_heard = Instant::now();
        *if is_stream { &mut session.streams } else { &mut session.in_flight } += 1;
        Some(Presence { book: self.clone(), id: id.to_owned(), is_stream })
    }

    /// Pings everybody at the same time and ends what is gone.
    pub(crate) async fn sweep(&self) -> SessionReport {
        let targets: Vec<(String, Option<Arc<dyn Ping>>)> = {
            let entries = self.entries();
            // Without a stream a ping cannot arrive; it would only wait for one and come late.
            entries.sessions.iter().map(|(id, session)| (id.clone(), session.ping.clone().filter(|_| session.streams > 0))).collect()
        };
        let deadline = self.limits.ping_deadline;
        let answers = targets.into_iter().map(|(id, ping)| async move {
            match ping {
                Some(ping) => (id, ping.ping(deadline).await),
                None => (id, false),
            }
        });
        let answers = futures_util::future::join_all(answers).await;
        let reachable = answers.iter().filter(|(_, answered)| *answered).count();
        let gone = self.judge(&answers, Instant::now());
        for id in &gone {
            tracing::info!(session.id = id, "a session was unreachable and silent for the whole grace window, and is ended");
            if let Some(closer) = self.closer.get() {
                closer.close(id.clone()).await;
            }
            self.forget(id);
        }
        SessionReport { tracked: self.entries().sessions.len(), reachable, reaped: gone.len() }
    }

    /// Notes the answers and says who is gone.
    fn judge(&self, answers: &[(String, bool)], now: Instant) -> Vec<String> {
        let mut entries = self.entries();
        let mut gone = Vec::new();
        for (id, answered) in answers {
            let Some(session) = entries.sessions.get_mut(id) else { continue };
            if *answered {
                session.unreachable_since = None;
            } else {
                session.unreachable_since.get_or_insert(now);
                if is_gone(session, now, self.limits.grace) {
                    gone.push(id.clone());
                }
            }
        }
        gone
    }

    /// Sweeps until the server stops.
    pub(crate) async fn keep_sweeping(self: Arc<Self>, closing: CancellationToken) {
        let every = self.limits.sweep_every;
        let mut ticks = tokio::time::interval_at(tokio::time::Instant::now() + every, every);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        while closing.run_until_cancelled(ticks.tick()).await.is_some() {
            self.sweep().await;
        }
    }
}

/// A place kept for a handshake; given back when dropped.
pub(crate) struct Reservation(Arc<SessionBook>);

impl Drop for Reservation {
    fn drop(&mut self) {
        self.0.entries().reserved -= 1;
    }
}

/// A request or stream that is being served; it counts as activity until dropped.
pub(crate) struct Presence {
    book: Arc<SessionBook>,
    id: String,
    is_stream: bool,
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Some(session) = self.book.entries().sessions.get_mut(&self.id) {
            *if self.is_stream { &mut session.streams } else { &mut session.in_flight } -= 1;
            if !self.is_stream {
                session.last_heard = Instant::now();
            }
        }
    }
}

/// A view of the sessions for status pages and commands.
#[derive(Clone)]
pub struct Sessions(pub(crate) Arc<SessionBook>);

/// One session, for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionSummary {
    /// Whose it is.
    pub principal: String,
    /// What the client calls itself.
    pub client_name: Option<String>,
    /// The agreed revision.
    pub protocol_version: Option<String>,
    /// How long nothing came from it.
    pub silent: Duration,
}

impl Sessions {
    /// Runs the liveness sweep now; bounded by the ping deadline.
    pub async fn sweep(&self) -> SessionReport {
        self.0.sweep().await
    }

    /// What is tracked, in no order.
    pub fn list(&self) -> Vec<SessionSummary> {
        let now = Instant::now();
        let summary = |session: &Session| SessionSummary {
            principal: session.principal.clone(),
            client_name: session.client_name.clone(),
            protocol_version: session.protocol_version.clone(),
            silent: now.duration_since(session.last_heard),
        };
        self.0.entries().sessions.values().map(summary).collect()
    }
}

#[cfg(test)]
mod tests;
