//! `ibid new`: a decision record with the next free number, in the form of its folder. Shown first, written when the person agrees.

use engine::decisions::{self, NewRecord};

use crate::arguments::Arguments as Global;
use crate::{agree, open};

/// Make a decision record.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// What is decided, in a few words.
    title: String,
    /// Project, where there are several.
    #[arg(long)]
    project: Option<String>,
    /// Type, such as adr or rfc.
    #[arg(long = "type", value_name = "TYPE")]
    record_type: Option<String>,
    /// Collection, where the project does not tell.
    #[arg(long)]
    collection: Option<String>,
    /// Its status.
    #[arg(long, default_value = "proposed")]
    status: String,
    /// Its date; today by default.
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    /// A sentence about it.
    #[arg(long)]
    description: Option<String>,
    /// Who wrote it; may be given several times.
    #[arg(long = "author", value_name = "NAME")]
    authors: Vec<String>,
    /// Who decided; may be given several times.
    #[arg(long = "decider", value_name = "NAME")]
    deciders: Vec<String>,
    /// A tag; may be given several times.
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Id of a record whose place it takes.
    #[arg(long, value_name = "ID")]
    supersedes: Option<String>,
    #[command(flatten)]
    agreement: agree::Arguments,
}

/// Draws the record up, shows it, asks, and writes it.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let library = open::library(global, &[], None).await?;
    let desk = library.owner_desk().await?;
    let wanted = NewRecord {
        title: own.title.clone(),
        project: own.project.clone(),
        record_type: own.record_type.clone(),
        collection: own.collection.clone(),
        status: Some(own.status.clone()),
        date: own.date.clone(),
        description: own.description.clone(),
        authors: own.authors.clone(),
        deciders: own.deciders.clone(),
        tags: own.tags.clone(),
        sections: Vec::new(),
        supersedes: own.supersedes.clone(),
    };
    agree::settle(global, &desk, &decisions::create(&desk, &wanted).await?, &own.agreement).await
}
