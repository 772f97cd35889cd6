//! The published set of a library: what `ibid publish` writes and `ibid serve` answers at the same paths, for agents and for mirrors.
//!
//! `docs/reference/published-sites.md` has the layout. Drafts and what is excluded are not in it, for the store does not give them out.

mod agents;
mod copies;
mod entries;
mod full_text;
mod llms;
mod marked;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use document::{Scheme, Stamp, Uri};
use source::formats::decisions::published::{self as wire, PublishedProject, PublishedSite, PublishedStatus};
use store::{RecordFilter, RecordRow};

use super::{Project, Statuses, list_projects};
use crate::{Desk, Error, Result};

pub use copies::{Copy, copy};

/// Where the published set stands, for the links in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Place {
    /// Address of the site with its base path, such as `https://decisions.example.org/acme`; `None` where nobody knows it yet: links are then
    /// relative to the site.
    pub address: Option<String>,
    /// The files of a folder, whose pages are `d/<id>/`, and not a running ibid, whose pages are `/d/<id>`.
    pub is_folder: bool,
    /// Whoever reads it needs a token.
    pub needs_token: bool,
}

impl Place {
    /// A folder of files that will stand at `address`, if that is known.
    ///
    /// # Errors
    /// What is no address of a site.
    pub fn of_folder(address: Option<&str>) -> Result<Self> {
        let address = address.map(|address| address.trim().trim_end_matches('/'));
        if let Some(address) = address.filter(|address| !is_address(address)) {
            let shown: String = address.chars().take(200).collect();
            return Err(Error::bad_input(format!("\"{shown}\" is not the address at which a site is published."))
                .hint("It starts with http:// or https:// and has the site's base path, such as https://decisions.example.org/acme"));
        }
        Ok(Self { address: address.map(str::to_owned), is_folder: true, needs_token: false })
    }

    /// A running ibid that is reached at `address`; one that cannot be written into commands is left out.
    #[must_use]
    pub fn of_server(address: &str, needs_token: bool) -> Self {
        let address = Some(address.trim_end_matches('/')).filter(|address| is_address(address)).map(str::to_owned);
        Self { address, is_folder: false, needs_token }
    }

    /// Where a record's copy is.
    #[must_use]
    pub fn of_copy(&self, id: &str) -> String {
        format!("{}{}.md", self.before(), encoded(id))
    }

    /// Where a record's page is.
    #[must_use]
    pub fn of_page(&self, id: &str) -> String {
        format!("{}d/{}{}", self.before(), encoded(id), if self.is_folder { "/" } else { "" })
    }

    /// Where a file of the site is.
    fn of_file(&self, name: &str) -> String {
        format!("{}{name}", self.before())
    }

    fn before(&self) -> String {
        self.address.as_deref().map(|address| format!("{}/", address.trim_end_matches('/'))).unwrap_or_default()
    }
}

/// Whether a text is the address of a site. It is written into commands that people copy, so nothing in it may mean something to a shell.
fn is_address(text: &str) -> bool {
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let is_harmless = |character: char| character.is_ascii_alphanumeric() || "-._~/:%[]+,=".contains(character);
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', ':']) && rest.chars().all(is_harmless))
}

/// An id as it stands in an address.
fn encoded(id: &str) -> String {
    let permalink = Uri::new(Scheme::Decision, id).permalink();
    permalink.strip_prefix("/d/").map(str::to_owned).unwrap_or(permalink)
}

/// What a library publishes, without the texts of its records.
#[derive(Debug, Clone)]
pub struct Published {
    place: Place,
    site: PublishedSite,
    /// Every project that has records, in the library's order.
    projects: Vec<Project>,
    /// In the order of `site.records`: by project in its order, then by id.
    rows: Vec<RecordRow>,
    by_path: HashMap<(i64, String), usize>,
    /// Records that cannot be published because another one has the same id, whatever the case: each with its id and its file.
    clashes: Vec<Clash>,
}

/// Records of one id, whatever the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The id as the first of them has it.
    pub id: String,
    /// Each with its collection.
    pub files: Vec<String>,
}

/// What the published set depends on, as a text that is another one when anything of it is another. Cheap.
///
/// # Errors
/// A store that cannot be read.
pub async fn version(desk: &Desk) -> Result<String> {
    let sequence = desk.library.store().last_sequence().await?;
    // What collections say of themselves stands in files that are no documents, so the change log says nothing of it.
    let words = format!("{:?} {:?} {:?}", desk.library.project_files(), desk.library.declared_fields(), statuses(desk));
    Ok(format!("{sequence} {}", Stamp::of(words.as_bytes())))
}

