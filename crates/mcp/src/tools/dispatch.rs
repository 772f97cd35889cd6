//! The dispatcher: one way for every call of every tool. Policy, argument checks, freshness, time limit, cancellation, panics and failures live here.

use std::sync::Arc;
use std::time::Duration;

use engine::write::{self, Draft};
use engine::{Caller, Error, ErrorKind, Library, policy};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use super::consent::{Answered, consent};
use super::{Desk, Ran, Site, Tool, Toolset, Wish, Written, all, arguments, budget};
use crate::errors;
use crate::surface::{Client, InputNeeded, ProtocolError, Reply, ToolAnswer, ToolContent};
use crate::wire::{Answer as _, Change};

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
        client: Option<&Client>,
    ) -> Result<Reply<ToolAnswer>, ProtocolError> {
        let Some(tool) = self.tools().find(|tool| tool.spec.name == name) else {
            return Err(ProtocolError::unknown_tool(name));
        };
        let arguments = match arguments::check(name, said, &tool.input_schema) {
            Ok(arguments) => arguments,
            Err(error) => return Ok(errors::answer(&error, None).into()),
        };
        let (library, site, token) = (Arc::clone(&self.library), self.site.clone(), cancelled.clone());
        // A task of its own, so that a panic ends the call and not the connection; dropped with the call.
        let task = AbortOnDropHandle::new(tokio::spawn(async move {
            let engine = library.desk(caller, token).await?;
            let ran = tool.run(arguments, Desk { engine: engine.clone(), site }).await;
            Ok((engine, ran))
        }));
        let outcome = tokio::select! {
            biased;
            () = cancelled.cancelled() => return Ok(errors::answer(&cut_off(format!("{name} was cancelled.")), None).into()),
            outcome = tokio::time::timeout(self.limit, task) => outcome,
        };
        match outcome {
            Ok(Ok(Ok((desk, Ok(Ran::Draft(draft, wish)))))) => Ok(settle(tool, &desk, &draft, &wish, client).await),
            Ok(Ok(Ok((_, Ok(Ran::Answer(written)))))) => Ok(answer(written).into()),
            Ok(Ok(Ok((desk, Err(error))))) => Ok(errors::answer(&error, desk.freshness.stale_reason.as_deref()).into()),
            Ok(Ok(Err(error))) => Ok(errors::answer(&error, None).into()),
            Ok(Err(failed)) => {
                tracing::error!(tool = name, panicked = failed.is_panic(), "a tool ended without an answer");
                Err(ProtocolError::internal())
            }
            Err(_) => {
                let error = cut_off(format!("{name} took longer than {} seconds and was stopped.", self.limit.as_secs()));
                Ok(errors::answer(&error.hint("Ask for less at a time, or try again when the library has been read."), None).into())
            }
        }
    }
}

fn cut_off(message: String) -> Error {
    Error::new(ErrorKind::Unreachable, message)
}

fn answer(Written { value, text }: Written) -> ToolAnswer {
    ToolAnswer { structured: Some(value), content: vec![ToolContent::Text(text)], is_error: false }
}

/// What becomes of a draft: it is shown, or written once its version still holds and a person agrees. Waiting for a person has no time limit.
async fn settle(tool: &Tool, desk: &engine::Desk, draft: &Draft, wish: &Wish, client: Option<&Client>) -> Reply<ToolAnswer> {
    let change = match applied(tool, desk, draft, wish, client).await {
        Ok(Settled::Change(change)) => change,
        Ok(Settled::NotYet(needed)) => return Reply::NeedsInput(needed),
        Err(error) => return errors::answer(&error, desk.freshness.stale_reason.as_deref()).into(),
    };
    answer(budget::fit(change, tool.spec.budget_chars)).into()
}

enum Settled {
    Change(Change),
    NotYet(InputNeeded),
}

async fn applied(tool: &Tool, desk: &engine::Desk, draft: &Draft, wish: &Wish, client: Option<&Client>) -> engine::Result<Settled> {
    if !wish.apply {
        let mut change = Change::preview(draft);
        if let Some(reason) = &desk.freshness.stale_reason {
            change.standing().stale(reason);
        }
        return Ok(Settled::Change(change));
    }
    draft.check_version(wish.if_version.as_deref())?;
    match consent(desk, tool.spec.name, draft, wish.confirm, client).await? {
        Answered::Yes(permission) => Ok(Settled::Change(Change::applied(draft, write::apply(desk, draft, permission).await?))),
        Answered::NotYet(needed) => Ok(Settled::NotYet(needed)),
    }
}
