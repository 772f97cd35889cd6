//! `ibid tools`: the tools that agents see.

use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Lists the tools with what they do.
pub async fn run(global: &Global) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    let product = ::mcp::Product::new(library, None);
    let tools: Vec<_> = product.tools().map(::mcp::product::describe).collect();
    if global.json {
        let listed: Vec<_> = tools
            .iter()
            .map(|tool| json!({"name": tool.name, "title": tool.title, "description": tool.description, "input_schema": tool.input_schema}))
            .collect();
        output::print_json(&json!({"tools": listed}))?;
        return Ok(exit::DONE);
    }
    let width = tools.iter().map(|tool| tool.name.len()).max().unwrap_or_default();
    let lines: String = tools.iter().map(|tool| format!("{:width$}  {}\n", tool.name, tool.description)).collect();
    output::print(&lines)?;
    Ok(exit::DONE)
}
