//! `ibid publish`: the library as a folder of files, for any host of static pages.

use std::path::{Path, PathBuf};

use engine::decisions::publish::{Place, Published, copy, published};
use engine::decisions::{self, RecordQuery, RecordSummary};
use engine::{Desk, Error, ErrorKind};
use serde_json::json;
use web::static_pages::StaticSite;

use crate::arguments::Arguments as Global;
use crate::site_folder::{Report, SiteFolder};
use crate::{exit, open, output};

/// Write the library as a folder of files, for any host of static pages.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder that gets the files.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Address at which the folder will be found, with its base path: links in the files for agents are then whole.
    #[arg(long, value_name = "ADDRESS")]
    url: Option<String>,
    /// Write into a folder that holds other files, and over those of them that have the name of one of ours.
    #[arg(long)]
    force: bool,
}

/// Writes what has changed since the last time.
pub async fn run(global: &Global, own: &Arguments) -> anyhow::Result<u8> {
    let place = Place::of_folder(own.url.as_deref())?;
    let library = open::library(global, &[], None).await?;
    let freshness = output::bring_up_to_date(&library).await;
    if let Some(reason) = &freshness.stale_reason {
        // What is published is looked at for a long time by people who cannot see that it was old from the start.
        return Err(Error::new(ErrorKind::Unreachable, format!("Nothing was published, because the library may be stale: {reason}")).into());
    }
    let desk = library.owner_desk().await?;
    let mut kept_apart: Vec<PathBuf> =
        library.config().collections.iter().filter_map(|collection| collection.origin.folder().map(Path::to_path_buf)).collect();
    kept_apart.push(open::state_root());
    let set = published(&desk, place.clone()).await?;
    if let Some(clash) = set.clashes().first() {
        return Err(Error::new(ErrorKind::Conflict, format!("Two records have the id {}: {}.", clash.id, clash.files.join(", ")))
            .hint("Rename one of the files or its collection, or exclude it: each record needs an address of its own.")
            .into());
    }
    let folder = SiteFolder::open(&own.out, &kept_apart, own.force)?;
    let report = write(&desk, &set, &place, folder).await?;
    show(global, own, &set, report)
}

async fn write(desk: &Desk, set: &Published, place: &Place, mut folder: SiteFolder) -> anyhow::Result<Report> {
    let config = desk.library.config();
    let site = StaticSite { library: config.name.clone(), version: env!("CARGO_PKG_VERSION").to_owned(), statuses: config.statuses.clone() };
    let ids: Vec<&str> = set.ids().collect();
    let assets = site.assets();
    let own = ["index.html", "decisions.json", "llms.txt", "llms-full.txt", "AGENTS.md", ".nojekyll"].map(str::to_owned);
    let records = ids.iter().flat_map(|id| [format!("{id}.md"), format!("d/{id}/index.html")]);
    // All names first: nothing is written where two files would have one name on some host.
    folder.plan(own.into_iter().chain(assets.iter().map(|file| file.path.clone())).chain(records))?;
    for file in assets {
        folder.put(&file.path, &file.bytes)?;
    }
    for id in ids {
        folder.put(&format!("{id}.md"), &copy(desk, id).await?.bytes)?;
        // A `#` in an id is a letter, and not the start of a section.
        let uri = document::Uri::new(document::Scheme::Decision, id).to_string();
        let answer = decisions::get(desk, &uri).await?;
        let page = site.record(&answer, place, |path| set.id_at(&answer.row, path))?;
        folder.put(&page.path, &page.bytes)?;
    }
    folder.put("llms.txt", set.llms_txt().as_bytes())?;
    folder.put("AGENTS.md", set.agents_md().as_bytes())?;
    // Hosts that make pages of Markdown by themselves would change the copies.
    folder.put(".nojekyll", b"")?;
    let page = site.index(set.projects(), &summaries(desk).await?)?;
    folder.put(&page.path, &page.bytes)?;
    let mut full = folder.begin("llms-full.txt")?;
    let mut next = Some(0);
    while let Some(first) = next {
        let (part, after) = set.llms_full_part(desk, first).await?;
        full.add(part.as_bytes())?;
        next = after;
    }
    folder.end(full)?;
    // Last, as the others are what it lists: who mirrors the folder while it is written finds what the old list or the new one says.
    folder.put("decisions.json", set.decisions_json().as_bytes())?;
    folder.finish()
}

/// All records, newest first.
async fn summaries(desk: &Desk) -> anyhow::Result<Vec<RecordSummary>> {
    const PAGE: i64 = 200;
    let mut records: Vec<RecordSummary> = Vec::new();
    loop {
        let offset = i64::try_from(records.len())?;
        let page = decisions::search_records(desk, &RecordQuery { limit: Some(PAGE), offset: Some(offset), ..RecordQuery::default() }).await?;
        let is_last = page.records.is_empty();
        records.extend(page.records);
        if is_last {
            return Ok(records);
        }
    }
}

fn show(global: &Global, own: &Arguments, set: &Published, report: Report) -> anyhow::Result<u8> {
    let (records, projects) = (set.ids().count(), set.projects().len());
    if global.json {
        output::print_json(&json!({"out": own.out, "url": own.url, "records": records, "projects": projects, "files": report.files,
            "written": report.written, "unchanged": report.unchanged, "removed": report.removed}))?;
        return Ok(exit::DONE);
    }
    let mut text = format!(
        "Published {records} records of {projects} projects in {}.\n{} files: {} written, {} unchanged; {} of an earlier time removed.\n",
        own.out.display(),
        report.files,
        report.written,
        report.unchanged,
        report.removed
    );
    if own.url.is_none() {
        text.push_str("The address is not known, so AGENTS.md cannot name it: publish with --url https://… once you know it.\n");
    }
    output::print(&text)?;
    Ok(exit::DONE)
}
