//! Behaviour of the decision-record reader.
