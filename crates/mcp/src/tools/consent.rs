//! Consent, once for all tools that write: a standing word of the configuration, else a person asked through the client, else `confirm`.

use engine::config::Consent;
use engine::write::{Draft, Permission};
use engine::{Error, ErrorKind, policy, write};
use serde_json::json;

use crate::surface::{AskFailure, Client, HumanAnswer, InputNeeded};

/// Characters of a diff that a question shows.
const SHOWN_CHARS: usize = 3_000;

/// What the question came to.
pub(super) enum Answered {
    /// Apply it.
    Yes(Permission),
    /// The client must put the question to a person first, and call again.
    NotYet(InputNeeded),
}

/// Whether a draft may be applied.
///
/// # Errors
/// The configuration or a person says no, or nobody could be asked and the caller did not confirm. Each refusal is in the operations log.
pub(super) async fn consent(desk: &engine::Desk, tool: &str, draft: &Draft, confirm: bool, client: Option<&Client>) -> engine::Result<Answered> {
    match policy::consent(desk.library.config(), tool) {
        Consent::Always => return Ok(Answered::Yes(Permission::Standing)),
        Consent::Never => {
            let error = write::refuse(desk, draft, &format!("The configuration refuses {tool}: consent.{tool} = \"never\".")).await?;
            return Err(error.hint("Only the people of this library can change that."));
        }
        Consent::Ask => {}
    }
    let asked = match client {
        // An empty form: accepting it is the answer.
        Some(client) => client.ask("apply", &question(draft), json!({ "type": "object", "properties": {} })).await,
        None => Err(AskFailure::Unable),
    };
    match asked {
        Ok(HumanAnswer::Accepted(_)) => Ok(Answered::Yes(Permission::Asked)),
        Ok(HumanAnswer::Declined | HumanAnswer::Dismissed) => {
            Err(write::refuse(desk, draft, "The person who was asked did not agree. Nothing was written.")
                .await?
                .hint("Ask them what they want instead."))
        }
        Err(AskFailure::NotYet(needed)) => Ok(Answered::NotYet(needed)),
        Err(AskFailure::Unable) if confirm => Ok(Answered::Yes(Permission::Confirmed)),
        Err(AskFailure::Unable) => {
            let error = write::refuse(desk, draft, "A person must agree before this is written, and this client cannot ask one.").await?;
            Err(error.hint("Show them the diff; when they agree, call again with confirm: true."))
        }
        Err(AskFailure::Failed(failure)) => {
            Err(Error::new(ErrorKind::Unreachable, format!("The person could not be asked: {}.", failure.message.trim_end_matches('.'))))
        }
    }
}

fn question(draft: &Draft) -> String {
    let diff = draft.diff();
    let shown: String = diff.chars().take(SHOWN_CHARS).collect();
    let rest = if shown.len() < diff.len() { "\n(The rest is not shown here.)" } else { "" };
    let notes: String = draft.notes.iter().map(|note| format!("{note}\n")).collect();
    format!("{}\n{notes}\n{shown}{rest}", draft.summary)
}
