//! The git door on real repositories: cached checkouts that follow them, histories that are read from them, and the ways in which either may be
//! hostile.

#[path = "git_support/mod.rs"]
mod git_support;

#[path = "git_support/checkouts.rs"]
mod checkouts;
#[path = "git_support/histories.rs"]
mod histories;
#[path = "git_support/hostile.rs"]
mod hostile;
