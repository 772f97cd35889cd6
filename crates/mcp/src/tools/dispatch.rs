//! The dispatcher: one way for every call of every tool. Policy, argument checks, freshness, time limit, cancellation, panics and failures live here.

use std::sync::Arc;
use std::time::Duration;

use engine::{Caller, Error, ErrorKind, Freshness, Library, policy};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::{Desk, Site, Tool, Toolset, Written, all, arguments};
use crate::errors;
use crate::surface::{ProtocolError, ToolAnswer, ToolContent};

/// How long a tool may take.
const LIMIT: Duration = Duration::from_secs(30);

/// Runs tools over a library.
#[derive(Clone)]
pub struct Dispatcher {
    library: Arc<Library>,
    site: Site,
    tools: &'static [Tool],
    limit: Duration,
}

impl Dispatcher {
    /// A dispatcher of all tools.
    #[must_use]
    pub fn new(library: Arc<Library>, site: Site) -> Self {
        Self { library, site, tools: all(), limit: LIMIT }
    }

    /// The same with other tools and another time limit.
    #[cfg(test)]
    pub(super) fn with(mut self, tools: &'static [Tool], limit: Duration) -> Self {
        self.tools = tools;
        self.limit = limit;
        self
    }

    /// Tools that the library has a use for and the configuration has on, in the fixed order.
    pub fn tools(&self) -> impl Iterator<Item = &'static Tool> {
        let config = self.library.config();
        let has = |toolset: Toolset| config.collections.iter().any(|collection| toolset.kind().is_none_or(|kind| kind == collection.kind));
        let offered: Vec<Toolset> = Toolset::ALL.into_iter().filter(|toolset| has(*toolset)).collect();
        let tools = self.tools.iter();
        tools
            .filter(move |tool| offered.contains(&tool.spec.toolset) && policy::is_on(config, tool.spec.name, tool.spec.effect))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Runs a tool for a caller.
    ///
    /// # Errors
    /// The tool is unknown or off, which look the same (-32602), or it has a bug (-32603). Expected failures are answers.
    pub async fn call(
        &self,
        name: &str,
        said: Map<String, Value>,
        caller: Caller,
        cancelled: CancellationToken,
    ) -> Result<ToolAnswer, ProtocolError> {
        let Some(tool) = self.tools().find(|tool| tool.spec.name == name) else {
            return Err(ProtocolError::unknown_tool(name));
        };
        let arguments = match arguments::check(name, said, &tool.input_schema) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(errors::answer(&error, None)),
        };
        let (library, site, token) = (Arc::clone(&self.library), self.site.clone(), cancelled.clone());
        // A task of its own, so that a panic ends the call and not the connection; dropped with the call.
        let task = AbortOnDropHandle::new(tokio::spawn(async move {
            let desk = Desk { engine: library.desk(caller, token).await, site };
            let freshness = desk.freshness.clone();
            (tool.run(arguments, desk).await, freshness)
        }));
        let outcome = tokio::select! {
            biased;
            () = cancelled.cancelled() => return Ok(errors::answer(&cut_off(format!("{name} was cancelled.")), None)),
            outcome = tokio::time::timeout(self.limit, task) => outcome,
        };
        match outcome {
            Ok(Ok((result, freshness))) => Ok(answer(result, &freshness)),
            Ok(Err(failed)) => {
                tracing::error!(tool = name, panicked = failed.is_panic(), "a tool ended without an answer");
                Err(ProtocolError::internal())
            }
            Err(_) => {
                let error = cut_off(format!("{name} took longer than {} seconds and was stopped.", self.limit.as_secs()));
                Ok(errors::answer(&error.hint("Ask for less at a time, or try again when the library has been read."), None))
            }
        }
    }
}

fn cut_off(message: String) -> Error {
    Error::new(ErrorKind::Unreachable, message)
}

fn answer(result: engine::Result<Written>, freshness: &Freshness) -> ToolAnswer {
    match result {
        Ok(Written { value, text }) => ToolAnswer { structured: Some(value), content: vec![ToolContent::Text(text)], is_error: false },
        Err(error) => errors::answer(&error, freshness.stale_reason.as_deref()),
    }
}
