//! `ibid token`: named tokens for agents and people, and the owner's own.

use engine::Clock;
use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{exit, open, output};

/// Make, list and remove access tokens.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

/// What to do with tokens.
#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Make a named token that may read; it is shown once.
    Add {
        /// Who or what it is for, such as ci or mira.
        name: String,
    },
    /// List named tokens.
    List,
    /// Remove a named token.
    Remove {
        /// Its name.
        name: String,
    },
    /// Print the owner's token.
    Show,
}

/// Does it.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    let tokens = library.tokens();
    match &own.action {
        Action::Add { name } => {
            let token = tokens.add(name, Clock::System).await?;
            if global.json {
                output::print_json(&json!({"name": token.name, "token": token.secret}))?;
            } else {
                output::print(&token.secret)?;
                eprintln!("ibid: This is the only time that the token is shown. Remove it with: ibid token remove {name}");
            }
        }
        Action::List => {
            let rows = tokens.list().await?;
            if global.json {
                let listed: Vec<_> = rows.iter().map(|row| json!({"name": row.name, "created_ms": row.created_ms})).collect();
                output::print_json(&json!({"tokens": listed}))?;
            } else if rows.is_empty() {
                output::print("No named tokens.")?;
            } else {
                output::print(&rows.iter().map(|row| format!("{}\n", row.name)).collect::<String>())?;
            }
        }
        Action::Remove { name } => {
            tokens.remove(name, Clock::System).await?;
            eprintln!("ibid: {name} is refused from now on.");
        }
        Action::Show => output::print(tokens.owner_secret())?,
    }
    Ok(exit::DONE)
}
