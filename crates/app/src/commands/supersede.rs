//! `ibid supersede`: one decision record takes the place of another, and both say so. Shown first, written when the person agrees.

use engine::decisions;

use crate::arguments::Arguments as Global;
use crate::{agree, open};

/// Let one decision record take the place of another.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Id of the record that is superseded.
    old: String,
    /// Id of the record that takes its place.
    new: String,
    /// Only a part of it is superseded: its status stays.
    #[arg(long)]
    partial: bool,
    #[command(flatten)]
    agreement: agree::Arguments,
}

/// Draws the change up, shows it, asks, and writes it.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    let desk = library.owner_desk().await?;
    agree::settle(global, &desk, &decisions::supersede(&desk, &own.old, &own.new, own.partial).await?, &own.agreement).await
}
