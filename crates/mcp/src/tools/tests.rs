//! Rules over all tools, driven by the lists: what is true of one is true of every one, and of the next one that is added.

mod calls;
mod lists;
