//! The agreement of the person at the keyboard: the diff is shown, they are asked, and only then it is written.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use engine::config::Consent;
use engine::write::{self, Draft, Permission};
use engine::{Desk, Error, ErrorKind, policy};
use serde_json::json;

use crate::arguments::Arguments as Global;
use crate::{exit, output};

/// How the person agrees.
#[derive(Debug, clap::Args)]
#[group(skip)]
pub struct Arguments {
    /// Write it without asking.
    #[arg(long, short = 'y', conflicts_with = "dry_run")]
    yes: bool,
    /// Show what would be written, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

/// Shows a draft and writes it if the person agrees; exit 77 if not.
pub async fn settle(global: &Global, desk: &Desk, draft: &Draft, own: &Arguments) -> anyhow::Result<u8> {
    if !global.json {
        let notes: String = draft.notes.iter().map(|note| format!("Note: {note}\n")).collect();
        output::print(format!("{}\n{notes}\n{}", draft.summary, draft.diff()).trim_end())?;
    }
    if own.dry_run {
        return shown(global, draft, false);
    }
    if policy::consent(desk.library.config(), draft.action) == Consent::Never {
        return Err(write::refuse(desk, draft, &format!("The configuration refuses {}.", draft.action)).await?.into());
    }
    if !own.yes && !ask()? {
        return Err(write::refuse(desk, draft, "Nothing was written.").await?.hint("With --yes nobody is asked.").into());
    }
    write::apply(desk, draft, Permission::Shell).await?;
    shown(global, draft, true)
}

fn shown(global: &Global, draft: &Draft, is_applied: bool) -> anyhow::Result<u8> {
    if global.json {
        let file = |file: &write::FileDraft| json!({"collection": file.collection, "path": file.path, "version": if is_applied { Some(file.new_version().as_str().to_owned()) } else { file.version().map(|stamp| stamp.as_str().to_owned()) }});
        let files: Vec<_> = draft.files.iter().map(file).collect();
        output::print_json(
            &json!({"applied": is_applied, "summary": draft.summary, "uri": draft.target, "files": files, "diff": draft.diff(), "notes": draft.notes}),
        )?;
    } else if is_applied {
        output::print("Written.")?;
    }
    Ok(exit::DONE)
}

/// Asks on a terminal. Without one nobody can agree.
fn ask() -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::new(ErrorKind::Refused, "Nobody can be asked here.").hint("Look at it with --dry-run, then write it with --yes.").into());
    }
    eprint!("Write this? [y/N] ");
    std::io::stderr().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
