//! `ibid call`: a tool called as an agent would call it.

use ::mcp::Product;
use ::mcp::surface::ToolContent;
use engine::{Caller, Error};
use serde_json::{Map, Value};

use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Call a tool as an agent would.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Name of the tool, see ibid tools.
    tool: String,
    /// Its arguments as a JSON object, such as '{"query": "kafka"}'; - reads them from standard input.
    #[arg(default_value = "{}")]
    arguments: String,
}

/// Calls a tool and prints its text, or the structured answer with `--json`.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let text = if own.arguments == "-" { std::io::read_to_string(std::io::stdin())? } else { own.arguments.clone() };
    let arguments: Map<String, Value> = serde_json::from_str(&text).map_err(|error| {
        Error::bad_input(format!("The arguments are no JSON object: {error}."))
            .hint("Write them as one argument: ibid call search_records '{\"tag\": \"kafka\"}'")
    })?;
    let library = open::library(global, &[], None).await?;
    output::bring_up_to_date(&library).await;
    let product = ::mcp::Product::new(library, None);
    let answer = answer(&product, &own.tool, arguments).await?;
    if global.json {
        output::print_json(&answer.structured)?;
    } else {
        output::print(&answer.text)?;
    }
    Ok(if answer.is_error { exit::ANSWER_IS_NO } else { exit::DONE })
}

/// What a tool answered.
pub struct Answer {
    /// The structured answer.
    pub structured: Value,
    /// The text that a model reads.
    pub text: String,
    /// It failed in an expected way.
    pub is_error: bool,
}

/// What a tool answers to the owner; unknown tools are an error that names the way on.
pub async fn answer(product: &Product, tool: &str, arguments: Map<String, Value>) -> anyhow::Result<Answer> {
    let answer = product.call(tool, arguments, Caller::owner()).await.map_err(|error| Error::bad_input(error.message).hint("See: ibid tools"))?;
    let text = answer.content.iter().filter_map(|content| if let ToolContent::Text(text) = content { Some(text.as_str()) } else { None }).collect();
    Ok(Answer { structured: answer.structured.unwrap_or(Value::Null), text, is_error: answer.is_error })
}
