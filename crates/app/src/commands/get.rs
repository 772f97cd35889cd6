//! `ibid get`: one document, whole.

use std::io::IsTerminal as _;

use engine::decisions;
use serde_json::Map;

use crate::arguments::Arguments as Global;
use crate::{commands::call, commands::search, exit, open, output};

/// Print one document.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// An id, short id, reference, slug, uri or permalink; a section may stand behind #.
    id: String,
}

/// Prints the metadata block and the body, uncut; with `--json` what `get_record` answers.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    output::bring_up_to_date(&library).await;
    if global.json {
        let product = ::mcp::Product::new(library, None);
        let mut arguments = Map::new();
        arguments.insert("id".into(), own.id.clone().into());
        let answer = call::answer(&product, "get_record", arguments).await?;
        if answer.is_error {
            return search::fail(&answer);
        }
        output::print_json(&answer.structured)?;
        return Ok(exit::DONE);
    }
    let desk = library.owner_desk().await?;
    let answer = decisions::get(&desk, &own.id).await?;
    output::print(&format!("{}{}", decisions::header_text(&answer), answer.body.span.of(&answer.document.text)))?;
    if std::io::stdout().is_terminal() {
        for problem in &answer.problems {
            eprintln!("ibid: {problem}");
        }
    }
    Ok(exit::DONE)
}
