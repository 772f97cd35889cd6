//! Tool policy: reads are on, writes are off until a person turns them on; the configuration has the last word.

use crate::config::{Config, Consent};
use crate::{Error, ErrorKind, Result};

/// What a tool does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Looks only.
    Reads,
    /// Changes a user's files or the store.
    Writes,
    /// Runs something.
    Runs,
}

impl Effect {
    /// Whether tools of this effect are on where no configuration speaks.
    #[must_use]
    pub const fn is_on_by_default(self) -> bool {
        matches!(self, Self::Reads)
    }
}

/// Whether the configuration has a tool on.
#[must_use]
pub fn is_on(config: &Config, tool: &str, effect: Effect) -> bool {
    config.tools.iter().rev().find(|(name, _)| name == tool).map_or(effect.is_on_by_default(), |(_, is_on)| *is_on)
}

/// Whether a person is asked before a tool writes.
#[must_use]
pub fn consent(config: &Config, tool: &str) -> Consent {
    config.consent.iter().rev().find(|(name, _)| name == tool).map_or(Consent::default(), |(_, consent)| *consent)
}

/// Checks that every tool that the configuration names exists.
///
/// # Errors
/// A name that is none, with the nearest one.
pub fn check_names(config: &Config, tools: &[&str]) -> Result<()> {
    let toggles = config.tools.iter().map(|(name, _)| ("tools", name));
    for (table, name) in toggles.chain(config.consent.iter().map(|(name, _)| ("consent", name))) {
        if !tools.contains(&name.as_str()) {
            let near = tools.iter().max_by(|left, right| strsim::jaro_winkler(left, name).total_cmp(&strsim::jaro_winkler(right, name)));
            let error = Error::new(ErrorKind::BadConfig, format!("{table}.{name} names no tool."));
            return Err(near.map_or(error.clone(), |near| error.hint(format!("Did you mean {table}.{near}?"))));
        }
    }
    Ok(())
}
