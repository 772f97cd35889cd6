//! When a session ends, and whose it is.

use super::*;

const GRACE: Duration = Duration::from_secs(60);

fn book(max_sessions: usize) -> Arc<SessionBook> {
    Arc::new(SessionBook::new(SessionLimits { max_sessions, grace: GRACE, ..SessionLimits::default() }))
}

fn missed(book: &SessionBook, id: &str, at: Instant) -> Vec<String> {
    book.judge(&[(id.to_owned(), false)], at)
}

#[test]
fn a_session_belongs_to_the_principal_that_opened_it() {
    let book = book(4);
    book.created("s", "alice");
    assert!(book.enter("s", "alice", false).is_some());
    assert!(book.enter("s", "bob", false).is_none());
    assert!(book.enter("t", "alice", false).is_none());
}

#[test]
fn places_are_counted_from_the_handshake_on() {
    let book = book(2);
    book.created("s", "alice");
    let place = book.reserve().expect("one place is free");
    assert!(book.reserve().is_none());
    drop(place);
    assert!(book.reserve().is_some());
}

#[test]
fn one_missed_ping_never_reaps() {
    let book = book(4);
    book.created("s", "alice");
    let late = Instant::now() + GRACE * 10;
    assert!(missed(&book, "s", late).is_empty());
    assert_eq!(missed(&book, "s", late + GRACE), ["s"]);
}

#[test]
fn an_answered_ping_starts_the_window_anew() {
    let book = book(4);
    book.created("s", "alice");
    let start = Instant::now() + GRACE;
    assert!(missed(&book, "s", start).is_empty());
    assert!(book.judge(&[("s".to_owned(), true)], start + GRACE).is_empty());
    assert!(missed(&book, "s", start + GRACE * 2).is_empty());
    assert_eq!(missed(&book, "s", start + GRACE * 3), ["s"]);
}

#[test]
fn a_request_in_flight_is_activity() {
    let book = book(4);
    book.created("s", "alice");
    let request = book.enter("s", "alice", false);
    let late = Instant::now() + GRACE;
    assert!(missed(&book, "s", late).is_empty());
    assert!(missed(&book, "s", late + GRACE).is_empty());
    drop(request);
    assert_eq!(missed(&book, "s", late + GRACE * 3), ["s"]);
}

#[test]
fn a_client_that_posts_but_never_opens_a_stream_is_kept() {
    let book = book(4);
    book.created("s", "alice");
    assert!(missed(&book, "s", Instant::now()).is_empty());
    drop(book.enter("s", "alice", false));
    let just_before_the_window_ends = Instant::now() + GRACE - Duration::from_secs(1);
    assert!(missed(&book, "s", just_before_the_window_ends).is_empty());
}