/// All that the library publishes, but for the texts.
///
/// # Errors
/// A store, or a file beside a record, that cannot be read.
pub async fn published(desk: &Desk, place: Place) -> Result<Published> {
    let projects = list_projects(desk).await?;
    let rows = desk.library.store().records(&RecordFilter::default(), i64::MAX, 0).await?.records;
    let (mut rows, clashes) = apart(desk, rows);
    let order: BTreeMap<&str, usize> = projects.iter().enumerate().map(|(at, project)| (project.id.as_str(), at)).collect();
    rows.sort_by(|left, right| (order.get(left.project.as_str()), &left.id).cmp(&(order.get(right.project.as_str()), &right.id)));
    let records = entries::entries(desk, &place, &rows).await?;
    let statuses = statuses(desk);
    let site = PublishedSite {
        generator: Some(format!("ibid {}", env!("CARGO_PKG_VERSION"))),
        name: desk.library.config().name.clone(),
        statuses: statuses
            .list()
            .iter()
            .map(|status| PublishedStatus { name: status.name.clone(), is_current: status.is_current, is_open: status.is_open })
            .collect(),
        fields: desk.library.declared_fields(),
        projects: published_projects(desk, &projects),
        records,
    };
    let by_path = rows.iter().enumerate().map(|(at, row)| ((row.collection_id, row.path.clone()), at)).collect();
    Ok(Published { place, site, projects, rows, by_path, clashes })
}

/// The status words of the library: those of its collections where all have the same, else those of the configuration.
fn statuses(desk: &Desk) -> Statuses {
    let mut all = desk.library.collections().iter().map(|collection| desk.library.statuses(collection.id));
    let first = all.next();
    first.filter(|first| all.all(|other| other == *first)).unwrap_or_else(|| desk.library.config().statuses.clone())
}

/// Records that can be told apart by their ids, and the others. A name that means two records is no name: none of them is guessed.
fn apart(desk: &Desk, rows: Vec<RecordRow>) -> (Vec<RecordRow>, Vec<Clash>) {
    let mut by_id: BTreeMap<String, Vec<RecordRow>> = BTreeMap::new();
    for row in rows {
        by_id.entry(store::fold(&row.id)).or_default().push(row);
    }
    let (mut alone, mut clashes) = (Vec::new(), Vec::new());
    for mut rows in by_id.into_values() {
        if rows.len() == 1 {
            alone.append(&mut rows);
        } else if let Some(first) = rows.first() {
            let file = |row: &RecordRow| format!("{} in {}", row.path, desk.library.collection_name(row.collection_id));
            clashes.push(Clash { id: first.id.clone(), files: rows.iter().map(file).collect() });
        }
    }
    (alone, clashes)
}

/// Projects with records, and those that declare fields: `list_fields` names both.
fn published_projects(desk: &Desk, projects: &[Project]) -> Vec<PublishedProject> {
    let files = desk.library.project_files();
    let mut published: Vec<PublishedProject> =
        projects.iter().map(|project| PublishedProject { id: project.id.clone(), ..PublishedProject::default() }).collect();
    for (id, file) in files {
        let at = match published.iter().position(|project| project.id == id) {
            Some(at) => at,
            None if file.fields.is_empty() => continue,
            None => {
                published.push(PublishedProject { id: id.clone(), ..PublishedProject::default() });
                published.len() - 1
            }
        };
        // Of two files for one project the first counts, as in `list_projects`.
        let Some(project) = published.get_mut(at).filter(|project| **project == PublishedProject { id: id.clone(), ..PublishedProject::default() })
        else {
            continue;
        };
        *project = PublishedProject::of(id, file);
    }
    published
}

impl Published {
    /// The text of `decisions.json`.
    #[must_use]
    pub fn decisions_json(&self) -> String {
        wire::write(&self.site)
    }

    /// The text of `llms.txt`.
    #[must_use]
    pub fn llms_txt(&self) -> String {
        llms::text(self)
    }

    /// The text of `AGENTS.md`.
    #[must_use]
    pub fn agents_md(&self) -> String {
        agents::text(self)
    }

    /// A part of `llms-full.txt`: the records from the `first` on, and where the next part begins. All parts behind each other are the file.
    ///
    /// # Errors
    /// A store that cannot be read, or a record that was another one when this set was made.
    pub async fn llms_full_part(&self, desk: &Desk, first: usize) -> Result<(String, Option<usize>)> {
        full_text::part(self, desk, first).await
    }

    /// A stamp of `llms-full.txt`, told without reading the texts.
    #[must_use]
    pub fn llms_full_stamp(&self) -> Stamp {
        let mut text = full_text::opening(self);
        for row in &self.rows {
            let _ = writeln!(text, "{}{}", full_text::heading(self, row, 0), row.stamp);
        }
        Stamp::of(text.as_bytes())
    }

    /// Ids of all records, in the order of the files.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.id.as_str())
    }

    /// The record whose file is at `path` in the collection of another one.
    #[must_use]
    pub fn id_at(&self, beside: &RecordRow, path: &str) -> Option<&str> {
        self.by_path.get(&(beside.collection_id, path.to_owned())).and_then(|at| self.rows.get(*at)).map(|row| row.id.as_str())
    }

    /// Records that are left out, because their ids do not tell them apart.
    #[must_use]
    pub fn clashes(&self) -> &[Clash] {
        &self.clashes
    }

    /// What the library is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.site.name
    }

    /// The projects that have records, in the library's order.
    #[must_use]
    pub fn projects(&self) -> &[Project] {
        &self.projects
    }
}
