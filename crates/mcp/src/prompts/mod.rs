//! Prompts of ibid's own: a person picks one, and the agent gets the way of working that goes with the tools.

mod answer_with_citations;
mod review_due_decisions;

use serde_json::{Map, Value};

use crate::surface::{CacheHint, Message, Page, PromptAnswer, PromptArgument, PromptDescription, ProtocolError, Speaker, ToolContent};

/// One prompt: what it shows of itself, and how it is written out.
struct Prompt {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// Name, what to put there, whether it is needed.
    arguments: &'static [(&'static str, &'static str, bool)],
    render: fn(&Map<String, Value>) -> String,
}

/// All prompts, in the order in which they are listed.
const ALL: [Prompt; 2] = [answer_with_citations::PROMPT, review_due_decisions::PROMPT];

/// The list of prompts; it never changes while the server runs.
pub(crate) fn list(cache: CacheHint) -> Page<PromptDescription> {
    let described = ALL.iter().map(|prompt| PromptDescription {
        name: prompt.name.to_owned(),
        title: Some(prompt.title.to_owned()),
        description: Some(prompt.description.to_owned()),
        arguments: prompt
            .arguments
            .iter()
            .map(|(name, description, required)| PromptArgument {
                name: (*name).to_owned(),
                description: Some((*description).to_owned()),
                required: *required,
            })
            .collect(),
    });
    Page::whole(described.collect(), cache)
}

/// A prompt written out.
///
/// # Errors
/// No such prompt, an argument that it does not have, or one that is missing.
pub(crate) fn get(name: &str, arguments: &Map<String, Value>) -> Result<PromptAnswer, ProtocolError> {
    let prompt = ALL.iter().find(|prompt| prompt.name == name).ok_or_else(|| ProtocolError::unknown_prompt(name))?;
    if let Some(unknown) = arguments.keys().find(|key| !prompt.arguments.iter().any(|(known, ..)| known == key)) {
        return Err(ProtocolError::invalid_params(format!("The prompt {name} has no argument \"{unknown}\".")));
    }
    for (argument, _, required) in prompt.arguments {
        if *required && arguments.get(*argument).and_then(Value::as_str).is_none_or(|text| text.trim().is_empty()) {
            return Err(ProtocolError::invalid_params(format!("The prompt {name} needs the argument \"{argument}\".")));
        }
    }
    let message = Message { speaker: Speaker::User, content: ToolContent::Text((prompt.render)(arguments)) };
    Ok(PromptAnswer { description: Some(prompt.description.to_owned()), messages: vec![message] })
}

/// An argument's text, empty where it was not given.
fn text<'a>(arguments: &'a Map<String, Value>, name: &str) -> &'a str {
    arguments.get(name).and_then(Value::as_str).unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{ALL, get};
    use crate::surface::ToolContent;

    fn arguments(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap_or_default()
    }

    #[test]
    fn a_prompt_holds_the_question_and_names_only_tools_that_exist() {
        let answer = get("answer_with_citations", &arguments(json!({"question": "Why no Kafka?"}))).unwrap();
        let ToolContent::Text(text) = &answer.messages[0].content else { panic!("text") };
        assert!(text.contains("Why no Kafka?"), "{text}");
        for tool in ["search", "get_record", "fetch"] {
            assert!(text.contains(&format!("`{tool}`")) && crate::tools::names().contains(&tool), "{tool}");
        }
    }

    #[test]
    fn unknown_prompts_and_arguments_and_missing_ones_are_named() {
        assert!(get("answer", &Map::new()).is_err());
        assert!(get("answer_with_citations", &Map::new()).unwrap_err().message.contains("\"question\""));
        assert!(get("review_due_decisions", &arguments(json!({"projct": "sre"}))).unwrap_err().message.contains("\"projct\""));
    }

    #[test]
    fn every_prompt_is_described() {
        for prompt in ALL {
            assert!(prompt.description.ends_with('.') && !prompt.title.is_empty(), "{}", prompt.name);
        }
    }
}
