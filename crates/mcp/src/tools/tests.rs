//! Rules over all tools, driven by the lists.
